// Logistic growth of yeast on J plates, growth rates around a common one, non-centered.
//   log y_jt ~ N(log(K / (1 + (K / n0 - 1) exp(-r_j t))), sigma), log r_j = mu + tau z_j,
//   K ~ LN(log 10, 1), n0 ~ LN(log 0.1, 1), mu ~ N(-1, 1), tau ~ N+(0, 0.5), sigma ~ N+(0, 0.5)
data {
  int<lower=1> J;
  int<lower=1> T;
  vector[T] hour;
  matrix<lower=0>[J, T] y;
}
parameters {
  real<lower=0> K;
  real<lower=0> n0;
  real mu;
  real<lower=0> tau;
  vector[J] z;
  real<lower=0> sigma;
}
model {
  K ~ lognormal(log(10), 1);
  n0 ~ lognormal(log(0.1), 1);
  mu ~ normal(-1, 1);
  tau ~ normal(0, 0.5);
  sigma ~ normal(0, 0.5);
  z ~ normal(0, 1);
  for (j in 1:J) {
    real r = exp(mu + tau * z[j]);
    for (t in 1:T)
      y[j, t] ~ lognormal(log(K) - log1p((K / n0 - 1) * exp(-r * hour[t])), sigma);
  }
}
