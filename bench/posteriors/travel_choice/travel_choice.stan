// Multinomial logit: which of four ways to travel, by their cost and time.
//   P(choice_i = k) proportional to exp(a_k + b_1 cost_ik + b_2 time_ik), a_1 = 0,
//   a_2, a_3, a_4 ~ N(0, 3), b ~ N(0, 1)
data {
  int<lower=1> N;
  vector[4] cost[N];
  vector[4] time[N];
  int<lower=1, upper=4> choice[N];
}
parameters {
  vector[3] a;
  vector[2] b;
}
model {
  a ~ normal(0, 3);
  b ~ normal(0, 1);
  for (i in 1:N) {
    choice[i] ~ categorical_logit(append_row(0, a) + b[1] * cost[i] + b[2] * time[i]);
  }
}
