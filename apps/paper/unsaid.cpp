// Facts read from public research code; none of that code is here.
#include "paper/unsaid.hpp"

#include <array>

namespace ravi::paper {
namespace {

struct Fact {
  const char *setting, *printed, *code, *here;
};

constexpr std::array kFacts = {
    Fact{"Boston, Wine, Concrete", "logistic regressions",
         "linear regressions, w ~ N(0, 1), known noise with sd 0.2, no intercept, columns and "
         "outcome standardized (by n), Concrete's outcome with the other sign; the truth is from "
         "4800 draws of Stan",
         "the same data; the truth is exact"},
    Fact{"eight schools", "priors are not given", "mu ~ N(0, 5), tau ~ half-Cauchy(0, 5), P = 10",
         "the same"},
    Fact{"centered eight schools", "-",
         "the mean that D_mu is measured from is mean(mu) + mean(eta) exp(mean(log tau)), which is "
         "not that of theta",
         "both, from the exact moments"},
    Fact{"Radon", "hierarchical, K = 4094",
         "unpooled: 85 intercepts, beta, sigma in (0, 100), flat priors, P = 87, log(activity + "
         "0.1); the coordinates of the reference are in another order than those of q",
         "the same model (radon-unpooled); beta and sigma exchanged, by which the exact posterior "
         "is at D_mu 5.98 and D_Sigma 0.14 from itself. Theirs has D_Sigma 0.36: its order is not "
         "quite that"},
    Fact{"MNIST100", "a Bayesian neural network, K = 7951",
         "mnist_100-nn_rbm1bJ10 of posteriordb: raw pixels of 0 to 255, the first 100 training "
         "digits, mean field, windowed Adagrad with eta = 0.0004 in both rows, T_max = 10000, from "
         "a start at all ones",
         "the same where mnist_100.json is there; the digits of paper/data otherwise. k-hat from "
         "20000 draws"},
    Fact{"M", "not given", "100", "100"},
    Fact{"family", "Gaussian, L L'",
         "a t distribution with 10^6 degrees of freedom; the parameters are those of the Cholesky "
         "factor with logarithms on its diagonal, draws are by the symmetric root",
         "a Gaussian with the same parameters and draws: --root symmetric"},
    Fact{"start", "not given",
         "mean 0; every element of the factor 1 (regressions, Radon) or 0 (eight schools)",
         "--start wide, unit; ones (MNIST100)"},
    Fact{"eta", "0.01",
         "0.006 to 0.009 (Concrete), 0.008 (NCP), 0.009 (CP), 0.013 to 0.020 (Radon); the same of "
         "the eight schools with Adagrad, and 0.005 (Concrete). No program for Boston and Wine",
         "the printed one (Boston), 0.006 and with Adagrad 0.005 as for Concrete (Wine), 0.0075 "
         "(Concrete), 0.0165 (Radon), the others the same"},
    Fact{"T_max", "15 000",
         "11 000, 8000 (Concrete, Adagrad), 8500 (NCP), 10 000 (CP), 14 000 to 16 000 (Radon)",
         "11 000 (regressions), the same (eight schools), 15 000 (Radon, and where the paper has "
         "an asterisk)"},
    Fact{"RMSprop", "-",
         "decay 0.99, 1e-6 inside the root, the mean of squares starts with the first square",
         "--decay 0.99 --offset 1e-6 --offset-place inside"},
    Fact{"Adagrad", "-", "the sum of the last ten squares, 0.1 inside the root",
         "--optimizer adagrad-windowed"},
    Fact{"window of R-hat", "the last W = 100 iterates",
         "the last half of all; 100 is the number of iterations between checks, from 1000 on",
         "--rhat-window half --rhat-from 1001; half to a block of iterates"},
    Fact{"tau", "1.1",
         "1.20 (May 2020), 1.30 (June, September); means and scales pass it once each, for good",
         "--rhat-threshold 1.3 --rhat-gates apart"},
    Fact{"J", "1 or 4", "1", "1"},
    Fact{"MCSE", "of the iterates since T_0",
         "of all iterates, by positive autocorrelations at lags 1 to 99, median of components; "
         "below 0.02 (September), 0.005 (June)",
         "--mcse-over history --mcse-threshold 0.02"},
    Fact{"MCSE, Adagrad", "the same",
         "below 0.03, whatever the ESS, and R-hat below 1.25 (June); below 0.05, with ESS above 20 "
         "for means and 5 for scales (September)",
         "as in June; T near the printed ones comes out by both (see the settings left open)"},
    Fact{"ESS", "all above 20", "medians, since T_0: above 30 for means, above 4 for scales",
         "by the same lags; --ess-over median --ess-threshold 30 --scale-ess-threshold 4"},
    Fact{"least wait", "-",
         "t > 1500, and more than 300 iterations after T_0, or 400 (June; September with Adagrad), "
         "seen at every 100th",
         "--least-iterations 1501 --least-averaged 400"},
    Fact{"ΔELBO, RMSprop", "-",
         "at every 100th iteration from 600 on the relative change of two single estimates, which "
         "are successive (June) or 200 iterations apart (September); the mean or the median of the "
         "last T_max / 1000. Log density and entropy without constants",
         "--elbo-rule recent, as in June; in these tables also without constants"},
    Fact{"average under ΔELBO", "-", "all since iteration 500; with Adagrad the last 200",
         "--elbo-average since-500, last-200"},
    Fact{"ΔELBO, Adagrad", "-", "from 1100 on, all changes, and 100 iterations more",
         "--elbo-rule all"},
    Fact{"D", "norm of means, root of the spectral norm of covariances",
         "root mean square over entries (June), norms (October), sometimes without the root",
         "all of them, in a table of their own"},
    Fact{"k-hat", "-",
         "one batch of 20 000 (regressions, Radon), 40 000 (eight schools), 100 000 (MNIST100)",
         "the same but for MNIST100"},
    Fact{"Figure 1", "N = 300, 50 data sets, mini-batches of 50, P = 70",
         "gamma 0.7, one data set, no mini-batches, N = 230 (left) and 220 (right, P = 80), eta "
         "from 0.018 to 0.010; the truth has another noise and prior than the model, which alone "
         "leaves D = 0.05 to 0.09 (left) and 0.18 (right)",
         "the same with N = 230 in both, and the truth of the model"},
    Fact{"Figure 2", "J = 4, T = 120 000", "no program was found", "as printed"},
};

}  // namespace

Section unsaid_section() {
  Section section{"What the paper does not say"};
  section.blocks.emplace_back(
      "Many settings are not printed, and some that are were not those of the runs. The public "
      "repositories of the first author, adhaka/viabel and kunalghosh/viabel on GitHub (commits of "
      "May to October 2020, of which 4 September is nearest to the paper), have most of them. "
      "Where the code has a range, a value in it was taken, and none was tuned.");
  Table table{.caption = {}, .header = {"setting", "printed", "in the authors' code", "here"}};
  for (const Fact& f : kFacts) {
    table.rows.push_back({RowKind::measured, {f.setting, f.printed, f.code, f.here}, true});
  }
  section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace ravi::paper
