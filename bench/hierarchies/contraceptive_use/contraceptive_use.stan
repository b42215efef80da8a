// Use of contraceptives by women in 30 districts of Bangladesh: logistic regression, correlated
// intercepts and effects of the town, standardized.
//   y_i ~ Bernoulli(inv_logit(X_i beta + u_1[d_i] + u_2[d_i] urban_i)), X has ones, urban, age,
//   age^2 and children, u = diag(tau) L z, z ~ N(0, 1), L L' ~ LKJ(2), beta ~ N(0, 2),
//   tau ~ half-N(0, 1)
data {
  int<lower=1> N;
  int<lower=1> D;
  int<lower=1, upper=D> district[N];
  vector[N] urban;
  vector[N] age;  // decades, less its mean
  vector[N] children;  // any
  int<lower=0, upper=1> y[N];
}
transformed data {
  matrix[N, 5] X = append_col(rep_vector(1, N), append_col(append_col(urban, age),
                                                           append_col(square(age), children)));
}
parameters {
  vector[5] beta;
  vector<lower=0>[2] tau;
  cholesky_factor_corr[2] L;
  matrix[2, D] z;
}
model {
  matrix[D, 2] u = (diag_pre_multiply(tau, L) * z)';
  beta ~ normal(0, 2);
  tau ~ normal(0, 1);
  L ~ lkj_corr_cholesky(2);
  to_vector(z) ~ normal(0, 1);
  y ~ bernoulli_logit(X * beta + u[district, 1] + u[district, 2] .* urban);
}
