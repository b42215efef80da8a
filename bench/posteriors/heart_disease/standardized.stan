// The posterior of heart_disease.stan with standardized columns, for NUTS to draw from.
//   y_i ~ Bernoulli(inv_logit(a + sum_p b_p (X_ip - mean_p) / sd_p)),
//   beta_p = b_p / sd_p ~ N(0, 10), alpha = a - sum_p beta_p mean_p ~ N(0, 50)
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;
  int<lower=0, upper=1> y[N];
}
transformed data {
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
  beta ~ normal(0, 10);
  a - dot_product(beta, means) ~ normal(0, 50);
  y ~ bernoulli_logit(a + Z * b);
}
