// Iterations per second of ravi, every diagnostic on, beside a loop that has only their arithmetic.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "problems.hpp"
#include "ravi/ravi.hpp"
#include "timing.hpp"

namespace ravi {
namespace {

constexpr Index kDraws = 10;
constexpr int kRepetitions = 7;

// --- The bare loop: one chain, full rank, RMSprop, nothing kept and nothing checked --------------

// Adds the likelihood of all rows to log_density and gradient.
struct Likelihood {
  Matrix x;  // a row of the data in every column
  Vector y;
  double variance = 1;
  Matrix fitted, work;

  void linear(const Matrix& theta, Vector& log_density, Matrix& gradient) {
    fitted.noalias() = x.transpose() * theta;
    fitted = y.replicate(1, theta.cols()) - fitted;
    log_density -= (0.5 / variance) * fitted.colwise().squaredNorm().transpose();
    gradient.noalias() += (1 / variance) * x * fitted;
  }
  // In blocks that stay in the cache; a row has been multiplied by 2 y_i - 1.
  void logistic(const Matrix& theta, Vector& log_density, Matrix& gradient) {
    constexpr Index kBlock = 256;
    for (Index begin = 0; begin < x.cols(); begin += kBlock) {
      const auto block = x.middleCols(begin, std::min(kBlock, x.cols() - begin));
      fitted.noalias() = block.transpose() * theta;
      work = (-fitted.array().abs()).exp();
      log_density +=
          (fitted.array().min(0.0) - (1 + work.array()).log()).matrix().colwise().sum().transpose();
      fitted = (fitted.array() > 0).select(work.array(), 1.0) / (1 + work.array());
      gradient.noalias() += block * fitted;
    }
  }
};

struct BareLoop {
  Likelihood likelihood;
  void (Likelihood::*add)(const Matrix&, Vector&, Matrix&);
  double elbo = 0;  // kept, so that nothing is optimized away

  void run(Index iterations) {
    const Index p = likelihood.x.rows(), size = p + p * (p + 1) / 2;
    Vector lambda = Vector::Zero(size), squares = Vector::Zero(size), slope(size), mu(p);
    Vector log_density(kDraws);
    Matrix l = Matrix::Zero(p, p), z(p, kDraws), theta(p, kDraws), g(p, kDraws), d_l(p, p);
    for (Index j = 0, at = p; j < p; at += p - j, ++j) lambda(at) = std::log(0.1);
    for (Index t = 0; t < iterations; ++t) {
      mu = lambda.head(p);
      double log_determinant = 0;
      for (Index j = 0, at = p; j < p; at += p - j, ++j) {
        l.col(j).tail(p - j) = lambda.segment(at, p - j);
        l(j, j) = std::exp(lambda(at));
        log_determinant += lambda(at);
      }
      RandomStream(1, Purpose::gradient, 0, static_cast<std::uint32_t>(t)).fill_normal(z);
      theta.noalias() = l.triangularView<Eigen::Lower>() * z;
      theta.colwise() += mu;
      log_density = -0.5 * theta.colwise().squaredNorm();
      g = -theta;
      (likelihood.*add)(theta, log_density, g);
      elbo += log_density.mean() + log_determinant;
      slope.head(p) = g.rowwise().mean();
      d_l.triangularView<Eigen::Lower>() = g * z.transpose() * (1.0 / kDraws);
      for (Index j = 0, at = p; j < p; at += p - j, ++j) {
        slope.segment(at, p - j) = d_l.col(j).tail(p - j);
        slope(at) = d_l(j, j) * l(j, j) + 1;
      }
      squares = 0.9 * squares + 0.1 * slope.cwiseAbs2();
      lambda.array() += 0.01 * slope.array() / (squares.array().sqrt() + 1e-10);
    }
  }
};

// --- Both, turn by turn
// ---------------------------------------------------------------------------

struct Race {
  std::string what;
  std::unique_ptr<Model> model;
  BareLoop bare;
  int iterations;
  double bar;
};

Race linear_race(Index n, Index p, int iterations, double bar) {
  const SimulatedRegression s = simulate_linear_regression(n, p, 0.9, 1);
  return {fmt::format("linear, N = {}, P = {}", n, p),
          linear_model(s),
          {{s.X.transpose(), s.y, s.sigma * s.sigma, {}, {}}, &Likelihood::linear},
          iterations,
          bar};
}

Race logistic_race(Index n, Index p, int iterations, double bar) {
  const SimulatedRegression s = simulate_linear_regression(n, p, 0.9, 1);
  const Vector y = binary_targets(s, 1);
  const Matrix signed_rows = s.X.transpose() * (2 * y.array() - 1).matrix().asDiagonal();
  return {fmt::format("logistic, N = {}, P = {}", n, p),
          logistic_model(s.X, y),
          {{signed_rows, {}, 1, {}, {}}, &Likelihood::logistic},
          iterations,
          bar};
}

Options options_of(int iterations, int chains, int threads) {
  Options options{.method = "paper", .stop = "fixed", .chains = chains, .threads = threads};
  options.max_iterations = iterations;
  options.draws = kDraws;
  return options;
}

// The bare loop runs as many iterations as all chains of ravi together; one thread each.
void run(Race& race) {
  constexpr int kChains = 4;
  const Options options = options_of(race.iterations, kChains, 1);
  const Index all = race.iterations * kChains;
  std::vector<double> bare, whole, without_scoring, ratios, strict_ratios;
  std::vector<double> chains, diagnostics, scoring;
  race.bare.run(race.iterations / 10);
  for (int r = 0; r < kRepetitions; ++r) {
    bare.push_back(seconds_of([&] { race.bare.run(all); }));
    Timing timing;
    whole.push_back(seconds_of([&] { timing = fit(*race.model, options).timing; }));
    without_scoring.push_back(whole.back() - timing.scoring_seconds);
    ratios.push_back(bare.back() / without_scoring.back());
    strict_ratios.push_back(bare.back() / whole.back());
    chains.push_back((timing.search_seconds + timing.averaging_seconds) / whole.back());
    diagnostics.push_back(timing.diagnostics_seconds / whole.back());
    scoring.push_back(timing.scoring_seconds / whole.back());
  }
  const auto per_second = [&](const std::vector<double>& seconds) {
    return static_cast<double>(all) / median(seconds);
  };
  fmt::print("| {} | {:.0f} | {:.0f} | {:.2f} | {:.2f} | {} | {:.0f} % | {:.0f} % | {:.0f} % |\n",
             race.what, per_second(bare), per_second(without_scoring), median(ratios),
             median(strict_ratios), race.bar, 100 * median(chains), 100 * median(diagnostics),
             100 * median(scoring));
  std::fflush(stdout);
}

// Iterations of all chains per second, scoring left out: two chains on two threads, one on one.
void run_two_chains(const Race& race) {
  std::vector<double> ratios;
  const auto throughput = [&](int chains) {
    const Timing timing = fit(*race.model, options_of(race.iterations, chains, chains)).timing;
    return chains * static_cast<double>(race.iterations) /
           (timing.seconds - timing.scoring_seconds);
  };
  for (int r = 0; r < kRepetitions; ++r) {
    const double one = throughput(1);
    ratios.push_back(throughput(2) / one);
  }
  fmt::print("| {} | {:.2f} | 1.8 |\n", race.what, median(ratios));
  std::fflush(stdout);
}

}  // namespace
}  // namespace ravi

int main() {
  using namespace ravi;
  std::vector<Race> races;
  races.push_back(linear_race(300, 70, 4000, 0.7));
  races.push_back(linear_race(300, 10, 20000, 0.5));
  races.push_back(logistic_race(10000, 50, 200, 0.9));
  fmt::print(
      "| problem | bare loop, iterations/s | ravi, 4 chains, 1 thread | ratio | with scoring | bar "
      "| "
      "chains | diagnostics | scoring |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | "
      "---: |\n");
  for (Race& race : races) run(race);
  fmt::print("\n| problem | two chains on two cores, times one | bar |\n| --- | ---: | ---: |\n");
  for (const Race& race : races) run_two_chains(race);
}
