# The command line, and fits that are kept on disk and not run again, for compare.R and race.R.

fail <- function(...) stop(..., call. = FALSE)

# ---- The command line ----

# Those of compare.R and race.R alike.
common_options <- list(ravi = "build/ravi", seeds = "3", output = "", cache = "build/cache/rstan",
                       references = "", timeout = "1800", "ravi-args" = "")

# `options` has every option with the value that it has unless given; the rest are `arguments`.
parse_options <- function(args, options) {
  known <- names(options)
  options$arguments <- character()
  while (length(args) > 0) {
    if (startsWith(args[1], "--")) {
      name <- substring(args[1], 3)
      if (!name %in% known) fail("no such option: --", name)
      if (length(args) < 2) fail("--", name, " needs a value")
      options[[name]] <- args[2]
      args <- args[-1]
    } else {
      options$arguments <- c(options$arguments, args[1])
    }
    args <- args[-1]
  }
  for (name in c("seeds", "timeout")) {
    number <- suppressWarnings(as.integer(options[[name]]))
    if (is.na(number) || number < 1) fail("--", name, " needs a whole number above 0")
    options[[name]] <- number
  }
  options
}

check_ravi <- function(options) {
  if (!file.exists(options$ravi)) {
    fail("no program at ", options$ravi, "; `make` builds it, --ravi names another")
  }
}

# ---- Results: one record per fit, on disk after every one ----

rstan_version <- as.character(packageVersion("rstan"))

md5 <- function(files = character(), text = character()) {
  if (length(text) > 0) {
    files <- c(files, file <- tempfile())
    on.exit(unlink(file))
    writeLines(text, file)
  }
  sums <- unname(tools::md5sum(files))
  if (length(sums) == 1) sums else md5(text = sums)
}

replace_file <- function(file, write) {
  new <- tempfile(tmpdir = dirname(file))
  write(new)
  invisible(file.rename(new, file))
}

# ravi is asked for every time: it may have been built anew meanwhile.
key_of <- function(method, p, seed, options) {
  engine <- if (startsWith(method, "ravi")) {
    c(md5(options$ravi), options[["ravi-args"]])
  } else {
    rstan_version
  }
  paste(c(method, p$name, seed, md5(c(p$program, p$data)), engine), collapse = " ")
}

read_results <- function(file) {
  if (file.exists(file)) jsonlite::fromJSON(file, simplifyVector = FALSE) else list()
}
write_results <- function(results, file) {
  by_name <- function(x) if (is.null(names(x))) x else as.list(x)
  text <- jsonlite::toJSON(lapply(results, lapply, by_name), auto_unbox = TRUE, digits = I(10),
                           na = "string", pretty = TRUE)
  replace_file(file, function(new) writeLines(text, new))
}

# Runs what is not in the file of results. A fit that could not be run, for want of a compiler say,
# is tried again next time.
run_all <- function(posteriors, methods, options) {
  dir.create(dirname(options$results), recursive = TRUE, showWarnings = FALSE)
  results <- read_results(options$results)
  for (p in posteriors) {
    for (method in methods) for (seed in seq_len(options$seeds)) {
      key <- key_of(method, p, seed, options)
      if (!is.null(results[[key]]) && is.null(results[[key]]$broken)) next
      record <- tryCatch(runners[[method]](p, seed, options),
                         error = function(e) list(broken = conditionMessage(e)))
      results[[key]] <- record
      write_results(results, options$results)
      verdict <- judge(record, p$reference)
      unshown <- if (verdict$unshown > 0) sprintf(", %d sds not shown", verdict$unshown) else ""
      message(sprintf("%-28s %-12s seed %d  %-11s error %s, sd ratio %s%s, %s s  %.80s", p$name,
                      method, seed, verdict$class, short(verdict$error), short(verdict$ratio, 3),
                      unshown, short(verdict$cpu), c(record$broken, verdict$said, "")[1]))
    }
  }
}

# One verdict per seed that has been run.
verdicts_of <- function(results, method, p, options) {
  keys <- vapply(seq_len(options$seeds), function(s) key_of(method, p, s, options), "")
  lapply(results[intersect(keys, names(results))], judge, p$reference)
}

# ---- The report ----

# Who took part, and where.
provenance <- function(script, options, with_ravi = TRUE, with_rstan = TRUE) {
  ran <- c(if (with_ravi) {
             sprintf("%s (%s)", system2(options$ravi, "--version", stdout = TRUE)[1],
                     c(setdiff(options[["ravi-args"]], ""), "defaults")[1])
           },
           if (with_rstan) sprintf("rstan %s (Stan %s, defaults)", rstan_version, stan_version()))
  c(sprintf("Made by `bench/%s` on %s with %s;", script, Sys.Date(),
            paste(ran, collapse = " and ")),
    sprintf("%s, one fit at a time on a machine with %d cores.",
            if (options$seeds == 1) "seed 1" else paste("seeds 1 to", options$seeds),
            parallel::detectCores()))
}

write_report <- function(text, options) {
  if (options$output == "") writeLines(text) else replace_file(options$output, function(new) {
    writeLines(text, new)
  })
}
