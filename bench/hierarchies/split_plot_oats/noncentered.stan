// The posterior of split_plot_oats.stan with standardized plots and blocks, for NUTS to draw from.
//   field_b = mu + tau_1 z_field_b, plot_p = field[b_p] + tau_2 z_plot_p, z ~ N(0, 1), all else as
//   there
data {
  int<lower=1> N;
  int<lower=1> B;
  int<lower=1> P;
  int<lower=1, upper=B> block_of[P];
  int<lower=1, upper=P> plot_of[N];
  vector[N] marvellous;
  vector[N] victory;
  vector[N] nitrogen;
  vector[N] y;
}
parameters {
  real mu;
  vector[3] beta;
  vector<lower=0>[2] tau;
  real<lower=0> sigma;
  vector[B] z_block;
  vector[P] z_plot;
}
model {
  vector[B] field = mu + tau[1] * z_block;
  vector[P] plot = field[block_of] + tau[2] * z_plot;
  mu ~ normal(80, 30);
  beta[1:2] ~ normal(0, 20);
  beta[3] ~ normal(0, 50);
  tau ~ normal(0, 20);
  sigma ~ normal(0, 20);
  z_block ~ normal(0, 1);
  z_plot ~ normal(0, 1);
  y ~ normal(plot[plot_of] + beta[1] * marvellous + beta[2] * victory + beta[3] * nitrogen, sigma);
}
