// Ammonia lost by a plant: linear regression, Student t noise whose degrees of freedom are unknown.
//   loss_i ~ t_nu(alpha + X_i beta, sigma), alpha ~ N(0, 100), beta ~ N(0, 10),
//   sigma ~ half-Cauchy(0, 5), nu ~ Gamma(2, 0.1), nu > 1
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;  // air flow, temperature of the water, concentration of the acid
  vector[N] loss;
}
parameters {
  real alpha;
  vector[P] beta;
  real<lower=0> sigma;
  real<lower=1> nu;
}
model {
  alpha ~ normal(0, 100);
  beta ~ normal(0, 10);
  sigma ~ cauchy(0, 5);
  nu ~ gamma(2, 0.1);
  loss ~ student_t(nu, alpha + X * beta, sigma);
}
