// Survival with lung cancer: log-logistic times, some censored, columns in their own units.
//   log(days_i) ~ Logistic(alpha + X_i beta, scale), alpha, beta flat, scale ~ Exp(1)
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;  // new treatment, three of four types of cells, Karnofsky score, months since
                   // the diagnosis, age, treated before
  int<lower=0, upper=1> died[N];
  vector<lower=0>[N] days;
}
parameters {
  real alpha;
  vector[P] beta;
  real<lower=0> scale;
}
model {
  vector[N] location = alpha + X * beta;
  scale ~ exponential(1);
  for (i in 1:N) {
    if (died[i]) target += logistic_lpdf(log(days[i]) | location[i], scale);
    else target += logistic_lccdf(log(days[i]) | location[i], scale);
  }
}
