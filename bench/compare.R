# Compares ravi with Stan's ADVI and NUTS on posteriors whose moments are known, and writes tables.
# Usage: Rscript bench/compare.R [--ravi build/ravi] [--seeds 3]
#          [--methods ravi,vb-fullrank,vb-meanfield,nuts] [--output FILE.md] [--results FILE.json]
#          [--cache build/cache/rstan] [--references FOLDER] [--ravi-args "..."] [--timeout 1800]
#          [FOLDER_OR_NAME ...]
# README.md beside it says what is judged and how, and what may be interrupted.

suppressMessages(library(rstan))

folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
root <- dirname(normalizePath(folder))
source(file.path(folder, "compare_tables.R"))

fail <- function(...) stop(..., call. = FALSE)

# ---- The command line ----

parse_arguments <- function(args) {
  options <- list(ravi = "build/ravi", seeds = "3", methods = paste(names(runners), collapse = ","),
                  output = "", results = "build/compare.json", cache = "build/cache/rstan",
                  references = "", "ravi-args" = "", timeout = "1800", posteriors = character())
  while (length(args) > 0) {
    if (startsWith(args[1], "--")) {
      name <- substring(args[1], 3)
      if (!name %in% setdiff(names(options), "posteriors")) fail("no such option: --", name)
      if (length(args) < 2) fail("--", name, " needs a value")
      options[[name]] <- args[2]
      args <- args[-1]
    } else {
      options$posteriors <- c(options$posteriors, args[1])
    }
    args <- args[-1]
  }
  for (name in c("seeds", "timeout")) {
    number <- suppressWarnings(as.integer(options[[name]]))
    if (is.na(number) || number < 1) fail("--", name, " needs a whole number above 0")
    options[[name]] <- number
  }
  options$methods <- strsplit(options$methods, ",")[[1]]
  if ("ravi" %in% options$methods && !file.exists(options$ravi)) {
    fail("no program at ", options$ravi, "; `make` builds it, --ravi names another")
  }
  unknown <- setdiff(options$methods, names(runners))
  if (length(unknown) > 0) {
    fail("no such method: ", paste(unknown, collapse = ", "), "; the choices are: ",
         paste(names(runners), collapse = ", "))
  }
  options
}

# ---- Posteriors: name, program, data, reference ----

# The layout of models/: NAME/NAME.stan, NAME/data.json, NAME/reference.json.
posterior_in <- function(path) {
  name <- basename(path)
  list(name = name, program = file.path(path, paste0(name, ".stan")),
       data = file.path(path, "data.json"), reference = file.path(path, "reference.json"))
}
is_posterior <- function(path) {
  p <- posterior_in(path)
  all(file.exists(p$program, p$data, p$reference))
}

# The layout of shared references: NAME.json says which program, and the data are in ../data, in the
# file with the longest name that NAME begins with.
posteriors_by_reference <- function(path) {
  data <- list.files(file.path(path, "..", "data"), "\\.json$", full.names = TRUE)
  stem <- sub("(\\.stan)?\\.json$", "", basename(data))
  lapply(list.files(path, "\\.json$", full.names = TRUE), function(file) {
    name <- sub("\\.json$", "", basename(file))
    fits <- which(startsWith(paste0(name, "_"), paste0(stem, "_")))
    if (length(fits) == 0) fail("no data for ", name)
    list(name = name, program = file.path(path, jsonlite::fromJSON(file)$stan_program),
         data = data[fits[which.max(nchar(stem[fits]))]], reference = file)
  })
}

find_posteriors <- function(asked, references) {
  shared <- if (references == "") list() else posteriors_by_reference(references)
  if (length(asked) == 0) return(c(find_posteriors(file.path(root, "models"), ""), shared))
  found <- lapply(asked, function(x) {
    if (is_posterior(x)) return(list(posterior_in(x)))
    if (dir.exists(x)) {
      return(lapply(Filter(is_posterior, list.dirs(x, recursive = FALSE)), posterior_in))
    }
    places <- Filter(is_posterior, file.path(root, c("models", "bench/posteriors"), x))
    c(lapply(places, posterior_in), Filter(function(p) p$name == x, shared))
  })
  for (x in asked[lengths(found) == 0]) fail("no posterior or folder of posteriors: ", x)
  do.call(c, found)
}

base <- function(names) sub("\\[.*", "", names)  # theta of theta[3]

# Moments of what the parameters block declares, on the constrained scale. What does not vary, such
# as the diagonal of a correlation matrix, is left out.
read_reference <- function(file) {
  r <- jsonlite::fromJSON(file)
  moments <- if (is.character(r$constrained$parameters)) {
    data.frame(name = r$constrained$parameters, mean = r$constrained$mean, sd = r$constrained$sd)
  } else {
    data.frame(name = names(r$constrained), mean = vapply(r$constrained, `[[`, 0, "mean"),
               sd = vapply(r$constrained, `[[`, 0, "sd"))
  }
  judged <- base(moments$name) %in% base(r$parameters) & moments$sd > 0
  list(moments = moments[judged, ], variables = unique(base(r$parameters)),
       dimension = length(r$parameters))
}

# An array with one element stays an array, which rstan tells from a scalar by its dimensions.
read_data <- function(file) {
  as_written <- jsonlite::fromJSON(file, simplifyVector = FALSE)
  Map(function(value, written) {
    if (is.list(value) && length(value) == 0) value <- integer()
    if (is.list(written) && is.null(dim(value))) as.array(value) else value
  }, jsonlite::fromJSON(file), as_written)
}

# ---- One fit by each method: told, said, cpu, khat, gradients, mean, sd ----

cpu_seconds <- function(which) sum(proc.time()[which])
own <- 1:2       # user and system time of this process
children <- 4:5  # ... of those it has waited for
SIGXCPU <- 24    # ends a process that has used up its `ulimit -S -t`

# Who gets no answer is told so.
out_of_time <- function(seconds) list(told = TRUE, said = "timeout", cpu = seconds)

run_ravi <- function(p, reference, seed, options) {
  out <- tempfile()
  err <- tempfile()
  on.exit(unlink(c(out, err)))
  call <- function(..., limit = "unlimited") {
    command <- paste("ulimit -S -t", limit, "&& exec", shQuote(normalizePath(options$ravi)), ...)
    system2("sh", c("-c", shQuote(command)), stdout = out, stderr = err)
  }
  check <- function(status, expected) {
    if (status %in% expected) return()
    fail("exit status ", status, ": ", paste(readLines(err), collapse = " "))
  }
  # Ahead, so that the time of the fit does not hold it.
  check(call("compile", shQuote(p$program), "--quiet"), 0)
  before <- cpu_seconds(children)
  status <- call("fit", shQuote(p$program), "--data", shQuote(p$data), "--method robust",
                 "--json --quiet --seed", seed, options[["ravi-args"]], limit = options$timeout)
  cpu <- cpu_seconds(children) - before
  if (status == 128 + SIGXCPU) return(out_of_time(options$timeout))
  check(status, 0:1)
  fit <- jsonlite::fromJSON(out, simplifyVector = FALSE)
  judged <- Filter(function(x) base(x$name) %in% reference$variables, fit$parameters)
  pick <- function(key) {
    values <- vapply(judged, function(x) number(x[[key]]), 0)
    setNames(values, vapply(judged, `[[`, "", "name"))
  }
  list(told = !fit$verdict %in% c("accurate", "usable"), said = fit$verdict, cpu = cpu,
       khat = number(fit$khat), gradients = fit$gradient_evaluations,
       mean = pick("mean"), sd = pick("sd"))
}

# Calls run in a process of its own, whose end by force or by a crash is not that of this one.
in_child <- function(seconds, run) {
  job <- parallel::mcparallel(run())
  used <- function() as.numeric(system2("ps", c("-o cputimes= -p", job$pid), stdout = TRUE))
  while (is.null(done <- parallel::mccollect(job, wait = FALSE, timeout = 2))) {
    if (isTRUE(used() > seconds)) {
      tools::pskill(job$pid, tools::SIGKILL)
      suppressWarnings(parallel::mccollect(job))
      return(out_of_time(seconds))
    }
  }
  result <- done[[1]]
  if (!is.list(result)) fail("rstan crashed: ", result)
  result
}

# The value of an expression and everything that was printed, signaled or thrown meanwhile.
listen <- function(expression) {
  heard <- character()
  hear <- function(condition) heard <<- c(heard, conditionMessage(condition))
  error <- FALSE
  printed <- capture.output(value <- tryCatch(
    withCallingHandlers(expression,
                        warning = function(w) { hear(w); invokeRestart("muffleWarning") },
                        message = function(m) { hear(m); invokeRestart("muffleMessage") }),
    error = function(e) { hear(e); error <<- TRUE; NULL }))
  list(value = value, error = error, text = c(printed, heard))
}

# The function is read from the script that made the references, which runs when it is sourced.
for (e in parse(file.path(root, "models", "make_references.R"))) {
  if (identical(as.list(e)[1:2], list(as.name("<-"), as.name("to_old_arrays")))) eval(e)
}

compiled <- function(p, cache) {
  code <- to_old_arrays(paste(readLines(p$program), collapse = "\n"))
  file <- file.path(cache, paste0(md5(text = c(code, rstan_version)), ".rds"))
  if (file.exists(file)) return(readRDS(file))
  message("compiling ", p$name)
  # Debian's BH package holds no headers; they are in libboost-dev.
  model <- stan_model(model_code = code, model_name = p$name, boost_lib = "/usr/include")
  dir.create(cache, recursive = TRUE, showWarnings = FALSE)
  replace_file(file, function(new) saveRDS(model, new))
  model
}

# What rstan says when it does not trust its answer. Its word that ADVI is experimental comes with
# every fit, and MAY BE DIVERGING counts only where the iterations end, in the line that says
# CONVERGED. Transitions that exceed the maximum treedepth are slow, not wrong.
vb_doubts <- c("Pareto k diagnostic", "maximum number of iterations is reached",
               "CONVERGED.*MAY BE DIVERGING")
nuts_doubts <- c("divergent transitions", "largest R-hat", "Effective Samples Size",
                 "Missing Information", "had errors")

# One gradient per leapfrog step, warm-up included.
nuts_gradients <- function(fit) {
  sum(vapply(get_sampler_params(fit), function(x) sum(x[, "n_leapfrog__"]), 0))
}

run_rstan <- function(p, reference, options, doubts, gradients, fit_with) {
  model <- compiled(p, options$cache)
  data <- read_data(p$data)
  listen(sampling(model, data, chains = 0))  # loads the library, which is no part of the fit
  in_child(options$timeout, function() {
    before <- cpu_seconds(own)
    heard <- listen(fit_with(model, data))
    cpu <- cpu_seconds(own) - before
    fit <- heard$value
    if (heard$error || length(dim(fit)) == 0) {
      return(list(told = TRUE, said = c("error", tail(heard$text, 1)), cpu = cpu))
    }
    said <- unlist(lapply(doubts, function(d) grep(d, heard$text, value = TRUE)))
    draws <- as.matrix(fit, pars = reference$variables)
    list(told = length(said) > 0, said = trimws(sub("\n.*", "", said)), cpu = cpu,
         khat = number(fit@sim$diagnostics$psis$pareto_k), gradients = gradients(fit),
         mean = colMeans(draws), sd = apply(draws, 2, sd))
  })
}

run_vb <- function(algorithm) {
  function(p, reference, seed, options) {
    run_rstan(p, reference, options, vb_doubts, function(fit) NaN, function(model, data) {
      vb(model, data, algorithm = algorithm, seed = seed)
    })
  }
}
run_nuts <- function(p, reference, seed, options) {
  run_rstan(p, reference, options, nuts_doubts, nuts_gradients, function(model, data) {
    sampling(model, data, seed = seed, cores = 1, refresh = 0)
  })
}

runners <- list(ravi = run_ravi, "vb-fullrank" = run_vb("fullrank"),
                "vb-meanfield" = run_vb("meanfield"), nuts = run_nuts)

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
  engine <- if (method == "ravi") {
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

# A fit that could not be run, for want of a compiler say, is tried again next time.
run_all <- function(posteriors, options) {
  dir.create(dirname(options$results), recursive = TRUE, showWarnings = FALSE)
  results <- read_results(options$results)
  for (p in posteriors) {
    reference <- read_reference(p$reference)
    for (method in options$methods) for (seed in seq_len(options$seeds)) {
      key <- key_of(method, p, seed, options)
      if (!is.null(results[[key]]) && is.null(results[[key]]$broken)) next
      record <- tryCatch(runners[[method]](p, reference, seed, options),
                         error = function(e) list(broken = conditionMessage(e)))
      results[[key]] <- record
      write_results(results, options$results)
      verdict <- judge(record, reference)
      message(sprintf("%-28s %-12s seed %d  %-11s error %s, sd ratio %s, %s s  %.80s", p$name,
                      method, seed, verdict$class, short(verdict$error), short(verdict$ratio, 3),
                      short(verdict$cpu), c(record$broken, verdict$said, "")[1]))
    }
  }
}

# ---- The report ----

# verdicts[[posterior]][[method]]: one per seed that has been run.
judge_all <- function(posteriors, options) {
  results <- read_results(options$results)
  lapply(posteriors, function(p) {
    reference <- read_reference(p$reference)
    verdicts <- lapply(setNames(nm = options$methods), function(method) {
      keys <- vapply(seq_len(options$seeds), function(s) key_of(method, p, s, options), "")
      lapply(results[intersect(keys, names(results))], judge, reference)
    })
    list(name = p$name, dimension = reference$dimension, verdicts = verdicts)
  })
}

report <- function(judged, options) {
  with_ravi <- "ravi" %in% options$methods
  with_rstan <- any(options$methods != "ravi")
  ran <- c(if (with_ravi) {
             sprintf("%s (`%s`)", system2(options$ravi, "--version", stdout = TRUE)[1],
                     trimws(paste("--method robust", options[["ravi-args"]])))
           },
           if (with_rstan) sprintf("rstan %s (Stan %s, defaults)", rstan_version, stan_version()))
  c(sprintf("Made by `bench/compare.R` on %s with %s;", Sys.Date(), paste(ran, collapse = " and ")),
    sprintf("%s, one fit at a time on a machine with %d cores. Right: every mean within",
            if (options$seeds == 1) "seed 1" else paste("seeds 1 to", options$seeds),
            parallel::detectCores()),
    sprintf("%.1f posterior sds and every sd within a factor %.1f of the reference.", largest_error,
            largest_sd_ratio),
    "", summary_table(judged, options$methods), "",
    "Below, a row has the numbers of the seed with the median error, and `(2 of 3)` where seeds",
    "differ. `error` is the largest of a mean, in posterior sds; `sd ratio` the largest of an sd",
    "to the reference's, or the other way round; `none` where the method gave no answer.",
    "", posterior_table(judged, options$methods))
}

main <- function() {
  options <- parse_arguments(commandArgs(trailingOnly = TRUE))
  posteriors <- find_posteriors(options$posteriors, options$references)
  run_all(posteriors, options)
  text <- report(judge_all(posteriors, options), options)
  if (options$output == "") writeLines(text) else replace_file(options$output, function(new) {
    writeLines(text, new)
  })
}

main()
