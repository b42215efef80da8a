// The header of numpy's files: a signature, a version, and a Python dictionary in text.
#include "model/npy.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

#include "ravi/error.hpp"

namespace ravi {
namespace {

constexpr std::string_view kSignature = "\x93NUMPY";
constexpr std::string_view kBlanks = " \t\n";

// Reads the header front to back; every complaint names the file.
class Header {
 public:
  Header(const std::string& path, std::string_view file) : path_(path) {
    const std::size_t fixed = kSignature.size() + 2;
    if (!file.starts_with(kSignature)) {
      fail("is not an .npy file: it does not begin as numpy's files do");
    }
    if (file.size() < fixed) fail("is cut short: its header is not whole");
    const int major = file[kSignature.size()], minor = file[kSignature.size() + 1];
    if (major < 1 || major > 3) {
      fail(fmt::format("is in version {}.{} of numpy's format, but 1.0 to 3.0 can be read", major,
                       minor));
    }
    // The length of the text, little endian.
    const std::size_t width = major == 1 ? 2 : 4;
    if (file.size() < fixed + width) fail("is cut short: its header is not whole");
    std::size_t length = 0;
    for (std::size_t i = width; i-- > 0;) {
      length = length << 8 | static_cast<unsigned char>(file[fixed + i]);
    }
    if (file.size() - fixed - width < length) fail("is cut short: its header is not whole");
    text_ = file.substr(fixed + width, length);
    end_ = fixed + width + length;
  }

  std::size_t end() const { return end_; }  // where the numbers begin

  // float32 or not.
  bool single() const {
    std::string_view rest = value("descr");
    const char quote = rest.empty() ? ' ' : rest.front();
    const std::size_t close = rest.find(quote, 1);
    if ((quote != '\'' && quote != '"') || close == std::string_view::npos) {
      fail("holds records, but an array of float32 or float64 is needed");
    }
    const std::string_view type = rest.substr(1, close - 1);
    if (type == "<f4" || type == "<f8") return type == "<f4";
    const bool big = type == ">f4" || type == ">f8";
    fail(
        fmt::format("holds {} (dtype '{}'), but little-endian float32 or float64 is needed: save "
                    "x.astype('<f4') or x.astype('<f8')",
                    big ? "big-endian numbers" : "numbers of another type", type));
  }

  bool by_columns() const {
    const std::string_view rest = value("fortran_order");
    if (rest.starts_with("True")) return true;
    if (!rest.starts_with("False")) malformed();
    return false;
  }

  // "(3, 4)", "(3,)" or "()".
  std::vector<Index> shape() const {
    std::string_view rest = value("shape");
    if (!rest.starts_with('(')) malformed();
    std::vector<Index> dimensions;
    for (rest.remove_prefix(1); !skip(rest, ')');) {
      Index dimension = 0;
      const char* end = rest.data() + rest.size();
      const auto [stop, error] = std::from_chars(rest.data(), end, dimension);
      if (error != std::errc() || dimension < 0) malformed();
      rest.remove_prefix(static_cast<std::size_t>(stop - rest.data()));
      dimensions.push_back(dimension);
      if (!skip(rest, ',') && !rest.starts_with(')')) malformed();
    }
    return dimensions;
  }

  [[noreturn]] void fail(std::string_view problem) const {
    throw UsageError(fmt::format("{}: {}", path_, problem));
  }

 private:
  [[noreturn]] void malformed() const { fail("has a header that numpy would not write"); }

  // What follows "'key':".
  std::string_view value(std::string_view key) const {
    for (const char quote : {'\'', '"'}) {
      const std::string quoted = fmt::format("{}{}{}", quote, key, quote);
      const std::size_t at = text_.find(quoted);
      if (at == std::string_view::npos) continue;
      std::string_view rest = text_.substr(at + quoted.size());
      if (!skip(rest, ':')) malformed();
      return rest;
    }
    malformed();
  }

  // Whether the next character is that one, which is then passed with the blanks around it.
  static bool skip(std::string_view& rest, char c) {
    pass_blanks(rest);
    if (!rest.starts_with(c)) return false;
    rest.remove_prefix(1);
    pass_blanks(rest);
    return true;
  }
  static void pass_blanks(std::string_view& rest) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
  }

  const std::string& path_;
  std::string_view text_;
  std::size_t end_ = 0;
};

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

NpyArray::NpyArray(const std::string& path) : file_(path) {
  const Header header(path, text_of(file_.bytes()));
  single_ = header.single();
  if (header.by_columns()) {
    header.fail(
        "is stored column by column (Fortran order), but rows are read: save "
        "numpy.ascontiguousarray(x)");
  }
  dimensions_ = header.shape();
  offset_ = header.end();
  const Index width = single_ ? sizeof(float) : sizeof(double);
  if (offset_ % static_cast<std::size_t>(width) != 0) {
    header.fail("has a header of odd length: save the array with numpy again");
  }
  const auto stored = static_cast<Index>(file_.bytes().size() - offset_);
  for (const Index dimension : dimensions_) {
    if (dimension == 0) header.fail("holds no numbers: one of its dimensions is 0");
    // Far from overflow, and longer than any file.
    if (size_ > std::numeric_limits<Index>::max() / width / dimension) {
      header.fail("has a header that tells of more numbers than there can be");
    }
    size_ *= dimension;
  }
  if (stored != size_ * width) {
    header.fail(fmt::format("{}: its header tells of {} bytes of numbers, but there are {}",
                            stored < size_ * width ? "is cut short" : "is too long", size_ * width,
                            stored));
  }
}

}  // namespace ravi
