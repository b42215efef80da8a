// Regression whose K coefficients vary between J groups and are correlated.
//   y_i ~ N(x_i' effect[group_i], sigma), effect_j ~ N(center, Sigma),
//   Sigma = diag(tau) L L' diag(tau), L L' ~ LKJ(2), center ~ N(0, 2), tau ~ logN(-0.5, 0.5),
//   sigma ~ half-N(0, 1)
data {
  int<lower=1> N;
  int<lower=2> J;
  int<lower=2> K;
  matrix[N, K] X;
  int<lower=1, upper=J> group[N];
  vector[N] y;
}
parameters {
  vector[K] center;
  vector<lower=0>[K] tau;
  cholesky_factor_corr[K] L;
  vector[K] effect[J];
  real<lower=0> sigma;
}
model {
  vector[N] mean_y;
  for (i in 1:N) mean_y[i] = X[i] * effect[group[i]];
  center ~ normal(0, 2);
  tau ~ lognormal(-0.5, 0.5);
  L ~ lkj_corr_cholesky(2);
  effect ~ multi_normal_cholesky(center, diag_pre_multiply(tau, L));
  sigma ~ normal(0, 1);
  y ~ normal(mean_y, sigma);
}
generated quantities {
  corr_matrix[K] correlation = multiply_lower_tri_self_transpose(L);
}
