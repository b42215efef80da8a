// One run of the evaluation: what it is asked to do, what came out, and both as JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "ravi/fit.hpp"

namespace ravi::paper {

// fit: a fit, scored at its end. evolution: chains scored along the way. autocorrelation: the
// second half of a chain, some components of it.
enum class Kind { fit, evolution, autocorrelation };

struct Run {
  Kind kind = Kind::fit;
  std::string posterior;  // of problems.hpp
  // Of simulated data only: P, the correlation of neighboring columns, and which realization.
  Index dimension = 0;
  double gamma = 0;
  std::uint64_t realization = 0;
  Options options = {};
  std::vector<long> checkpoints = {};        // evolution: iterations to score at
  std::vector<std::string> parameters = {};  // autocorrelation: whose location
  Index khat_draws = 0;  // k-hat from one batch of so many draws; 0: as ravi has it

  bool operator==(const Run& other) const { return name() == other.name(); }
  // The settings as text: equal for equal runs.
  std::string settings() const;
  // A file name: a hash of the settings and of ravi's version.
  std::string name() const;
  // Floating-point work, roughly, for the estimate of the time left.
  double cost() const;
};

// How far an approximation is from the posterior; unknown without a truth to compare with.
struct Quality {
  double d_mu = kUnknown, d_sigma = kUnknown, kl = kUnknown;
  double khat = kUnknown, elbo = kUnknown;
  double frobenius = kUnknown;                                 // |Sigma - Sigma_q|_F
  double printed_d_mu = kUnknown, printed_d_sigma = kUnknown;  // from Problem::printed_reference

  double d() const;  // (D_mu^2 + D_Sigma^2)^(1/2)
};

struct Point {
  long iteration = 0;
  double elbo = kUnknown;           // mean over the last window and the chains
  double rhat_window = kUnknown;    // largest split R-hat of the last W iterates
  double rhat_half = kUnknown;      // of the second half of the run
  Quality last = {}, average = {};  // the average is over the second half of the run
};

struct Result {
  std::string termination = {}, verdict = {};
  long iterations = 0;
  long averaging_started_at = -1;
  std::int64_t evaluations = 0;
  double rhat = kUnknown, ess = kUnknown, tail_index = kUnknown;
  Quality last = {}, average = {};
  std::vector<Point> points = {};
  Matrix autocorrelation = {};  // a row per lag, a column per parameter
};

nlohmann::ordered_json to_json(const Result& result);
Result result_from_json(const nlohmann::json& json);  // throws what nlohmann::json throws

}  // namespace ravi::paper
