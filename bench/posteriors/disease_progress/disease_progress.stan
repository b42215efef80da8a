// Linear regression on fifteen correlated columns, most without effect: Laplace priors.
//   y_i ~ N(alpha + X_i beta, sigma), beta_p ~ Laplace(0, tau),
//   alpha ~ N(150, 50), tau ~ half-N(0, 20), sigma ~ half-N(0, 100)
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;
  vector[N] y;
}
parameters {
  real alpha;
  vector[P] beta;
  real<lower=0> tau;
  real<lower=0> sigma;
}
model {
  alpha ~ normal(150, 50);
  beta ~ double_exponential(0, tau);
  tau ~ normal(0, 20);
  sigma ~ normal(0, 100);
  y ~ normal(alpha + X * beta, sigma);
}
