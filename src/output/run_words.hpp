// How a fit ran, in the words that the terminal and the report share.
#pragma once

#include <optional>
#include <string>

#include "ravi/fit.hpp"

namespace ravi {

// "330 iterations (converged)". A search that converged says so only where the fit as a whole did:
// chains that each came to rest, apart, have not.
std::string iterations_text(const Fit& fit);

// "151 to 330"; nothing when no iterate was averaged, because none was needed or none was reached.
std::optional<std::string> averaged_text(const Fit& fit);

}  // namespace ravi
