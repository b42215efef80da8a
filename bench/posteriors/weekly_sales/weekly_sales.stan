// Weekly sales: a trend and two waves a year, negative binomial.
//   y_t ~ NegBinomial(mean exp(alpha + trend t + waves_t . beta), precision phi),
//   alpha ~ N(0, 5), trend ~ N(0, 1), beta ~ N(0, 1), phi ~ Gamma(2, 0.1)
data {
  int<lower=1> N;
  int<lower=0> y[N];
}
transformed data {
  matrix[N, 4] waves;
  vector[N] year;
  for (t in 1:N) {
    year[t] = t / 52.0;
    for (k in 1:2) {
      waves[t, 2 * k - 1] = sin(2 * pi() * k * year[t]);
      waves[t, 2 * k] = cos(2 * pi() * k * year[t]);
    }
  }
}
parameters {
  real alpha;
  real trend;
  vector[4] beta;
  real<lower=0> phi;
}
model {
  alpha ~ normal(0, 5);
  trend ~ normal(0, 1);
  beta ~ normal(0, 1);
  phi ~ gamma(2, 0.1);
  y ~ neg_binomial_2_log(alpha + trend * year + waves * beta, phi);
}
generated quantities {
  int next_week = neg_binomial_2_log_rng(alpha + trend * (N + 1) / 52.0, phi);
}
