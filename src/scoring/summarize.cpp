// Summaries of an answer: quantities of its draws, by weights, and of q itself.
#include "scoring/summarize.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/numeric.hpp"
#include "core/parallel.hpp"
#include "core/rng.hpp"
#include "diagnostics/importance.hpp"
#include "diagnostics/psis.hpp"
#include "diagnostics/ranks.hpp"
#include "diagnostics/resolution.hpp"
#include "limits/limits.hpp"
#include "scoring/looks.hpp"
#include "scoring/tails.hpp"
#include "scoring/weights.hpp"

namespace ravi {
namespace {

// The weights of the draws where x is finite, rescaled to sum to one; NaN when there is none.
Vector where_finite(const Vector& x, const Vector& weights) {
  const Vector kept = x.array().isFinite().select(weights, 0.0);
  return kept / kept.sum();
}

ParameterSummary summary_of(const std::string& name, const WeightedEstimates& e) {
  return {name,        e.mean,    e.sd,      e.q5,       e.q50,     e.q95,
          e.mcse_mean, e.mcse_sd, e.mcse_q5, e.mcse_q50, e.mcse_q95};
}

// Which coordinate a quantity is, if it is one: for those the distribution under a linear q is
// known.
std::vector<Index> coordinates_among(const Matrix& theta, const Matrix& quantities, bool linear) {
  std::vector<Index> result(static_cast<std::size_t>(quantities.rows()), -1);
  if (theta.cols() == 0 || !linear) return result;
  Index next = 0;
  for (Index i = 0; i < quantities.rows(); ++i) {
    for (Index k = next; k < theta.rows(); ++k) {
      if (quantities(i, 0) != theta(k, 0) || quantities.row(i) != theta.row(k)) continue;
      result[static_cast<std::size_t>(i)] = k;
      next = k + 1;
      break;
    }
  }
  return result;
}

// Summaries of draws by their weights; with those that make them draws of q, where q has
// something to say.
struct Known {
  std::vector<Index> coordinate;
  Vector mean, sd, weights_of_q;
};

std::vector<ParameterSummary> summarize(const std::vector<std::string>& names,
                                        const ConstMatrixRef& quantities, const Vector& weights,
                                        Index group, int threads, const Known& known) {
  std::vector<ParameterSummary> parameters(names.size());
  parallel_for(quantities.rows(), threads, [&](Index i) {
    const auto place = static_cast<std::size_t>(i);
    const Vector x = quantities.row(i);
    const double not_finite =
        static_cast<double>((!x.array().isFinite()).count()) / static_cast<double>(x.size());
    const Index k = known.weights_of_q.size() > 0 ? known.coordinate[place] : -1;
    if (k >= 0) {
      // What is the same to rounding is known to a millionth, not better.
      const double least = limit(Limit::exact) * known.sd(k);
      WeightedEstimates e =
          weighted_estimates(x, weights, group, known.weights_of_q, {known.mean(k), known.sd(k)});
      for (double* error : {&e.mcse_mean, &e.mcse_sd, &e.mcse_q5, &e.mcse_q50, &e.mcse_q95}) {
        *error = std::max(*error, least);
      }
      parameters[place] = summary_of(names[place], e);
      return;
    }
    const Vector w = not_finite > 0 ? where_finite(x, weights) : weights;
    parameters[place] = summary_of(names[place], weighted_estimates(x, w, group));
    parameters[place].not_finite = not_finite;
  });
  return parameters;
}

// The summaries of q itself: exact for its coordinates, by its draws for other quantities.
std::vector<ParameterSummary> summarize_q(const std::vector<std::string>& names,
                                          const ConstMatrixRef& draws, const Known& known,
                                          Index group, int threads) {
  const Index n = draws.cols();
  std::vector<ParameterSummary> parameters =
      summarize(names, draws, Vector::Constant(n, 1 / static_cast<double>(n)), group, threads, {});
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Index k = known.coordinate[i];
    if (k >= 0) parameters[i] = summary_of(names[i], estimates_of({known.mean(k), known.sd(k)}));
  }
  return parameters;
}

// What the model's parameter_names() name, of every draw.
void add_quantities(const Model& model, const Options& options, std::uint32_t which, Index count,
                    Answer& result) {
  const Matrix& theta = result.draws.theta;
  const Index s = theta.cols(), per_chunk = columns_per_call(theta.rows());
  const Index chunks = (s + per_chunk - 1) / per_chunk;
  const auto seed_of = [&](Index chunk) {
    RandomStream stream(options.seed, Purpose::quantities, which,
                        static_cast<std::uint32_t>(chunk));
    return static_cast<std::uint32_t>(stream.below(std::uint64_t{1} << 32));
  };
  Matrix& quantities = result.draws.quantities;
  quantities.resize(count, s);
  parallel_for(chunks, resolve_threads(options.threads), [&](Index chunk) {
    const Index first = chunk * per_chunk, n = std::min(per_chunk, s - first);
    model.constrain(theta.middleCols(first, n), quantities.middleCols(first, n), seed_of(chunk));
  });
}

void say_why_not_finite(const Model& model, Answer& result) {
  const Matrix &theta = result.draws.theta, &quantities = result.draws.quantities;
  for (Index i = 0; i < theta.cols(); ++i) {
    if (quantities.col(i).allFinite()) continue;
    result.why_not_finite = model.why_not_computable(theta.col(i));
    return;
  }
}

// Which coordinates the quantities are, and the weights that make the draws draws of q: none where
// they are moved ones.
Known known_of(const Components& q, const Answer& result) {
  const WeightedDraws& draws = result.draws;
  const bool linear = q.size() == 1 && q.front()->linear();
  Known known{coordinates_among(draws.theta, draws.quantities, linear), {}, {}, {}};
  if (linear) {
    known.mean = q.front()->mean();
    known.sd = q.front()->sd();
  }
  if (!result.moved()) {
    const Vector log_weights = draws.log_q - draws.log_proposal;
    known.weights_of_q = normalize_log_weights(log_weights).array().exp();
  }
  return known;
}

// Which sds are to be trusted. Where much of one may be unseen, draws that are moved may see it,
// unless q resembles the posterior on the unconstrained scale, where little is.
void judge_sds(const Model& model, const Vector& weights, int threads, Answer& result) {
  const Matrix &theta = result.draws.theta, &quantities = result.draws.quantities;
  const Index count = quantities.rows(), judged = model.judged_quantities();
  std::vector<Unseen> unseen(static_cast<std::size_t>(count));
  parallel_for(count, threads, [&](Index i) {
    unseen[static_cast<std::size_t>(i)] = unseen_variance(quantities.row(i), weights);
  });
  std::vector<Index> long_tailed;
  result.unseen_variance = 0;
  for (Index i = 0; i < count; ++i) {
    const Unseen& of = unseen[static_cast<std::size_t>(i)];
    result.parameters[static_cast<std::size_t>(i)].sd_trusted =
        of.share < limit(Limit::unseen_variance);
    if (i >= judged) continue;
    result.unseen_variance = std::max(result.unseen_variance, of.share);
    // Moved draws never look long-tailed: they do not go that far.
    if (result.moved() || of.khat > limit(Limit::accurate_khat)) long_tailed.push_back(i);
  }
  // Each of them takes a time that grows with the dimension: of very many, those that look worst.
  const auto most = static_cast<std::size_t>(ravi::count(Limit::dense_coordinates));
  if (long_tailed.size() > most) {
    std::ranges::stable_sort(long_tailed, std::greater{},
                             [&](Index i) { return unseen[static_cast<std::size_t>(i)].khat; });
    long_tailed.resize(most);
  }
  const std::vector<double> shapes = tail_shapes(model, result.draws, long_tailed, threads);
  result.tail_shape = beyond_any_posterior(result.draws) ? kInf : 0;
  for (std::size_t j = 0; j < shapes.size(); ++j) {
    result.tail_shape = std::max(result.tail_shape, shapes[j]);
    if (2 * shapes[j] >= limit(Limit::longest_tail)) {
      result.parameters[static_cast<std::size_t>(long_tailed[j])].sd_trusted = false;
    }
  }
  if (result.unseen_variance < limit(Limit::unseen_variance)) return;
  Vector unconstrained(theta.rows());
  parallel_for(theta.rows(), threads,
               [&](Index k) { unconstrained(k) = unseen_variance(theta.row(k), weights).share; });
  result.unseen_variance = std::min(result.unseen_variance, unconstrained.maxCoeff());
}

// What the draws say of each mode by itself, and of its mass.
void summarize_modes(const std::vector<std::string>& names, int threads, Answer& result) {
  const WeightedDraws& draws = result.draws;
  const Vector weights = draws.log_weights.array().exp();
  for (std::size_t m = 0; m < result.modes.size(); ++m) {
    ModeSummary& mode = result.modes[m];
    const Vector share = draws.share_of_mode.col(static_cast<Index>(m));
    const WeightedEstimates mass = weighted_estimates(share, weights, draws.group);
    mode.mass = mass.mean;
    mode.mass_error = mass.mcse_mean;
    mode.parameters = summarize(names, draws.quantities, weights.cwiseProduct(share) / mode.mass,
                                draws.group, threads, {});
  }
}

void add_summaries(const Model& model, const Components& q, const Options& options,
                   const std::vector<std::string>& names, Answer& result) {
  const int threads = resolve_threads(options.threads);
  const Matrix& quantities = result.draws.quantities;
  const Index group = result.draws.group;
  const Vector weights = result.draws.log_weights.array().exp();
  const Known known = known_of(q, result);
  if (result.unweighted_parameters.empty()) {
    result.unweighted_parameters =
        summarize_q(names, quantities.leftCols(result.draws.plain), known, group, threads);
  }
  result.parameters = result.weighted ? summarize(names, quantities, weights, group, threads, known)
                                      : result.unweighted_parameters;
  judge_sds(model, weights, threads, result);
  summarize_modes(names, threads, result);
}

// As many draws again as have weight, chosen by it; fewer distinct ones than half are a sign of
// poor weights.
void resample(const Options& options, std::uint32_t which, Answer& result) {
  const Vector& log_weights = result.draws.log_weights;
  const Index count = (log_weights.array() > -kInf).count();
  if (count == 0) return;
  RandomStream stream(options.seed, Purpose::resample, which, 0);
  result.draws.resampled = resample_with_replacement(log_weights, count, stream);
  std::vector<Index> sorted = result.draws.resampled;
  std::ranges::sort(sorted);
  result.resampled_distinct =
      std::distance(sorted.begin(), std::unique(sorted.begin(), sorted.end()));
}

// The resolution of the log densities of draws that count, over how much they vary.
double coarseness_of(const WeightedDraws& draws) {
  std::vector<double> counting;
  for (Index i = 0; i < draws.log_density.size(); ++i) {
    const double value = draws.log_density(i);
    if (draws.log_weights(i) > -kInf && std::isfinite(value)) counting.push_back(value);
  }
  const Vector values = to_vector(counting);
  if (values.size() < 2) return kUnknown;
  const double resolution = resolution_of(values);
  const double spread = std::sqrt(variance(Vector(values.array() - values.maxCoeff())));
  return resolution == 0 ? 0 : resolution / spread;
}

}  // namespace

void summarize_draws(const Model& model, const Components& q, const Options& options,
                     std::uint32_t which, Answer& answer) {
  const std::vector<std::string> names = model.parameter_names();
  resample(options, which, answer);
  answer.coarseness = coarseness_of(answer.draws);
  add_quantities(model, options, which, static_cast<Index>(names.size()), answer);
  say_why_not_finite(model, answer);
  add_summaries(model, q, options, names, answer);
}

void add_error_of_q(const Model& model, const Transport& q, const PartsOfRun& parts,
                    double least_error, std::uint32_t seed,
                    std::vector<ParameterSummary>& parameters) {
  const Index half = count(Limit::enough_for_error) / 2, common = 2 * half;
  const auto quantities = static_cast<Index>(parameters.size());
  Vector of_mean = Vector::Zero(quantities), of_sd = Vector::Zero(quantities);
  if (const auto b = static_cast<Index>(parts.size()); b > 1) {
    Matrix z(q.dimension(), common);
    RandomStream(seed, Purpose::quantities, 0, stream_of::error_of_q).fill_normal(z.leftCols(half));
    z.rightCols(half) = -z.leftCols(half);
    Matrix means(quantities, b), sds(quantities, b), theta(q.dimension(), common),
        values(quantities, common);
    for (Index i = 0; i < b; ++i) {
      const auto part = parts[static_cast<std::size_t>(i)]();
      part->forward(z, theta);
      model.constrain(theta, values, seed);
      means.col(i) = values.rowwise().mean();
      sds.col(i) = (values.colwise() - means.col(i)).rowwise().norm() /
                   std::sqrt(static_cast<double>(common - 1));
    }
    const auto error = [&](const Matrix& x) -> Vector {
      const Vector center = x.rowwise().mean();
      return (x.colwise() - center).rowwise().norm() /
             std::sqrt(static_cast<double>(b) * static_cast<double>(b - 1));
    };
    of_mean = error(means);
    of_sd = error(sds);
  }
  for (Index i = 0; i < quantities; ++i) {
    ParameterSummary& x = parameters[static_cast<std::size_t>(i)];
    const double mean = std::hypot(of_mean(i), least_error * x.sd);
    const double sd = std::hypot(of_sd(i), least_error * x.sd);
    const double tail = std::hypot(mean, kNormal95 * sd);
    x.mcse = std::hypot(x.mcse, mean);
    x.mcse_sd = std::hypot(x.mcse_sd, sd);
    x.mcse_q5 = std::hypot(x.mcse_q5, tail);
    x.mcse_q50 = std::hypot(x.mcse_q50, mean);
    x.mcse_q95 = std::hypot(x.mcse_q95, tail);
  }
}

std::vector<Finding> judge_quantities(const Answer& answer) {
  const auto worst =
      std::ranges::max_element(answer.unweighted_parameters, {}, &ParameterSummary::not_finite);
  if (worst == answer.unweighted_parameters.end() || worst->not_finite == 0) return {};
  return {{.code = FindingCode::quantities_not_finite,
           .observed = worst->not_finite,
           .parameter = worst->name,
           .detail = answer.why_not_finite}};
}

}  // namespace ravi
