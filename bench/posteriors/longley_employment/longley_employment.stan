// Linear regression of employment on six economic series as they come, which rise together.
//   employed_i ~ N(alpha + X_i beta, sigma), all priors flat
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;  // price index, national product, unemployed, armed forces, people, year
  vector[N] employed;  // millions
}
parameters {
  real alpha;
  vector[P] beta;
  real<lower=0> sigma;
}
model {
  employed ~ normal(alpha + X * beta, sigma);
}
