// A drug taken by mouth and eliminated by an enzyme that saturates (Michaelis-Menten).
//   gut' = -ka gut, central' = ka gut - vmax c / (km + c), c = central / volume,
//   gut(0) = dose, central(0) = 0, y_t ~ logN(log c(t), sigma),
//   ka, vmax, km, volume ~ logN(their guess, 0.3), sigma ~ logN(-2, 0.5)
functions {
  array[] real flow(real t, array[] real amount, array[] real theta, array[] real x_r,
                    array[] int x_i) {
    real absorbed = theta[1] * amount[1];
    real concentration = amount[2] / theta[4];
    return {-absorbed, absorbed - theta[2] * concentration / (theta[3] + concentration)};
  }
}
data {
  int<lower=1> N;
  array[N] real<lower=0> time;
  array[N] real<lower=0> y;
  real<lower=0> dose;
  array[4] real<lower=0> guess;  // of ka, vmax, km, volume
}
transformed data {
  array[2] real start = {dose, 0.0};
  array[0] real x_r;
  array[0] int x_i;
}
parameters {
  array[4] real<lower=0> theta;  // ka, vmax, km, volume
  real<lower=0> sigma;
}
transformed parameters {
  array[N] real concentration;
  {
    array[N, 2] real amount = integrate_ode_rk45(flow, start, 0.0, time, theta, x_r, x_i);
    for (i in 1:N) concentration[i] = amount[i, 2] / theta[4];
  }
}
model {
  theta ~ lognormal(log(guess), 0.3);
  sigma ~ lognormal(-2, 0.5);
  y ~ lognormal(log(concentration), sigma);
}
generated quantities {
  real clearance = theta[2] / theta[3];  // at low concentrations
  array[N] real y_rep = lognormal_rng(log(concentration), sigma);
}
