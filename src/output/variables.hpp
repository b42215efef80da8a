// Names of quantities as other programs spell them: CmdStan's columns, and arrays in a netCDF file.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ravi/model.hpp"

namespace ravi {

// theta[1,2] becomes theta.1.2, as CmdStan's CSV files have it. Characters that have a meaning in
// such a file become '_', and a name that is then taken gets '_' behind it.
std::vector<std::string> stan_columns(const std::vector<std::string>& names);

// A variable of some quantities: theta[1], ..., theta[8] together, or one quantity alone.
struct ArrayVariable {
  std::string name;               // letters, digits, '_'; no other variable or dimension has it
  std::string original;           // the name that it has elsewhere
  std::vector<Index> shape = {};  // empty: a scalar
  std::vector<Index> quantities = {};  // their places among the names, the last index runs fastest
  // "theta_dim_0", as ArviZ calls the dimensions of an array.
  std::string dimension(std::size_t axis) const;
};

// Names in brackets are gathered to arrays, where every element is there once; all others stand
// alone. No variable or dimension is called by a reserved name.
std::vector<ArrayVariable> array_variables(const std::vector<std::string>& names,
                                           std::span<const std::string_view> reserved);

}  // namespace ravi
