// A line chart as SVG: axes with names, curves with a legend, markers of moments and limits.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace ravi::paper {

struct Curve {
  std::string name;
  int color = 0;        // an index into the palette; curves of one subject share a color
  bool dashed = false;  // the paper draws averages dashed
  std::vector<double> x, y = {};
};

// A straight line across the chart, dotted, with its name beside it.
struct Line {
  std::string name;
  double at = 0;
  int color = 0;
};

struct Plot {
  std::string title = {}, x_name = {}, y_name = {};
  bool log_x = false, log_y = false;
  double y_floor = -std::numeric_limits<double>::infinity();  // what is below is drawn there
  std::vector<Curve> curves = {};
  std::vector<Line> vertical = {}, horizontal = {};
};

// Points that are not finite, or not positive on a logarithmic axis, are left out. The SVG is a
// whole file that can also stand in an HTML page.
std::string to_svg(const Plot& plot);

// Round numbers that cover [low, high]: powers of ten and their 2 and 5 on a logarithmic axis.
std::vector<double> ticks(double low, double high, bool logarithmic);

// &, <, > and " as XML wants them.
std::string escaped(const std::string& text);

}  // namespace ravi::paper
