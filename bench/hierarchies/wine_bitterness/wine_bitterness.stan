// Bitterness of wine by nine judges in five grades: cumulative logit, judges differ in level and in
// how widely they spread their grades, standardized.
//   P(y_i <= k) = inv_logit(exp(s v[j_i]) (cut_k - beta_1 warm_i - beta_2 contact_i - tau u[j_i])),
//   u, v ~ N(0, 1), cut ~ N(0, 4), beta ~ N(0, 3), tau ~ half-N(0, 2), s ~ half-N(0, 0.5)
data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=3> K;
  int<lower=1, upper=J> judge[N];
  vector[N] warm;
  vector[N] contact;
  int<lower=1, upper=K> y[N];
}
parameters {
  vector[2] beta;
  ordered[K - 1] cut;
  real<lower=0> tau;
  real<lower=0> s;
  vector[J] u;
  vector[J] v;
}
model {
  beta ~ normal(0, 3);
  cut ~ normal(0, 4);
  tau ~ normal(0, 2);
  s ~ normal(0, 0.5);
  u ~ normal(0, 1);
  v ~ normal(0, 1);
  for (i in 1:N) {
    real scale = exp(s * v[judge[i]]);
    real level = beta[1] * warm[i] + beta[2] * contact[i] + tau * u[judge[i]];
    y[i] ~ ordered_logistic(scale * level, scale * cut);
  }
}
