// Runs as CSV.
#include "paper/runs_csv.hpp"

#include <fmt/format.h>

#include "algorithm/methods.hpp"

namespace ravi::paper {

std::string runs_csv(const Lab& lab) {
  std::string text =
      "name,posterior,P,gamma,method,optimizer,stop,draws,window,chains,epsilon,max_iterations,"
      "seed,T,T_0,termination,verdict,evaluations,rhat,ess,tail_index,d_mu,d_mu_average,d_sigma,d_"
      "sigma_average,kl,kl_average,khat,khat_average,elbo,elbo_average\n";
  for (const auto& [run, r] : lab.all()) {
    const Options o = filled_in(run->options, run->dimension);
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.6g},{:.6g},{:.6g},", run->name(),
        run->posterior, run->dimension, run->gamma, o.method, o.optimizer, o.stop, o.draws,
        o.window, o.chains, o.stop == "delta-elbo" ? o.elbo_threshold : o.mcse_threshold,
        o.max_iterations, o.seed, r->iterations, r->averaging_started_at, r->termination,
        r->verdict, r->evaluations, r->rhat, r->ess, r->tail_index);
    text +=
        fmt::format("{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g}\n",
                    r->last.d_mu, r->average.d_mu, r->last.d_sigma, r->average.d_sigma, r->last.kl,
                    r->average.kl, r->last.khat, r->average.khat, r->last.elbo, r->average.elbo);
  }
  return text;
}

}  // namespace ravi::paper
