// Pain of persons on five grades, several times each: cumulative logit, intercepts standardized.
//   P(y_i <= k) = inv_logit(cut_k - beta_1 treated_i - beta_2 week_i - tau z[person_i]),
//   z ~ N(0, 1), beta ~ N(0, 2), cut ~ N(0, 3), tau ~ half-N(0, 2)
data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=3> K;
  int<lower=1, upper=J> person[N];
  vector[N] treated;
  vector[N] week;
  int<lower=1, upper=K> y[N];
}
parameters {
  vector[2] beta;
  ordered[K - 1] cut;
  real<lower=0> tau;
  vector[J] z;
}
model {
  beta ~ normal(0, 2);
  cut ~ normal(0, 3);
  tau ~ normal(0, 2);
  z ~ normal(0, 1);
  y ~ ordered_logistic(beta[1] * treated + beta[2] * week + tau * z[person], cut);
}
