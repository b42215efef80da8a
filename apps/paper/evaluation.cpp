// The evaluation as a document.
#include "paper/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "paper/claims.hpp"
#include "paper/figures.hpp"
#include "paper/tables.hpp"
#include "paper/unsaid.hpp"
#include "ravi/version.hpp"

namespace ravi::paper {
namespace {

// One paragraph per file that is not there, with the posteriors that need it.
std::vector<Text> missing_data(const Lab& lab) {
  std::map<std::string_view, std::vector<std::string_view>> names;  // by source
  for (const Posterior& p : posteriors()) {
    if (!lab.has(p)) names[p.source].push_back(p.name);
  }
  std::vector<Text> texts;
  for (const auto& [source, of_posteriors] : names) {
    texts.push_back(fmt::format(
        "Left out, because the data are not there: {}. Put the file into a folder and name that "
        "with --data-dir or RAVI_DATA. {}.",
        fmt::join(of_posteriors, ", "), source));
  }
  return texts;
}

}  // namespace

Document evaluate(const std::vector<std::string>& parts, Lab& lab, const Effort& effort,
                  const Printed& printed) {
  const auto wanted = [&](std::string_view part) {
    return parts.empty() || std::ranges::find(parts, part) != parts.end();
  };
  Document document{"The evaluation of Dhaka et al. (2020), run again with ravi"};
  Section about{"About"};
  about.blocks.emplace_back(fmt::format(
      "Made by 'ravi paper{}{} --{}', ravi {}. Numbers the paper printed stand beside those "
      "measured; the printed ones are in paper/printed.json, with the place each comes from.",
      parts.empty() ? "" : " ", fmt::join(parts, " "), effort.name, version()));
  about.blocks.emplace_back(description(effort));
  if (const Share share = lab.done(); share.done > 0 && !share.complete()) {
    about.blocks.emplace_back(fmt::format(
        "Not all of it: {} of {} runs were done when time was over, those with seeds and "
        "realizations up to {} and some with later ones. Medians are over what is there.",
        share.done, share.all, share.seeds));
  }
  for (const Text& text : missing_data(lab)) about.blocks.emplace_back(text);
  document.sections.push_back(std::move(about));

  const auto table1 = [&] { return table_runs(printed.table1, kTable1Optimizers, lab, effort); };
  const auto table2 = [&] { return table_runs(printed.table2, kTable2Optimizers, lab, effort); };
  if (parts.empty()) document.sections.push_back(unsaid_section());
  if (wanted("claims")) {
    document.sections.push_back(claims_section(lab, effort, printed));
    document.sections.push_back(choices_section(lab, effort, printed));
  }
  if (wanted("table1")) {
    Section section = table_section("Table 1 (RMSprop)", table1(), lab);
    section.blocks.emplace_back(network_table(network_runs(lab, effort), printed));
    document.sections.push_back(std::move(section));
  }
  if (wanted("table2")) {
    document.sections.push_back(table_section("Table 2 (Adagrad)", table2(), lab));
  }
  if (wanted("table1") && wanted("table2")) {
    document.sections.push_back(nearness_section(table1(), table2()));
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
