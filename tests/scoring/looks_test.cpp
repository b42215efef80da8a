// What follows a look at importance draws, as a table.
#include "scoring/looks.hpp"

#include <gtest/gtest.h>

#include "core/numeric.hpp"

namespace ravi {
namespace {

// What a look showed.
struct Seen {
  double efficiency, khat, unseen_mass;
  double perplexity = 1, coarseness = 0;
  bool weighted = true;
};

Answer answer_of(const Seen& seen) {
  Answer answer;
  answer.efficiency = seen.efficiency;
  answer.khat = seen.khat;
  answer.unseen_mass = seen.unseen_mass;
  answer.perplexity = seen.perplexity;
  answer.coarseness = seen.coarseness;
  answer.weighted = seen.weighted;
  answer.importance_draws = 20000;
  answer.importance_ess = seen.efficiency * 20000;
  return answer;
}

constexpr Seen kEven{0.99, 1.2, 0.001};
constexpr Seen kClose{0.8, 0.4, 0.001};
constexpr Seen kVarying{0.3, 0.65, 0.05};
constexpr Seen kFirmVarying{0.3, 0.65, 0.005};
constexpr Look kSecondFurther{28, 16};

struct Row {
  const char* what;
  Seen seen;
  Look look;
  Next next;
  Look then;
};

const Row kRows[] = {
    {"even weights: wide draws alone", kEven, kFirstLook, Next::more, kLookOfEven},
    {"close: as many wide ones", kClose, kFirstLook, Next::more, kLookOfClose},
    {"most count, but a long tail", {0.8, 0.6, 0.001}, kFirstLook, Next::more, kFullLook},
    {"short tail, but few count", {0.7, 0.4, 0.001}, kFirstLook, Next::more, kFullLook},
    {"nothing known", {kNan, kNan, kNan}, kFirstLook, Next::more, kFullLook},
    {"wide ones see nothing", kEven, kLookOfEven, Next::enough, {}},
    {"likewise", kClose, kLookOfClose, Next::enough, {}},
    {"wide ones see something", {0.99, 0.3, 0.01}, kLookOfEven, Next::more, kFullLook},
    {"likewise", {0.8, 0.4, 0.02}, kLookOfClose, Next::more, kFullLook},
    {"it cannot be told", {0.8, 0.4, kNan}, kLookOfClose, Next::more, kFullLook},
    {"little can be missed", kFirmVarying, kFullLook, Next::enough, {}},
    {"much can", kVarying, kFullLook, Next::more, {20, 12}},
    {"no stop at a good one on the way", kFirmVarying, {20, 12}, Next::more, kSecondFurther},
    {"nor at the next", kFirmVarying, kSecondFurther, Next::more, kLastLook},
    {"the last", kVarying, kLastLook, Next::enough, {}},
    {"a tenth may be missed", {0.3, 0.65, 0.1}, kLastLook, Next::correct, {}},
    {"too few draws for the tail", {0.3, 0.9, 0.05}, kLastLook, Next::correct, {}},
    {"it cannot be told", {0.3, 0.65, kNan}, kLastLook, Next::correct, {}},
    {"few draws count", {0.01, 0.6, 0.05, 0.6, 0, false}, kLastLook, Next::correct, {}},
    {"few of q's count", {0.3, 0.65, 0.05, 0.4}, kLastLook, Next::correct, {}},
    {"which bounded weights may", {0.3, 0.4, 0.05, 0.4}, kLastLook, Next::enough, {}},
    {"few of q's count, seen early", {0.3, 0.65, 0.005, 0.4}, kFullLook, Next::correct, {}},
    {"weights are rounding errors", {0.99, 0.1, 0.001, 1, 0.2}, kLookOfEven, Next::refuse, {}},
    {"draws that are moved may be elsewhere",
     {0.3, 0.65, 0.1, 1, 0.2},
     kLastLook,
     Next::correct,
     {}},
};

TEST(Looks, AreFollowedByWhatTheTableSays) {
  for (const Row& row : kRows) {
    const Step step = next(answer_of(row.seen), row.look);
    EXPECT_EQ(step.next, row.next) << row.what;
    if (row.next == Next::more) {
      EXPECT_EQ(step.look, row.then) << row.what;
    }
  }
}

// Whatever is seen, there is an end, and draws are only added.
TEST(Looks, End) {
  for (const Seen& seen : {kEven, kClose, kVarying, kFirmVarying, Seen{kNan, kNan, kNan}}) {
    Look look = kFirstLook;
    Step step = next(answer_of(seen), look);
    for (int i = 0; i < 10 && step.next == Next::more; ++i) {
      EXPECT_GE(step.look.of_q, look.of_q);
      EXPECT_GT(step.look.wide, look.wide);
      look = step.look;
      step = next(answer_of(seen), look);
    }
    EXPECT_NE(step.next, Next::more);
    EXPECT_LE(look.of_q, kLastLook.of_q);
  }
}

TEST(Looks, FurtherOnesEndAtTheLast) {
  EXPECT_EQ(kFullLook.of_q + 3 * kFurther.of_q, kLastLook.of_q);
  EXPECT_EQ(kFullLook.wide + 3 * kFurther.wide, kLastLook.wide);
}

}  // namespace
}  // namespace ravi
