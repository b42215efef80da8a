// A drug taken once by mouth, one compartment, in closed form; standardized effects of the persons.
//   concentration_i ~ N(dose ka / (v (ka - ke)) (exp(-ke hour_i) - exp(-ka hour_i)), sigma),
//   ke = cl / v, log (ka, cl, v)[person] = mu + tau z[person], z ~ N(0, 1),
//   mu ~ N((0, -3, -1), 1), tau ~ half-N(0, 0.5), sigma ~ half-N(0, 2)
data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=1, upper=J> person[N];
  vector<lower=0>[N] hour;
  vector<lower=0>[J] dose;  // milligrams per kilogram
  vector<lower=0>[N] concentration;  // milligrams per liter
}
parameters {
  vector[3] mu;
  vector<lower=0>[3] tau;
  vector[J] z_ka;
  vector[J] z_cl;
  vector[J] z_v;
  real<lower=0> sigma;
}
model {
  vector[J] ka = exp(mu[1] + tau[1] * z_ka);
  vector[J] v = exp(mu[3] + tau[3] * z_v);
  vector[J] ke = exp(mu[2] + tau[2] * z_cl) ./ v;
  vector[J] height = dose .* ka ./ (v .* (ka - ke));
  mu ~ normal([0, -3, -1]', 1);
  tau ~ normal(0, 0.5);
  z_ka ~ normal(0, 1);
  z_cl ~ normal(0, 1);
  z_v ~ normal(0, 1);
  sigma ~ normal(0, 2);
  concentration ~ normal(height[person] .* (exp(-ke[person] .* hour) - exp(-ka[person] .* hour)),
                         sigma);
}
