// Many draws at once, moved by Hamiltonian transitions that leave the posterior as it is.
#include "moving/hamiltonian.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/numeric.hpp"
#include "core/parallel.hpp"
#include "core/rng.hpp"
#include "limits/limits.hpp"
#include "scoring/proposal.hpp"

namespace ravi {
namespace {

constexpr double kQuarterPeriod = std::numbers::pi / 2;
// A change of energy that has no chance to be accepted, to rounding of the sum of a million.
constexpr double kHopeless = -30;

}  // namespace

// The step at which a Gaussian of P coordinates accepts about so much shrinks as P^(-1/4) (Beskos
// et al. 2013).
HamiltonianDraws::HamiltonianDraws(const Model& model, const Transport& q, const Options& options,
                                   std::uint32_t which, Matrix z)
    : model_(model),
      q_(q),
      seed_(options.seed),
      threads_(resolve_threads(options.threads)),
      which_(which),
      root_(Matrix::Identity(z.rows(), z.rows())),
      z_(std::move(z)),
      gradient_(z_.rows(), z_.cols()),
      log_density_(z_.cols()),
      step_size_(std::pow(static_cast<double>(z_.rows()), -0.25)) {
  for_every_part([&](Index, Part part) {
    Phase at{.z = z_.middleCols(part.first, part.count)};
    evaluate(at);
    log_density_.segment(part.first, part.count) = at.log_density;
    gradient_.middleCols(part.first, part.count) = at.gradient;
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

void HamiltonianDraws::evaluate(Phase& at) const {
  Matrix theta(at.z.rows(), at.z.cols());
  q_.forward(at.z, theta);
  at.log_density.resize(at.z.cols());
  at.gradient.resize(at.z.rows(), at.z.cols());
  model_.evaluate(theta, at.log_density, at.gradient);
  q_.pull_back(at.z, at.gradient);
  at.gradient = root_.triangularView<Eigen::Lower>().transpose() * at.gradient;
}

// The covariance of the draws, in the coordinates in which q has I, which counts for P of them.
void HamiltonianDraws::learn_scales() {
  const auto n = static_cast<double>(z_.cols()), p = static_cast<double>(z_.rows());
  const Vector mean = z_.rowwise().mean();
  const Matrix centered = z_.colwise() - mean;
  Matrix cov = centered * centered.transpose() / (n + p);
  cov.diagonal().array() += p / (n + p);
  const Eigen::LLT<Matrix> llt(cov);
  if (llt.info() != Eigen::Success) return;
  const Matrix root = llt.matrixL();
  root_.triangularView<Eigen::Lower>().transpose().solveInPlace(gradient_);
  gradient_ = root.transpose() * gradient_;
  root_ = root;
}

// Infinite where it is not a number: what cannot be computed is not accepted.
Vector HamiltonianDraws::energy(const Phase& at) const {
  Vector result =
      0.5 * at.momentum.colwise().squaredNorm().transpose() - at.log_density - q_.log_det(at.z);
  for (Index i = 0; i < result.size(); ++i) {
    if (!std::isfinite(result(i)) || !at.gradient.col(i).allFinite()) result(i) = kInf;
  }
  return result;
}

HamiltonianDraws::Phase HamiltonianDraws::Phase::columns(const std::vector<Index>& which) const {
  return {z(Eigen::all, which), momentum(Eigen::all, which), gradient(Eigen::all, which),
          log_density(which)};
}

// Leapfrog, with steps that are shorter by the attempt, and the momentum turned round at the end:
// the trajectory from there leads back.
HamiltonianDraws::Phase HamiltonianDraws::follow(Trajectories& of, Phase at, Index attempt) const {
  Index steps = of.steps;
  double h = of.step_size;
  const Index shorter = count(Limit::step_factor);
  for (Index i = 0; i < attempt; ++i) {
    steps *= shorter;
    h /= static_cast<double>(shorter);
  }
  at.momentum += 0.5 * h * at.gradient;
  for (Index step = 1; step <= steps; ++step) {
    at.z += root_.triangularView<Eigen::Lower>() * Matrix(h * at.momentum);
    evaluate(at);
    at.momentum += (step < steps ? h : 0.5 * h) * at.gradient;
  }
  at.momentum = -at.momentum;
  of.evaluations += steps * at.z.cols();
  return at;
}

// The chance that a try is accepted, given that those before it were refused. Detailed balance asks
// that they would have been refused on the way back as well: with x the beginning and y the end,
//   min(1, exp(H(x) - H(y)) refused(y) / refused(x)).
Vector HamiltonianDraws::acceptance(Trajectories& of, const Phase& from, const Phase& to,
                                    Index attempt, const Vector& refused_before) const {
  const Vector gain = energy(from) - energy(to);
  std::vector<Index> hopeful;
  for (Index i = 0; i < gain.size(); ++i) {
    if (gain(i) > kHopeless && refused_before(i) > 0) hopeful.push_back(i);
  }
  Vector chance = Vector::Zero(gain.size());
  if (hopeful.empty()) return chance;
  const Vector back = refused(of, to.columns(hopeful), attempt);
  for (std::size_t k = 0; k < hopeful.size(); ++k) {
    const Index i = hopeful[k];
    chance(i) = std::min(1.0, std::exp(gain(i)) * back(static_cast<Index>(k)) / refused_before(i));
  }
  return chance;
}

// The chance that so many tries are all refused.
Vector HamiltonianDraws::refused(Trajectories& of, const Phase& from, Index tries) const {
  Vector result = Vector::Ones(from.z.cols());
  for (Index attempt = 0; attempt < tries; ++attempt) {
    const Phase to = follow(of, from, attempt);
    result.array() *= 1 - acceptance(of, from, to, attempt, result).array();
  }
  return result;
}

void HamiltonianDraws::move(bool learn) {
  const auto address = [&](Index part) {
    return static_cast<std::uint32_t>(transition_ * (parts() + 1) + part);
  };
  // A length of its own for every transition: none keeps time with a period of the posterior.
  RandomStream common(seed_, Purpose::transitions, which_, address(parts()));
  const double length = kQuarterPeriod * (0.5 + common.uniform());
  const Index steps = std::clamp<Index>(static_cast<Index>(std::ceil(length / step_size_)), 1,
                                        count(Limit::trajectory_steps));
  const double h = std::min(step_size_, length / static_cast<double>(steps));
  Vector accepted = Vector::Zero(parts());
  std::vector<std::int64_t> evaluations(static_cast<std::size_t>(parts()), 0);
  for_every_part([&](Index number, Part part) {
    RandomStream stream(seed_, Purpose::transitions, which_, address(number));
    Matrix momentum(z_.rows(), part.count);
    stream.fill_normal(momentum);
    Phase from{z_.middleCols(part.first, part.count), momentum,
               gradient_.middleCols(part.first, part.count),
               log_density_.segment(part.first, part.count)};
    std::vector<Index> place(static_cast<std::size_t>(part.count));
    std::iota(place.begin(), place.end(), part.first);
    Vector refused = Vector::Ones(part.count);
    Trajectories trajectories{h, steps};
    for (Index attempt = 0; attempt < count(Limit::tries) && !place.empty(); ++attempt) {
      const Phase to = follow(trajectories, from, attempt);
      const Vector chance = acceptance(trajectories, from, to, attempt, refused);
      if (attempt == 0) accepted(number) = chance.sum();
      std::vector<Index> left;
      for (Index i = 0; i < chance.size(); ++i) {
        if (!(stream.uniform() < chance(i))) {
          left.push_back(i);
          continue;
        }
        const Index at = place[static_cast<std::size_t>(i)];
        z_.col(at) = to.z.col(i);
        gradient_.col(at) = to.gradient.col(i);
        log_density_(at) = to.log_density(i);
      }
      refused = (refused.array() * (1 - chance.array()))(left).eval();
      from = from.columns(left);
      for (std::size_t i = 0; i < left.size(); ++i) {
        place[i] = place[static_cast<std::size_t>(left[i])];
      }
      place.resize(left.size());
    }
    evaluations[static_cast<std::size_t>(number)] = trajectories.evaluations;
  });
  if (learn) {
    step_size_ *=
        std::exp(accepted.sum() / static_cast<double>(z_.cols()) - limit(Limit::moved_accepted));
  }
  evaluations_ = std::accumulate(evaluations.begin(), evaluations.end(), evaluations_);
  ++transition_;
}

}  // namespace ravi
