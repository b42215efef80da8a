// Scores of pupils in classes in schools: three levels, effects standardized.
//   score_i ~ N(mu + tau_1 u[room_i] + tau_2 v[school_i] + (beta + tau_3 w[school_i]) x_i, sigma),
//   u, v, w ~ N(0, 1), mu ~ N(50, 20), beta ~ N(0, 10), tau ~ half-N(0, 5), sigma ~ half-N(0, 10)
data {
  int<lower=1> N;
  int<lower=1> C;
  int<lower=1> S;
  int<lower=1, upper=C> room[N];  // the class
  int<lower=1, upper=S> school[N];
  vector[N] x;  // standardized score of the year before
  vector[N] score;
}
parameters {
  real mu;
  real beta;
  vector<lower=0>[3] tau;
  vector[C] u;
  vector[S] v;
  vector[S] w;
  real<lower=0> sigma;
}
model {
  mu ~ normal(50, 20);
  beta ~ normal(0, 10);
  tau ~ normal(0, 5);
  u ~ normal(0, 1);
  v ~ normal(0, 1);
  w ~ normal(0, 1);
  sigma ~ normal(0, 10);
  score ~ normal(mu + tau[1] * u[room] + tau[2] * v[school]
                 + (beta + tau[3] * w[school]) .* x, sigma);
}
