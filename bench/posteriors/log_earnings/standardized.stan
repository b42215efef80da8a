// The posterior of log_earnings.stan with standardized columns, for NUTS to draw from.
//   log(earnings_i) ~ N(a + sum_p b_p (X_ip - mean_p) / sd_p, sigma), all priors flat,
//   X_i = (height, male, height male, age, age^2)_i
data {
  int<lower=1> N;
  vector<lower=0>[N] earnings;
  vector[N] height;
  vector[N] male;
  vector[N] age;
}
transformed data {
  vector[N] y = log(earnings);
  matrix[N, 5] Z;
  Z[, 1] = height;
  Z[, 2] = male;
  Z[, 3] = height .* male;
  Z[, 4] = age;
  Z[, 5] = age .* age;
  for (p in 1:5) Z[, p] = (Z[, p] - mean(Z[, p])) / sd(Z[, p]);
}
parameters {
  real a;
  vector[5] b;
  real<lower=0> sigma;
}
model {
  y ~ normal(a + Z * b, sigma);
}
