// Fuel used by 32 cars, ten columns: linear regression with a regularized horseshoe.
//   y_i ~ N(alpha + X_i beta, sigma), beta_j = z_j tau l_j, l_j^2 = c2 lambda_j^2 / (c2 + tau^2
//   lambda_j^2), z ~ N(0, 1), lambda_j ~ half-t_4(0, 1), tau ~ half-t_4(0, 0.3),
//   c2 ~ InverseGamma(4, 4), alpha ~ N(0, 1), sigma ~ half-N(0, 1)
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;  // standardized
  vector[N] y;  // standardized
}
parameters {
  real alpha;
  real<lower=0> sigma;
  real<lower=0> tau;
  real<lower=0> c2;
  vector<lower=0>[P] lambda;
  vector[P] z;
}
transformed parameters {
  vector[P] beta = tau * z .* lambda .* sqrt(c2 ./ (c2 + square(tau) * square(lambda)));
}
model {
  alpha ~ normal(0, 1);
  sigma ~ normal(0, 1);
  tau ~ student_t(4, 0, 0.3);
  c2 ~ inv_gamma(4, 4);
  lambda ~ student_t(4, 0, 1);
  z ~ normal(0, 1);
  y ~ normal(alpha + X * beta, sigma);
}
