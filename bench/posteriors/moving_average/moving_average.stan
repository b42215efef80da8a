// ARMA(1,1), the error before the first one taken as zero.
//   y_t = mu + phi (y_[t-1] - mu) + theta e_[t-1] + e_t, e_t ~ N(0, sigma), e_0 = 0, y_0 = mu,
//   mu ~ N(0, 10), phi, theta ~ U(-1, 1), sigma ~ half-Cauchy(0, 2.5)
data {
  int<lower=1> T;
  vector[T] y;
}
parameters {
  real mu;
  real<lower=-1, upper=1> phi;
  real<lower=-1, upper=1> theta;
  real<lower=0> sigma;
}
model {
  vector[T] e;
  e[1] = y[1] - mu;
  for (t in 2:T) e[t] = y[t] - mu - phi * (y[t - 1] - mu) - theta * e[t - 1];
  mu ~ normal(0, 10);
  sigma ~ cauchy(0, 2.5);
  e ~ normal(0, sigma);
}
