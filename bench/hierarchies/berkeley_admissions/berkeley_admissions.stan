// Admissions to six departments of Berkeley: binomial logits, correlated intercepts and effects of
// being male, standardized.
//   y_i ~ Binomial(n_i, inv_logit(mu_1 + u_1[d_i] + (mu_2 + u_2[d_i]) male_i)),
//   u = diag(tau) L z, z ~ N(0, 1), L L' ~ LKJ(2), mu ~ N(0, (1.5, 1)), tau ~ half-N(0, (2, 1))
data {
  int<lower=1> N;
  int<lower=1> D;
  int<lower=1, upper=D> department[N];
  vector[N] male;
  int<lower=1> n[N];
  int<lower=0> y[N];
}
parameters {
  vector[2] mu;
  vector<lower=0>[2] tau;
  cholesky_factor_corr[2] L;
  matrix[2, D] z;
}
model {
  matrix[D, 2] u = (diag_pre_multiply(tau, L) * z)';
  mu[1] ~ normal(0, 1.5);
  mu[2] ~ normal(0, 1);
  tau[1] ~ normal(0, 2);
  tau[2] ~ normal(0, 1);
  L ~ lkj_corr_cholesky(2);
  to_vector(z) ~ normal(0, 1);
  y ~ binomial_logit(n, mu[1] + u[department, 1] + (mu[2] + u[department, 2]) .* male);
}
