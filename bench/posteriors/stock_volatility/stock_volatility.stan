// Stochastic volatility of daily returns: the log variance is an AR(1), its steps standardized.
//   y_t ~ N(0, exp(h_t / 2)), h_t = mu + phi (h_[t-1] - mu) + sigma z_t, z_t ~ N(0, 1),
//   h_1 = mu + sigma z_1 / sqrt(1 - phi^2),
//   mu ~ N(0, 2), (phi + 1) / 2 ~ Beta(20, 1.5), sigma ~ half-N(0, 0.5)
data {
  int<lower=2> T;
  vector[T] y;  // percent
}
parameters {
  real mu;
  real<lower=-1, upper=1> phi;
  real<lower=0> sigma;
  vector[T] z;
}
transformed parameters {
  vector[T] h = sigma * z;
  h[1] /= sqrt(1 - square(phi));
  for (t in 2:T) h[t] += phi * h[t - 1];
  h += mu;
}
model {
  mu ~ normal(0, 2);
  (phi + 1) / 2 ~ beta(20, 1.5);
  sigma ~ normal(0, 0.5);
  z ~ normal(0, 1);
  y ~ normal(0, exp(h / 2));
}
