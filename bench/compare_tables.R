# Judges fits by reference moments and lays the verdicts out as tables, for compare.R and race.R.

largest_error <- 0.3     # of a mean, in posterior sds
largest_sd_ratio <- 1.4  # of an sd to the reference's, or the other way round

titles <- c(ravi = "ravi", "ravi-builtin" = "ravi, built-in", "vb-fullrank" = "ADVI, full rank",
            "vb-meanfield" = "ADVI, mean field", nuts = "NUTS")

number <- function(x) if (is.null(x)) NaN else suppressWarnings(as.numeric(x))

# ---- Judgment ----

# The reference is no part of the records, so that they can be judged again when it is made anew.
judge <- function(record, reference) {
  want <- reference$moments
  take <- function(moment) {
    values <- vapply(record[[moment]], number, 0)[want$name]
    ifelse(is.finite(values), values, NaN)
  }
  worst <- function(x) if (length(x) == 0) NaN else if (anyNA(x)) Inf else max(x)
  error <- worst(abs(take("mean") - want$mean) / want$sd)
  # An sd that a fit does not show, with a warning, beside a mean that it does, misleads nobody.
  sd <- take("sd")
  shown <- !(is.nan(sd) & is.finite(take("mean")))
  ratio <- if (any(shown)) worst(exp(abs(log(sd / want$sd)))[shown]) else 1
  right <- error <= largest_error && ratio <= largest_sd_ratio
  class <- if (!is.null(record$broken)) {
    "no fit"
  } else if (is.nan(error)) {
    "not judged"  # no reference yet
  } else if (right) {
    if (record$told) "false alarm" else "right"
  } else {
    if (record$told) "told" else "silent"
  }
  list(class = class, said = unlist(record$said), error = error, ratio = ratio,
       cpu = number(record$cpu), wall = number(record$wall), khat = number(record$khat),
       gradients = number(record$gradients), importance = number(record$importance),
       findings = unlist(record$findings), unshown = sum(!shown))
}

# ---- Tables ----

short <- function(x, digits = 2) {
  if (length(x) == 0 || is.na(x)) return("-")
  if (is.infinite(x)) return("none")
  if (x >= 100) return(format(signif(x, 3), big.mark = ",", scientific = FALSE))
  format(if (x < 0.1) round(x, 3) else signif(x, digits), scientific = FALSE)
}
column <- function(verdicts, key) vapply(verdicts, `[[`, if (key == "class") "" else 0, key)
row <- function(cells) paste0("| ", paste(cells, collapse = " | "), " |")

summary_table <- function(judged, methods) {
  lines <- vapply(methods, function(method) {
    of_posteriors <- lapply(judged, function(p) p$verdicts[[method]])
    all <- do.call(c, of_posteriors)
    if (length(all) == 0) return(NA_character_)
    class <- column(all, "class")
    percent <- function(which) sprintf("%.0f %%", 100 * mean(class == which))
    cpu <- column(all, "cpu")
    unrun <- sum(class == "no fit")
    fits <- if (unrun == 0) length(all) else sprintf("%d (%d not run)", length(all), unrun)
    row(c(titles[[method]], sum(lengths(of_posteriors) > 0), fits, percent("right"),
          percent("silent"), percent("told"), percent("false alarm"),
          short(median(cpu, na.rm = TRUE)), short(max(c(-Inf, cpu), na.rm = TRUE)),
          short(median(column(all, "gradients"), na.rm = TRUE))))
  }, "")
  c(row(c("method", "posteriors", "fits", "right and said so", "wrong, silent", "wrong, told",
          "false alarm", "CPU s, median", "worst", "gradients, median")),
    row(c("---", rep("---:", 9))), lines[!is.na(lines)])
}

# That of the seed with the median error, and how many seeds agree where not all of them do.
typical <- function(verdicts, text) {
  words <- vapply(verdicts, text, "")
  word <- words[middle(verdicts)]
  agree <- sum(words == word)
  if (agree == length(words)) word else sprintf("%s (%d of %d)", word, agree, length(words))
}
middle <- function(verdicts) order(column(verdicts, "error"))[(length(verdicts) + 1) %/% 2]

cells_of <- list(
  ravi = list(c("ravi", "verdict", "k-hat", "error", "sd ratio", "gradients", "CPU s"),
              function(v) {
                m <- v[[middle(v)]]
                c(typical(v, function(x) x$class), typical(v, function(x) c(x$said, "-")[1]),
                  short(m$khat), short(m$error), short(m$ratio, 3), short(m$gradients),
                  short(m$cpu))
              }),
  nuts = list(c("NUTS", "error", "gradients", "CPU s"),
              function(v) {
                c(typical(v, function(x) x$class), short(v[[middle(v)]]$error),
                  short(median(column(v, "gradients"))), short(median(column(v, "cpu"))))
              }))
cells_of_vb <- function(method) {
  list(c(titles[[method]], "error"),
       function(v) c(typical(v, function(x) x$class), short(v[[middle(v)]]$error)))
}
for (method in c("vb-fullrank", "vb-meanfield")) cells_of[[method]] <- cells_of_vb(method)

posterior_table <- function(judged, methods) {
  beside <- all(c("ravi", "nuts") %in% methods)
  head <- c("posterior", "dim", unlist(lapply(cells_of[methods], `[[`, 1)),
            if (beside) "CPU, ravi / NUTS")
  lines <- vapply(judged, function(p) {
    row(c(p$name, p$dimension, unlist(lapply(methods, function(method) {
      v <- p$verdicts[[method]]
      if (length(v) == 0) rep("-", length(cells_of[[method]][[1]])) else cells_of[[method]][[2]](v)
    })), if (beside) short(cpu_ratio(p))))
  }, "")
  text <- head %in% c("posterior", "verdict", titles)
  c(row(head), row(ifelse(text, "---", "---:")), lines)
}

# ---- ravi beside NUTS ----

many_gradients <- 60000

middle_of <- function(verdicts, key) {
  if (length(verdicts) == 0) NaN else median(column(verdicts, key), na.rm = TRUE)
}
cpu_ratio <- function(p) middle_of(p$verdicts$ravi, "cpu") / middle_of(p$verdicts$nuts, "cpu")

beside_nuts <- function(judged) {
  gradients <- vapply(judged, function(p) max(-Inf, column(p$verdicts$ravi, "gradients")), 0)
  of_fits <- unlist(lapply(judged, function(p) column(p$verdicts$ravi, "gradients")))
  of_nuts <- unlist(lapply(judged, function(p) column(p$verdicts$nuts, "gradients")))
  of_densities <- unlist(lapply(judged, function(p) column(p$verdicts$ravi, "importance")))
  ratio <- vapply(judged, cpu_ratio, 0)
  names <- vapply(judged, `[[`, "", "name")
  those <- function(which) {
    if (!any(which, na.rm = TRUE)) return("none")
    paste0(sum(which, na.rm = TRUE), " of ", length(judged), ": ",
           paste0("`", names[which(which)], "`", collapse = ", "))
  }
  c(sprintf("Gradients of ravi in the median fit %s, at most %s; of NUTS %s. Draws weighted by ravi,",
            short(median(of_fits)), short(max(of_fits)), short(median(of_nuts))),
    sprintf("a density each without a gradient: %s in the median fit. CPU time of ravi over that of",
            short(median(of_densities))),
    sprintf("NUTS (medians over seeds): %s in the median posterior.",
            short(median(ratio, na.rm = TRUE))),
    "",
    sprintf("- more than %s gradients with some seed: %s", short(many_gradients),
            those(gradients > many_gradients)),
    sprintf("- more CPU time than NUTS: %s", those(ratio > 1)))
}

# Every fit of ravi that is not right and said so.
exceptions <- function(judged) {
  lines <- unlist(lapply(judged, function(p) {
    v <- p$verdicts$ravi
    vapply(which(column(v, "class") != "right"), function(s) {
      x <- v[[s]]
      sprintf("- `%s`, seed %d: %s (%s); error %s, sd ratio %s, k-hat %s, %s gradients, %s s",
              p$name, s, x$class, paste(c(x$said, x$findings), collapse = ", "), short(x$error),
              short(x$ratio, 3), short(x$khat), short(x$gradients), short(x$cpu))
    }, "")
  }))
  if (length(lines) == 0) "Every fit of ravi is right and said so." else
    c("The fits of ravi that are not right and said so, with their findings:", "", lines)
}
