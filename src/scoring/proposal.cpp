// Draws for importance sampling: from q, and from wide distributions that learn from weights.
#include "scoring/proposal.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "core/numeric.hpp"
#include "core/parallel.hpp"
#include "core/rng.hpp"
#include "diagnostics/psis.hpp"
#include "limits/limits.hpp"
#include "scoring/weights.hpp"

namespace ravi {
namespace {

// Below which nothing is divided by.
constexpr double kSmallest = 1e-300;

constexpr Index kColumns = 100, kNumbers = Index{1} << 21;

// (nu / chi-square_nu)^(1/2): what makes a normal vector a t vector.
double t_factor(RandomStream& stream) {
  Vector normal(count(Limit::wide_degrees));
  stream.fill_normal(normal);
  return std::sqrt(static_cast<double>(normal.size()) / normal.squaredNorm());
}

// log(exp(a) + exp(b)).
Vector log_add(const Vector& a, const Vector& b) {
  Vector result(a.size());
  for (Index i = 0; i < a.size(); ++i) {
    const double top = std::max(a(i), b(i)), low = std::min(a(i), b(i));
    result(i) = low > -kInf ? top + std::log1p(std::exp(low - top)) : top;
  }
  return result;
}

}  // namespace

Index columns_per_call(Index dimension) {
  return std::clamp(kNumbers / std::max<Index>(1, dimension) / kPair * kPair, kPair, kColumns);
}

ImportanceDraws::ImportanceDraws(const Model& model, Components q, const Options& options,
                                 std::uint32_t which, Index per_block, bool keep,
                                 std::span<const Transport* const> others)
    : model_(model),
      q_(std::move(q)),
      options_(options),
      which_(which),
      per_block_(per_block),
      keep_(keep),
      others_(others.size()),
      weight_(Vector::Constant(std::ssize(q_), 1 / static_cast<double>(q_.size()))) {
  for (std::size_t c = 0; c < q_.size(); ++c) part_.push_back({.q = q_[c], .frame = c});
  for (const Transport* other : others) part_.push_back({.q = other});
  if (keep_) return;
  for (std::size_t c = 0; c < q_.size(); ++c) {
    part_.push_back(
        {.q = q_[c], .frame = c, .wide = true, .shift = Vector::Zero(q_[c]->dimension())});
  }
}

Index ImportanceDraws::wide_blocks() const {
  Index sum = 0;
  for (const Part& part : part_) sum += part.wide ? part.blocks : 0;
  return sum / std::ssize(q_);
}

// log density of T(shift + root x) at T(z).
Vector ImportanceDraws::log_density_of_wide(const Part& part, const ConstMatrixRef& z) const {
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
  return constant - part.q->log_det(z).array() -
         0.5 * (nu + p) * (t.colwise().squaredNorm().transpose().array() / nu).log1p();
}

// One of every pair of a block, with E[z z'] = I; nothing where there are too few for that.
Matrix ImportanceDraws::normals_of_q(Index number) const {
  const Index p = q_.front()->dimension(), pairs = (per_block_ + 1) / kPair;
  // Where there are few, that would change much.
  if (pairs < count(Limit::draws_of_moments) * p) return {};
  Matrix z(p, pairs);
  RandomStream(options_.seed, Purpose::importance, which_, static_cast<std::uint32_t>(number))
      .fill_normal(z);
  const Eigen::LLT<Matrix> second(z * z.transpose() / static_cast<double>(pairs));
  return second.matrixL().solve(z);
}

// In chunks, each with a random stream of its own, so that threads do not matter.
ImportanceDraws::Block ImportanceDraws::draw(std::size_t from, Index number) const {
  const Part& part = part_[from];
  const bool of_q = from < q_.size();
  const Index p = part.q->dimension(), s = per_block_, per_chunk = columns_per_call(p);
  const Index chunks = (s + per_chunk - 1) / per_chunk;
  Block drawn{part.frame, Matrix(keep_ ? p : 0, s), Vector(s),
              std::vector<Vector>(part_.size(), Vector(s))};
  const Matrix matched = of_q ? normals_of_q(number) : Matrix();
  parallel_for(chunks, resolve_threads(options_.threads), [&](Index chunk) {
    const Index first = chunk * per_chunk, n = std::min(per_chunk, s - first);
    Matrix half(p, (n + 1) / kPair), theta(p, n);
    // In the coordinates of every component.
    std::vector<Matrix> z(q_.size(), Matrix(p, n));
    Vector log_density(n);
    RandomStream stream(options_.seed, of_q ? Purpose::importance : Purpose::wide, which_,
                        static_cast<std::uint32_t>(number * chunks + chunk));
    if (matched.size() > 0) {
      half = matched.middleCols(first / kPair, half.cols());
    } else {
      stream.fill_normal(half);
    }
    if (part.wide) {
      for (Index i = 0; i < half.cols(); ++i) half.col(i) *= t_factor(stream);
      if (part.root.size() > 0) half = part.root.triangularView<Eigen::Lower>() * half;
    }
    Matrix& own = z[part.frame];
    for (Index i = 0; i < n; ++i) own.col(i) = (i % kPair == 0 ? 1 : -1) * half.col(i / kPair);
    if (part.wide) own.colwise() += part.shift;
    part.q->forward(own, theta);
    for (std::size_t c = 0; c < q_.size(); ++c) {
      if (part.q != q_[c]) q_[c]->inverse(theta, z[c]);
    }
    model_.log_density(theta, log_density);
    for (double& value : log_density) {
      if (!std::isfinite(value)) value = -kInf;
    }
    drawn.log_density.segment(first, n) = log_density;
    for (std::size_t w = 0; w < part_.size(); ++w) {
      const Part& of = part_[w];
      const bool component = of.q == q_[of.frame];
      drawn.log_part[w].segment(first, n) = of.wide     ? log_density_of_wide(of, z[of.frame])
                                            : component ? of.q->log_density_at(z[of.frame])
                                                        : of.q->log_density(theta);
    }
    // What cannot be computed has no weight, wherever it is from.
    for (Vector& log_part : drawn.log_part) {
      for (Index i = first; i < first + n; ++i) {
        if (std::isnan(log_part(i)) && drawn.log_density(i) == -kInf) log_part(i) = 0;
      }
    }
    if (keep_) drawn.z.middleCols(first, n) = own;
  });
  return drawn;
}

void ImportanceDraws::draw_from_q(Index blocks) {
  for (Index b = 0; b < blocks; ++b) {
    for (std::size_t c = 0; c < q_.size(); ++c) {
      ++part_[c].blocks;
      from_q_.push_back(draw(c, static_cast<Index>(from_q_.size())));
    }
  }
}

void ImportanceDraws::draw_from_others(Index blocks) {
  for (std::size_t i = q_.size(); i < q_.size() + others_; ++i) {
    for (Index b = 0; b < blocks; ++b) {
      ++part_[i].blocks;
      from_part_.push_back(draw(i, static_cast<Index>(from_part_.size())));
    }
  }
}

// Further parts, whose density at the draws there are is theirs too.
void ImportanceDraws::add_to_blocks(const std::vector<Part>& parts) {
  for (auto* drawn : {&from_q_, &from_part_}) {
    parallel_for(static_cast<Index>(drawn->size()), resolve_threads(options_.threads),
                 [&](Index b) {
                   Block& block = (*drawn)[static_cast<std::size_t>(b)];
                   Matrix theta(block.z.rows(), block.z.cols()), z(theta);
                   if (parts.size() > 1) q_[block.frame]->forward(block.z, theta);
                   for (const Part& part : parts) {
                     const bool own = part.frame == block.frame;
                     if (!own) part.q->inverse(theta, z);
                     block.log_part.push_back(log_density_of_wide(part, own ? block.z : z));
                   }
                 });
  }
  part_.insert(part_.end(), parts.begin(), parts.end());
}

void ImportanceDraws::draw_wide(Index blocks) {
  if (keep_) {
    std::vector<Part> parts;
    for (std::size_t c = 0; c < q_.size(); ++c) parts.push_back(learned(c));
    add_to_blocks(parts);
  }
  for (std::size_t w = part_.size() - q_.size(); w < part_.size(); ++w) {
    part_[w].blocks += blocks;
    for (Index b = 0; b < blocks; ++b) {
      from_part_.push_back(draw(w, static_cast<Index>(from_part_.size())));
    }
  }
}

// The moments of the posterior in the z of a component, by the weights of what was drawn there,
// mixed with those of the component by how many draws count, as if one for every coordinate had
// told those (an inverse Wishart prior has no fewer); never narrower than that in any direction.
// Nothing is learned from few draws, nor where it would take long.
ImportanceDraws::Part ImportanceDraws::learned(std::size_t frame) const {
  const Index p = q_[frame]->dimension();
  Part wide{.q = q_[frame], .frame = frame, .wide = true, .shift = Vector::Zero(p)};
  if (p > count(Limit::dense_coordinates)) return wide;
  Vector log_ratio = log_density() - log_proposal();
  // What was drawn in other coordinates is another component's.
  Index next = 0;
  for (const auto* drawn : {&from_q_, &from_part_}) {
    for (const Block& block : *drawn) {
      if (block.frame != frame) log_ratio.segment(next, per_block_).setConstant(-kInf);
      next += per_block_;
    }
  }
  const Psis smoothed = psis(log_ratio);
  const auto believed = static_cast<double>(p);
  if (!(smoothed.ess > limit(Limit::draws_of_moments) * believed)) return wide;
  const Vector weights = normalize_log_weights(smoothed.log_weights).array().exp();
  const double known = smoothed.ess / (smoothed.ess + believed);
  Matrix second = Matrix::Zero(p, p);
  Vector mean = Vector::Zero(p);
  Index first = 0;
  for (const auto* drawn : {&from_q_, &from_part_}) {
    for (const Block& block : *drawn) {
      const auto w = weights.segment(first, per_block_);
      first += per_block_;
      if (block.frame != frame) continue;
      mean += block.z * w;
      second += block.z * w.asDiagonal() * block.z.transpose();
    }
  }
  const Matrix cov =
      known * (second - mean * mean.transpose()) + (1 - known) * Matrix::Identity(p, p);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(cov);
  if (eigen.info() != Eigen::Success) return wide;
  const Matrix& v = eigen.eigenvectors();
  wide.shift = known * mean;
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
      all.segment(first, per_block_) = f(block);
      first += per_block_;
    }
  }
  return all;
}

Vector ImportanceDraws::log_q_of(const Block& block) const {
  if (q_.size() == 1) return block.log_part.front();
  Vector result = Vector::Constant(per_block_, -kInf);
  for (std::size_t c = 0; c < q_.size(); ++c) {
    result = log_add(result, block.log_part[c].array() + std::log(weight_(static_cast<Index>(c))));
  }
  return result;
}

Matrix ImportanceDraws::share_of_component() const {
  Matrix result(size(), std::ssize(q_));
  const Vector log_q = this->log_q();
  for (std::size_t c = 0; c < q_.size(); ++c) {
    const auto place = static_cast<Index>(c);
    const Vector log_part = of_all([&](const Block& block) { return block.log_part[c]; });
    result.col(place) = weight_(place) * (log_part - log_q).array().exp();
  }
  return result;
}

// EM for the weights of fixed components: each becomes the mean of its share over all draws. A
// thousandth of a weight more or less matters to nothing.
void ImportanceDraws::reweigh() {
  if (q_.size() == 1) return;
  constexpr int kSteps = 200;
  constexpr double kSettled = 1e-5;
  const Vector weights =
      normalize_log_weights(smooth(log_density() - log_proposal()).log_weights).array().exp();
  // Densities of the components, over that of q.
  const Matrix density = share_of_component() * weight_.cwiseInverse().asDiagonal();
  Vector next = weight_;
  for (int i = 0; i < kSteps; ++i) {
    const Vector before = next;
    const Vector ratio = weights.cwiseQuotient((density * before).cwiseMax(kSmallest));
    next = before.cwiseProduct(density.transpose() * ratio);
    next /= next.sum();
    if ((next - before).cwiseAbs().maxCoeff() < kSettled) break;
  }
  weight_ = next.cwiseMax(kSmallest);
}

// Pairs of the component that counts most are all there; of every other, as many as it counts. Each
// has its place by how far it is on in its component.
std::vector<Index> ImportanceDraws::draws_of_q() const {
  if (q_.size() == 1) {
    std::vector<Index> all(static_cast<std::size_t>(std::ssize(from_q_) * per_block_));
    std::iota(all.begin(), all.end(), Index{0});
    return all;
  }
  const Index components = std::ssize(q_), of_each = part_.front().blocks * per_block_ / kPair;
  std::vector<std::pair<double, Index>> place;
  for (Index c = 0; c < components; ++c) {
    const double share = weight_(c) / weight_.maxCoeff() * static_cast<double>(of_each);
    for (Index i = 0; i < std::min<Index>(of_each, std::lround(share)); ++i) {
      const Index block = 2 * i / per_block_, within = 2 * i % per_block_;
      place.emplace_back((static_cast<double>(i) + 0.5) / share,
                         (block * components + c) * per_block_ + within);
    }
  }
  std::ranges::stable_sort(place, {}, &std::pair<double, Index>::first);
  std::vector<Index> result;
  for (const auto& [unused, first] : place) {
    for (Index i = 0; i < kPair; ++i) result.push_back(first + i);
  }
  return result;
}

Vector ImportanceDraws::log_ratio() const {
  const Vector all = log_density() - log_q();
  return all(draws_of_q());
}

Vector ImportanceDraws::log_density() const {
  return of_all([](const Block& block) { return block.log_density; });
}

Vector ImportanceDraws::log_q() const {
  return of_all([&](const Block& block) { return log_q_of(block); });
}

// With as many parts of each as there are draws of it.
Vector ImportanceDraws::log_proposal() const {
  const auto all = static_cast<double>(blocks());
  return of_all([&](const Block& block) {
    Vector mixture = Vector::Constant(per_block_, -kInf);
    for (std::size_t w = 0; w < part_.size(); ++w) {
      if (part_[w].blocks == 0) continue;
      const double of_part = std::log(static_cast<double>(part_[w].blocks) / all);
      mixture = log_add(mixture, block.log_part[w].array() + of_part);
    }
    return mixture;
  });
}

std::vector<ImportanceDraws::Other> ImportanceDraws::others() const {
  std::vector<Other> result;
  for (std::size_t o = q_.size(); o < q_.size() + others_; ++o) {
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
      for (Vector& log_part : block.log_part) log_part = log_part.head(of_each).eval();
      kept.segment(number * of_each, of_each) = of_draws.segment(number * per_block_, of_each);
      ++number;
    }
  }
  of_draws = kept;
  per_block_ = of_each;
}

Matrix ImportanceDraws::take_theta() {
  Matrix theta(q_.front()->dimension(), size());
  Index first = 0;
  for (auto* drawn : {&from_q_, &from_part_}) {
    for (Block& block : *drawn) {
      q_[block.frame]->forward(block.z, theta.middleCols(first, block.z.cols()));
      first += block.z.cols();
      block.z.resize(0, 0);
    }
  }
  return theta;
}

}  // namespace ravi
