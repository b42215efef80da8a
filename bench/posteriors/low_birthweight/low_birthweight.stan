// Logistic regression of low birth weight on what is known of the mother, in its own units.
//   low_i ~ Bernoulli(inv_logit(alpha + X_i beta)), alpha ~ N(0, 10), beta ~ N(0, 2.5)
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;  // age, pounds, two of three races, smokes, premature labors, hypertension,
                   // uterine irritability, visits of a doctor
  int<lower=0, upper=1> low[N];
}
parameters {
  real alpha;
  vector[P] beta;
}
model {
  alpha ~ normal(0, 10);
  beta ~ normal(0, 2.5);
  low ~ bernoulli_logit(alpha + X * beta);
}
