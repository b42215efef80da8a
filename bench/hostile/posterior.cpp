// The model of a hostile posterior, and the list of them all.
#include "posterior.hpp"

#include <cmath>

namespace hostile {

namespace {

class HostileModel final : public ravi::Model {
 public:
  explicit HostileModel(const Posterior& posterior) : posterior_(posterior) {}

  Index dimension() const override { return posterior_.dimension; }

  void evaluate(const ravi::ConstMatrixRef& theta, ravi::VectorRef log_density,
                ravi::MatrixRef gradient) const override {
    Vector point(theta.rows()), slope(theta.rows());
    for (Index s = 0; s < theta.cols(); ++s) {
      point = theta.col(s);
      slope.setZero();
      log_density(s) = posterior_.density(point, slope);
      gradient.col(s) = slope;
    }
  }

  void constrain(const ravi::ConstMatrixRef& theta, ravi::MatrixRef quantities,
                 std::uint32_t) const override {
    for (Index s = 0; s < theta.cols(); ++s) {
      quantities.col(s) = reported(posterior_, theta.col(s));
    }
  }

 private:
  Posterior posterior_;
};

}  // namespace

std::unique_ptr<ravi::Model> make(const Posterior& posterior) {
  return std::make_unique<HostileModel>(posterior);
}

Vector reported(const Posterior& posterior, const Vector& theta) {
  Vector out = theta;
  for (const Index i : posterior.exponentiated) out(i) = std::exp(theta(i));
  return out;
}

std::vector<Posterior> all_posteriors() {
  Posteriors all;
  add_mixtures(all);
  add_shapes(all);
  add_jumps(all);
  add_tails(all);
  add_hierarchies(all);
  add_frequencies(all);
  add_gaussians(all);
  add_broken(all);
  add_easy(all);
  add_moves(all);
  add_modes(all);
  return all;
}

}  // namespace hostile
