# Writes lists as JSON files with one key per line, which R's own packages do not offer.

# Matrices become arrays of rows, named lists objects (short inner ones on one line), and I(x) is an
# array whatever its length, while any other vector of length one is a scalar.
to_json <- function(x, digits, indent = "") {
  if (is.list(x)) {
    inner <- paste0(indent, "  ")
    items <- vapply(x, to_json, "", digits, inner)
    if (is.null(names(x))) {
      return(paste0("[\n", paste0(inner, items, collapse = ",\n"), "\n", indent, "]"))
    }
    members <- paste0("\"", names(x), "\": ", items)
    one_line <- paste0("{", paste(members, collapse = ", "), "}")
    if (indent != "" && nchar(one_line) <= 100 && !grepl("\n", one_line)) return(one_line)
    return(paste0("{\n", paste0(inner, members, collapse = ",\n"), "\n", indent, "}"))
  }
  if (is.matrix(x)) return(in_brackets(apply(x, 1, function(row) to_json(I(row), digits))))
  stopifnot(is.character(x) || all(is.finite(x)))
  text <- sprintf(if (is.character(x)) "\"%s\"" else paste0("%.", digits, "g"), x)
  if (length(x) == 1 && !inherits(x, "AsIs")) text else in_brackets(text)
}

in_brackets <- function(items) paste0("[", paste(items, collapse = ", "), "]")

write_json <- function(x, path, digits = 15) cat(to_json(x, digits), "\n", sep = "", file = path)
