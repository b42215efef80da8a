// Hidden Markov model with Gaussian emissions, the states summed out by the forward algorithm.
//   z_1 uniform, z_t ~ Categorical(transition[z_[t-1]]), y_t ~ N(mu[z_t], sigma),
//   transition_k ~ Dirichlet(stickiness in k, 1 elsewhere), mu ~ N(0, 3), sigma ~ half-N(0, 1)
functions {
  // Row t holds log p(y_1 .. y_t, z_t = k).
  array[] vector forward(array[] real y, array[] vector transition, vector mu, real sigma) {
    int N = size(y);
    int K = num_elements(mu);
    array[N] vector[K] log_alpha;
    array[K] real path;
    for (k in 1:K) log_alpha[1, k] = -log(K) + normal_lpdf(y[1] | mu[k], sigma);
    for (t in 2:N) {
      for (k in 1:K) {
        for (j in 1:K) path[j] = log_alpha[t - 1, j] + log(transition[j, k]);
        log_alpha[t, k] = log_sum_exp(path) + normal_lpdf(y[t] | mu[k], sigma);
      }
    }
    return log_alpha;
  }
}
data {
  int<lower=1> N;
  int<lower=2> K;
  array[N] real y;
  real<lower=1> stickiness;
}
transformed data {
  array[K] vector[K] prior = rep_array(rep_vector(1, K), K);
  for (k in 1:K) prior[k, k] = stickiness;
}
parameters {
  array[K] simplex[K] transition;
  ordered[K] mu;
  real<lower=0> sigma;
}
transformed parameters {
  array[N] vector[K] log_alpha = forward(y, transition, mu, sigma);
}
model {
  for (k in 1:K) transition[k] ~ dirichlet(prior[k]);
  mu ~ normal(0, 3);
  sigma ~ normal(0, 1);
  target += log_sum_exp(log_alpha[N]);
}
generated quantities {
  // p(z_N = k | y), and a draw of the next value.
  vector[K] current = softmax(log_alpha[N]);
  real y_next;
  {
    int now = categorical_rng(current);
    int next = categorical_rng(transition[now]);
    y_next = normal_rng(mu[next], sigma);
  }
}
