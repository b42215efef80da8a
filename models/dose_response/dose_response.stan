// Survival of insects at D doses: a falling logistic curve between two bounded plateaus.
//   y_d ~ Binomial(n_d, low + (high - low) logit^-1(slope (x_d - ed50))), x = log dose,
//   0 < low < 0.3, 0.7 < high < 1, slope < 0, x_1 < ed50 < x_D,
//   low / 0.3 ~ Beta(2, 2), (high - 0.7) / 0.3 ~ Beta(2, 2), -slope ~ logN(0.5, 0.5)
data {
  int<lower=2> D;
  array[D] real log_dose;
  array[D] int<lower=1> n;
  array[D] int<lower=0> y;
}
parameters {
  real<lower=0, upper=0.3> low;
  real<lower=0.7, upper=1> high;
  real<upper=0> slope;
  real<lower=min(log_dose), upper=max(log_dose)> ed50;
}
transformed parameters {
  array[D] real<lower=0, upper=1> p;
  for (d in 1:D) p[d] = low + (high - low) * inv_logit(slope * (log_dose[d] - ed50));
}
model {
  target += beta_lpdf(low / 0.3 | 2, 2);
  target += beta_lpdf((high - 0.7) / 0.3 | 2, 2);
  target += lognormal_lpdf(-slope | 0.5, 0.5);
  y ~ binomial(n, p);
}
generated quantities {
  // Doses at which the falling part has lost 10, 50 and 90 percent of its height.
  array[3] real dose;
  array[3] real lost = {0.1, 0.5, 0.9};
  for (k in 1:3) dose[k] = exp(ed50 + logit(1 - lost[k]) / slope);
}
