// New cases of pleuropneumonia in herds of cattle, in four periods: binomial, herds centered.
//   cases_i ~ Binomial(size_i, inv_logit(a[herd_i] + beta[period_i])), beta_1 = 0,
//   a_h ~ N(mu, tau), mu ~ N(0, 2), beta ~ N(0, 2), tau ~ half-N(0, 1)
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
  vector[3] beta;  // of the periods 2 to 4
  real<lower=0> tau;
  vector[H] a;
}
model {
  vector[4] effect = append_row(0, beta);
  mu ~ normal(0, 2);
  beta ~ normal(0, 2);
  tau ~ normal(0, 1);
  a ~ normal(mu, tau);
  cases ~ binomial_logit(animals, a[herd] + effect[period]);
}
