// Median regression of wages: Laplace noise, whose density has a kink.
//   wage_i ~ Laplace(alpha + X_i beta, scale), alpha ~ N(0, 50), beta ~ N(0, 10), scale ~ half-N(0, 10)
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;  // years at school, years of work
  vector[N] wage;
}
parameters {
  real alpha;
  vector[P] beta;
  real<lower=0> scale;
}
model {
  alpha ~ normal(0, 50);
  beta ~ normal(0, 10);
  scale ~ normal(0, 10);
  wage ~ double_exponential(alpha + X * beta, scale);
}
