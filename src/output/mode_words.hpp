// Modes of a mixture, as people read of them.
#pragma once

#include <string>

#include "ravi/fit.hpp"

namespace ravi {

// "70.1 +- 0.3 %".
std::string percent_with_error(double share, double error);

// "mode 1 with indices 1, 2 in place of 2, 1", of a mode that is another one with its indices
// exchanged; else empty.
std::string exchange_text(const ModeSummary& mode);

}  // namespace ravi
