// Mixture of two Gaussians, told apart by the order of their means.
//   y_i ~ weight N(mu_1, sigma_1) + (1 - weight) N(mu_2, sigma_2), mu_1 < mu_2,
//   mu ~ N(0, 5), sigma ~ logN(0, 0.5), weight ~ Beta(2, 2)
data {
  int<lower=1> N;
  array[N] real y;
}
parameters {
  ordered[2] mu;
  vector<lower=0>[2] sigma;
  real<lower=0, upper=1> weight;
}
model {
  mu ~ normal(0, 5);
  sigma ~ lognormal(0, 0.5);
  weight ~ beta(2, 2);
  for (i in 1:N) {
    target += log_mix(weight, normal_lpdf(y[i] | mu[1], sigma[1]),
                      normal_lpdf(y[i] | mu[2], sigma[2]));
  }
}
generated quantities {
  // Probability that y_i is from the first component.
  array[N] real<lower=0, upper=1> first;
  for (i in 1:N) {
    array[2] real log_part = {log(weight) + normal_lpdf(y[i] | mu[1], sigma[1]),
                              log1m(weight) + normal_lpdf(y[i] | mu[2], sigma[2])};
    first[i] = exp(log_part[1] - log_sum_exp(log_part));
  }
}
