// Acceleration of a head in a crash: a Gaussian process, integrated out, whose noise changes once.
//   y ~ N(mu, K + diag(s^2)), K_ij = alpha^2 exp(-(x_i - x_j)^2 / (2 rho^2)),
//   s_i = sigma_1 before 14 ms, sigma_2 from then on,
//   mu ~ N(0, 50), rho ~ InvGamma(5, 25), alpha ~ half-N(0, 75), sigma ~ half-N(0, 25)
data {
  int<lower=1> N;
  real time[N];  // milliseconds after the impact
  vector[N] acceleration;  // in units of g
}
parameters {
  real mu;
  real<lower=0> rho;
  real<lower=0> alpha;
  vector<lower=0>[2] sigma;
}
model {
  matrix[N, N] K = cov_exp_quad(time, alpha, rho);
  for (i in 1:N) K[i, i] += square(time[i] < 14 ? sigma[1] : sigma[2]);
  mu ~ normal(0, 50);
  rho ~ inv_gamma(5, 25);
  alpha ~ normal(0, 75);
  sigma ~ normal(0, 25);
  acceleration ~ multi_normal_cholesky(rep_vector(mu, N), cholesky_decompose(K));
}
