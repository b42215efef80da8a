// Stationary AR(2), given its first two values, by partial autocorrelations (Durbin-Levinson).
//   y_t ~ N(mu + phi_1 (y_[t-1] - mu) + phi_2 (y_[t-2] - mu), sigma),
//   phi_1 = partial_1 (1 - partial_2), phi_2 = partial_2, -1 < partial_k < 1 (uniform),
//   mu ~ N(0, 5), sigma ~ half-N(0, 2)
data {
  int<lower=3> N;
  real y[N];
  int<lower=1> H;  // steps to forecast
}
parameters {
  real mu;
  real<lower=-1, upper=1> partial[2];
  real<lower=0> sigma;
}
transformed parameters {
  real phi[2];
  phi[1] = partial[1] * (1 - partial[2]);
  phi[2] = partial[2];
}
model {
  mu ~ normal(0, 5);
  sigma ~ normal(0, 2);
  for (t in 3:N) {
    y[t] ~ normal(mu + phi[1] * (y[t - 1] - mu) + phi[2] * (y[t - 2] - mu), sigma);
  }
}
generated quantities {
  real y_new[H];
  {
    real last = y[N] - mu;
    real before = y[N - 1] - mu;
    for (h in 1:H) {
      real next = normal_rng(phi[1] * last + phi[2] * before, sigma);
      y_new[h] = mu + next;
      before = last;
      last = next;
    }
  }
}
