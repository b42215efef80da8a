// Bradley-Terry ratings of players who met a few times, centered: a funnel in tau.
//   P(first of game g wins) = inv_logit(rating[first_g] - rating[second_g] + start),
//   rating_k ~ N(0, tau), tau ~ half-N(0, 1), start ~ N(0, 1)
data {
  int<lower=2> K;
  int<lower=1> G;
  int<lower=1, upper=K> first[G];
  int<lower=1, upper=K> second[G];
  int<lower=0, upper=1> won[G];  // by the first
}
parameters {
  real<lower=0> tau;
  real start;  // worth of moving first
  vector[K] rating;
}
model {
  tau ~ normal(0, 1);
  start ~ normal(0, 1);
  rating ~ normal(0, tau);
  won ~ bernoulli_logit(rating[first] - rating[second] + start);
}
