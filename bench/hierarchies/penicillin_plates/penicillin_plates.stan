// Zones of inhibition by six samples of penicillin on 24 plates: crossed effects, both centered.
//   diameter_i ~ N(plate[p_i] + sample[s_i], sigma), plate_p ~ N(mu, tau_1), sample_s ~ N(0, tau_2),
//   mu ~ N(23, 5), tau ~ half-N(0, 3), sigma ~ half-N(0, 2)
data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=1> K;
  int<lower=1, upper=J> plate[N];
  int<lower=1, upper=K> penicillin[N];
  vector[N] diameter;  // millimeters
}
parameters {
  real mu;
  vector<lower=0>[2] tau;
  real<lower=0> sigma;
  vector[J] a;  // of plates
  vector[K] b;  // of samples
}
model {
  mu ~ normal(23, 5);
  tau ~ normal(0, 3);
  sigma ~ normal(0, 2);
  a ~ normal(mu, tau[1]);
  b ~ normal(0, tau[2]);
  diameter ~ normal(a[plate] + b[penicillin], sigma);
}
