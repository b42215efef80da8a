// Gaussian process regression with a squared exponential kernel, the function integrated out.
//   y ~ N(0, K + sigma^2 I), K_ij = alpha^2 exp(-(x_i - x_j)^2 / (2 rho^2)),
//   rho ~ InvGamma(5, 5), alpha ~ logN(0, 0.5), sigma ~ logN(-1, 0.5)
// and the mean of the function at new points, k_new' (K + sigma^2 I)^-1 y.
functions {
  matrix kernel(real[] a, real[] b, real alpha, real rho) {
    matrix[size(a), size(b)] k;
    for (j in 1:size(b)) {
      for (i in 1:size(a)) k[i, j] = square(alpha) * exp(-0.5 * square((a[i] - b[j]) / rho));
    }
    return k;
  }

  matrix noisy_cholesky(real[] x, real alpha, real rho, real sigma) {
    matrix[size(x), size(x)] k = kernel(x, x, alpha, rho);
    for (i in 1:size(x)) k[i, i] += square(sigma);
    return cholesky_decompose(k);
  }
}
data {
  int<lower=1> N;
  real x[N];
  vector[N] y;
  int<lower=1> M;
  real x_new[M];
}
parameters {
  real<lower=0> rho;  // length scale
  real<lower=0> alpha;  // marginal sd
  real<lower=0> sigma;  // noise
}
model {
  rho ~ inv_gamma(5, 5);
  alpha ~ lognormal(0, 0.5);
  sigma ~ lognormal(-1, 0.5);
  y ~ multi_normal_cholesky(rep_vector(0, N), noisy_cholesky(x, alpha, rho, sigma));
}
generated quantities {
  vector[M] f_new;
  {
    matrix[N, N] L = noisy_cholesky(x, alpha, rho, sigma);
    vector[N] white = mdivide_left_tri_low(L, y);
    f_new = mdivide_left_tri_low(L, kernel(x, x_new, alpha, rho))' * white;
  }
}
