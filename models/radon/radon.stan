// Radon in the houses of J counties, with an intercept for every county.
//   log_radon_i ~ N(alpha[county_i] + beta floor_i, sigma), alpha_c ~ N(mu_alpha, sigma_alpha),
//   mu_alpha, beta ~ N(0, 1), sigma_alpha, sigma ~ half-N(0, 1)
data {
  int<lower=1> N;
  int<lower=1> J;
  array[N] int<lower=1, upper=J> county;
  vector[N] floor_measure;  // 0 in the basement, 1 on the first floor
  vector[N] log_radon;
}
parameters {
  vector[J] alpha;
  real mu_alpha;
  real<lower=0> sigma_alpha;
  real beta;
  real<lower=0> sigma;
}
model {
  mu_alpha ~ normal(0, 1);
  sigma_alpha ~ normal(0, 1);
  beta ~ normal(0, 1);
  sigma ~ normal(0, 1);
  alpha ~ normal(mu_alpha, sigma_alpha);
  log_radon ~ normal(alpha[county] + beta * floor_measure, sigma);
}
