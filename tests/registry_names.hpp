// Names of registry entries as GoogleTest wants them for parameterized tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace ravi {

struct EntryName {
  template <typename Info>
  std::string operator()(const Info& info) const {
    std::string name(info.param.name);
    std::ranges::replace(name, '-', '_');
    return name;
  }
};

}  // namespace ravi
