// Poisson regression of accidents on roads, with the distance driven as an offset.
//   y_i ~ Poisson(driven_i exp(alpha + X_i beta)), alpha ~ N(0, 10), beta ~ N(0, 5)
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;  // speed limit, lanes, junctions per kilometer, lit or not
  vector<lower=0>[N] driven;
  int<lower=0> y[N];
}
transformed data {
  vector[N] log_driven = log(driven);
}
parameters {
  real alpha;
  vector[P] beta;
}
model {
  alpha ~ normal(0, 10);
  beta ~ normal(0, 5);
  y ~ poisson_log(log_driven + alpha + X * beta);
}
