# Finds posteriors whose moments are known, and reads these, for compare.R and race.R.

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

# All of models/ and of the folder of references when none is asked for.
files_of_posteriors <- function(asked, references) {
  shared <- if (references == "") list() else posteriors_by_reference(references)
  if (length(asked) == 0) return(c(files_of_posteriors(file.path(root, "models"), ""), shared))
  found <- lapply(asked, function(x) {
    if (is_posterior(x)) return(list(posterior_in(x)))
    if (dir.exists(x)) {
      return(lapply(Filter(is_posterior, list.dirs(x, recursive = FALSE)), posterior_in))
    }
    places <- Filter(is_posterior, file.path(root, c("models", "bench/posteriors", "bench/hierarchies"), x))
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

find_posteriors <- function(asked, references) {
  lapply(files_of_posteriors(asked, references), function(p) {
    p$reference <- read_reference(p$reference)
    p
  })
}
