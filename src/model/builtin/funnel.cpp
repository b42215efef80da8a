// Neal's funnel (2003, section 8): v ~ N(0, 3), x_i ~ N(0, exp(v/2)), i = 1 .. P-1.
#include <cmath>

#include "core/numeric.hpp"
#include "model/builtin/entries.hpp"
#include "model/names.hpp"

namespace ravi {
namespace {

class Funnel final : public Model {
 public:
  explicit Funnel(const Data& data) : p_(data.has("P") ? data.count("P", 1) : 10) {}

  Index dimension() const override { return p_; }

  std::vector<std::string> unconstrained_names() const override {
    std::vector<std::string> names = {"v"};
    append_indexed(names, "x", p_ - 1);
    return names;
  }

  void evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                MatrixRef gradient) const override {
    constexpr double sd = 3;
    const auto n = static_cast<double>(p_ - 1);
    const double constant = -std::log(sd) - 0.5 * static_cast<double>(p_) * kLog2Pi;
    for (Index s = 0; s < theta.cols(); ++s) {
      const double v = theta(0, s), precision = std::exp(-v);
      const auto x = theta.col(s).tail(p_ - 1);
      const double squares = p_ > 1 ? x.squaredNorm() * precision : 0;
      log_density(s) = constant - 0.5 * v * v / (sd * sd) - 0.5 * n * v - 0.5 * squares;
      gradient(0, s) = -v / (sd * sd) - 0.5 * n + 0.5 * squares;
      gradient.col(s).tail(p_ - 1) = -precision * x;
    }
  }

 private:
  Index p_;
};

std::unique_ptr<Model> make(const Data& data) { return std::make_unique<Funnel>(data); }

Data example() { return Data("example"); }

}  // namespace

ModelEntry funnel_entry() {
  return {"funnel",
          "Neal's funnel: v ~ N(0, 3), x ~ N(0, exp(v/2))",
          "none: carries its own; or P (10)",
          false,
          make,
          example};
}

}  // namespace ravi
