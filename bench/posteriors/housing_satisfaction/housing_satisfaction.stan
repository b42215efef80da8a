// Satisfaction of tenants on three grades: cumulative logit of the counts in each kind of flat.
//   P(grade <= k in group g) = inv_logit(cut_k - X_g beta), beta ~ N(0, 2), cut ~ N(0, 5)
data {
  int<lower=1> G;
  int<lower=1> P;
  matrix[G, P] X;  // influence (two), type of building (three), contact with others
  int<lower=0> count[G, 3];
}
parameters {
  vector[P] beta;
  ordered[2] cut;
}
model {
  vector[G] location = X * beta;
  beta ~ normal(0, 2);
  cut ~ normal(0, 5);
  for (g in 1:G) {
    for (k in 1:3) target += count[g, k] * ordered_logistic_lpmf(k | location[g], cut);
  }
}
