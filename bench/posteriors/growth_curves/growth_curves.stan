// Straight growth curves of J animals, intercepts and slopes centered around those of all.
//   weight_jt ~ N(a_j + b_j age_t, sigma), a_j ~ N(mu_a, tau_a), b_j ~ N(mu_b, tau_b),
//   mu_a ~ N(0, 500), mu_b ~ N(0, 50), tau_a, sigma ~ half-Cauchy(0, 25), tau_b ~ half-Cauchy(0, 5)
data {
  int<lower=1> J;
  int<lower=1> T;
  row_vector[T] age;  // days since the mean of the ages
  matrix[J, T] weight;  // grams
}
parameters {
  vector[J] a;
  vector[J] b;
  real mu_a;
  real mu_b;
  real<lower=0> tau_a;
  real<lower=0> tau_b;
  real<lower=0> sigma;
}
model {
  mu_a ~ normal(0, 500);
  mu_b ~ normal(0, 50);
  tau_a ~ cauchy(0, 25);
  tau_b ~ cauchy(0, 5);
  sigma ~ cauchy(0, 25);
  a ~ normal(mu_a, tau_a);
  b ~ normal(mu_b, tau_b);
  to_vector(weight) ~ normal(to_vector(rep_matrix(a, T) + b * age), sigma);
}
