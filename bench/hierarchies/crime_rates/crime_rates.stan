// Crime in 47 states, 15 columns: linear regression with a horseshoe, standardized. Scales are
// half-Cauchy; their logarithms are the parameters, whose moments exist.
//   y_i ~ N(alpha + X_i beta, sigma), beta_j = z_j tau lambda_j, z ~ N(0, 1),
//   lambda_j ~ half-Cauchy(0, 1), tau ~ half-Cauchy(0, 0.1), alpha ~ N(0, 1), sigma ~ half-N(0, 1)
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;  // standardized
  vector[N] y;  // standardized
}
parameters {
  real alpha;
  real<lower=0> sigma;
  real log_tau;
  vector[P] log_lambda;
  vector[P] z;
}
transformed parameters {
  vector[P] beta = z .* exp(log_tau + log_lambda);
}
model {
  alpha ~ normal(0, 1);
  sigma ~ normal(0, 1);
  target += cauchy_lpdf(exp(log_tau) | 0, 0.1) + log_tau;
  target += cauchy_lpdf(exp(log_lambda) | 0, 1) + sum(log_lambda);
  z ~ normal(0, 1);
  y ~ normal(alpha + X * beta, sigma);
}
