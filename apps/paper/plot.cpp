// Line charts as SVG.
#include "paper/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ravi::paper {
namespace {

constexpr double kWidth = 640, kHeight = 420;
constexpr double kLeft = 74, kRight = 18, kTop = 40, kAxis = 56;  // margins of the frame
constexpr double kLegendLine = 20, kLegendColumn = 290;

// Okabe and Ito (2008): told apart by readers who do not see all colors.
constexpr std::array kPalette = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                 "#e69f00", "#56b4e9", "#444444"};

std::string color_of(int index) {
  return kPalette[static_cast<std::size_t>(index) % kPalette.size()];
}

std::string tick_text(double value) {
  const double size = std::abs(value);
  if (size >= 1e4 || (size > 0 && size < 1e-3)) {
    const int power = static_cast<int>(std::floor(std::log10(size) + 1e-9));
    const double front = value / std::pow(10, power);
    // A superscript that every font has.
    const std::string ten =
        fmt::format("10<tspan dy=\"-5\" font-size=\"10\">{}</tspan>",
                    power < 0 ? fmt::format("−{}", -power) : std::to_string(power));
    return std::abs(front - 1) < 1e-6 ? ten : fmt::format("{:.3g}·{}", front, ten);
  }
  return fmt::format("{:.4g}", value);
}

// One direction of the chart: numbers to pixels.
struct Axis {
  double low = 1, high = 0;  // empty
  bool logarithmic = false;
  double begin = 0, end = 0;  // pixels

  bool shows(double x) const { return std::isfinite(x) && (!logarithmic || x > 0); }
  double scaled(double x) const { return logarithmic ? std::log10(x) : x; }
  void include(double x) {
    if (!shows(x)) return;
    const bool empty = low > high;
    low = empty ? x : std::min(low, x);
    high = empty ? x : std::max(high, x);
  }
  // Room at both ends, and a width that is not zero.
  void finish(double share) {
    if (low > high) low = logarithmic ? 1 : 0, high = logarithmic ? 10 : 1;
    if (logarithmic) {
      const double room = std::max(share * std::log10(high / low), 0.05);
      low /= std::pow(10, room);
      high *= std::pow(10, room);
    } else {
      const double room = std::max(share * (high - low), 1e-9 + 0.02 * std::abs(high));
      low -= room;
      high += room;
    }
  }
  double pixel(double x) const {
    const double a = scaled(low), b = scaled(high);
    return begin + (end - begin) * (scaled(x) - a) / (b - a);
  }
};

class Drawing {
 public:
  explicit Drawing(const Plot& plot) : plot_(plot) {
    x_ = {.logarithmic = plot.log_x, .begin = kLeft, .end = kWidth - kRight};
    y_ = {.logarithmic = plot.log_y, .begin = kHeight - kAxis, .end = kTop};
    for (const Curve& curve : plot.curves) {
      for (const double x : curve.x) x_.include(x);
      for (const double y : curve.y) y_.include(shown(y));
    }
    for (const Line& line : plot.vertical) x_.include(line.at);
    for (const Line& line : plot.horizontal) y_.include(line.at);
    x_.finish(0.03);
    y_.finish(0.05);
  }

  std::string text() {
    add_axes();
    for (const Line& line : plot_.horizontal) add_horizontal(line);
    for (const Line& line : plot_.vertical) add_vertical(line);
    for (const Curve& curve : plot_.curves) add_curve(curve);
    const double height = kHeight + add_legend();
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" role=\"img\" aria-label=\"{2}\" font-family=\"Helvetica, Arial, "
        "sans-serif\" font-size=\"13\" fill=\"#222\">\n<rect width=\"{0}\" height=\"{1}\" "
        "fill=\"#fff\"/>\n<text x=\"{3}\" y=\"24\" font-size=\"15\" "
        "font-weight=\"bold\">{2}</text>\n{4}</svg>\n",
        kWidth, height, escaped(plot_.title), kLeft, body_);
  }

 private:
  double shown(double y) const { return y < plot_.y_floor ? plot_.y_floor : y; }

  void add_axes() {
    for (const double tick : ticks(x_.low, x_.high, plot_.log_x)) {
      const double at = x_.pixel(tick);
      segment(at, y_.begin, at, y_.end, "#e4e4e4", 1, "");
      body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", at,
                           y_.begin + 19, tick_text(tick));
    }
    for (const double tick : ticks(y_.low, y_.high, plot_.log_y)) {
      const double at = y_.pixel(tick);
      segment(x_.begin, at, x_.end, at, "#e4e4e4", 1, "");
      body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                           x_.begin - 7, at + 4.5, tick_text(tick));
    }
    body_ += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#666\"/>\n",
        x_.begin, y_.end, x_.end - x_.begin, y_.begin - y_.end);
    body_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                         (x_.begin + x_.end) / 2, y_.begin + 42, escaped(plot_.x_name));
    body_ += fmt::format(
        "<text transform=\"translate(20 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
        (y_.begin + y_.end) / 2, escaped(plot_.y_name));
  }

  void add_horizontal(const Line& line) {
    const double at = y_.pixel(line.at);
    segment(x_.begin, at, x_.end, at, color_of(line.color), 1.3, "2 4");
    body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\">{}</text>\n", x_.begin + 6,
                         at - 5, color_of(line.color), escaped(line.name));
  }

  // Vertical lines are named in the legend, where names cannot overlap.
  void add_vertical(const Line& line) {
    const double at = x_.pixel(line.at);
    segment(at, y_.begin, at, y_.end, color_of(line.color), 1.8, "2 4");
  }

  void add_curve(const Curve& curve) {
    std::string path;
    std::string dots;
    const std::size_t count = std::min(curve.x.size(), curve.y.size());
    bool drawing = false;
    for (std::size_t i = 0; i < count; ++i) {
      const double value = shown(curve.y[i]);
      if (!x_.shows(curve.x[i]) || !y_.shows(value)) {
        drawing = false;
        continue;
      }
      const double x = x_.pixel(curve.x[i]), y = y_.pixel(value);
      path += fmt::format("{}{:.1f} {:.1f} ", drawing ? "L" : "M", x, y);
      // Dots where points are few enough to be seen one by one.
      if (count <= 20) {
        dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.8\" fill=\"{}\"/>\n", x, y,
                            color_of(curve.color));
      }
      drawing = true;
    }
    if (path.empty()) return;
    body_ +=
        fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n{}", path,
                    color_of(curve.color), curve.dashed ? " stroke-dasharray=\"7 4\"" : "", dots);
  }

  // Below the chart, in two columns; returns its height.
  double add_legend() {
    struct Entry {
      std::string name, color, dashes;
    };
    std::vector<Entry> entries;
    for (const Curve& curve : plot_.curves) {
      entries.push_back({curve.name, color_of(curve.color), curve.dashed ? "7 4" : ""});
    }
    for (const Line& line : plot_.vertical) {
      entries.push_back({line.name, color_of(line.color), "2 4"});
    }
    const std::size_t rows = (entries.size() + 1) / 2;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const double x = kLeft + (i >= rows ? kLegendColumn : 0);
      const double y = kHeight + kLegendLine * static_cast<double>(i % rows) + 4;
      segment(x, y, x + 30, y, entries[i].color, 2, entries[i].dashes);
      body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x + 38, y + 4.5,
                           escaped(entries[i].name));
    }
    return kLegendLine * static_cast<double>(rows) + 8;
  }

  void segment(double x1, double y1, double x2, double y2, const std::string& color, double width,
               const std::string& dashes) {
    body_ += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
        "stroke-width=\"{}\"{}/>\n",
        x1, y1, x2, y2, color, width,
        dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes));
  }

  const Plot& plot_;
  Axis x_, y_;
  std::string body_;
};

}  // namespace

std::vector<double> ticks(double low, double high, bool logarithmic) {
  std::vector<double> result;
  if (!(low < high)) return result;
  if (logarithmic) {
    const double decades = std::log10(high / low);
    // Every power of ten over a few decades, every second or third over many.
    const int step = std::max(1, static_cast<int>(std::ceil(decades / 7)));
    const std::vector<double> fronts = decades < 1.5   ? std::vector<double>{1, 2, 3, 5, 7}
                                       : decades < 3.2 ? std::vector<double>{1, 3}
                                                       : std::vector<double>{1};
    const int first = static_cast<int>(std::floor(std::log10(low)));
    for (int power = first; power <= std::ceil(std::log10(high)); ++power) {
      if (power % step != 0) continue;
      for (const double front : fronts) {
        const double tick = front * std::pow(10.0, power);
        if (tick >= low && tick <= high) result.push_back(tick);
      }
    }
    return result;
  }
  const double rough = (high - low) / 6;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double front = rough / power;
  const double step = power * (front < 1.5 ? 1 : front < 3.5 ? 2 : front < 7.5 ? 5 : 10);
  // Counted in whole steps, so that zero is zero, and not -0.
  for (double n = std::ceil(low / step); n * step <= high; ++n) result.push_back(n * step + 0.0);
  return result;
}

std::string to_svg(const Plot& plot) { return Drawing(plot).text(); }

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace ravi::paper
