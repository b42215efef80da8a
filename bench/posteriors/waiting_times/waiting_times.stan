// Mixture of a small and a large Gaussian component, in minutes.
//   y_i ~ w N(mu_1, sigma_1) + (1 - w) N(mu_2, sigma_2), mu_1 < mu_2,
//   w ~ Beta(2, 2), mu ~ N(60, 30), sigma ~ half-N(0, 10)
data {
  int<lower=1> N;
  vector[N] y;
}
parameters {
  real<lower=0, upper=1> w;
  ordered[2] mu;
  vector<lower=0>[2] sigma;
}
model {
  w ~ beta(2, 2);
  mu ~ normal(60, 30);
  sigma ~ normal(0, 10);
  for (i in 1:N) {
    target += log_mix(w, normal_lpdf(y[i] | mu[1], sigma[1]), normal_lpdf(y[i] | mu[2], sigma[2]));
  }
}
