// What the page and RESULTS.md are made of: text, tables and figures, rendered in two ways.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace ravi::paper {

enum class RowKind { printed, measured, missing };

struct Row {
  RowKind kind = RowKind::measured;
  std::vector<std::string> cells;
  bool first_of_group = false;
};

struct Table {
  std::string caption;
  std::vector<std::string> header;
  std::vector<Row> rows = {};
};

struct Figure {
  std::string file;  // "figure2a.svg"
  std::string svg, caption;
  Table numbers = {};  // what is plotted
};

using Text = std::string;             // a paragraph
using Figures = std::vector<Figure>;  // side by side
using Block = std::variant<Text, Table, Figures>;

struct Section {
  std::string title;
  std::vector<Block> blocks = {};
};

struct Document {
  std::string title;
  std::vector<Section> sections = {};
};

// One page that needs nothing else: style and figures are in it.
std::string to_html(const Document& document);
// The same without pictures: of a figure, its caption and its numbers.
std::string to_markdown(const Document& document);

}  // namespace ravi::paper
