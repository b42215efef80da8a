// Birds ringed and seen again (Cormack, Jolly and Seber), the unseen years summed out.
//   P(bird i lives another year) = inv_logit(a + b wing_i), P(seen in year t | alive) = p_t,
//   a ~ N(0, 1.5), b ~ N(0, 1), p_t ~ U(0, 1)
data {
  int<lower=1> N;
  int<lower=2> T;
  vector[N] wing;  // standardized length
  int<lower=0, upper=1> seen[N, T];
}
transformed data {
  int first[N] = rep_array(0, N);
  int last[N];
  for (i in 1:N) {
    for (t in 1:T) {
      if (seen[i, t]) {
        if (first[i] == 0) first[i] = t;
        last[i] = t;
      }
    }
  }
}
parameters {
  real a;
  real b;
  vector<lower=0, upper=1>[T - 1] p;  // of the years 2 to T
}
model {
  a ~ normal(0, 1.5);
  b ~ normal(0, 1);
  for (i in 1:N) {
    real phi = inv_logit(a + b * wing[i]);
    real never = 1;  // P(not seen after year t | alive in t), from the last year back
    for (t in (first[i] + 1):last[i]) target += log(phi) + bernoulli_lpmf(seen[i, t] | p[t - 1]);
    for (back in 1:(T - last[i])) never = 1 - phi * (1 - (1 - p[T - back]) * never);
    target += log(never);
  }
}
