# Reads the draws of a fit with rstan and with posterior, and compares them with its fit.json.
# Usage: Rscript read_draws.R FOLDER
suppressPackageStartupMessages({
  library(rstan)
  library(posterior)
})
folder <- commandArgs(trailingOnly = TRUE)[1]
fit <- jsonlite::fromJSON(file.path(folder, "fit.json"), simplifyVector = FALSE)

as_table <- function(parameters) {
  number <- function(key) vapply(parameters, function(p) as.numeric(p[[key]]), 0)
  # An sd that is not to be trusted is missing: then that of a normal with these quantiles.
  sds <- vapply(parameters, function(p) {
    if (is.null(p$sd)) (p$q95 - p$q5) / 3.29 else as.numeric(p$sd)
  }, 0)
  data.frame(name = vapply(parameters, function(p) p$name, ""), mean = number("mean"),
             sd = sds)
}

# rstan warns that there is no line with the elapsed time: there is none in CmdStan's files either.
by_rstan <- function(file) {
  withCallingHandlers(
    as_draws_array(as.array(read_stan_csv(file))),
    warning = function(w) {
      if (!grepl("Elapsed Time", conditionMessage(w))) stop("rstan warns: ", conditionMessage(w))
      invokeRestart("muffleWarning")
    })
}

# By hand, with theta.1.2 named theta[1,2]; the first row is no draw.
by_posterior <- function(file) {
  table <- read.csv(file, comment.char = "#", check.names = FALSE)[-1, ]
  dotted <- grepl(".", names(table), fixed = TRUE)
  bracketed <- gsub(".", ",", sub(".", "[", names(table), fixed = TRUE), fixed = TRUE)
  names(table) <- ifelse(dotted, paste0(bracketed, "]"), names(table))
  as_draws_df(table)
}

check_means <- function(file, expected, tolerance) {
  for (read in list(by_rstan, by_posterior)) {
    table <- as.data.frame(summarise_draws(read(file), "mean"))
    found <- table$mean[match(expected$name, table$variable)]
    bad <- which(!(abs(found - expected$mean) <= tolerance))
    if (length(bad) > 0) {
      stop(file, ": the mean of ", expected$name[bad[1]], " is ", format(found[bad[1]], digits = 17),
           ", not ", format(expected$mean[bad[1]], digits = 17))
    }
  }
  cat(basename(file), ": ", nrow(expected), " means agree\n", sep = "")
}

# Numbers are written bit for bit; 4000 of them summed in another order differ by less than 4000
# roundings of the largest, which lies within ten sds.
rounding <- function(expected) {
  4000 * .Machine$double.eps * (abs(expected$mean) + 10 * expected$sd)
}
# Of the files to use the first row is the table's means, which cmdstanpy and cmdstanr take for the
# estimate, bit for bit.
check_first_row <- function(file, expected) {
  first <- read.csv(file, comment.char = "#", check.names = FALSE)[1, ]
  found <- as.numeric(first[!endsWith(names(first), "__")])
  stopifnot(identical(found, expected$mean))
}
# Draws chosen by weight scatter around the weighted means like as many independent ones, at the
# most; beyond five standard errors is one quantity in a million.
check_answer <- function(answer, file) {
  expected <- as_table(answer$parameters)
  tolerance <- if (answer$weighted) 5 * expected$sd / sqrt(4000) else rounding(expected)
  check_means(file.path(folder, file), expected, tolerance)
  check_first_row(file.path(folder, file), expected)
}
if (length(fit$chains) > 0) {
  for (j in seq_along(fit$chains)) check_answer(fit$chains[[j]], sprintf("draws_chain_%d.csv", j))
} else {
  check_answer(fit, "draws.csv")
  stopifnot(file.exists(file.path(folder, "draws_variational.csv")) == fit$weighted)
  if (fit$weighted) {
    expected <- as_table(fit$unweighted_parameters)
    check_means(file.path(folder, "draws_variational.csv"), expected, rounding(expected))
    check_first_row(file.path(folder, "draws_variational.csv"), expected)
  }
}
