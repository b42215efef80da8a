// Seizures of epileptics in four fortnights: Poisson counts, a standardized intercept per patient.
//   y_i ~ Poisson(exp(alpha + beta_1 log(base_i / 4) + beta_2 treated_i
//                     + beta_3 treated_i log(base_i / 4) + beta_4 log(age_i) + beta_5 fourth_i
//                     + tau z[patient_i])), z ~ N(0, 1),
//   alpha ~ N(0, 10), beta ~ N(0, 5), tau ~ half-N(0, 1)
data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=1, upper=J> patient[N];
  vector[N] treated;
  vector<lower=0>[N] base;  // seizures in the eight weeks before
  vector<lower=0>[N] age;
  vector[N] fourth;  // 1 in the last fortnight
  int<lower=0> y[N];
}
transformed data {
  matrix[N, 5] X;
  X[, 1] = log(base / 4);
  X[, 2] = treated;
  X[, 3] = treated .* X[, 1];
  X[, 4] = log(age);
  X[, 5] = fourth;
}
parameters {
  real alpha;
  vector[5] beta;
  real<lower=0> tau;
  vector[J] z;
}
model {
  alpha ~ normal(0, 10);
  beta ~ normal(0, 5);
  tau ~ normal(0, 1);
  z ~ normal(0, 1);
  y ~ poisson_log(alpha + X * beta + tau * z[patient]);
}
