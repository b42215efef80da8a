// Oxide layers of semiconductors: sites on wafers in lots from two sources, lots and wafers centered.
//   thickness_i ~ N(wafer[w_i], sigma), wafer_w ~ N(lot[l_w], tau_2), lot_l ~ N(mu[source_l], tau_1),
//   mu ~ N(2000, 50), tau ~ half-N(0, 20), sigma ~ half-N(0, 10)
data {
  int<lower=1> N;
  int<lower=1> L;
  int<lower=1> W;
  int<lower=1, upper=2> source[L];
  int<lower=1, upper=L> lot_of[W];
  int<lower=1, upper=W> wafer_of[N];
  vector[N] thickness;
}
parameters {
  vector[2] mu;
  vector<lower=0>[2] tau;
  real<lower=0> sigma;
  vector[L] lot;
  vector[W] wafer;
}
model {
  mu ~ normal(2000, 50);
  tau ~ normal(0, 20);
  sigma ~ normal(0, 10);
  lot ~ normal(mu[source], tau[1]);
  wafer ~ normal(lot[lot_of], tau[2]);
  thickness ~ normal(wafer[wafer_of], sigma);
}
