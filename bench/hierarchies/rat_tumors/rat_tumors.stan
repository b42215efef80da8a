// Tumors of rats in 71 groups: binomial, the probabilities from a beta distribution, centered.
//   y_j ~ Binomial(n_j, theta_j), theta_j ~ Beta(m k, (1 - m) k), m ~ Uniform(0, 1),
//   log k ~ N(2, 1.5)
data {
  int<lower=1> J;
  int<lower=1> n[J];
  int<lower=0> y[J];
}
parameters {
  real<lower=0, upper=1> m;
  real<lower=0> k;
  vector<lower=0, upper=1>[J] theta;
}
model {
  k ~ lognormal(2, 1.5);
  theta ~ beta(m * k, (1 - m) * k);
  y ~ binomial(n, theta);
}
