// Reaction times of persons who sleep too little: correlated intercepts and slopes, standardized.
//   reaction_i ~ N(beta_1 + u_1[person_i] + (beta_2 + u_2[person_i]) day_i, sigma),
//   u = diag(tau) L z, z ~ N(0, 1), L L' ~ LKJ(2),
//   beta_1 ~ N(250, 100), beta_2 ~ N(0, 25), tau_1 ~ half-N(0, 50), tau_2 ~ half-N(0, 25),
//   sigma ~ half-N(0, 50)
data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=1, upper=J> person[N];
  vector[N] day;
  vector[N] reaction;  // milliseconds
}
parameters {
  vector[2] beta;
  vector<lower=0>[2] tau;
  cholesky_factor_corr[2] L;
  matrix[2, J] z;
  real<lower=0> sigma;
}
model {
  matrix[J, 2] u = (diag_pre_multiply(tau, L) * z)';
  beta[1] ~ normal(250, 100);
  beta[2] ~ normal(0, 25);
  tau[1] ~ normal(0, 50);
  tau[2] ~ normal(0, 25);
  L ~ lkj_corr_cholesky(2);
  to_vector(z) ~ normal(0, 1);
  sigma ~ normal(0, 50);
  reaction ~ normal(beta[1] + u[person, 1] + (beta[2] + u[person, 2]) .* day, sigma);
}
generated quantities {
  real correlation = L[2, 1];
}
