// Draws in CmdStan's layout.
#include "output/stan_csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "ravi/version.hpp"
#include "temporary_folder.hpp"
#include "tiny_fits.hpp"

namespace ravi {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string csv_of(const Fit& fit, const Answer& answer, const DrawSet& set) {
  std::string text;
  write_stan_csv(fit, answer, set, 1, [&](std::string_view piece) { text += piece; });
  return text;
}

// Some of the draws.
std::string csv_of(const Fit& fit, const Answer& answer, const std::vector<Index>& columns) {
  return csv_of(fit, answer, {columns, &answer.parameters, "What they are."});
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The golden files are what CmdStan's readers were seen to take, see tests/readers.
TEST(StanCsv, HasTheLayoutOfCmdStan) {
  const Fit fit = tiny_fit();
  for (const auto& [file, set] : {std::pair{"draws.csv", draws_to_use(*fit.average)},
                                  std::pair{"draws_variational.csv", draws_of_q(*fit.average)}}) {
    std::string golden = contents(std::string(RAVI_TEST_DATA "/output/") + file);
    const std::string place = "VERSION";
    golden.replace(golden.find(place), place.size(), version());
    EXPECT_EQ(csv_of(fit, *fit.average, set), golden) << file;
  }
}

TEST(StanCsv, NumbersReadBackBitForBit) {
  Fit fit = tiny_fit();
  const double inf = std::numeric_limits<double>::infinity();
  const Vector hard{{2.0 / 3, -1e-300, 5e-324, 1.7976931348623157e308, inf, 1e22, 123456789.0}};
  fit.average->draws.quantities.col(0) = hard;
  fit.average->draws.log_density(0) = -inf;
  std::istringstream row(lines_of(csv_of(fit, *fit.average, std::vector<Index>{0})).back());
  std::vector<double> values;
  for (std::string cell; std::getline(row, cell, ',');) {
    values.push_back(std::strtod(cell.c_str(), nullptr));
  }
  ASSERT_EQ(values.size(), 10u);
  EXPECT_EQ(values[1], -inf);
  for (Index i = 0; i < hard.size(); ++i)
    EXPECT_EQ(values[static_cast<std::size_t>(i) + 3], hard(i));
}

TEST(StanCsv, SaysNaNAsStanDoes) {
  Fit fit = tiny_fit();
  fit.average->draws.quantities(0, 0) = kUnknown;
  fit.average->parameters[1].mean = kUnknown;
  const auto lines = lines_of(csv_of(fit, *fit.average, std::vector<Index>{0}));
  EXPECT_THAT(lines.back(), testing::StartsWith("0,-3,-2,NaN,10.5,"));
  EXPECT_EQ(lines[lines.size() - 2], "0,0,0,0.25,NaN,2.25,3.25,4.25,5.25,6.25");
}

// cmdstanpy asks for these, as positive numbers but for the texts; cmdstanr for method and id.
TEST(StanCsv, HasTheKeysThatReadersAskForWhateverTheOptions) {
  Fit fit = tiny_fit();
  fit.options = {};
  fit.iterations = 0;
  fit.model = "a=b\nlp__,c";
  const std::string text = csv_of(fit, *fit.average, std::vector<Index>{0, 1});
  for (const char* key : {"iter", "grad_samples", "elbo_samples", "eta", "tol_rel_obj", "eval_elbo",
                          "output_samples", "id"}) {
    const std::size_t at = text.find(std::string(" ") + key + " = ");
    ASSERT_NE(at, std::string::npos) << key;
    EXPECT_GT(std::strtod(text.c_str() + at + std::strlen(key) + 4, nullptr), 0) << key;
  }
  EXPECT_THAT(text, HasSubstr("# method = variational\n"));
  EXPECT_THAT(text, HasSubstr(" algorithm = fullrank\n"));
  EXPECT_THAT(text, HasSubstr("# model = a_b_lp__,c\n"));
  EXPECT_THAT(text, HasSubstr(" output_samples = 2\n"));
  // cmdstanpy wants the names of the columns behind the first comments, and then the means.
  const auto lines = lines_of(text);
  const auto names = std::ranges::find_if(lines, [](auto& line) { return line[0] != '#'; });
  EXPECT_THAT(*names, testing::StartsWith("lp__,log_p__,log_g__,mu,theta.1"));
  EXPECT_EQ(std::distance(names, lines.end()), 1 + 1 + 2);
}

// rstan takes any comment with one of these in it for an option, and the rest for its number.
TEST(StanCsv, CommentsHaveNoWordThatRstanTakesForAnOption) {
  Fit moved = tiny_fit();
  moved.average->moves = Moves{.kept = true};
  for (Fit fit : {tiny_fit(), tiny_fit_apart(), moved}) {
    const Answer& answer = *drawn_answers(fit).front();
    for (const Verdict verdict : {Verdict::accurate, Verdict::usable, Verdict::unreliable,
                                  Verdict::not_converged, Verdict::failed}) {
      fit.verdict = verdict;
      const std::string text = csv_of(fit, answer, std::vector<Index>{});
      for (const char* word : {"thin", "num_samples", "num_warmup", "save_warmup",
                               "iter=", "Elapsed Time", "Adaptation terminated"}) {
        EXPECT_THAT(text, Not(HasSubstr(word)));
      }
    }
  }
}

}  // namespace
}  // namespace ravi
