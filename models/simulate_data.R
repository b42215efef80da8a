# Writes the data.json of every program: simulated with fixed seeds, or published figures.
# Usage: Rscript models/simulate_data.R

folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(folder, "json.R"))

inv_logit <- plogis

# Standard normal numbers, rounded so that the file holds exactly what was simulated from.
features <- function(n, p) round(matrix(rnorm(n * p), n, p), 2)

data <- list()

# Rubin (1981), Estimation in parallel randomized experiments, Table 1.
eight_schools <- function() {
  list(J = 8L, y = c(28, 8, -3, 7, -1, 1, 18, 12), sigma = c(15, 10, 16, 11, 9, 11, 10, 18))
}
data$eight_schools_centered <- eight_schools
data$eight_schools_noncentered <- eight_schools

data$radon <- function() {
  N <- 120L
  J <- 10L
  alpha <- rnorm(J, 1.3, 0.5)
  county <- rep(1:J, length.out = N)
  floor_measure <- rbinom(N, 1, 0.25)
  log_radon <- round(rnorm(N, alpha[county] - 0.6 * floor_measure, 0.7), 2)
  list(N = N, J = J, county = county, floor_measure = floor_measure, log_radon = log_radon)
}

data$linear_regression <- function() {
  N <- 40L
  X <- features(N, 4)
  X[, 2] <- round(0.8 * X[, 1] + 0.6 * X[, 2], 2)
  y <- round(rnorm(N, X %*% c(0.8, -0.5, 0, 1.2), 0.6), 2)
  list(N = N, P = 4L, X = X, y = y, sigma = 0.6)
}

data$logistic_regression <- function() {
  N <- 80L
  X <- cbind(1, features(N, 3))
  list(N = N, P = 4L, X = X, y = rbinom(N, 1, inv_logit(X %*% c(0.3, 1, -0.7, 0))))
}

data$poisson_hierarchical <- function() {
  R <- 8L
  T <- 5L
  exposure <- round(runif(R, 1, 3), 1)
  rate <- exposure * exp(rnorm(R, 0.3, 0.5))
  y <- sapply(1:T, function(t) rpois(R, rate * exp(0.1 * (t - 3))))
  list(R = R, T = T, y = y, exposure = exposure)
}

data$gaussian_mixture <- function() {
  N <- 80L
  first <- runif(N) < 0.4
  list(N = N, y = round(ifelse(first, rnorm(N, -2, 0.8), rnorm(N, 2, 1.1)), 2))
}

data$gaussian_process <- function() {
  N <- 20L
  x <- round(sort(runif(N, 0, 5)), 2)
  x_new <- c(0.5, 2.25, 4.5)
  list(N = N, x = x, y = round(rnorm(N, 1.2 * sin(1.5 * x), 0.3), 2), M = 3L, x_new = x_new)
}

data$autoregression <- function() {
  N <- 60L
  y <- 2 + arima.sim(list(ar = c(0.7, -0.3)), N)
  list(N = N, y = round(as.numeric(y), 2), H = 4L)
}

data$hidden_markov <- function() {
  N <- 80L
  state <- 1L
  for (t in 2:N) state[t] <- if (runif(1) < 0.15) 3L - state[t - 1] else state[t - 1]
  list(N = N, K = 2L, y = round(rnorm(N, c(-1, 1.5)[state], 0.7), 2), stickiness = 4)
}

# One step of 0.001 hours at a time is ample for data rounded to two digits.
data$pharmacokinetics <- function() {
  time <- c(0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 10)
  guess <- c(1.2, 1.5, 1.5, 1.5)
  true <- c(1.5, 1.8, 1.3, 1.4)
  amount <- c(10, 0)
  concentration <- numeric(0)
  for (step in seq_len(1000 * max(time))) {
    c2 <- amount[2] / true[4]
    absorbed <- true[1] * amount[1]
    amount <- amount + 0.001 * c(-absorbed, absorbed - true[2] * c2 / (true[3] + c2))
    if (any(step == round(1000 * time))) concentration <- c(concentration, amount[2] / true[4])
  }
  N <- length(time)
  list(N = N, time = time, y = signif(rlnorm(N, log(concentration), 0.1), 3), dose = 10,
       guess = guess)
}

data$dirichlet_multinomial <- function() {
  J <- 12L
  gamma <- sapply(30 * c(0.4, 0.3, 0.2, 0.1), function(a) rgamma(J, a))
  votes <- t(apply(gamma, 1, function(g) rmultinom(1, 60, g)))
  list(J = J, K = 4L, votes = votes)
}

data$ordinal_regression <- function() {
  N <- 70L
  X <- features(N, 2)
  y <- 1L + rowSums(outer(as.vector(X %*% c(1, -0.6)) + rlogis(N), c(-1.5, 0, 1.5), ">"))
  list(N = N, P = 2L, K = 4L, X = X, y = as.integer(y))
}

data$correlated_effects <- function() {
  J <- 10L
  N <- 15L * J
  X <- cbind(1, features(N, 2))
  correlation <- matrix(c(1, 0.5, -0.3, 0.5, 1, 0, -0.3, 0, 1), 3)
  effect <- t(c(1, 0.5, -0.5) + c(0.7, 0.6, 0.5) * t(matrix(rnorm(3 * J), J) %*% chol(correlation)))
  group <- rep(1:J, each = 15)
  y <- round(rnorm(N, rowSums(X * effect[group, ]), 0.5), 2)
  list(N = N, J = J, K = 3L, X = X, group = group, y = y)
}

data$robust_regression <- function() {
  N <- 50L
  x <- features(N, 2)
  list(N = N, P = 2L, x = x, y = round(as.vector(1 + x %*% c(0.8, -0.4)) + 0.5 * rt(N, 3), 2))
}

data$censored_survival <- function() {
  N <- 60L
  X <- cbind(rbinom(N, 1, 0.5), features(N, 1))
  time <- rweibull(N, 1.5, exp(1 + X %*% c(0.5, -0.3)))
  visit <- runif(N, 2, 8)
  list(N = N, P = 2L, X = X, time = round(pmin(time, visit), 2), event = as.integer(time < visit))
}

data$dose_response <- function() {
  D <- 8L
  log_dose <- seq(-2, 1.5, by = 0.5)
  n <- rep(40L, D)
  p <- 0.1 + 0.8 * inv_logit(-3 * (log_dose + 0.2))
  list(D = D, log_dose = log_dose, n = n, y = rbinom(D, n, p))
}

data$covariance_matrix <- function() {
  N <- 40L
  root <- chol(matrix(c(1, 0.6, 0.2, 0.6, 1.5, -0.4, 0.2, -0.4, 0.8), 3))
  y <- round(t(c(0.5, -1, 2) + t(matrix(rnorm(3 * N), N) %*% root)), 2)
  list(N = N, K = 3L, y = y)
}

# Normal scatter around a direction, scaled to length one.
data$mean_direction <- function() {
  N <- 12L
  y <- t(c(0.6, 0.48, 0.64) + t(matrix(rnorm(3 * N, 0, 0.5), N)))
  list(N = N, y = round(y / sqrt(rowSums(y^2)), 4))
}

data$item_response <- function() {
  N <- 24L
  I <- 5L
  language <- rep(1:2, length.out = N)
  difficulty <- rbind(c(-1.2, -0.5, 0, 0.5, 1.2), c(-1, -0.5, 0.8, 0.4, 1))
  y <- matrix(rbinom(N * I, 1, inv_logit(rnorm(N) - difficulty[language, ])), N)
  list(N = N, I = I, G = 2L, y = y, language = language)
}

RNGversion("4.0.0")
for (name in names(data)) {
  set.seed(sum(utf8ToInt(name)))
  write_json(data[[name]](), file.path(folder, name, "data.json"))
}
