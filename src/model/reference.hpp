// Reference posteriors: the moments that an approximation is scored against.
#pragma once

#include <string>

#include "ravi/fit.hpp"

namespace ravi {

// Reads `parameters` and the best moments in the file: those under `exact`, else those under
// `importance_sampling`, else the sampled `mean` and `cov`. Throws UsageError when something is
// missing, of the wrong shape, or cov is no covariance matrix.
Reference read_reference(const std::string& path);

// Throws UsageError unless the reference has the model's unconstrained parameters in their order.
void check_reference(const Reference& reference, const Model& model);

// Both: the file's reference, for that model.
Reference read_reference(const std::string& path, const Model& model);

}  // namespace ravi
