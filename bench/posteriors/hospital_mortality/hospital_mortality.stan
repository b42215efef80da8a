// Deaths after surgery in J hospitals, a centered random effect with many operations in each.
//   deaths_j ~ Binomial(n_j, inv_logit(b_j)), b_j ~ N(mu, tau), mu ~ N(0, 5), tau ~ half-N(0, 2)
data {
  int<lower=1> J;
  int<lower=0> n[J];
  int<lower=0> deaths[J];
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] b;
}
model {
  mu ~ normal(0, 5);
  tau ~ normal(0, 2);
  b ~ normal(mu, tau);
  deaths ~ binomial_logit(n, b);
}
