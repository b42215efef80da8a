// Weekly demand for gas: linear regression with autocorrelated errors.
//   y_t = alpha + X_t beta + e_t, e_t ~ N(rho e_[t-1], sigma), e_1 ~ N(0, sigma / sqrt(1 - rho^2)),
//   alpha ~ N(50, 20), beta ~ N(0, 5), rho ~ U(-1, 1), sigma ~ half-N(0, 10)
data {
  int<lower=2> T;
  int<lower=1> P;
  matrix[T, P] X;  // temperature and price, less their means
  vector[T] y;
}
parameters {
  real alpha;
  vector[P] beta;
  real<lower=-1, upper=1> rho;
  real<lower=0> sigma;
}
model {
  vector[T] e = y - alpha - X * beta;
  alpha ~ normal(50, 20);
  beta ~ normal(0, 5);
  sigma ~ normal(0, 10);
  e[1] ~ normal(0, sigma / sqrt(1 - square(rho)));
  e[2:T] ~ normal(rho * e[1:(T - 1)], sigma);
}
