// Regression of log earnings on height, sex, their interaction, age and its square, none centered.
//   log(earnings_i) ~ N(beta_1 + beta_2 height_i + beta_3 male_i + beta_4 height_i male_i
//                       + beta_5 age_i + beta_6 age_i^2, sigma), all priors flat
data {
  int<lower=1> N;
  vector<lower=0>[N] earnings;
  vector[N] height;  // inches
  vector[N] male;  // 0 or 1
  vector[N] age;  // years
}
transformed data {
  vector[N] y = log(earnings);
  matrix[N, 6] X;
  X[, 1] = rep_vector(1, N);
  X[, 2] = height;
  X[, 3] = male;
  X[, 4] = height .* male;
  X[, 5] = age;
  X[, 6] = age .* age;
}
parameters {
  vector[6] beta;
  real<lower=0> sigma;
}
model {
  y ~ normal(X * beta, sigma);
}
