// Autocovariances by fast Fourier transform (Wiener-Khinchin), two real series per transform.
#include "diagnostics/autocovariance.hpp"

#include <complex>
#include <unsupported/Eigen/FFT>

#include "core/numeric.hpp"

namespace ravi {
namespace {

using Complex = std::complex<double>;

// Lengths 2^k, 1.25 2^k and 1.5 2^k: at most a third more than asked for, fast to transform, and so
// few that a window that grows step by step does not fill the memory with transform plans.
Index transform_length(Index at_least) {
  Index power = 16;
  while (2 * power < at_least) power *= 2;
  for (const Index length : {power, power + power / 4, power + power / 2}) {
    if (length >= at_least) return length;
  }
  return 2 * power;
}

// Plans and buffers, kept between calls on the same thread.
struct Workspace {
  Eigen::FFT<double> fft;
  Eigen::VectorXcd series, spectrum;
  Vector power, covariance;

  Workspace() { fft.SetFlag(Eigen::FFT<double>::HalfSpectrum); }
};

Workspace& workspace(Index length) {
  thread_local Workspace space;
  space.series.resize(length);
  space.spectrum.resize(length);
  return space;
}

// Deviations from the mean, exactly zero for equal values.
void center(const ConstMatrixRef& draws, Matrix& centered) {
  centered = draws.rowwise() - draws.row(0);
  centered.rowwise() -= centered.colwise().mean().eval();
}

// Columns j and j+1 as real and imaginary part, padded with zeros to twice their length or more so
// that the circular correlation does not wrap.
void transform_pair(const Matrix& columns, Index j, Workspace& space) {
  const Index n = columns.rows();
  space.series.head(n).real() = columns.col(j);
  if (j + 1 < columns.cols()) {
    space.series.head(n).imag() = columns.col(j + 1);
  } else {
    space.series.head(n).imag().setZero();
  }
  space.series.tail(space.series.size() - n).setZero();
  space.fft.fwd(space.spectrum.data(), space.series.data(), space.series.size());
}

}  // namespace

Vector autocovariance(const ConstVectorRef& x) { return mean_autocovariance(x); }

Matrix autocovariances(const ConstMatrixRef& draws) {
  const Index n = draws.rows();
  Matrix result(n, draws.cols());
  if (draws.size() == 0) return result;
  Matrix centered;
  center(draws, centered);
  Eigen::RowVectorXd scale(draws.cols());
  for (Index j = 0; j < draws.cols(); ++j) {
    scale(j) = draws.col(j).allFinite() ? centered.col(j).cwiseAbs().maxCoeff() : kNan;
    // Both series of a pair get the same size, so that the rounding errors of a large one do not
    // drown a small one; a series without variation takes no part.
    if (scale(j) > 0) {
      centered.col(j) /= scale(j);
    } else {
      centered.col(j).setZero();
    }
  }

  const Index length = transform_length(2 * n);
  Workspace& space = workspace(length);
  for (Index j = 0; j < draws.cols(); j += 2) {
    transform_pair(centered, j, space);
    // With Z the transform of x + iy: X(f) = (Z(f) + conj Z(-f)) / 2, iY(f) = (Z(f) - conj Z(-f))
    // / 2. |X|^2 and |Y|^2 are even, so their inverse transforms are real and travel as one, too.
    for (Index f = 0; f < length; ++f) {
      const Complex here = space.spectrum(f);
      const Complex there = std::conj(space.spectrum(f == 0 ? 0 : length - f));
      space.series(f) = {std::norm(here + there) / 4, std::norm(here - there) / 4};
    }
    space.fft.inv(space.spectrum.data(), space.series.data(), length);
    result.col(j) = space.spectrum.head(n).real();
    if (j + 1 < draws.cols()) result.col(j + 1) = space.spectrum.head(n).imag();
  }
  // This also turns what leaked into a series of equal values to zero, and one that is not finite
  // to NaN.
  result.array().rowwise() *= scale.array().square() / static_cast<double>(n);
  return result;
}

Vector mean_autocovariance(const ConstMatrixRef& draws) {
  const Index n = draws.rows();
  if (draws.size() == 0) return Vector::Zero(n);
  if (!draws.allFinite()) return Vector::Constant(n, kNan);
  thread_local Matrix centered;
  center(draws, centered);
  const double scale = centered.cwiseAbs().maxCoeff();
  if (scale == 0) return Vector::Zero(n);
  centered /= scale;

  const Index length = transform_length(2 * n);
  Workspace& space = workspace(length);
  // The real part of the autocovariance of x + iy is the sum of those of x and y, so the power
  // spectra of all pairs can be added up and transformed back at once.
  space.power.setZero(length);
  for (Index j = 0; j < draws.cols(); j += 2) {
    transform_pair(centered, j, space);
    space.power += space.spectrum.cwiseAbs2();
  }
  // The even part of the power is what has a real inverse; half the spectrum says it all.
  space.spectrum(0) = space.power(0);
  for (Index f = 1; f <= length / 2; ++f) {
    space.spectrum(f) = (space.power(f) + space.power(length - f)) / 2;
  }
  space.covariance.resize(length);
  space.fft.inv(space.covariance.data(), space.spectrum.data(), length);
  return space.covariance.head(n) * (scale * scale / static_cast<double>(draws.size()));
}

LaggedAutocovariance::LaggedAutocovariance(const ConstMatrixRef& draws) : draws_(draws) {
  center(draws, centered_);
  scale_ = centered_.cwiseAbs().maxCoeff();
  if (scale_ > 0) centered_ /= scale_;
}

double LaggedAutocovariance::operator()(Index lag) {
  constexpr Index kDirect = 100;
  if (lag >= kDirect) {
    if (all_.size() == 0) all_ = mean_autocovariance(draws_);
    return all_(lag);
  }
  const Index overlap = centered_.rows() - lag;
  double sum = 0;
  for (const auto chain : centered_.colwise()) sum += chain.head(overlap).dot(chain.tail(overlap));
  return sum * (scale_ * scale_ / static_cast<double>(centered_.size()));
}

}  // namespace ravi
