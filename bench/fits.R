# Fits a posterior by ravi or rstan and notes what came out, for compare.R and race.R.

# A runner takes a posterior, a seed and the options of the command line. Its record has: told,
# said, cpu and wall (seconds), khat, gradients, mean, sd; that of ravi also findings (their codes)
# and importance (draws whose density was evaluated, without a gradient).

own <- 1:2       # user and system time of this process, in proc.time()
children <- 4:5  # ... of those it has waited for
SIGXCPU <- 24    # ends a process that has used up its `ulimit -S -t`

# Seconds that an expression takes, of the processor and of the clock.
seconds_of <- function(which, expression) {
  before <- proc.time()
  force(expression)
  spent <- proc.time() - before
  list(cpu = sum(spent[which]), wall = spent[["elapsed"]])
}

# Who gets no answer is told so.
out_of_time <- function(seconds) list(told = TRUE, said = "timeout", cpu = seconds)

# `model` is a Stan program or the name of a built-in model.
fit_by_ravi <- function(model, p, seed, options) {
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
  if (endsWith(model, ".stan")) check(call("compile", shQuote(model), "--quiet"), 0)
  time <- seconds_of(children, {
    status <- call("fit", shQuote(model), "--data", shQuote(p$data), "--json --quiet --seed", seed,
                   options[["ravi-args"]], limit = options$timeout)
  })
  if (status == 128 + SIGXCPU) return(out_of_time(options$timeout))
  check(status, 0:1)
  fit <- jsonlite::fromJSON(out, simplifyVector = FALSE)
  judged <- Filter(function(x) base(x$name) %in% p$reference$variables, fit$parameters)
  pick <- function(key) {
    values <- vapply(judged, function(x) number(x[[key]]), 0)
    setNames(values, vapply(judged, `[[`, "", "name"))
  }
  findings <- unique(vapply(fit$findings, `[[`, "", "code"))
  c(list(told = !fit$verdict %in% c("accurate", "usable"), said = fit$verdict,
         findings = as.list(findings)), time,
    list(khat = number(fit$khat), gradients = fit$gradient_evaluations,
         importance = fit$importance_draws, mean = pick("mean"), sd = pick("sd")))
}
run_ravi <- function(p, seed, options) fit_by_ravi(p$program, p, seed, options)
run_ravi_builtin <- function(p, seed, options) fit_by_ravi(p$builtin, p, seed, options)

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

# An array with one element stays an array, which rstan tells from a scalar by its dimensions.
read_data <- function(file) {
  as_written <- jsonlite::fromJSON(file, simplifyVector = FALSE)
  Map(function(value, written) {
    if (is.list(value) && length(value) == 0) value <- integer()
    if (is.list(written) && is.null(dim(value))) as.array(value) else value
  }, jsonlite::fromJSON(file), as_written)
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

# A model is kept while the process lives: what reads a file again shares the library of the first,
# which is unloaded when that one is collected.
loaded <- new.env()

compiled <- function(p, cache) {
  code <- to_old_arrays(paste(readLines(p$program), collapse = "\n"))
  file <- file.path(cache, paste0(md5(text = c(code, rstan_version)), ".rds"))
  if (is.null(loaded[[file]])) loaded[[file]] <- read_or_compile(file, code, p$name)
  loaded[[file]]
}

read_or_compile <- function(file, code, name) {
  if (file.exists(file)) return(readRDS(file))
  message("compiling ", name)
  # Debian's BH package holds no headers; they are in libboost-dev.
  model <- stan_model(model_code = code, model_name = name, boost_lib = "/usr/include")
  dir.create(dirname(file), recursive = TRUE, showWarnings = FALSE)
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

run_rstan <- function(p, options, doubts, gradients, fit_with) {
  model <- compiled(p, options$cache)
  data <- read_data(p$data)
  listen(sampling(model, data, chains = 0))  # loads the library, which is no part of the fit
  in_child(options$timeout, function() {
    time <- seconds_of(own, heard <- listen(fit_with(model, data)))
    fit <- heard$value
    if (heard$error || length(dim(fit)) == 0) {
      return(c(list(told = TRUE, said = c("error", tail(heard$text, 1))), time))
    }
    said <- unlist(lapply(doubts, function(d) grep(d, heard$text, value = TRUE)))
    draws <- as.matrix(fit, pars = p$reference$variables)
    c(list(told = length(said) > 0, said = trimws(sub("\n.*", "", said))), time,
      list(khat = number(fit@sim$diagnostics$psis$pareto_k), gradients = gradients(fit),
           mean = colMeans(draws), sd = apply(draws, 2, sd)))
  })
}

run_vb <- function(algorithm) {
  function(p, seed, options) {
    run_rstan(p, options, vb_doubts, function(fit) NaN, function(model, data) {
      vb(model, data, algorithm = algorithm, seed = seed)
    })
  }
}
run_nuts <- function(p, seed, options) {
  run_rstan(p, options, nuts_doubts, nuts_gradients, function(model, data) {
    sampling(model, data, seed = seed, cores = 1, refresh = 0)
  })
}

runners <- list(ravi = run_ravi, "ravi-builtin" = run_ravi_builtin,
                "vb-fullrank" = run_vb("fullrank"), "vb-meanfield" = run_vb("meanfield"),
                nuts = run_nuts)
