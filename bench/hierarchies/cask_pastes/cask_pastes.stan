// Strength of a chemical paste: analyses of casks of batches, effects of both standardized.
//   strength_i ~ N(mu + tau_1 z_batch[b_i] + tau_2 z_cask[c_i], sigma), z ~ N(0, 1),
//   mu ~ N(60, 10), tau ~ half-N(0, 5), sigma ~ half-N(0, 2)
data {
  int<lower=1> N;
  int<lower=1> B;
  int<lower=1> C;
  int<lower=1, upper=B> batch[N];
  int<lower=1, upper=C> cask[N];
  vector[N] strength;
}
parameters {
  real mu;
  vector<lower=0>[2] tau;
  real<lower=0> sigma;
  vector[B] z_batch;
  vector[C] z_cask;
}
model {
  mu ~ normal(60, 10);
  tau ~ normal(0, 5);
  sigma ~ normal(0, 2);
  z_batch ~ normal(0, 1);
  z_cask ~ normal(0, 1);
  strength ~ normal(mu + tau[1] * z_batch[batch] + tau[2] * z_cask[cask], sigma);
}
