// Daily returns of the S&P 500: stochastic volatility with a mean and Student t noise, the steps of
// the log variance standardized.
//   y_t ~ t_nu(m, exp(h_t / 2)), h_t = mu + phi (h_[t-1] - mu) + sigma z_t,
//   h_1 = mu + sigma z_1 / sqrt(1 - phi^2), z ~ N(0, 1), m ~ N(0, 0.5), mu ~ N(-1, 1),
//   (phi + 1) / 2 ~ Beta(15, 2), sigma ~ half-N(0, 0.5), nu - 2 ~ Gamma(2, 0.2)
data {
  int<lower=2> T;
  vector[T] y;  // percent
}
parameters {
  real m;
  real mu;
  real<lower=-1, upper=1> phi;
  real<lower=0> sigma;
  real<lower=2> nu;
  vector[T] z;
}
model {
  vector[T] h = sigma * z;
  h[1] /= sqrt(1 - square(phi));
  for (t in 2:T) h[t] += phi * h[t - 1];
  m ~ normal(0, 0.5);
  mu ~ normal(-1, 1);
  (phi + 1) / 2 ~ beta(15, 2);
  sigma ~ normal(0, 0.5);
  nu - 2 ~ gamma(2, 0.2);
  z ~ normal(0, 1);
  y ~ student_t(nu, m, exp((mu + h) / 2));
}
