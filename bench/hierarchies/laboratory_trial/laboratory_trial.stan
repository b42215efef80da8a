// Seven specimens measured by six laboratories: crossed effects, specimens centered, laboratories
// and the interaction standardized; noise is a mixture, for some measurements it is wider.
//   y_i ~ (1 - p) N(m_i, sigma) + p N(m_i, 5 sigma), m_i = a[spec_i] + tau_1 z_lab[lab_i]
//   + tau_2 z[spec_i, lab_i], a ~ N(mu, omega), z ~ N(0, 1), mu ~ N(0, 3), omega ~ half-N(0, 3),
//   tau ~ half-N(0, 0.3), sigma ~ half-N(0, 0.3), p ~ Beta(1, 9)
data {
  int<lower=1> N;
  int<lower=1> S;
  int<lower=1> L;
  int<lower=1, upper=S> specimen[N];
  int<lower=1, upper=L> laboratory[N];
  vector[N] y;  // log concentration
}
parameters {
  real mu;
  real<lower=0> omega;
  vector<lower=0>[2] tau;
  real<lower=0> sigma;
  real<lower=0, upper=1> p;
  vector[S] a;
  vector[L] z_lab;
  matrix[S, L] z;
}
model {
  mu ~ normal(0, 3);
  omega ~ normal(0, 3);
  tau ~ normal(0, 0.3);
  sigma ~ normal(0, 0.3);
  p ~ beta(1, 9);
  a ~ normal(mu, omega);
  z_lab ~ normal(0, 1);
  to_vector(z) ~ normal(0, 1);
  for (i in 1:N) {
    real m = a[specimen[i]] + tau[1] * z_lab[laboratory[i]]
             + tau[2] * z[specimen[i], laboratory[i]];
    target += log_mix(p, normal_lpdf(y[i] | m, 5 * sigma), normal_lpdf(y[i] | m, sigma));
  }
}
