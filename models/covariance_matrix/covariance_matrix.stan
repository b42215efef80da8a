// Mean and covariance of K measurements on each of N subjects.
//   y_i ~ N(mu, Sigma), mu ~ N(0, 5), Sigma ~ InvWishart(K + 2, I)
data {
  int<lower=1> N;
  int<lower=2> K;
  array[N] vector[K] y;
}
transformed data {
  matrix[K, K] identity = diag_matrix(rep_vector(1, K));
}
parameters {
  vector[K] mu;
  cov_matrix[K] Sigma;
}
model {
  mu ~ normal(0, 5);
  Sigma ~ inv_wishart(K + 2, identity);
  y ~ multi_normal(mu, Sigma);
}
generated quantities {
  vector[K] sd_y = sqrt(diagonal(Sigma));
  corr_matrix[K] correlation = quad_form_diag(Sigma, 1 ./ sd_y);
  // Slopes of the regression of the last measurement on the others.
  vector[K - 1] slope = Sigma[1:(K - 1), 1:(K - 1)] \ Sigma[1:(K - 1), K];
}
