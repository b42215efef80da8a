// Rents of flats: log-normal, an intercept and a slope for each district, centered.
//   rent_i ~ LogNormal(a[d_i] + b[d_i] area_i, sigma), a_d ~ N(mu_a, tau_a), b_d ~ N(mu_b, tau_b),
//   mu_a ~ N(6, 2), mu_b ~ N(0, 1), tau_a, sigma ~ half-N(0, 1), tau_b ~ half-N(0, 0.5)
data {
  int<lower=1> N;
  int<lower=1> D;
  int<lower=1, upper=D> district[N];
  vector[N] area;  // tens of square meters above 70
  vector<lower=0>[N] rent;
}
parameters {
  vector[D] a;
  vector[D] b;
  real mu_a;
  real mu_b;
  real<lower=0> tau_a;
  real<lower=0> tau_b;
  real<lower=0> sigma;
}
model {
  mu_a ~ normal(6, 2);
  mu_b ~ normal(0, 1);
  tau_a ~ normal(0, 1);
  tau_b ~ normal(0, 0.5);
  sigma ~ normal(0, 1);
  a ~ normal(mu_a, tau_a);
  b ~ normal(mu_b, tau_b);
  rent ~ lognormal(a[district] + b[district] .* area, sigma);
}
