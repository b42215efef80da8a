// report.html: what is in it, what cannot get out of it, and how large it is.
#include "output/report.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/registry.hpp"
#include "output/density.hpp"
#include "output/numbers.hpp"

namespace ravi {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

Fit default_fit(const char* model, const Options& options = {}) {
  Fit result = fit(*make_builtin(model, nullptr), options);
  result.model = model;
  return result;
}

// Made once, because four tests look at it.
const Fit& schools() {
  static const Fit fit = default_fit("eight-schools-noncentered");
  return fit;
}

// The text of the element that holds the data.
std::string data_text(const std::string& html) {
  const std::string start = R"(<script type="application/json" id="data">)";
  const std::size_t first = html.find(start) + start.size();
  return html.substr(first, html.find("</script>", first) - first);
}

json data_of(const Fit& fit, const Reference* reference = nullptr) {
  return json::parse(data_text(report_html(fit, reference)));
}

std::size_t count(const std::string& text, std::string_view what) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++n;
  return n;
}

TEST(Report, ShowsTheVerdictTheFindingsAndTheTablesOfTheFit) {
  const Fit& fit = schools();
  const json data = data_of(fit);
  EXPECT_EQ(data["verdict"], name(fit.verdict));
  EXPECT_EQ(data["meaning"], meaning(fit.verdict));
  ASSERT_EQ(data["findings"].size(), fit.findings.size());
  for (std::size_t i = 0; i < fit.findings.size(); ++i) {
    EXPECT_EQ(data["findings"][i]["message"], describe(fit.findings[i]));
    EXPECT_EQ(data["findings"][i]["advice"], advice(fit.findings[i], fit));
  }
  const json& table = data["tables"];
  EXPECT_EQ(table["names"].size(), fit.average->parameters.size());
  const ParameterSummary& first = fit.average->parameters.front();
  EXPECT_THAT(table["answers"][0]["weighted"][0].get<std::string>(),
              testing::StartsWith(with_error(first.mean, first.mcse) + " "));
}

TEST(Report, NeedsNothingFromElsewhere) {
  const std::string html = report_html(schools());
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  for (const char* loaded :
       {"<script src", "<img", "@import", "url(http", "<link rel=\"stylesheet\""}) {
    EXPECT_THAT(html, Not(HasSubstr(loaded))) << loaded;
  }
  EXPECT_THAT(html, Not(HasSubstr("{{nonce}}")));
  EXPECT_THAT(html, HasSubstr("d3js.org v5"));
}

// Markup in a name may neither end the element that it stands in nor begin another.
TEST(Report, KeepsMarkupInNamesAndMessagesApartFromThePage) {
  const std::string markup = "</script><script>alert(1)</script><img src=x onerror=alert(1)>";
  const std::string before = report_html(schools());
  Fit hostile = schools();
  hostile.model = markup;
  hostile.rhat_parameter = markup;
  hostile.average->parameters[0].name = markup;
  hostile.average->parameters[1].name = "{{data}}";
  hostile.components.push_back({.name = markup});
  hostile.findings.push_back(
      {.code = FindingCode::interrupted, .parameter = markup, .detail = markup});
  const std::string html = report_html(hostile);
  for (const char* tag : {"<script", "</script", "<img", "<!--"}) {
    EXPECT_EQ(count(html, tag), count(before, tag)) << tag;
  }
  EXPECT_THAT(data_text(html), Not(HasSubstr("<")));
  EXPECT_EQ(json::parse(data_text(html))["model"], markup);
}

TEST(Report, TakesNamesThatAreNotText) {
  Fit fit = schools();
  fit.model = "caf\xe9";
  EXPECT_EQ(data_of(fit)["model"], "caf\xef\xbf\xbd");
}

TEST(Report, IsTheSameForTheSameFit) { EXPECT_EQ(report_html(schools()), report_html(schools())); }

TEST(Report, OfNumbersThatAreNotFiniteIsStillJson) {
  const double inf = std::numeric_limits<double>::infinity();
  Fit fit = schools();
  fit.trace.push_back({.iteration = 1, .elbo = -inf, .rhat_max = inf});
  fit.chain_elbo = {{.every = 1, .elbo = {kUnknown, -inf, 1}}};
  fit.components = {{.name = "a", .tail_index = inf, .autocorrelation = {kUnknown}}};
  fit.average->parameters[0].mean = kUnknown;
  fit.average->parameters[1].sd = inf;
  fit.average->draws.quantities.row(0).setConstant(kUnknown);
  fit.average->draws.quantities.row(1).head(100).setConstant(inf);
  fit.average->draws.log_density.head(100).setConstant(-inf);
  const json data = data_of(fit);  // throws at NaN and Infinity, which JSON does not have
  EXPECT_TRUE(data["chain_elbo"][0][1][0].is_null());
  EXPECT_EQ(data["draws"]["densities"].size(), fit.average->parameters.size() - 1);
}

TEST(Report, OfTenThousandParametersIsSmallerThanTwoMegabytes) {
  for (const std::size_t chains : {0u, 4u}) {
    Fit fit = schools();
    const auto repeat = [](std::vector<ParameterSummary>& parameters) {
      const ParameterSummary first = parameters.front();
      parameters.assign(10000, first);
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        parameters[i].name = fmt::format("alpha_county[{}]", i + 1);
        // As many digits as a fit can have; the mean's sign and size vary.
        parameters[i].mean = 10 * std::sin(static_cast<double>(i));
        parameters[i].mcse = 0.0012;
      }
    };
    constexpr Index kDraws = 1000;
    WeightedDraws& draws = fit.average->draws;
    const Vector scales = Vector::LinSpaced(10000, 1, 10);
    draws.quantities = (scales * draws.quantities.row(0).head(kDraws)).eval();
    draws.from_q = draws.plain = kDraws;
    draws.log_weights = draws.log_weights.head(kDraws).eval();
    draws.log_q = draws.log_q.head(kDraws).eval();
    draws.log_density = draws.log_density.head(kDraws).eval();
    draws.resampled.assign(kDraws, 7);
    repeat(fit.average->parameters);
    repeat(fit.average->unweighted_parameters);
    if (chains > 0) {
      fit.chains.assign(chains, *fit.average);
      fit.average.reset();
    }
    const std::string html = report_html(fit);
    EXPECT_LT(html.size(), 2e6) << chains;
    const json tables = json::parse(data_text(html))["tables"];
    EXPECT_EQ(tables["names"].size() + tables["left_out"].get<std::size_t>(), 10000u);
    EXPECT_EQ(tables["answers"].size(), std::max<std::size_t>(1, chains));
    EXPECT_EQ(tables["left_out"] == 0, chains == 0);
  }
}

std::string criterion(const json& data, const std::string& label) {
  for (const json& c : data["criteria"]) {
    if (c["label"] == label) return c["value"];
  }
  return "";
}

TEST(Report, HasOneKhat) {
  const json data = data_of(schools());
  const json tail = data["draws"]["psis"][0];
  EXPECT_EQ(tail["khat"], criterion(data, "k-hat of q"));
  // The curve has that shape: for a Pareto tail (u^-k - 1) sigma / k above the cutoff, so that
  // from three shares of the tail k follows without sigma and cutoff. At u = 1, 1/2 of the way and
  // the end of the logarithmic grid: (w2 - w0) / (w1 - w0) = (u2^-k - 1) / (u1^-k - 1) = u1^-k + 1
  // for u2 = u1^2.
  const auto at = tail["curve_share"].get<std::vector<double>>();
  const auto w = tail["curve_fit"].get<std::vector<double>>();
  const std::size_t half = 20, end = 40;
  const double k = std::log((w[end] - w[0]) / (w[half] - w[0]) - 1) / -std::log(at[half] / at[0]);
  EXPECT_NEAR(k, schools().average->khat, 1e-3);  // numbers have six digits
}

TEST(Report, OfWeightsThatHardlyVaryShowsNoTailAndNoKhat) {
  Fit fit = schools();
  fit.average->khat = 2.77;
  fit.average->efficiency = 0.999;
  const json data = data_of(fit);
  EXPECT_EQ(criterion(data, "k-hat of q"), "");
  EXPECT_EQ(criterion(data, "evenness of q's weights"), "0.999");
  EXPECT_TRUE(data["draws"]["psis"][0]["even"]);
}

// What the table calls not to be trusted is not drawn as a correction.
TEST(Report, DrawsNoWeightsThatAreNotToBeTrusted) {
  Fit fit = schools();
  EXPECT_EQ(data_of(fit)["draws"]["series"], json({"q", "weighted"}));
  fit.average->weighted = false;
  const json data = data_of(fit);
  EXPECT_EQ(data["draws"]["series"], json({"q"}));
  EXPECT_EQ(data["draws"]["densities"][0]["curves"].size(), 1u);
  EXPECT_EQ(data["draws"]["pairs"]["series"].size(), 1u);
}

TEST(Report, HasNoSdThatIsNotToBeTrusted) {
  Fit fit = schools();
  EXPECT_FALSE(data_of(fit)["tables"]["answers"][0].contains("sd_missing"));
  fit.average->parameters.front().sd_trusted = false;
  const json answer = data_of(fit)["tables"]["answers"][0];
  EXPECT_THAT(answer["weighted"][1].get<std::string>(), testing::StartsWith("- "));
  EXPECT_THAT(answer["sd_missing"].get<std::string>(), HasSubstr("too few draws"));
}

TEST(Report, OfChainsThatDisagreeHasATableForEach) {
  const Fit fit = ravi::fit(*make_builtin("bimodal", nullptr),
                            {.method = "paper", .stop = "fixed", .max_iterations = 2000});
  ASSERT_FALSE(fit.chains.empty());
  const json data = data_of(fit);
  ASSERT_EQ(data["tables"]["answers"].size(), fit.chains.size());
  EXPECT_EQ(data["tables"]["answers"][0]["label"], "chain 1, mode 1");
  EXPECT_NEAR(data["tables"]["answers"][0]["mode_weight"].get<double>(), fit.chains[0].mode_weight,
              1e-5);
  EXPECT_EQ(data["draws"]["series"].size(), fit.chains.size());
}

TEST(Report, OfSeveralModesHasTheirMassAndTheirDrawsApart) {
  const Fit fit = default_fit("bimodal");
  ASSERT_TRUE(fit.average);
  const json data = data_of(fit);
  ASSERT_EQ(data["modes"].size(), 2u);
  EXPECT_THAT(data["modes"][0]["mass"].get<std::string>(), testing::StartsWith("5"));
  ASSERT_EQ(data["draws"]["pairs"]["labels"].size(), 2u);
  // theta[1] is the quantity in which modes differ, and comes first: one sign in each.
  EXPECT_EQ(data["draws"]["pairs"]["names"][0], "theta[1]");
  for (const json& columns : data["draws"]["pairs"]["series"]) {
    const bool right = columns[0][0].get<double>() > 0;
    for (const json& x : columns[0]) EXPECT_EQ(x.get<double>() > 0, right);
  }
}

TEST(Report, OfAFailedFitSaysWhyAndHasNothingToDraw) {
  const Fit fit = default_fit("gaussian", {.method = "paper", .step_size = 1e6});
  const json data = data_of(fit);
  EXPECT_EQ(data["verdict"], "failed");
  EXPECT_FALSE(data["findings"].empty());
  EXPECT_TRUE(data["tables"]["answers"].empty());
  EXPECT_TRUE(data["draws"].is_null());
}

TEST(Report, WithoutDrawsHasNoFiguresOfThem) {
  Fit fit = schools();
  fit.average->draws = {};
  EXPECT_TRUE(data_of(fit)["draws"].is_null());
}

// tau is reported as the model samples its logarithm; its reference is on the other scale.
TEST(Report, DrawsAReferenceOnlyWhereItIsOnTheSameScale) {
  const auto model = make_builtin("eight-schools-noncentered", nullptr);
  Reference reference{model->unconstrained_names(), Vector::Constant(10, 2.0),
                      9 * Matrix::Identity(10, 10)};
  reference.parameters[1] = "tau";
  int with = 0;
  const json data = data_of(schools(), &reference);
  for (const json& density : data["draws"]["densities"]) {
    if (!density.contains("reference")) continue;
    EXPECT_NE(density["name"], "tau");
    EXPECT_EQ(density["reference"], json({2, 3}));
    ++with;
  }
  EXPECT_EQ(with, 9);
}

// A uniform density does not leak over its ends. The estimate has sd sqrt(f R(K) / (n h)) with
// R(K) = 1 / (2 sqrt(pi)), doubled in variance by the reflection at an end: with 10000 draws evenly
// spread there is no noise at all, and what is left is that of the bins, a fifth of a bandwidth.
TEST(Density, OfUniformDrawsIsFlatUpToItsEnds) {
  const Vector x = Vector::LinSpaced(10000, 0.00005, 0.99995);
  const Vector weights = Vector::Constant(10000, 1e-4);
  const Vector grid = Vector::LinSpaced(50, 0.001, 0.999);
  const KernelDensity density(x, weights);
  const Vector f = density.at(grid);
  EXPECT_LT((f.array() - 1).abs().maxCoeff(), 0.02);
  const Vector beyond = density.at(Vector::LinSpaced(3, -0.5, 1.5));
  EXPECT_EQ(beyond(0), 0);
  EXPECT_EQ(beyond(2), 0);
}

TEST(Density, FollowsTheWeights) {
  Vector x(2000), weights(2000);
  x << Vector::LinSpaced(1000, 0, 1), Vector::LinSpaced(1000, 2, 3);
  weights << Vector::Constant(1000, 0.0002), Vector::Constant(1000, 0.0008);
  const Vector f = KernelDensity(x, weights).at(Vector::LinSpaced(3, 0.5, 2.5));
  EXPECT_NEAR(f(2) / f(0), 4, 0.1);  // the kernels' reach, at 0.5 from the ends, is 2.5 bandwidths
}

TEST(Density, OfEqualDrawsIsNotANumber) {
  const KernelDensity density(Vector::Ones(10), Vector::Constant(10, 0.1));
  const Vector f = density.at(Vector::LinSpaced(3, 0, 2));
  EXPECT_TRUE(f.array().isNaN().all());
}

}  // namespace
}  // namespace ravi
