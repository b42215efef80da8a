// Two-parameter logistic item response: every question has a difficulty and a discrimination.
//   y_ij ~ Bernoulli(inv_logit(a_j (theta_i - b_j))),
//   theta_i ~ N(0, 1), a_j ~ logN(0, 0.5), b_j ~ N(0, 2)
data {
  int<lower=1> I;  // persons
  int<lower=1> J;  // questions
  int<lower=0, upper=1> y[I, J];
}
parameters {
  vector[I] theta;
  vector<lower=0>[J] a;
  vector[J] b;
}
model {
  theta ~ normal(0, 1);
  a ~ lognormal(0, 0.5);
  b ~ normal(0, 2);
  for (j in 1:J) y[, j] ~ bernoulli_logit(a[j] * (theta - b[j]));
}
