// A document as one HTML page.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "paper/document.hpp"
#include "paper/plot.hpp"

namespace ravi::paper {
namespace {

constexpr const char* kStyle = R"(
body { font: 15px/1.5 Helvetica, Arial, sans-serif; color: #222; margin: 0 auto; padding: 1.2em 2em;
  max-width: 1360px; background: #fff; }
h1 { font-size: 1.6em; margin: 0 0 .4em; }
h2 { font-size: 1.25em; margin: 2em 0 .5em; border-bottom: 1px solid #ccc; }
p { max-width: 60em; margin: .6em 0; overflow-wrap: break-word; }
nav a { margin-right: 1.2em; display: inline-block; }
a { color: #0072b2; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .8em 0 1.4em; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: bold; padding: .3em 0; }
caption span { position: sticky; left: 0; display: inline-block; max-width: calc(100vw - 4em); }
th, td { padding: .18em .6em; text-align: right; vertical-align: top; }
th { border-bottom: 2px solid #666; vertical-align: bottom; }
td { border-bottom: 1px solid #eee; white-space: nowrap; }
td.text, th.text { text-align: left; }
td.long { min-width: 16em; max-width: 34em; white-space: normal; }
tr.first td { border-top: 2px solid #bbb; }
tr.printed td { background: #f3f0e6; }
tr.missing td { color: #8a5a00; }
.figures { display: flex; flex-wrap: wrap; gap: 18px; }
figure { margin: 0 0 1em; width: 640px; max-width: 100%; }
figure svg { max-width: 100%; height: auto; display: block; }
figcaption { font-size: .93em; }
details { margin: .3em 0; font-size: .9em; }
summary { cursor: pointer; color: #0072b2; }
@media (max-width: 600px) {
  body { padding: .8em 1em; }
  h1 { font-size: 1.3em; }
  caption span { max-width: calc(100vw - 2em); }
  .sentences, .sentences tbody, .sentences tr, .sentences td { display: block; border: 0; }
  .sentences thead { display: none; }
  .sentences td, .sentences td.long { padding: .1em 0; text-align: left; white-space: normal;
    min-width: 0; max-width: none; overflow-wrap: anywhere; }
  .sentences tr { padding: .5em 0; border-top: 1px solid #bbb; }
  .sentences tr.first td { border-top: 0; }
  .sentences td[data-head]::before { content: attr(data-head) ": "; color: #666; }
  .sentences td:first-child { font-weight: bold; }
  .sentences td:first-child::before { content: ""; }
}
)";

// Words are set to the left, numbers to the right. Numbers may have an asterisk, or be unknown.
bool is_text(const std::string& cell) {
  if (cell.empty() || cell == "-") return false;
  char* end = nullptr;
  std::strtod(cell.c_str(), &end);
  return end == cell.c_str() || (*end != '\0' && std::string_view(end) != "*");
}

// What most of its cells are, which is how a column is set.
bool is_text(const Table& table, std::size_t column) {
  int words = 0, numbers = 0;
  for (const Row& row : table.rows) {
    if (column >= row.cells.size() || row.cells[column].empty()) continue;
    ++(is_text(row.cells[column]) ? words : numbers);
  }
  return words > numbers;
}

constexpr std::size_t kLong = 45;  // characters: cells that wrap

bool is_long(const std::string& cell) { return cell.size() > kLong; }

// Where nearly every row has long cells a narrow screen shows rows as paragraphs.
bool has_sentences(const Table& table) {
  const auto with_long = std::ranges::count_if(
      table.rows, [](const Row& row) { return std::ranges::any_of(row.cells, is_long); });
  return 2 * with_long > std::ssize(table.rows);
}

std::string cell_text(const std::string& cell, const std::string& head, bool text) {
  return fmt::format("<td{}{}>{}</td>",
                     is_long(cell)           ? " class=\"text long\""
                     : text || is_text(cell) ? " class=\"text\""
                                             : "",
                     head.empty() ? "" : fmt::format(" data-head=\"{}\"", escaped(head)),
                     escaped(cell));
}

std::string row_class(const Row& row) {
  std::string names = row.first_of_group ? "first" : "";
  if (row.kind == RowKind::printed) names += " printed";
  if (row.kind == RowKind::missing) names += " missing";
  return names.empty() ? "" : fmt::format(" class=\"{}\"", names);
}

std::string html_of(const Table& table) {
  const bool sentences = has_sentences(table);
  std::string text =
      fmt::format("<div class=\"scroll\"><table{}>\n", sentences ? " class=\"sentences\"" : "");
  if (!table.caption.empty())
    text += "<caption><span>" + escaped(table.caption) + "</span></caption>\n";
  text += "<thead><tr>";
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    text += fmt::format("<th scope=\"col\"{}>{}</th>", is_text(table, i) ? " class=\"text\"" : "",
                        escaped(table.header[i]));
  }
  text += "</tr></thead>\n<tbody>\n";
  for (const Row& row : table.rows) {
    text += fmt::format("<tr{}>", row_class(row));
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const bool labeled = sentences && i < table.header.size() && !row.cells[i].empty();
      text += cell_text(row.cells[i], labeled ? table.header[i] : "", is_text(table, i));
    }
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string html_of(const Figures& figures) {
  std::string text = "<div class=\"figures\">\n";
  for (const Figure& figure : figures) {
    text += fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n", figure.svg,
                        escaped(figure.caption));
    if (!figure.numbers.rows.empty()) {
      text +=
          "<details><summary>the numbers</summary>\n" + html_of(figure.numbers) + "</details>\n";
    }
    text += "</figure>\n";
  }
  return text + "</div>\n";
}

std::string html_of(const Text& text) { return "<p>" + escaped(text) + "</p>\n"; }

}  // namespace

std::string to_html(const Document& document) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "name=\"viewport\" content=\"width=device-width\">\n<link rel=\"icon\" "
      "href=\"data:,\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
      escaped(document.title), kStyle);
  text += "<nav>";
  for (std::size_t i = 0; i < document.sections.size(); ++i) {
    text += fmt::format("<a href=\"#section{}\">{}</a>", i, escaped(document.sections[i].title));
  }
  text += "</nav>\n";
  for (std::size_t i = 0; i < document.sections.size(); ++i) {
    const Section& section = document.sections[i];
    text += fmt::format("<h2 id=\"section{}\">{}</h2>\n", i, escaped(section.title));
    for (const Block& block : section.blocks) {
      text += std::visit([](const auto& b) { return html_of(b); }, block);
    }
  }
  return text + "</body>\n</html>\n";
}

}  // namespace ravi::paper
