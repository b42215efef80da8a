parameters { real<lower=0> x[3]; }
model { /* array[ */ x ~ normal(0, 1); }
