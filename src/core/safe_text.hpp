// Text as a terminal may show it: what would steer the terminal is spelled out.
#pragma once

#include <mutex>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace ravi {

// Control characters, what turns the direction of writing or cannot be seen, and bytes that are not
// UTF-8 become \n, \u001b, \xff: as JSON writes them, but for the last, which JSON cannot have. All
// else stays as it is. The text becomes one line.
std::string safe_line(std::string_view text);
// The same, but lines and tabs are kept.
std::string safe_text(std::string_view text);

// What ravi itself does to a terminal.
enum class Style { plain, good, fair, bad, failure, warning, note };

// A stream whose text is made safe, as by safe_text(), on its way to another stream. Only
// erase_line and styles reach a terminal as they are; styles are left out where there is none.
class SafeStream : public std::ostream {
 public:
  SafeStream(std::ostream& to, bool is_terminal);

 private:
  friend std::ostream& operator<<(std::ostream& out, Style style);
  friend std::ostream& erase_line(std::ostream& out);

  class Buffer : public std::streambuf {
   public:
    Buffer(std::streambuf& to, bool is_terminal) : to_(to), is_terminal_(is_terminal) {}
    bool is_terminal() const { return is_terminal_; }
    void put_raw(std::string_view text);

   protected:
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int_type overflow(int_type c) override;
    int sync() override;

   private:
    bool put_rest();

    std::mutex mutex_;  // a Stan program prints from the chains' threads
    std::streambuf& to_;
    bool is_terminal_;
    std::string begun_;  // a character of which bytes are still to come
  };
  Buffer buffer_;
};

// For text from here on; nothing where the stream is not a SafeStream on a terminal.
std::ostream& operator<<(std::ostream& out, Style style);
// Empties the line that the cursor is in; for callers who know that there is a terminal.
std::ostream& erase_line(std::ostream& out);

}  // namespace ravi
