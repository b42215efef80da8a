// Draws for importance sampling: from q, and from wide distributions that learn from weights.
#include "scoring/proposal.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/numeric.hpp"
#include "core/parallel.hpp"
#include "core/rng.hpp"
#include "diagnostics/psis.hpp"
#include "limits/limits.hpp"

namespace ravi {
namespace {

constexpr Index kColumns = 100, kNumbers = Index{1} << 21;

// (nu / chi-square_nu)^(1/2): what makes a normal vector a t vector.
double t_factor(RandomStream& stream) {
  Vector normal(count(Limit::wide_degrees));
  stream.fill_normal(normal);
  return std::sqrt(static_cast<double>(normal.size()) / normal.squaredNorm());
}

}  // namespace

Index columns_per_call(Index dimension) {
  return std::clamp(kNumbers / std::max<Index>(1, dimension) / kPair * kPair, kPair, kColumns);
}

ImportanceDraws::ImportanceDraws(const Model& model, const Transport& q, const Options& options,
                                 std::uint32_t which, Index per_block, bool keep,
                                 std::span<const Transport* const> others)
    : model_(model),
      q_(q),
      options_(options),
      which_(which),
      per_block_(per_block),
      keep_(keep),
      others_(others.size()) {
  for (const Transport* other : others) part_.push_back({.optimum = other});
  if (!keep_) part_.push_back({.shift = Vector::Zero(q.dimension())});
}

Index ImportanceDraws::wide_blocks() const {
  Index sum = 0;
  for (std::size_t i = others_; i < part_.size(); ++i) sum += part_[i].blocks;
  return sum;
}

// log density of T(shift + root x) at T(z).
Vector ImportanceDraws::log_density_of_wide(const Part& part, const Matrix& z) const {
  const auto nu = static_cast<double>(count(Limit::wide_degrees));
  const auto p = static_cast<double>(z.rows());
  Matrix t = z.colwise() - part.shift;
  double log_determinant = 0;
  if (part.root.size() > 0) {
    part.root.triangularView<Eigen::Lower>().solveInPlace(t);
    log_determinant = part.root.diagonal().array().log().sum();
  }
  const double constant = std::lgamma((nu + p) / 2) - std::lgamma(nu / 2) -
                          0.5 * p * std::log(nu * std::numbers::pi) - log_determinant;
  return constant - q_.log_det(z).array() -
         0.5 * (nu + p) * (t.colwise().squaredNorm().transpose().array() / nu).log1p();
}

// One of every pair of a block, with E[z z'] = I; nothing where there are too few for that.
Matrix ImportanceDraws::normals_of_q(Index number) const {
  const Index p = q_.dimension(), pairs = (per_block_ + 1) / kPair;
  // Where there are few, that would change much.
  if (pairs < count(Limit::matched_pairs) * p) return {};
  Matrix z(p, pairs);
  RandomStream(options_.seed, Purpose::importance, which_, static_cast<std::uint32_t>(number))
      .fill_normal(z);
  const Eigen::LLT<Matrix> second(z * z.transpose() / static_cast<double>(pairs));
  return second.matrixL().solve(z);
}

// In chunks, each with a random stream of its own, so that threads do not matter.
ImportanceDraws::Block ImportanceDraws::draw(const Part* part, Index number) const {
  const Index p = q_.dimension(), s = per_block_, per_chunk = columns_per_call(p);
  const Index chunks = (s + per_chunk - 1) / per_chunk;
  const Purpose purpose = part == nullptr ? Purpose::importance : Purpose::wide;
  Block drawn{Matrix(keep_ ? p : 0, s), Vector(s), Vector(s),
              std::vector<Vector>(part_.size(), Vector(s))};
  const Matrix matched = part == nullptr ? normals_of_q(number) : Matrix();
  parallel_for(chunks, resolve_threads(options_.threads), [&](Index chunk) {
    const Index first = chunk * per_chunk, n = std::min(per_chunk, s - first);
    Matrix half(p, (n + 1) / kPair), z(p, n), theta(p, n);
    Vector log_density(n);
    RandomStream stream(options_.seed, purpose, which_,
                        static_cast<std::uint32_t>(number * chunks + chunk));
    if (matched.size() > 0) {
      half = matched.middleCols(first / kPair, half.cols());
    } else {
      stream.fill_normal(half);
    }
    const bool wide = part != nullptr && part->optimum == nullptr;
    if (wide) {
      for (Index i = 0; i < half.cols(); ++i) half.col(i) *= t_factor(stream);
      if (part->root.size() > 0) half = part->root.triangularView<Eigen::Lower>() * half;
    }
    for (Index i = 0; i < n; ++i) z.col(i) = (i % kPair == 0 ? 1 : -1) * half.col(i / kPair);
    if (wide) z.colwise() += part->shift;
    if (part == nullptr || wide) {
      q_.forward(z, theta);
    } else {
      part->optimum->forward(z, theta);
      q_.inverse(theta, z);
    }
    model_.log_density(theta, log_density);
    for (double& value : log_density) {
      if (!std::isfinite(value)) value = -kInf;
    }
    drawn.log_density.segment(first, n) = log_density;
    drawn.log_q.segment(first, n) = q_.log_density_at(z);
    for (std::size_t w = 0; w < part_.size(); ++w) {
      const Part& of = part_[w];
      drawn.log_part[w].segment(first, n) =
          of.optimum ? of.optimum->log_density(theta) : log_density_of_wide(of, z);
    }
    if (keep_) drawn.z.middleCols(first, n) = z;
  });
  return drawn;
}

void ImportanceDraws::draw_from_q(Index blocks) {
  for (Index b = 0; b < blocks; ++b) {
    from_q_.push_back(draw(nullptr, static_cast<Index>(from_q_.size())));
  }
}

void ImportanceDraws::draw_from_others(Index blocks) {
  for (std::size_t i = 0; i < others_; ++i) {
    for (Index b = 0; b < blocks; ++b) {
      ++part_[i].blocks;
      from_part_.push_back(draw(&part_[i], static_cast<Index>(from_part_.size())));
    }
  }
}

void ImportanceDraws::draw_wide(Index blocks) {
  if (keep_) {
    const Part next = learned();
    for (auto* drawn : {&from_q_, &from_part_}) {
      parallel_for(static_cast<Index>(drawn->size()), resolve_threads(options_.threads),
                   [&](Index b) {
                     Block& block = (*drawn)[static_cast<std::size_t>(b)];
                     block.log_part.push_back(log_density_of_wide(next, block.z));
                   });
    }
    part_.push_back(next);
  }
  part_.back().blocks += blocks;
  for (Index b = 0; b < blocks; ++b) {
    from_part_.push_back(draw(&part_.back(), static_cast<Index>(from_part_.size())));
  }
}

// The moments of the posterior in z, by the weights of what was drawn, mixed with those of q by how
// many draws count; never narrower than q in any direction. Nothing is learned from few draws, nor
// where it would take long.
ImportanceDraws::Part ImportanceDraws::learned() const {
  const Index p = q_.dimension();
  Part wide{.shift = Vector::Zero(p)};
  if (p > count(Limit::dense_coordinates)) return wide;
  const Psis smoothed = psis(log_density() - log_proposal());
  const double believed = limit(Limit::belief) * static_cast<double>(p);
  if (!(smoothed.ess > 4 * believed)) return wide;
  const Vector weights = normalize_log_weights(smoothed.log_weights).array().exp();
  const double share = smoothed.ess / (smoothed.ess + believed);
  Matrix second = Matrix::Zero(p, p);
  Vector mean = Vector::Zero(p);
  Index first = 0;
  for (const auto* drawn : {&from_q_, &from_part_}) {
    for (const Block& block : *drawn) {
      const auto w = weights.segment(first, block.log_q.size());
      mean += block.z * w;
      second += block.z * w.asDiagonal() * block.z.transpose();
      first += block.log_q.size();
    }
  }
  const Matrix cov =
      share * (second - mean * mean.transpose()) + (1 - share) * Matrix::Identity(p, p);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(cov);
  if (eigen.info() != Eigen::Success) return wide;
  const Matrix& v = eigen.eigenvectors();
  wide.shift = share * mean;
  wide.root =
      Matrix(v * eigen.eigenvalues().cwiseMax(1).asDiagonal() * v.transpose()).llt().matrixL();
  return wide;
}

template <typename F>
Vector ImportanceDraws::of_all(F f) const {
  Vector all(size());
  Index first = 0;
  for (const auto* drawn : {&from_q_, &from_part_}) {
    for (const Block& block : *drawn) {
      all.segment(first, block.log_q.size()) = f(block);
      first += block.log_q.size();
    }
  }
  return all;
}

Vector ImportanceDraws::log_ratio() const {
  return of_all([](const Block& block) { return block.ratio(); }).head(of_q());
}

Vector ImportanceDraws::log_density() const {
  return of_all([](const Block& block) { return block.log_density; });
}

Vector ImportanceDraws::log_q() const {
  return of_all([](const Block& block) { return block.log_q; });
}

// With as many parts of each as there are draws of it.
Vector ImportanceDraws::log_proposal() const {
  const auto all = static_cast<double>(blocks());
  const double of_q = std::log(static_cast<double>(from_q_.size()) / all);
  return of_all([&](const Block& block) {
    Vector mixture = block.log_q.array() + of_q;
    for (std::size_t w = 0; w < part_.size(); ++w) {
      if (part_[w].blocks == 0) continue;
      const double of_wide = std::log(static_cast<double>(part_[w].blocks) / all);
      for (Index i = 0; i < mixture.size(); ++i) {
        const double a = mixture(i), b = of_wide + block.log_part[w](i), top = std::max(a, b);
        mixture(i) = top + std::log1p(std::exp(std::min(a, b) - top));
      }
    }
    return mixture;
  });
}

std::vector<ImportanceDraws::Other> ImportanceDraws::others() const {
  std::vector<Other> result;
  for (std::size_t o = 0; o < others_; ++o) {
    const double part = static_cast<double>(part_[o].blocks) / static_cast<double>(blocks());
    const Vector log_part = of_all([&](const Block& block) { return block.log_part[o]; });
    const Vector share = part * (log_part - log_proposal()).array().exp();
    const Vector ratio = log_density() - log_part;
    const Vector terms = (ratio.array() > -kInf).select(share.cwiseProduct(ratio), 0.0);
    result.push_back({share, terms.sum() / share.sum()});
  }
  return result;
}

void ImportanceDraws::keep_first(Index of_each, Vector& of_draws) {
  if (of_each >= per_block_) return;
  Vector kept(of_each * blocks());
  Index number = 0;
  for (auto* drawn : {&from_q_, &from_part_}) {
    for (Block& block : *drawn) {
      if (keep_) block.z = block.z.leftCols(of_each).eval();
      block.log_density = block.log_density.head(of_each).eval();
      block.log_q = block.log_q.head(of_each).eval();
      for (Vector& log_part : block.log_part) log_part = log_part.head(of_each).eval();
      kept.segment(number * of_each, of_each) = of_draws.segment(number * per_block_, of_each);
      ++number;
    }
  }
  of_draws = kept;
  per_block_ = of_each;
}

Matrix ImportanceDraws::take_theta() {
  Matrix theta(q_.dimension(), size());
  Index first = 0;
  for (auto* drawn : {&from_q_, &from_part_}) {
    for (Block& block : *drawn) {
      q_.forward(block.z, theta.middleCols(first, block.z.cols()));
      first += block.z.cols();
      block.z.resize(0, 0);
    }
  }
  return theta;
}

}  // namespace ravi
