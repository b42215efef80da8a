// Speed of light in five experiments of 20 runs: the means and the log sds of the experiments vary,
// means centered, log sds standardized.
//   y_i ~ N(theta[e_i], exp(log_sigma + omega z[e_i])), theta_e ~ N(mu, tau), z ~ N(0, 1),
//   mu ~ N(800, 100), tau ~ half-N(0, 100), log_sigma ~ N(4, 1), omega ~ half-N(0, 0.5)
data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=1, upper=J> experiment[N];
  vector[N] y;  // km/s above 299000
}
parameters {
  real mu;
  real<lower=0> tau;
  real log_sigma;
  real<lower=0> omega;
  vector[J] theta;
  vector[J] z;
}
model {
  vector[J] sigma = exp(log_sigma + omega * z);
  mu ~ normal(800, 100);
  tau ~ normal(0, 100);
  log_sigma ~ normal(4, 1);
  omega ~ normal(0, 0.5);
  theta ~ normal(mu, tau);
  z ~ normal(0, 1);
  y ~ normal(theta[experiment], sigma[experiment]);
}
