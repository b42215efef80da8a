// Weibull regression of survival times, some of which are only known to be longer.
//   t_i ~ Weibull(shape, exp(alpha + x_i' beta)); P(t > c) enters for those censored at c,
//   shape ~ logN(0, 0.5), alpha ~ N(0, 2), beta ~ N(0, 1)
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;
  real<lower=0> time[N];  // of the event, or of the last visit
  int<lower=0, upper=1> event[N];  // 0: censored
}
parameters {
  real<lower=0> shape;
  real alpha;
  vector[P] beta;
}
transformed parameters {
  vector[N] scale = exp(alpha + X * beta);
}
model {
  shape ~ lognormal(0, 0.5);
  alpha ~ normal(0, 2);
  beta ~ normal(0, 1);
  for (i in 1:N) {
    if (event[i] == 1) {
      target += weibull_lpdf(time[i] | shape, scale[i]);
    } else {
      target += weibull_lccdf(time[i] | shape, scale[i]);
    }
  }
}
generated quantities {
  real hazard_ratio[P];  // for one unit of x
  real median_time = exp(alpha) * pow(log(2), 1 / shape);  // at x = 0
  real t_new = weibull_rng(shape, exp(alpha));
  for (p in 1:P) hazard_ratio[p] = exp(-shape * beta[p]);
}
