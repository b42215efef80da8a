// The registry entry of every built-in model, each defined in the file of that model.
#pragma once

#include "model/registry.hpp"

namespace ravi {

ModelEntry linear_regression_entry();
ModelEntry logistic_regression_entry();
ModelEntry eight_schools_centered_entry();
ModelEntry eight_schools_noncentered_entry();
ModelEntry radon_entry();
ModelEntry radon_unpooled_entry();
ModelEntry mnist_nn_entry();
ModelEntry gaussian_entry();
ModelEntry funnel_entry();
ModelEntry bimodal_entry();
ModelEntry cauchy_entry();
ModelEntry student_t_entry();

}  // namespace ravi
