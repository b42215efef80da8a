// Beta regression of a proportion, with one precision.
//   y_i ~ Beta(m_i phi, (1 - m_i) phi), logit(m_i) = alpha + X_i beta,
//   alpha ~ N(0, 10), beta ~ N(0, 2), phi ~ Gamma(2, 0.02)
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;  // gravity of the crude, its pressure, end point in degrees Fahrenheit
  vector<lower=0, upper=1>[N] y;
}
parameters {
  real alpha;
  vector[P] beta;
  real<lower=0> phi;
}
model {
  vector[N] m = inv_logit(alpha + X * beta);
  alpha ~ normal(0, 10);
  beta ~ normal(0, 2);
  phi ~ gamma(2, 0.02);
  y ~ beta(m * phi, (1 - m) * phi);
}
