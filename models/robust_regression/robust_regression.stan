// Linear regression with Student t noise, for data with outliers.
//   y_i ~ t(nu, alpha + x_i' beta, sigma), nu ~ Gamma(2, 0.1) above 1,
//   alpha ~ N(0, 5), beta ~ N(0, 2), sigma ~ half-N(0, 2)
data {
  int<lower=1> N;
  int<lower=1> P;
  array[N] row_vector[P] x;
  array[N] real y;
}
parameters {
  real alpha;
  vector[P] beta;
  real<lower=0> sigma;
  real<lower=1> nu;
}
transformed parameters {
  array[N] real fitted;
  for (i in 1:N) fitted[i] = alpha + x[i] * beta;
}
model {
  alpha ~ normal(0, 5);
  beta ~ normal(0, 2);
  sigma ~ normal(0, 2);
  nu ~ gamma(2, 0.1);
  y ~ student_t(nu, fitted, sigma);
}
generated quantities {
  array[N] real log_lik;
  real y_new = student_t_rng(nu, alpha, sigma);  // at x = 0
  for (i in 1:N) log_lik[i] = student_t_lpdf(y[i] | nu, fitted[i], sigma);
}
