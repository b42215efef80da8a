// Deaths after magnesium or a placebo in 16 trials: the logit of the placebo group and the effect
// are correlated among trials, standardized.
//   c_j ~ Binomial(n_2j, inv_logit(mu_1 + u_1j)), a_j ~ Binomial(n_1j, inv_logit(mu_1 + u_1j + mu_2
//   + u_2j)), u_j = diag(tau) L z_j, z ~ N(0, 1), L L' ~ LKJ(2), mu ~ N((-2, 0), (2, 1)),
//   tau ~ half-N(0, 1)
data {
  int<lower=1> J;
  int<lower=1> n_magnesium[J];
  int<lower=0> deaths_magnesium[J];
  int<lower=1> n_placebo[J];
  int<lower=0> deaths_placebo[J];
}
parameters {
  vector[2] mu;
  vector<lower=0>[2] tau;
  cholesky_factor_corr[2] L;
  matrix[2, J] z;
}
model {
  matrix[J, 2] u = (diag_pre_multiply(tau, L) * z)';
  vector[J] placebo = mu[1] + u[, 1];
  mu[1] ~ normal(-2, 2);
  mu[2] ~ normal(0, 1);
  tau ~ normal(0, 1);
  L ~ lkj_corr_cholesky(2);
  to_vector(z) ~ normal(0, 1);
  deaths_placebo ~ binomial_logit(n_placebo, placebo);
  deaths_magnesium ~ binomial_logit(n_magnesium, placebo + mu[2] + u[, 2]);
}
