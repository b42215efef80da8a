// Zero-inflated Poisson: some parties do not fish at all, the others catch a Poisson number.
//   P(y_i = 0) = q_i + (1 - q_i) exp(-lambda_i), P(y_i = k) = (1 - q_i) Poisson(k | lambda_i),
//   logit(q_i) = a_1 + a_2 children_i, log(lambda_i) = b_1 + b_2 persons_i, a, b ~ N(0, 3)
data {
  int<lower=1> N;
  vector[N] children;
  vector[N] persons;
  int<lower=0> y[N];
}
parameters {
  vector[2] a;
  vector[2] b;
}
model {
  vector[N] idle = a[1] + a[2] * children;
  vector[N] log_lambda = b[1] + b[2] * persons;
  a ~ normal(0, 3);
  b ~ normal(0, 3);
  for (i in 1:N) {
    real caught = bernoulli_logit_lpmf(0 | idle[i]) + poisson_log_lpmf(y[i] | log_lambda[i]);
    if (y[i] > 0) target += caught;
    else target += log_sum_exp(bernoulli_logit_lpmf(1 | idle[i]), caught);
  }
}
