// Which coordinates drive how the others vary, by the third derivatives of log p.
#include "bending/drivers.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

#include "core/numeric.hpp"
#include "limits/limits.hpp"

namespace ravi {
namespace {

constexpr Index kMostDrivers = GridDensity::kMostDimensions;
constexpr double kMostOfMedian = 4;  // that the norm of a residual may be

using Tensor = std::vector<Matrix>;  // T_i.., symmetric in all three

// Of s on (1, z).
Matrix residuals(const Matrix& z, const Matrix& s) {
  Matrix with_one(z.rows() + 1, z.cols());
  with_one << z, Matrix::Ones(1, z.cols());
  Matrix second = with_one * with_one.transpose();
  second.diagonal().array() += limit(Limit::ridge) * static_cast<double>(z.cols());
  const Matrix slopes = second.llt().solve(with_one * s.transpose()).transpose();
  Matrix rest = s - slopes * with_one;
  const Vector norms = rest.colwise().norm();
  const double most = kMostOfMedian * median(norms);
  for (Index i = 0; i < rest.cols(); ++i) rest.col(i) *= std::min(1.0, most / norms(i));
  return rest;
}

Tensor third_derivatives(const ConstMatrixRef& z, const ConstMatrixRef& rest) {
  const Index p = z.rows();
  const auto n = static_cast<double>(z.cols());
  Tensor one(static_cast<std::size_t>(p)), result = one;
  for (Index i = 0; i < p; ++i) {
    Matrix& of = one[static_cast<std::size_t>(i)];
    of = z * rest.row(i).transpose().asDiagonal() * z.transpose() / n;
    of.diagonal().array() -= rest.row(i).mean();
  }
  for (Index i = 0; i < p; ++i) {
    Matrix& sum = result[static_cast<std::size_t>(i)];
    sum = one[static_cast<std::size_t>(i)];
    for (Index j = 0; j < p; ++j) {
      sum.row(j) += one[static_cast<std::size_t>(j)].row(i);
      sum.col(j) += one[static_cast<std::size_t>(j)].col(i);
    }
    sum /= 3;
  }
  return result;
}

// That of a coordinate of theta in z, beside those of other drivers; shorter than 1 there.
Vector direction_of(Index coordinate, const Matrix& l, const Matrix& others) {
  const Vector a = l.row(coordinate).transpose().normalized();
  return a - others * (others.transpose() * a);
}

void add_driver(Index coordinate, const Vector& direction, Drivers& drivers) {
  drivers.coordinates.push_back(coordinate);
  drivers.directions.conservativeResize(direction.size(), drivers.directions.cols() + 1);
  drivers.directions.rightCols(1) = direction;
}

double product(const Tensor& a, const Tensor& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].cwiseProduct(b[i]).sum();
  return sum;
}

Matrix along(const Tensor& t, const Vector& a) {
  Matrix sum = Matrix::Zero(a.size(), a.size());
  for (Index i = 0; i < a.size(); ++i) {
    if (a(i) != 0) sum += a(i) * t[static_cast<std::size_t>(i)];
  }
  return sum;
}

// What leaves <T1, T2> with everything along a.
double gain(const Tensor& t1, const Tensor& t2, const Vector& a) {
  const Matrix a1 = along(t1, a), a2 = along(t2, a);
  const Vector aa1 = a1 * a, aa2 = a2 * a;
  return 3 * a1.cwiseProduct(a2).sum() - 3 * aa1.dot(aa2) + aa1.dot(a) * aa2.dot(a);
}

void leave(Tensor& t, const Vector& a) {
  const Matrix along_a = along(t, a);
  for (Index i = 0; i < a.size(); ++i) {
    Matrix& of = t[static_cast<std::size_t>(i)];
    of -= a(i) * along_a;
    of -= (of * a) * a.transpose();
    of -= a * (a.transpose() * of);
  }
}

}  // namespace

Drivers find_drivers(const Bank& bank, const Matrix& l) {
  const Index p = bank.x.rows(), n = bank.size();
  const Matrix rest = residuals(bank.x, bank.gradient + bank.x);
  const Index half = n / 4 * 2;  // mirrored pairs stay together
  Tensor t1 = third_derivatives(bank.x.leftCols(half), rest.leftCols(half)),
         t2 = third_derivatives(bank.x.rightCols(n - half), rest.rightCols(n - half));
  Drivers result{.coordinates = {}, .directions = Matrix(p, 0)};
  for (result.left = product(t1, t2) / 12;
       result.left >= limit(Limit::bend_worth) &&
       result.directions.cols() < std::min(kMostDrivers, p - 1);) {
    double most = 0;
    Index best = -1;
    Vector direction;
    for (Index k = 0; k < p; ++k) {
      Vector a = direction_of(k, l, result.directions);
      if (std::ranges::find(result.coordinates, k) != result.coordinates.end() || a.norm() < 0.1)
        continue;
      a.normalize();
      if (const double g = gain(t1, t2, a); g > most) {
        most = g;
        best = k;
        direction = a;
      }
    }
    if (best < 0 || most / 12 < limit(Limit::bend_worth) / kMostDrivers) break;
    add_driver(best, direction, result);
    leave(t1, direction);
    leave(t2, direction);
    result.left = product(t1, t2) / 12;
  }
  return result;
}

Drivers drivers_along(const std::vector<Index>& coordinates, const Matrix& l) {
  Drivers result{.coordinates = {}, .directions = Matrix(l.rows(), 0)};
  for (const Index k : coordinates) {
    add_driver(k, direction_of(k, l, result.directions).normalized(), result);
  }
  return result;
}

}  // namespace ravi
