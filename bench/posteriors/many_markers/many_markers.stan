// Logistic regression on twenty markers whose coefficients share a scale.
//   y_i ~ Bernoulli(inv_logit(alpha + X_i beta)), beta_p ~ N(0, tau),
//   alpha ~ N(0, 2), tau ~ half-N(0, 1)
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;
  int<lower=0, upper=1> y[N];
}
parameters {
  real alpha;
  real<lower=0> tau;
  vector[P] beta;
}
model {
  alpha ~ normal(0, 2);
  tau ~ normal(0, 1);
  beta ~ normal(0, tau);
  y ~ bernoulli_logit(alpha + X * beta);
}
