// Many draws at once, moved by Hamiltonian transitions that leave the posterior as it is.
#include "algorithm/hamiltonian.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "algorithm/proposal.hpp"
#include "core/parallel.hpp"
#include "core/rng.hpp"

namespace ravi {
namespace {

constexpr double kQuarterPeriod = std::numbers::pi / 2;
// High, so that steps are short enough for places that are narrower than most.
constexpr double kWantedAcceptance = 0.95;
constexpr Index kMostSteps = 64;  // of a trajectory

}  // namespace

// The step at which a Gaussian of P coordinates accepts about so much shrinks as P^(-1/4) (Beskos
// et al. 2013).
HamiltonianDraws::HamiltonianDraws(const Model& model, const Approximation& q,
                                   const Options& options, std::uint32_t which, Matrix z)
    : model_(model),
      q_(q),
      seed_(options.seed),
      threads_(resolve_threads(options.threads)),
      which_(which),
      l_(q.scale()),
      z_(std::move(z)),
      gradient_(z_.rows(), z_.cols()),
      log_density_(z_.cols()),
      moves_(Vector::Zero(z_.cols())),
      step_size_(std::pow(static_cast<double>(z_.rows()), -0.25)) {
  for_every_part([&](Index, Part part) {
    Vector log_density(part.count);
    Matrix gradient(z_.rows(), part.count);
    evaluate(z_.middleCols(part.first, part.count), log_density, gradient);
    log_density_.segment(part.first, part.count) = log_density;
    gradient_.middleCols(part.first, part.count) = gradient;
  });
  evaluations_ += z_.cols();
}

Index HamiltonianDraws::parts() const {
  const Index each = columns_per_call(z_.rows());
  return (z_.cols() + each - 1) / each;
}

template <typename F>
void HamiltonianDraws::for_every_part(F f) const {
  const Index each = columns_per_call(z_.rows());
  parallel_for(parts(), threads_, [&](Index part) {
    f(part, Part{part * each, std::min(each, z_.cols() - part * each)});
  });
}

void HamiltonianDraws::evaluate(const Matrix& z, Vector& log_density, Matrix& gradient) const {
  Matrix theta(z.rows(), z.cols());
  q_.transform(z, theta);
  model_.evaluate(theta, log_density, gradient);
  gradient = l_.triangularView<Eigen::Lower>().transpose() * gradient;
}

void HamiltonianDraws::count_from_zero() {
  moves_.setZero();
  counted_ = 0;
}

void HamiltonianDraws::move(bool learn) {
  const auto address = [&](Index part) {
    return static_cast<std::uint32_t>(transition_ * (parts() + 1) + part);
  };
  // A length of its own for every transition: none keeps time with a period of the posterior.
  RandomStream common(seed_, Purpose::transitions, which_, address(parts()));
  const double length = kQuarterPeriod * (0.5 + common.uniform());
  const Index steps =
      std::clamp<Index>(static_cast<Index>(std::ceil(length / step_size_)), 1, kMostSteps);
  const double h = std::min(step_size_, length / static_cast<double>(steps));
  Vector accepted = Vector::Zero(parts());
  for_every_part([&](Index number, Part part) {
    RandomStream stream(seed_, Purpose::transitions, which_, address(number));
    Matrix z = z_.middleCols(part.first, part.count);
    Matrix gradient = gradient_.middleCols(part.first, part.count);
    Vector log_density = log_density_.segment(part.first, part.count);
    Matrix momentum(z.rows(), z.cols());
    stream.fill_normal(momentum);
    const auto energy = [&]() -> Vector {
      return 0.5 * momentum.colwise().squaredNorm().transpose() - log_density;
    };
    const Vector before = energy();
    // Leapfrog.
    momentum += 0.5 * h * gradient;
    for (Index step = 1; step <= steps; ++step) {
      z += h * momentum;
      evaluate(z, log_density, gradient);
      momentum += (step < steps ? h : 0.5 * h) * gradient;
    }
    const Vector gain = before - energy();
    for (Index i = 0; i < part.count; ++i) {
      const double log_u = std::log(stream.uniform());
      // What is not a number is not accepted.
      if (!(gain(i) > -std::numeric_limits<double>::infinity()) || !gradient.col(i).allFinite()) {
        continue;
      }
      accepted(number) += std::min(1.0, std::exp(gain(i)));
      if (!(log_u < gain(i))) continue;
      const Index place = part.first + i;
      z_.col(place) = z.col(i);
      gradient_.col(place) = gradient.col(i);
      log_density_(place) = log_density(i);
      moves_(place) += 1;
    }
  });
  if (learn) {
    step_size_ *= std::exp(accepted.sum() / static_cast<double>(z_.cols()) - kWantedAcceptance);
  }
  evaluations_ += steps * z_.cols();
  ++transition_;
  ++counted_;
}

}  // namespace ravi
