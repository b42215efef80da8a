// Counts whose rate changes once, the time of the change summed out.
//   y_t ~ Poisson(early) for t <= s, Poisson(late) for t > s, s uniform on 1 .. T - 1,
//   early, late ~ Exponential(0.2)
data {
  int<lower=2> T;
  int<lower=0> y[T];
}
transformed data {
  vector[T] total = cumulative_sum(to_vector(y));
  vector[T - 1] before;  // s, and below how much was counted until then
  vector[T - 1] counted = total[1:(T - 1)];
  for (s in 1:(T - 1)) before[s] = s;
}
parameters {
  real<lower=0> early;
  real<lower=0> late;
}
model {
  early ~ exponential(0.2);
  late ~ exponential(0.2);
  target += log_sum_exp(counted * log(early) - before * early
                        + (total[T] - counted) * log(late) - (T - before) * late);
}
