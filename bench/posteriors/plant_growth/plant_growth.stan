// Gompertz growth: the height of a plant by its age, noise in proportion.
//   log h_i ~ N(log(top) - delay exp(-rate age_i), sigma),
//   top ~ LogNormal(5, 1), delay ~ LogNormal(1, 1), rate ~ LogNormal(-3, 1), sigma ~ half-N(0, 0.5)
data {
  int<lower=1> N;
  vector<lower=0>[N] age;     // days
  vector<lower=0>[N] height;  // centimeters
}
parameters {
  real<lower=0> top;
  real<lower=0> delay;
  real<lower=0> rate;
  real<lower=0> sigma;
}
model {
  top ~ lognormal(5, 1);
  delay ~ lognormal(1, 1);
  rate ~ lognormal(-3, 1);
  sigma ~ normal(0, 0.5);
  height ~ lognormal(log(top) - delay * exp(-rate * age), sigma);
}
