// Yield of oats in a split plot: subplots in plots in blocks, plots centered on blocks.
//   y_i ~ N(plot[p_i] + beta_1 marvellous_i + beta_2 victory_i + beta_3 nitrogen_i, sigma),
//   plot_p ~ N(field[b_p], tau_2), field_b ~ N(mu, tau_1), mu ~ N(80, 30), beta ~ N(0, (20, 20, 50)),
//   tau, sigma ~ half-N(0, 20)
data {
  int<lower=1> N;
  int<lower=1> B;
  int<lower=1> P;
  int<lower=1, upper=B> block_of[P];
  int<lower=1, upper=P> plot_of[N];
  vector[N] marvellous;
  vector[N] victory;
  vector[N] nitrogen;  // hundredweights per acre, less its mean
  vector[N] y;  // quarter pounds
}
parameters {
  real mu;
  vector[3] beta;
  vector<lower=0>[2] tau;
  real<lower=0> sigma;
  vector[B] field;
  vector[P] plot;
}
model {
  mu ~ normal(80, 30);
  beta[1:2] ~ normal(0, 20);
  beta[3] ~ normal(0, 50);
  tau ~ normal(0, 20);
  sigma ~ normal(0, 20);
  field ~ normal(mu, tau[1]);
  plot ~ normal(field[block_of], tau[2]);
  y ~ normal(plot[plot_of] + beta[1] * marvellous + beta[2] * victory + beta[3] * nitrogen, sigma);
}
