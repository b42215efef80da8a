// GARCH(1,1): the variance of a return follows the last return and the last variance.
//   y_t ~ N(mu, s_t), s_t^2 = omega + alpha (y_[t-1] - mu)^2 + beta s_[t-1]^2, s_1 given,
//   mu, omega flat, (alpha, beta) uniform on alpha, beta > 0, alpha + beta < 1
data {
  int<lower=1> T;
  vector[T] y;
  real<lower=0> s1;
}
parameters {
  real mu;
  real<lower=0> omega;
  real<lower=0, upper=1> alpha;
  real<lower=0, upper=1 - alpha> beta;
}
model {
  vector[T] s2;
  s2[1] = square(s1);
  for (t in 2:T) {
    s2[t] = omega + alpha * square(y[t - 1] - mu) + beta * s2[t - 1];
  }
  y ~ normal(mu, sqrt(s2));
}
