// A drug that leaves the blood in two phases: sum of exponentials, standardized levels of persons.
//   log(concentration_i) ~ N(log(A_1 exp(-k_1 hour_i) + A_2 exp(-k_2 hour_i)) + tau z[person_i],
//   sigma), k_1 < k_2, A ~ logN(0, 1), k ~ logN(0, 1.5), z ~ N(0, 1), tau, sigma ~ half-N(0, 0.5)
data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=1, upper=J> person[N];
  vector<lower=0>[N] hour;
  vector<lower=0>[N] concentration;  // micrograms per milliliter
}
parameters {
  vector<lower=0>[2] A;
  positive_ordered[2] k;
  real<lower=0> tau;
  real<lower=0> sigma;
  vector[J] z;
}
model {
  vector[N] level = log(A[1] * exp(-k[1] * hour) + A[2] * exp(-k[2] * hour));
  A ~ lognormal(0, 1);
  k ~ lognormal(0, 1.5);
  tau ~ normal(0, 0.5);
  sigma ~ normal(0, 0.5);
  z ~ normal(0, 1);
  concentration ~ lognormal(level + tau * z[person], sigma);
}
