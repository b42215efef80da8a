// fit.nc, written and read back.
#include "output/netcdf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "output/netcdf_file.hpp"
#include "ravi/error.hpp"
#include "temporary_folder.hpp"
#include "tiny_fits.hpp"

namespace ravi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string bytes_of(const Fit& fit) {
  std::string bytes;
  write_netcdf(fit, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

// What fit.json would bring back: everything but the draws.
Fit without_draws(Fit fit) {
  if (fit.average) fit.average->draws = {};
  for (Answer& chain : fit.chains) chain.draws = {};
  return fit;
}

TEST(Netcdf, GivesTheDrawsBack) {
  const TemporaryFolder folder;
  const Fit fit = tiny_fit();
  Fit back = without_draws(fit);
  read_draws(folder.write("fit.nc", bytes_of(fit)), back);
  const WeightedDraws &a = fit.average->draws, &b = back.average->draws;
  EXPECT_EQ(a.quantities, b.quantities);
  EXPECT_EQ(a.log_density, b.log_density);
  EXPECT_EQ(a.log_q, b.log_q);
  EXPECT_EQ(a.log_proposal, b.log_proposal);
  EXPECT_EQ(a.log_weights, b.log_weights);
  EXPECT_EQ(a.resampled, b.resampled);
  EXPECT_EQ(a.from_q, b.from_q);
  EXPECT_EQ(a.plain, b.plain);
}

TEST(Netcdf, OfChainsThatDisagreeHoldsEachChainsOwn) {
  const TemporaryFolder folder;
  const Fit fit = tiny_fit_apart();
  const std::string path = folder.write("fit.nc", bytes_of(fit));
  Fit back = without_draws(fit);
  read_draws(path, back);
  for (std::size_t j = 0; j < fit.chains.size(); ++j) {
    EXPECT_EQ(back.chains[j].draws.quantities, fit.chains[j].draws.quantities.leftCols(3));
    EXPECT_EQ(back.chains[j].draws.log_density, fit.chains[j].draws.log_density.head(3));
  }
  NetcdfFile file(path);
  EXPECT_FALSE(file.root().has_group("importance"));
  for (const char* group : {"posterior", "variational"}) {
    EXPECT_EQ(file.root().group(group).dimension("chain"), 2);
  }
  // Both corrected: six draws chosen by weight of each, of which the first is draw 5.
  const auto mu = file.root().group("posterior").values("mu");
  ASSERT_EQ(mu.size(), 12u);
  EXPECT_EQ(mu[0], 1005.5);
  EXPECT_EQ(mu[6], 2005.5);
}

TEST(Netcdf, HasTheGroupsAndCoordinatesOfInferenceData) {
  const TemporaryFolder folder;
  NetcdfFile file(folder.write("fit.nc", bytes_of(tiny_fit())));
  const NetcdfGroup root = file.root(), of_q = root.group("variational");
  EXPECT_THAT(of_q.values("chain"), ElementsAre(0));
  EXPECT_THAT(of_q.values("draw"), ElementsAre(0, 1, 2));
  EXPECT_THAT(of_q.values("theta_dim_0"), ElementsAre(0, 1));
  EXPECT_THAT(of_q.values("mu"), ElementsAre(0.5, 1.5, 2.5));
  EXPECT_THAT(of_q.values("theta"), ElementsAre(10.5, 20.5, 11.5, 21.5, 12.5, 22.5));
  // Row by row: Sigma[1,1], Sigma[1,2], Sigma[2,1], Sigma[2,2] are quantities 3, 5, 4, 6.
  const auto sigma = of_q.values("Sigma");
  EXPECT_THAT(std::vector(sigma.begin(), sigma.begin() + 4), ElementsAre(30.5, 50.5, 40.5, 60.5));
  EXPECT_THAT(root.group("sample_stats_variational").values("lp"), ElementsAre(-3, -2.75, -2.5));
  // What ArviZ takes for the posterior are the draws to use, not those of q.
  EXPECT_THAT(root.group("posterior").values("mu"), ElementsAre(5.5, 0.5, 5.5, 2.5, 1.5, 3.5));
  EXPECT_THAT(root.group("sample_stats").values("importance_draw"), ElementsAre(5, 0, 5, 2, 1, 3));
  EXPECT_THAT(root.group("sample_stats").values("lp"),
              ElementsAre(-1.75, -3, -1.75, -2.5, -2.75, -2.25));
  EXPECT_EQ(root.group("importance").dimension("draw"), 6);
  const NetcdfGroup optimization = root.group("optimization");
  EXPECT_THAT(optimization.values("iteration"), ElementsAre(25, 50));
  EXPECT_THAT(optimization.values("rhat_max"), ElementsAre(1.5, 1.05));
  EXPECT_THAT(optimization.values("chain_elbo"), ElementsAre(-5, -4, -3, -6, -2, testing::IsNan()));
  EXPECT_THAT(optimization.values("chain_elbo_every"), ElementsAre(1, 2));
}

// Few draws are not smoothed: the weights are p / q. Of three with log ratios -1, -0.875, -0.75
// the largest is exp(-0.75) / sum.
TEST(Netcdf, WeighsThePlainDrawsAmongThemselves) {
  const TemporaryFolder folder;
  NetcdfFile file(folder.write("fit.nc", bytes_of(tiny_fit())));
  const auto weights = file.root().group("sample_stats_variational").values("log_weight");
  const double sum = std::exp(-1) + std::exp(-0.875) + std::exp(-0.75);
  ASSERT_EQ(weights.size(), 3u);
  EXPECT_NEAR(std::exp(weights[2]), std::exp(-0.75) / sum, 1e-15);
  EXPECT_NEAR(std::exp(weights[0]), std::exp(-1) / sum, 1e-15);
}

// Nothing is there twice: where nothing corrects q its draws are the posterior's.
TEST(Netcdf, HasQInAGroupOfItsOwnOnlyWhereSomethingCorrectsIt) {
  const TemporaryFolder folder;
  Fit fit = tiny_fit();
  fit.average->weighted = false;
  const std::string path = folder.write("fit.nc", bytes_of(fit));
  Fit back = without_draws(fit);
  read_draws(path, back);
  EXPECT_EQ(back.average->draws.plain, 3);
  EXPECT_TRUE(back.average->draws.resampled.empty());
  NetcdfFile file(path);
  for (const char* group : {"variational", "sample_stats_variational"}) {
    EXPECT_FALSE(file.root().has_group(group)) << group;
  }
  EXPECT_THAT(file.root().group("posterior").values("mu"), ElementsAre(0.5, 1.5, 2.5));
  EXPECT_EQ(file.root().group("sample_stats").values("log_weight").size(), 3u);
}

TEST(Netcdf, SaysWhatWasFoundAndWhen) {
  Fit fit = tiny_fit();
  fit.findings = {{FindingCode::weights_needed}, {FindingCode::single_chain}};
  fit.provenance.created_at = "2026-11-18T02:20:07Z";
  const std::string bytes = bytes_of(fit);
  EXPECT_THAT(bytes, HasSubstr("weights-needed single-chain"));
  EXPECT_THAT(bytes, HasSubstr("2026-11-18T02:20:07Z"));
  EXPECT_THAT(bytes_of(tiny_fit()), testing::Not(HasSubstr("created_at")));
}

TEST(Netcdf, OfTheSameFitIsTheSameBytes) {
  for (const Fit& fit : {tiny_fit(), tiny_fit_apart()}) EXPECT_EQ(bytes_of(fit), bytes_of(fit));
}

// Two quantities of more draws than half of the limit are beyond it.
TEST(Netcdf, WithoutTheQuantitiesOfAllDrawsGivesThePlainOnesBack) {
  Fit fit = tiny_fit();
  Answer& answer = *fit.average;
  const Index many = kMostQuantityNumbers / 2 + 1;
  answer.parameters = summaries({"a", "b"});
  WeightedDraws& d = answer.draws;
  d.quantities = Matrix::Constant(2, many, 1.5);
  d.log_density = d.log_q = d.log_proposal = d.log_weights = Vector::Constant(many, -1);
  const TemporaryFolder folder;
  const std::string path = folder.write("fit.nc", bytes_of(fit));
  Fit back = without_draws(fit);
  read_draws(path, back);
  EXPECT_EQ(back.average->draws.quantities, Matrix::Constant(2, 3, 1.5));
  EXPECT_EQ(back.average->draws.log_weights.size(), 3);
  EXPECT_TRUE(back.average->draws.resampled.empty());
}

TEST(Netcdf, OfAnotherFitOrNoneAtAllIsRefused) {
  const TemporaryFolder folder;
  Fit other = tiny_fit();
  other.average->parameters[1].name = "eta[1]";
  const std::string path = folder.write("fit.nc", bytes_of(tiny_fit()));
  for (const std::string& file : {path, folder.write("text.nc", "text"), folder / "none.nc"}) {
    try {
      read_draws(file, other);
      ADD_FAILURE() << file << " was accepted";
    } catch (const UsageError& e) {
      EXPECT_THAT(e.what(), HasSubstr(file));
    }
  }
}

TEST(Netcdf, OfAFitWithoutDrawsIsRefused) { EXPECT_THROW(bytes_of(tiny_fit_failed()), UsageError); }

// A parameter may be called anything.
TEST(Netcdf, KeepsStrangeNamesApart) {
  Fit fit = tiny_fit();
  fit.average->parameters =
      summaries({"chain", "lp", "a/b", "a b", "<img src=x onerror=alert(1)>", "x[2]", "mu"});
  const TemporaryFolder folder;
  Fit back = without_draws(fit);
  read_draws(folder.write("fit.nc", bytes_of(fit)), back);
  EXPECT_EQ(back.average->draws.quantities, fit.average->draws.quantities);
}

}  // namespace
}  // namespace ravi
