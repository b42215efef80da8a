// Growth by dose and kind of supplement; mean and log sd both depend on the dose.
//   y_i ~ N(a + b log dose_i + c kind_i + d kind_i log dose_i, exp(e + f log dose_i)), flat but for
//   e ~ N(1, 2), f ~ N(0, 2)
data {
  int<lower=1> N;
  vector<lower=0>[N] dose;
  vector<lower=0, upper=1>[N] kind;
  vector[N] y;
}
transformed data {
  vector[N] x = log(dose);
}
parameters {
  real a;
  real b;
  real c;
  real d;
  real e;
  real f;
}
model {
  e ~ normal(1, 2);
  f ~ normal(0, 2);
  y ~ normal(a + b * x + c * kind + d * (kind .* x), exp(e + f * x));
}
