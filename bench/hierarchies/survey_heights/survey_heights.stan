// Heights of 52 points of a map: Gaussian process with a length for each direction, integrated.
//   z ~ N(mu, K + sigma^2 I), K_ij = a^2 exp(-(x_i - x_j)^2 / (2 l_1^2) - (y_i - y_j)^2 / (2 l_2^2)),
//   mu ~ N(8, 2), a ~ half-N(0, 2), l ~ LogNormal(0.5, 0.7), sigma ~ half-N(0, 0.5)
data {
  int<lower=1> N;
  vector[N] x;  // fifty feet
  vector[N] y;
  vector[N] z;  // hundred feet
}
parameters {
  real mu;
  real<lower=0> a;
  vector<lower=0>[2] l;
  real<lower=0> sigma;
}
model {
  matrix[N, N] K;
  for (i in 1:N) {
    K[i, i] = square(a) + square(sigma) + 1e-8;
    for (j in (i + 1):N) {
      K[i, j] = square(a) * exp(-0.5 * (square((x[i] - x[j]) / l[1])
                                        + square((y[i] - y[j]) / l[2])));
      K[j, i] = K[i, j];
    }
  }
  mu ~ normal(8, 2);
  a ~ normal(0, 2);
  l ~ lognormal(0.5, 0.7);
  sigma ~ normal(0, 0.5);
  z ~ multi_normal(rep_vector(mu, N), K);
}
