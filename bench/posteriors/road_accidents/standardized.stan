// The posterior of road_accidents.stan with standardized columns, for NUTS to draw from.
//   y_i ~ Poisson(driven_i exp(a + sum_p b_p (X_ip - mean_p) / sd_p)),
//   beta_p = b_p / sd_p ~ N(0, 5), alpha = a - sum_p beta_p mean_p ~ N(0, 10)
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;
  vector<lower=0>[N] driven;
  int<lower=0> y[N];
}
transformed data {
  vector[N] log_driven = log(driven);
  vector[P] means;
  vector[P] sds;
  matrix[N, P] Z;
  for (p in 1:P) {
    means[p] = mean(X[, p]);
    sds[p] = sd(X[, p]);
    Z[, p] = (X[, p] - means[p]) / sds[p];
  }
}
parameters {
  real a;
  vector[P] b;
}
model {
  vector[P] beta = b ./ sds;
  beta ~ normal(0, 5);
  a - dot_product(beta, means) ~ normal(0, 10);
  y ~ poisson_log(log_driven + a + Z * b);
}
