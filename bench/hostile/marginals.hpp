// Exact summaries in one dimension: of mixtures of normals in closed form, of densities by
// quadrature.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "posterior.hpp"

namespace hostile {

double normal_cdf(double z);

// sum_k w_k N(m_k, s_k^2); weights need not sum to one. Also what a coordinate is that is normal
// given another one, which a quadrature runs over.
struct NormalMixture {
  std::vector<double> weight = {}, mean = {}, sd = {};

  void add(double w, double m, double s);
  Marginal marginal() const;
};

// log f(x), up to a constant, and its slope.
struct Term {
  double value, slope;
};

// A density on the line, tabulated by the midpoint rule in u with x = center + scale sinh(u), so
// that tails up to exp(60) are in it. Cells end at the breaks, where f may jump; outside the first
// and the last one it is 0.
class Line {
 public:
  using Function = std::function<Term(double)>;

  explicit Line(Function log_f, double center = 0, double scale = 1,
                std::vector<double> breaks = {-kInf, kInf});

  Term operator()(double x) const { return log_f_(x); }
  Marginal marginal() const {
    return marginal([](double x) { return x; });
  }
  // Of an increasing function of x.
  Marginal marginal(const std::function<double(double)>& g) const;
  double draw(Random& random) const;  // by the inverse of the tabulated distribution function

  // The cells, for quadratures that go on from here: midpoints and masses, which sum to one.
  const std::vector<double>& points() const { return table_->x; }
  const std::vector<double>& masses() const { return table_->mass; }

 private:
  struct Table {
    std::vector<double> edge = {}, x = {}, mass = {}, cdf = {};  // cdf at the right edges
  };
  double quantile(double p) const;

  Function log_f_;
  std::shared_ptr<const Table> table_;
};

// P independent coordinates, each with a density of its own.
Posterior product(std::string name, std::string family, std::string description,
                  const std::vector<Line>& lines);
Posterior product(std::string name, std::string family, std::string description, Index p,
                  const Line& line);

Marginal normal_marginal(double mean, double sd);

// The same quantiles; the sd, or the mean as well, does not exist.
Marginal without_sd(Marginal marginal);
Marginal without_mean(Marginal marginal);

}  // namespace hostile
