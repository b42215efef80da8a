# Makes reference.json (moments by NUTS) and check.json (values at random points) of the programs.
# Usage: Rscript models/make_references.R [NAME ...]      all programs when none is named
# MC_CORES=2 in the environment runs two chains at a time; the files do not depend on it.

suppressMessages(library(rstan))

folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(folder, "json.R"))

chains <- 4
warmup <- 1000
kept <- 10000  # of every chain
seed <- 20210
points <- 5

# A unit vector u / |u| jumps at u = 0: a few trajectories that pass near it diverge whatever the
# step. The README says how the moments were checked.
adapt_delta <- function(name) if (name == "mean_direction") 0.999 else 0.95

# Centered eight schools is a funnel that NUTS cannot sample, but its posterior is that of the
# non-centered program: the draws of that one, moved to theta_j = mu + tau theta_tilde_j.
drawn_with <- list(
  eight_schools_centered = list(
    program = "eight_schools_noncentered",
    move = function(u) { u[-(1:2)] <- u[1] + exp(u[2]) * u[-(1:2)]; u }))

# Stan 2.21 knows declarations as `real y[N]` and arguments as `real[] y` only.
to_old_arrays <- function(code) {
  code <- gsub("array\\[([ ,]*)\\] (\\w+)", "\\2[\\1]", code)
  gsub("array\\[([^]]*)\\] (\\w+(<[^>]*>)?(\\[[^]]*\\])?) (\\w+)", "\\2 \\5[\\1]", code)
}

compile <- function(name) {
  code <- paste(readLines(file.path(folder, name, paste0(name, ".stan"))), collapse = "\n")
  # Debian's BH package holds no headers; they are in libboost-dev.
  stan_model(model_code = to_old_arrays(code), model_name = name, boost_lib = "/usr/include")
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
  fit <- sampling(model, read_data(name), chains = chains, warmup = warmup, iter = warmup + kept,
                  seed = seed, control = list(adapt_delta = adapt_delta(name)),
                  diagnostic_file = files, refresh = 0,
                  cores = as.integer(Sys.getenv("MC_CORES", "1")))
  one <- function(chain) {
    rows <- read.csv(paste0(files, "_", chain, ".csv"), comment.char = "#")
    as.matrix(tail(rows, kept)[, 7 + seq_len(get_num_upars(fit)), drop = FALSE])
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
    unconstrained <- aperm(apply(unconstrained, 1:2, other$move), c(2, 3, 1))
    constrained <- aperm(apply(unconstrained, 1:2, function(u) constrain(fit, u)), c(2, 3, 1))
    how <- other$program
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
         sd = I(a$sd), mcse_mean = I(a$mcse), n_draws = chains * kept),
    list(made_with = c(
      list(method = "NUTS", drawn_with = how, rstan = as.character(packageVersion("rstan")),
           stan = stan_version(), chains = chains, warmup = warmup, kept = kept, seed = seed,
           adapt_delta = adapt_delta(name)), report)),
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
    model <- compile(name)
    other <- drawn_with[[name]]
    sampled <- if (is.null(other)) model else compile(other$program)
    make_reference(name, model, sampled)
    make_check(name, model)
  }
}

main(commandArgs(trailingOnly = TRUE))
