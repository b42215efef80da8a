// Students by color of hair, color of eyes and sex: log-linear, with all pairs of interactions.
//   y_c ~ Poisson(exp(alpha + X_c beta)), alpha ~ N(0, 10), beta ~ N(0, 2)
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;  // contrasts with black-haired, brown-eyed men, and their products
  int<lower=0> y[N];
}
parameters {
  real alpha;
  vector[P] beta;
}
model {
  alpha ~ normal(0, 10);
  beta ~ normal(0, 2);
  y ~ poisson_log(alpha + X * beta);
}
