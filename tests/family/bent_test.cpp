// A Gaussian that bends: its map, determinant, density and score, and what it represents exactly.
#include "family/bent.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>

#include "core/numeric.hpp"
#include "core/rng.hpp"

namespace ravi {
namespace {

Matrix normals_of_bent(Index rows, Index cols, std::uint32_t which) {
  Matrix z(rows, cols);
  RandomStream(11, Purpose::test, 0, which).fill_normal(z);
  return z;
}

// Two bumps in the first coordinate, on which the others lean.
GridDensity lumpy_grid(Index r) {
  std::vector<GridDensity::Axis> axes;
  Index points = 1;
  for (Index k = 0; k < r; ++k) {
    axes.push_back({.first = -4, .step = 0.25, .count = 33});
    points *= 33;
  }
  Vector log_density(points);
  for (Index i = 0; i < points; ++i) {
    Vector w(r);
    for (Index k = r, rest = i; k-- > 0; rest /= 33)
      w(k) = -4 + 0.25 * static_cast<double>(rest % 33);
    const double first = std::log(std::exp(-0.5 * std::pow((w(0) - 1) / 0.7, 2)) +
                                  0.5 * std::exp(-0.5 * std::pow((w(0) + 1.5) / 0.5, 2)));
    log_density(i) = first - 0.5 * (w.tail(r - 1).array() - 0.3 * w(0)).square().sum();
  }
  return {axes, log_density};
}

Bent arbitrary_bent(Index p, Index r) {
  const Index q = p - r;
  Bent::Frame frame{
      .mu = normals_of_bent(p, 1, 1), .a = normals_of_bent(p, p, 2), .a_inverse = {}, .drivers = r};
  frame.a += 3 * Matrix::Identity(p, p);
  frame.a_inverse = frame.a.inverse();
  frame.log_det = std::log(std::abs(frame.a.determinant()));
  DriverBasis basis(normals_of_bent(r, 200, 3));
  std::vector<Bent::Layer> layers;
  for (std::uint32_t l = 0; l < 2; ++l) {
    Bent::Layer layer{.k = Matrix::Identity(q, q) + 0.3 * normals_of_bent(q, q, 4 + l),
                      .k_inverse = {},
                      .log_scale = 0.2 * normals_of_bent(q, basis.size(), 6 + l),
                      .shift = 0.3 * normals_of_bent(q, basis.size(), 8 + l)};
    layer.k_inverse = layer.k.inverse();
    layer.log_det = std::log(std::abs(layer.k.determinant()));
    layers.push_back(layer);
  }
  return {frame, basis, layers, lumpy_grid(r)};
}

// Steps of 1e-6 leave 1e-10 of curvature and 1e-9 of rounding, where no kink is that near.
Vector slope_of(const Vector& at, const std::function<double(const Vector&)>& f) {
  Vector slope(at.size());
  for (Index k = 0; k < at.size(); ++k) {
    const Vector h = 1e-6 * Vector::Unit(at.size(), k);
    slope(k) = (f(at + h) - f(at - h)) / 2e-6;
  }
  return slope;
}

class OfDrivers : public testing::TestWithParam<Index> {};

TEST_P(OfDrivers, GridsMapToStandardNormalsAndBack) {
  const GridDensity grid = lumpy_grid(GetParam());
  const Matrix w = 2.5 * normals_of_bent(GetParam(), 50, 20);  // some of them beyond the grid
  for (Index i = 0; i < w.cols(); ++i) {
    const GridDensity::Place place = grid.at(w.col(i));
    EXPECT_LT((grid.inverse(place.z) - w.col(i)).norm(), 1e-8) << w.col(i).transpose();
    // The density is that of the normals times the determinant.
    const double of_normals =
        -0.5 * place.z.squaredNorm() - 0.5 * kLog2Pi * static_cast<double>(GetParam());
    EXPECT_NEAR(place.log_density, of_normals + place.dz_dw.diagonal().array().log().sum(), 1e-8);
    const Vector slope =
        slope_of(w.col(i), [&](const Vector& x) { return grid.at(x).log_density; });
    EXPECT_LT((slope - place.slope).norm(), 1e-5 * (1 + slope.norm()));
    for (Index k = 0; k < GetParam(); ++k) {
      const Vector of_z = slope_of(w.col(i), [&](const Vector& x) { return grid.at(x).z(k); });
      EXPECT_LT((of_z - place.dz_dw.row(k).transpose()).norm(), 1e-5 * (1 + of_z.norm()));
    }
  }
}

// Farther out than any draw both directions still have digits.
TEST_P(OfDrivers, GridsHaveTailsWithoutAnEnd) {
  const GridDensity grid = lumpy_grid(GetParam());
  for (const double z : {-35.0, -9.0, 9.0, 35.0}) {
    const Vector far = Vector::Constant(GetParam(), z);
    EXPECT_LT((grid.at(grid.inverse(far)).z - far).norm(), 1e-8 * std::abs(z));
  }
}

TEST_P(OfDrivers, TheMapIsUndone) {
  const Bent q = arbitrary_bent(6, GetParam());
  const Matrix z = normals_of_bent(6, 40, 21);
  Matrix theta(6, 40), back(6, 40);
  q.forward(z, theta);
  q.inverse(theta, back);
  EXPECT_LT((back - z).norm(), 1e-8);
}

TEST_P(OfDrivers, TheDeterminantIsThatOfTheMap) {
  const Bent q = arbitrary_bent(6, GetParam());
  const Matrix places = normals_of_bent(6, 10, 22);
  for (const Vector z : places.colwise()) {
    Matrix jacobian(6, 6);
    for (Index i = 0; i < 6; ++i) {
      jacobian.row(i) = slope_of(z, [&](const Vector& at) {
        Matrix theta(6, 1);
        q.forward(at, theta);
        return theta(i, 0);
      });
    }
    EXPECT_NEAR(q.log_det(z)(0), std::log(std::abs(jacobian.determinant())), 1e-5);
  }
}

// ... for log p = -|theta - 1|^2 / 2.
TEST_P(OfDrivers, TheScoreIsTheSlopeOfTheDensityInZ) {
  const Bent q = arbitrary_bent(6, GetParam());
  const Matrix places = normals_of_bent(6, 10, 23);
  for (const Vector z : places.colwise()) {
    Matrix theta(6, 1);
    q.forward(z, theta);
    Matrix score = 1 - theta.array();
    q.pull_back(z, score);
    const Vector slope = slope_of(z, [&](const Vector& at) {
      Matrix there(6, 1);
      q.forward(at, there);
      return -0.5 * (there.array() - 1).square().sum() + q.log_det(at)(0);
    });
    EXPECT_LT((score - slope).norm(), 1e-5 * (1 + slope.norm()));
  }
}

INSTANTIATE_TEST_SUITE_P(OneToThree, OfDrivers, testing::Values(1, 2, 3));

// By the midpoint rule, whose error is that of kinks, of the square of the spacing, and of what is
// outside: less than e^-16 of the largest density times the area.
TEST(Bent, HasADensityThatIntegratesToOne) {
  const Bent q = arbitrary_bent(2, 1);
  const Gaussian moments = q.moments();
  constexpr Index kPoints = 700;
  const Vector reach = 12 * q.sd();
  double sum = 0;
  Matrix theta(2, kPoints);
  for (Index i = 0; i < kPoints; ++i) {
    for (Index j = 0; j < kPoints; ++j) {
      const Vector part{
          {(static_cast<double>(i) + 0.5) / kPoints, (static_cast<double>(j) + 0.5) / kPoints}};
      theta.col(j) = moments.mean + reach.cwiseProduct(2 * part - Vector::Ones(2));
    }
    sum += q.log_density(theta).array().exp().sum();
  }
  EXPECT_NEAR(sum * 4 * reach.prod() / (kPoints * kPoints), 1, 2e-3);
}

// v ~ N(0, 3^2), x_i | v ~ N(0, exp(v)). Between points of a grid h apart a normal density is too
// high by h^2 (w^2 - 1) / 8 of itself at the most: 2e-4 up to w = 4.
TEST(Bent, IsTheFunnelToThePrecisionOfItsGrid) {
  constexpr Index kP = 4;
  Bent::Frame frame{
      .mu = Vector::Zero(kP), .a = Matrix::Identity(kP, kP), .a_inverse = {}, .drivers = 1};
  frame.a(0, 0) = 3;
  frame.a_inverse = frame.a.inverse();
  frame.log_det = std::log(3);
  const Matrix w = Vector::LinSpaced(101, -2, 2).transpose();
  const DriverBasis basis(w);
  // After the slope, the constant and the line.
  Bent::Layer layer{.k = Matrix::Identity(kP - 1, kP - 1),
                    .k_inverse = Matrix::Identity(kP - 1, kP - 1),
                    .log_scale = Matrix::Zero(kP - 1, basis.size()),
                    .shift = Matrix::Zero(kP - 1, basis.size())};
  layer.log_scale.col(2).setConstant(1.5 / basis.at(Vector::Zero(1)).slope(2, 0));
  const Vector points = Vector::LinSpaced(1601, -8, 8);
  const GridDensity normal({{.first = -8, .step = 0.01, .count = 1601}},
                           -0.5 * points.array().square());
  const Bent q(frame, basis, {layer}, normal);
  const Matrix places = normals_of_bent(kP, 20, 24);
  for (const Vector z : places.colwise()) {
    Matrix theta(kP, 1);
    q.forward(z, theta);
    const double v = theta(0, 0);
    const double expected =
        -0.5 * (v * v / 9 + std::exp(-v) * theta.col(0).tail(kP - 1).squaredNorm()) -
        0.5 * (kP - 1) * v - std::log(3) - 0.5 * kP * kLog2Pi;
    EXPECT_NEAR(q.log_density(theta)(0), expected, 2e-4);
  }
}

}  // namespace
}  // namespace ravi
