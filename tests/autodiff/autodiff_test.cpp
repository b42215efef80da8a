// Models differentiated by Stan Math against the same models differentiated by hand.
#include "ravi/autodiff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <thread>

#include "core/rng.hpp"
#include "evaluation.hpp"
#include "model/registry.hpp"
#include "ravi/fit.hpp"

// For the address sanitizer: TBB keeps 40 bytes for the observer that Stan Math registers for good.
extern "C" const char* __lsan_default_suppressions() { return "leak:tbb::detail::r1::observe"; }

namespace ravi {
namespace {

using stan::math::normal_lpdf, stan::math::var;
using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty;

template <typename T>
using VectorOf = Eigen::Matrix<T, Eigen::Dynamic, 1>;

bool same_bits(const Matrix& a, const Matrix& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

// Both sides sum some tens of terms of the gradient's size or smaller, so they differ by some tens
// of roundings of 2e-16; 1e-10 leaves room for cancellation of five digits among the terms.
void expect_equal_at_random_points(const Model& model, const Model& by_hand) {
  ASSERT_EQ(model.dimension(), by_hand.dimension());
  const Matrix points = random_points(model.dimension(), 50);
  const Values ours = evaluate(model, points), theirs = evaluate(by_hand, points);
  for (Index s = 0; s < points.cols(); ++s) {
    EXPECT_NEAR(ours.log_density(s), theirs.log_density(s),
                1e-10 * std::abs(theirs.log_density(s)));
    EXPECT_LE((ours.gradient.col(s) - theirs.gradient.col(s)).norm(),
              1e-10 * theirs.gradient.col(s).norm());
  }
}

// theta_j = mu + tau theta_tilde_j or, centered, theta_j itself; the Jacobian of tau = exp(u) is u.
struct EightSchools {
  bool centered;
  Vector y{{28, 8, -3, 7, -1, 1, 18, 12}};
  Vector sigma{{15, 10, 16, 11, 9, 11, 10, 18}};

  template <typename T>
  T operator()(const VectorOf<T>& at) const {
    const T mu = at(0), u = at(1), tau = exp(u);
    const VectorOf<T> free = at.tail(8);
    VectorOf<T> theta = free;
    if (!centered) theta = stan::math::add(stan::math::multiply(tau, free), mu);
    const T prior = centered ? normal_lpdf(free, mu, tau) : normal_lpdf(free, 0, 1);
    return normal_lpdf(y, theta, sigma) + prior + normal_lpdf(mu, 0, 5) +
           stan::math::cauchy_lpdf(tau, 0, 5) + std::log(2.0) + u;
  }
};

TEST(AutodiffModel, EightSchoolsCenteredEqualsTheBuiltIn) {
  expect_equal_at_random_points(*autodiff_model(10, EightSchools{true}),
                                *make_builtin("eight-schools-centered", nullptr));
}

TEST(AutodiffModel, EightSchoolsNoncenteredEqualsTheBuiltIn) {
  expect_equal_at_random_points(*autodiff_model(10, EightSchools{false}),
                                *make_builtin("eight-schools-noncentered", nullptr));
}

TEST(AutodiffModel, LinearRegressionEqualsTheBuiltIn) {
  const Data data = read_data(RAVI_TEST_DATA "/models/linear_boston.stan.json");
  const Index n = data.integer("N", 1), p = data.integer("P", 1);
  const Matrix x = data.matrix("X", n, p);
  const Vector y = data.vector("y", n);
  const double sigma = data.number("sigma");
  const auto model = autodiff_model(p, [&](const auto& beta) {
    return normal_lpdf(y, stan::math::multiply(x, beta), sigma) + normal_lpdf(beta, 0, 1);
  });
  expect_equal_at_random_points(*model, *make_builtin("linear-regression", &data));
}

TEST(AutodiffModel, ADensityOfDoublesIsTheSameFunction) {
  const EightSchools density{false};
  const Vector point = random_points(10, 1);
  // Some tens of roundings, 2e-16 each, of a value near 40.
  EXPECT_NEAR(density(point), evaluate(*autodiff_model(10, density), point).log_density(0), 1e-12);
}

TEST(AutodiffLogDensity, RefusesWhatCannotBeDifferentiated) {
  const auto generic = [](const auto& theta) { return stan::math::sum(theta); };
  const auto of_doubles = [](const Vector& theta) { return theta.sum(); };
  const auto gradient_lost = [](const AutodiffVector& theta) { return theta(0).val(); };
  const auto needs_more = [](const auto& theta, int) { return stan::math::sum(theta); };
  EXPECT_TRUE(AutodiffLogDensity<decltype(generic)>);
  EXPECT_FALSE(AutodiffLogDensity<decltype(of_doubles)>);
  EXPECT_FALSE(AutodiffLogDensity<decltype(gradient_lost)>);
  EXPECT_FALSE(AutodiffLogDensity<decltype(needs_more)>);
}

TEST(AutodiffModel, NamesAreTheGivenOnesOrCounted) {
  const auto f = [](const auto& theta) { return normal_lpdf(theta, 0, 1); };
  EXPECT_THAT(autodiff_model(2, f)->unconstrained_names(), ElementsAre("theta[1]", "theta[2]"));
  EXPECT_THAT(autodiff_model(2, f, {"a", "b"})->unconstrained_names(), ElementsAre("a", "b"));
  EXPECT_THAT(autodiff_model(2, f, {"a", "b"})->parameter_names(), ElementsAre("a", "b"));
  EXPECT_THROW(autodiff_model(2, f, {"a"}), UsageError);
}

// A scale that is not positive makes Stan Math throw std::domain_error.
std::unique_ptr<Model> scale_must_be_positive() {
  return autodiff_model(2, [](const auto& theta) { return normal_lpdf(theta(0), 0, theta(1)); });
}

TEST(FailedDraws, AreNotANumberAndLeaveTheOthersAlone) {
  const auto model = scale_must_be_positive();
  const Matrix points{{0.3, -1.0, 2.0, 0.5}, {1.5, -0.5, 0.7, -2.0}};
  const Values batch = evaluate(*model, points);
  for (const Index s : {1, 3}) EXPECT_TRUE(std::isnan(batch.log_density(s)));
  for (const Index s : {0, 2}) {
    const Values one = evaluate(*model, points.col(s));
    ASSERT_TRUE(std::isfinite(one.log_density(0)));
    EXPECT_EQ(batch.log_density(s), one.log_density(0));
    EXPECT_TRUE(same_bits(batch.gradient.col(s), one.gradient));
  }
}

TEST(FailedDraws, SayWhy) {
  const auto model = scale_must_be_positive();
  EXPECT_THAT(model->why_not_computable(Vector{{0.3, -0.5}}),
              HasSubstr("normal_lpdf: Scale parameter is -0.5"));
  EXPECT_THAT(model->why_not_computable(Vector{{0.3, 0.5}}), IsEmpty());
}

TEST(FailedDraws, ComeFromEveryStandardException) {
  const auto model = autodiff_model(1, [](const auto& theta) {
    if (theta(0) > 1) throw std::runtime_error("too large");
    if (theta(0) < -1) throw std::bad_alloc();
    return normal_lpdf(theta, 0, 1);
  });
  const Values v = evaluate(*model, Matrix{{0, 2, -2}});
  EXPECT_TRUE(std::isfinite(v.log_density(0)));
  EXPECT_TRUE(std::isnan(v.log_density(1)));
  EXPECT_TRUE(std::isnan(v.log_density(2)));
  EXPECT_EQ(model->why_not_computable(Vector{{2.0}}), "too large");
}

TEST(FailedDraws, MinusInfinityStaysWhatItIs) {
  const auto model = autodiff_model(1, [](const auto& theta) { return log(theta(0)) - theta(0); });
  EXPECT_EQ(evaluate(*model, Matrix{{0}}).log_density(0), -std::numeric_limits<double>::infinity());
  EXPECT_THAT(model->why_not_computable(Vector{{0.0}}), IsEmpty());
}

// Sizes of what the stack of this thread holds.
std::vector<std::size_t> stack_sizes() {
  const auto* stack = stan::math::ChainableStack::instance_;
  return {stack->var_stack_.size(), stack->var_nochain_stack_.size(),
          stack->var_alloc_stack_.size(), stack->nested_var_stack_sizes_.size()};
}

TEST(AutodiffStack, IsLeftAsItWasFound) {
  const var outer = 3.0;
  const var square = outer * outer;
  const auto before = stack_sizes();
  // Throws inside a level of its own, which it does not close, after a product of matrices.
  const auto model = autodiff_model(2, [](const auto& theta) {
    stan::math::start_nested();
    const auto product = stan::math::dot_self(theta);
    if (theta(0) > 0) throw std::domain_error("positive");
    const double value = product.val();  // of which nothing is left afterwards
    stan::math::recover_memory_nested();
    return normal_lpdf(theta, 0, 1) + 0 * value;
  });
  const std::size_t bytes_before =
      stan::math::ChainableStack::instance_->memalloc_.bytes_allocated();
  for (int i = 0; i < 20000; ++i) evaluate(*model, Matrix{{1, -1}, {2, 2}});
  EXPECT_EQ(stack_sizes(), before);
  // 20 000 rounds of at least 8 variables of 24 bytes would be 3.8 MB; one round fits many times in
  // the first block of 64 KB.
  EXPECT_EQ(stan::math::ChainableStack::instance_->memalloc_.bytes_allocated(), bytes_before);
  square.vi_->init_dependent();
  square.vi_->chain();
  EXPECT_EQ(outer.adj(), 6);
}

TEST(AutodiffStack, IsMadeAgainAfterItsOwnerIsGone) {
  const auto model = autodiff_model(10, EightSchools{false});
  const Matrix points = random_points(10, 3);
  const Values expected = evaluate(*model, points);
  std::thread([&] {
    {
      const stan::math::ChainableStack short_lived;
      EXPECT_TRUE(same_bits(evaluate(*model, points).gradient, expected.gradient));
    }
    EXPECT_TRUE(same_bits(evaluate(*model, points).gradient, expected.gradient));
  }).join();
}

// A density that evaluates another model, as a thread of TBB may by taking up a second task.
TEST(AutodiffModel, CanBeCalledWhileItIsBeingCalled) {
  const auto inner = autodiff_model(10, EightSchools{false});
  const Matrix points = random_points(10, 2);
  const auto outer = autodiff_model(10, [&](const auto& theta) {
    const Values unrelated = evaluate(*inner, points);
    return EightSchools{false}(theta) + 0 * unrelated.log_density(0);
  });
  const Values plain = evaluate(*inner, points), nested = evaluate(*outer, points);
  EXPECT_TRUE(same_bits(nested.log_density, plain.log_density));
  EXPECT_TRUE(same_bits(nested.gradient, plain.gradient));
}

TEST(AutodiffModel, FourThreadsGiveTheBitsOfOne) {
  constexpr int kThreads = 4, kBatches = 2000;
  const auto model = autodiff_model(10, [](const auto& theta) {
    if (theta(0) > 1.5) throw std::domain_error("some draws fail on every thread");
    return EightSchools{true}(theta);
  });
  const auto points = [](int batch) {
    return random_points(10, 10, static_cast<std::uint32_t>(batch));
  };
  std::vector<Values> expected;
  int failed = 0;
  for (int b = 0; b < kBatches; ++b) {
    expected.push_back(evaluate(*model, points(b)));
    failed += static_cast<int>(expected.back().log_density.array().isNaN().count());
  }
  ASSERT_GT(failed, kBatches / 10);  // P(z > 1.5) = 0.067 of 10 draws each

  std::atomic<int> differences = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      // Each begins elsewhere, so that different batches run at the same time.
      for (int k = 0; k < kBatches; ++k) {
        const int b = (k + t * kBatches / kThreads) % kBatches;
        const Values v = evaluate(*model, points(b));
        const Values& e = expected[static_cast<std::size_t>(b)];
        if (!same_bits(v.log_density, e.log_density) || !same_bits(v.gradient, e.gradient)) {
          ++differences;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(differences, 0);
}

Options short_fit(int threads) {
  return {
      .method = "paper", .stop = "fixed", .max_iterations = 3000, .seed = 3, .threads = threads};
}

// A Gaussian with means 3 and -1 and precision matrix {1/3, -1/3; -1/3, 4/3}.
const Matrix kPrecision = Matrix{{1, -1}, {-1, 4}} / 3;
const Vector kMean{{3, -1}};

// The same random numbers meet gradients that differ by rounding at most, 2e-16. Each of the 3000
// steps of RMSprop passes differences on by a factor below one near the optimum of a Gaussian, so
// that they stay near 3000 * 2e-16; 1e-8 is far above that and far below the Monte Carlo error.
TEST(AutodiffFit, GivesTheAnswerOfTheHandWrittenGradient) {
  const auto by_hand = make_model(2, [](const Vector& theta, Vector& gradient) {
    gradient = kPrecision * (kMean - theta);
    return -0.5 * (theta - kMean).dot(kPrecision * (theta - kMean));
  });
  const auto model = autodiff_model(2, [](const auto& theta) {
    return -0.5 *
           stan::math::quad_form(Matrix(kPrecision), stan::math::subtract(theta, Vector(kMean)));
  });
  const Fit ours = fit(*model, short_fit(2)), theirs = fit(*by_hand, short_fit(2));
  ASSERT_TRUE(ours.average && theirs.average);
  EXPECT_EQ(ours.verdict, theirs.verdict);
  EXPECT_EQ(ours.failed_draws, 0);
  EXPECT_LE((ours.average->q.mean - theirs.average->q.mean).norm(), 1e-8);
  EXPECT_LE((ours.average->q.cov - theirs.average->q.cov).norm(), 1e-8);
}

TEST(AutodiffFit, IsTheSameToTheBitOnAnyNumberOfThreads) {
  const auto model = autodiff_model(10, EightSchools{false});
  const Fit one = fit(*model, short_fit(1)), four = fit(*model, short_fit(4));
  ASSERT_TRUE(one.last_iterate && four.last_iterate);
  EXPECT_TRUE(same_bits(one.last_iterate->q.mean, four.last_iterate->q.mean));
  EXPECT_TRUE(same_bits(one.last_iterate->q.cov, four.last_iterate->q.cov));
}

}  // namespace
}  // namespace ravi
