// A line through yearly figures; the year is not centered, so the intercept is that of year zero.
//   y_t ~ N(alpha + beta year_t, sigma), alpha and beta flat, sigma ~ half-Cauchy(0, 50)
data {
  int<lower=1> N;
  vector[N] year;
  vector[N] y;
}
parameters {
  real alpha;
  real beta;
  real<lower=0> sigma;
}
model {
  sigma ~ cauchy(0, 50);
  y ~ normal(alpha + beta * year, sigma);
}
