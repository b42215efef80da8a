// Yearly highest levels of a river, Gumbel with a location and a log scale that change over the years.
//   y_t ~ Gumbel(a + b t, exp(c + d t)), a ~ N(300, 200), b ~ N(0, 50), c ~ N(4, 2), d ~ N(0, 1)
data {
  int<lower=1> T;
  vector[T] year;  // decades since the middle one
  vector[T] y;  // centimeters
}
parameters {
  real a;
  real b;
  real c;
  real d;
}
model {
  a ~ normal(300, 200);
  b ~ normal(0, 50);
  c ~ normal(4, 2);
  d ~ normal(0, 1);
  y ~ gumbel(a + b * year, exp(c + d * year));
}
