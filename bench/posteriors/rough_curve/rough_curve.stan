// Gaussian process regression with a Matern 3/2 kernel and a mean, the function integrated out.
//   y ~ N(mu, K + sigma^2 I), K_ij = alpha^2 (1 + r_ij) exp(-r_ij),
//   r_ij = sqrt(3) |x_i - x_j| / rho,
//   mu ~ N(0, 10), rho ~ InvGamma(5, 10), alpha ~ half-N(0, 3), sigma ~ half-N(0, 1)
data {
  int<lower=1> N;
  real x[N];
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> rho;
  real<lower=0> alpha;
  real<lower=0> sigma;
}
model {
  matrix[N, N] K;
  for (i in 1:N) {
    K[i, i] = square(alpha) + square(sigma);
    for (j in (i + 1):N) {
      real r = sqrt(3) * fabs(x[i] - x[j]) / rho;
      K[i, j] = square(alpha) * (1 + r) * exp(-r);
      K[j, i] = K[i, j];
    }
  }
  mu ~ normal(0, 10);
  rho ~ inv_gamma(5, 10);
  alpha ~ normal(0, 3);
  sigma ~ normal(0, 1);
  y ~ multi_normal_cholesky(rep_vector(mu, N), cholesky_decompose(K));
}
