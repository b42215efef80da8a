// The evaluation as a document.
#include "ravi/paper/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ravi/paper/claims.hpp"
#include "ravi/paper/figures.hpp"
#include "ravi/paper/tables.hpp"
#include "ravi/version.hpp"

namespace ravi::paper {

Document evaluate(const std::vector<std::string>& parts, Lab& lab, const Effort& effort,
                  const Printed& printed) {
  const auto wanted = [&](std::string_view part) {
    return parts.empty() || std::ranges::find(parts, part) != parts.end();
  };
  Document document{"The evaluation of Dhaka et al. (2020), run again with ravi"};
  Section about{"About"};
  about.blocks.emplace_back(fmt::format(
      "Made by `ravi paper{}{} --{}` of ravi {}. Numbers the paper printed stand beside those "
      "measured; the printed ones are in paper/printed.json, with the place each comes from.",
      parts.empty() ? "" : " ", fmt::join(parts, " "), effort.name, version()));
  about.blocks.emplace_back(description(effort));
  for (const Posterior& p : posteriors()) {
    if (lab.has(p)) continue;
    about.blocks.emplace_back(
        fmt::format("Left out, because its data are not there: {}. Put them into a folder and name "
                    "it with --data-dir or RAVI_DATA. {}",
                    p.name, p.source));
  }
  document.sections.push_back(std::move(about));

  if (wanted("claims")) {
    document.sections.push_back(claims_section(lab, effort, printed));
    document.sections.push_back(choices_section(lab, effort));
  }
  if (wanted("table1")) {
    Section section = table_section(
        "Table 1 (RMSprop)", compare_rows(printed.table1, kTable1Optimizers, lab, effort), lab);
    section.blocks.emplace_back(network_table(network_runs(lab, effort), printed));
    document.sections.push_back(std::move(section));
  }
  if (wanted("table2")) {
    document.sections.push_back(table_section(
        "Table 2 (Adagrad)", compare_rows(printed.table2, kTable2Optimizers, lab, effort), lab));
  }
  if (wanted("figure1")) document.sections.push_back(figure1_section(lab, effort));
  if (wanted("figure2")) {
    document.sections.push_back(evolution_section("Figure 2", "figure2", lab, effort, kStrong));
  }
  if (wanted("supplement")) {
    document.sections.push_back(
        evolution_section("Supplement, Figure 2", "supplement_figure2", lab, effort, kMild));
    document.sections.push_back(autocorrelation_section(lab, effort, printed));
  }
  return document;
}

}  // namespace ravi::paper
