// Text as a terminal may show it.
#include "core/safe_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace ravi {
namespace {

constexpr std::uint32_t kNone = 0xffffffff;

struct Character {
  std::uint32_t code;  // kNone: not UTF-8
  std::size_t size;    // in bytes; 1 where it is not UTF-8
  bool cut;            // the text ends within it
};

// The first character of a text that is not empty. UTF-8 as in RFC 3629: the shortest form only, no
// surrogates, nothing above U+10FFFF.
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1, false};
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) return {kNone, 1, false};
  std::uint32_t code = lead & (0x7fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if (i == text.size()) return {kNone, 1, true};
    if ((byte(i) & 0xc0u) != 0x80u) return {kNone, 1, false};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  const bool shortest = size == 2 || code >= (size == 3 ? 0x800u : 0x10000u);
  const bool exists = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return shortest && exists ? Character{code, size, false} : Character{kNone, 1, false};
}

struct Range {
  std::uint32_t first, last;
};

// Unicode's categories Cc, Zl, Zp, the characters of UAX #9 that set a direction, and those of Cf
// that show nothing and join nothing (soft hyphen, zero width space, word joiner, byte order mark,
// annotations, tags). Joiners stay: scripts need them.
constexpr Range kSteering[] = {{0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},
                               {0x61c, 0x61c},   {0x180e, 0x180e}, {0x200b, 0x200b},
                               {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
                               {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe0fff}};

bool steers(std::uint32_t code) {
  return std::ranges::any_of(kSteering, [&](Range r) { return r.first <= code && code <= r.last; });
}

void spell_out(std::string& safe, std::uint32_t code) {
  const auto out = std::back_inserter(safe);
  if (code == '\n') {
    safe += "\\n";
  } else if (code == '\r') {
    safe += "\\r";
  } else if (code == '\t') {
    safe += "\\t";
  } else if (code <= 0xffff) {
    fmt::format_to(out, "\\u{:04x}", code);
  } else {  // two surrogates, as in JSON
    fmt::format_to(out, "\\u{:04x}\\u{:04x}", 0xd800 + ((code - 0x10000) >> 10),
                   0xdc00 + ((code - 0x10000) & 0x3ff));
  }
}

// Appends what text becomes. What is left of a character at the end is returned if more is to come.
std::string_view make_safe(std::string_view text, std::string_view kept, bool more_to_come,
                           std::string& safe) {
  while (!text.empty()) {
    const Character c = first_of(text);
    if (c.cut && more_to_come) return text;
    if (c.code == kNone) {
      fmt::format_to(std::back_inserter(safe), "\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (steers(c.code) && kept.find(text[0]) == std::string_view::npos) {
      spell_out(safe, c.code);
    } else {
      safe += text.substr(0, c.size);
    }
    text.remove_prefix(c.size);
  }
  return {};
}

constexpr std::string_view kLayout = "\n\t";

std::string_view sequence_of(Style style) {
  switch (style) {
    case Style::plain:
      return "\x1b[0m";
    case Style::good:
      return "\x1b[1;32m";
    case Style::fair:
      return "\x1b[1;36m";
    case Style::bad:
      return "\x1b[1;31m";
    case Style::failure:
      return "\x1b[31m";
    case Style::warning:
      return "\x1b[33m";
    case Style::note:
      return "\x1b[36m";
  }
  return "";
}

}  // namespace

std::string safe_line(std::string_view text) {
  std::string safe;
  make_safe(text, "", false, safe);
  return safe;
}

std::string safe_text(std::string_view text) {
  std::string safe;
  make_safe(text, kLayout, false, safe);
  return safe;
}

SafeStream::SafeStream(std::ostream& to, bool is_terminal)
    : std::ostream(nullptr), buffer_(*to.rdbuf(), is_terminal) {
  rdbuf(&buffer_);
}

void SafeStream::Buffer::put_raw(std::string_view text) {
  const std::lock_guard lock(mutex_);
  put_rest();
  to_.sputn(text.data(), static_cast<std::streamsize>(text.size()));
}

std::streamsize SafeStream::Buffer::xsputn(const char* text, std::streamsize size) {
  const std::lock_guard lock(mutex_);
  std::string joined, safe;
  std::string_view all(text, static_cast<std::size_t>(size));
  if (!begun_.empty()) all = joined = begun_.append(all);
  begun_ = std::string(make_safe(all, kLayout, true, safe));
  const auto length = static_cast<std::streamsize>(safe.size());
  return to_.sputn(safe.data(), length) == length ? size : 0;
}

SafeStream::Buffer::int_type SafeStream::Buffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char one = traits_type::to_char_type(c);
  return xsputn(&one, 1) == 1 ? c : traits_type::eof();
}

int SafeStream::Buffer::sync() {
  const std::lock_guard lock(mutex_);
  return put_rest() ? to_.pubsync() : -1;
}

// Nobody knows whether more will come: what is there is not a character.
bool SafeStream::Buffer::put_rest() {
  std::string safe;
  make_safe(begun_, kLayout, false, safe);
  begun_.clear();
  const auto length = static_cast<std::streamsize>(safe.size());
  return length == 0 || to_.sputn(safe.data(), length) == length;
}

std::ostream& operator<<(std::ostream& out, Style style) {
  auto* const buffer = dynamic_cast<SafeStream::Buffer*>(out.rdbuf());
  if (buffer != nullptr && buffer->is_terminal()) buffer->put_raw(sequence_of(style));
  return out;
}

std::ostream& erase_line(std::ostream& out) {
  constexpr std::string_view sequence = "\r\x1b[2K";
  auto* const buffer = dynamic_cast<SafeStream::Buffer*>(out.rdbuf());
  if (buffer == nullptr) return out << sequence;
  buffer->put_raw(sequence);
  return out;
}

}  // namespace ravi
