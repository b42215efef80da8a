// Predators and prey by the equations of Lotka and Volterra, both counted with lognormal noise.
//   du/dt = (a - b v) u, dv/dt = (-c + d u) v, log y_t ~ N(log (u, v)_t, sigma),
//   a, c ~ N(1, 0.5), b, d ~ N(0.05, 0.05), (u, v)_0 ~ logN(log 10, 1), sigma ~ logN(-1, 1),
// integrated as d log u/dt = a - b v, d log v/dt = -c + d u, which keeps u and v positive.
functions {
  real[] change(real t, real[] log_z, real[] theta, real[] x_r, int[] x_i) {
    return {theta[1] - theta[2] * exp(log_z[2]), -theta[3] + theta[4] * exp(log_z[1])};
  }
}
data {
  int<lower=1> N;
  real time[N];
  real<lower=0> first[2];  // counted at time zero
  real<lower=0> y[N, 2];
}
parameters {
  real<lower=0> theta[4];
  real<lower=0> start[2];
  real<lower=0> sigma[2];
}
model {
  real log_z[N, 2] = integrate_ode_rk45(change, log(start), 0, time, theta, rep_array(0.0, 0),
                                        rep_array(0, 0), 1e-6, 1e-6, 10000);
  theta[{1, 3}] ~ normal(1, 0.5);
  theta[{2, 4}] ~ normal(0.05, 0.05);
  start ~ lognormal(log(10), 1);
  sigma ~ lognormal(-1, 1);
  for (k in 1:2) {
    first[k] ~ lognormal(log(start[k]), sigma[k]);
    y[, k] ~ lognormal(log_z[, k], sigma[k]);
  }
}
