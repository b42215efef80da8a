// What is kept of the iterates against a plain list of all of them.
#include "iterates/iterates.hpp"

#include <gtest/gtest.h>

#include "core/rng.hpp"

namespace ravi {
namespace {

constexpr Index kSize = 3, kChains = 2, kWindow = 10;

// Feeds n windows of numbers around 1e6, and remembers them all, chain by chain.
struct Feeder {
  Iterates iterates{kChains, kSize, kWindow};
  std::vector<Matrix> all = std::vector<Matrix>(kChains, Matrix(kSize, 0));
  std::uint32_t window = 0;

  void feed(Index windows, Index columns = kWindow) {
    for (Index w = 0; w < windows; ++w, ++window) {
      for (Index j = 0; j < kChains; ++j) {
        Matrix& target = iterates.window(j);
        RandomStream(9, Purpose::test, static_cast<std::uint32_t>(j), window)
            .fill_normal(target.leftCols(columns));
        target.leftCols(columns).array() += 1e6;
        Matrix& seen = all[static_cast<std::size_t>(j)];
        seen.conservativeResize(kSize, seen.cols() + columns);
        seen.rightCols(columns) = target.leftCols(columns);
      }
      iterates.close_window(columns);
    }
  }
  Vector average_since(Index first) const {
    Vector sum = Vector::Zero(kSize);
    for (const Matrix& m : all) sum += m.rightCols(m.cols() - first).rowwise().mean();
    return sum / kChains;
  }
};

// Means of numbers near 1e6 are exact to about 1e6 * 1e-16 * sqrt(n).
constexpr double kTolerance = 1e-8;

TEST(Block, MergingGivesTheMomentsOfTheWhole) {
  const Vector x{{1, 4, 9, 16, 25}};
  const auto block = [](const Vector& part) {
    return Block{part.size(), Vector::Constant(1, part.mean()),
                 Vector::Constant(1, (part.array() - part.mean()).square().sum())};
  };
  Block merged = block(x.head(2));
  merged.merge(block(x.tail(3)));
  EXPECT_EQ(merged.count, 5);
  EXPECT_DOUBLE_EQ(merged.mean(0), 11);
  EXPECT_DOUBLE_EQ(merged.squares(0), 374);
}

TEST(Iterates, AverageIsThatOfAllIteratesHoweverManyBlocksWereMerged) {
  Feeder f;
  for (const Index windows : {1, 5, 57, 1, 200}) {
    f.feed(windows);
    EXPECT_TRUE(f.iterates.average().isApprox(f.average_since(0), 1e-14));
  }
}

TEST(Iterates, AverageStartsAnewAtT0) {
  Feeder f;
  f.feed(7);
  f.iterates.start_keeping();
  f.feed(80);
  f.feed(1, 4);
  EXPECT_LT((f.iterates.average() - f.average_since(70)).cwiseAbs().maxCoeff(), kTolerance);
}

TEST(Iterates, SeriesHoldsEveryIterateSinceT0InOrder) {
  Feeder f;
  f.feed(3);
  f.iterates.start_keeping();
  f.feed(40);
  ASSERT_EQ(f.iterates.kept(), 400);
  EXPECT_EQ(f.iterates.stride(), 1);
  for (Index k = 0; k < kSize; ++k) {
    const Matrix series = f.iterates.series(k);
    for (Index j = 0; j < kChains; ++j) {
      EXPECT_EQ(series.col(j), f.all[static_cast<std::size_t>(j)].row(k).tail(400).transpose());
    }
  }
}

// 2^24 bytes hold 2^21 numbers: with K = 2^15 and two chains, 32 iterates per chain.
TEST(Iterates, DropsEverySecondIterateWhenMemoryIsFull) {
  const Index size = Index{1} << 15;
  Iterates iterates(2, size, 8);
  iterates.start_keeping();
  double sum = 0;
  for (int w = 0; w < 6; ++w) {
    for (Index j = 0; j < 2; ++j) {
      for (Index i = 0; i < 8; ++i)
        iterates.window(j).col(i).setConstant(8 * w + static_cast<double>(i));
    }
    iterates.close_window(8);
    for (int i = 0; i < 8; ++i) sum += 8 * w + i;
  }
  EXPECT_EQ(iterates.stride(), 2);
  ASSERT_EQ(iterates.kept(), 24);
  const Matrix series = iterates.series(5);
  for (Index i = 0; i < 24; ++i) EXPECT_EQ(series(i, 1), 2 * static_cast<double>(i));
  EXPECT_DOUBLE_EQ(iterates.average()(5), sum / 48);
  // Of 0 .. 47 twice: 2 * 48 (48^2 - 1) / 12 over 95.
  EXPECT_DOUBLE_EQ(iterates.variances()(5), 96.0 * 2303 / 12 / 95);
  EXPECT_EQ(iterates.block_means(5).col(0),
            (Vector(6) << 3.5, 11.5, 19.5, 27.5, 35.5, 43.5).finished());
}

// With K = 2^20 and one chain a window is more than 2^24 bytes: it is all that is kept, thinned as
// often as it must be, and no more.
TEST(Iterates, KeepsOneWindowOfVeryManyComponentsHoweverLongTheRun) {
  Iterates iterates(1, Index{1} << 20, 8);
  iterates.start_keeping();
  for (int w = 0; w < 70; ++w) {
    for (Index i = 0; i < 8; ++i) {
      iterates.window(0).col(i).setConstant(8 * w + static_cast<double>(i));
    }
    iterates.close_window(8);
    EXPECT_LE(iterates.kept(), 8);
    EXPECT_GE(iterates.kept(), 4);
  }
  EXPECT_EQ(iterates.stride(), 128);  // 560 iterates, five of them kept
  EXPECT_EQ(iterates.series(7).col(0), (Vector(5) << 0, 128, 256, 384, 512).finished());
}

// With K = 2^19 and two chains, 64 blocks would take a gigabyte: there are 32 at the most, and the
// parts are still of one length and hold the last iterates.
TEST(Iterates, KeepsFewerBlocksWhereTheyAreLarge) {
  Iterates iterates(2, Index{1} << 19, 1);
  for (int w = 0; w < 48; ++w) {
    for (Index j = 0; j < 2; ++j) iterates.window(j).setConstant(w);
    iterates.close_window(1);
  }
  const std::vector<Block> parts = iterates.parts(16);
  ASSERT_EQ(parts.size(), 32u);
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(parts[i].count, 2);
    EXPECT_EQ(parts[i].mean(3), 16.5 + 2 * static_cast<double>(i));
  }
  EXPECT_EQ(iterates.average()(3), 23.5);
}

TEST(Iterates, QuartersNeverReachBeforeHalfOfTheRun) {
  Feeder f;
  for (Index windows = 1; windows < 300; ++windows) {
    f.feed(1);
    const auto quarters = f.iterates.quarters();
    if (windows < 2) {
      EXPECT_TRUE(quarters.empty());
      continue;
    }
    ASSERT_EQ(quarters.size(), 2u * kChains);
    const Index covered = quarters[0].count + quarters[1].count;
    const Index run = windows * kWindow;
    if (windows >= 4) {
      EXPECT_LE(2 * covered, run + 8 * kWindow);
      EXPECT_GE(4 * covered, run);
    }
    const Matrix& chain = f.all[1];
    EXPECT_TRUE(
        quarters[3].mean.isApprox(chain.rightCols(quarters[3].count).rowwise().mean(), 1e-13));
  }
}

// Bit for bit, also after a window that was begun and forgotten, for an odd number of iterates, and
// with a record of them that is thinned: with K = 2^14 and one chain it has 128 iterates.
TEST(Iterates, AddingUpOnTheWayChangesNothing) {
  constexpr Index kLong = 101, kMany = Index{1} << 14;
  Iterates at_the_end(1, kMany, kLong), on_the_way(1, kMany, kLong);
  at_the_end.start_keeping();
  on_the_way.start_keeping();
  for (const Index n : {Index{1}, Index{2}, Index{50}, kLong, kLong}) {
    on_the_way.window(0).setConstant(3);
    on_the_way.begin_window(n);
    on_the_way.add_up(0, std::min<Index>(n, 40));
    on_the_way.forget_window();
    EXPECT_LE(on_the_way.kept(), at_the_end.kept());  // fewer where room was made for it

    RandomStream(9, Purpose::test, 0, static_cast<std::uint32_t>(n))
        .fill_normal(at_the_end.window(0));
    on_the_way.window(0) = at_the_end.window(0);
    at_the_end.close_window(n);
    on_the_way.begin_window(n);
    for (Index done = 8; done < n; done += 8) on_the_way.add_up(0, done);
    on_the_way.close_window(n);
    EXPECT_EQ(at_the_end.average(), on_the_way.average());
    EXPECT_EQ(at_the_end.variances(), on_the_way.variances());
    for (std::size_t half = 0; half < at_the_end.last_halves().size(); ++half) {
      EXPECT_EQ(at_the_end.last_halves()[half].mean, on_the_way.last_halves()[half].mean);
      EXPECT_EQ(at_the_end.last_halves()[half].squares, on_the_way.last_halves()[half].squares);
    }
    EXPECT_EQ(at_the_end.stride(), on_the_way.stride());
    EXPECT_EQ(at_the_end.series(kMany - 1), on_the_way.series(kMany - 1));
  }
  EXPECT_EQ(on_the_way.stride(), 2);
}

TEST(Iterates, SeriesOfNeighborsAreThoseOfEach) {
  Feeder f;
  f.iterates.start_keeping();
  f.feed(3);
  std::vector<Matrix> series(2);
  f.iterates.series(1, series);
  EXPECT_EQ(series[0], f.iterates.series(1));
  EXPECT_EQ(series[1], f.iterates.series(2));
  EXPECT_EQ(series[1].col(1), f.all[1].row(2).transpose());
}

TEST(Iterates, ForgettingTheFirstHalfKeepsWhatTheQuartersCover) {
  Feeder f;
  f.iterates.start_keeping();
  f.feed(41);
  const Index left = f.iterates.forget_first_half();
  EXPECT_EQ(left, 200);
  EXPECT_EQ(f.iterates.kept(), 200);
  EXPECT_LT((f.iterates.average() - f.average_since(410 - 200)).cwiseAbs().maxCoeff(), kTolerance);
  EXPECT_EQ(f.iterates.series(2).col(0), f.all[0].row(2).tail(200).transpose());
}

// Blocks of a window of 10, that lie within the first 35 iterates: three.
TEST(Iterates, ForgetsBlocksThatLieWithinTheFirst) {
  Feeder f;
  f.iterates.start_keeping();
  f.feed(6);
  EXPECT_EQ(f.iterates.forget_first(35), 30);
  EXPECT_EQ(f.iterates.kept(), 30);
  EXPECT_LT((f.iterates.average() - f.average_since(30)).cwiseAbs().maxCoeff(), kTolerance);
  EXPECT_EQ(f.iterates.forget_first(-5), 30);
  EXPECT_EQ(f.iterates.series(2).col(0), f.all[0].row(2).tail(30).transpose());
}

TEST(Iterates, LastWindowIsTheAverageWhenNothingCameAfterT0) {
  Feeder f;
  EXPECT_EQ(f.iterates.last_window_average(0).size(), 0);
  f.feed(3);
  f.iterates.start_keeping();
  EXPECT_LT((f.iterates.average() - f.average_since(20)).cwiseAbs().maxCoeff(), kTolerance);
}

}  // namespace
}  // namespace ravi
