// Claims about stopping rules, R-hat, k-hat and the optimizers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "paper/evidence.hpp"

namespace ravi::paper {
namespace {

constexpr double kTau = 1.1;
constexpr double kClearlyApart = 2;  // R-hat that no noise of a window explains

double iterations(const Result& r) { return static_cast<double>(r.iterations); }
double printed_d(const PrintedRow& row) {
  return std::hypot(row.d_mu.average, row.d_sigma.average);
}

std::string label(const AuthorsRuns& r) { return fmt::format("{} ({})", r.model, r.optimizer); }

bool converged(const Result& r) { return r.termination == "converged"; }

void append(std::string& list, const std::string& item) {
  list += (list.empty() ? "" : ", ") + item;
}

Claim elbo_stops_early(const Evidence& e) {
  Claim c{"ΔELBO stops too early, and its answer is worse than that of the MCSE rule",
          "section 4, Tables 1 and 2"};
  std::size_t rows = 0, earlier = 0, worse = 0, stopped = 0, runs = 0, text_stopped = 0,
              text_runs = 0;
  std::string exceptions;
  for (const auto* table : {&e.table1, &e.table2}) {
    for (const Comparison& row : table->text) {
      text_runs += row.mcse.results.size();
      text_stopped += row.mcse.count(converged);
    }
    for (const AuthorsRuns& row : table->authors) {
      // Only where the paper itself found it: not Radon, nor NCP with RMSprop.
      const bool said = row.printed_elbo.iterations < row.printed_mcse.iterations &&
                        printed_d(row.printed_elbo) > printed_d(row.printed_mcse);
      if (!said || row.elbo.empty() || std::isnan(row.elbo.first().last.d_mu)) continue;
      ++rows;
      const bool is_earlier = row.elbo.median(iterations) < row.mcse.median(iterations);
      const bool is_worse = row.elbo.median(average_d) > row.mcse.median(average_d);
      earlier += is_earlier;
      worse += is_worse;
      stopped += row.mcse.count(converged);
      runs += row.mcse.results.size();
      if (!is_earlier || !is_worse) append(exceptions, label(row));
    }
  }
  if (rows == 0) return c;
  c.evidence = fmt::format(
      "As the authors ran it, of the {} rows (posterior and optimizer) where the paper found so, "
      "ΔELBO stopped earlier in {}, and its average is further from the truth in D in {}. "
      "Exceptions: {}. The MCSE rule stopped in {} of these {} runs; as the text has it in {} of "
      "{}, and the others ran to T_max.",
      rows, earlier, worse, exceptions.empty() ? "none" : exceptions, stopped, runs, text_stopped,
      text_runs);
  // Against a rule that never stops, being earlier says nothing.
  c.judgement = judged(std::min(earlier, worse), rows);
  if (c.judgement == Judgement::held && 2 * stopped < runs) c.judgement = Judgement::held_in_part;
  c.explanation =
      "The average under ΔELBO that the authors' code takes with RMSprop reaches back to iteration "
      "500, into the transient: k-hat up to 15 is of that. As the text has it nothing is said of "
      "what is averaged; the second half of the run has a small k-hat already. Of the eight "
      "schools "
      "the ELBO without constants is so small that the noise of an estimate is a large part of it, "
      "and the rule stops by chance or not at all: a relative change depends on the constants that "
      "are left in.";
  return c;
}

Claim multimodality(const Evidence& e, const Printed& printed) {
  Claim c{
      "R-hat finds multimodality, and only with J > 1: on MNIST100 with J = 4 the largest is 4.8",
      "section 4"};
  if (e.bimodal_one.empty() || e.network.four.empty()) return c;
  const auto rhat = [](const Result& r) { return r.rhat; };
  const double one = e.bimodal_one.median(rhat), four = e.bimodal_four.median(rhat);
  const double network = e.network.four.median(rhat), network_one = e.network.one.median(rhat);
  c.evidence = fmt::format(
      "Two modes at a distance of ten standard deviations, second half of the run: {:.2f} with J = "
      "1, {} with J = 4. MNIST100: {} with J = 4 (paper {}), {} with J = 1 over the last W.",
      one, khat_text(four), khat_text(network), khat_text(printed.network_rhat),
      khat_text(network_one));
  // Chains that are still moving have a large R-hat whatever the modes.
  const bool network_tells = network > kClearlyApart && network_one < kClearlyApart;
  c.judgement = judged(std::size_t{network_tells} + std::size_t{four > kClearlyApart} +
                           std::size_t{one < kClearlyApart && one < four / 2},
                       3);
  c.explanation =
      "The two modes show it. MNIST100 shows less than it seems to: R-hat of a single chain over "
      "the "
      "last W iterates is above 2 as well, so that a large value with J = 4 does not tell several "
      "modes from chains that have not settled. The same may be true of the paper's 4.8, after a "
      "run "
      "that had not converged either.";
  return c;
}

Claim rhat_finds_convergence(const Evidence& e) {
  Claim c{
      "R-hat over the last W = 100 iterates, below 1.1, tells when the optimization has converged",
      "sections 3 and 4, Figure 2c"};
  std::size_t runs = 0, fired = 0, authors_runs = 0, authors_fired = 0;
  const auto count = [](const Group& group, std::size_t& all, std::size_t& begun) {
    all += group.results.size();
    begun += group.count([](const Result& r) { return r.averaging_started_at >= 0; });
  };
  for (const auto* table : {&e.table1, &e.table2}) {
    for (const Comparison& row : table->text) count(row.mcse, runs, fired);
    for (const AuthorsRuns& row : table->authors) count(row.mcse, authors_runs, authors_fired);
  }
  for (const Dimension& d : e.dimensions) count(d.mcse, runs, fired);
  if (runs == 0) return c;
  std::string along;
  const std::size_t end = e.strong.checkpoints.size() - 1;
  for (const auto& [p, group] : e.strong.runs) {
    append(along,
           fmt::format("P = {}: {} and {}", p,
                       khat_text(group.median([](const Point& x) { return x.rhat_window; }, end)),
                       khat_text(group.median([](const Point& x) { return x.rhat_half; }, end))));
  }
  c.evidence = fmt::format(
      "It fell below 1.1 in {} of {} runs of the MCSE rule as the text has it. Over the last half "
      "of the run, with a limit of 1.3 (Adagrad: 1.25) that means and scales pass once and for "
      "good, "
      "it did in {} of {} as the authors ran it. At the end of the runs of Figure 2, largest R-hat "
      "of the last "
      "100 iterates and of the second half: {}.",
      fired, runs, authors_fired, authors_runs, along);
  c.judgement = judged(fired, runs);
  c.explanation =
      "As printed, the rule asks that the largest of K values of R-hat, each from two halves of 50 "
      "strongly correlated iterates, is below 1.1, which stationary iterates hardly ever do. In "
      "the authors' code 100 is the number of iterations between checks, and the window is half of "
      "the run: over that R-hat does fall (dashed in Figure 2c).";
  return c;
}

Claim mild_is_faster(const Evidence& e) {
  Claim c{"With a correlation of 0.5 convergence is earlier than with 0.9", "supplement, Figure 2"};
  std::string evidence;
  std::size_t holding = 0, all = 0;
  // The first check with R-hat of the second half below tau; one past the end when there is none.
  const auto reached = [](const Evolution& evolution, const Group& group) {
    std::size_t t = 0;
    while (t < evolution.checkpoints.size() &&
           !(group.median([](const Point& x) { return x.rhat_half; }, t) < kTau)) {
      ++t;
    }
    return t;
  };
  const auto time = [](const Evolution& evolution, std::size_t t) {
    return t < evolution.checkpoints.size() ? fmt::format("{}", evolution.checkpoints[t])
                                            : std::string("never");
  };
  for (std::size_t i = 0; i < std::min(e.strong.runs.size(), e.mild.runs.size()); ++i) {
    if (e.strong.runs[i].second.empty() || e.mild.runs[i].second.empty()) return c;
    ++all;
    const std::size_t strong = reached(e.strong, e.strong.runs[i].second);
    const std::size_t mild = reached(e.mild, e.mild.runs[i].second);
    const double d_strong = e.strong.runs[i].second.median(average_d);
    const double d_mild = e.mild.runs[i].second.median(average_d);
    holding += mild < strong || (mild == strong && d_mild < d_strong);
    append(evidence, fmt::format("P = {}: {} and {}, D of the average at the end {} and {}",
                                 e.strong.runs[i].first, time(e.mild, mild), time(e.strong, strong),
                                 number_text(d_mild), number_text(d_strong)));
  }
  c.evidence = fmt::format(
      "Iterations until R-hat of the second half is below 1.1, γ = 0.5 and 0.9: {}.", evidence);
  c.judgement = judged(holding, all);
  return c;
}

Claim adagrad_is_similar(const Evidence& e) {
  Claim c{"Adagrad performs similarly to RMSprop", "section 4, Table 2"};
  std::size_t all_windowed = 0, windowed = 0, all_textbook = 0, textbook = 0;
  const auto compare = [](const Group& ada, const Group& rms, std::size_t& all, std::size_t& near) {
    if (ada.empty() || rms.empty() || std::isnan(ada.first().average.d_mu)) return;
    const double ratio = ada.median(average_d) / rms.median(average_d);
    ++all;
    near += ratio < 3 && ratio > 1.0 / 3;
  };
  for (const AuthorsRuns& ada : e.table2.authors) {
    for (const AuthorsRuns& rms : e.table1.authors) {
      if (rms.posterior == ada.posterior) compare(ada.mcse, rms.mcse, all_windowed, windowed);
    }
  }
  for (const Comparison& ada : e.table2.text) {
    for (const Comparison& rms : e.table1.text) {
      if (rms.posterior == ada.posterior) compare(ada.mcse, rms.mcse, all_textbook, textbook);
    }
  }
  c.evidence = fmt::format(
      "D of the average of the MCSE rule is within a factor of 3 of that of RMSprop for {} of {} "
      "posteriors as the authors ran them, with the sum of the last ten squared gradients, and for "
      "{} of {} with the textbook rule.",
      windowed, all_windowed, textbook, all_textbook);
  c.judgement = judged(windowed, all_windowed);
  c.explanation =
      "Judged by the authors' rule; that of the textbook, whose steps fall like 1/sqrt(t), is not "
      "near the posterior after 15000 iterations. The factor of 3 is ours.";
  return c;
}

Claim ncp_is_easier(const Evidence& e) {
  Claim c{"The non-centered eight schools are easier than the centered ones, and k-hat says so",
          "section 4, Table 1"};
  const Group *cp = nullptr, *ncp = nullptr;
  for (const AuthorsRuns& row : e.table1.authors) {
    if (row.model == "8-school (CP)") cp = &row.mcse;
    if (row.model == "8-school (NCP)") ncp = &row.mcse;
  }
  if (cp == nullptr || ncp == nullptr || cp->empty() || ncp->empty()) return c;
  const auto khat = [](const Result& r) { return r.average.khat; };
  const double khat_cp = cp->median(khat), khat_ncp = ncp->median(khat);
  c.evidence = fmt::format(
      "As the authors ran it, D of the average is {} (CP) and {} (NCP), k-hat {} and {}.",
      number_text(cp->median(average_d)), number_text(ncp->median(average_d)), khat_text(khat_cp),
      khat_text(khat_ncp));
  c.judgement = judged(std::size_t{cp->median(average_d) > ncp->median(average_d)} +
                           std::size_t{khat_cp > kKhatLimit} + std::size_t{khat_ncp < kKhatLimit},
                       3);
  return c;
}

Claim small_thresholds(const Evidence& e) {
  Claim c{
      "With a smaller threshold ΔELBO is never met, because the estimates are too noisy: it has to "
      "be tuned, while epsilon of the MCSE rule is the same everywhere",
      "sections 1 and 4"};
  std::string evidence;
  double first = kUnknown, last = kUnknown;
  for (const auto& [epsilon, group] : e.elbo_thresholds) {
    if (group.empty()) return c;
    last = group.median(iterations);
    if (std::isnan(first)) first = last;
    const std::size_t met =
        group.count([](const Result& r) { return r.termination == "elbo-settled"; });
    append(evidence, fmt::format("{:g}: T = {:.0f}, met in {} of {}", epsilon, last, met,
                                 group.results.size()));
  }
  c.evidence = fmt::format("Boston, linear, by epsilon: {}.", evidence);
  c.judgement = last > 10 * first ? Judgement::held : Judgement::held_in_part;
  c.explanation =
      "Stopping times spread over orders of magnitude. By chance two windows can agree to any "
      "threshold, so that the rule does stop in the end, at a time that says nothing. The MCSE "
      "rule is not free of scale either: its errors are those of raw lambda, the paper itself uses "
      "0.01 for Radon, and at 0.02 it is the effective sample size that decides.";
  return c;
}

Claim radon_exception(const Evidence& e) {
  Claim c{"On Radon ΔELBO never stops, and is as good as the MCSE rule", "section 4, Table 1"};
  for (const AuthorsRuns& row : e.table1.authors) {
    if (row.model != "Radon" || row.elbo.empty()) continue;
    const auto from_theirs = [](const Result& r) { return r.average.printed_d_mu; };
    c.evidence = fmt::format(
        "As the authors ran it, ΔELBO (0.02) stopped after {:.0f} iterations. D of the average: {} "
        "(ΔELBO) and {} (MCSE). From their reference D_mu is {} and {}; the paper's is 5.7 to 6.0 "
        "in all rows.",
        row.elbo.median(iterations), number_text(row.elbo.median(average_d)),
        number_text(row.mcse.median(average_d)), number_text(row.elbo.median(from_theirs)),
        number_text(row.mcse.median(from_theirs)));
    const std::size_t unstopped =
        row.elbo.count([](const Result& r) { return r.termination == "max-iterations"; });
    const bool as_good = row.elbo.median(average_d) <= row.mcse.median(average_d);
    c.judgement =
        judged(std::size_t{2 * unstopped > row.elbo.results.size()} + std::size_t{as_good}, 2);
    c.explanation =
        "The printed D_mu hardly changes from row to row because it is the distance between the "
        "posterior and itself with two coordinates exchanged.";
  }
  return c;
}

}  // namespace

std::vector<Claim> claims_on_stopping(const Evidence& e, const Printed& printed) {
  return {elbo_stops_early(e), multimodality(e, printed), rhat_finds_convergence(e),
          mild_is_faster(e),   adagrad_is_similar(e),     ncp_is_easier(e),
          small_thresholds(e), radon_exception(e)};
}

}  // namespace ravi::paper
