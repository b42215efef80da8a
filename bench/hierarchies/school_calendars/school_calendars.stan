// Effects of modified school calendars, 56 studies in 11 districts: a meta-analysis of three
// levels, standardized.
//   y_i ~ N(mu + tau_1 z_district[d_i] + tau_2 z_study[i], se_i), z ~ N(0, 1), mu ~ N(0, 1),
//   tau ~ half-N(0, 0.5)
data {
  int<lower=1> N;
  int<lower=1> D;
  int<lower=1, upper=D> district[N];
  vector[N] y;
  vector<lower=0>[N] se;
}
parameters {
  real mu;
  vector<lower=0>[2] tau;
  vector[D] z_district;
  vector[N] z_study;
}
model {
  mu ~ normal(0, 1);
  tau ~ normal(0, 0.5);
  z_district ~ normal(0, 1);
  z_study ~ normal(0, 1);
  y ~ normal(mu + tau[1] * z_district[district] + tau[2] * z_study, se);
}
