// Two sensors at each of J sites, one of them biased; levels of the sites centered, informative data.
//   x_jk ~ N(level_j, s_x), y_jk ~ N(bias + gain level_j, s_y), level_j ~ N(mu, tau)
data {
  int<lower=1> J;
  int<lower=1> K;
  matrix[J, K] x;
  matrix[J, K] y;
}
parameters {
  vector[J] level;
  real mu;
  real<lower=0> tau;
  real bias;
  real<lower=0> gain;
  real<lower=0> s_x;
  real<lower=0> s_y;
}
model {
  mu ~ normal(20, 20);
  tau ~ normal(0, 10);
  bias ~ normal(0, 5);
  gain ~ lognormal(0, 0.5);
  s_x ~ normal(0, 3);
  s_y ~ normal(0, 3);
  level ~ normal(mu, tau);
  for (j in 1:J) {
    x[j] ~ normal(level[j], s_x);
    y[j] ~ normal(bias + gain * level[j], s_y);
  }
}
