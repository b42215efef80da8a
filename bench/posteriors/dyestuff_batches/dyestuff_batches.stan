// Yields of batches that hardly differ, if at all: one-way random effects, standardized.
//   yield_i ~ N(mu + tau z[batch_i], sigma), z ~ N(0, 1),
//   mu ~ N(0, 10), tau ~ half-N(0, 5), sigma ~ half-N(0, 10)
data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=1, upper=J> batch[N];
  vector[N] yield;
}
parameters {
  real mu;
  real<lower=0> tau;
  real<lower=0> sigma;
  vector[J] z;
}
model {
  mu ~ normal(0, 10);
  tau ~ normal(0, 5);
  sigma ~ normal(0, 10);
  z ~ normal(0, 1);
  yield ~ normal(mu + tau * z[batch], sigma);
}
