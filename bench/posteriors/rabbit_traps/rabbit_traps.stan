// Rabbits caught in T trappings, not equally easily; how many there are is summed out.
//   times caught ~ BetaBinomial(T, p (1 - c) / c, (1 - p) (1 - c) / c) for each of n rabbits,
//   n uniform from those seen to M, p, c ~ U(0, 1): the mean probability and its correlation
data {
  int<lower=1> T;
  int<lower=1> M;
  int<lower=0> caught[T];  // rabbits caught once, twice, ... T times
}
transformed data {
  int seen = sum(caught);
  int others = M - seen;
  vector[others + 1] log_ways;  // of choosing those seen among n
  for (k in 0:others) log_ways[k + 1] = lchoose(seen + k, seen);
}
parameters {
  real<lower=0, upper=1> p;
  real<lower=0, upper=1> c;
}
model {
  real a = p * (1 - c) / c;
  real b = (1 - p) * (1 - c) / c;
  real never = beta_binomial_lpmf(0 | T, a, b);
  vector[others + 1] term = log_ways;
  for (k in 1:others) term[k + 1] += k * never;
  for (t in 1:T) target += caught[t] * beta_binomial_lpmf(t | T, a, b);
  target += log_sum_exp(term);
}
