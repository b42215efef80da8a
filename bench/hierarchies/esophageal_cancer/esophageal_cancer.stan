// Cancer of the esophagus by age, alcohol and tobacco: binomial logits, the effects of the ordered
// groups are random walks with few steps, standardized.
//   y_i ~ Binomial(n_i, inv_logit(alpha + a[age_i] + b[alcohol_i] + c[tobacco_i])),
//   a_1 = b_1 = c_1 = 0, a_k = a_[k-1] + tau_1 z, and so on, z ~ N(0, 1), alpha ~ N(-3, 3),
//   tau ~ half-N(0, 1)
data {
  int<lower=1> N;
  int<lower=2> A;
  int<lower=2> B;
  int<lower=2> C;
  int<lower=1, upper=A> age[N];
  int<lower=1, upper=B> alcohol[N];
  int<lower=1, upper=C> tobacco[N];
  int<lower=0> n[N];
  int<lower=0> y[N];
}
parameters {
  real alpha;
  vector<lower=0>[3] tau;
  vector[A - 1] z_age;
  vector[B - 1] z_alcohol;
  vector[C - 1] z_tobacco;
}
model {
  vector[A] a = append_row(0, tau[1] * cumulative_sum(z_age));
  vector[B] b = append_row(0, tau[2] * cumulative_sum(z_alcohol));
  vector[C] c = append_row(0, tau[3] * cumulative_sum(z_tobacco));
  alpha ~ normal(-3, 3);
  tau ~ normal(0, 1);
  z_age ~ normal(0, 1);
  z_alcohol ~ normal(0, 1);
  z_tobacco ~ normal(0, 1);
  y ~ binomial_logit(n, alpha + a[age] + b[alcohol] + c[tobacco]);
}
