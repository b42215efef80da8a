// Ordered logistic regression for K grades.
//   P(y_i <= k) = logit^-1(cut_k - x_i' beta), cut_1 < .. < cut_[K-1],
//   beta ~ N(0, 1), cut ~ N(0, 3)
data {
  int<lower=1> N;
  int<lower=1> P;
  int<lower=3> K;
  matrix[N, P] X;
  array[N] int<lower=1, upper=K> y;
}
parameters {
  vector[P] beta;
  ordered[K - 1] cut;
}
model {
  beta ~ normal(0, 1);
  cut ~ normal(0, 3);
  y ~ ordered_logistic(X * beta, cut);
}
generated quantities {
  array[K] real at_origin;  // P(grade k) at x = 0
  array[N] int<lower=1, upper=K> y_rep;
  for (k in 1:K) at_origin[k] = exp(ordered_logistic_lpmf(k | 0, cut));
  for (i in 1:N) y_rep[i] = ordered_logistic_rng(X[i] * beta, cut);
}
