// Directions scattered around a mean direction on the sphere (von Mises-Fisher).
//   p(y_i) = kappa / (4 pi sinh kappa) exp(kappa mu' y_i), |mu| = 1 (uniform), kappa ~ logN(2, 1)
data {
  int<lower=1> N;
  vector[3] y[N];
}
transformed data {
  vector[3] total = rep_vector(0, 3);
  for (i in 1:N) total += y[i];
}
parameters {
  unit_vector[3] mu;
  real<lower=0> kappa;
}
model {
  kappa ~ lognormal(2, 1);
  // log(2 sinh kappa) = kappa + log(1 - exp(-2 kappa))
  target += N * (log(kappa) - kappa - log1m_exp(-2 * kappa)) + kappa * dot_product(mu, total);
}
generated quantities {
  real latitude = asin(mu[3]);
  real longitude = atan2(mu[2], mu[1]);
  real mean_cosine = 1 / tanh(kappa) - 1 / kappa;  // of the angle between y and mu
}
