// Investments of three firms: seemingly unrelated regressions, their errors correlated.
//   y_t ~ N(a + b value_t + c capital_t, Sigma), Sigma = diag(sigma) L L' diag(sigma),
//   a ~ N(0, 5), b, c ~ N(0, 1), sigma ~ half-N(0, 2), L L' ~ LKJ(2)
data {
  int<lower=1> T;
  vector[3] value[T];
  vector[3] capital[T];
  vector[3] y[T];
}
parameters {
  vector[3] a;
  vector[3] b;
  vector[3] c;
  vector<lower=0>[3] sigma;
  cholesky_factor_corr[3] L;
}
model {
  vector[3] m[T];
  for (t in 1:T) m[t] = a + b .* value[t] + c .* capital[t];
  a ~ normal(0, 5);
  b ~ normal(0, 1);
  c ~ normal(0, 1);
  sigma ~ normal(0, 2);
  L ~ lkj_corr_cholesky(2);
  y ~ multi_normal_cholesky(m, diag_pre_multiply(sigma, L));
}
generated quantities {
  corr_matrix[3] correlation = multiply_lower_tri_self_transpose(L);
}
