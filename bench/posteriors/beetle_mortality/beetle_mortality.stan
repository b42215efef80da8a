// Complementary log-log regression of beetles killed on the logarithm of the dose.
//   killed_i ~ Binomial(n_i, p_i), p_i = 1 - exp(-exp(alpha + beta log_dose_i)),
//   alpha, beta ~ N(0, 100)
data {
  int<lower=1> D;
  vector[D] log_dose;
  int<lower=0> n[D];
  int<lower=0> killed[D];
}
transformed data {
  vector[D] dead = to_vector(killed);
  vector[D] alive = to_vector(n) - dead;
}
parameters {
  real alpha;
  real beta;
}
model {
  vector[D] hazard = exp(alpha + beta * log_dose);
  alpha ~ normal(0, 100);
  beta ~ normal(0, 100);
  // The log likelihood, with log(1 - p) = -hazard where p itself would round to one.
  target += dot_product(dead, log1m_exp(-hazard)) - dot_product(alive, hazard);
}
