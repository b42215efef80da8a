// Meta-analysis of trials with two arms: binomial, log odds ratios standardized.
//   r0_j ~ Binomial(n0_j, inv_logit(b_j)), r1_j ~ Binomial(n1_j, inv_logit(b_j + d + tau z_j)),
//   z ~ N(0, 1), b ~ N(0, 3), d ~ N(0, 1), tau ~ half-N(0, 0.5)
data {
  int<lower=1> J;
  int<lower=0> n0[J];  // control
  int<lower=0> r0[J];
  int<lower=0> n1[J];  // treatment
  int<lower=0> r1[J];
}
parameters {
  vector[J] b;
  real d;
  real<lower=0> tau;
  vector[J] z;
}
transformed parameters {
  vector[J] log_odds_ratio = d + tau * z;
}
model {
  b ~ normal(0, 3);
  d ~ normal(0, 1);
  tau ~ normal(0, 0.5);
  z ~ normal(0, 1);
  r0 ~ binomial_logit(n0, b);
  r1 ~ binomial_logit(n1, b + log_odds_ratio);
}
