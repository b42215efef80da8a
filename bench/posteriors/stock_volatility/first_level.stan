// The posterior of stock_volatility.stan for NUTS to draw from: the first log variance, which the
// data tell of, is a parameter in place of mu, and mu given it is standardized.
//   h_1 ~ N(0, sqrt(4 + s^2)), s = sigma / sqrt(1 - phi^2),
//   mu = (4 h_1 + 2 s sqrt(4 + s^2) z_1) / (4 + s^2), z_t ~ N(0, 1), all else as there
data {
  int<lower=2> T;
  vector[T] y;
}
parameters {
  real first;
  real<lower=-1, upper=1> phi;
  real<lower=0> sigma;
  vector[T] z;
}
model {
  real s2 = square(sigma) / (1 - square(phi));
  real mu = (4 * first + 2 * sqrt(s2 * (4 + s2)) * z[1]) / (4 + s2);
  vector[T] h = sigma * z;
  h[1] = first - mu;
  for (t in 2:T) h[t] += phi * h[t - 1];
  first ~ normal(0, sqrt(4 + s2));
  (phi + 1) / 2 ~ beta(20, 1.5);
  sigma ~ normal(0, 0.5);
  z ~ normal(0, 1);
  y ~ normal(0, exp((h + mu) / 2));
}
