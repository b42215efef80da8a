// The search of --method robust: from a start to the member of the family nearest to the posterior,
// or near it.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

#include "algorithm/judge/elbo_recorder.hpp"
#include "algorithm/robust/scores.hpp"

namespace ravi {

// One search. It needs no step size: a step is what the batch says, shortened when the batch after
// it contradicts.
class Search {
 public:
  enum class State { moving, settled, stalled, stuck };

  // Random numbers are addressed by (seed, number, step). The model must outlive the search.
  Search(const Model& model, const Approximation& start, Index draws, std::uint64_t seed,
         std::uint32_t number);

  // Before the first step: to the mode above the start, if there is one, or to one that is known;
  // else, if asked to look there, to where its way has come near to the mass.
  enum class OnTheWay { looked_at, passed };
  void climb(OnTheWay way, const std::atomic<bool>* stop,
             const std::function<bool(const Vector&)>& known);
  const std::optional<Vector>& summit() const { return summit_; }
  // log p where the climb began; not finite where it could not be computed.
  double log_density_of_start() const { return log_density_of_start_; }
  // Up to that many more steps; ends early when it is done.
  void run(int steps);

  State state() const { return state_; }
  bool found() const { return has_best_; }  // a q whose ELBO could be computed
  const Approximation& best() const { return *best_; }
  double best_elbo() const { return best_elbo_; }
  // E of the best q: how s depends on z there.
  const Matrix& slope() const { return best_slope_; }
  // How far p is from a Gaussian on the scale of the best q (newton.hpp).
  double nonlinearity() const { return best_nonlinearity_; }
  // log p - log q is constant to rounding at the best q: nothing is left to average.
  bool exact() const { return exact_; }
  std::int64_t evaluations() const { return evaluations_; }
  std::int64_t failed() const { return failed_; }
  const Vector& first_failure() const { return first_failure_; }
  ElboTrace elbo_trace() const { return recorder_.trace(); }

 private:
  using Member = std::unique_ptr<Approximation>;

  ScoreBatch draw(const Approximation& q);
  bool worse(const ScoreBatch& batch) const;
  void accept(Member q, ScoreBatch batch);
  void reject();
  void retreat();
  void advance();

  const Model* model_;
  Index draws_;
  std::uint64_t seed_;
  std::uint32_t number_;
  std::uint32_t step_ = 0;

  Member current_, best_;
  Matrix best_slope_;
  double best_nonlinearity_ = kUnknown;
  std::optional<Vector> summit_;
  double log_density_of_start_ = kUnknown;
  std::optional<ScoreBatch> batch_;  // of current_
  ScoreFit fit_;
  double best_elbo_ = 0, best_error_ = 0;
  double milestone_ = 0;  // the ELBO when there was progress last
  bool has_best_ = false, exact_ = false;
  double radius_, damping_ = 1;
  bool radius_was_binding_ = false;
  int rejected_ = 0, near_ = 0, since_progress_ = 0, retreats_ = 0;
  State state_ = State::moving;
  std::int64_t evaluations_ = 0, failed_ = 0;
  Vector first_failure_;
  ElboRecorder recorder_;  // of where each step has ended
};

}  // namespace ravi
