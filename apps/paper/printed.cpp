// Reads paper/printed.json.
#include "paper/printed.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/json_file.hpp"
#include "ravi/error.hpp"

namespace ravi::paper {
namespace {

PrintedPair pair_of(const nlohmann::json& j) {
  return {j.at(0).get<double>(), j.at(1).get<double>()};
}

std::vector<PrintedRow> rows_of(const nlohmann::json& table) {
  std::vector<PrintedRow> rows;
  for (const nlohmann::json& j : table.at("rows")) {
    rows.push_back({j.at("model").get<std::string>(),
                    j.at("posteriors").get<std::vector<std::string>>(), j.at("K").get<long>(),
                    j.at("rule").get<std::string>(), j.at("epsilon").get<double>(),
                    j.at("T").get<long>(), j.at("converged").get<bool>(), pair_of(j.at("d_mu")),
                    pair_of(j.at("d_sigma")), pair_of(j.at("khat"))});
  }
  return rows;
}

}  // namespace

Printed read_printed(const std::string& path) {
  const nlohmann::json j = read_json(path);
  try {
    return {rows_of(j.at("table1")),
            rows_of(j.at("table2")),
            j.at("tail_index").at("linear_regression").get<double>(),
            j.at("tail_index").at("eight_schools_centered").get<double>(),
            j.at("tail_index").at("eight_schools_noncentered").get<double>(),
            j.at("multimodality").at("mnist100_rhat").get<double>()};
  } catch (const nlohmann::json::exception& e) {
    throw UsageError(fmt::format("{}: {}", path, json_problem(e)));
  }
}

}  // namespace ravi::paper
