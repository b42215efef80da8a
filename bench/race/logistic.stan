// Logistic regression, in the form whose gradient Stan has by hand.
//   y_i ~ Bernoulli(logit^-1(x_i' beta)), beta ~ N(0, 1)
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;
  int<lower=0, upper=1> y[N];
}
parameters {
  vector[P] beta;
}
model {
  beta ~ normal(0, 1);
  y ~ bernoulli_logit_glm(X, 0.0, beta);
}
