// Vaccination against tuberculosis in 13 trials: the effect depends on the risk without vaccine,
// which is measured with error. Risks are centered, effects standardized.
//   c_j ~ Binomial(n_2j, inv_logit(risk_j)), v_j ~ Binomial(n_1j, inv_logit(risk_j + delta
//   + beta (risk_j + 4) + tau z_j)), risk_j ~ N(mu, omega), z ~ N(0, 1), mu ~ N(-4, 2),
//   omega ~ half-N(0, 2), delta, beta ~ N(0, 1), tau ~ half-N(0, 1)
data {
  int<lower=1> J;
  int<lower=1> n_vaccine[J];
  int<lower=0> cases_vaccine[J];
  int<lower=1> n_control[J];
  int<lower=0> cases_control[J];
}
parameters {
  real mu;
  real<lower=0> omega;
  real delta;
  real beta;
  real<lower=0> tau;
  vector[J] risk;
  vector[J] z;
}
model {
  mu ~ normal(-4, 2);
  omega ~ normal(0, 2);
  delta ~ normal(0, 1);
  beta ~ normal(0, 1);
  tau ~ normal(0, 1);
  risk ~ normal(mu, omega);
  z ~ normal(0, 1);
  cases_control ~ binomial_logit(n_control, risk);
  cases_vaccine ~ binomial_logit(n_vaccine, risk + delta + beta * (risk + 4) + tau * z);
}
