// The posterior of longley_employment.stan with standardized columns, for NUTS to draw from.
//   employed_i ~ N(a + sum_p b_p (X_ip - mean_p) / sd_p, sigma), all priors flat
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;
  vector[N] employed;
}
transformed data {
  matrix[N, P] Z;
  for (p in 1:P) Z[, p] = (X[, p] - mean(X[, p])) / sd(X[, p]);
}
parameters {
  real a;
  vector[P] b;
  real<lower=0> sigma;
}
model {
  employed ~ normal(a + Z * b, sigma);
}
