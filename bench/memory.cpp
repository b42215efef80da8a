// Peak memory and the share of diagnostics where there are many components or many iterations.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <string>

#include "model/data.hpp"
#include "model/registry.hpp"
#include "problems.hpp"
#include "ravi/ravi.hpp"

namespace ravi {
namespace {

// Independent normals with means and scales of their own, so that no start is the answer.
class WideGaussian final : public Model {
 public:
  explicit WideGaussian(Index dimension) : mean_(dimension), precision_(dimension) {
    RandomStream(1, Purpose::simulate, 0, 0).fill_normal(mean_);
    for (Index i = 0; i < dimension; ++i) precision_(i) = 1 + static_cast<double>(i % 7);
  }
  Index dimension() const override { return mean_.size(); }
  void evaluate(const ConstMatrixRef& theta, VectorRef log_density,
                MatrixRef gradient) const override {
    for (Index s = 0; s < theta.cols(); ++s) {
      gradient.col(s) = precision_.cwiseProduct(mean_ - theta.col(s));
      log_density(s) = -0.5 * gradient.col(s).dot(mean_ - theta.col(s));
    }
  }

 private:
  Vector mean_, precision_;
};

// In a process of its own, so that the peak is that of this fit and the model.
void measure(const std::string& what, const std::string& bar, const std::function<Fit()>& work) {
  std::fflush(stdout);
  if (::fork() == 0) {
    try {
      const Fit fit = work();
      rusage usage{};
      ::getrusage(RUSAGE_SELF, &usage);
      const Timing& t = fit.timing;
      fmt::print("| {} | {} | {} | {:.1f} | {:.1f} % | {:.0f} | {} |\n", what, fit.iterations,
                 name(fit.verdict), t.seconds, 100 * t.diagnostics_seconds / t.seconds,
                 static_cast<double>(usage.ru_maxrss) / 1024, bar);
    } catch (const std::exception& error) {
      fmt::print("| {} | | {} | | | | {} |\n", what, error.what(), bar);
    }
    std::fflush(stdout);
    ::_exit(0);
  }
  int status = 0;
  ::wait(&status);
  if (status != 0) fmt::print("| {} | | ended with status {} | | | | {} |\n", what, status, bar);
}

Fit radon(const std::string& data_file, int iterations) {
  const Data data = read_data(data_file);
  const auto model = make_builtin("radon", &data);
  Options options{.method = "paper", .stop = "fixed"};
  options.max_iterations = iterations;
  return fit(*model, options);
}

// Memory does not grow with the iterations, so a few hundred tell it.
Fit wide(Index dimension) {
  Options options{.family = "mean-field", .chains = 2};
  options.max_iterations = 600;
  return fit(WideGaussian(dimension), options);
}

Fit full_rank(Index dimension) {
  return fit(*linear_model(simulate_linear_regression(3000, dimension, 0.9, 1)), {.chains = 2});
}

}  // namespace
}  // namespace ravi

// memory [RADON_DATA]: without the data of radon, the rows that need them are left out.
int main(int argc, char** argv) {
  using namespace ravi;
  fmt::print(
      "| fit | iterations | verdict | seconds | diagnostics | peak, MB | bar |\n"
      "| --- | ---: | --- | ---: | ---: | ---: | --- |\n");
  if (argc > 1) {
    for (const int iterations : {10000, 100000}) {
      measure(fmt::format("radon, full rank, K = 4094, J = 4, T = {}", iterations),
              "10 %; 400 MB, and the same for both within 10 %",
              [&] { return radon(argv[1], iterations); });
    }
  }
  measure("Gaussian, P = 100000, mean field, J = 2", "1000 MB", [] { return wide(100000); });
  measure("linear, N = 3000, P = 2000, full rank, J = 2", "", [] { return full_rank(2000); });
}
