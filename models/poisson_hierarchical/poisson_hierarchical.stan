// Counts in R regions over T years, with a common trend and regions that share a distribution.
//   y[r, t] ~ Poisson(exposure_r exp(region_r + trend (t - (T + 1) / 2))),
//   region_r ~ N(mu, tau), mu ~ N(0, 2), tau ~ logN(-0.5, 0.5), trend ~ N(0, 0.5)
data {
  int<lower=1> R;
  int<lower=2> T;
  int<lower=0> y[R, T];
  real<lower=0> exposure[R];
}
transformed data {
  row_vector[T] year;
  for (t in 1:T) year[t] = t - 0.5 * (T + 1);
}
parameters {
  real mu;
  real<lower=0> tau;
  // Sampled as (region - mu) / tau, which is the non-centered form.
  vector<offset=mu, multiplier=tau>[R] region;
  real trend;
}
transformed parameters {
  row_vector[T] log_rate[R];
  for (r in 1:R) log_rate[r] = log(exposure[r]) + region[r] + trend * year;
}
model {
  mu ~ normal(0, 2);
  tau ~ lognormal(-0.5, 0.5);
  region ~ normal(mu, tau);
  trend ~ normal(0, 0.5);
  for (r in 1:R) y[r] ~ poisson_log(log_rate[r]);
}
generated quantities {
  real growth = exp(trend);  // factor from one year to the next
  int y_rep[R, T];
  for (r in 1:R) {
    for (t in 1:T) y_rep[r, t] = poisson_log_rng(log_rate[r, t]);
  }
}
