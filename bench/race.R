# Races ravi against Stan's full-rank ADVI and NUTS in one run, and says which bars it passes.
# Usage: Rscript bench/race.R [--ravi build/ravi] [--seeds 3] [--output FILE.md]
#          [--results build/race.json] [--cache build/cache/rstan] [--references FOLDER]
#          [--timeout 1800] [NAME ...]
# All races when none is named. README.md beside it says what is measured, and what may be kept.

suppressMessages(library(rstan))

folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
root <- dirname(normalizePath(folder))
for (part in c("records.R", "references.R", "fits.R", "compare_tables.R")) {
  source(file.path(folder, part))
}

# ---- Simulated regressions ----

# Rows of X ~ N(0, K), K_ij = gamma^|i-j|: an AR(1) process with unit variance.
features <- function(n, p, gamma = 0.9) {
  X <- matrix(rnorm(n * p), n)
  for (j in seq_len(p)[-1]) X[, j] <- gamma * X[, j - 1] + sqrt(1 - gamma^2) * X[, j]
  X
}

regression <- function(name, data, moments, ...) {
  file <- file.path(tempdir(), paste0(name, ".json"))
  writeLines(jsonlite::toJSON(data, auto_unbox = TRUE, digits = NA), file)
  reference <- list(moments = moments, variables = "beta", dimension = data$P)
  list(name = name, data = file, reference = reference, ...)
}
beta_names <- function(p) sprintf("beta[%d]", seq_len(p))

# beta ~ N(0, I) and y ~ N(X beta, 0.4 I): the posterior is N(S X'y / 0.4, S) with
# S^-1 = X'X / 0.4 + I.
linear <- function(p, bar) {
  set.seed(p)
  variance <- 0.4
  X <- features(300, p)
  y <- drop(X %*% rnorm(p)) + rnorm(300, sd = sqrt(variance))
  cov <- solve(crossprod(X) / variance + diag(p))
  moments <- data.frame(name = beta_names(p), mean = drop(cov %*% crossprod(X, y)) / variance,
                        sd = sqrt(diag(cov)))
  regression(sprintf("linear-%d", p), list(N = 300, P = p, X = X, y = y, sigma = sqrt(variance)),
             moments,
             program = file.path(root, "models", "linear_regression", "linear_regression.stan"),
             builtin = "linear-regression", peer = "vb-fullrank", bar = bar)
}

# No moments: they come from NUTS, once it has run. The program is the fastest that Stan has: with
# X * beta a gradient takes six times as long. Its like for linear regression is not used, because
# Stan 2.21 leaves its density uninitialized when sigma is known (Stan Math issue 1806).
logistic <- function(n, p, bar) {
  set.seed(p)
  X <- features(n, p)
  y <- rbinom(n, 1, plogis(X %*% rnorm(p)))
  regression("logistic", list(N = n, P = p, X = X, y = y), data.frame(),
             program = file.path(folder, "race", "logistic.stan"),
             builtin = "logistic-regression", peer = "nuts", bar = bar)
}

# The moments of all draws of all seeds. How the seeds differ tells the error of the pooled means,
# in posterior sds, as root mean square over the parameters.
with_pooled_moments <- function(p, results, options) {
  keys <- vapply(seq_len(options$seeds), function(s) key_of("nuts", p, s, options), "")
  name <- beta_names(p$reference$dimension)
  answers <- Filter(function(r) !is.null(r$mean), results[keys])
  if (length(answers) == 0) return(p)
  by_seed <- function(moment) sapply(answers, function(r) unlist(r[[moment]])[name])
  mean <- by_seed("mean")
  sd <- sqrt(rowMeans(by_seed("sd")^2))
  p$reference$moments <- data.frame(name, mean = rowMeans(mean), sd)
  p$pooled_error <- sqrt(mean(apply(mean, 1, var) / sd^2) / length(answers))
  p
}

# ---- The bars ----

bars <- list(
  better = list(says = "more accurate than ADVI, in less time",
                passed = function(mine, peer) mine$error < peer$error && mine$cpu < peer$cpu),
  accurate = list(says = "verdict accurate, in less time than ADVI takes to fail",
                  passed = function(mine, peer) {
                    mine$said == "accurate" && peer$class != "right" && mine$cpu < peer$cpu
                  }),
  fifth = list(says = "means within 0.05 sd, in a fifth of the time of NUTS",
               passed = function(mine, peer) mine$error <= 0.05 && mine$cpu <= peer$cpu / 5))

all_races <- function(options) {
  with_builtin <- function(found) lapply(found, function(p) {
    c(p, builtin = "radon", peer = "nuts", bar = "fifth")
  })
  c(list(linear(30, "better"), linear(70, "accurate"), linear(100, "accurate"),
         logistic(10000, 50, "fifth")),
    with_builtin(find_posteriors("radon", "")),
    if (options$references != "") {
      with_builtin(find_posteriors("radon_centered", options$references))
    })
}

# ---- The report ----

# rstan's first sentence without its numbers, so that seeds can be seen to agree.
brief <- function(said) {
  if (length(said) == 0) return("content")
  text <- sub("( value is .*|\\. .*)", "", paste(said[said != ""], collapse = ": "))
  gsub("|", "/", substr(text, 1, 70), fixed = TRUE)
}

# Medians over the seeds, and words on which all of them agree, or that of the middle one.
summarize <- function(verdicts) {
  middle_of <- function(key) median(column(verdicts, key))
  list(class = typical(verdicts, function(v) v$class),
       said = typical(verdicts, function(v) brief(v$said)),
       khat = middle_of("khat"), error = middle_of("error"), ratio = middle_of("ratio"),
       cpu = middle_of("cpu"), wall = middle_of("wall"))
}

methods_of <- function(p) c("ravi-builtin", "ravi", p$peer)

rows_of_race <- function(p, results, options) {
  of <- lapply(setNames(nm = methods_of(p)), function(method) {
    summarize(verdicts_of(results, method, p, options))
  })
  peer <- of[[p$peer]]
  vapply(names(of), function(method) {
    mine <- of[[method]]
    passed <- if (isTRUE(bars[[p$bar]]$passed(mine, peer))) "yes" else "no"
    if (method == p$peer) passed <- ""
    if (method == p$peer && !is.null(p$pooled_error)) {
      mine[c("error", "ratio")] <- NaN
      mine$class <- "the reference"
    }
    row(c(p$name, p$reference$dimension, titles[[method]], short(mine$cpu), short(mine$wall),
          short(mine$cpu / peer$cpu), short(mine$error), short(mine$ratio, 3),
          c(mine$class, "-")[1], c(mine$said, "-")[1], short(mine$khat), passed))
  }, "")
}

report <- function(races, results, options) {
  pooled <- Filter(function(p) !is.null(p$pooled_error), races)
  c(provenance("race.R", options),
    "Numbers are medians over the seeds. `of its peer` is CPU time over that of ADVI or NUTS; wall time",
    "depends on what else the machine did, and fits that were kept may be of another hour.",
    "`error` the largest of a mean, in posterior sds; `sd ratio` the largest of an sd to the",
    "reference's, or the other way round; `none` where the method gave no answer.",
    vapply(pooled, function(p) {
      sprintf(paste("The reference of %s is all draws of NUTS, whose means are known to within %s",
                    "posterior sds (root mean square)."), p$name, short(p$pooled_error))
    }, ""),
    "",
    row(c("race", "dim", "method", "CPU s", "wall s", "of its peer", "error", "sd ratio", "answer",
          "said", "k-hat", "bar passed")),
    row(c("---", "---:", "---", rep("---:", 5), "---", "---", "---:", "---")),
    unlist(lapply(races, rows_of_race, results, options)),
    "", "The bars:", "",
    vapply(races, function(p) sprintf("- %s: %s", p$name, bars[[p$bar]]$says), ""))
}

main <- function() {
  options <- parse_options(commandArgs(trailingOnly = TRUE),
                           c(common_options, results = "build/race.json"))
  check_ravi(options)
  races <- all_races(options)
  names(races) <- vapply(races, `[[`, "", "name")
  if (length(options$arguments) > 0) {
    unknown <- setdiff(options$arguments, names(races))
    if (length(unknown) > 0) {
      fail("no such race: ", unknown[1], "; the choices are: ",
           paste(names(races), collapse = ", "))
    }
    races <- races[options$arguments]
  }
  for (p in races) run_all(list(p), methods_of(p), options)
  results <- read_results(options$results)
  races <- lapply(races, function(p) {
    if (nrow(p$reference$moments) == 0) with_pooled_moments(p, results, options) else p
  })
  write_report(report(races, results, options), options)
}

main()
