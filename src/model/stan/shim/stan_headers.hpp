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

#include "vector_operations.hpp"
