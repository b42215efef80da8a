// Times to tumors of female rats in 50 litters of three, most censored: Weibull hazard, a gamma
// frailty multiplies that of each litter.
//   hazard_i(t) = w[litter_i] shape t^(shape - 1) exp(shape (alpha + beta treated_i)),
//   w ~ Gamma(1 / v, 1 / v), alpha ~ N(0, 2), beta ~ N(0, 1), shape ~ LogNormal(1, 0.5),
//   v ~ LogNormal(-0.5, 0.7), t in units of 104 weeks
data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=1, upper=J> litter[N];
  int<lower=0, upper=1> tumor[N];
  vector[N] treated;
  vector<lower=0>[N] weeks;
}
transformed data {
  vector[N] log_t = log(weeks / 104);
  vector[N] seen = to_vector(tumor);
}
parameters {
  real alpha;
  real beta;
  real<lower=0> shape;
  real<lower=0> v;
  vector<lower=0>[J] w;
}
model {
  vector[N] log_w = log(w[litter]);
  vector[N] log_cumulative = log_w + shape * (log_t + alpha + beta * treated);
  alpha ~ normal(0, 2);
  beta ~ normal(0, 1);
  shape ~ lognormal(1, 0.5);
  v ~ lognormal(-0.5, 0.7);
  w ~ gamma(inv(v), inv(v));
  target += dot_product(seen, log_cumulative + log(shape) - log_t) - sum(exp(log_cumulative));
}
