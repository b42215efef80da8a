// The version, as the build was told it.
#include "ravi/version.hpp"

namespace ravi {

std::string_view version() { return RAVI_VERSION; }

}  // namespace ravi
