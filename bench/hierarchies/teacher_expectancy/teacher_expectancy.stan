// Effects of what teachers expect of pupils, 19 studies: a meta-analysis, centered.
//   y_j ~ N(theta_j, se_j), theta_j ~ N(mu, tau), mu ~ N(0, 1), tau ~ half-N(0, 0.5)
data {
  int<lower=1> J;
  vector[J] y;
  vector<lower=0>[J] se;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] theta;
}
model {
  mu ~ normal(0, 1);
  tau ~ normal(0, 0.5);
  theta ~ normal(mu, tau);
  y ~ normal(theta, se);
}
