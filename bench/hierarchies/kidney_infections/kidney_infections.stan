// Times to infection of kidney patients, two each, some censored: Weibull, log-normal frailty.
//   t_i ~ Weibull(shape, exp(alpha + beta_1 female_i + beta_2 age_i + tau z[patient_i])),
//   z ~ N(0, 1), alpha ~ N(5, 2), beta ~ N(0, 1), tau ~ half-N(0, 1), shape ~ LogNormal(0, 0.5)
data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=1, upper=J> patient[N];
  int<lower=0, upper=1> infected[N];
  vector[N] female;
  vector[N] age;  // decades, less its mean
  vector<lower=0>[N] t;  // days
}
parameters {
  real alpha;
  vector[2] beta;
  real<lower=0> tau;
  real<lower=0> shape;
  vector[J] z;
}
model {
  vector[N] scale = exp(alpha + beta[1] * female + beta[2] * age + tau * z[patient]);
  alpha ~ normal(5, 2);
  beta ~ normal(0, 1);
  tau ~ normal(0, 1);
  shape ~ lognormal(0, 0.5);
  z ~ normal(0, 1);
  for (i in 1:N) {
    if (infected[i]) target += weibull_lpdf(t[i] | shape, scale[i]);
    else target += weibull_lccdf(t[i] | shape, scale[i]);
  }
}
