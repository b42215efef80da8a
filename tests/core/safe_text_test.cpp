// What a terminal may be shown: spelled out is whatever would steer it.
#include "core/safe_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace ravi {
namespace {

TEST(SafeText, SpellsOutWhatSteersATerminal) {
  EXPECT_EQ(safe_line("\x1b[31m\x07\x7f\n\r\t"), "\\u001b[31m\\u0007\\u007f\\n\\r\\t");
  EXPECT_EQ(safe_line(std::string_view("\0", 1)), "\\u0000");
  EXPECT_EQ(safe_text("a\n\tb\rc"), "a\n\tb\\rc");
  EXPECT_EQ(safe_line("\u009b31m"), "\\u009b31m");  // C1: the same as ESC [
  EXPECT_EQ(safe_line("\u202egnp.\u2066x\u2069\u200f\u2028"),
            "\\u202egnp.\\u2066x\\u2069\\u200f\\u2028");
  EXPECT_EQ(safe_line("\U000e0041"), "\\udb40\\udc41");
}

TEST(SafeText, LeavesEveryOtherTextAlone) {
  const std::string text =
      "theta[1,2] = \"x\" \\ caf\u00e9 \u03c3\u00b2 \u6570 \U0001f600 \u0928\u200d";
  EXPECT_EQ(safe_line(text), text);
}

// RFC 3629: alone, cut, too long a form, a surrogate, beyond the last one.
TEST(SafeText, SpellsOutBytesThatAreNotUtf8) {
  EXPECT_EQ(safe_line("\x80 \xff \x9b"), "\\x80 \\xff \\x9b");
  EXPECT_EQ(safe_line("\xe2\x82"), "\\xe2\\x82");
  EXPECT_EQ(safe_line("\xc0\x9b"), "\\xc0\\x9b");
  EXPECT_EQ(safe_line("\xe0\x82\x9b"), "\\xe0\\x82\\x9b");
  EXPECT_EQ(safe_line("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(safe_line("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(SafeStream, MakesTextSafeHoweverItArrives) {
  std::ostringstream to;
  SafeStream out(to, true);
  out << "a\x1b" << 1.5 << '\x07' << "\xe2"
      << "\x82"
      << "\xac" << '\n'
      << "\xe2" << std::flush;
  EXPECT_EQ(to.str(), "a\\u001b1.5\\u0007\u20ac\n\\xe2");
}

TEST(SafeStream, LetsOnlyItsOwnSequencesThroughAndColorsOnlyTerminals) {
  for (const bool terminal : {true, false}) {
    std::ostringstream to;
    SafeStream out(to, terminal);
    out << Style::good << "\x1b[1;32m" << Style::plain;
    EXPECT_EQ(to.str(), terminal ? "\x1b[1;32m\\u001b[1;32m\x1b[0m" : "\\u001b[1;32m");
  }
  std::ostringstream plain;
  plain << Style::bad << "x";
  EXPECT_EQ(plain.str(), "x");
}

// A stream that failed says so, as it would without.
TEST(SafeStream, FailsWhereTheOtherStreamDoes) {
  std::ostringstream to;
  struct Full : std::streambuf {
  } full;
  to.std::ostream::rdbuf(&full);
  SafeStream out(to, false);
  out << "text";
  EXPECT_FALSE(out.flush());
}

}  // namespace
}  // namespace ravi
