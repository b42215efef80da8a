// Flow of the Nile in 100 years: a random walk seen through noise, centered.
//   flow_t ~ N(level_t, sigma), level_t ~ N(level_[t-1], tau), level_1 ~ N(10, 3),
//   sigma ~ half-N(0, 2), tau ~ half-N(0, 1)
data {
  int<lower=2> T;
  vector[T] flow;  // 10^10 cubic meters
}
parameters {
  real<lower=0> sigma;
  real<lower=0> tau;
  vector[T] level;
}
model {
  sigma ~ normal(0, 2);
  tau ~ normal(0, 1);
  level[1] ~ normal(10, 3);
  level[2:T] ~ normal(level[1:(T - 1)], tau);
  flow ~ normal(level, sigma);
}
