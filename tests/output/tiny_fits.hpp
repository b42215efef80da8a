// Fits made by hand, small enough to check what is written of them number by number.
#pragma once

#include "output/draws.hpp"

namespace ravi {

inline std::vector<ParameterSummary> summaries(const std::vector<std::string>& names) {
  std::vector<ParameterSummary> parameters;
  for (const std::string& name : names) parameters.push_back({.name = name, .mean = 0, .sd = 1});
  return parameters;
}

inline Vector sequence(Index size, double first, double step) {
  return Vector::LinSpaced(size, first, first + step * static_cast<double>(size - 1));
}

// Six draws, of which four are of q and three are plain; quantity i of draw s is 10 i + s + 0.5.
inline Answer tiny_answer() {
  const std::vector<std::string> names = {"mu",         "theta[1]",   "theta[2]",  "Sigma[1,1]",
                                          "Sigma[2,1]", "Sigma[1,2]", "Sigma[2,2]"};
  Answer answer;
  answer.q = {.family = "full-rank", .mean = Vector::Zero(2), .cov = Matrix::Identity(2, 2)};
  answer.khat = 0.625;
  answer.weighted = true;
  answer.parameters = answer.unweighted_parameters = summaries(names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    answer.parameters[i].mean = static_cast<double>(i) + 0.25;
    answer.unweighted_parameters[i].mean = static_cast<double>(i) + 0.75;
  }
  WeightedDraws& d = answer.draws;
  d.quantities = Matrix(static_cast<Index>(names.size()), 6);
  for (Index s = 0; s < 6; ++s) {
    d.quantities.col(s) = sequence(d.quantities.rows(), static_cast<double>(s) + 0.5, 10);
  }
  d.from_q = 4;
  d.plain = 3;
  d.log_density = sequence(6, -3, 0.25);
  d.log_q = sequence(6, -2, 0.125);
  d.log_proposal = sequence(6, -1, 0.5);
  d.log_weights = Vector::Constant(6, -std::log(6.0));
  d.resampled = {5, 0, 5, 2, 1, 3};
  return answer;
}

inline Fit tiny_fit() {
  Fit fit{.model = "tiny", .dimension = 2};
  fit.verdict = Verdict::usable;
  fit.iterations = 175;
  fit.options.draws = 16;
  fit.options.window = 25;
  fit.options.step_size = 0.25;
  fit.options.tolerance = 0.1;
  fit.average = tiny_answer();
  fit.last_iterate = Answer{.q = fit.average->q};
  fit.trace = {{25, -4, 1.5}, {50, -3, 1.05, 0.1, 30, 0.05}};
  fit.chain_elbo = {{1, {-5, -4, -3}}, {2, {-6, -2}}};
  fit.search_elbo = {{1, {-9, -8}}};
  return fit;
}

inline Fit tiny_fit_apart() {
  Fit fit = tiny_fit();
  fit.verdict = Verdict::not_converged;
  for (int mode = 1; mode <= 2; ++mode) {
    Answer chain = tiny_answer();
    chain.mode = mode;
    chain.mode_weight = 0.25 * mode + 0.125;
    chain.draws.quantities.array() += 1000 * mode;
    fit.chains.push_back(chain);
  }
  fit.average.reset();
  return fit;
}

inline Fit tiny_fit_failed() {
  Fit fit = tiny_fit();
  fit.verdict = Verdict::failed;
  fit.average.reset();
  return fit;
}

}  // namespace ravi
