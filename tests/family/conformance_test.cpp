// Every family must be what it says: its density, entropy, moments, divergence and gradient.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <set>

#include "core/numeric.hpp"
#include "core/rng.hpp"
#include "family/approximation.hpp"
#include "registry_names.hpp"

namespace ravi {
namespace {

constexpr Index kP = 4;
constexpr Index kDraws = 200000;
// Five standard errors: a chance of 6e-7 per comparison under the claim.
constexpr double kSigmas = 5;

double standard_error(const Vector& x) {
  return std::sqrt(variance(x) / static_cast<double>(x.size()));
}

class EveryFamily : public testing::TestWithParam<FamilyEntry> {
 protected:
  // An arbitrary member: lambda ~ N(0, 0.5^2) in every component.
  std::unique_ptr<Approximation> member(std::uint32_t which) const {
    auto q = GetParam().make(kP);
    q->assign(arbitrary_lambda(*q, which));
    return q;
  }
  static Vector arbitrary_lambda(const Approximation& q, std::uint32_t which) {
    Vector lambda(q.size());
    RandomStream(5, Purpose::test, 0, which).fill_normal(lambda);
    return 0.5 * lambda;
  }
  static Matrix normals(Index n, std::uint32_t which) {
    Matrix z(kP, n);
    RandomStream(5, Purpose::test, 1, which).fill_normal(z);
    return z;
  }
};

TEST_P(EveryFamily, DrawsHaveTheStatedMeanAndCovariance) {
  const auto q = member(1);
  Matrix theta(kP, kDraws);
  q->transform(normals(kDraws, 1), theta);
  const Matrix cov = q->cov();
  for (Index i = 0; i < kP; ++i) {
    const Vector x = theta.row(i);
    EXPECT_NEAR(x.mean(), q->mean()(i), kSigmas * standard_error(x));
    EXPECT_NEAR(q->sd()(i), std::sqrt(cov(i, i)), 1e-12);
    for (Index j = 0; j <= i; ++j) {
      const Vector product =
          (theta.row(i).array() - q->mean()(i)) * (theta.row(j).array() - q->mean()(j));
      EXPECT_NEAR(product.mean(), cov(i, j), kSigmas * standard_error(product));
    }
  }
}

TEST_P(EveryFamily, WhiteningUndoesTheTransform) {
  const auto q = member(2);
  const Matrix z = normals(20, 2);
  Matrix theta(kP, 20), back(kP, 20);
  q->transform(z, theta);
  q->whiten(theta, back);
  EXPECT_TRUE(back.isApprox(z, 1e-12));
}

// log N(theta; m, S) from the stated moments, by a route of its own.
TEST_P(EveryFamily, LogDensityIsThatOfTheStatedGaussian) {
  const auto q = member(3);
  const Matrix z = normals(10, 3);
  Matrix theta(kP, 10);
  q->transform(z, theta);
  const Matrix cov = q->cov();
  const Eigen::LDLT<Matrix> ldlt(cov);
  for (Index s = 0; s < 10; ++s) {
    const Vector d = theta.col(s) - q->mean();
    const double expected = -0.5 * (d.dot(ldlt.solve(d)) + std::log(cov.determinant()) +
                                    static_cast<double>(kP) * kLog2Pi);
    EXPECT_NEAR(q->log_density(theta)(s), expected, 1e-10);
    EXPECT_NEAR(q->log_density_at(z)(s), expected, 1e-10);
  }
}

TEST_P(EveryFamily, EntropyIsTheMeanOfMinusLogDensity) {
  const auto q = member(4);
  const Vector log_q = q->log_density_at(normals(kDraws, 4));
  EXPECT_NEAR(-log_q.mean(), q->entropy(), kSigmas * standard_error(log_q));
}

TEST_P(EveryFamily, DivergenceIsTheMeanLogRatio) {
  const auto q = member(5), r = member(6);
  const Matrix z = normals(kDraws, 5);
  Matrix theta(kP, kDraws);
  q->transform(z, theta);
  const Vector log_ratio = q->log_density_at(z) - r->log_density(theta);
  EXPECT_NEAR(log_ratio.mean(), q->kl(*r), kSigmas * standard_error(log_ratio));
  EXPECT_NEAR(q->kl(*r), gaussian_kl(q->mean(), q->cov(), r->mean(), r->cov()), 1e-10);
  EXPECT_NEAR(q->kl(*q), 0, 1e-12);
  EXPECT_GT(q->kl(*r), 0);
}

TEST_P(EveryFamily, IsotropicMemberHasTheMeanAndScaleAskedFor) {
  auto q = GetParam().make(kP);
  const Vector mean = Vector::LinSpaced(kP, -1, 2);
  q->assign(q->isotropic(mean, 0.3));
  EXPECT_TRUE(q->mean().isApprox(mean));
  EXPECT_TRUE(q->cov().isApprox(0.09 * Matrix::Identity(kP, kP), 1e-12));
}

TEST_P(EveryFamily, ComponentsHaveDifferentNames) {
  const auto q = GetParam().make(kP);
  std::set<std::string> names;
  for (Index k = 0; k < q->size(); ++k) names.insert(q->component_name(k, {"a", "b", "c", "d"}));
  EXPECT_EQ(static_cast<Index>(names.size()), q->size());
  EXPECT_EQ(GetParam().size(kP), q->size());
}

// The target N(m, S): its ELBO is known in closed form.
struct Target {
  Vector m = Vector::LinSpaced(kP, 0.5, -0.5);
  Matrix precision;
  Target() {
    Matrix cov(kP, kP);
    for (Index i = 0; i < kP; ++i) {
      for (Index j = 0; j < kP; ++j) cov(i, j) = std::pow(0.6, std::abs(i - j));
    }
    precision = cov.inverse();
  }
  double log_density(const Vector& theta) const {
    const Vector d = theta - m;
    return -0.5 * d.dot(precision * d);
  }
  double elbo(const Approximation& q) const {
    const Vector d = q.mean() - m;
    return -0.5 * ((precision * q.cov()).trace() + d.dot(precision * d)) + q.entropy();
  }
};

template <typename F>
Vector central_differences(const Vector& at, F f) {
  // Truncation h^2 |f'''| / 6 and rounding 1e-16 |f| / h are both below 1e-8 here.
  const double h = 1e-5;
  Vector slope(at.size());
  for (Index k = 0; k < at.size(); ++k) {
    Vector up = at, down = at;
    up(k) += h;
    down(k) -= h;
    slope(k) = (f(up) - f(down)) / (2 * h);
  }
  return slope;
}

// For fixed z the estimator is the exact gradient of mean_s log p(mu + L z_s) + H[q].
TEST_P(EveryFamily, GradientIsThatOfTheSampledObjective) {
  const Target target;
  auto q = member(7);
  const Vector lambda = arbitrary_lambda(*q, 7);
  const Matrix z = normals(6, 7);
  Matrix theta(kP, 6);
  const auto objective = [&](const Vector& at) {
    auto r = q->clone();
    r->assign(at);
    r->transform(z, theta);
    double sum = 0;
    for (Index s = 0; s < 6; ++s) sum += target.log_density(theta.col(s));
    return sum / 6 + r->entropy();
  };
  const Vector expected = central_differences(lambda, objective);
  q->transform(z, theta);
  const Matrix g = -target.precision * (theta.colwise() - target.m);
  Vector gradient(q->size());
  q->elbo_gradient(z, g, gradient);
  EXPECT_LT((gradient - expected).cwiseAbs().maxCoeff(), 1e-6);
}

// ... and its mean over z is the gradient of the ELBO itself.
TEST_P(EveryFamily, GradientIsUnbiased) {
  const Target target;
  auto q = member(8);
  const Vector expected = central_differences(arbitrary_lambda(*q, 8), [&](const Vector& at) {
    auto r = q->clone();
    r->assign(at);
    return target.elbo(*r);
  });
  const Index repeats = 20000, draws = 10;
  Matrix gradients(q->size(), repeats), theta(kP, draws);
  Vector gradient(q->size());
  for (Index r = 0; r < repeats; ++r) {
    const Matrix z = normals(draws, static_cast<std::uint32_t>(100 + r));
    q->transform(z, theta);
    q->elbo_gradient(z, -target.precision * (theta.colwise() - target.m), gradient);
    gradients.col(r) = gradient;
  }
  for (Index k = 0; k < q->size(); ++k) {
    const Vector x = gradients.row(k);
    EXPECT_NEAR(x.mean(), expected(k), kSigmas * standard_error(x) + 1e-6) << "component " << k;
  }
}

TEST_P(EveryFamily, AverageableMembersAreTheSame) {
  const auto q = member(1), same = q->averageable();
  EXPECT_EQ(same->size(), q->size());
  EXPECT_NEAR((same->cov() - q->cov()).norm(), 0, 1e-12);
  EXPECT_NEAR(same->log_determinant(), q->log_determinant(), 1e-12);
  auto back = same->clone();
  back->assign(same->lambda_of(same->mean(), same->scale()));
  EXPECT_NEAR(back->kl(*same), 0, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryFamily,
                         testing::ValuesIn(family_registry().begin(), family_registry().end()),
                         EntryName());

// The K column of the paper's table 1.
TEST(FullRank, CountsItsParametersAsThePaperDoes) {
  const auto& full_rank = family_registry()[1];
  ASSERT_EQ(full_rank.name, "full-rank");
  const std::pair<Index, Index> table[] = {{13, 104}, {11, 77}, {8, 44}, {10, 65}, {89, 4094}};
  for (const auto& [p, k] : table) EXPECT_EQ(full_rank.make(p)->size(), k);
}

// Two members near a q whose coordinates nearly cancel: an sd of 1000, and one of 1 for the sum of
// both. Seen from q they differ by 0.3 in the logarithm of the first scale alone, so that their
// average, whatever the coordinates, differs from q by a hundredth: cosh(0.3) = 1.045.
TEST(FullRank, AveragesOfAverageableMembersFollowLinearChanges) {
  const auto prototype = family_registry()[1].make(2)->averageable();
  Matrix l{{1000, 0}, {-1000, 1}};
  const auto with_first_scale = [&](double factor) {
    Matrix changed = l;
    changed.col(0) *= factor;
    return prototype->lambda_of(Vector::Zero(2), changed);
  };
  auto average = prototype->clone(), expected = prototype->clone();
  average->assign(0.5 * (with_first_scale(std::exp(0.3)) + with_first_scale(std::exp(-0.3))));
  expected->assign(with_first_scale(std::cosh(0.3)));
  EXPECT_NEAR(average->kl(*expected), 0, 1e-9);
  EXPECT_EQ(prototype->component_name(2, {"a", "b"}), "L[a,a]");
}

TEST(GaussianKl, IsInfiniteWithoutACovariance) {
  const Matrix good = Matrix::Identity(2, 2), bad = -good;
  const Vector zero = Vector::Zero(2);
  EXPECT_EQ(gaussian_kl(zero, good, zero, bad), std::numeric_limits<double>::infinity());
  EXPECT_EQ(gaussian_kl(zero, bad, zero, good), std::numeric_limits<double>::infinity());
  EXPECT_NEAR(gaussian_kl(zero, good, Vector::Ones(2), good), 1, 1e-14);
}

}  // namespace
}  // namespace ravi
