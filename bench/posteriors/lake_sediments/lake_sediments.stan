// Shares of sand, silt and clay in sediments by the depth of the water: Dirichlet regression.
//   y_i ~ Dirichlet(phi softmax(0, a_1 + b_1 x_i, a_2 + b_2 x_i)), x_i = log(depth_i / 40),
//   a ~ N(0, 2), b ~ N(0, 2), phi ~ LogNormal(3, 1)
data {
  int<lower=1> N;
  vector<lower=0>[N] depth;  // meters
  simplex[3] y[N];
}
transformed data {
  vector[N] x = log(depth / 40);
}
parameters {
  vector[2] a;
  vector[2] b;
  real<lower=0> phi;
}
model {
  a ~ normal(0, 2);
  b ~ normal(0, 2);
  phi ~ lognormal(3, 1);
  for (i in 1:N) y[i] ~ dirichlet(phi * softmax(append_row(0, a + b * x[i])));
}
