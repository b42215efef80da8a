# Makes reference.json (moments by NUTS) and check.json (values at random points) of the programs.
# Usage: Rscript models/make_references.R [--folder=bench/posteriors] [NAME ...]
# All programs of the folder when none is named; models/ and its check.json without --folder.
# MC_CORES=2 in the environment runs two chains at a time; the files do not depend on it.

suppressMessages(library(rstan))

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "json.R"))

arguments <- commandArgs(trailingOnly = TRUE)
is_folder <- grepl("^--folder=", arguments)
elsewhere <- any(is_folder)
folder <- if (elsewhere) sub("^--folder=", "", arguments[is_folder]) else here

chains <- 4
warmup <- 1000
slow <- c("great_discoveries", "lotka_volterra", "survey_heights")
middling <- c("cask_pastes", "ear_bacteria", "grouse_ticks", "jaw_growth", "kidney_infections",
              "oxford_boys")
long <- c("columbus_crime", "litter_tumors", "seed_germination", "teacher_expectancy")
kept <- function(name) {  # of every chain; a scale that may be almost zero has a long tail
  if (name %in% slow) return(2500)
  if (name %in% middling) return(5000)
  if (name == "stock_volatility") return(25000)
  if (basename(folder) == "hierarchies" && !name %in% long) 2500 else 10000
}
seed <- 20210
points <- 5

# A unit vector u / |u| jumps at u = 0: a few trajectories that pass near it diverge whatever the
# step. The README says how the moments were checked.
careful <- c("berkeley_admissions", "cask_pastes", "columbus_crime", "crime_rates",
             "fuel_consumption", "index_returns", "laboratory_trial", "light_speed",
             "litter_tumors", "magnesium_trials", "oxide_thickness", "stock_volatility",
             "underlying_risk")
adapt_delta <- function(name) {
  if (name == "mean_direction") 0.999 else if (name %in% careful) 0.99 else 0.95
}

# Columns that are not centered make the intercept and the coefficients strongly dependent: with a
# diagonal metric, NUTS needs as many steps as the widest direction is wider than the narrowest.
uncentered <- c("beetle_mortality", "body_fat", "heart_disease", "log_earnings",
                "longley_employment", "low_birthweight", "lynx_cycles", "petrol_yield",
                "stack_loss", "veteran_survival", "yearly_trend")
# So do crossed effects, of which one is centered on a mean: levels of one move against the other's.
crossed <- c("laboratory_trial", "penicillin_plates")
metric <- function(name) if (name %in% c(uncentered, crossed)) "dense_e" else "diag_e"

# Three kinds of posterior NUTS can only sample through another program with the same data, whose
# draws are then moved. A centered program with little data is a funnel: theta_j = mu + tau z_j.
# Where sds span many orders of magnitude, warmup does not find them: columns are standardized. And
# the mean of an autoregression that hardly comes back to it is a funnel.
from_standardized <- function(columns) function(u, data) {
  X <- columns(data)
  slopes <- 1 + seq_len(ncol(X))
  u[slopes] <- u[slopes] / apply(X, 2, sd)
  u[1] <- u[1] - sum(u[slopes] * colMeans(X))
  u
}
drawn_with <- list(
  eight_schools_centered = list(
    program = "eight_schools_noncentered/eight_schools_noncentered",
    move = function(u, data) { u[-(1:2)] <- u[1] + exp(u[2]) * u[-(1:2)]; u }),
  cattle_pneumonia = list(
    program = "cattle_pneumonia/noncentered",
    move = function(u, data) { u[-(1:5)] <- u[1] + exp(u[5]) * u[-(1:5)]; u }),
  chess_ratings = list(
    program = "chess_ratings/noncentered",
    move = function(u, data) { u[-(1:2)] <- exp(u[1]) * u[-(1:2)]; u }),
  house_prices = list(
    program = "house_prices/standardized",
    move = from_standardized(function(data) data$X)),
  heart_disease = list(
    program = "heart_disease/standardized",
    move = from_standardized(function(data) data$X)),
  log_earnings = list(
    program = "log_earnings/standardized",
    move = from_standardized(function(data) {
      with(data, cbind(height, male, height * male, age, age^2))
    })),
  longley_employment = list(
    program = "longley_employment/standardized",
    move = from_standardized(function(data) data$X)),
  road_accidents = list(
    program = "road_accidents/standardized",
    move = from_standardized(function(data) data$X)),
  seed_germination = list(
    program = "seed_germination/noncentered",
    move = function(u, data) {
      X <- with(data, cbind(1, bean, cucumber, bean * cucumber))
      u[-(1:5)] <- X %*% u[1:4] + exp(u[5]) * u[-(1:5)]
      u
    }),
  split_plot_oats = list(
    program = "split_plot_oats/noncentered",
    move = function(u, data) {
      block <- 7 + seq_len(data$B)
      plot <- 7 + data$B + seq_len(data$P)
      u[block] <- u[1] + exp(u[5]) * u[block]
      u[plot] <- u[block][data$block_of] + exp(u[6]) * u[plot]
      u
    }),
  stock_volatility = list(
    program = "stock_volatility/first_level",
    move = function(u, data) {
      phi <- 2 * plogis(u[2]) - 1
      s <- exp(u[3]) / sqrt(1 - phi^2)
      mu <- (4 * u[1] + 2 * s * sqrt(4 + s^2) * u[4]) / (4 + s^2)
      u[4] <- (u[1] - mu) / s
      u[1] <- mu
      u
    }),
  teacher_expectancy = list(
    program = "teacher_expectancy/noncentered",
    move = function(u, data) { u[-(1:2)] <- u[1] + exp(u[2]) * u[-(1:2)]; u }))

# Stan 2.21 knows declarations as `real y[N]` and arguments as `real[] y` only.
to_old_arrays <- function(code) {
  code <- gsub("array\\[([ ,]*)\\] (\\w+)", "\\2[\\1]", code)
  gsub("array\\[([^]]*)\\] (\\w+(<[^>]*>)?(\\[[^]]*\\])?) (\\w+)", "\\2 \\5[\\1]", code)
}

compile <- function(program) {
  code <- paste(readLines(file.path(folder, paste0(program, ".stan"))), collapse = "\n")
  # Debian's BH package holds no headers; they are in libboost-dev.
  stan_model(model_code = to_old_arrays(code), model_name = basename(program),
             boost_lib = "/usr/include")
}

# Integers stay integers, and arrays of rows become matrices. No variable has a single element in an
# array, which would be taken for a scalar.
read_data <- function(name) jsonlite::fromJSON(file.path(folder, name, "data.json"))

instance <- function(fit) fit@.MISC$stan_fit_instance

# Stan's names with brackets, `theta[3]` for theta.3, in Stan's order.
with_brackets <- function(dotted) {
  indexed <- grepl(".", dotted, fixed = TRUE)
  dotted[indexed] <- paste0(sub(".", "[", dotted[indexed], fixed = TRUE), "]")
  gsub(".", ",", dotted, fixed = TRUE)
}
unconstrained_names <- function(fit) {
  with_brackets(instance(fit)$unconstrained_param_names(FALSE, FALSE))
}
constrained_names <- function(fit) {
  with_brackets(instance(fit)$constrained_param_names(TRUE, TRUE))
}

constrain <- function(fit, theta) {
  setNames(unlist(constrain_pars(fit, theta), use.names = FALSE), constrained_names(fit))
}

# Draws on the unconstrained scale, iteration x chain x parameter. They are read from the sampler's
# diagnostic files (six digits), because a unit vector cannot be mapped back: its length is lost.
run_nuts <- function(model, name) {
  files <- tempfile("diagnostic")
  fit <- sampling(model, read_data(name), chains = chains, warmup = warmup,
                  iter = warmup + kept(name), seed = seed,
                  control = list(adapt_delta = adapt_delta(name), metric = metric(name)),
                  diagnostic_file = files, refresh = 0,
                  cores = as.integer(Sys.getenv("MC_CORES", "1")))
  one <- function(chain) {
    rows <- read.csv(paste0(files, "_", chain, ".csv"), comment.char = "#")
    as.matrix(tail(rows, kept(name))[, 7 + seq_len(get_num_upars(fit)), drop = FALSE])
  }
  list(fit = fit, unconstrained = aperm(simplify2array(lapply(1:chains, one)), c(1, 3, 2)))
}

# A quantity that is constant, such as the diagonal of a correlation matrix, has no R-hat.
summarize <- function(draws) {
  table <- monitor(draws, warmup = 0, print = FALSE)
  varies <- table$sd > 1e-12 * pmax(1, abs(table$mean))
  list(mean = table$mean, sd = ifelse(varies, table$sd, 0),
       mcse = ifelse(varies, table$se_mean, 0),
       rhat = table$Rhat[varies], ess = pmin(table$Bulk_ESS, table$Tail_ESS)[varies])
}

make_reference <- function(name, model, sampled) {
  nuts <- run_nuts(sampled, name)
  unconstrained <- nuts$unconstrained
  fit <- nuts$fit
  constrained <- as.array(fit)[, , constrained_names(fit), drop = FALSE]
  how <- "its own program"
  other <- drawn_with[[name]]
  if (!is.null(other)) {
    fit <- empty_fit(model, name)
    unconstrained <- aperm(apply(unconstrained, 1:2, other$move, read_data(name)), c(2, 3, 1))
    constrained <- aperm(apply(unconstrained, 1:2, function(u) constrain(fit, u)), c(2, 3, 1))
    how <- basename(other$program)
  }
  dimnames(unconstrained) <- list(NULL, NULL, unconstrained_names(fit))
  a <- summarize(unconstrained)
  b <- summarize(constrained)
  report <- list(max_rhat = max(a$rhat, b$rhat), min_ess = min(a$ess, b$ess),
                 max_mcse_over_sd = max(c(a$mcse / a$sd, (b$mcse / b$sd)[b$sd > 0])),
                 divergences = get_num_divergent(nuts$fit),
                 max_treedepth_hits = get_num_max_treedepth(nuts$fit))
  flat <- apply(unconstrained, 3, as.vector)
  reference <- c(
    list(model = name, program = paste0(name, ".stan"),
         parameters = I(unconstrained_names(fit)), mean = I(a$mean), cov = cov(flat),
         sd = I(a$sd), mcse_mean = I(a$mcse), n_draws = chains * kept(name)),
    list(made_with = c(
      list(method = "NUTS", drawn_with = how, rstan = as.character(packageVersion("rstan")),
           stan = stan_version(), chains = chains, warmup = warmup, kept = kept(name), seed = seed,
           adapt_delta = adapt_delta(name)),
      if (metric(name) != "diag_e") list(metric = metric(name)), report)),
    list(constrained = setNames(lapply(seq_along(b$mean), function(i) {
      list(mean = b$mean[i], sd = b$sd[i], mcse = b$mcse[i])
    }), dimnames(constrained)[[3]])))
  write_json(reference, file.path(folder, name, "reference.json"), digits = 10)
  seconds <- sum(get_elapsed_time(nuts$fit))
  cat(sprintf("%-26s %3d parameters, max R-hat %.4f, min ESS %.0f, max MCSE/sd %.4f, ", name,
              dim(unconstrained)[3], report$max_rhat, report$min_ess, report$max_mcse_over_sd),
      sprintf("%d divergences, NUTS %.1f s\n", report$divergences, seconds), sep = "")
}

# For the functions of a program that need no draws.
empty_fit <- function(model, name) suppressMessages(sampling(model, read_data(name), chains = 0))

# log_prob is that of rstan: with the Jacobian, without the constants that `~` drops. What differs
# between 20 calls at one point is random, and so is all of the variable it belongs to.
make_check <- function(name, model) {
  fit <- empty_fit(model, name)
  set.seed(seed)
  theta <- lapply(1:points, function(i) rnorm(get_num_upars(fit), 0, 0.5))
  calls <- replicate(20, constrain(fit, theta[[1]]))
  random <- rownames(calls)[apply(calls, 1, function(x) any(x != x[1]))]
  base <- function(names) sub("\\[.*", "", names)
  random <- rownames(calls)[base(rownames(calls)) %in% base(random)]
  check <- list(model = name, parameters = I(unconstrained_names(fit)), random = I(random),
                points = lapply(theta, function(u) {
    gradient <- grad_log_prob(fit, u, adjust_transform = TRUE)
    values <- constrain(fit, u)
    list(theta = I(u), log_prob = attr(gradient, "log_prob"), gradient = I(as.vector(gradient)),
         constrained = as.list(values[setdiff(names(values), random)]))
  }))
  write_json(check, file.path(folder, name, "check.json"), digits = 17)
}

main <- function(names) {
  programs <- basename(list.dirs(folder, recursive = FALSE))
  unknown <- setdiff(names, programs)
  if (length(unknown) > 0) stop("no such program: ", paste(unknown, collapse = ", "))
  RNGversion("4.0.0")
  for (name in if (length(names) > 0) names else programs) {
    model <- compile(file.path(name, name))
    other <- drawn_with[[name]]
    sampled <- if (is.null(other)) model else compile(other$program)
    make_reference(name, model, sampled)
    if (!elsewhere) make_check(name, model)
  }
}

main(arguments[!is_folder])
