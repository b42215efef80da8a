// Bacteria in the ears of 50 children, present or not, up to five times: logistic, standardized.
//   y_i ~ Bernoulli(inv_logit(alpha + beta_1 drug_i + beta_2 drug_plus_i + beta_3 late_i
//   + tau z[child_i])), z ~ N(0, 1), alpha ~ N(0, 3), beta ~ N(0, 2), tau ~ half-N(0, 2)
data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=1, upper=J> child[N];
  vector[N] drug;
  vector[N] drug_plus;
  vector[N] late;  // after the second week
  int<lower=0, upper=1> y[N];
}
parameters {
  real alpha;
  vector[3] beta;
  real<lower=0> tau;
  vector[J] z;
}
model {
  alpha ~ normal(0, 3);
  beta ~ normal(0, 2);
  tau ~ normal(0, 2);
  z ~ normal(0, 1);
  y ~ bernoulli_logit(alpha + beta[1] * drug + beta[2] * drug_plus + beta[3] * late
                      + tau * z[child]);
}
