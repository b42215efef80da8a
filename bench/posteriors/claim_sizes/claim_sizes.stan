// Gamma regression of insurance claims, with a log link.
//   y_i ~ Gamma(shape, shape / exp(alpha + X_i beta)),
//   alpha ~ N(0, 10), beta ~ N(0, 1), shape ~ Exponential(1)
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;  // age of the driver, power of the car, in a town or not
  vector<lower=0>[N] y;
}
parameters {
  real alpha;
  vector[P] beta;
  real<lower=0> shape;
}
model {
  alpha ~ normal(0, 10);
  beta ~ normal(0, 1);
  shape ~ exponential(1);
  y ~ gamma(shape, shape * exp(-alpha - X * beta));
}
generated quantities {
  real mean_of_first = exp(alpha + X[1] * beta);
}
