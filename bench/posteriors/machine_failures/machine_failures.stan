// Times between failures of machines: Weibull with a frailty for each machine, some censored.
//   t_i ~ Weibull(shape, exp(alpha + tau z[machine_i])), z ~ N(0, 1),
//   alpha ~ N(0, 10), tau ~ half-N(0, 1), shape ~ LogNormal(0, 1)
data {
  int<lower=1> N;
  int<lower=1> M;
  int<lower=1, upper=M> machine[N];
  int<lower=0, upper=1> failed[N];
  vector<lower=0>[N] t;  // hours
}
parameters {
  real alpha;
  real<lower=0> tau;
  real<lower=0> shape;
  vector[M] z;
}
model {
  alpha ~ normal(0, 10);
  tau ~ normal(0, 1);
  shape ~ lognormal(0, 1);
  z ~ normal(0, 1);
  for (i in 1:N) {
    real scale = exp(alpha + tau * z[machine[i]]);
    if (failed[i]) target += weibull_lpdf(t[i] | shape, scale);
    else target += weibull_lccdf(t[i] | shape, scale);
  }
}
