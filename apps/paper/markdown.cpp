// A document as Markdown.
#include <fmt/format.h>

#include "paper/document.hpp"

namespace ravi::paper {
namespace {

// A pipe would end the cell, an asterisk begin or end italics.
std::string cell_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|' || c == '*') result += '\\';
    result += c;
  }
  return result;
}

std::string line_of(const std::vector<std::string>& cells, const char* mark) {
  std::string line = "|";
  for (const std::string& cell : cells) {
    line += cell.empty() ? " |" : fmt::format(" {0}{1}{0} |", mark, cell_text(cell));
  }
  return line + "\n";
}

std::string markdown_of(const Table& table) {
  std::string text = table.caption.empty() ? "" : fmt::format("**{}**\n\n", table.caption);
  text += line_of(table.header, "") + "|";
  for (std::size_t i = 0; i < table.header.size(); ++i) text += "---|";
  text += "\n";
  // What the paper printed stands in italics.
  for (const Row& row : table.rows) {
    text += line_of(row.cells, row.kind == RowKind::printed ? "*" : "");
  }
  return text + "\n";
}

std::string markdown_of(const Figures& figures) {
  std::string text;
  for (const Figure& figure : figures) {
    text += fmt::format("`{}`: {}\n\n", figure.file, figure.caption);
    if (!figure.numbers.rows.empty()) text += markdown_of(figure.numbers);
  }
  return text;
}

std::string markdown_of(const Text& text) { return text + "\n\n"; }

}  // namespace

std::string to_markdown(const Document& document) {
  std::string text = fmt::format("# {}\n\n", document.title);
  for (const Section& section : document.sections) {
    text += fmt::format("## {}\n\n", section.title);
    for (const Block& block : section.blocks) {
      text += std::visit([](const auto& b) { return markdown_of(b); }, block);
    }
  }
  text.pop_back();
  return text;
}

}  // namespace ravi::paper
