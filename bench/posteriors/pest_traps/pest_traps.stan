// Negative binomial regression of insects in traps, with the days a trap was out as an offset.
//   y_i ~ NegBinomial(mean days_i exp(alpha + X_i beta), precision phi),
//   alpha ~ N(0, 5), beta ~ N(0, 2.5), phi ~ Exponential(1)
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;  // count before, treated or not, old building or not
  vector<lower=0>[N] days;
  int<lower=0> y[N];
}
transformed data {
  vector[N] log_days = log(days);
}
parameters {
  real alpha;
  vector[P] beta;
  real<lower=0> phi;
}
model {
  alpha ~ normal(0, 5);
  beta ~ normal(0, 2.5);
  phi ~ exponential(1);
  y ~ neg_binomial_2_log(log_days + alpha + X * beta, phi);
}
