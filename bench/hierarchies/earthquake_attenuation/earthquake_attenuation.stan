// Peak acceleration at 182 stations in 23 earthquakes: nonlinear regression on magnitude and
// distance, effects of the earthquakes standardized.
//   log a_i ~ N(alpha + beta (m_i - 6) - log(r_i) - gamma r_i + tau z[q_i], sigma),
//   r_i = sqrt(d_i^2 + h^2), z ~ N(0, 1), alpha ~ N(0, 3), beta ~ N(0, 1), gamma ~ half-N(0, 0.02),
//   h ~ LogNormal(2, 0.5), tau, sigma ~ half-N(0, 1)
data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=1, upper=J> quake[N];
  vector[N] magnitude;
  vector<lower=0>[N] away;  // kilometers
  vector<lower=0>[N] acceleration;  // g
}
transformed data {
  vector[N] log_a = log(acceleration);
}
parameters {
  real alpha;
  real beta;
  real<lower=0> gamma;
  real<lower=0> h;
  real<lower=0> tau;
  real<lower=0> sigma;
  vector[J] z;
}
model {
  vector[N] r = sqrt(square(away) + square(h));
  alpha ~ normal(0, 3);
  beta ~ normal(0, 1);
  gamma ~ normal(0, 0.02);
  h ~ lognormal(2, 0.5);
  tau ~ normal(0, 1);
  sigma ~ normal(0, 1);
  z ~ normal(0, 1);
  log_a ~ normal(alpha + beta * (magnitude - 6) - log(r) - gamma * r + tau * z[quake], sigma);
}
