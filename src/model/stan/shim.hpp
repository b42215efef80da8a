// The sources of the shim, which carries BridgeStan's interface over a translated Stan program.
// They are part of ravi as text, because they are compiled with each program, on the user's
// machine.
#pragma once

#include <span>
#include <string_view>

namespace ravi {

struct ShimFile {
  std::string_view name, text;
};

std::span<const ShimFile> shim_files();

}  // namespace ravi
