// Draws for importance sampling: from q, and from wide distributions that learn from weights.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "family/transport.hpp"

namespace ravi {

// What q is made of: itself, or the components of a mixture, which q is then.
using Components = std::vector<const Transport*>;

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
//
// q may be a mixture. Each of its components is drawn from alike, and around each there are wide
// draws; how much each counts is found from the weights of all draws (reweigh). Draws of q are then
// as many of every component as that is.
class ImportanceDraws {
 public:
  // Keeping the draws takes P numbers for each; without them every t is around q.
  ImportanceDraws(const Model& model, Components q, const Options& options, std::uint32_t which,
                  Index per_block, bool keep, std::span<const Transport* const> others = {});

  // What is not finite of a log density becomes -inf. So many blocks of every component.
  void draw_from_q(Index blocks);
  void draw_from_others(Index blocks);  // of each
  void draw_wide(Index blocks);         // around every component

  // How much each component of q counts: of what maximizes the likelihood of all draws by their
  // weights, the least KL(p || q), after some steps of EM.
  const Vector& weight_of_component() const { return weight_; }
  void reweigh();
  void weigh_components(const Vector& weight) { weight_ = weight; }

  Index blocks() const { return static_cast<Index>(from_q_.size() + from_part_.size()); }
  Index size() const { return per_block_ * blocks(); }
  Index wide_blocks() const;  // around every component
  // The draws of q: of a mixture as many of each component as it counts, well mixed.
  std::vector<Index> draws_of_q() const;
  Vector log_ratio() const;  // log p - log q of those

  // Of all draws, those of components first.
  Vector log_density() const;
  Vector log_q() const;
  // How much of the density of q is each component's, a row for every draw.
  Matrix share_of_component() const;
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
  // A component of q or another optimum; or T(shift + root x), T that of a component and x of a t
  // distribution.
  struct Part {
    const Transport* q = nullptr;
    std::size_t frame = 0;  // the component in whose coordinates z are
    bool wide = false;
    Vector shift = {};
    Matrix root = {};  // lower triangular; empty: I
    Index blocks = 0;
  };
  struct Block {
    std::size_t frame;  // the component in whose coordinates z are
    Matrix z;           // theta = T(z); empty where draws are not kept
    Vector log_density;
    std::vector<Vector> log_part;  // of every part
  };

  Block draw(std::size_t part, Index number) const;
  Matrix normals_of_q(Index number) const;
  Part learned(std::size_t frame) const;
  Vector log_density_of_wide(const Part& part, const ConstMatrixRef& z) const;
  Vector log_q_of(const Block& block) const;
  void add_to_blocks(const std::vector<Part>& parts);
  template <typename F>
  Vector of_all(F f) const;

  const Model& model_;
  Components q_;
  const Options& options_;
  std::uint32_t which_;
  Index per_block_;
  bool keep_;
  std::size_t others_;
  Vector weight_;           // of components
  std::vector<Part> part_;  // components, other optima, and what is wide
  std::vector<Block> from_q_, from_part_;
};

}  // namespace ravi
