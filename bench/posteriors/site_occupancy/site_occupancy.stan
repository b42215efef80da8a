// Occupancy of sites by a species that is not always seen, the unknown presence summed out.
//   z_i ~ Bernoulli(inv_logit(a_1 + a_2 altitude_i)),
//   seen_i ~ Binomial(visits, z_i inv_logit(b_1 + b_2 hours_i)), a, b ~ N(0, 3)
data {
  int<lower=1> N;
  int<lower=1> visits;
  vector[N] altitude;  // kilometers
  vector[N] hours;  // spent at every visit
  int<lower=0, upper=visits> seen[N];
}
parameters {
  vector[2] a;
  vector[2] b;
}
model {
  vector[N] present = a[1] + a[2] * altitude;
  vector[N] noticed = b[1] + b[2] * hours;
  a ~ normal(0, 3);
  b ~ normal(0, 3);
  for (i in 1:N) {
    real there = bernoulli_logit_lpmf(1 | present[i])
                 + binomial_logit_lpmf(seen[i] | visits, noticed[i]);
    if (seen[i] > 0) target += there;
    else target += log_sum_exp(there, bernoulli_logit_lpmf(0 | present[i]));
  }
}
