// Regression of body fat on five circumferences that measure nearly the same thing.
//   fat_i ~ N(alpha + X_i beta, sigma),
//   alpha ~ N(0, 100), beta ~ N(0, 10), sigma ~ half-Cauchy(0, 5)
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;  // centimeters
  vector[N] fat;  // percent
}
parameters {
  real alpha;
  vector[P] beta;
  real<lower=0> sigma;
}
model {
  alpha ~ normal(0, 100);
  beta ~ normal(0, 10);
  sigma ~ cauchy(0, 5);
  fat ~ normal(alpha + X * beta, sigma);
}
