// Eruptions of a geyser and the times to the next: a mixture of two bivariate Gaussians.
//   (eruption_i, waiting_i) ~ share N(m_1, S_1) + (1 - share) N(m_2, S_2),
//   m_k = (length_k, wait_k), S_k has the sds (s_k, t_k) and the correlation r_k,
//   length ~ N(3, 2), wait ~ N(70, 30), s ~ half-N(0, 1), t ~ half-N(0, 15), r ~ U(-1, 1),
//   share ~ U(0, 1), length_1 < length_2
functions {
  vector log_density(vector x, vector y, real s, real t, real r) {
    vector[num_elements(x)] q = square(x / s) + square(y / t) - 2 * r * (x / s) .* (y / t);
    return -log(s) - log(t) - 0.5 * log1m(square(r)) - 0.5 * q / (1 - square(r));
  }
}
data {
  int<lower=1> N;
  vector[N] eruption;  // minutes
  vector[N] waiting;
}
parameters {
  real<lower=0, upper=1> share;
  ordered[2] length;
  vector[2] wait;
  vector<lower=0>[2] s;
  vector<lower=0>[2] t;
  vector<lower=-1, upper=1>[2] r;
}
model {
  vector[N] d[2];
  for (k in 1:2) d[k] = log_density(eruption - length[k], waiting - wait[k], s[k], t[k], r[k]);
  length ~ normal(3, 2);
  wait ~ normal(70, 30);
  s ~ normal(0, 1);
  t ~ normal(0, 15);
  for (i in 1:N) target += log_mix(share, d[1][i], d[2][i]);
}
