// Ratings of wines by judges: crossed random effects, standardized.
//   y_i ~ N(mu + s_1 u[judge_i] + s_2 v[wine_i], sigma), u, v ~ N(0, 1),
//   mu ~ N(80, 10), s, sigma ~ half-N(0, 5)
data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=1> W;
  int<lower=1, upper=J> judge[N];
  int<lower=1, upper=W> wine[N];
  vector[N] y;
}
parameters {
  real mu;
  vector<lower=0>[2] s;
  vector[J] u;
  vector[W] v;
  real<lower=0> sigma;
}
transformed parameters {
  vector[W] quality = mu + s[2] * v;
}
model {
  mu ~ normal(80, 10);
  s ~ normal(0, 5);
  u ~ normal(0, 1);
  v ~ normal(0, 1);
  sigma ~ normal(0, 5);
  y ~ normal(quality[wine] + s[1] * u[judge], sigma);
}
