// Counts of visitors by quarter: a log rate that drifts and wanders, centered, and seasons.
//   y_t ~ Poisson(exp(level_t + season[quarter_t])), level_t ~ N(level_[t-1] + drift, tau),
//   season_1 = 0, the others ~ N(0, 1), level_1 ~ N(5, 2), drift ~ N(0, 0.2), tau ~ half-N(0, 0.3)
data {
  int<lower=2> T;
  int<lower=1, upper=4> quarter[T];
  int<lower=0> y[T];
}
parameters {
  vector[T] level;
  real drift;
  vector[3] season;
  real<lower=0> tau;
}
model {
  level[1] ~ normal(5, 2);
  drift ~ normal(0, 0.2);
  season ~ normal(0, 1);
  tau ~ normal(0, 0.3);
  level[2:T] ~ normal(level[1:(T - 1)] + drift, tau);
  y ~ poisson_log(level + append_row(0, season)[quarter]);
}
