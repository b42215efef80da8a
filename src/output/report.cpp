// Puts the report together: page, style, D3, scripts, and the data that they show.
#include "output/report.hpp"

#include "core/content_hash.hpp"
#include "output/report_data.hpp"
#include "output/web_files.hpp"

namespace ravi {
namespace {

std::string text_of(std::string_view file) {
  std::string text;
  for (const WebFile& piece : web_files()) {
    if (piece.name == file) text += piece.text;
  }
  return text;
}

// Every script but D3, in the order of CMakeLists.txt; main.js, which uses the others, is last.
std::string own_scripts() {
  std::string text;
  for (const WebFile& piece : web_files()) {
    if (piece.name.ends_with(".js") && piece.name != kD3File) text += piece.text;
  }
  return text;
}

// JSON that cannot end the script element it stands in: '<' occurs only within strings.
std::string without_markup(const std::string& json) {
  std::string text;
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string report_html(const Fit& fit, const Reference* reference) {
  // Names that are not UTF-8 lose the bytes that are not.
  const std::string data = without_markup(
      report_data(fit, reference).dump(-1, ' ', false, OrderedJson::error_handler_t::replace));
  // The page runs only scripts and styles that carry this word, so that markup in data, if it ever
  // became markup of the page, would still do nothing.
  const std::string nonce = content_hash(std::span(&data, 1));
  const std::string page = text_of("report.html");
  std::string html;
  std::size_t end = 0;
  for (std::size_t start; (start = page.find("{{", end)) != std::string::npos;) {
    html += page.substr(end, start - end);
    end = page.find("}}", start) + 2;
    const std::string key = page.substr(start + 2, end - start - 4);
    html += key == "nonce"     ? nonce
            : key == "style"   ? text_of("report.css")
            : key == "d3"      ? text_of(kD3File)
            : key == "scripts" ? own_scripts()
                               : data;
  }
  return html + page.substr(end);
}

}  // namespace ravi
