# What each limit (ravi list limits) decides: every one times 0.8 and 1.25, on posteriors whose moments
# are known. Prints which verdicts change and whether any answer becomes wrong without a word.
# Usage: Rscript bench/sensitivity.R [--ravi build/bench/ravi_scaled] [--seeds 1] [--output FILE.md]
#          [--results build/sensitivity] [--limits NAME,NAME,...] [--timeout 300]
#          [FOLDER_OR_NAME ...]
# The program is that of `make sensitivity`, in which one limit can be scaled. A fit in which a limit was not
# looked at would come out as it is, and is not run again.

folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
root <- dirname(normalizePath(folder))
suppressMessages(library(rstan))
for (part in c("records.R", "references.R", "fits.R", "compare_tables.R")) {
  source(file.path(folder, part))
}

factors <- c("0.8", "1.25")

limits_of <- function(program) {
  lines <- system2(program, c("list", "limits"), stdout = TRUE)
  rows <- grep("^\\| [a-z]", lines, value = TRUE)
  trimws(vapply(strsplit(rows, "|", fixed = TRUE), `[`, "", 2))
}

# A fit with one limit scaled, or with none, and which limits it looked at.
run_scaled <- function(p, seed, scaled, options) {
  seen <- tempfile()
  on.exit(unlink(seen))
  Sys.setenv(RAVI_SCALED_LIMIT = scaled, RAVI_LIMITS_READ = seen)
  record <- run_ravi(p, seed, options)
  Sys.unsetenv(c("RAVI_SCALED_LIMIT", "RAVI_LIMITS_READ"))
  record$read <- if (file.exists(seen)) readLines(seen) else character()
  record
}

# Kept on disk, so that a run that was stopped goes on.
fit_once <- function(p, seed, scaled, options) {
  kept <- file.path(options$results, paste0(md5(text = c(p$name, seed, scaled, options$program)), ".rds"))
  if (file.exists(kept)) return(readRDS(kept))
  record <- run_scaled(p, seed, scaled, options)
  record$class <- judge(record, p$reference)$class
  replace_file(kept, function(new) saveRDS(record, new))
  record
}

compare_with_scaled <- function(name, posteriors, plain, options) {
  changes <- character()
  counts <- c(fits = 0, said = 0, class = 0, silent = 0)
  for (factor in factors) for (key in names(plain)) {
    before <- plain[[key]]
    if (!name %in% before$read) next
    after <- fit_once(posteriors[[before$posterior]], before$seed, paste0(name, "=", factor), options)
    silent <- after$class == "silent" && before$class != "silent"
    counts <- counts + c(1, after$said != before$said, after$class != before$class, silent)
    if (after$said != before$said || after$class != before$class) {
      changes <- c(changes, sprintf("%s times %s: %s (%s) becomes %s (%s)", key, factor, before$said,
                                    before$class, after$said, after$class))
    }
  }
  message(sprintf("%-24s %4d fits, %d verdicts differ, %d silent", name, counts["fits"],
                  counts["said"], counts["silent"]))
  list(name = name, counts = counts, changes = changes)
}

report <- function(compared, options, posteriors) {
  c(sprintf("%d posteriors, seeds 1 to %d; each limit times 0.8 and 1.25.", length(posteriors),
            options$seeds), "",
    row(c("limit", "fits that look at it", "verdicts that differ", "other class", "become silent")),
    row(c("---", rep("---:", 4))),
    vapply(compared, function(x) row(c(x$name, x$counts)), ""), "",
    unlist(lapply(compared, function(x) {
      if (length(x$changes) > 0) c(sprintf("%s:", x$name), paste("-", x$changes), "")
    })))
}

main <- function() {
  options <- parse_options(commandArgs(trailingOnly = TRUE),
                           c(replace(common_options, c("ravi", "seeds", "timeout"),
                                     c("build/bench/ravi_scaled", "1", "300")),
                             limits = "", results = "build/sensitivity"))
  check_ravi(options)
  options$program <- md5(options$ravi)
  dir.create(options$results, recursive = TRUE, showWarnings = FALSE)
  posteriors <- find_posteriors(options$arguments, options$references)
  names(posteriors) <- vapply(posteriors, `[[`, "", "name")
  plain <- list()
  for (p in posteriors) for (seed in seq_len(options$seeds)) {
    record <- fit_once(p, seed, "", options)
    plain[[sprintf("%s, seed %d", p$name, seed)]] <- c(record, posterior = p$name, seed = seed)
  }
  limits <- limits_of(options$ravi)
  if (options$limits != "") limits <- intersect(limits, strsplit(options$limits, ",")[[1]])
  compared <- lapply(limits, compare_with_scaled, posteriors, plain, options)
  write_report(report(compared, options, posteriors), options)
}

main()
