// Linear regression of house prices on columns as they come, from a few rooms to a million people.
//   price_i ~ N(alpha + X_i beta, sigma), all priors flat
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;  // living area, plot, meters to the center, rooms, people in the district
  vector[N] price;  // in hundreds
}
parameters {
  real alpha;
  vector[P] beta;
  real<lower=0> sigma;
}
model {
  price ~ normal(alpha + X * beta, sigma);
}
