// Answers of N pupils to a test of I items given in G languages (Rasch model).
//   P(y[n, i] = 1) = logit^-1(ability_n - difficulty[language_n, i]),
//   ability ~ N(0, 1), difficulty ~ N(0, 1.5)
data {
  int<lower=1> N;
  int<lower=1> I;
  int<lower=1> G;
  array[N, I] int<lower=0, upper=1> y;
  array[N] int<lower=1, upper=G> language;
}
parameters {
  vector[N] ability;
  array[G, I] real difficulty;
}
model {
  ability ~ normal(0, 1);
  for (g in 1:G) difficulty[g] ~ normal(0, 1.5);
  for (n in 1:N) y[n] ~ bernoulli_logit(ability[n] - to_vector(difficulty[language[n]]));
}
generated quantities {
  // How much harder item i is in the last language than in the first.
  vector[I] harder = to_vector(difficulty[G]) - to_vector(difficulty[1]);
  array[G] real mean_score = rep_array(0.0, G);  // of a pupil with ability 0
  array[N, I] int y_rep;
  for (g in 1:G) {
    for (i in 1:I) mean_score[g] += inv_logit(-difficulty[g, i]);
  }
  for (n in 1:N) {
    y_rep[n] = bernoulli_logit_rng(ability[n] - to_vector(difficulty[language[n]]));
  }
}
