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
};

Answer answer_of(const Seen& seen) {
  Answer answer;
  answer.efficiency = seen.efficiency;
  answer.khat = seen.khat;
  answer.unseen_mass = seen.unseen_mass;
  answer.perplexity = seen.perplexity;
  answer.coarseness = seen.coarseness;
  answer.importance_draws = 20000;
  answer.importance_ess = seen.efficiency * 20000;
  return answer;
}

constexpr Seen kEven{0.99, 1.2, 0.001};
constexpr Seen kClose{0.8, 0.4, 0.001};
constexpr Seen kVarying{0.3, 0.65, 0.05};
constexpr Seen kFirmVarying{0.3, 0.65, 0.005};

struct Row {
  const char* what;
  Seen seen;
  Look look;
  Next next;
  Look then;
};

const Row kRows[] = {
    {"even weights: wide draws alone", kEven, first_look(), Next::more, look_of_even()},
    {"close: as many wide ones", kClose, first_look(), Next::more, look_of_close()},
    {"most count, but a long tail", {0.8, 0.6, 0.001}, first_look(), Next::more, full_look()},
    {"short tail, but few count", {0.5, 0.4, 0.001}, first_look(), Next::more, full_look()},
    {"nothing known", {kNan, kNan, kNan}, first_look(), Next::more, full_look()},
    {"wide ones see nothing", kEven, look_of_even(), Next::enough, {}},
    {"likewise", kClose, look_of_close(), Next::enough, {}},
    {"wide ones see something", {0.99, 0.3, 0.01}, look_of_even(), Next::more, full_look()},
    {"likewise", {0.8, 0.4, 0.02}, look_of_close(), Next::more, full_look()},
    {"it cannot be told", {0.8, 0.4, kNan}, look_of_close(), Next::more, full_look()},
    {"little can be missed", kFirmVarying, full_look(), Next::enough, {}},
    {"much can", kVarying, full_look(), Next::more, {16, 16}},
    {"no stop at a good one on the way", kFirmVarying, {16, 16}, Next::more, {24, 24}},
    {"nor at the next", kFirmVarying, {24, 24}, Next::more, last_look()},
    {"the last", kVarying, last_look(), Next::enough, {}},
    {"a tenth may be missed", {0.3, 0.65, 0.1}, last_look(), Next::correct, {}},
    {"too few draws for the tail", {0.3, 0.9, 0.05}, last_look(), Next::correct, {}},
    {"it cannot be told", {0.3, 0.65, kNan}, last_look(), Next::correct, {}},
    {"few of q's count", {0.3, 0.65, 0.05, 0.4}, last_look(), Next::correct, {}},
    {"which bounded weights may", {0.3, 0.4, 0.05, 0.4}, last_look(), Next::enough, {}},
    {"few of q's count, seen early", {0.3, 0.65, 0.005, 0.4}, full_look(), Next::correct, {}},
    {"weights are rounding errors", {0.99, 0.1, 0.001, 1, 0.2}, look_of_even(), Next::refuse, {}},
    {"draws that are moved may be elsewhere",
     {0.3, 0.65, 0.1, 1, 0.2},
     last_look(),
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
    Look look = first_look();
    Step step = next(answer_of(seen), look);
    for (int i = 0; i < 10 && step.next == Next::more; ++i) {
      EXPECT_GE(step.look.of_q, look.of_q);
      EXPECT_GT(step.look.wide, look.wide);
      look = step.look;
      step = next(answer_of(seen), look);
    }
    EXPECT_NE(step.next, Next::more);
    EXPECT_LE(look.of_q, last_look().of_q);
  }
}

// Of S = 4000 that is half a batch and a quarter, two halves, four batches, and sixteen.
TEST(Looks, AreOfSoManyBlocks) {
  EXPECT_EQ(look_of_even(), (Look{2, 1}));
  EXPECT_EQ(look_of_close(), (Look{2, 2}));
  EXPECT_EQ(full_look(), (Look{8, 8}));
  EXPECT_EQ(last_look(), (Look{32, 32}));
}

}  // namespace
}  // namespace ravi
