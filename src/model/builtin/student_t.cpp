// The multivariate Student t with unit scale matrix: the coordinates are uncorrelated, but share
// their tails. Its covariance is nu / (nu - 2) times the identity when nu > 2.
#include <cmath>
#include <numbers>

#include "model/builtin/entries.hpp"

namespace ravi {
namespace {

class StudentT final : public Model {
 public:
  explicit StudentT(const Data& data)
      : p_(data.has("P") ? data.count("P", 1) : 5), nu_(data.positive_number("nu", 5.0)) {
    const auto p = static_cast<double>(p_);
    constant_ = std::lgamma(0.5 * (nu_ + p)) - std::lgamma(0.5 * nu_) -
                0.5 * p * std::log(nu_ * std::numbers::pi);
  }

  Index dimension() const override { return p_; }

  void evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                MatrixRef gradient) const override {
    const double power = nu_ + static_cast<double>(p_);
    for (Index s = 0; s < theta.cols(); ++s) {
      const double squares = theta.col(s).squaredNorm();
      log_density(s) = constant_ - 0.5 * power * std::log1p(squares / nu_);
      gradient.col(s) = -power / (nu_ + squares) * theta.col(s);
    }
  }

 private:
  Index p_;
  double nu_;
  double constant_;
};

std::unique_ptr<Model> make(const Data& data) { return std::make_unique<StudentT>(data); }

Data example() { return Data("example"); }

}  // namespace

ModelEntry student_t_entry() {
  return {"student-t",
          "multivariate Student t with nu degrees of freedom and unit scale",
          "none: carries its own; or P (5), nu (5)",
          false,
          make,
          example};
}

}  // namespace ravi
