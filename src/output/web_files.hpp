// The page of the report, its style and its scripts: the files of web/ and D3, as text.
#pragma once

#include <span>
#include <string_view>

namespace ravi {

// A piece of a file; long files come in several, in order.
struct WebFile {
  std::string_view name, text;
};

inline constexpr std::string_view kD3File = "d3.min.js";

std::span<const WebFile> web_files();

}  // namespace ravi
