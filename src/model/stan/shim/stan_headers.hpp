// What a translated Stan program and the shim are compiled from; clang precompiles it once.
#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stan/io/array_var_context.hpp>
#include <stan/model/model_header.hpp>
#include <stan/version.hpp>
#include <stdexcept>
#include <string>
#include <vector>

// Debian 12 has Stan 2.21; Debian 13 has 2.32, with the stanc that came with 2.26 and a Stan Math
// that differentiates vectors as a whole by itself.
#define RAVI_STAN_AT_LEAST(minor) (STAN_MAJOR > 2 || STAN_MINOR >= minor)

#if RAVI_STAN_AT_LEAST(26)
#include "in_one_piece.hpp"
#else
#include "vector_operations.hpp"
#endif
