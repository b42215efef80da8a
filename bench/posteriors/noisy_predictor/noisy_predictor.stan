// A regression whose predictor is measured with error: the true values are parameters.
//   x_i ~ N(truth_i, 0.5), truth_i ~ N(mu, tau), y_i ~ N(alpha + beta truth_i, sigma),
//   alpha, beta, mu ~ N(0, 5), tau, sigma ~ half-N(0, 2)
data {
  int<lower=1> N;
  vector[N] x;
  vector[N] y;
}
parameters {
  real alpha;
  real beta;
  real mu;
  real<lower=0> tau;
  real<lower=0> sigma;
  vector[N] truth;
}
model {
  alpha ~ normal(0, 5);
  beta ~ normal(0, 5);
  mu ~ normal(0, 5);
  tau ~ normal(0, 2);
  sigma ~ normal(0, 2);
  truth ~ normal(mu, tau);
  x ~ normal(truth, 0.5);
  y ~ normal(alpha + beta * truth, sigma);
}
