// Draws for importance sampling: from q, and from wide distributions that learn from weights.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "family/transport.hpp"

namespace ravi {

// Draws come in pairs, z and -z: the mean of anything linear in z is then exact, and only the
// weights' variation makes an error.
inline constexpr Index kPair = 2;

// Columns per call of the model: whole pairs, enough of them for matrix products, few enough for
// the cache, and for memory where P is large.
Index columns_per_call(Index dimension);

// Draws of q, of other optima where there are some, and draws of multivariate t distributions with
// 4 degrees of freedom, all weighted by the mixture they come from (a defensive mixture, Hesterberg
// 1995): what lies where q hardly goes, a heavy tail or the end of a banana, is seen. Each t has
// the mean and the covariance that the weights of the draws before it say the posterior has (Cappe
// et al. 2004), so that a tail on one side, or a direction in which q is too narrow, is drawn from
// sooner than by a t around q.
//
// Draws come in blocks of one size. Those of q have the moments of q exactly, where there are
// enough of them for that to change little: moments of the posterior then have the error of the
// weights alone. Random numbers are addressed by (seed, which, block).
class ImportanceDraws {
 public:
  // Keeping the draws takes P numbers for each; without them every t is around q.
  ImportanceDraws(const Model& model, const Transport& q, const Options& options,
                  std::uint32_t which, Index per_block, bool keep,
                  std::span<const Transport* const> others = {});

  // What is not finite of a log density becomes -inf.
  void draw_from_q(Index blocks);
  void draw_from_others(Index blocks);  // of each
  void draw_wide(Index blocks);

  Index of_q() const { return per_block_ * static_cast<Index>(from_q_.size()); }
  Index blocks() const { return static_cast<Index>(from_q_.size() + from_part_.size()); }
  Index size() const { return of_q() + per_block_ * static_cast<Index>(from_part_.size()); }
  Index wide_blocks() const;
  Vector log_ratio() const;  // log p - log q of all draws of q

  // Of all draws, those of q first.
  Vector log_density() const;
  Vector log_q() const;
  Vector log_proposal() const;  // of the mixture
  // An optimum's share of the mixture at every draw, and its ELBO by the draws of all.
  struct Other {
    Vector share;
    double elbo = 0;
  };
  std::vector<Other> others() const;
  Matrix take_theta();  // only where they were kept; once

  // Drops all but the first draws of every block, from here and from what belongs to the draws:
  // what is left comes from the same mixture.
  void keep_first(Index of_each, Vector& of_draws);

 private:
  // Another optimum; else T(shift + root x), x of a t distribution.
  struct Part {
    const Transport* optimum = nullptr;
    Vector shift = {};
    Matrix root = {};  // lower triangular; empty: I
    Index blocks = 0;
  };
  struct Block {
    Matrix z;  // theta = T(z) of q; empty where draws are not kept
    Vector log_density, log_q;
    std::vector<Vector> log_part;  // of every part but q
    Vector ratio() const { return log_density - log_q; }
  };

  Block draw(const Part* part, Index number) const;
  Matrix normals_of_q(Index number) const;
  Part learned() const;
  Vector log_density_of_wide(const Part& part, const Matrix& z) const;
  template <typename F>
  Vector of_all(F f) const;

  const Model& model_;
  const Transport& q_;
  const Options& options_;
  std::uint32_t which_;
  Index per_block_;
  bool keep_;
  std::size_t others_;
  std::vector<Part> part_;  // the other optima first
  std::vector<Block> from_q_, from_part_;
};

}  // namespace ravi
