// The shape of a tail, told by the density: of distributions whose tails are known.
#include "scoring/tails.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "limits/limits.hpp"
#include "ravi/model.hpp"

namespace ravi {
namespace {

using LogDensity = std::function<double(const Vector&)>;
using Draw = std::function<Vector(std::mt19937_64&)>;

double normal(std::mt19937_64& random) { return std::normal_distribution<>()(random); }
double student_t(std::mt19937_64& random, double nu) {
  return std::student_t_distribution<>(nu)(random);
}

// The coordinates that are named here are reported as their exponentials.
class Known : public Model {
 public:
  Known(Index dimension, LogDensity density, std::vector<Index> exponentials = {})
      : dimension_(dimension),
        density_(std::move(density)),
        exponentials_(std::move(exponentials)) {}

  Index dimension() const override { return dimension_; }
  void evaluate(const ConstMatrixRef& theta, VectorRef value, MatrixRef gradient) const override {
    for (Index i = 0; i < theta.cols(); ++i) value(i) = density_(theta.col(i));
    gradient.setZero();  // tails do not ask for it
  }
  void constrain(const ConstMatrixRef& theta, MatrixRef quantities,
                 std::uint32_t /*seed*/) const override {
    quantities = theta;
    for (const Index k : exponentials_) quantities.row(k) = theta.row(k).array().exp();
  }

 private:
  Index dimension_;
  LogDensity density_;
  std::vector<Index> exponentials_;
};

std::vector<double> shapes_of(const Known& model, const Draw& draw) {
  constexpr Index kDraws = 4000;
  std::mt19937_64 random(7);
  WeightedDraws draws;
  draws.theta.resize(model.dimension(), kDraws);
  for (Index i = 0; i < kDraws; ++i) draws.theta.col(i) = draw(random);
  draws.quantities.resize(model.dimension(), kDraws);
  model.constrain(draws.theta, draws.quantities, 0);
  draws.log_density.resize(kDraws);
  model.log_density(draws.theta, draws.log_density);
  draws.log_weights = Vector::Constant(kDraws, -std::log(static_cast<double>(kDraws)));
  std::vector<Index> all;
  for (Index k = 0; k < model.dimension(); ++k) all.push_back(k);
  return tail_shapes(model, draws, all, 1);
}

// Between its 1 % quantile and 64 times as far out, the tail of a t with nu degrees of freedom has
// lost a little more than x^-nu, which makes the shape less than 1 / nu by a tenth at the most.
TEST(TailShapes, OfIndependentStudentsAreOneOverTheirDegrees) {
  for (const double nu : {1.0, 2.0, 2.5}) {
    const Known model(3, [=](const Vector& x) {
      return -0.5 * (nu + 1) * (1 + x.array().square() / nu).log().sum();
    });
    for (const double shape : shapes_of(model, [=](auto& random) {
           return Vector{{student_t(random, nu), student_t(random, nu), student_t(random, nu)}};
         })) {
      EXPECT_NEAR(shape, 1 / nu, 0.1 / nu) << nu;
    }
  }
}

TEST(TailShapes, OfAMultivariateStudentAreOneOverItsDegrees) {
  constexpr double kNu = 3;
  const Known model(
      20, [](const Vector& x) { return -0.5 * (kNu + 20) * std::log1p(x.squaredNorm() / kNu); });
  for (const double shape : shapes_of(model, [](auto& random) {
         const double scale = std::sqrt(kNu / std::chi_squared_distribution<>(kNu)(random));
         return Vector(Vector::NullaryExpr(20, [&](Index) { return scale * normal(random); }));
       })) {
    EXPECT_NEAR(shape, 1 / kNu, 0.15 / kNu);
  }
}

// exp(t) / (1 + exp(2 t)) is a half-Cauchy scale on the scale of its logarithm: no mean.
TEST(TailShapes, OfAScaleAreThoseOfTheReportedQuantity) {
  const auto density = [](const Vector& t) { return -std::log(2 * std::cosh(t(0))); };
  const Draw draw = [](auto& random) {
    return Vector{{std::log(std::abs(std::cauchy_distribution<>()(random)))}};
  };
  EXPECT_NEAR(shapes_of(Known(1, density, {0}), draw)[0], 1, 0.05);
  EXPECT_LT(shapes_of(Known(1, density), draw)[0], 0.35);  // the logarithm itself: exponential
}

// Mean and log sd of n observations: both tails are those of a t with n - 1 degrees, but neither
// coordinate goes there alone.
TEST(TailShapes, OfALocationAreThoseThatItsScaleMakes) {
  for (const double n : {3.0, 4.0}) {
    const auto density = [=](const Vector& theta) {
      return -n * theta(1) - 0.5 * std::exp(-2 * theta(1)) * (1 + n * theta(0) * theta(0));
    };
    const std::vector<double> shapes =
        shapes_of(Known(2, density, {1}), [=](std::mt19937_64& random) {
          const double log_sd = -0.5 * std::log(std::chi_squared_distribution<>(n - 1)(random));
          return Vector{{std::exp(log_sd) / std::sqrt(n) * normal(random), log_sd}};
        });
    EXPECT_NEAR(shapes[0], 1 / (n - 1), 0.15 / (n - 1)) << n;
    EXPECT_NEAR(shapes[1], 1 / (n - 1), 0.15 / (n - 1)) << n;
  }
}

// Half-Cauchy priors on a and b, of which data tell the ratio: along the ridge the mass beyond x
// falls like x^-2, and a variance does not exist. Alone each of them would fall like x^-1.
TEST(TailShapes, OfARidgeAreThoseAlongIt) {
  constexpr double kWidth = 0.1;
  const auto density = [](const Vector& t) {
    const double off = (t(0) - t(1)) / kWidth;
    return -std::log(2 * std::cosh(t(0))) - std::log(2 * std::cosh(t(1))) - 0.5 * off * off;
  };
  const std::vector<double> shapes =
      shapes_of(Known(2, density, {0, 1}), [](std::mt19937_64& random) {
        // Without the width: cosh^-2, a logistic distribution of twice the argument.
        const double u = std::uniform_real_distribution<>()(random);
        const double along = 0.5 * std::log(u / (1 - u)), off = kWidth * normal(random);
        return Vector{{along + 0.5 * off, along - 0.5 * off}};
      });
  EXPECT_NEAR(shapes[0], 0.5, 0.07);
  EXPECT_NEAR(shapes[1], 0.5, 0.07);
}

// Tails that fall so fast that no variance is doubtful are looked at no further than twice as far
// out, where that is seen.
TEST(TailShapes, OfWhatHasAllMomentsAreSmall) {
  const Known gaussian(2, [](const Vector& x) { return -0.5 * x.squaredNorm(); });
  const Draw normals = [](auto& random) { return Vector{{normal(random), normal(random)}}; };
  const Known laplace(2, [](const Vector& x) { return -x.cwiseAbs().sum(); });
  const Known log_normal(2, [](const Vector& x) { return -0.5 * x.squaredNorm(); }, {0});
  const Known student(2, [](const Vector& x) {
    return -3 * (1 + x.array().square() / 5).log().sum();  // 5 degrees of freedom
  });
  const double short_enough = limit(Limit::longest_tail) / 2;
  for (const double shape : shapes_of(gaussian, normals)) EXPECT_LT(shape, short_enough);
  for (const double shape : shapes_of(student, [](auto& random) {
         return Vector{{student_t(random, 5), student_t(random, 5)}};
       })) {
    EXPECT_LT(shape, short_enough);
  }
  for (const double shape : shapes_of(laplace, [](auto& random) {
         const auto one = [&] {
           const double x = std::exponential_distribution<>()(random);
           return normal(random) < 0 ? -x : x;
         };
         return Vector{{one(), one()}};
       })) {
    EXPECT_LT(shape, short_enough);
  }
  EXPECT_LT(shapes_of(log_normal, normals)[0], short_enough);
}

// A density that cannot be computed far out says nothing of a tail there.
TEST(TailShapes, WhereNothingCanBeComputedAreNone) {
  const Known model(1, [](const Vector& x) {
    return std::abs(x(0)) > 3 ? std::nan("") : -0.5 * x.squaredNorm();
  });
  const Draw draw = [](auto& random) {
    double x = normal(random);
    while (std::abs(x) > 3) x = normal(random);
    return Vector{{x}};
  };
  EXPECT_EQ(shapes_of(model, draw)[0], 0);
}

// Of N(0, I) the variance of log p is P / 2.
TEST(Draws, WhoseLogDensityVariesTooMuchAreOfNoPosterior) {
  std::mt19937_64 random(3);
  for (const double scale : {1.0, 10.0, 1000.0}) {
    WeightedDraws draws;
    draws.theta = Matrix::NullaryExpr(2, 1000, [&] { return scale * normal(random); });
    draws.log_density = -0.5 * draws.theta.colwise().squaredNorm();
    draws.log_weights = Vector::Constant(1000, -std::log(1000.0));
    EXPECT_EQ(beyond_any_posterior(draws), scale > 100);
    draws.log_weights(0) = -std::numeric_limits<double>::infinity();
    draws.log_density(0) = -std::numeric_limits<double>::infinity();  // without weight: not asked
    EXPECT_EQ(beyond_any_posterior(draws), scale > 100);
  }
}

TEST(Draws, InOnePlaceAreOfNoPosterior) {
  std::mt19937_64 random(3);
  for (const Index same : {100, 900}) {
    WeightedDraws draws;
    draws.theta = Matrix::NullaryExpr(2, 1000, [&] { return normal(random); });
    draws.theta.row(1).head(same).setZero();
    draws.log_density = Vector::Zero(1000);
    draws.log_weights = Vector::Constant(1000, -std::log(1000.0));
    EXPECT_EQ(beyond_any_posterior(draws), same > 500);
  }
}

}  // namespace
}  // namespace ravi
