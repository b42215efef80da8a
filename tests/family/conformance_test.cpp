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
  q->forward(normals(kDraws, 1), theta);
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
  q->forward(z, theta);
  q->inverse(theta, back);
  EXPECT_TRUE(back.isApprox(z, 1e-12));
}

// log N(theta; m, S) from the stated moments, by a route of its own.
TEST_P(EveryFamily, LogDensityIsThatOfTheStatedGaussian) {
  const auto q = member(3);
  const Matrix z = normals(10, 3);
  Matrix theta(kP, 10);
  q->forward(z, theta);
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
  q->forward(z, theta);
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
    r->forward(z, theta);
    double sum = 0;
    for (Index s = 0; s < 6; ++s) sum += target.log_density(theta.col(s));
    return sum / 6 + r->entropy();
  };
  const Vector expected = central_differences(lambda, objective);
  q->forward(z, theta);
  const Matrix g = -target.precision * (theta.colwise() - target.m);
  Vector gradient(q->size());
  q->elbo_gradient(z, g, gradient);
  EXPECT_LT((gradient - expected).cwiseAbs().maxCoeff(), 1e-6);
}

// The same where draws are made by the symmetric root, and they are of the same distribution.
TEST_P(EveryFamily, DrawnByTheSymmetricRootIsTheSameDistribution) {
  const Target target;
  const auto plain = member(7), q = plain->by_symmetric_root();
  const Vector lambda = arbitrary_lambda(*plain, 7);
  EXPECT_EQ(q->lambda(), plain->lambda());
  const Matrix unit = Matrix::Identity(kP, kP);
  Matrix root(kP, kP), theta(kP, 6), back(kP, 6);
  q->forward(unit, root);
  root.colwise() -= q->mean();
  EXPECT_TRUE(root.isApprox(root.transpose(), 1e-12));
  EXPECT_TRUE((root * root).isApprox(plain->cov(), 1e-10));

  const Matrix z = normals(6, 7);
  const auto objective = [&](const Vector& at) {
    auto r = q->clone();
    r->assign(at);
    r->forward(z, theta);
    double sum = 0;
    for (Index s = 0; s < 6; ++s) sum += target.log_density(theta.col(s));
    return sum / 6 + r->entropy();
  };
  const Vector expected = central_differences(lambda, objective);
  q->forward(z, theta);
  q->inverse(theta, back);
  EXPECT_TRUE(back.isApprox(z, 1e-10));
  EXPECT_TRUE(plain->log_density(theta).isApprox(q->log_density_at(z), 1e-10));
  Vector gradient(q->size());
  q->elbo_gradient(z, -target.precision * (theta.colwise() - target.m), gradient);
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
    q->forward(z, theta);
    q->elbo_gradient(z, -target.precision * (theta.colwise() - target.m), gradient);
    gradients.col(r) = gradient;
  }
  for (Index k = 0; k < q->size(); ++k) {
    const Vector x = gradients.row(k);
    EXPECT_NEAR(x.mean(), expected(k), kSigmas * standard_error(x) + 1e-6) << "component " << k;
  }
}

// The score in z is the gradient of log p(T(z)) + log |det dT / dz|: by differences along z.
TEST_P(EveryFamily, PullsGradientsBack) {
  const Target target;
  for (const auto& q : {member(9), member(9)->averageable()}) {
    const Matrix z = normals(3, 9);
    Matrix theta(kP, 3);
    q->forward(z, theta);
    Matrix gradient = -target.precision * (theta.colwise() - target.m);
    q->pull_back(z, gradient);
    for (Index s = 0; s < z.cols(); ++s) {
      const Vector expected = central_differences(z.col(s), [&](const Vector& at) {
        Matrix one(kP, 1);
        q->forward(at, one);
        return target.log_density(one) + q->log_det(at)(0);
      });
      EXPECT_LT((gradient.col(s) - expected).cwiseAbs().maxCoeff(), 1e-6);
    }
  }
}

// The determinant of dT / dz, by differences.
TEST_P(EveryFamily, KnowsTheDeterminantOfItsMap) {
  const auto q = member(10);
  const Vector z = normals(1, 10);
  Matrix jacobian(kP, kP), theta(kP, 1);
  for (Index i = 0; i < kP; ++i) {
    jacobian.row(i) = central_differences(z, [&](const Vector& at) {
      q->forward(at, theta);
      return theta(i, 0);
    });
  }
  EXPECT_NEAR(q->log_det(z)(0), std::log(std::abs(jacobian.determinant())), 1e-6);
}

TEST_P(EveryFamily, IsMadeOfItsLambda) {
  for (const auto& q : {member(11), member(11)->averageable()}) {
    EXPECT_NEAR(q->member(q->lambda())->kl(*q), 0, 1e-12);
  }
  const auto q = member(11);
  EXPECT_LT((q->lambda() - arbitrary_lambda(*q, 11)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_P(EveryFamily, MovesAndWidensAsAWhole) {
  const auto q = member(12);
  const Vector to = Vector::LinSpaced(kP, 3, -3);
  q->center_at(to);
  EXPECT_LT((q->center() - to).cwiseAbs().maxCoeff(), 1e-12);
  const double before = q->log_det(Matrix::Zero(kP, 1))(0);
  q->widen(0.5);
  EXPECT_LT((q->center() - to).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(q->log_det(Matrix::Zero(kP, 1))(0), before + static_cast<double>(kP) * std::log(0.5),
              1e-12);
}

// Where the score has neither a mean nor a slope there is nowhere to go, and where the member is
// one of the target's own a step away, it is arrived at.
TEST_P(EveryFamily, StaysWhereTheScoreVanishesAndFollowsItElsewhere) {
  const auto q = member(13);
  const ScoreFit nothing{Vector::Zero(kP), Matrix::Zero(kP, kP), 0};
  auto same = q->clone();
  EXPECT_FALSE(same->step(nothing, {}));
  EXPECT_NEAR(same->kl(*q), 0, 1e-12);
  EXPECT_NEAR(q->distance(nothing), 0, 1e-12);
  const ScoreFit up{Vector::Constant(kP, 0.1), Matrix::Zero(kP, kP), 0};
  auto moved = q->clone();
  moved->step(up, {});
  Matrix z(kP, 1);
  q->inverse(moved->center(), z);
  EXPECT_TRUE(z.isApprox(Vector::Constant(kP, 0.1), 1e-9));
  EXPECT_GT(q->distance(up), 0);
}

// f(lambda) = g' lambda, so that d f / d u is known by differences along each u_k. With theta up to
// 10 and steps of 1e-5 these are good to 1e-8.
TEST_P(EveryFamily, GradientInUnitsOfQIsThatOfTheMove) {
  for (const auto& q : {member(14), member(15)}) {
    const Vector lambda = q->lambda(), g = arbitrary_lambda(*q, 16);
    for (const double reach : {0.0, 2.0}) {
      Vector gradient = g;
      q->to_units(reach, gradient);
      const double h = 1e-5;
      for (Index k = 0; k < lambda.size(); ++k) {
        Vector up = lambda, down = lambda;
        q->move(reach, h * Vector::Unit(lambda.size(), k), up);
        q->move(reach, -h * Vector::Unit(lambda.size(), k), down);
        EXPECT_NEAR(gradient(k), g.dot(up - down) / (2 * h), 1e-7) << k << " " << reach;
      }
    }
  }
}

TEST_P(EveryFamily, AverageableMembersAreTheSame) {
  const auto q = member(1), same = q->averageable();
  EXPECT_EQ(same->size(), q->size());
  EXPECT_NEAR((same->cov() - q->cov()).norm(), 0, 1e-12);
  EXPECT_NEAR(same->log_det(Matrix::Zero(kP, 1))(0), q->log_det(Matrix::Zero(kP, 1))(0), 1e-12);
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

// Two q that differ by an affine map of theta, and the same u: the moved q differ by the same map.
TEST(LocatedNormals, MoveTheSameWhateverTheUnitsOfTheta) {
  for (const FamilyEntry& entry : family_registry()) {
    const auto a = entry.make(3), b = entry.make(3);
    if (!a->linear()) continue;
    RandomStream random(2, Purpose::test, 0, 0);
    Vector lambda_a(a->size()), u(a->size());
    random.fill_normal(lambda_a);
    random.fill_normal(u);
    a->assign(lambda_a);
    const Vector shift{{5, -7, 1e3}}, scale{{1e-3, 1, 1e4}};
    Vector lambda_b =
        b->lambda_of(scale.cwiseProduct(a->mean()) + shift, scale.asDiagonal() * a->scale());
    b->assign(lambda_b);
    a->move(0, u, lambda_a);
    b->move(0, u, lambda_b);
    a->assign(lambda_a);
    b->assign(lambda_b);
    const Vector mean = scale.cwiseProduct(a->mean()) + shift;
    EXPECT_LT((b->mean() - mean).cwiseQuotient(scale).norm(), 1e-9) << entry.name;
    const Matrix l = scale.asDiagonal() * a->scale();
    EXPECT_LT((b->scale() - l).norm(), 1e-12 * l.norm()) << entry.name;
  }
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
