# topoi in R: `source("topoi.R")`. docs/guide/r.md leads from a data frame to effects and figures.
#
# | function | does |
# | --- | --- |
# | write_topoi    | texts, a dfm, a sparse matrix, a DocumentTermMatrix or stm's documents become a corpus |
# | run_topoi      | runs a model; read_topoi reads a run that is finished; print and summary show it |
# | import_stm     | an stm model becomes a run |
# | tidy_topoi     | tables as tidytext has them; tidy() does the same |
# | topoi_beta, topoi_theta, topoi_documents | word probabilities, proportions, documents with their fields |
# | topoi_effects  | how topics' shares depend on fields, as a tidy table |
# | topoi_draws, topoi_shares | tables for regressions by other packages |
# | as_stm         | a run as an stm model, for stm's plots and labels |
# | topoi_sql      | any question to the store |
#
# It needs the program topoi, R 4.1 and the package jsonlite. Topics have the numbers that the program gives them, from 0.
# Everything that starts with .topoi_ is for the functions of this file alone.

# An error in one line, without the call of a function that nobody called.
.topoi_stop <- function(...) stop(sprintf(...), call. = FALSE)

# ---- The program -------------------------------------------------------------------------------------------------

#' The program's path.
#'
#' The option `topoi.program`, else the environment variable TOPOI_PROGRAM, else the PATH.
topoi_program <- function() {
  chosen <- getOption("topoi.program", Sys.getenv("TOPOI_PROGRAM"))
  if (!nzchar(chosen)) {
    found <- unname(Sys.which("topoi"))
    if (nzchar(found)) return(found)
    stop("the program topoi is not on the PATH: install it with `cargo install --path .` in the folder of its sources, ",
         "or say where it is: options(topoi.program = \"/path/to/topoi\")", call. = FALSE)
  }
  path <- if (grepl("/", chosen, fixed = TRUE)) path.expand(chosen) else unname(Sys.which(chosen))
  if (!nzchar(path) || dir.exists(path) || file.access(path, 1) != 0) {
    stop(chosen, ": not a program: name topoi's with options(topoi.program = \"/path/to/topoi\")", call. = FALSE)
  }
  path
}

# Runs the program, and returns `read` of the file with its standard output. What it reports comes as messages while it
# works, its warnings as warnings, its error as an error. Interrupting R interrupts it.
.topoi_call <- function(arguments, store, read) {
  program <- topoi_program()
  folder <- tempfile("topoi")
  dir.create(folder)
  at <- function(name) file.path(folder, name)
  # All that it would print to a terminal is in the log, also where standard error is no terminal.
  words <- c(program, "--quiet", "--log", at("log"), if (!is.null(store)) c("--store", path.expand(store)), arguments)
  command <- sprintf("echo $$ > %s; exec %s > %s 2> %s < /dev/null", shQuote(at("process")),
                     paste(shQuote(enc2utf8(words)), collapse = " "), shQuote(at("output")), shQuote(at("errors")))
  # It works in the background, since R cannot be interrupted while it waits for a process or a pipe.
  system(sprintf("(sh -c %s; echo $? > %s; mv %s %s)", shQuote(command), shQuote(at("part")), shQuote(at("part")),
                 shQuote(at("status"))), wait = FALSE)
  process <- function() suppressWarnings(as.integer(readLines(at("process"))))
  on.exit({
    if (!file.exists(at("status")) && file.exists(at("process"))) {
      tools::pskill(process(), tools::SIGINT)
      while (isTRUE(tools::pskill(process(), 0))) Sys.sleep(0.05)
    }
    unlink(folder, recursive = TRUE)
  })
  # The first entry is the command, in as many lines as it has; the last is how long it took.
  said <- 1 + sum(nchar(gsub("[^\n]", "", words)))
  pause <- 0.005
  repeat {
    is_over <- file.exists(at("status"))
    lines <- .topoi_whole_lines(at("log"))
    for (line in lines[seq_along(lines) > said]) {
      text <- sub("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]+Z ", "", line)
      if (!grepl("^((error|warning): |ended after [0-9.]+ s$)", text)) message(text)
    }
    said <- max(said, length(lines))
    if (is_over) break
    Sys.sleep(pause)
    pause <- min(pause * 1.3, 0.2)
  }
  errors <- readLines(at("errors"), warn = FALSE, encoding = "UTF-8")
  if (!identical(readLines(at("status")), "0")) {
    error <- grep("^error: ", errors, value = TRUE)
    if (length(error) == 0) error <- c(errors, sprintf("%s ended without a result", program))
    stop(sub("^error: ", "", error[1]), call. = FALSE)
  }
  for (text in grep("^warning: ", errors, value = TRUE)) warning(sub("^warning: ", "", text), call. = FALSE)
  read(at("output"))
}

# The lines of a file that is being written, but the last while it is not ended.
.topoi_whole_lines <- function(path) {
  if (!file.exists(path)) return(character(0))
  bytes <- readBin(path, "raw", file.size(path))
  ends <- which(bytes == as.raw(10L))
  if (length(ends) == 0) return(character(0))
  text <- rawToChar(bytes[seq_len(max(ends))])
  Encoding(text) <- "UTF-8"
  strsplit(text, "\n", fixed = TRUE)[[1]]
}

.topoi_json <- function(arguments, store) {
  if (!requireNamespace("jsonlite", quietly = TRUE)) {
    .topoi_stop("the package jsonlite is missing: install.packages(\"jsonlite\"), or in Debian apt install r-cran-jsonlite")
  }
  .topoi_call(c(arguments, "-o", "json"), store, function(path) {
    jsonlite::fromJSON(paste(readLines(path, warn = FALSE, encoding = "UTF-8"), collapse = "\n"))
  })
}

# A CSV file whose columns are text, but those that `is_number` picks by their names.
.topoi_csv <- function(path, is_number = function(names) rep(FALSE, length(names))) {
  read <- function(...) {
    utils::read.csv(path, check.names = FALSE, encoding = "UTF-8", comment.char = "", quote = "\"",
                    na.strings = character(0), ...)
  }
  columns <- names(read(nrows = 1, colClasses = "character"))
  read(colClasses = ifelse(is_number(columns), "numeric", "character"))
}

# The files that `topoi export` writes, read by `read` of their path.
.topoi_export <- function(run, format, read) {
  folder <- tempfile("topoi")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  path <- file.path(folder, format)
  suppressMessages(.topoi_call(c("export", run$run, "--to", format, "--raw", "-o", path), run$store, identity))
  read(path)
}

# R's named arguments as options of the program: min_documents = 5 is --min-documents 5, TRUE is the option alone, and a
# vector is a list with commas.
.topoi_options <- function(options) {
  if (length(options) == 0) return(character(0))
  if (is.null(names(options)) || any(names(options) == "")) {
    stop("arguments for the program need a name, such as min_documents = 5 for --min-documents 5", call. = FALSE)
  }
  unlist(Map(function(name, value) {
    flag <- paste0("--", gsub("[._]", "-", name))
    if (is.null(value) || identical(value, FALSE)) character(0)
    else if (identical(value, TRUE)) flag
    else c(flag, paste(.topoi_words(value), collapse = ","))
  }, names(options), options), use.names = FALSE)
}

# Values as the program reads them: numbers with all digits and without an exponent.
.topoi_words <- function(values) {
  is_plain <- is.numeric(values) && !is.object(values)
  if (is_plain) vapply(values, format, "", digits = 15, scientific = FALSE) else as.character(values)
}

# ---- Texts and counts into a corpus ------------------------------------------------------------------------------

#' Write texts or counts to a corpus.
#'
#' @param x One of
#'   a data frame with a text in each row; a character vector; a quanteda `corpus`; a quanteda `dfm` (with its
#'   docvars), a sparse matrix of Matrix or a matrix, with terms as names of the columns; a `DocumentTermMatrix` or
#'   `TermDocumentMatrix` of tm; stm's list of `documents`, `vocab` and `meta`.
#' @param corpus The name of the corpus. Documents that it has already are skipped, or replaced where they have
#'   changed.
#' @param store The file of the store, made where it is not there; without it the program's own.
#' @param meta A data frame of fields, a row for each document in their order.
#' @param text,id The columns of texts and of ids. Without `id`: `doc_id` or `id` where there is such a column, else
#'   row names of counts, names of texts, else the numbers of rows.
#' @param missing Values of fields that are missing beside NA, such as `c("-99", ".")`; `"none"` for no others.
#'   Without it those of docs/reference/fields.md, such as "NA".
#' @param ... Options of `topoi ingest` for texts, such as `language = "de"`, `stop_words = "none"`.
#'
#' Counts stay as they are: no word is dropped. Factors, and text columns of numbers such as "007", become categories;
#' Date and POSIXct become dates; a column `title` is the title. Numbers are numbers, but whole ones from 1500 to
#' 2100, which are years.
#'
#' Texts that are NA, ids that are there twice, columns that are not there: an error, and nothing is changed.
#'
#' Returns, invisibly, how many documents were `added`, `replaced`, `skipped` and `left_out`.
write_topoi <- function(x, corpus, store = getOption("topoi.store"), meta = NULL, text = "text", id = NULL, missing = NULL, ...) {
  documents <- .topoi_documents_of(x, text, id, meta)
  has_counts <- !is.null(documents$counts)
  fields <- .topoi_checked_fields(documents$fields, length(documents$id), has_counts)
  if (is.null(documents$id)) stop("there are no documents", call. = FALSE)
  if (isTRUE(attr(documents$id, "are_numbers")) && .topoi_has_documents(corpus, store)) {
    .topoi_stop(paste("documents without ids would replace those of corpus \"%s\": name a column of ids with id = \"...\",",
                      "or choose another corpus"), corpus)
  }
  file <- tempfile("documents", fileext = ".jsonl")
  on.exit(unlink(file))
  .topoi_write_lines(documents, fields, file)
  options <- list(...)
  # Counts are of words as they should be: no rule for words applies to them.
  if (has_counts) options <- utils::modifyList(list(stop_words = "none", min_length = 1), options)
  found <- .topoi_json(c("ingest", corpus, file, "--format", "jsonl", "--id-field", "id", "--text-field", "text",
                         .topoi_options(options)), store)
  .topoi_set_kinds(fields, corpus, store, missing)
  counts <- found$counts[c("added", "replaced", "skipped", "left_out")]
  message(sprintf("%s: %d documents added, %d replaced, %d there already, %d left out", corpus, counts$added, counts$replaced,
                  counts$skipped, counts$left_out),
          if (counts$left_out > 0) sprintf("; `topoi left-out %s` says why", corpus))
  invisible(counts)
}

# What `x` is made of: ids, fields, and texts, or counts as document (i), term (j), count (n) and the terms.
.topoi_documents_of <- function(x, text, id, meta) {
  # inherits() of a dfm wants quanteda, which who saved it has and who reads it may not have.
  if (isS4(x) && "dfm" %in% class(x)) {
    docvars <- attr(x, "docvars")
    return(.topoi_matrix(x, .topoi_with(.topoi_docvars(docvars), meta), .topoi_docnames(docvars, attr(x, "Dimnames")[[1]])))
  }
  if (inherits(x, "corpus") && is.character(x)) {
    docvars <- attr(x, "docvars")
    fields <- .topoi_with(.topoi_docvars(docvars), meta)
    return(.topoi_texts(as.character(x), .topoi_docnames(docvars, names(x)), fields))
  }
  if (is.character(x)) return(.topoi_texts(unname(x), names(x), meta))
  if (is.data.frame(x)) return(.topoi_rows(x, text, id, meta))
  if (inherits(x, "simple_triplet_matrix")) {
    names <- if (is.null(x$dimnames)) list(NULL, NULL) else x$dimnames
    if (inherits(x, "TermDocumentMatrix")) {
      return(.topoi_counts(x$j, x$i, x$v, x$ncol, rev(names), meta))
    }
    return(.topoi_counts(x$i, x$j, x$v, x$nrow, names, meta))
  }
  if (is.matrix(x) || inherits(x, "Matrix")) return(.topoi_matrix(x, meta))
  if (is.list(x) && all(c("documents", "vocab") %in% names(x))) return(.topoi_stm_documents(x, meta))
  stop("write_topoi cannot read an object of class ", class(x)[1], ": give a data frame of texts, a dfm, a sparse matrix, a ",
       "DocumentTermMatrix, or stm's list of documents, vocab and meta", call. = FALSE)
}

# Fields beside those that an object has itself.
.topoi_with <- function(fields, meta) {
  if (is.null(meta) || is.null(fields)) return(if (is.null(fields)) meta else fields)
  if (nrow(meta) != nrow(fields)) .topoi_wrong_rows(meta, nrow(fields))
  cbind(fields[setdiff(names(fields), names(meta))], meta)
}

.topoi_wrong_rows <- function(meta, n) {
  .topoi_stop("meta has %d rows for %d documents: it needs a row for each, in their order", nrow(meta), n)
}

# quanteda's own columns of docvars end with an underscore.
.topoi_docvars <- function(docvars) {
  fields <- docvars[!names(docvars) %in% c("docname_", "docid_", "segid_")]
  if (length(fields) == 0) NULL else fields
}

.topoi_docnames <- function(docvars, otherwise) if (is.null(docvars$docname_)) otherwise else as.character(docvars$docname_)

.topoi_rows <- function(x, text, id, meta) {
  has <- paste(names(x), collapse = ", ")
  x <- as.data.frame(x)
  if (nrow(x) == 0) stop("the data frame has no rows", call. = FALSE)
  if (!text %in% names(x)) {
    .topoi_stop("there is no column \"%s\"; the data frame has %s: name the column of texts with text = \"...\"", text, has)
  }
  if (is.null(id)) id <- utils::head(intersect(c("doc_id", "id"), names(x)), 1)
  else if (!id %in% names(x)) {
    .topoi_stop("there is no column \"%s\"; the data frame has %s: name the column of ids with id = \"...\"", id, has)
  }
  texts <- x[[text]]
  if (!is.character(texts) && !is.factor(texts)) {
    .topoi_stop("column \"%s\" is %s, not text: name the column of texts with text = \"...\"", text, class(texts)[1])
  }
  ids <- if (length(id) == 1) .topoi_words(x[[id]])
  .topoi_texts(as.character(texts), ids, .topoi_with(x[!names(x) %in% c(text, id)], meta), text)
}

.topoi_texts <- function(texts, ids, fields, column = NULL) {
  if (anyNA(texts)) {
    rows <- which(is.na(texts))
    remedy <- if (is.null(column)) "x[!is.na(x)]" else sprintf("x[!is.na(x$%s), ]", column)
    .topoi_stop("%d of %d texts are NA, the first in row %d: leave them out with %s", length(rows), length(texts), rows[1], remedy)
  }
  .topoi_check_encoding(texts, "a text")
  list(id = .topoi_ids(ids, length(texts)), text = enc2utf8(texts), fields = fields)
}

.topoi_check_encoding <- function(texts, what) {
  wrong <- which(!validUTF8(enc2utf8(texts)))
  if (length(wrong) > 0) {
    .topoi_stop("%s is not UTF-8, the first in row %d: convert them with iconv(x, \"latin1\", \"UTF-8\")", what, wrong[1])
  }
}

.topoi_ids <- function(ids, n) {
  if (is.null(ids)) return(structure(.topoi_words(seq_len(n)), are_numbers = TRUE))
  ids <- as.character(ids)
  is_missing <- is.na(ids) | ids == ""
  if (any(is_missing)) {
    .topoi_stop("the id of row %d is missing: give every document one, such as seq_len(nrow(x))", which(is_missing)[1])
  }
  if (anyDuplicated(ids)) {
    .topoi_stop(paste("%d documents have the id of another, the first \"%s\": make them unique with make.unique(),",
                      "or drop them with x[!duplicated(x$id), ]"), sum(duplicated(ids)), ids[anyDuplicated(ids)])
  }
  ids
}

# Counts of a matrix with documents as rows. The slots of Matrix's classes are read as they are, so that it is needed for those
# alone that store something else than columns or triplets.
.topoi_matrix <- function(x, fields, ids = NULL) {
  if (!isS4(x)) {
    at <- which(x != 0 | is.na(x), arr.ind = TRUE)
    return(.topoi_counts(at[, 1], at[, 2], x[at], nrow(x), .topoi_names(dimnames(x), ids), fields))
  }
  has <- function(slot) !is.null(attr(x, slot))
  # Symmetric and triangular matrices, which have `uplo`, store a half.
  is_known <- has("x") && has("i") && (has("p") || has("j")) && !has("uplo")
  if (!is_known) {
    if (!requireNamespace("Matrix", quietly = TRUE)) {
      stop("the package Matrix is missing, which knows what ", class(x)[1], " is: install.packages(\"Matrix\")", call. = FALSE)
    }
    x <- methods::as(methods::as(x, "generalMatrix"), "CsparseMatrix")
    if (is.null(attr(x, "x"))) x <- x * 1
  }
  size <- attr(x, "Dim")
  j <- if (is.null(attr(x, "p"))) attr(x, "j") + 1L else rep.int(seq_len(size[2]), diff(attr(x, "p")))
  .topoi_counts(attr(x, "i") + 1L, j, attr(x, "x"), size[1], .topoi_names(attr(x, "Dimnames"), ids), fields)
}

.topoi_names <- function(names, ids) {
  if (is.null(names)) names <- list(NULL, NULL)
  if (!is.null(ids)) names[[1]] <- ids
  names
}

.topoi_counts <- function(i, j, n, documents, names, fields) {
  terms <- names[[2]]
  if (is.null(terms)) stop("the matrix has no column names: set the terms with colnames(x) <- ...", call. = FALSE)
  if (anyDuplicated(terms)) {
    .topoi_stop("the term \"%s\" is there twice: add its columns up, in quanteda with dfm_compress(x)",
                terms[anyDuplicated(terms)])
  }
  if (anyNA(terms) || any(terms == "")) stop("a term is empty or NA: leave it out with x[, colnames(x) != \"\"]", call. = FALSE)
  .topoi_check_encoding(terms, "a term")
  if (anyNA(n) || any(n < 0 | n != round(n) | n > 2^53)) {
    stop("counts must be whole numbers: give the matrix as it is before weights such as tf-idf or proportions", call. = FALSE)
  }
  if (documents == 0) stop("the matrix has no rows", call. = FALSE)
  # Triplets may have an entry in several parts, and zeros.
  keep <- n > 0
  i <- i[keep]; j <- j[keep]; n <- n[keep]
  cell <- (i - 1) * length(terms) + j
  if (anyDuplicated(cell)) {
    n <- as.vector(rowsum(n, cell))
    cell <- sort(unique(cell))
    i <- (cell - 1) %/% length(terms) + 1
    j <- (cell - 1) %% length(terms) + 1
  }
  list(id = .topoi_ids(names[[1]], documents), fields = fields, counts = list(i = i, j = j, n = n, terms = enc2utf8(terms)))
}

.topoi_stm_documents <- function(x, meta) {
  documents <- x$documents
  if (is.null(meta)) meta <- if (is.null(x$meta)) x$data else x$meta
  sizes <- vapply(documents, ncol, 1L)
  j <- unlist(lapply(documents, function(d) d[1, ]), use.names = FALSE)
  n <- unlist(lapply(documents, function(d) d[2, ]), use.names = FALSE)
  if (length(j) > 0 && (min(j) < 1 || max(j) > length(x$vocab))) {
    .topoi_stop("documents have words numbered from %d to %d for a vocab of %d: numbers are from 1",
                min(j), max(j), length(x$vocab))
  }
  .topoi_counts(rep(seq_along(documents), sizes), j, n, length(documents), list(names(documents), x$vocab), meta)
}

.topoi_has_documents <- function(corpus, store) {
  corpora <- tryCatch(.topoi_json("corpora", store), error = function(e) {
    if (grepl("there is no store here", conditionMessage(e), fixed = TRUE)) list() else stop(conditionMessage(e), call. = FALSE)
  })
  length(corpora) > 0 && any(corpora$name == corpus & corpora$documents > 0)
}

.topoi_checked_fields <- function(fields, n, has_counts) {
  if (is.null(fields) || length(fields) == 0) return(NULL)
  fields <- as.data.frame(fields)
  if (nrow(fields) != n) .topoi_wrong_rows(fields, n)
  taken <- intersect(names(fields), c("id", "text", if (has_counts) c("counts", "tokens")))
  if (length(taken) > 0) {
    .topoi_stop("a field cannot be called \"%s\": rename the column, or leave it out", taken[1])
  }
  odd <- names(fields)[is.na(names(fields)) | names(fields) == "" | grepl("[=\r\n]", names(fields)) | duplicated(names(fields))]
  if (length(odd) > 0) {
    .topoi_stop("a column is called \"%s\": names of fields are not empty, not twice the same, and without =", odd[1])
  }
  for (name in names(fields)) {
    column <- fields[[name]]
    if (is.list(column) && !inherits(column, "POSIXlt") || is.matrix(column) || is.complex(column)) {
      .topoi_stop("column \"%s\" is a %s: make it text, a number or a date, or leave it out", name, class(column)[1])
    }
    if (is.character(column) || is.factor(column)) {
      .topoi_check_encoding(as.character(column), sprintf("a value of column \"%s\"", name))
    }
  }
  fields
}

# JSON strings of a vector; NA is null.
.topoi_json_strings <- function(x) {
  x <- enc2utf8(as.character(x))
  is_missing <- is.na(x)
  x <- gsub("\\", "\\\\", x, fixed = TRUE)
  x <- gsub("\"", "\\\"", x, fixed = TRUE)
  controls <- c(1:31)
  if (any(grepl("[\001-\037]", x, useBytes = TRUE))) {
    for (code in controls) x <- gsub(rawToChar(as.raw(code)), sprintf("\\u%04x", code), x, fixed = TRUE)
  }
  ifelse(is_missing, "null", paste0("\"", x, "\""))
}

# JSON numbers: the fewest of 15 to 17 digits that give the number back, since the program keeps a number with more digits
# than a double has as text. What is not finite is null.
.topoi_json_numbers <- function(x) {
  if (inherits(x, "integer64")) return(ifelse(is.na(x), "null", as.character(x)))
  x <- as.numeric(unclass(x))
  text <- sprintf("%.15g", x)
  for (digits in 16:17) {
    is_longer <- is.finite(x) & suppressWarnings(as.numeric(text)) != x
    text[is_longer] <- sprintf("%.*g", digits, x[is_longer])
  }
  ifelse(is.finite(x), text, "null")
}

.topoi_json_column <- function(x) {
  if (inherits(x, "Date")) .topoi_json_strings(format(x, "%Y-%m-%d"))
  else if (inherits(x, "POSIXt")) .topoi_json_strings(format(as.POSIXct(x), "%Y-%m-%dT%H:%M:%SZ", tz = "UTC"))
  else if (is.logical(x)) ifelse(is.na(x), "null", ifelse(x, "true", "false"))
  else if (is.numeric(x)) .topoi_json_numbers(x)
  else .topoi_json_strings(x)
}

# Writes a JSON object for each document, in blocks, so that memory does not grow with the corpus.
.topoi_write_lines <- function(documents, fields, path, block = 10000) {
  file <- file(path, "wb")
  on.exit(close(file))
  total <- length(documents$id)
  counts <- documents$counts
  if (!is.null(counts)) {
    terms <- .topoi_json_strings(counts$terms)
    order <- order(counts$i)
    ends <- cumsum(tabulate(counts$i, total))
  }
  names <- .topoi_json_strings(names(fields))
  for (first in seq(1, total, by = block)) {
    rows <- first:min(first + block - 1, total)
    line <- paste0("{\"id\":", .topoi_json_strings(documents$id[rows]))
    if (is.null(counts)) line <- paste0(line, ",\"text\":", .topoi_json_strings(documents$text[rows]))
    else {
      from <- if (first == 1) 1 else ends[first - 1] + 1
      here <- if (ends[max(rows)] >= from) order[from:ends[max(rows)]] else integer(0)
      words <- paste0(terms[counts$j[here]], ":", .topoi_json_numbers(counts$n[here]))[seq_along(here)]
      of <- factor(counts$i[here], levels = rows)
      line <- paste0(line, ",\"counts\":{", vapply(split(words, of), paste, "", collapse = ",", USE.NAMES = FALSE), "}")
    }
    for (at in seq_along(fields)) line <- paste0(line, ",", names[at], ":", .topoi_json_column(fields[[at]][rows]))
    writeLines(paste0(line, "}"), file, useBytes = TRUE)
  }
}

# What R's classes say of the fields, where the program would take them for something else.
.topoi_set_kinds <- function(fields, corpus, store, missing) {
  if (!is.null(missing)) suppressMessages(.topoi_json(c("fields", corpus, "--missing", paste(missing, collapse = ",")), store))
  if (is.null(fields)) return(invisible())
  guessed <- suppressMessages(.topoi_json(c("fields", corpus), store))
  wanted <- character(0)
  for (at in seq_len(NROW(guessed))) {
    name <- guessed$field[at]
    column <- fields[[name]]
    if (is.null(column) || all(is.na(column))) next
    kind <- if (inherits(column, c("Date", "POSIXt"))) "date"
      else if (is.factor(column) || is.logical(column)) "category"
      else if (is.character(column)) { if (guessed$kind[at] == "number") "category" }
      else if (is.numeric(column)) { if (guessed$kind[at] != "date" || !all(is.na(column) | column %in% 1500:2100)) "number" }
    if (!is.null(kind) && kind != guessed$kind[at]) wanted <- c(wanted, "--set", paste0(name, "=", kind))
    if (guessed$marked[at] > 0 && is.null(missing)) {
      message(sprintf("%s: %d documents have a mark such as \"NA\", which is missing; missing = \"none\" takes it as a value",
                      name, guessed$marked[at]))
    }
  }
  if (length(wanted) > 0) suppressMessages(.topoi_json(c("fields", corpus, wanted), store))
  invisible()
}

# ---- Runs --------------------------------------------------------------------------------------------------------

#' Run a topic model.
#'
#' @param corpus The name of the corpus.
#' @param k The number of topics; without it the program chooses one by the number of documents.
#' @param ... Options of `topoi run`, such as `model = "lda-gibbs"`, `seed = 2`, `min_documents = 5`, `name =
#'   "final"`.
#'
#' Returns the run as [read_topoi()] does. Interrupting R cancels it.
run_topoi <- function(corpus, k = NULL, store = getOption("topoi.store"), ...) {
  done <- .topoi_json(c("run", corpus, .topoi_options(c(list(k = k)[!is.null(k)], list(...)))), store)
  read_topoi(done$run, store)
}

#' Read a run that is finished.
#'
#' @param run Its number, its name, or "CORPUS@latest".
#'
#' Returns a `topoi_run`: a list of `run` (its number), `store`, `corpus`, `model`, `k`, `seed`, `documents`, `terms`,
#' `topics` (a data frame: number, shares, label and most probable words), `metrics`, `warnings` and `methods` (a
#' paragraph for a paper).
read_topoi <- function(run = NULL, store = getOption("topoi.store")) {
  if (is.null(run)) stop("which run? give its number, its name, or \"CORPUS@latest\"", call. = FALSE)
  quietly <- function(...) suppressWarnings(suppressMessages(.topoi_json(c(...), store)))
  methods <- quietly("methods", .topoi_words(run))
  number <- methods$run
  facts <- .topoi_query(sprintf("SELECT * FROM run_summary WHERE run_id = %d", number), store)
  topics <- quietly("topics", number)
  words <- vapply(topics$words, function(w) paste(w$word, collapse = " "), "")
  label <- if (is.null(topics$label)) NA_character_ else as.character(topics$label)
  metrics <- quietly("metrics", number)[c("name", "value")]
  warnings <- .topoi_query(sprintf("SELECT name, text FROM run_warning WHERE run_id = %d ORDER BY position", number), store)
  structure(list(run = number, store = store, corpus = facts$corpus, model = facts$model, k = facts$k, seed = facts$seed,
                 documents = facts$documents, terms = facts$terms,
                 topics = data.frame(topic = topics$topic, document_share = as.numeric(topics$document_share),
                                     token_share = as.numeric(topics$token_share), label = label, words = words,
                                     stringsAsFactors = FALSE),
                 metrics = metrics, warnings = if (length(warnings) == 0) character(0) else setNames(warnings$text, warnings$name),
                 methods = methods$paragraph),
            class = "topoi_run")
}

#' Print a run: what it is, its topics, and why not to trust it.
print.topoi_run <- function(x, n = 20, ...) {
  cat(sprintf("run %d: %d topics of %s by %s, seed %d, %s documents, %s terms\n", x$run, x$k, x$corpus, x$model, x$seed,
              format(x$documents, big.mark = ","), format(x$terms, big.mark = ",")))
  width <- max(30, getOption("width") - 24)
  shown <- utils::head(x$topics, n)
  name <- ifelse(is.na(shown$label), shown$words, paste0(shown$label, ": ", shown$words))
  cat(sprintf("%5d %6.1f%%  %s", shown$topic, 100 * shown$document_share, strtrim(name, width)), sep = "\n")
  if (nrow(x$topics) > n) cat(sprintf("  and %d more\n", nrow(x$topics) - n))
  if (length(x$warnings) > 0) cat(paste0("warning: ", x$warnings), sep = "\n")
  invisible(x)
}

#' Summarise a run: its topics, its metrics and the paragraph for a paper.
summary.topoi_run <- function(object, ...) {
  structure(list(run = object, metrics = object$metrics, methods = object$methods), class = "summary.topoi_run")
}

#' @rdname summary.topoi_run
print.summary.topoi_run <- function(x, ...) {
  print(x$run)
  cat("\n")
  for (at in seq_len(nrow(x$metrics))) cat(sprintf("%-28s %s\n", x$metrics$name[at], format(x$metrics$value[at], digits = 4)))
  cat("\n", paste(strwrap(x$methods), collapse = "\n"), "\n", sep = "")
  invisible(x)
}

#' Ask the store with SQL; schema/README.md describes its tables.
#'
#' Returns a data frame. Nothing is changed. `limit_seconds` is how long it may take.
topoi_sql <- function(query, store = getOption("topoi.store"), limit_seconds = 60) {
  .topoi_query(query, store, limit_seconds)
}

# As topoi_sql, for the questions of this file, which may take longer.
.topoi_query <- function(query, store, limit_seconds = 600) {
  rows <- .topoi_json(c("sql", query, "--limit-seconds", .topoi_words(limit_seconds)), store)
  if (length(rows) == 0) data.frame() else rows
}

# ---- Topics and documents ----------------------------------------------------------------------------------------

#' Probabilities of words: a matrix of topics (rows) by terms.
topoi_beta <- function(run) {
  .topoi_check_run(run)
  .topoi_export(run, "matrix-market", function(folder) {
    file <- file.path(folder, "topic_words.mtx")
    terms <- readLines(file.path(folder, "words.txt"), encoding = "UTF-8")
    entries <- matrix(scan(file, comment.char = "%", quiet = TRUE), nrow = 3)
    beta <- matrix(0, entries[1, 1], entries[2, 1], dimnames = list(seq_len(entries[1, 1]) - 1, terms))
    beta[t(entries[1:2, -1, drop = FALSE])] <- entries[3, -1]
    beta
  })
}

#' Proportions of topics: a matrix of documents (rows, with their ids) by topics.
#'
#' Documents that the run left out are not in it.
topoi_theta <- function(run) .topoi_theta_of(.topoi_documents_csv(run))

.topoi_documents_csv <- function(run) {
  .topoi_check_run(run)
  is_number <- function(names) grepl("^topic_[0-9]+$", names) | names == "tokens"
  rows <- .topoi_export(run, "documents-csv", function(path) .topoi_csv(path, is_number))
  rows[rows$left_out == "", ]
}

.topoi_theta_of <- function(rows) {
  columns <- grep("^topic_[0-9]+$", names(rows))
  theta <- as.matrix(rows[columns])
  dimnames(theta) <- list(rows$document, sub("topic_", "", names(rows)[columns]))
  theta
}

#' The documents of a run: id, title, tokens and fields, and with `text = TRUE` their texts, in the order of
#' [topoi_theta()].
#'
#' Fields have the types that `topoi fields` shows: numbers, dates (where all are of a day; years where all are
#' years), else text.
topoi_documents <- function(run, text = FALSE) {
  documents <- .topoi_fields_of(.topoi_documents_csv(run), run)
  if (text) {
    texts <- .topoi_query(sprintf("SELECT key, text FROM document JOIN document_text ON document_id = id WHERE corpus_id = %s",
                               .topoi_corpus_id(run)), run$store)
    documents$text <- texts$text[match(documents$document, texts$key)]
  }
  documents
}

.topoi_corpus_id <- function(run) sprintf("(SELECT corpus_id FROM run WHERE id = %d)", run$run)

# The columns before the topics, with the types of their fields.
.topoi_fields_of <- function(rows, run) {
  rows <- rows[!grepl("^(topic|share|variance)_[0-9]+$", names(rows)) & !names(rows) %in% c("left_out", "draw")]
  rows$title[rows$title == ""] <- NA
  kinds <- suppressMessages(.topoi_json(c("fields", run$corpus), run$store))
  if (length(kinds) > 0) {
    marks <- .topoi_query(sprintf("SELECT value FROM corpus, json_each(missing) WHERE corpus.id = %s", .topoi_corpus_id(run)),
                          run$store)$value
    for (at in seq_len(nrow(kinds))) {
      # A field that is called as one of the columns has _field behind its name.
      name <- utils::tail(intersect(c(kinds$field[at], paste0(kinds$field[at], "_field")), names(rows)), 1)
      if (length(name) == 1) rows[[name]] <- .topoi_typed(rows[[name]], kinds$kind[at], marks)
    }
  }
  rownames(rows) <- NULL
  rows
}

.topoi_typed <- function(values, kind, marks) {
  values[values == "" | values %in% marks] <- NA
  known <- values[!is.na(values)]
  if (kind == "number") suppressWarnings(as.numeric(values))
  else if (startsWith(kind, "date") && length(known) > 0 && all(grepl("^[0-9]{4}-[0-9]{2}-[0-9]{2}$", known))) as.Date(values)
  else if (startsWith(kind, "date") && length(known) > 0 && all(grepl("^[0-9]{4}$", known))) as.integer(values)
  else values
}

.topoi_check_run <- function(run) {
  if (!inherits(run, "topoi_run")) {
    stop("this is ", class(run)[1], ", not a run: give what run_topoi() or read_topoi() returned", call. = FALSE)
  }
}

#' A run as a tidy data frame, with the columns that tidytext has for topic models.
#'
#' @param matrix "beta": `topic`, `term`, `beta`; "gamma": `document`, `topic`, `gamma`; "topics": a row for each
#'   topic; "metrics": a row for each metric of the run.
tidy_topoi <- function(run, matrix = c("beta", "gamma", "topics", "metrics")) {
  .topoi_check_run(run)
  matrix <- match.arg(matrix)
  if (matrix == "topics") return(run$topics)
  if (matrix == "metrics") return(run$metrics)
  if (matrix == "beta") {
    beta <- topoi_beta(run)
    return(data.frame(topic = rep(as.integer(rownames(beta)), ncol(beta)), term = rep(colnames(beta), each = nrow(beta)),
                      beta = as.vector(beta), stringsAsFactors = FALSE))
  }
  theta <- topoi_theta(run)
  data.frame(document = rep(rownames(theta), ncol(theta)), topic = rep(as.integer(colnames(theta)), each = nrow(theta)),
             gamma = as.vector(theta), stringsAsFactors = FALSE)
}

#' @rdname tidy_topoi
tidy.topoi_run <- function(x, matrix = c("beta", "gamma", "topics", "metrics"), ...) tidy_topoi(x, matrix)

# tidy() is a function of generics, which broom and tidytext pass on; its methods are found there wherever this file was sourced.
local({
  here <- environment(tidy.topoi_run)
  register <- function(...) {
    registerS3method("tidy", "topoi_run", get("tidy.topoi_run", here), envir = asNamespace("generics"))
  }
  if (isNamespaceLoaded("generics")) register()
  setHook(packageEvent("generics", "onLoad"), register)
  base <- baseenv()
  registerS3method("print", "topoi_run", print.topoi_run, envir = base)
  registerS3method("summary", "topoi_run", summary.topoi_run, envir = base)
  registerS3method("print", "summary.topoi_run", print.summary.topoi_run, envir = base)
})

# ---- Effects and regressions -------------------------------------------------------------------------------------

#' How topics' shares depend on fields.
#'
#' The program's regression: linear estimates of the shares, robust errors (docs/reference/fields.md).
#'
#' @param formula An R formula without a left side, such as `~ party + s(year)`, or the same as text. It names fields
#'   of the documents, not variables of R. `C(party, ref = "Labour")` chooses the reference; without it that is the
#'   first in the order of letters.
#' @param topic Numbers of topics; without it all.
#' @param at Predict shares at values of fields: `list(year = c(2000, 2010), party = "Labour")`.
#' @param contrast The difference of the shares predicted at the first value and at each other: `list(party =
#'   c("Labour", "Green"))`.
#' @param ... Options of `topoi effects`, such as `cluster = "author"`, `marginal = "year"`, `adjust = "holm"`,
#'   `topics_uncertain = TRUE`.
#'
#' Returns a data frame: `topic`, `name`, `term` (or what was predicted), `estimate`, `std.error`, `statistic`,
#' `p.value`, `conf.low`, `conf.high`, `df`, and what the program has beside them. Its attribute `notes` says what the
#' estimates are compared with and what was left out; `tests` are the F tests of the terms.
topoi_effects <- function(run, formula, topic = NULL, at = NULL, contrast = NULL, ...) {
  .topoi_check_run(run)
  arguments <- c("effects", run$run, .topoi_formula(formula), .topoi_options(c(list(topic = topic)[!is.null(topic)], list(...))))
  for (field in names(at)) arguments <- c(arguments, "--at", .topoi_values(field, at[[field]]))
  if (length(contrast) > 1) stop("one contrast at a time: give the other field with at = list(...)", call. = FALSE)
  for (field in names(contrast)) arguments <- c(arguments, "--contrast", .topoi_values(field, contrast[[field]]))
  found <- .topoi_json(arguments, run$store)
  for (note in found$notes) message(note)
  table <- found$estimates
  term <- if (is.null(table$term)) table$at else table$term
  number <- function(column) if (is.null(table[[column]])) rep(NA_real_, nrow(table)) else as.numeric(table[[column]])
  tidy <- data.frame(topic = table$topic, name = table$name, term = term, estimate = number("estimate"),
                     std.error = number("error"), statistic = number("estimate") / number("error"), p.value = number("p"),
                     conf.low = number("low"), conf.high = number("high"), df = number("degrees"), stringsAsFactors = FALSE)
  others <- setdiff(names(table), c("topic", "name", "term", "at", "estimate", "error", "p", "low", "high", "degrees"))
  structure(cbind(tidy, table[others]), notes = found$notes, tests = found$tests)
}

.topoi_formula <- function(formula) {
  if (is.character(formula)) return(formula)
  if (!inherits(formula, "formula")) stop("the formula is no formula: write it as ~ party + s(year)", call. = FALSE)
  if (length(formula) != 2) {
    stop("the formula has a left side: leave it out, and choose topics with topic = 3 (numbers are from 0)", call. = FALSE)
  }
  paste(deparse(formula, width.cutoff = 500L), collapse = " ")
}

.topoi_values <- function(field, values) paste0(field, "=", paste(.topoi_words(values), collapse = ","))

#' Draws of the documents' proportions from their posterior, for multiple imputation (the method of composition).
#'
#' @param n How many, up to 25.
#'
#' Returns a list of data frames with a row for each document: its fields and `topic_0`, `topic_1` …;
#' `mitools::imputationList` takes it.
topoi_draws <- function(run, n = 25) {
  .topoi_check_run(run)
  if (!is.numeric(n) || length(n) != 1 || !n %in% 1:25) stop("n is the number of draws, from 1 to 25", call. = FALSE)
  is_number <- function(names) grepl("^topic_[0-9]+$", names) | names %in% c("draw", "tokens")
  rows <- .topoi_export(run, "draws", function(path) .topoi_csv(path, is_number))
  rows <- rows[rows$draw <= n, ]
  tables <- split(cbind(.topoi_fields_of(rows, run), rows[grep("^topic_[0-9]+$", names(rows))]), rows$draw)
  lapply(unname(tables), function(table) { rownames(table) <- NULL; table })
}

#' Linear estimates of the documents' shares, which `topoi effects` regresses, and their variances.
#'
#' Returns a data frame with a row for each document: its fields, `used_tokens`, `share_0` …, `variance_0` …: `lm`,
#' `fixest::feols` and `lme4::lmer` of a `share_` are unbiased given the topics.
topoi_shares <- function(run) {
  .topoi_check_run(run)
  is_number <- function(names) grepl("^(share|variance)_[0-9]+$", names) | names %in% c("tokens", "used_tokens")
  rows <- .topoi_export(run, "shares", function(path) .topoi_csv(path, is_number))
  cbind(.topoi_fields_of(rows, run), rows[grep("^(share|variance)_[0-9]+$", names(rows))])
}

# ---- stm ---------------------------------------------------------------------------------------------------------

#' A run as an stm model.
#'
#' What comes back has the class "STM", so that stm's `plot`, `summary`, `labelTopics`, `findThoughts`, `topicCorr`,
#' `cloud`, `exclusivity` and, with `documents = TRUE`, `semanticCoherence` take it. stm counts topics from 1: its
#' topic 1 is topic 0 here.
#'
#' Beside stm's parts it has `meta`, the documents' fields in their order, for `estimateEffect(..., uncertainty =
#' "None")`. It has no `sigma`, as this model has no normal distribution behind its proportions: with `uncertainty =
#' "Global"` or `"Local"` estimateEffect fails. [topoi_effects()] and [topoi_draws()] carry the uncertainty of
#' proportions.
#'
#' @param documents Whether to add `documents`, the counts as stm has them.
as_stm <- function(run, documents = FALSE) {
  .topoi_check_run(run)
  rows <- .topoi_documents_csv(run)
  theta <- unname(.topoi_theta_of(rows))
  # stm takes logarithms and ratios: zeros become less than the least that is saved of a topic and of a document.
  beta <- pmax(topoi_beta(run), 5e-13)
  positive <- pmax(theta, 5e-8)
  eta <- log(positive[, -ncol(theta), drop = FALSE]) - log(positive[, ncol(theta)])
  # The vocabulary's order is that of the columns of beta.
  vocabulary <- .topoi_query(sprintf("SELECT term_id FROM vocabulary_term
      WHERE vocabulary_id = (SELECT vocabulary_id FROM run WHERE id = %d) ORDER BY position", run$run), run$store)
  # CROSS JOIN keeps the order: a document's counts are read once.
  counted <- sprintf("(SELECT document_id AS used FROM document_proportions WHERE run_id = %d)
      CROSS JOIN triple ON triple.document_id = used", run$run)
  total <- .topoi_query(sprintf("SELECT term_id, sum(count) AS total FROM %s GROUP BY term_id", counted), run$store)
  words <- total$total[match(vocabulary$term_id, total$term_id)]
  words[is.na(words)] <- 0
  refined <- .topoi_query(sprintf("SELECT residual FROM run_residual WHERE run_id = %d AND stage = 'refine' ORDER BY step",
                                  run$run), run$store)
  # What a pass of refining reports is minus the log probability of a token.
  bound <- -refined$residual * sum(words)
  n <- nrow(theta)
  model <- list(
    mu = list(mu = matrix(colMeans(eta), ncol = 1), gamma = NULL),
    beta = list(logbeta = list(log(unname(beta)))),
    settings = list(dim = list(K = run$k, A = 1, V = ncol(beta), N = n, wcounts = list(Group.1 = seq_len(ncol(beta)), x = words)),
                    covariates = list(X = NULL, betaindex = rep(1, n), yvarlevels = NULL, formula = NULL),
                    kappa = list(LDAbeta = TRUE, interactions = FALSE), gamma = list(mode = "CTM"),
                    init = list(mode = "Custom"), seed = run$seed, call = match.call()),
    vocab = colnames(beta),
    convergence = list(bound = bound, its = length(bound), stopits = TRUE,
                       converged = !any(grepl("unfinished$|unsettled$", names(run$warnings)))),
    theta = theta, eta = eta, version = "topoi", meta = .topoi_fields_of(rows, run)
  )
  if (documents) {
    cells <- .topoi_query(sprintf("SELECT (SELECT key FROM document WHERE id = used) AS document, term_id, count FROM %s", counted),
                          run$store)
    cells$term <- match(cells$term_id, vocabulary$term_id)
    cells <- cells[!is.na(cells$term), ]
    cells <- cells[order(cells$term), ]
    cells <- split(cells, factor(cells$document, levels = rows$document))
    model$documents <- lapply(cells, function(cell) rbind(as.integer(cell$term), as.integer(cell$count)))
  }
  class(model) <- "STM"
  model
}

#' Make a run of an stm model's topics.
#'
#' @param x An stm model, or the path of an `.rds` file with one.
#' @param corpus The corpus it was made from: [write_topoi()] of stm's `documents`, `vocab` and `meta` writes it.
#' @param ... Options of `topoi import`, such as `refine = 10`.
#'
#' The run has stm's words; its proportions are found again from the corpus. Topic 0 is stm's topic 1. Returns the run
#' as [read_topoi()] does.
import_stm <- function(x, corpus, store = getOption("topoi.store"), ...) {
  if (is.character(x)) {
    if (!file.exists(x)) stop(x, ": there is no such file", call. = FALSE)
    path <- x
    x <- tryCatch(suppressWarnings(readRDS(path)), error = function(e) {
      .topoi_stop("%s: not an .rds file: open it with load(), and give the model", path)
    })
  }
  if (!inherits(x, "STM")) stop("this is ", class(x)[1], ", not an stm model", call. = FALSE)
  if (length(x$beta$logbeta) != 1) {
    .topoi_stop("the model has a content covariate, and so several distributions of words a topic: fit one without `content`")
  }
  beta <- exp(x$beta$logbeta[[1]])
  terms <- .topoi_json(c("terms", corpus), store)$term
  known <- x$vocab %in% terms
  if (!any(known)) {
    .topoi_stop(paste("corpus \"%s\" has none of the model's %d words: write its documents with",
                      "write_topoi(list(documents = ..., vocab = ..., meta = ...), ...)"), corpus, length(x$vocab))
  }
  if (!all(known)) {
    message(sprintf("%d of the model's %d words are not in corpus \"%s\" and left out", sum(!known), length(known), corpus))
  }
  folder <- tempfile("stm")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  vocabulary <- file.path(folder, "words.txt")
  file <- file.path(folder, "topics.csv")
  writeLines(enc2utf8(x$vocab[known]), vocabulary, useBytes = TRUE)
  k <- nrow(beta)
  cell <- function(text) paste0("\"", gsub("\"", "\"\"", enc2utf8(text), fixed = TRUE), "\"")
  lines <- paste(rep(seq_len(k) - 1, ncol(beta)), rep(cell(x$vocab), each = k), sprintf("%.17g", as.vector(beta)), sep = ",")
  writeLines(c("topic,term,probability", lines[as.vector(beta) > 0]), file, useBytes = TRUE)
  # stm leaves no document out that has a word.
  options <- utils::modifyList(list(min_tokens = 1), list(...))
  done <- .topoi_json(c("import", file, "--from", "topics-csv", "--corpus", corpus, "--keep-list", vocabulary,
                        "--terms", sum(known), .topoi_options(options)), store)
  read_topoi(done$run, store)
}
