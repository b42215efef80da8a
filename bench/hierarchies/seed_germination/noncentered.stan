// The posterior of seed_germination.stan with standardized plates, for NUTS to draw from.
//   r_j ~ Binomial(n_j, inv_logit(x_j beta + tau z_j)), z ~ N(0, 1), beta ~ N(0, 1.5),
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
  vector[J] z;
}
model {
  beta ~ normal(0, 1.5);
  tau ~ normal(0, 1);
  z ~ normal(0, 1);
  r ~ binomial_logit(n, beta[1] + beta[2] * bean + beta[3] * cucumber
                        + beta[4] * bean .* cucumber + tau * z);
}
