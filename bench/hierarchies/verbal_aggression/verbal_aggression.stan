// Answers of 40 persons to 12 questions on aggression: two-parameter item response, difficulties
// and log discriminations share a scale each, standardized.
//   y_i ~ Bernoulli(inv_logit(exp(s z_slope[q_i]) (theta[p_i] - mu - tau z_item[q_i]))),
//   theta, z ~ N(0, 1), mu ~ N(0, 2), tau ~ half-N(0, 2), s ~ half-N(0, 0.5)
data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=1> K;
  int<lower=1, upper=J> person[N];
  int<lower=1, upper=K> question[N];
  int<lower=0, upper=1> y[N];
}
parameters {
  real mu;
  real<lower=0> tau;
  real<lower=0> s;
  vector[J] theta;
  vector[K] z_item;
  vector[K] z_slope;
}
model {
  vector[K] difficulty = mu + tau * z_item;
  vector[K] slope = exp(s * z_slope);
  mu ~ normal(0, 2);
  tau ~ normal(0, 2);
  s ~ normal(0, 0.5);
  theta ~ normal(0, 1);
  z_item ~ normal(0, 1);
  z_slope ~ normal(0, 1);
  y ~ bernoulli_logit(slope[question] .* (theta[person] - difficulty[question]));
}
