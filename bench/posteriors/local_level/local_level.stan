// A random walk seen through noise, its steps standardized.
//   y_t ~ N(level_t, sigma), level_t = level_[t-1] + tau z_t, z_t ~ N(0, 1),
//   level_1 ~ N(100, 20), tau ~ half-N(0, 5), sigma ~ logN(1, 0.5)
data {
  int<lower=2> T;
  vector[T] y;
}
parameters {
  real first;
  vector[T - 1] z;
  real<lower=0> tau;
  real<lower=0> sigma;
}
transformed parameters {
  vector[T] level = first + tau * cumulative_sum(append_row(0, z));
}
model {
  first ~ normal(100, 20);
  z ~ normal(0, 1);
  tau ~ normal(0, 5);
  sigma ~ lognormal(1, 0.5);
  y ~ normal(level, sigma);
}
