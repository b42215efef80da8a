functions { array[] real f(array[,] int n) { return {1.0}; } }
data { int N; array[N] vector<lower=0>[3] v; array[2, 3] real x; }
transformed data { int k = 1; k = 2; array[N] real y = rep_array(0, N); }
parameters { real a, b; } // array[1] real z
model { a ~ normal(0, 1); real c = 2; { real d; } target += normal_lupdf(b | c, 1); }
generated quantities { real q; q = 1; array[2] real r = {1, 2}; }
