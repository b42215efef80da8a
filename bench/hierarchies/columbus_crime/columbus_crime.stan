// Crime in 49 neighborhoods of Columbus: regression whose errors are those of neighbors in part
// (intrinsic autoregression), whose scale multiplies standardized effects.
//   crime_i ~ N(alpha + beta_1 income_i + beta_2 value_i + tau s_i, sigma),
//   p(s) ~ exp(-1/2 sum over neighbors (s_i - s_j)^2), sum(s) ~ N(0, 0.01 N),
//   alpha ~ N(35, 20), beta ~ N(0, 10), tau, sigma ~ half-N(0, 10)
data {
  int<lower=1> N;
  int<lower=1> E;
  int<lower=1, upper=N> one[E];
  int<lower=1, upper=N> other[E];
  vector[N] income;  // standardized
  vector[N] value;  // standardized
  vector[N] crime;
}
parameters {
  real alpha;
  vector[2] beta;
  real<lower=0> tau;
  real<lower=0> sigma;
  vector[N] s;
}
model {
  alpha ~ normal(35, 20);
  beta ~ normal(0, 10);
  tau ~ normal(0, 10);
  sigma ~ normal(0, 10);
  target += -0.5 * dot_self(s[one] - s[other]);
  sum(s) ~ normal(0, 0.01 * N);
  crime ~ normal(alpha + beta[1] * income + beta[2] * value + tau * s, sigma);
}
