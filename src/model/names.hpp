// Parameter names in Stan's way of counting: beta[1], beta[2], ...
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ravi/model.hpp"

namespace ravi {

// Appends name[1] .. name[count].
void append_indexed(std::vector<std::string>& names, std::string_view name, Index count);

// Appends name[1,1], name[2,1], ...: the first index runs fastest.
void append_indexed(std::vector<std::string>& names, std::string_view name, Index rows, Index cols);

}  // namespace ravi
