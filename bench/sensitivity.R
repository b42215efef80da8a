# What each limit (ravi list limits) decides: every one times 0.8 and 1.25, on posteriors whose moments
# are known. Prints which verdicts change, whether any answer becomes wrong without a word, and whether
# numbers and cost change.
# Usage: Rscript bench/sensitivity.R [--ravi build/bench/ravi_scaled] [--seeds 1] [--output FILE.md]
#          [--results build/sensitivity] [--limits NAME,NAME,...] [--timeout 300]
#          [--hostile FILE.jsonl] [--most-seconds 1] [FOLDER_OR_NAME ...]
# The program is that of `make sensitivity`, in which one limit can be scaled. A fit in which a limit was not
# looked at would come out as it is, and is not run again; nor is one that takes more than --most-seconds of CPU.
# FILE.jsonl is what `hostile_scaled --seeds 1 --factor 0.8 --factor 1.25` has printed (bench/hostile), and
# FOLDER_OR_NAME none to look at that alone.

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

# A tenth of an sd of a mean, or of an sd: a third of what is still called right (bench/README.md).
moved_by <- 0.1

# Whether means or sds differ by more than that.
other_numbers <- function(before, after) {
  if (length(before$mean) == 0 || length(before$mean) != length(after$mean)) {
    return(length(before$mean) != length(after$mean))
  }
  differs <- c(abs(after$mean - before$mean) / before$sd, abs(log(after$sd / before$sd)))
  any(differs > moved_by, na.rm = TRUE)
}

# Gradients, and densities besides.
cost_of <- function(record) sum(record$gradients, record$importance, na.rm = TRUE)

compare_records <- function(before, after) {
  c(fits = 1, said = after$said != before$said, class = after$class != before$class,
    silent = after$class == "silent" && before$class != "silent",
    loud = before$class == "silent" && after$class != "silent",
    numbers = other_numbers(before, after), cost = cost_of(after) / cost_of(before))
}

describe <- function(key, factor, before, after) {
  sprintf("%s times %s: %s (%s) becomes %s (%s)", key, factor, before$said, before$class, after$said,
          after$class)
}

# `pairs` has, for each limit, fits before and after: lists of key, factor, before, after.
summarize_limit <- function(name, pairs) {
  compared <- vapply(pairs, function(x) compare_records(x$before, x$after), numeric(7))
  cost <- vapply(factors, function(f) {
    of <- vapply(pairs, function(x) x$factor == f, NA)
    if (any(of)) exp(mean(log(compared["cost", of]))) else 1
  }, 0)
  counts <- if (length(pairs) == 0) numeric(6) else rowSums(compared)[1:6]
  other <- Filter(function(x) x$after$said != x$before$said || x$after$class != x$before$class, pairs)
  list(name = name, counts = setNames(counts, c("fits", "said", "class", "silent", "loud", "numbers")),
       cost = cost, changes = vapply(other, function(x) describe(x$key, x$factor, x$before, x$after), ""))
}

# Fits of programs, made now or read from disk.
pairs_of_programs <- function(name, posteriors, plain, options) {
  pairs <- list()
  for (factor in factors) for (key in names(plain)) {
    before <- plain[[key]]
    if (!name %in% before$read || before$cpu > as.numeric(options[["most-seconds"]])) next
    after <- fit_once(posteriors[[before$posterior]], before$seed, paste0(name, "=", factor), options)
    pairs <- c(pairs, list(list(key = key, factor = factor, before = before, after = after)))
  }
  pairs
}

# Fits of hostile posteriors, as a list by posterior and seed, and by what was scaled in them.
read_hostile <- function(file) {
  if (file == "") return(list())
  lines <- lapply(readLines(file), jsonlite::fromJSON)
  records <- lapply(lines, function(x) {
    list(key = sprintf("%s, seed %d", x$name, x$seed), scaled = x$scaled, said = c(x$verdict, x$outcome)[1],
         class = x$outcome, gradients = x$gradients, importance = x$importance_draws, mean = x$mean,
         sd = x$sd)
  })
  split(records, vapply(records, `[[`, "", "key"))
}

pairs_of_hostile <- function(name, hostile) {
  pairs <- list()
  for (records in hostile) {
    scaled <- vapply(records, `[[`, "", "scaled")
    for (factor in factors) {
      after <- which(scaled == paste0(name, "=", factor))
      if (length(after) == 0) next
      pairs <- c(pairs, list(list(key = records[[1]]$key, factor = factor,
                                  before = records[[which(scaled == "")]], after = records[[after[1]]])))
    }
  }
  pairs
}

report <- function(compared, options, posteriors, hostile) {
  counts <- function(x) c(x$counts, sprintf("%.2f, %.2f", x$cost[1], x$cost[2]))
  c(sprintf("%d posteriors, seeds 1 to %d, and %d fits of hostile ones; each limit times 0.8 and 1.25.",
            length(posteriors), options$seeds, length(hostile)), "",
    row(c("limit", "fits that look at it", "verdicts that differ", "other class", "become silent",
          "silent no more", "other numbers", "cost times")),
    row(c("---", rep("---:", 7))),
    vapply(compared, function(x) row(c(x$name, counts(x))), ""), "",
    unlist(lapply(compared, function(x) {
      if (length(x$changes) > 0) c(sprintf("%s:", x$name), paste("-", x$changes), "")
    })))
}

main <- function() {
  options <- parse_options(commandArgs(trailingOnly = TRUE),
                           c(replace(common_options, c("ravi", "seeds", "timeout"),
                                     c("build/bench/ravi_scaled", "1", "300")),
                             limits = "", results = "build/sensitivity", hostile = "",
                             "most-seconds" = "1"))
  none <- identical(options$arguments, "none")
  if (!none) {
    check_ravi(options)
    options$program <- md5(options$ravi)
  }
  dir.create(options$results, recursive = TRUE, showWarnings = FALSE)
  posteriors <- if (none) list() else find_posteriors(options$arguments, options$references)
  hostile <- read_hostile(options$hostile)
  names(posteriors) <- vapply(posteriors, `[[`, "", "name")
  plain <- list()
  for (p in posteriors) for (seed in seq_len(options$seeds)) {
    record <- fit_once(p, seed, "", options)
    plain[[sprintf("%s, seed %d", p$name, seed)]] <- c(record, posterior = p$name, seed = seed)
  }
  limits <- if (none) {
    unique(unlist(lapply(hostile, function(of) sub("=.*", "", setdiff(vapply(of, `[[`, "", "scaled"), "")))))
  } else {
    limits_of(options$ravi)
  }
  if (options$limits != "") limits <- intersect(limits, strsplit(options$limits, ",")[[1]])
  compared <- lapply(limits, function(name) {
    pairs <- c(pairs_of_programs(name, posteriors, plain, options), pairs_of_hostile(name, hostile))
    found <- summarize_limit(name, pairs)
    message(sprintf("%-24s %4d fits, %d verdicts differ, %d silent", name, found$counts["fits"],
                    found$counts["said"], found$counts["silent"]))
    found
  })
  write_report(report(compared, options, posteriors, hostile), options)
}

main()
