// The houses of the radon survey.
#include "model/builtin/radon_houses.hpp"

#include <algorithm>

namespace ravi {

RadonHouses::RadonHouses(const Data& data) {
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

void RadonHouses::read(const Data& data, Index n, std::string_view floor,
                       std::vector<Index> county) {
  log_radon_ = data.vector("log_radon", n);
  floor_ = data.vector(floor, n);
  county_ = std::move(county);
  for (Index& c : county_) --c;
}

// Of all houses the counties' means suffice, and how the houses of one differ: with
// r_c = mean log_radon_c - alpha_c - beta mean floor_c,
// sum_i residual_i^2 = least + spread (beta - slope)^2 + sum_c houses_c r_c^2.
void RadonHouses::summarize() {
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

double RadonHouses::squares(const ConstVectorRef& alpha, double beta, double precision, Rows rows,
                            VectorRef d_alpha, double& d_beta) const {
  return rows.all ? of_all(alpha, beta, precision, d_alpha, d_beta)
                  : of_some(alpha, beta, precision, rows.index, d_alpha, d_beta);
}

double RadonHouses::of_all(const ConstVectorRef& alpha, double beta, double precision,
                           VectorRef d_alpha, double& d_beta) const {
  const double off = beta - slope_;
  double squares = least_ + spread_ * off * off, slope = -spread_ * off;
  for (Index c = 0; c < counties_; ++c) {
    const double residual = mean_log_radon_(c) - alpha(c) - beta * mean_floor_(c);
    const double weighted = houses_(c) * residual;
    squares += weighted * residual;
    slope += weighted * mean_floor_(c);
    d_alpha(c) += weighted * precision;
  }
  d_beta += slope * precision;
  return squares * precision;
}

double RadonHouses::of_some(const ConstVectorRef& alpha, double beta, double precision,
                            std::span<const Index> chosen, VectorRef d_alpha,
                            double& d_beta) const {
  double squares = 0;
  for (const Index i : chosen) {
    const Index c = county_[static_cast<std::size_t>(i)];
    const double residual = log_radon_(i) - alpha(c) - beta * floor_(i);
    const double slope = residual * precision;
    squares += residual * slope;
    d_beta += floor_(i) * slope;
    d_alpha(c) += slope;
  }
  return squares;
}

Data example_houses() {
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

}  // namespace ravi
