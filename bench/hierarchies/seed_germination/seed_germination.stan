// Seeds of two kinds in two extracts, 21 plates: binomial, effects of the plates centered on the
// predictor of the plate.
//   r_j ~ Binomial(n_j, inv_logit(eta_j)), eta_j ~ N(x_j beta, tau), beta ~ N(0, 1.5),
//   tau ~ half-N(0, 1)
data {
  int<lower=1> J;
  int<lower=1> n[J];
  int<lower=0> r[J];
  vector[J] bean;
  vector[J] cucumber;
}
parameters {
  vector[4] beta;
  real<lower=0> tau;
  vector[J] eta;
}
model {
  beta ~ normal(0, 1.5);
  tau ~ normal(0, 1);
  eta ~ normal(beta[1] + beta[2] * bean + beta[3] * cucumber + beta[4] * bean .* cucumber, tau);
  r ~ binomial_logit(n, eta);
}
