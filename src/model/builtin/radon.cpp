// Radon in houses of J counties: log_radon_i ~ N(alpha[county_i] + beta floor_i, sigma).
//   alpha_c ~ N(mu_alpha, sigma_alpha); mu_alpha, beta ~ N(0, 1); sigma_alpha, sigma ~ half-N(0, 1)
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <span>

#include "core/numeric.hpp"
#include "model/builtin/entries.hpp"
#include "model/names.hpp"

namespace ravi {
namespace {

// log half-N(exp(u) | 0, 1) + u, the Jacobian, is log 2 - log(2 pi)/2 - exp(2u)/2 + u.
double log_half_normal_of_log(double u) {
  return std::numbers::ln2 - 0.5 * kLog2Pi - 0.5 * std::exp(2 * u) + u;
}

// Coordinates: alpha_1 .. alpha_J, mu_alpha, log sigma_alpha, beta, log sigma.
class Radon final : public RowModel {
 public:
  explicit Radon(const Data& data) {
    if (data.is_table()) {
      const Index n = data.variables()[0].dimensions[0];
      read(data, n, "floor", data.integers("county", n, 1));
      counties_ = 1 + *std::max_element(county_.begin(), county_.end());
    } else {
      const Index n = data.integer("N", 1);
      counties_ = data.count("J", 1);
      read(data, n, "floor_measure", data.integers("county", n, 1, counties_));
    }
    summarize();
  }

  Index dimension() const override { return counties_ + 4; }
  Index rows() const override { return log_radon_.size(); }

  std::vector<std::string> unconstrained_names() const override {
    std::vector<std::string> names;
    append_indexed(names, "alpha", counties_);
    names.insert(names.end(), {"mu_alpha", "sigma_alpha", "beta", "sigma"});
    return names;
  }

  void constrain(const ConstMatrixRef& theta, MatrixRef quantities,
                 std::uint32_t /*seed*/) const override {
    quantities = theta;
    for (const Index row : {counties_ + 1, counties_ + 3}) {
      quantities.row(row) = theta.row(row).array().exp();
    }
  }

  void add_log_likelihood(const ConstMatrixRef& theta, Rows rows, VectorRef log_density,
                          MatrixRef gradient) const override {
    for (Index s = 0; s < theta.cols(); ++s) {
      if (rows.all) {
        add_all(theta.col(s), log_density(s), gradient.col(s));
      } else {
        add_some(theta.col(s), rows.index, log_density(s), gradient.col(s));
      }
    }
  }

  // With z_c = (alpha_c - mu_alpha) / sigma_alpha.
  void add_log_prior(const ConstMatrixRef& theta, VectorRef log_density,
                     MatrixRef gradient) const override {
    const auto j = static_cast<double>(counties_);
    for (Index s = 0; s < theta.cols(); ++s) {
      const auto hyper = theta.col(s).tail<4>();
      const double mu = hyper(0), u = hyper(1), beta = hyper(2), v = hyper(3);
      const double over_sigma_alpha = std::exp(-u);
      const auto z = (theta.col(s).head(counties_).array() - mu) * over_sigma_alpha;
      const double z_squared = z.square().sum();
      log_density(s) += -0.5 * (mu * mu + beta * beta) - kLog2Pi + log_half_normal_of_log(u) +
                        log_half_normal_of_log(v) - j * (u + 0.5 * kLog2Pi) - 0.5 * z_squared;
      auto slope = gradient.col(s).tail<4>();
      slope(0) += z.sum() * over_sigma_alpha - mu;
      slope(1) += z_squared - j + 1 - std::exp(2 * u);
      slope(2) -= beta;
      slope(3) += 1 - std::exp(2 * v);
      gradient.col(s).head(counties_).array() -= z * over_sigma_alpha;
    }
  }

 private:
  void read(const Data& data, Index n, std::string_view floor, std::vector<Index> county) {
    log_radon_ = data.vector("log_radon", n);
    floor_ = data.vector(floor, n);
    county_ = std::move(county);
    for (Index& c : county_) --c;
  }

  // Of all houses the counties' means suffice, and how the houses of one differ: with
  // r_c = mean log_radon_c - alpha_c - beta mean floor_c,
  // sum_i residual_i^2 = least + spread (beta - slope)^2 + sum_c houses_c r_c^2.
  void summarize() {
    houses_ = mean_floor_ = mean_log_radon_ = Vector::Zero(counties_);
    for (std::size_t i = 0; i < county_.size(); ++i) {
      const Index c = county_[i], row = static_cast<Index>(i);
      houses_(c) += 1;
      mean_floor_(c) += floor_(row);
      mean_log_radon_(c) += log_radon_(row);
    }
    mean_floor_.array() /= houses_.array().max(1);
    mean_log_radon_.array() /= houses_.array().max(1);
    const Vector floor = floor_ - mean_floor_(county_);
    const Vector log_radon = log_radon_ - mean_log_radon_(county_);
    spread_ = floor.squaredNorm();
    slope_ = spread_ > 0 ? floor.dot(log_radon) / spread_ : 0;
    least_ = (log_radon - slope_ * floor).squaredNorm();
  }

  void add_all(const ConstVectorRef& theta, double& log_density, VectorRef gradient) const {
    const double beta = theta(counties_ + 2), precision = std::exp(-2 * theta(counties_ + 3));
    const double off = beta - slope_;
    double squares = least_ + spread_ * off * off, d_beta = -spread_ * off;
    for (Index c = 0; c < counties_; ++c) {
      const double residual = mean_log_radon_(c) - theta(c) - beta * mean_floor_(c);
      const double weighted = houses_(c) * residual;
      squares += weighted * residual;
      d_beta += weighted * mean_floor_(c);
      gradient(c) += weighted * precision;
    }
    add_sums(theta, rows(), squares * precision, d_beta * precision, log_density, gradient);
  }

  void add_some(const ConstVectorRef& theta, std::span<const Index> chosen, double& log_density,
                VectorRef gradient) const {
    const double beta = theta(counties_ + 2), precision = std::exp(-2 * theta(counties_ + 3));
    double squares = 0, d_beta = 0;
    for (const Index i : chosen) {
      const Index c = county_[static_cast<std::size_t>(i)];
      const double residual = log_radon_(i) - theta(c) - beta * floor_(i);
      const double slope = residual * precision;
      squares += residual * slope;
      d_beta += floor_(i) * slope;
      gradient(c) += slope;
    }
    add_sums(theta, std::ssize(chosen), squares, d_beta, log_density, gradient);
  }

  // What n houses add, given the sum of their squared residuals in units of sigma.
  void add_sums(const ConstVectorRef& theta, Index n, double squares, double d_beta,
                double& log_density, VectorRef gradient) const {
    const auto houses = static_cast<double>(n);
    log_density -= houses * (theta(counties_ + 3) + 0.5 * kLog2Pi) + 0.5 * squares;
    gradient(counties_ + 2) += d_beta;
    gradient(counties_ + 3) += squares - houses;
  }

  Index counties_ = 0;         // J
  std::vector<Index> county_;  // of every house, from 0
  Vector floor_, log_radon_;
  Vector houses_, mean_floor_, mean_log_radon_;  // of every county
  double spread_ = 0, slope_ = 0, least_ = 0;    // see summarize()
};

std::unique_ptr<Model> make(const Data& data) { return std::make_unique<Radon>(data); }

Data example() {
  Vector county(8), floor(8), log_radon(8);
  county << 1, 1, 2, 3, 3, 3, 1, 2;
  floor << 0, 1, 0, 0, 1, 0, 0, 1;
  log_radon << 0.8, 0.1, 1.5, 1.1, 0.6, 2.0, 1.2, 0.9;
  Data data("example");
  return data.add("N", 8)
      .add("J", 3)
      .add("county", county)
      .add("floor_measure", floor)
      .add("log_radon", log_radon);
}

}  // namespace

ModelEntry radon_entry() {
  return {"radon",
          "log_radon ~ N(alpha[county] + beta floor, sigma), alpha ~ N(mu_alpha, sigma_alpha)",
          "N, J, county[N], floor_measure[N], log_radon[N]; CSV: log_radon, floor, county",
          true,
          make,
          example};
}

}  // namespace ravi
