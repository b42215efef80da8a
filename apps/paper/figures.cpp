// The figures of the paper as plots with their numbers.
#include "paper/figures.hpp"

#include <fmt/format.h>

#include "paper/plot.hpp"
#include "paper/tables.hpp"

namespace ravi::paper {
namespace {

constexpr double kLeastKhat = 0.05;  // of the plots, whose axis is logarithmic

// The numbers of a plot: a row per x, a column per curve.
Table numbers_of(const Plot& plot) {
  Table table{.caption = {}, .header = {plot.x_name}};
  for (const Curve& curve : plot.curves) table.header.push_back(curve.name);
  if (plot.curves.empty()) return table;
  const std::vector<double>& x = plot.curves.front().x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    Row row{RowKind::measured, {fmt::format("{:g}", x[i])}};
    for (const Curve& curve : plot.curves) row.cells.push_back(number_text(curve.y[i]));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Figure figure_of(std::string file, const Plot& plot, std::string caption) {
  return {std::move(file), to_svg(plot), std::move(caption), numbers_of(plot)};
}

Figure figure1_left(Lab& lab, const Effort& effort) {
  Plot plot{"Figure 1, left: D against the dimension", "P", "D", false, true};
  const std::vector<Dimension> runs = dimension_runs(lab, effort);
  const auto add = [&](const char* name, int color, bool dashed, Group Dimension::*group,
                       double (*value)(const Result&)) {
    Curve curve{name, color, dashed, {}};
    for (const Dimension& d : runs) {
      curve.x.push_back(static_cast<double>(d.p));
      curve.y.push_back((d.*group).median(value));
    }
    plot.curves.push_back(std::move(curve));
  };
  add("ΔELBO", 0, false, &Dimension::elbo, last_d);
  add("ΔELBO, IA", 0, true, &Dimension::elbo, average_d);
  add("MCSE", 1, false, &Dimension::mcse, last_d);
  add("MCSE, IA (last W iterates)", 1, true, &Dimension::mcse, average_d);
  add("IA of the second half", 2, true, &Dimension::second_half, average_d);
  return figure_of(
      "figure1_left.svg", plot,
      "Distance D between the variational and the exact moments, full-rank q, simulated linear "
      "regression with γ = 0.5, mini-batches of 50, J = 1. The MCSE rule as printed seldom sees "
      "R-hat < 1.1 over W = 100 iterates; it then averages the last W. The green curve averages "
      "the second half of the same runs.");
}

Figure figure1_left_of_authors(Lab& lab, const Effort& effort) {
  Plot plot{"Figure 1, left, as its authors ran it", "P", "D", false, true};
  const std::vector<AuthorsDimension> runs = authors_dimension_runs(lab, effort);
  const auto add = [&](const char* name, int color, bool dashed, Group AuthorsDimension::*group,
                       double (*value)(const Result&)) {
    Curve curve{name, color, dashed, {}};
    for (const AuthorsDimension& d : runs) {
      curve.x.push_back(static_cast<double>(d.p));
      curve.y.push_back((d.*group).median(value));
    }
    plot.curves.push_back(std::move(curve));
  };
  add("ΔELBO", 0, false, &AuthorsDimension::elbo, last_d);
  add("ΔELBO, IA", 0, true, &AuthorsDimension::elbo, average_d);
  add("MCSE", 1, false, &AuthorsDimension::mcse, last_d);
  add("MCSE, IA", 1, true, &AuthorsDimension::mcse, average_d);
  return figure_of(
      "figure1_left_authors.svg", plot,
      "The same by the rules of the authors' code: γ = 0.7, N = 230, all rows, one data "
      "set, M = 100, η from 0.018 to 0.010. D is measured from the exact posterior of "
      "the model; theirs was not, which alone leaves 0.05 to 0.09.");
}

Figure figure1_right(const std::string& file, const std::string& title, const std::string& setting,
                     const Stopping& runs) {
  Plot plot{title, "iterations", "NELBO, D", true, true};
  std::string note;
  if (!runs.along.empty() && !runs.elbo.empty() && !runs.mcse.empty()) {
    const Result& along = runs.along.first();
    Curve nelbo{"NELBO", 6, false, {}};
    Curve last{"D, last iterate", 0, false, {}}, average{"D, IA (second half)", 1, true, {}};
    for (const Point& p : along.points) {
      const auto t = static_cast<double>(p.iteration);
      nelbo.x.push_back(t);
      nelbo.y.push_back(-p.elbo);
      last.x.push_back(t);
      last.y.push_back(p.last.d());
      average.x.push_back(t);
      average.y.push_back(p.average.d());
    }
    plot.curves = {nelbo, last, average};
    const Result& elbo = runs.elbo.first();
    const Result& mcse = runs.mcse.first();
    if (elbo.termination == "elbo-settled") {
      plot.vertical.push_back({"stop of ΔELBO", static_cast<double>(elbo.iterations), 3});
    } else {
      note += " ΔELBO did not stop.";
    }
    if (mcse.averaging_started_at >= 0) {
      plot.vertical.push_back({"start of IA", static_cast<double>(mcse.averaging_started_at), 4});
    } else {
      note += " R-hat never passed, so there is no start of an average to mark.";
    }
    plot.vertical.push_back({mcse.termination == "converged" ? "stop of MCSE" : "end of the run",
                             static_cast<double>(mcse.iterations), 6});
  }
  return figure_of(file, plot,
                   "The negative ELBO and the distance D for the last iterate and with iterate "
                   "averaging; one realization, " +
                       setting + "." + note);
}

Plot along_plot(const Evolution& evolution, const std::string& title, const std::string& y_name,
                bool log_y,
                const std::vector<std::pair<std::string, double (*)(const Point&)>>& ys) {
  Plot plot{title, "iterations", y_name, true, log_y};
  for (std::size_t i = 0; i < evolution.runs.size(); ++i) {
    const auto& [p, group] = evolution.runs[i];
    for (std::size_t which = 0; which < ys.size(); ++which) {
      Curve curve{
          fmt::format("P = {}, {}", p, ys[which].first), static_cast<int>(i), which == 1, {}};
      for (std::size_t t = 0; t < evolution.checkpoints.size(); ++t) {
        curve.x.push_back(static_cast<double>(evolution.checkpoints[t]));
        curve.y.push_back(group.median(ys[which].second, t));
      }
      plot.curves.push_back(std::move(curve));
    }
  }
  return plot;
}

}  // namespace

Section figure1_section(Lab& lab, const Effort& effort) {
  Section section{"Figure 1"};
  section.blocks.emplace_back(Figures{
      figure1_left(lab, effort),
      figure1_right("figure1_right.svg",
                    fmt::format("Figure 1, right: along the run, P = {}", effort.dimension_right),
                    "γ = 0.5, J = 1", stopping_runs(lab, effort)),
      figure1_left_of_authors(lab, effort),
      figure1_right("figure1_right_authors.svg",
                    fmt::format("Figure 1, right, as its authors ran it, P = {}",
                                effort.authors_dimensions.back()),
                    "γ = 0.7, N = 230, all rows, M = 100", authors_stopping_runs(lab, effort))});
  return section;
}

Section evolution_section(const std::string& title, const std::string& file, Lab& lab,
                          const Effort& effort, double gamma) {
  const Evolution runs = evolution_runs(lab, effort, gamma);
  const std::string setting = fmt::format("γ = {:g}, J = 4, full-rank q", gamma);
  const Plot d = along_plot(runs, fmt::format("{} a: moment distance D", title), "D", true,
                            {{"last iterate", [](const Point& p) { return p.last.d(); }},
                             {"IA", [](const Point& p) { return p.average.d(); }}});
  Plot khat = along_plot(runs, fmt::format("{} b: k̂ statistic", title), "k̂", true,
                         {{"last iterate", [](const Point& p) { return p.last.khat; }},
                          {"IA", [](const Point& p) { return p.average.khat; }}});
  khat.y_floor = kLeastKhat;
  khat.horizontal.push_back({"0.7", 0.7, 6});
  Plot rhat = along_plot(runs, fmt::format("{} c: R̂ statistic", title), "max R̂", true,
                         {{"last W = 100", [](const Point& p) { return p.rhat_window; }},
                          {"second half", [](const Point& p) { return p.rhat_half; }}});
  rhat.horizontal.push_back({"τ = 1.1", 1.1, 6});
  Section section{fmt::format("{} (γ = {:g})", title, gamma)};
  section.blocks.emplace_back(Figures{
      figure_of(file + "a.svg", d,
                "Distance between the variational and the exact moments along the run: last "
                "iterate solid, iterate average (over the second half of the run so far and four "
                "chains) dashed; " +
                    setting + "."),
      figure_of(file + "b.svg", khat,
                "k̂ of the variational approximation: last iterate solid, iterate average dashed; " +
                    setting + fmt::format(". Values below {} are drawn there.", kLeastKhat)),
      figure_of(file + "c.svg", rhat,
                "Largest split R̂ over all components: of the last W = 100 iterates as in "
                "Algorithm 1 (solid), and of the second half of the run so far (dashed); " +
                    setting + ".")});
  return section;
}

Section autocorrelation_section(Lab& lab, const Effort& effort, const Printed& printed) {
  const std::vector<Chain1> chains = autocorrelation_runs(lab, effort, printed);
  Section section{"Supplement: autocorrelation and tail index of the iterates"};
  Figures figures;
  Table table{"Largest tail index of the iterates, both tails of every component",
              {"chain", "paper", "ravi"}};
  for (const Chain1& chain : chains) {
    Plot plot{chain.title, "lag", "autocorrelation"};
    double tail = kUnknown;
    if (!chain.group.empty()) {
      const Result& r = chain.group.first();
      for (Index k = 0; k < r.autocorrelation.cols(); ++k) {
        Curve curve{chain.names[static_cast<std::size_t>(k)], static_cast<int>(k), false, {}};
        for (Index lag = 0; lag < r.autocorrelation.rows(); ++lag) {
          curve.x.push_back(static_cast<double>(lag));
          curve.y.push_back(r.autocorrelation(lag, k));
        }
        plot.curves.push_back(std::move(curve));
      }
      tail = r.tail_index;
    }
    plot.horizontal.push_back({"", 0, 6});
    Figure figure{
        chain.file,
        to_svg(plot),
        "Autocorrelation of the location parameters over the second half of 10000 "
        "iterations, J = 1, RMSprop" +
            std::string(chain.title.starts_with("Linear") ? "; mean-field, P = 10, γ = 0.9."
                                                          : "; full rank."),
        {}};
    figures.push_back(std::move(figure));
    table.rows.push_back(
        {RowKind::measured, {chain.title, khat_text(chain.printed_tail_index), khat_text(tail)}});
  }
  section.blocks.emplace_back(std::move(figures));
  Table settings{
      "Linear regression, mean-field, P = 10: mean autocorrelation of the three locations",
      {"γ", "rows per gradient", "M", "lag 1", "lag 2", "lag 3", "lag 10"}};
  for (const Oscillation& o : oscillation_runs(lab, effort)) {
    Row row{RowKind::measured,
            {fmt::format("{:g}", o.gamma), o.batch == 0 ? "all" : std::to_string(o.batch),
             std::to_string(o.draws)}};
    for (const Index lag : {1, 2, 3, 10}) row.cells.push_back(khat_text(o.at_lag(lag)));
    settings.rows.push_back(std::move(row));
  }
  section.blocks.emplace_back(std::move(settings));
  section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace ravi::paper
