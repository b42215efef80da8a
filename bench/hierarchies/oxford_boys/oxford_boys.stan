// Heights of 26 boys at nine ages: correlated intercepts and slopes, centered, informative data.
//   height_i ~ N(u_1[b_i] + u_2[b_i] age_i, sigma), u_b ~ N(mu, diag(tau) L L' diag(tau)),
//   L L' ~ LKJ(2), mu ~ N((150, 7), (20, 5)), tau ~ half-N(0, (10, 3)), sigma ~ half-N(0, 2)
data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=1, upper=J> boy[N];
  vector[N] age;  // standardized
  vector[N] height;  // centimeters
}
parameters {
  vector[2] mu;
  vector<lower=0>[2] tau;
  cholesky_factor_corr[2] L;
  real<lower=0> sigma;
  vector[2] u[J];
}
model {
  vector[N] level;
  mu[1] ~ normal(150, 20);
  mu[2] ~ normal(7, 5);
  tau[1] ~ normal(0, 10);
  tau[2] ~ normal(0, 3);
  L ~ lkj_corr_cholesky(2);
  sigma ~ normal(0, 2);
  u ~ multi_normal_cholesky(mu, diag_pre_multiply(tau, L));
  for (i in 1:N) level[i] = u[boy[i], 1] + u[boy[i], 2] * age[i];
  height ~ normal(level, sigma);
}
