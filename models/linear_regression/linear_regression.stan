// Linear regression with known noise.
//   y ~ N(X beta, sigma), beta ~ N(0, 1)
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;
  real y[N];
  real<lower=0> sigma;
}
parameters {
  vector[P] beta;
}
model {
  beta ~ normal(0, 1);
  y ~ normal(X * beta, sigma);
}
