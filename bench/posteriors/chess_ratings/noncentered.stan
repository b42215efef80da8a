// The posterior of chess_ratings.stan with standardized ratings, for NUTS to draw from.
//   P(first of game g wins) = inv_logit(tau (z[first_g] - z[second_g]) + start),
//   z_k ~ N(0, 1), tau ~ half-N(0, 1), start ~ N(0, 1)
data {
  int<lower=2> K;
  int<lower=1> G;
  int<lower=1, upper=K> first[G];
  int<lower=1, upper=K> second[G];
  int<lower=0, upper=1> won[G];
}
parameters {
  real<lower=0> tau;
  real start;
  vector[K] z;
}
model {
  tau ~ normal(0, 1);
  start ~ normal(0, 1);
  z ~ normal(0, 1);
  won ~ bernoulli_logit(tau * (z[first] - z[second]) + start);
}
