// The houses of the radon survey: residuals of log_radon_i ~ alpha[county_i] + beta floor_i.
#pragma once

#include <span>
#include <vector>

#include "model/data.hpp"
#include "ravi/model.hpp"

namespace ravi {

class RadonHouses {
 public:
  // Arrays N, J, county, floor_measure, log_radon, or a table of log_radon, floor, county.
  explicit RadonHouses(const Data& data);

  Index counties() const { return counties_; }
  Index houses() const { return log_radon_.size(); }

  // The sum of squared residuals of those rows over sigma^2, precision = 1 / sigma^2. Adds minus
  // half of its derivatives, those of the log likelihood.
  double squares(const ConstVectorRef& alpha, double beta, double precision, Rows rows,
                 VectorRef d_alpha, double& d_beta) const;

 private:
  void read(const Data& data, Index n, std::string_view floor, std::vector<Index> county);
  void summarize();
  double of_all(const ConstVectorRef& alpha, double beta, double precision, VectorRef d_alpha,
                double& d_beta) const;
  double of_some(const ConstVectorRef& alpha, double beta, double precision,
                 std::span<const Index> chosen, VectorRef d_alpha, double& d_beta) const;

  Index counties_ = 0;         // J
  std::vector<Index> county_;  // of every house, from 0
  Vector floor_, log_radon_;
  Vector houses_, mean_floor_, mean_log_radon_;  // of every county
  double spread_ = 0, slope_ = 0, least_ = 0;    // see summarize()
};

// Three counties, eight houses.
Data example_houses();

}  // namespace ravi
