// Follicles of 11 mares over their cycle: a wave, varying levels and amplitudes, AR(1) errors.
//   y_i = a[m_i] + b[m_i] sin(2 pi t_i) + beta cos(2 pi t_i) + e_i, e_i ~ N(phi e_[i-1], sigma)
//   within a mare, the first e_i ~ N(0, sigma / sqrt(1 - phi^2)), a = mu_1 + tau_1 z_1,
//   b = mu_2 + tau_2 z_2, z ~ N(0, 1), mu_1 ~ N(12, 5), mu_2, beta ~ N(0, 5),
//   tau ~ half-N(0, 3), phi ~ Uniform(-1, 1), sigma ~ half-N(0, 5)
data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=1, upper=J> mare[N];  // those of a mare are adjacent
  vector[N] t;
  vector[N] y;
}
transformed data {
  vector[N] sine = sin(2 * pi() * t);
  vector[N] cosine = cos(2 * pi() * t);
  vector[N] inner;
  inner[1] = 0;
  for (i in 2:N) inner[i] = mare[i] == mare[i - 1];
}
parameters {
  vector[2] mu;
  real beta;
  vector<lower=0>[2] tau;
  vector[J] z_level;
  vector[J] z_wave;
  real<lower=-1, upper=1> phi;
  real<lower=0> sigma;
}
model {
  vector[J] a = mu[1] + tau[1] * z_level;
  vector[J] b = mu[2] + tau[2] * z_wave;
  vector[N] e = y - a[mare] - b[mare] .* sine - beta * cosine;
  vector[N] scale = rep_vector(sigma / sqrt(1 - square(phi)), N);
  vector[N] before = rep_vector(0, N);
  for (i in 2:N) {
    if (inner[i] > 0) {
      before[i] = phi * e[i - 1];
      scale[i] = sigma;
    }
  }
  mu[1] ~ normal(12, 5);
  mu[2] ~ normal(0, 5);
  beta ~ normal(0, 5);
  tau ~ normal(0, 3);
  z_level ~ normal(0, 1);
  z_wave ~ normal(0, 1);
  sigma ~ normal(0, 5);
  target += normal_lpdf(e | before, scale);
}
