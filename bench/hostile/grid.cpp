// Sums over a grid by the midpoint rule, made when first asked for.
#include "grid.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

namespace hostile {

namespace {

class Grid {
 public:
  Grid(Density density, Box box) : density_(std::move(density)), box_(std::move(box)) {}

  // A cell by its mass, and a point in it.
  Vector draw(Random& random) {
    fill();
    const auto cell = std::ranges::lower_bound(cdf_, random.uniform() * cdf_.back()) - cdf_.begin();
    Vector theta = midpoint(static_cast<std::size_t>(cell));
    for (Index i = 0; i < theta.size(); ++i) theta(i) += (random.uniform() - 0.5) * width(i);
    return theta;
  }

  std::vector<Marginal> marginals() {
    fill();
    std::vector<Marginal> out;
    const auto n = static_cast<std::size_t>(box_.cells);
    std::size_t stride = 1;
    for (Index i = 0; i < box_.low.size(); ++i, stride *= n) {
      Vector mass = Vector::Zero(box_.cells);
      for (std::size_t cell = 0; cell < cdf_.size(); ++cell) {
        mass(static_cast<Index>(cell / stride % n)) += cdf_[cell] - (cell > 0 ? cdf_[cell - 1] : 0);
      }
      mass /= mass.sum();
      const Vector x = Vector::LinSpaced(box_.cells, box_.low(i) + 0.5 * width(i),
                                         box_.high(i) - 0.5 * width(i));
      const double mean = mass.dot(x);
      const auto quantile = [&](double p) {
        double below = 0;
        Index k = 0;
        while (k + 1 < mass.size() && below + mass(k) < p) below += mass(k++);
        return box_.low(i) + (static_cast<double>(k) + (p - below) / mass(k)) * width(i);
      };
      out.push_back({mean, std::sqrt(mass.dot((x.array() - mean).square().matrix())),
                     quantile(0.05), quantile(0.5), quantile(0.95)});
    }
    return out;
  }

 private:
  double width(Index i) const { return (box_.high(i) - box_.low(i)) / box_.cells; }

  Vector midpoint(std::size_t cell) const {
    Vector theta(box_.low.size());
    for (Index i = 0; i < theta.size(); ++i) {
      const auto k = cell % static_cast<std::size_t>(box_.cells);
      theta(i) = box_.low(i) + (static_cast<double>(k) + 0.5) * width(i);
      cell /= static_cast<std::size_t>(box_.cells);
    }
    return theta;
  }

  void fill() {
    std::call_once(filled_, [this] {
      const Index p = box_.low.size();
      std::size_t cells = 1;
      for (Index i = 0; i < p; ++i) cells *= static_cast<std::size_t>(box_.cells);
      cdf_.resize(cells);
      Vector gradient(p);
      double largest = -kInf;
      for (std::size_t cell = 0; cell < cells; ++cell) {
        largest = std::max(largest, cdf_[cell] = density_(midpoint(cell), gradient));
      }
      double below = 0;
      for (double& value : cdf_) value = below += std::exp(value - largest);
    });
  }

  Density density_;
  Box box_;
  std::once_flag filled_;
  std::vector<double> cdf_;
};

}  // namespace

Posterior on_grid(std::string name, std::string family, std::string description, Density density,
                  Box box) {
  Posterior out{std::move(name), std::move(family), std::move(description)};
  out.dimension = box.low.size();
  const auto grid = std::make_shared<Grid>(density, std::move(box));
  out.density = std::move(density);
  out.draw = [grid](Random& random) { return grid->draw(random); };
  out.truth = [grid] { return grid->marginals(); };
  return out;
}

}  // namespace hostile
