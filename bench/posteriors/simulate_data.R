# Writes the data.json of every posterior: simulated with fixed seeds, or published figures.
# Usage: Rscript bench/posteriors/simulate_data.R

folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(folder, "..", "..", "models", "json.R"))

inv_logit <- plogis
zero_or_one <- function(n, p = 0.5) rbinom(n, 1, p)

data <- list()

data$house_prices <- function() {
  N <- 60L
  X <- cbind(area = round(rnorm(N, 140, 35)), plot = round(runif(N, 250, 1800)),
             center = 10 * round(runif(N, 40, 1500)), rooms = sample(2:7, N, TRUE),
             people = 1000 * round(runif(N, 40, 900)))
  price <- 800 + X %*% c(14, 0.2, -0.06, 60, 0.0006) + rnorm(N, 0, 200)
  list(N = N, P = 5L, X = unname(X), price = round(as.vector(price)))
}

data$log_earnings <- function() {
  N <- 300L
  male <- zero_or_one(N)
  height <- round(rnorm(N, 64.5 + 5.5 * male, 2.7), 1)
  age <- sample(20:65, N, TRUE)
  mean <- 5.8 + 0.025 * height - 0.6 * male + 0.012 * height * male + 0.09 * age - 0.0009 * age^2
  list(N = N, earnings = signif(exp(rnorm(N, mean, 0.75)), 3), height = height, male = male,
       age = age)
}

# Each circumference is the same girth on another scale, with a few percent of its own.
data$body_fat <- function() {
  N <- 80L
  girth <- rnorm(N)
  X <- sapply(list(c(92, 10), c(99, 8), c(59, 5), c(100, 8.5), c(38, 2.4)), function(s) {
    round(s[1] + s[2] * (girth + rnorm(N, 0, 0.15)), 1)
  })
  fat <- 19 + 0.8 * (X[, 1] - 92) - 0.2 * (X[, 2] - 99) + 0.1 * (X[, 3] - 59) + rnorm(N, 0, 4)
  list(N = N, P = 5L, X = X, fat = round(fat, 1))
}

data$yearly_trend <- function() {
  year <- 1990:2020
  list(N = length(year), year = year, y = round(rnorm(31, -40000 + 20.5 * year, 45)))
}

data$heart_disease <- function() {
  N <- 400L
  X <- cbind(age = round(rnorm(N, 54, 9)), male = zero_or_one(N, 0.6),
             pressure = round(rnorm(N, 132, 17)), cholesterol = round(rnorm(N, 246, 50)),
             pulse = round(rnorm(N, 150, 22)), weight = round(rnorm(N, 79, 14), 1),
             depression = round(rexp(N, 1), 1), smoker = zero_or_one(N, 0.3),
             creatinine = round(rlnorm(N, 0, 0.25), 2), platelets = round(rnorm(N, 263, 70)))
  beta <- c(0.05, 0.9, 0.012, 0.004, -0.02, 0.01, 0.5, 0.6, 0.8, -0.002)
  y <- zero_or_one(N, inv_logit(-5.1 + X %*% beta))
  list(N = N, P = 10L, X = unname(X), y = y)
}

# Bliss (1935), The calculation of the dosage-mortality curve, Annals of Applied Biology 22,
# 134-167: beetles after five hours of carbon disulphide, log10 of milligrams per liter.
data$beetle_mortality <- function() {
  list(D = 8L, log_dose = c(1.6907, 1.7242, 1.7552, 1.7842, 1.8113, 1.8369, 1.8610, 1.8839),
       n = c(59, 60, 62, 56, 63, 59, 62, 60), killed = c(6, 13, 18, 28, 52, 53, 61, 60))
}

data$road_accidents <- function() {
  N <- 90L
  X <- cbind(limit = sample(c(30, 50, 70, 80, 100, 120), N, TRUE), lanes = sample(1:4, N, TRUE),
             junctions = round(rexp(N, 0.5), 1), lit = zero_or_one(N))
  driven <- round(rlnorm(N, 3, 0.8), 1)
  rate <- driven * exp(-2.5 + X %*% c(0.006, -0.15, 0.12, -0.3))
  list(N = N, P = 4L, X = unname(X), driven = driven, y = rpois(N, rate))
}

data$pest_traps <- function() {
  N <- 150L
  X <- cbind(before = round(rexp(N, 0.015)), treated = zero_or_one(N), old = zero_or_one(N, 0.3))
  days <- sample(3:14, N, TRUE)
  mean <- days * exp(0.9 + X %*% c(0.008, -0.6, -0.4))
  list(N = N, P = 3L, X = unname(X), days = days, y = rnbinom(N, size = 0.8, mu = mean))
}

data$hospital_mortality <- function() {
  J <- 12L
  n <- as.integer(round(runif(J, 200, 900)))
  list(J = J, n = n, deaths = rbinom(J, n, inv_logit(rnorm(J, -2.2, 0.5))))
}

data$five_lags <- function() {
  T <- 120L
  y <- 3 + arima.sim(list(ar = c(0.5, -0.2, 0.15, 0.1, 0.2)), T, sd = 0.8)
  list(K = 5L, T = T, y = round(as.numeric(y), 2))
}

data$moving_average <- function() {
  T <- 150L
  y <- 1.5 + arima.sim(list(ar = 0.7, ma = 0.4), T, sd = 0.6)
  list(T = T, y = round(as.numeric(y), 2))
}

data$volatile_returns <- function() {
  T <- 400L
  s <- 1.4
  y <- rnorm(1, 0.2, s)
  for (t in 2:T) {
    s <- sqrt(0.4 + 0.3 * (y[t - 1] - 0.2)^2 + 0.5 * s^2)
    y[t] <- rnorm(1, 0.2, s)
  }
  list(T = T, y = round(y, 2), s1 = 1.4)
}

data$local_level <- function() {
  T <- 30L
  level <- 105 + cumsum(rnorm(T, 0, 1))
  list(T = T, y = round(rnorm(T, level, 3), 1))
}

data$change_point <- function() {
  T <- 80L
  list(T = T, y = rpois(T, ifelse(1:T <= 33, 3.2, 1.4)))
}

data$two_regimes <- function() {
  T <- 150L
  state <- 1L
  for (t in 2:T) {
    leaves <- runif(1) < c(0.08, 0.15)[state[t - 1]]
    state[t] <- if (leaves) 3L - state[t - 1] else state[t - 1]
  }
  y <- rnorm(T, c(6, 14)[state], c(1.5, 3)[state])
  list(K = 50L, T = T, z = state[1:50], y = round(y, 1))
}

data$site_occupancy <- function() {
  N <- 100L
  altitude <- round(runif(N, 0.2, 2.6), 2)
  hours <- round(runif(N, 0.5, 3), 1)
  present <- zero_or_one(N, inv_logit(2 - 1.5 * altitude))
  list(N = N, visits = 5L, altitude = altitude, hours = hours,
       seen = rbinom(N, 5, present * inv_logit(-1.5 + 0.8 * hours)))
}

data$waiting_times <- function() {
  N <- 250L
  small <- runif(N) < 0.2
  list(N = N, y = round(ifelse(small, rnorm(N, 52, 5), rnorm(N, 76, 7)), 1))
}

data$rough_curve <- function() {
  N <- 14L
  x <- round(sort(runif(N, 0, 10)), 1)
  list(N = N, x = x, y = round(rnorm(N, 4 + 2 * sin(x) + 0.2 * x, 0.4), 2))
}

data$smooth_counts <- function() {
  x <- seq(-5, 5)
  list(N = 11L, x = x, y = rpois(11, exp(2.2 + 0.9 * sin(0.8 * x) - 0.05 * x)))
}

# Heun's rule with steps of 0.001 years is ample for data rounded to three digits.
data$lotka_volterra <- function() {
  change <- function(z) c((0.6 - 0.03 * z[2]) * z[1], (-0.8 + 0.025 * z[1]) * z[2])
  z <- c(32, 6)
  path <- matrix(z, 21, 2, byrow = TRUE)
  for (year in 1:20) {
    for (step in 1:1000) {
      slope <- change(z)
      z <- z + 0.0005 * (slope + change(z + 0.001 * slope))
    }
    path[year + 1, ] <- z
  }
  y <- signif(matrix(rlnorm(42, log(path), 0.25), 21), 3)
  list(N = 20L, time = 1:20, first = y[1, ], y = y[-1, ])
}

data$growth_curves <- function() {
  J <- 30L
  age <- seq(-14, 14, by = 7)
  curves <- rnorm(J, 242, 14) + rnorm(J, 6.2, 0.6) %o% age
  list(J = J, T = 5L, age = age, weight = round(curves + rnorm(5 * J, 0, 6)))
}

data$class_scores <- function() {
  C <- 15L
  S <- 5L
  room <- rep(1:C, each = 12)
  school <- (room - 1L) %/% 3L + 1L
  N <- length(room)
  x <- round(rnorm(N), 2)
  level <- 55 + rnorm(C, 0, 3)[room] + rnorm(S, 0, 4)[school]
  score <- rnorm(N, level + (6 + rnorm(S, 0, 2)[school]) * x, 7)
  list(N = N, C = C, S = S, room = room, school = school, x = x, score = round(score, 1))
}

data$exam_items <- function() {
  I <- 20L
  J <- 10L
  a <- rlnorm(J, 0.2, 0.4)
  b <- seq(-1.5, 1.5, length.out = J)
  y <- matrix(zero_or_one(I * J, inv_logit(t(a * t(outer(rnorm(I), b, "-"))))), I)
  list(I = I, J = J, y = y)
}

# All pairs meet once, and every second pair again with the order of the players reversed.
data$chess_ratings <- function() {
  K <- 8L
  pairs <- t(combn(K, 2))
  pairs <- rbind(pairs, pairs[seq(1, nrow(pairs), by = 2), 2:1])
  rating <- rnorm(K, 0, 0.5)
  G <- nrow(pairs)
  won <- zero_or_one(G, inv_logit(rating[pairs[, 1]] - rating[pairs[, 2]] + 0.3))
  list(K = K, G = G, first = pairs[, 1], second = pairs[, 2], won = won)
}

data$fish_caught <- function() {
  N <- 160L
  children <- sample(0:3, N, TRUE, c(0.5, 0.3, 0.15, 0.05))
  persons <- sample(1:4, N, TRUE)
  idle <- zero_or_one(N, inv_logit(-1.2 + 1.1 * children))
  list(N = N, children = children, persons = persons,
       y = (1 - idle) * rpois(N, exp(-0.3 + 0.5 * persons)))
}

data$petrol_yield <- function() {
  N <- 50L
  X <- cbind(gravity = round(rnorm(N, 39, 5.5), 1), pressure = round(runif(N, 0.2, 8), 1),
             end_point = round(runif(N, 205, 444)))
  m <- inv_logit(-5.8 + X %*% c(0.01, 0.06, 0.011))
  list(N = N, P = 3L, X = unname(X), y = round(rbeta(N, 90 * m, 90 * (1 - m)), 3))
}

# Treloar (1974), Effects of puromycin on galactosyltransferase in Golgi membranes, University of
# Toronto, in Bates and Watts (1988), Nonlinear regression analysis, Appendix A1: treated cells.
data$enzyme_kinetics <- function() {
  list(N = 12L, c = rep(c(0.02, 0.06, 0.11, 0.22, 0.56, 1.10), each = 2),
       rate = c(76, 47, 97, 107, 123, 139, 159, 152, 191, 201, 207, 200))
}

data$many_markers <- function() {
  N <- 200L
  P <- 20L
  X <- round(matrix(rnorm(N * P), N), 2)
  y <- zero_or_one(N, inv_logit(0.4 + X %*% rnorm(P, 0, 0.7)))
  list(N = N, P = P, X = X, y = y)
}

data$claim_sizes <- function() {
  N <- 120L
  X <- cbind(age = sample(18:80, N, TRUE) / 10 - 4.5, power = round(runif(N, -1, 1), 2),
             town = zero_or_one(N))
  m <- exp(7.5 + X %*% c(-0.12, 0.4, 0.3))
  list(N = N, P = 3L, X = unname(X), y = round(rgamma(N, 1.7, 1.7 / m), 2))
}

data$travel_choice <- function() {
  N <- 200L
  cost <- round(sapply(c(4, 7, 12, 2), function(m) rgamma(N, 6, 6 / m)), 1)
  time <- round(sapply(c(5, 4, 2.5, 7), function(m) rgamma(N, 8, 8 / m)), 1)
  gumbel <- -log(-log(matrix(runif(4 * N), N)))
  utility <- t(t(-0.25 * cost - 0.5 * time) + c(0, 0.6, -0.3, -1)) + gumbel
  list(N = N, cost = cost, time = time, choice = max.col(utility))
}

data$noisy_predictor <- function() {
  N <- 40L
  truth <- rnorm(N, 2, 1.2)
  list(N = N, x = round(rnorm(N, truth, 0.5), 2), y = round(rnorm(N, 1 + 0.8 * truth, 0.4), 2))
}

data$crossed_ratings <- function() {
  J <- 9L
  W <- 20L
  all <- expand.grid(judge = seq_len(J), wine = seq_len(W))
  judge <- rnorm(J, 0, 2)
  wine <- rnorm(W, 0, 3)
  y <- round(rnorm(nrow(all), 84 + judge[all$judge] + wine[all$wine], 2.5))
  list(N = nrow(all), J = J, W = W, judge = all$judge, wine = all$wine, y = y)
}

data$plant_growth <- function() {
  age <- seq(4, 96, 4)
  list(N = length(age), age = age,
       height = round(exp(rnorm(length(age), log(210) - 4 * exp(-0.05 * age), 0.08)), 1))
}

data$weekly_sales <- function() {
  N <- 156L
  year <- seq_len(N) / 52
  m <- exp(3 + 0.2 * year + 0.5 * sin(2 * pi * year) - 0.3 * cos(4 * pi * year))
  list(N = N, y = rnbinom(N, size = 12, mu = m))
}

data$wage_quantiles <- function() {
  N <- 150L
  X <- cbind(school = sample(8:18, N, TRUE), work = sample(0:40, N, TRUE))
  noise <- rexp(N, 1 / 3) * sample(c(-1, 1), N, TRUE)
  list(N = N, P = 2L, X = unname(X), wage = round(as.vector(2 + X %*% c(1.1, 0.15)) + noise, 2))
}

data$machine_failures <- function() {
  M <- 12L
  machine <- rep(seq_len(M), each = 6)
  t <- rweibull(length(machine), 1.6, exp(6 + 0.5 * rnorm(M)[machine]))
  list(N = length(machine), M = M, machine = machine, failed = as.integer(t < 900),
       t = round(pmin(t, 900), 1))
}

data$loan_default <- function() {
  N <- 200L
  X <- cbind(income = round(rlnorm(N, 3.7, 0.5), 1), debts = round(rbeta(N, 2, 3), 2),
             late = rpois(N, 0.8), owner = zero_or_one(N, 0.4))
  y <- zero_or_one(N, pnorm(-0.7 + X %*% c(-0.015, 1.4, 0.35, -0.3)))
  list(N = N, P = 4L, X = unname(X), y = y)
}

data$rents_by_district <- function() {
  D <- 8L
  district <- rep(seq_len(D), each = 40)
  area <- round(rgamma(length(district), 8, 8 / 7) - 7, 1)
  a <- rnorm(D, 6.6, 0.25)
  b <- rnorm(D, 0.12, 0.06)
  rent <- rlnorm(length(district), a[district] + b[district] * area, 0.18)
  list(N = length(district), D = D, district = district, area = area, rent = round(rent))
}

# Every person is treated in three of six weeks.
data$pain_ratings <- function() {
  J <- 15L
  all <- expand.grid(week = 1:6, person = seq_len(J))
  treated <- as.vector(replicate(J, sample(rep(0:1, 3))))
  latent <- 1.2 * rnorm(J)[all$person] - treated - 0.15 * all$week + rlogis(nrow(all))
  list(N = nrow(all), J = J, K = 5L, person = all$person, treated = treated, week = all$week,
       y = findInterval(latent, c(-2.5, -1, 0.3, 1.8)) + 1L)
}

data$three_firms <- function() {
  T <- 30L
  value <- round(matrix(rnorm(3 * T, c(8, 5, 3), c(2, 1.5, 0.8)), T, byrow = TRUE), 2)
  capital <- round(matrix(rnorm(3 * T, c(4, 3, 2), 0.8), T, byrow = TRUE), 2)
  common <- rnorm(T)
  noise <- (common + matrix(rnorm(3 * T), T)) %*% diag(c(0.7, 0.5, 0.3))
  y <- matrix(c(-1, 0.2, 0.1), T, 3, byrow = TRUE) + value %*% diag(c(0.4, 0.3, 0.5)) +
    capital %*% diag(c(0.3, 0.5, 0.2)) + noise
  list(T = T, value = value, capital = capital, y = round(y, 2))
}

data$heating_demand <- function() {
  T <- 78L
  temperature <- 11 - 8 * cos(2 * pi * seq_len(T) / 52) + rnorm(T, 0, 2.5)
  price <- 5 + arima.sim(list(ar = 0.8), T, sd = 0.4)
  X <- round(scale(cbind(temperature, price), scale = FALSE), 2)
  y <- 52 + X %*% c(-2.3, -1.5) + arima.sim(list(ar = 0.6), T, sd = 3)
  list(T = T, P = 2L, X = matrix(X, T), y = round(as.vector(y), 1))
}

data$clinical_trials <- function() {
  J <- 10L
  n <- as.integer(round(runif(J, 60, 400)))
  b <- rnorm(J, -1.6, 0.4)
  list(J = J, n0 = n, r0 = rbinom(J, n, inv_logit(b)),
       n1 = n, r1 = rbinom(J, n, inv_logit(b - 0.4 + rnorm(J, 0, 0.3))))
}

data$quarterly_visitors <- function() {
  T <- 24L
  quarter <- rep(1:4, length.out = T)
  level <- 4.9 + cumsum(rnorm(T, 0.02, 0.12))
  list(T = T, quarter = quarter, y = rpois(T, exp(level + c(0, 0.4, 0.9, 0.2)[quarter])))
}

# Birds are ringed in the years 1 to 5, and live until the first year that they do not survive.
data$ringed_birds <- function() {
  N <- 120L
  T <- 6L
  wing <- round(rnorm(N), 2)
  ringed <- sample(1:5, N, TRUE)
  died <- ringed + 1 + rgeom(N, 1 - inv_logit(0.7 + 0.5 * wing))
  p <- c(0, 0.6, 0.5, 0.7, 0.4, 0.6)
  seen <- t(sapply(seq_len(N), function(i) {
    alive <- seq_len(T) > ringed[i] & seq_len(T) < died[i]
    as.integer(seq_len(T) == ringed[i] | (alive & runif(T) < p))
  }))
  list(N = N, T = T, wing = wing, seen = seen)
}

data$lake_sediments <- function() {
  N <- 39L
  depth <- round(sort(runif(N, 10, 105)), 1)
  x <- log(depth / 40)
  weight <- exp(cbind(0, 0.4 + 0.9 * x, -0.2 + 1.8 * x))
  gamma <- matrix(rgamma(3 * N, 18 * weight / rowSums(weight)), N)
  y <- round(gamma / rowSums(gamma), 3)
  y[, 2] <- 1 - y[, 1] - y[, 3]
  list(N = N, depth = depth, y = y)
}

data$disease_progress <- function() {
  N <- 80L
  P <- 15L
  X <- round(sqrt(0.4) * rnorm(N) + sqrt(0.6) * matrix(rnorm(N * P), N), 2)
  beta <- c(30, -20, 0, 0, 12, rep(0, 6), 25, 0, 0, -8)
  list(N = N, P = P, X = X, y = round(as.vector(150 + X %*% beta) + rnorm(N, 0, 45)))
}

data$river_levels <- function() {
  T <- 64L
  year <- round((seq_len(T) - (T + 1) / 2) / 10, 2)
  gumbel <- -log(-log(runif(T)))
  list(T = T, year = year, y = round(310 + 12 * year + exp(3.9 + 0.05 * year) * gumbel))
}

data$tooth_growth <- function() {
  N <- 60L
  dose <- rep(c(0.5, 1, 2), length.out = N)
  kind <- rep(0:1, each = N / 2)
  x <- log(dose)
  mean <- 20 + 9 * x - 3.5 * kind + 2 * kind * x
  list(N = N, dose = dose, kind = kind, y = round(rnorm(N, mean, exp(1.2 - 0.2 * x)), 1))
}

data$yeast_growth <- function() {
  J <- 6L
  hour <- seq(0, 20, by = 2)
  T <- length(hour)
  r <- exp(rnorm(J, -0.8, 0.15))
  size <- t(sapply(r, function(r) 12 / (1 + (12 / 0.15 - 1) * exp(-r * hour))))
  list(J = J, T = T, hour = hour, y = signif(size * exp(matrix(rnorm(J * T, 0, 0.12), J)), 3))
}

data$twin_sensors <- function() {
  J <- 12L
  K <- 4L
  level <- rnorm(J, 22, 4)
  list(J = J, K = K, x = round(level + matrix(rnorm(J * K, 0, 0.8), J), 2),
       y = round(1.5 + 0.9 * level + matrix(rnorm(J * K, 0, 1.1), J), 2))
}

data$vote_shares <- function() {
  R <- 9L
  A <- 5L
  region <- rep(seq_len(R), each = A)
  age <- rep(seq_len(A), R)
  income <- round(rnorm(R), 2)[region]
  logit <- -0.2 + 0.3 * income + rnorm(R, 0, 0.35)[region] + rnorm(A, 0, 0.5)[age]
  asked <- sample(25:80, R * A, TRUE)
  list(N = R * A, R = R, A = A, region = region, age = age, income = income, asked = asked,
       y = rbinom(R * A, asked, inv_logit(logit)))
}

RNGversion("4.0.0")
for (name in names(data)) {
  set.seed(sum(utf8ToInt(name)))
  write_json(data[[name]](), file.path(folder, name, "data.json"))
}
