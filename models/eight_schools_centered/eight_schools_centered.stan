// Eight schools, centered: the effect of coaching in J schools that share a normal distribution.
//   y_j ~ N(theta_j, sigma_j), theta_j ~ N(mu, tau), mu ~ N(0, 5), tau ~ half-Cauchy(0, 5)
data {
  int<lower=1> J;
  real y[J];  // estimated effect
  real<lower=0> sigma[J];  // its standard error, taken as known
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] theta;
}
model {
  mu ~ normal(0, 5);
  tau ~ cauchy(0, 5);
  theta ~ normal(mu, tau);
  y ~ normal(theta, sigma);
}
