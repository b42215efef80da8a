// The posteriors of the evaluation.
#include "paper/problems.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "core/numeric.hpp"
#include "core/registry.hpp"
#include "model/data.hpp"
#include "model/reference.hpp"
#include "model/registry.hpp"
#include "model/simulate.hpp"
#include "paper/authors.hpp"

namespace ravi::paper {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWine =
    "wine_quality_red.csv: UCI Wine Quality, red wines, comma separated, last column 'quality' "
    "(https://archive.ics.uci.edu/dataset/186/wine+quality)";
constexpr std::string_view kRadon =
    "radon.csv: data set radon_mn of posteriordb, columns log_radon, floor, county "
    "(https://github.com/stan-dev/posteriordb)";

constexpr std::string_view kDigits =
    "mnist_100.json: data set mnist_100 of posteriordb, unpacked from mnist_100.json.zip "
    "(https://github.com/stan-dev/posteriordb)";

constexpr std::array kPosteriors = {
    Posterior{"linear-boston", "linear", "linear-regression", "linear_boston.stan.json",
              "linear_boston.json", ""},
    Posterior{"logistic-boston", "logistic", "logistic-regression", "linear_boston.stan.json",
              "logistic_boston.json", ""},
    Posterior{"linear-wine", "linear", "linear-regression", "wine_quality_red.csv",
              "linear_wine_red.json", kWine},
    Posterior{"logistic-wine", "logistic", "logistic-regression", "wine_quality_red.csv",
              "logistic_wine_red.json", kWine},
    Posterior{"linear-concrete", "linear", "linear-regression", "linear_concrete.stan.json",
              "linear_concrete.json", ""},
    Posterior{"logistic-concrete", "logistic", "logistic-regression", "linear_concrete.stan.json",
              "logistic_concrete.json", ""},
    Posterior{"eight-schools-centered", "", "eight-schools-centered", "", "eight_schools_cp.json",
              ""},
    Posterior{"eight-schools-noncentered", "", "eight-schools-noncentered", "",
              "eight_schools_ncp.json", ""},
    Posterior{"radon", "", "radon", "radon.csv", "radon_centered.json", kRadon},
    Posterior{"mnist100", "", "mnist-nn", "mnist100.csv", "", ""},
    Posterior{"bimodal", "", "bimodal", "", "", ""},
    Posterior{"authors-boston", "", "linear-regression", "linear_boston.stan.json", "", "", true},
    Posterior{"authors-wine", "", "linear-regression", "wine_quality_red.csv", "", kWine, true},
    Posterior{"authors-concrete", "", "linear-regression", "linear_concrete.stan.json", "", "",
              true},
    Posterior{"authors-eight-schools-centered", "", "eight-schools-centered", "",
              "eight_schools_cp.json", "", true},
    Posterior{"authors-eight-schools-noncentered", "", "eight-schools-noncentered", "",
              "eight_schools_ncp.json", "", true},
    Posterior{"authors-radon", "", "radon-unpooled", "radon.csv", "", kRadon, true},
    Posterior{"authors-mnist100", "posteriordb's digits", "mnist-nn", "mnist_100.json", "", kDigits,
              true},
    Posterior{"authors-mnist100-other", "other digits", "mnist-nn", "mnist100.csv", "", "", true},
    Posterior{"simulated", "", "linear-regression", "", "", ""},
    Posterior{"simulated-authors", "", "linear-regression", "", "", ""},
};

// N of the paper's simulations, and of those that its authors ran.
constexpr Index kSimulatedRows = 300, kAuthorsRows = 230;
constexpr double kNoiseVariance = 0.4;  // sigma^2 of the paper, known

// To mean 0 and sample standard deviation 1.
Vector standardized(const Vector& x) { return (x.array() - mean(x)) / std::sqrt(variance(x)); }

// A table whose last column is the outcome, as the data of a regression.
Data regression_of(const Data& table) {
  const auto columns = table.variables();
  const Index n = columns.front().dimensions.front();
  const auto p = static_cast<Index>(columns.size()) - 1;
  Matrix x(n, p);
  for (Index k = 0; k < p; ++k) {
    x.col(k) = standardized(table.vector(columns[static_cast<std::size_t>(k)].name, n));
  }
  Data data(table.source());
  data.add("N", static_cast<double>(n)).add("P", static_cast<double>(p));
  data.add("sigma", std::sqrt(kNoiseVariance)).add("X", x);
  return data.add("y", standardized(table.vector(columns.back().name, n)));
}

// The same with y = 1 where it is at least its median, else 0.
Data dichotomized(const Data& regression) {
  const Index n = regression.integer("N", 1), p = regression.integer("P", 1);
  const Vector y = regression.vector("y", n);
  const double middle = median(y);
  Data data(regression.source());
  data.add("N", static_cast<double>(n)).add("P", static_cast<double>(p));
  data.add("X", regression.matrix("X", n, p));
  return data.add("y", (y.array() >= middle).cast<double>().matrix());
}

Problem simulated(const Run& run) {
  const Index rows = run.posterior == "simulated" ? kSimulatedRows : kAuthorsRows;
  SimulatedRegression s =
      simulate_linear_regression(rows, run.dimension, run.gamma, run.realization);
  Data data("simulated");
  data.add("N", static_cast<double>(rows)).add("P", static_cast<double>(run.dimension));
  data.add("sigma", s.sigma).add("X", s.X).add("y", s.y);
  Problem problem{make_builtin("linear-regression", &data), {}};
  problem.reference =
      Reference{problem.model->unconstrained_names(), std::move(s.mean), std::move(s.cov)};
  if (run.posterior != "simulated") problem.elbo_constants = regression_constants(data);
  return problem;
}

Problem of_authors(const Posterior& posterior, const Data& table) {
  const auto with_model = [&](const Data& data) {
    return Problem{make_builtin(posterior.model, &data)};
  };
  if (posterior.model == "radon-unpooled") {
    Problem problem = with_model(table);
    problem.reference = radon_truth(table, *problem.model);
    problem.printed_reference = reordered_radon(*problem.reference);
    problem.elbo_constants = radon_constants(table, *problem.model);
    return problem;
  }
  if (posterior.model == "mnist-nn") {
    Problem problem = with_model(raw_digits(table));
    problem.printed_reference = weights_at_zero(*problem.model);
    problem.elbo_constants = network_constants(*problem.model);
    return problem;
  }
  const Data data = regression_of_authors(table.is_table() ? regression_of(table) : table,
                                          posterior.name == "authors-concrete");
  Problem problem = with_model(data);
  problem.reference = linear_truth(data, *problem.model);
  problem.elbo_constants = regression_constants(data);
  return problem;
}

}  // namespace

std::span<const Posterior> posteriors() { return kPosteriors; }

const Posterior& posterior_of(std::string_view name) {
  return entry_of(posteriors(), name, "posterior");
}

Library::Library(fs::path source, const std::string& data_folder) : source_(std::move(source)) {
  if (!data_folder.empty()) data_places_.emplace_back(data_folder);
  if (const char* folder = std::getenv("RAVI_DATA")) data_places_.emplace_back(folder);
  for (const char* place : {"paper/data", "tests/data/models", "../shared/data"}) {
    data_places_.push_back(source_ / place);
  }
  reference_places_ = {source_ / "paper/reference", source_ / "tests/data/reference"};
}

std::string Library::find(std::string_view file, const std::vector<fs::path>& places) const {
  for (const fs::path& place : places) {
    std::error_code ignored;
    if (fs::exists(place / file, ignored)) return (place / file).string();
  }
  return {};
}

bool Library::has(const Posterior& posterior) const {
  return (posterior.data.empty() || !find(posterior.data, data_places_).empty()) &&
         (posterior.reference.empty() || !find(posterior.reference, reference_places_).empty());
}

std::string Library::own_file(const std::string& name) const {
  return (source_ / "paper" / name).string();
}

Problem Library::load(const Run& run) const {
  const Posterior& posterior = posterior_of(run.posterior);
  if (posterior.name.starts_with("simulated")) return simulated(run);
  Problem problem;
  if (posterior.data.empty()) {
    problem.model = make_builtin(posterior.model, nullptr);
  } else {
    const std::string path = find(posterior.data, data_places_);
    if (path.empty()) throw UsageError(fmt::format("{} is missing", posterior.data));
    Data data = read_data(path);
    if (posterior.of_authors) return of_authors(posterior, data);
    const bool regression = posterior.model.ends_with("regression");
    if (regression && data.is_table()) data = regression_of(data);
    if (posterior.model == "logistic-regression") data = dichotomized(data);
    problem.model = make_builtin(posterior.model, &data);
  }
  if (!posterior.reference.empty()) {
    problem.reference = read_reference(find(posterior.reference, reference_places_));
    check_reference(*problem.reference, *problem.model);
  }
  if (posterior.of_authors) problem.elbo_constants = schools_constants();
  if (posterior.name == "authors-eight-schools-centered") {
    problem.printed_reference = plug_in_schools(
        *problem.reference, read_reference(find("eight_schools_ncp.json", reference_places_)));
  }
  return problem;
}

}  // namespace ravi::paper
