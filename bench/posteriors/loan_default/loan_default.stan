// Probit regression of loans that fail on columns in their own units, income in thousands.
//   y_i ~ Bernoulli(Phi(alpha + X_i beta)), alpha ~ N(0, 3), beta ~ N(0, 2)
functions {
  // log Phi(x), by its tail where Stan's underflows (below -37)
  real log_phi(real x) {
    if (x > -30) return normal_lcdf(x | 0, 1);
    return normal_lpdf(x | 0, 1) - log(-x) + log1m(inv_square(x));
  }
}
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;  // income, debts per income, late payments, owns a house or not
  int<lower=0, upper=1> y[N];
}
parameters {
  real alpha;
  vector[P] beta;
}
model {
  vector[N] eta = alpha + X * beta;
  alpha ~ normal(0, 3);
  beta ~ normal(0, 2);
  for (i in 1:N) target += log_phi(y[i] ? eta[i] : -eta[i]);
}
