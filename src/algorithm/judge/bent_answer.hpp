// What a q that bends makes of an answer whose weights will not do.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

#include "bending/bend.hpp"
#include "scoring/score.hpp"

namespace ravi {

struct BentAnswer {
  std::unique_ptr<Bent> q;
  Answer answer;
  std::vector<Finding> findings = {};  // if it is good
  bool good = false;                   // its weights are to be trusted
};

// Whether the weights of a q that has more shapes than a Gaussian are good enough for it to be the
// answer: necks that it does not reach are not seen by them.
bool weights_good(const Answer& answer);

// Bends the Gaussian, which can be bent, twice, with other random numbers; where the two agree,
// scores what is fitted to the draws of both. `spent` is what all of that took in gradients, also
// where nothing came of it.
std::optional<BentAnswer> bend_answer(const Model& model, const Approximation& gaussian,
                                      const Options& options, const std::atomic<bool>* stop,
                                      const std::function<Answer(const Transport&)>& scored,
                                      std::int64_t& spent);

}  // namespace ravi
