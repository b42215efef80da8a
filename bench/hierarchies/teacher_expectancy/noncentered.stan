// The posterior of teacher_expectancy.stan with standardized effects, for NUTS to draw from.
//   y_j ~ N(mu + tau z_j, se_j), z ~ N(0, 1), mu ~ N(0, 1), tau ~ half-N(0, 0.5)
data {
  int<lower=1> J;
  vector[J] y;
  vector<lower=0>[J] se;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] z;
}
model {
  mu ~ normal(0, 1);
  tau ~ normal(0, 0.5);
  z ~ normal(0, 1);
  y ~ normal(mu + tau * z, se);
}
