# Compares ravi with Stan's ADVI and NUTS on posteriors whose moments are known, and writes tables.
# Usage: Rscript bench/compare.R [--ravi build/ravi] [--seeds 3]
#          [--methods ravi,vb-fullrank,vb-meanfield,nuts] [--output FILE.md] [--results FILE.json]
#          [--cache build/cache/rstan] [--references FOLDER] [--ravi-args "..."] [--timeout 1800]
#          [FOLDER_OR_NAME ...]
# README.md beside it says what is judged and how, and what may be interrupted.

suppressMessages(library(rstan))

folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
root <- dirname(normalizePath(folder))
for (part in c("records.R", "references.R", "fits.R", "compare_tables.R")) {
  source(file.path(folder, part))
}

choices <- c("ravi", "vb-fullrank", "vb-meanfield", "nuts")

parse_arguments <- function(args) {
  options <- parse_options(args, c(common_options, methods = paste(choices, collapse = ","),
                                   results = "build/compare.json"))
  options$methods <- strsplit(options$methods, ",")[[1]]
  if ("ravi" %in% options$methods) check_ravi(options)
  unknown <- setdiff(options$methods, choices)
  if (length(unknown) > 0) {
    fail("no such method: ", paste(unknown, collapse = ", "), "; the choices are: ",
         paste(choices, collapse = ", "))
  }
  options
}

# verdicts[[posterior]][[method]]: one per seed that has been run.
judge_all <- function(posteriors, options) {
  results <- read_results(options$results)
  lapply(posteriors, function(p) {
    verdicts <- lapply(setNames(nm = options$methods), function(method) {
      verdicts_of(results, method, p, options)
    })
    list(name = p$name, dimension = p$reference$dimension, verdicts = verdicts)
  })
}

report <- function(judged, options) {
  c(provenance("compare.R", options, "ravi" %in% options$methods, any(options$methods != "ravi")),
    sprintf("Right: every mean within %.1f posterior sds and every sd within a factor %.1f of the",
            largest_error, largest_sd_ratio),
    "reference.",
    "", summary_table(judged, options$methods), "",
    "Below, a row has the numbers of the seed with the median error, and `(2 of 3)` where seeds",
    "differ. `error` is the largest of a mean, in posterior sds; `sd ratio` the largest of an sd",
    "to the reference's, or the other way round; `none` where the method gave no answer.",
    "", posterior_table(judged, options$methods),
    if (all(c("ravi", "nuts") %in% options$methods)) c("", beside_nuts(judged)),
    if ("ravi" %in% options$methods) c("", exceptions(judged)))
}

main <- function() {
  options <- parse_arguments(commandArgs(trailingOnly = TRUE))
  posteriors <- find_posteriors(options$arguments, options$references)
  run_all(posteriors, options$methods, options)
  write_report(report(judge_all(posteriors, options), options), options)
}

main()
