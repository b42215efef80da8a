// Counts with a log rate from a Gaussian process, whose values are kept as standard normal numbers.
//   y_i ~ Poisson(exp(mu + f_i)), f = L f_tilde, L L' = K + 1e-8 I, f_tilde ~ N(0, 1),
//   K_ij = alpha^2 exp(-(x_i - x_j)^2 / (2 rho^2)),
//   mu ~ N(2, 2), rho ~ Gamma(10, 4), alpha ~ half-N(0, 1)
data {
  int<lower=1> N;
  real x[N];
  int<lower=0> y[N];
}
parameters {
  real mu;
  real<lower=0> rho;
  real<lower=0> alpha;
  vector[N] f_tilde;
}
model {
  matrix[N, N] K = cov_exp_quad(x, alpha, rho);
  for (i in 1:N) K[i, i] += 1e-8;
  mu ~ normal(2, 2);
  rho ~ gamma(10, 4);
  alpha ~ normal(0, 1);
  f_tilde ~ normal(0, 1);
  y ~ poisson_log(mu + cholesky_decompose(K) * f_tilde);
}
