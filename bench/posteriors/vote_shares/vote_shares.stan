// Votes by region and age group: binomial, logits with crossed effects of both, non-centered.
//   y_i ~ Binomial(asked_i, logit^-1(alpha + beta income_i + tau_r u_region + tau_a v_age)),
//   alpha, beta ~ N(0, 2), tau_r, tau_a ~ N+(0, 1), u, v ~ N(0, 1)
data {
  int<lower=1> N;
  int<lower=1> R;
  int<lower=1> A;
  int<lower=1, upper=R> region[N];
  int<lower=1, upper=A> age[N];
  vector[N] income;
  int<lower=1> asked[N];
  int<lower=0> y[N];
}
parameters {
  real alpha;
  real beta;
  real<lower=0> tau_r;
  real<lower=0> tau_a;
  vector[R] u;
  vector[A] v;
}
model {
  alpha ~ normal(0, 2);
  beta ~ normal(0, 2);
  tau_r ~ normal(0, 1);
  tau_a ~ normal(0, 1);
  u ~ normal(0, 1);
  v ~ normal(0, 1);
  y ~ binomial_logit(asked, alpha + beta * income + tau_r * u[region] + tau_a * v[age]);
}
