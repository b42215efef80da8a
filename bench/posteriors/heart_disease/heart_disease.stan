// Logistic regression on ten clinical columns in their own units.
//   y_i ~ Bernoulli(inv_logit(alpha + X_i beta)), alpha ~ N(0, 50), beta ~ N(0, 10)
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;
  int<lower=0, upper=1> y[N];
}
parameters {
  real alpha;
  vector[P] beta;
}
model {
  alpha ~ normal(0, 50);
  beta ~ normal(0, 10);
  y ~ bernoulli_logit(alpha + X * beta);
}
