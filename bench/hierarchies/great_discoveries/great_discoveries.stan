// Important discoveries in 25 spans of four years: Poisson counts, the log rate is the sum of a
// slow and a quick Gaussian process, whose sum is standardized.
//   y_i ~ Poisson(exp(mu + f_i)), f = chol(K_1 + K_2) z, z ~ N(0, 1), K_k squared exponential with
//   amplitude a_k and length l_k, mu ~ N(2, 1), a ~ half-N(0, 1), l_1 ~ LogNormal(3.5, 0.4),
//   l_2 ~ LogNormal(1.8, 0.4) years
data {
  int<lower=1> N;
  real year[N];
  int<lower=0> y[N];
}
parameters {
  real mu;
  vector<lower=0>[2] amplitude;
  real<lower=0> slow;
  real<lower=0> quick;
  vector[N] z;
}
model {
  matrix[N, N] K = cov_exp_quad(year, amplitude[1], slow)
                   + cov_exp_quad(year, amplitude[2], quick);
  for (i in 1:N) K[i, i] += 1e-6;
  mu ~ normal(2, 1);
  amplitude ~ normal(0, 1);
  slow ~ lognormal(3.5, 0.4);
  quick ~ lognormal(1.8, 0.4);
  z ~ normal(0, 1);
  y ~ poisson_log(mu + cholesky_decompose(K) * z);
}
