// Growth of the jaws of 27 children: correlated intercepts and slopes, standardized.
//   jaw_i ~ N(beta_1 + beta_2 female_i + u_1[c_i] + (beta_3 + beta_4 female_i + u_2[c_i]) t_i,
//   sigma), t = age - 11, u = diag(tau) L z, z ~ N(0, 1), L L' ~ LKJ(2),
//   beta ~ N((24, 0, 0, 0), (5, 3, 1, 1)), tau ~ half-N(0, (3, 1)), sigma ~ half-N(0, 3)
data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=1, upper=J> child[N];
  vector[N] age;
  vector[N] female;
  vector[N] jaw;  // millimeters
}
transformed data {
  vector[N] t = age - 11;
}
parameters {
  vector[4] beta;
  vector<lower=0>[2] tau;
  cholesky_factor_corr[2] L;
  matrix[2, J] z;
  real<lower=0> sigma;
}
model {
  matrix[J, 2] u = (diag_pre_multiply(tau, L) * z)';
  beta[1] ~ normal(24, 5);
  beta[2] ~ normal(0, 3);
  beta[3:4] ~ normal(0, 1);
  tau[1] ~ normal(0, 3);
  tau[2] ~ normal(0, 1);
  L ~ lkj_corr_cholesky(2);
  to_vector(z) ~ normal(0, 1);
  sigma ~ normal(0, 3);
  jaw ~ normal(beta[1] + beta[2] * female + u[child, 1]
                    + (beta[3] + beta[4] * female + u[child, 2]) .* t, sigma);
}
