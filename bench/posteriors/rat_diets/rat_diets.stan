// Weights of rats on three diets: an intercept and a slope for each rat, centered on its diet's.
//   weight_i ~ N(a[rat_i] + b[rat_i] (day_i - 36) / 7, sigma),
//   a_j ~ N(mu_a[diet_j], tau_1), b_j ~ N(mu_b[diet_j], tau_2),
//   mu_a ~ N(400, 200), mu_b ~ N(0, 10), tau_1 ~ half-N(0, 50), tau_2 ~ half-N(0, 5),
//   sigma ~ half-N(0, 10)
data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=1> D;
  int<lower=1, upper=J> rat[N];
  int<lower=1, upper=D> diet[J];
  vector[N] day;
  vector[N] weight;  // grams
}
transformed data {
  vector[N] week = (day - 36) / 7;
}
parameters {
  vector[D] mu_a;
  vector[D] mu_b;
  vector<lower=0>[2] tau;
  vector[J] a;
  vector[J] b;
  real<lower=0> sigma;
}
model {
  mu_a ~ normal(400, 200);
  mu_b ~ normal(0, 10);
  tau[1] ~ normal(0, 50);
  tau[2] ~ normal(0, 5);
  a ~ normal(mu_a[diet], tau[1]);
  b ~ normal(mu_b[diet], tau[2]);
  sigma ~ normal(0, 10);
  weight ~ normal(a[rat] + b[rat] .* week, sigma);
}
