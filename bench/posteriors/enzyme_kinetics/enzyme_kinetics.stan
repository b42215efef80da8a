// Michaelis-Menten kinetics: the rate of a reaction saturates with the concentration.
//   rate_i ~ N(v c_i / (k + c_i), sigma),
//   v ~ half-N(0, 500), k ~ half-N(0, 1), sigma ~ half-Cauchy(0, 20)
data {
  int<lower=1> N;
  vector<lower=0>[N] c;  // parts per million
  vector[N] rate;  // counts per minute per minute
}
parameters {
  real<lower=0> v;  // rate at saturation
  real<lower=0> k;  // concentration at half of it
  real<lower=0> sigma;
}
model {
  v ~ normal(0, 500);
  k ~ normal(0, 1);
  sigma ~ cauchy(0, 20);
  rate ~ normal(v * c ./ (k + c), sigma);
}
