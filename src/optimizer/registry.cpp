// The optimizers: a new one is a line here and a file beside this one.
#include <array>

#include "optimizer/adagrad.hpp"
#include "optimizer/adam.hpp"
#include "optimizer/rmsprop.hpp"
#include "optimizer/sgd.hpp"

namespace ravi {
namespace {

template <typename Rule>
std::unique_ptr<Optimizer> make(double step_size, const StepRuleSettings& settings, Index size) {
  return std::make_unique<Rule>(step_size, settings, size);
}

constexpr std::array kOptimizers = {
    OptimizerEntry{"rmsprop", "scaled by a running root mean square of the gradient", make<RmsProp>,
                   RmsProp::kOwn},
    OptimizerEntry{"adagrad", "scaled by the root of all squared gradients so far", make<Adagrad>,
                   Adagrad::kOwn},
    OptimizerEntry{"adagrad-windowed",
                   "the same over the last ten gradients, as the authors ran it",
                   make<WindowedAdagrad>, WindowedAdagrad::kOwn},
    OptimizerEntry{"adam", "running means of gradient and square, bias corrected", make<Adam>},
    OptimizerEntry{"sgd", "constant learning rate, gamma_t = 1", make<Sgd>},
    OptimizerEntry{"sgd-robbins-monro", "falling learning rate, gamma_t = t^-0.6",
                   make<RobbinsMonro>},
};

}  // namespace

std::unique_ptr<Optimizer> OptimizerEntry::make(double step_size, Index size,
                                                const StepRuleSettings& given) const {
  StepRuleSettings settings = own;
  if (given.decay != 0) settings.decay = given.decay;
  if (given.offset != 0) settings.offset = given.offset;
  if (!given.offset_place.empty()) settings.offset_place = given.offset_place;
  if (given.squares != 0) settings.squares = given.squares;
  return make_with(step_size, settings, size);
}

std::span<const OptimizerEntry> optimizer_registry() { return kOptimizers; }

}  // namespace ravi
