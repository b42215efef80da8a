// Ticks on the heads of red grouse chicks: negative binomial, effects of 63 places, standardized.
//   y_i ~ NegBinomial2(exp(alpha + beta_1 height_i + beta_2 y96_i + beta_3 y97_i + tau z[place_i]),
//   phi), z ~ N(0, 1), alpha, beta ~ N(0, 2), tau ~ half-N(0, 2), 1 / sqrt(phi) ~ half-N(0, 1)
data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=1, upper=J> place[N];
  vector[N] height;  // hundreds of meters, less its mean
  vector[N] y96;
  vector[N] y97;
  int<lower=0> y[N];
}
parameters {
  real alpha;
  vector[3] beta;
  real<lower=0> tau;
  real<lower=0> spread;
  vector[J] z;
}
model {
  alpha ~ normal(0, 2);
  beta ~ normal(0, 2);
  tau ~ normal(0, 2);
  spread ~ normal(0, 1);
  z ~ normal(0, 1);
  y ~ neg_binomial_2_log(alpha + beta[1] * height + beta[2] * y96 + beta[3] * y97
                         + tau * z[place], inv_square(spread));
}
