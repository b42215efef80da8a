// Serious infections of patients with chronic granulomatous disease at 13 centers, most have none:
// zero-inflated Poisson, the rate and the share of zeros differ among centers, standardized.
//   y_i = 0 with probability q_i, else y_i ~ Poisson(years_i exp(alpha + beta_1 treated_i
//   + beta_2 age_i + tau_1 u[c_i])), q_i = inv_logit(gamma + tau_2 v[c_i]), u, v ~ N(0, 1),
//   alpha, beta ~ N(0, 1), gamma ~ N(-1, 1), tau ~ half-N(0, 0.7)
data {
  int<lower=1> N;
  int<lower=1> C;
  int<lower=1, upper=C> center[N];
  vector<lower=0>[N] years;
  vector[N] treated;
  vector[N] age;  // decades, less its mean
  int<lower=0> y[N];
}
transformed data {
  vector[N] log_years = log(years);
}
parameters {
  real alpha;
  vector[2] beta;
  real gamma;
  vector<lower=0>[2] tau;
  vector[C] u;
  vector[C] v;
}
model {
  vector[N] rate = log_years + alpha + beta[1] * treated + beta[2] * age + tau[1] * u[center];
  vector[C] zero = gamma + tau[2] * v;
  alpha ~ normal(0, 1);
  beta ~ normal(0, 1);
  gamma ~ normal(-1, 1);
  tau ~ normal(0, 0.7);
  u ~ normal(0, 1);
  v ~ normal(0, 1);
  for (i in 1:N) {
    real q = zero[center[i]];
    if (y[i] == 0) target += log_sum_exp(q, -exp(rate[i])) - log1p_exp(q);
    else target += poisson_log_lpmf(y[i] | rate[i]) - log1p_exp(q);
  }
}
