// draws.csv: draws in the layout of CmdStan's method variational.
#include "output/stan_csv.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "output/criteria.hpp"
#include "output/draws.hpp"
#include "output/variables.hpp"
#include "ravi/version.hpp"

namespace ravi {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;  // bytes handed to the sink at a time

// One line, and no '=': readers split comments there.
std::string for_comment(std::string text) {
  for (char& c : text) {
    if (c == '=' || static_cast<unsigned char>(c) < ' ') c = '_';
  }
  return text;
}

// Keys of CmdStan that readers ask for, with what comes nearest to them in ravi; cmdstanpy wants
// them positive. A line of words must not have "thin" in it: rstan takes that for an option.
std::string header(const Fit& fit, const Answer& answer, const DrawSet& set, std::size_t chain) {
  const Options& o = fit.options;
  const auto positive = [](double x, double otherwise) { return x > 0 ? x : otherwise; };
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "# {}\n# The verdict is {}: {}.\n# {}\n", set.what, name(fit.verdict),
                 meaning(fit.verdict), which_draws(fit));
  fmt::format_to(out,
                 "# The first row is the means of the quantities, and no draw. log_p__ and "
                 "log_g__ are the log densities of the posterior and of q; lp__ is always 0.{}\n",
                 answer.modes.size() < 2 ? "" : " mode__ is the mode that a draw is in.");
  fmt::format_to(out, "# ravi_version = {}\n# verdict = {}\n# khat = {}\n", version(),
                 name(fit.verdict), khat_text(answer));
  if (answer.mode > 0) {
    fmt::format_to(out, "# mode = {}\n# mode_weight = {:.4g}\n", answer.mode, answer.mode_weight);
  }
  fmt::format_to(out, "# model = {}\n# method = variational\n#   variational\n",
                 for_comment(fit.model));
  fmt::format_to(out, "#     algorithm = {}\n",
                 answer.q.family == "mean-field" ? "meanfield" : "fullrank");
  fmt::format_to(out, "#     iter = {}\n#     grad_samples = {}\n#     elbo_samples = {}\n",
                 std::max(1L, fit.iterations), std::max(1, o.draws), o.psis_draws);
  fmt::format_to(out, "#     eta = {}\n#     adapt\n#       engaged = 0\n",
                 positive(o.step_size, 1));
  fmt::format_to(out, "#     tol_rel_obj = {}\n#     eval_elbo = {}\n#     output_samples = {}\n",
                 positive(o.tolerance, positive(o.elbo_threshold, 0.01)), std::max(1, o.window),
                 set.columns.size());
  fmt::format_to(out, "# id = {}\n# random\n#   seed = {}\n# output\n#   sig_figs = 17\n", chain,
                 o.seed);
  return text;
}

void append_number(double x, std::string& text) {
  if (std::isnan(x)) {
    text += ",NaN";
  } else {
    fmt::format_to(std::back_inserter(text), FMT_COMPILE(",{}"), x);
  }
}

}  // namespace

void write_stan_csv(const Fit& fit, const Answer& answer, const DrawSet& set, std::size_t chain,
                    const Sink& sink) {
  const WeightedDraws& draws = answer.draws;
  std::string text = header(fit, answer, set, chain);
  const bool several = answer.modes.size() > 1;
  text += several ? "lp__,log_p__,log_g__,mode__" : "lp__,log_p__,log_g__";
  for (const std::string& column : stan_columns(quantity_names(answer))) text += "," + column;
  text += several ? "\n0,0,0,0" : "\n0,0,0";
  for (const ParameterSummary& p : *set.summaries) append_number(p.mean, text);
  text += '\n';
  for (const Index s : set.columns) {
    text += '0';
    append_number(draws.log_density(s), text);
    append_number(draws.log_q(s), text);
    if (several) fmt::format_to(std::back_inserter(text), FMT_COMPILE(",{}"), mode_of(draws, s));
    for (const double x : draws.quantities.col(s)) append_number(x, text);
    text += '\n';
    if (text.size() < kPiece) continue;
    sink(text);
    text.clear();
  }
  sink(text);
}

}  // namespace ravi
