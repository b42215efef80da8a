// The posterior of cattle_pneumonia.stan with standardized herds, for NUTS to draw from.
//   cases_i ~ Binomial(animals_i, inv_logit(mu + tau z[herd_i] + beta[period_i])), beta_1 = 0,
//   z_h ~ N(0, 1), mu ~ N(0, 2), beta ~ N(0, 2), tau ~ half-N(0, 1)
data {
  int<lower=1> N;
  int<lower=1> H;
  int<lower=1, upper=H> herd[N];
  int<lower=1, upper=4> period[N];
  int<lower=0> animals[N];
  int<lower=0> cases[N];
}
parameters {
  real mu;
  vector[3] beta;
  real<lower=0> tau;
  vector[H] z;
}
model {
  vector[4] effect = append_row(0, beta);
  mu ~ normal(0, 2);
  beta ~ normal(0, 2);
  tau ~ normal(0, 1);
  z ~ normal(0, 1);
  cases ~ binomial_logit(animals, mu + tau * z[herd] + effect[period]);
}
