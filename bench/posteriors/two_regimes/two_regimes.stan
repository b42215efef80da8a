// Hidden Markov chain with a calm and a busy state that were observed, too, until time K.
//   P(z_t = z_[t-1]) = stay[z_[t-1]], y_t ~ N(mu[z_t], sigma[z_t]), z_1 .. z_K given,
//   stay ~ Beta(8, 2), mu ~ N(10, 10), sigma ~ half-N(0, 5)
data {
  int<lower=2> K;
  int<lower=K + 1> T;
  int<lower=1, upper=2> z[K];
  vector[T] y;
}
parameters {
  vector<lower=0, upper=1>[2] stay;
  vector[2] mu;
  vector<lower=0>[2] sigma;
}
model {
  vector[2] log_stay = log(stay);
  vector[2] log_leave = log1m(stay);
  vector[2] a;  // log p(y_[K+1] .. y_t, z_t | z_K)
  stay ~ beta(8, 2);
  mu ~ normal(10, 10);
  sigma ~ normal(0, 5);
  y[1:K] ~ normal(mu[z], sigma[z]);
  for (t in 2:K) target += z[t] == z[t - 1] ? log_stay[z[t - 1]] : log_leave[z[t - 1]];
  a[z[K]] = log_stay[z[K]];
  a[3 - z[K]] = log_leave[z[K]];
  for (t in (K + 1):T) {
    if (t > K + 1) {
      a = [log_sum_exp(a[1] + log_stay[1], a[2] + log_leave[2]),
           log_sum_exp(a[1] + log_leave[1], a[2] + log_stay[2])]';
    }
    for (k in 1:2) a[k] += normal_lpdf(y[t] | mu[k], sigma[k]);
  }
  target += log_sum_exp(a);
}
