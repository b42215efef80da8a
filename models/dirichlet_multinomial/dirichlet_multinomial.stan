// Votes for K parties in J districts, whose shares vary around a common simplex.
//   votes_j ~ DirichletMultinomial(concentration share), the shares of a district summed out,
//   share ~ Dirichlet(2), concentration ~ logN(3, 1)
functions {
  // Without the multinomial coefficient, which is constant.
  real polya_lpmf(int[] n, vector alpha) {
    return lgamma(sum(alpha)) - lgamma(sum(alpha) + sum(n))
           + sum(lgamma(alpha + to_vector(n)) - lgamma(alpha));
  }
}
data {
  int<lower=1> J;
  int<lower=2> K;
  int<lower=0> votes[J, K];
}
parameters {
  simplex[K] share;
  real<lower=0> concentration;
}
model {
  vector[K] alpha = concentration * share;
  share ~ dirichlet(rep_vector(2, K));
  concentration ~ lognormal(3, 1);
  for (j in 1:J) votes[j] ~ polya(alpha);
}
generated quantities {
  real parties = exp(-dot_product(share, log(share)));  // effective number of parties
  real spread[K];  // sd of a party's share between districts
  for (k in 1:K) spread[k] = sqrt(share[k] * (1 - share[k]) / (concentration + 1));
}
