// Exact summaries in one dimension.
#include "marginals.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace hostile {

namespace {

constexpr double kLargestU = 60;       // sinh(60) = 6e25
constexpr int kCellsPerUnitOfU = 800;  // cells of 1/800 of the scale near the center

}  // namespace

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

void NormalMixture::add(double w, double m, double s) {
  weight.push_back(w);
  mean.push_back(m);
  sd.push_back(s);
}

Marginal NormalMixture::marginal() const {
  const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
  double first = 0, low = kInf, high = -kInf;
  for (std::size_t k = 0; k < weight.size(); ++k) {
    first += weight[k] / total * mean[k];
    low = std::min(low, mean[k] - 10 * sd[k]);
    high = std::max(high, mean[k] + 10 * sd[k]);
  }
  double variance = 0;
  for (std::size_t k = 0; k < weight.size(); ++k) {
    const double d = mean[k] - first;
    variance += weight[k] / total * (sd[k] * sd[k] + d * d);
  }
  const auto quantile = [&](double p) {
    double a = low, b = high;
    for (int i = 0; i < 200 && b - a > 1e-12 * std::max(std::abs(a), std::abs(b)); ++i) {
      const double middle = 0.5 * (a + b);
      double below = 0;
      for (std::size_t k = 0; k < weight.size(); ++k) {
        if (weight[k] > 0) below += weight[k] / total * normal_cdf((middle - mean[k]) / sd[k]);
      }
      (below < p ? a : b) = middle;
    }
    return 0.5 * (a + b);
  };
  return {first, std::sqrt(variance), quantile(0.05), quantile(0.5), quantile(0.95)};
}

Line::Line(Function log_f, double center, double scale, std::vector<double> breaks)
    : log_f_(std::move(log_f)) {
  auto table = std::make_shared<Table>();
  std::vector<double> log_mass;
  for (std::size_t piece = 0; piece + 1 < breaks.size(); ++piece) {
    const auto u_of = [&](double x) {
      return std::clamp(std::asinh((x - center) / scale), -kLargestU, kLargestU);
    };
    const auto x_of = [&](double u) { return center + scale * std::sinh(u); };
    const double from = u_of(breaks[piece]), to = u_of(breaks[piece + 1]);
    const int cells = std::max(2000, static_cast<int>((to - from) * kCellsPerUnitOfU));
    const double step = (to - from) / cells;
    if (table->edge.empty()) table->edge.push_back(x_of(from));
    for (int i = 0; i < cells; ++i) {
      const double u = from + (i + 0.5) * step;
      table->x.push_back(x_of(u));
      table->edge.push_back(x_of(u + 0.5 * step));
      const double value = log_f_(table->x.back()).value;
      log_mass.push_back(std::isfinite(value) ? value + std::log(step * std::cosh(u)) : -kInf);
    }
  }
  const double largest = *std::ranges::max_element(log_mass);
  double total = 0;
  for (const double m : log_mass) total += std::exp(m - largest);
  double below = 0;
  for (const double m : log_mass) {
    table->mass.push_back(std::exp(m - largest) / total);
    table->cdf.push_back(below += table->mass.back());
  }
  table_ = std::move(table);
}

double Line::quantile(double p) const {
  const auto& [edge, x, mass, cdf] = *table_;
  const auto cell = static_cast<std::size_t>(std::min(
      std::ranges::lower_bound(cdf, p) - cdf.begin(), static_cast<std::ptrdiff_t>(cdf.size()) - 1));
  const double share = (cdf[cell] - p) / mass[cell];
  return edge[cell + 1] - std::clamp(share, 0.0, 1.0) * (edge[cell + 1] - edge[cell]);
}

Marginal Line::marginal(const std::function<double(double)>& g) const {
  const std::vector<double>&x = table_->x, &mass = table_->mass;
  double first = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (mass[i] > 0) first += mass[i] * g(x[i]);
  }
  double variance = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (mass[i] > 0) variance += mass[i] * std::pow(g(x[i]) - first, 2);
  }
  return {first, std::sqrt(variance), g(quantile(0.05)), g(quantile(0.5)), g(quantile(0.95))};
}

double Line::draw(Random& random) const { return quantile(random.uniform()); }

Posterior product(std::string name, std::string family, std::string description,
                  const std::vector<Line>& lines) {
  Posterior p{std::move(name), std::move(family), std::move(description)};
  p.dimension = static_cast<Index>(lines.size());
  p.density = [lines](const Vector& theta, Vector& gradient) {
    double sum = 0;
    for (Index i = 0; i < theta.size(); ++i) {
      const Term term = lines[static_cast<std::size_t>(i)](theta(i));
      sum += term.value;
      gradient(i) = term.slope;
    }
    return sum;
  };
  p.draw = [lines](Random& random) {
    Vector theta(static_cast<Index>(lines.size()));
    for (Index i = 0; i < theta.size(); ++i) {
      theta(i) = lines[static_cast<std::size_t>(i)].draw(random);
    }
    return theta;
  };
  p.truth = [lines] {
    std::vector<Marginal> out;
    for (const Line& line : lines) out.push_back(line.marginal());
    return out;
  };
  return p;
}

Posterior product(std::string name, std::string family, std::string description, Index p,
                  const Line& line) {
  return product(std::move(name), std::move(family), std::move(description),
                 std::vector<Line>(static_cast<std::size_t>(p), line));
}

Marginal normal_marginal(double mean, double sd) {
  constexpr double z = 1.6448536269514722;  // the 95 % quantile of the standard normal
  return {mean, sd, mean - z * sd, mean, mean + z * sd};
}

Marginal without_sd(Marginal marginal) {
  marginal.sd = kNaN;
  return marginal;
}

Marginal without_mean(Marginal marginal) {
  marginal.mean = marginal.sd = kNaN;
  return marginal;
}

}  // namespace hostile
