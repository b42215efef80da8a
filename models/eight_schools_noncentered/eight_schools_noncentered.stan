// Eight schools, non-centered: the same posterior as the centered program without its funnel.
//   y_j ~ N(theta_j, sigma_j), theta_j = mu + tau theta_tilde_j, theta_tilde_j ~ N(0, 1),
//   mu ~ N(0, 5), tau ~ half-Cauchy(0, 5)
data {
  int<lower=1> J;
  array[J] real y;  // estimated effect
  array[J] real<lower=0> sigma;  // its standard error, taken as known
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] theta_tilde;
}
transformed parameters {
  vector[J] theta = mu + tau * theta_tilde;
}
model {
  mu ~ normal(0, 5);
  tau ~ cauchy(0, 5);
  theta_tilde ~ normal(0, 1);
  y ~ normal(theta, sigma);
}
