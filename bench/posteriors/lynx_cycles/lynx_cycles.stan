// Lynx trapped in a year: a threshold autoregression, one below and one above 10^3.116 animals.
//   y_t = log10(trapped_t) ~ N(a_r + b_r1 y_[t-1] + b_r2 y_[t-2], sigma_r),
//   r = 1 where y_[t-2] <= 3.116, else 2,
//   a ~ N(0, 2), b ~ N(0, 2), sigma ~ half-N(0, 1)
data {
  int<lower=3> T;
  int<lower=1> trapped[T];
}
transformed data {
  vector[T] y = to_vector(log10(trapped));
  int r[T - 2];
  for (t in 3:T) r[t - 2] = y[t - 2] <= 3.116 ? 1 : 2;
}
parameters {
  vector[2] a;
  vector[2] b1;
  vector[2] b2;
  vector<lower=0>[2] sigma;
}
model {
  a ~ normal(0, 2);
  b1 ~ normal(0, 2);
  b2 ~ normal(0, 2);
  sigma ~ normal(0, 1);
  y[3:T] ~ normal(a[r] + b1[r] .* y[2:(T - 1)] + b2[r] .* y[1:(T - 2)], sigma[r]);
}
