// The parallel loop, the small numerical functions, and look-ups by name.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <limits>
#include <stdexcept>

#include "core/numeric.hpp"
#include "core/parallel.hpp"
#include "core/registry.hpp"

namespace ravi {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(ParallelFor, VisitsEveryItemOnceWhateverTheThreads) {
  for (const int threads : {1, 2, 7}) {
    std::array<std::atomic<int>, 100> visits{};
    parallel_for(100, threads, [&](Index i) { ++visits[static_cast<std::size_t>(i)]; });
    for (const auto& v : visits) EXPECT_EQ(v, 1);
  }
}

TEST(ParallelFor, PrintsNothingWhenThereAreMoreThreadsThanCores) {
  testing::internal::CaptureStderr();
  parallel_for(1000, 64, [](Index) {});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ParallelFor, HandsOnAnItemsException) {
  for (const int threads : {1, 3}) {
    EXPECT_THROW(parallel_for(10, threads,
                              [](Index i) {
                                if (i == 7) throw std::domain_error("seven");
                              }),
                 std::domain_error);
  }
}

TEST(LogSumExp, NeitherOverflowsNorUnderflows) {
  EXPECT_DOUBLE_EQ(log_sum_exp(Vector::Constant(4, 1000.0)), 1000 + std::log(4.0));
  EXPECT_DOUBLE_EQ(log_sum_exp(Vector::Constant(4, -1000.0)), -1000 + std::log(4.0));
  EXPECT_EQ(log_sum_exp(Vector()), -kInf);
  EXPECT_EQ(log_sum_exp(Vector::Constant(2, -kInf)), -kInf);
  EXPECT_EQ(log_sum_exp(Vector::Constant(2, kInf)), kInf);
  EXPECT_TRUE(std::isnan(log_sum_exp(Vector::Constant(2, kNan))));
}

TEST(Logistic, IsExactInBothTails) {
  EXPECT_DOUBLE_EQ(log1p_exp(800), 800);
  EXPECT_DOUBLE_EQ(log1p_exp(-40), std::exp(-40.0));
  EXPECT_DOUBLE_EQ(log1p_exp(0), std::log(2.0));
  EXPECT_DOUBLE_EQ(inverse_logit(-800) + inverse_logit(800), 1);
  EXPECT_DOUBLE_EQ(inverse_logit(-40), std::exp(-40.0));
}

TEST(Median, OfOddEvenAndNoValues) {
  EXPECT_EQ(median(Vector{{3, 1, 2}}), 2);
  EXPECT_EQ(median(Vector{{4, 1, 3, 2}}), 2.5);
  EXPECT_TRUE(std::isnan(median(Vector())));
  EXPECT_TRUE(std::isnan(median(Vector{{1, kNan, 2}})));
}

TEST(Variance, IsUnmovedByALargeMean) {
  EXPECT_DOUBLE_EQ(variance(Vector{{1, 2, 3, 4}}), 5.0 / 3);
  EXPECT_DOUBLE_EQ(variance(Vector{{1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4}}), 5.0 / 3);
  EXPECT_TRUE(std::isnan(variance(Vector{{1}})));
}

struct Entry {
  std::string_view name;
};
constexpr std::array kEntries = {Entry{"rmsprop"}, Entry{"adam"}};

TEST(Registry, AnUnknownNameIsAnsweredWithTheNearestAndTheChoices) {
  const std::span<const Entry> registry(kEntries);
  EXPECT_EQ(entry_of(registry, "adam", "optimizer").name, "adam");
  try {
    entry_of(registry, "adma", "optimizer");
    FAIL() << "an unknown name was accepted";
  } catch (const UsageError& e) {
    EXPECT_STREQ(e.what(),
                 "no optimizer is called 'adma'; did you mean 'adam'? the choices are: rmsprop, "
                 "adam");
  }
}

}  // namespace
}  // namespace ravi
