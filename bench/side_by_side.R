# Two builds of ravi on the same posteriors, one after the other: which verdicts differ, and what
# each takes.
# Usage: Rscript bench/side_by_side.R --before PROGRAM [--ravi build/ravi] [--seeds 3]
#          [--output FILE.md] [--ravi-args "..."] [--timeout 1800] [FOLDER_OR_NAME ...]

suppressMessages(library(rstan))

folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
root <- dirname(normalizePath(folder))
for (part in c("records.R", "references.R", "fits.R", "compare_tables.R")) {
  source(file.path(folder, part))
}

# The order changes from fit to fit, so that neither gets the quieter moments.
run_both <- function(p, seed, number, options) {
  programs <- c(before = options$before, after = options$ravi)
  if (number %% 2 == 0) programs <- rev(programs)
  verdicts <- lapply(programs, function(program) {
    judge(run_ravi(p, seed, replace(options, "ravi", program)), p$reference)
  })
  message(sprintf("%-28s seed %d  %s, %s s -> %s, %s s", p$name, seed, verdicts$before$class,
                  short(verdicts$before$cpu), verdicts$after$class, short(verdicts$after$cpu)))
  list(name = p$name, seed = seed, before = verdicts$before, after = verdicts$after)
}

of_side <- function(fits, side, key) {
  vapply(fits, function(x) x[[side]][[key]], if (key %in% c("class", "said")) "" else 0)
}

report <- function(fits, options) {
  side <- function(name) {
    class <- of_side(fits, name, "class")
    cpu <- of_side(fits, name, "cpu")
    row(c(name, length(fits), sum(class == "right"), sum(class == "silent"), sum(class == "told"),
          sum(class == "false alarm"), sum(of_side(fits, name, "unshown")), short(median(cpu)),
          short(sum(cpu)), short(median(of_side(fits, name, "gradients")))))
  }
  ratio <- of_side(fits, "after", "cpu") / of_side(fits, "before", "cpu")
  differs <- Filter(function(x) {
    x$before$said != x$after$said || x$before$class != x$after$class
  }, fits)
  c(row(c("program", "fits", "right and said so", "silent", "told", "false alarm", "sds not shown",
          "CPU s, median", "sum", "gradients, median")),
    row(c("---", rep("---:", 9))), side("before"), side("after"), "",
    sprintf("CPU after over before: median of the fits %.2f, of the sums %.2f.", median(ratio),
            sum(of_side(fits, "after", "cpu")) / sum(of_side(fits, "before", "cpu"))),
    if (length(differs) > 0) c("", "Verdicts that differ:", ""),
    vapply(differs, function(x) {
      sprintf("- %s, seed %d: %s (%s, error %s, sd ratio %s) -> %s (%s, error %s, sd ratio %s)",
              x$name, x$seed, x$before$class, x$before$said, short(x$before$error),
              short(x$before$ratio, 3), x$after$class, x$after$said, short(x$after$error),
              short(x$after$ratio, 3))
    }, ""))
}

main <- function() {
  options <- parse_options(commandArgs(trailingOnly = TRUE), c(common_options, before = ""))
  if (!file.exists(options$before)) fail("--before needs a program to compare with")
  check_ravi(options)
  fits <- list()
  for (p in find_posteriors(options$arguments, options$references)) {
    for (seed in seq_len(options$seeds)) {
      fits <- c(fits, list(run_both(p, seed, length(fits), options)))
    }
  }
  write_report(report(fits, options), options)
}

main()
