# Rscript tests/r/functions.R: r/topoi.R against what the program prints and against R's own arithmetic, on the sample corpora.
# TOPOI_PROGRAM names the program.

top <- getwd()
library(Matrix)
source(file.path(top, "r/topoi.R"))
fixture <- function(name) file.path(top, "tests/r", name)
folder <- tempfile("topoi-r")
dir.create(folder)
setwd(folder)
options(topoi.store = "store.topoi", warn = 2)

# ---- Small helpers -----------------------------------------------------------------------------------------------

passed <- 0
test <- function(sentence, body) {
  tryCatch(suppressMessages(body), error = function(e) {
    cat(sprintf("FAILED   %s\n%s\n", sentence, conditionMessage(e)))
    quit(status = 1)
  })
  passed <<- passed + 1
  cat(sprintf("ok       %s\n", sentence))
}

# What the program prints, called without r/topoi.R.
cli <- function(...) {
  out <- system2(Sys.getenv("TOPOI_PROGRAM"), shQuote(c("--store", "store.topoi", ...)), stdout = TRUE, stderr = FALSE)
  stopifnot(is.null(attr(out, "status")))
  out
}
cli_csv <- function(...) utils::read.csv(text = cli(..., "-o", "csv"), check.names = FALSE, stringsAsFactors = FALSE)

error_of <- function(expression) {
  tryCatch({ expression; stop("no error") }, error = function(e) conditionMessage(e))
}

# The error says `words`, in one line, and the store is as it was.
refuses <- function(expression, words) {
  before <- if (file.exists("store.topoi")) cli("corpora", "-o", "csv")
  message <- error_of(expression)
  if (!grepl(words, message, fixed = TRUE)) stop("the error is \"", message, "\", not \"", words, "\"")
  stopifnot(!grepl("\n", message), identical(before, if (file.exists("store.topoi")) cli("corpora", "-o", "csv")))
}

near <- function(a, b, within) {
  if (length(a) != length(b) || any(is.na(a) != is.na(b))) stop("not of the same length, or with other gaps")
  worst <- max(abs(as.numeric(a) - as.numeric(b)), na.rm = TRUE)
  if (worst > within) stop("differs by ", worst)
}

# Total counts of a corpus's terms, by name.
totals <- function(corpus) {
  terms <- cli_csv("terms", corpus, "--raw")
  setNames(terms$total_count, terms$term)
}
same_totals <- function(corpus, expected) {
  expected <- expected[expected > 0]
  found <- totals(corpus)
  stopifnot(length(found) == length(expected), setequal(names(found), names(expected)), all(found[names(expected)] == expected))
}

notes <- jsonlite::stream_in(file(file.path(top, "sample_corpora/eight_subjects.jsonl")), verbose = FALSE)
n <- nrow(notes)

# ---- The program -------------------------------------------------------------------------------------------------

test("a program that is not there is named with what to do", {
  options(topoi.program = "/nowhere/topoi")
  stopifnot(identical(error_of(topoi_program()), "/nowhere/topoi: not a program: name topoi's with options(topoi.program = \"/path/to/topoi\")"))
  options(topoi.program = "")
  path <- Sys.getenv("PATH")
  Sys.setenv(PATH = folder)
  message <- error_of(topoi_program())
  Sys.setenv(PATH = path)
  options(topoi.program = NULL)
  stopifnot(grepl("not on the PATH: install it with `cargo install", message), topoi_program() == Sys.getenv("TOPOI_PROGRAM"))
})

test("errors of the program are R's errors, as they are", {
  refuses(run_topoi("nothing", 5), "there is no store here")
  stopifnot(!file.exists("store.topoi"))
})

# ---- Texts -------------------------------------------------------------------------------------------------------

test("bad texts are refused with what to do, and nothing is made", {
  refuses(write_topoi(data.frame(body = "a"), "bad"), "there is no column \"text\"; the data frame has body: name the column of texts with text = \"...\"")
  refuses(write_topoi(notes, "bad", id = "key"), "there is no column \"key\"; the data frame has id, title, text, subject")
  refuses(write_topoi(data.frame(text = 1:2), "bad"), "column \"text\" is integer, not text")
  with_na <- notes
  with_na$text[c(7, 9)] <- NA
  refuses(write_topoi(with_na, "bad"), "2 of 256 texts are NA, the first in row 7: leave them out with x[!is.na(x$text), ]")
  twice <- notes
  twice$id[5] <- twice$id[2]
  refuses(write_topoi(twice, "bad"), sprintf("1 documents have the id of another, the first \"%s\"", twice$id[2]))
  twice$id[5] <- NA
  refuses(write_topoi(twice, "bad"), "the id of row 5 is missing")
  latin1 <- data.frame(text = c("words", "caf\xe9"), stringsAsFactors = FALSE)
  Encoding(latin1$text) <- "UTF-8"
  refuses(write_topoi(latin1, "bad"), "a text is not UTF-8, the first in row 2: convert them with iconv")
  nested <- notes
  nested$list <- I(as.list(seq_len(n)))
  refuses(write_topoi(nested, "bad"), "column \"list\" is a AsIs")
  refuses(write_topoi(notes, "bad", meta = data.frame(x = 1:3)), "meta has 3 rows for 256 documents")
  refuses(write_topoi(list(1), "bad"), "write_topoi cannot read an object of class list")
  refuses(write_topoi(notes[0, ], "bad"), "the data frame has no rows")
  refuses(write_topoi(notes, "bad", no_option = 1), "--no-option")
  stopifnot(!file.exists("store.topoi"))
})

typed <- notes
typed$subject <- factor(typed$subject)
typed$rating <- factor(rep(c("1", "2", "10", NA), length.out = n))
typed$code <- rep(c("007", "042"), length.out = n)
typed$day <- as.Date("2008-01-01") + seq_len(n)
typed$sent <- as.POSIXct("2008-01-01 12:00:00", tz = "Europe/Berlin") + 86400 * seq_len(n)
typed$year <- rep(c(1999L, 2003L), length.out = n)
typed$reaction_time <- 400L + seq_len(n)
typed$score <- c(NA, seq_len(n - 1)) / 7
typed$won <- rep(c(TRUE, FALSE, NA), length.out = n)
typed$`two words` <- rep(c("a \"quoted\"\n\\ wort\u00e4", "b", NA), length.out = n)
typed$text[3] <- paste(typed$text[3], "\u00dcberfluss \"quoted\" back\\slash\ttab")

test("R's classes are the kinds of fields, and NA is missing", {
  counts <- write_topoi(typed, "notes")
  stopifnot(counts$added == n, counts$left_out == 0)
  fields <- jsonlite::fromJSON(cli("fields", "notes", "-o", "json"))
  kinds <- setNames(fields$kind, fields$field)
  expected <- c(subject = "category", rating = "category", code = "category", day = "date", sent = "date", year = "date",
                reaction_time = "number", score = "number", won = "category", `two words` = "category")
  stopifnot(setequal(names(kinds), names(expected)), all(kinds[names(expected)] == expected))
  gaps <- setNames(fields$without, fields$field)
  stopifnot(all(gaps[names(expected)] == vapply(typed[names(expected)], function(x) sum(is.na(x)), 1)))
})

test("texts, titles and values are kept to the last character and digit", {
  kept <- topoi_sql("SELECT key, title, text, fields ->> 'score' AS score, fields ->> 'two words' AS two, fields ->> 'sent' AS sent
                     FROM document JOIN document_text ON document_id = id ORDER BY id")
  stopifnot(identical(kept$key, typed$id), identical(kept$title, typed$title), identical(kept$text, typed$text),
            identical(kept$score, typed$score), identical(kept$two, typed$`two words`), kept$sent[1] == "2008-01-02T11:00:00Z")
})

test("the same documents again are there already, a changed one is replaced", {
  stopifnot(write_topoi(typed, "notes")$skipped == n)
  typed$text[1] <- paste(typed$text[1], "tail")
  counts <- write_topoi(typed, "notes")
  stopifnot(counts$replaced == 1, counts$skipped == n - 1, counts$added == 0)
  typed$text[1] <- notes$text[1]
  write_topoi(typed, "notes")
})

test("documents without ids never replace those of a corpus", {
  refuses(write_topoi(notes["text"], "notes"), "documents without ids would replace those of corpus \"notes\"")
  stopifnot(write_topoi(unname(notes$text[1:5]), "numbered")$added == 5)
  stopifnot(identical(topoi_sql("SELECT key FROM document JOIN corpus ON corpus.id = corpus_id WHERE name = 'numbered' ORDER BY document.id")$key, paste(1:5)))
})

test("marks such as NA that are values stay values where missing says so", {
  marked <- data.frame(id = 1:6, text = notes$text[1:6], country = c("NA", "DE", "FR", "NA", "DE", "FR"), stringsAsFactors = FALSE)
  write_topoi(marked, "marked")
  stopifnot(cli_csv("fields", "marked")$marked == 2)
  write_topoi(marked, "marked", missing = "none")
  stopifnot(cli_csv("fields", "marked")$marked == 0)
})

# ---- Counts ------------------------------------------------------------------------------------------------------

set.seed(1)
dense <- matrix(rpois(40 * 60, 0.3), 40, 60)
dense[7, ] <- 0L
dense[, 11] <- 0L
dimnames(dense) <- list(sprintf("document %d", 1:40), c("The", "x", "42", "New York", "\u00fc", "a\"b", "c\\d", sprintf("word%02d", 8:60)))
meta <- data.frame(group = factor(rep(c("b", "a"), 20)), tokens = seq_len(40))

test("sparse and dense matrices keep every count, as they are", {
  sparse <- methods::as(dense, "CsparseMatrix")
  counts <- write_topoi(sparse, "columns", meta = meta["group"])
  stopifnot(counts$added == 39, counts$left_out == 1)
  same_totals("columns", colSums(dense))
  write_topoi(methods::as(sparse, "TsparseMatrix"), "triplets", meta = meta["group"])
  write_topoi(methods::as(sparse, "RsparseMatrix"), "rows", meta = meta["group"])
  write_topoi(dense, "dense", meta = meta["group"])
  for (corpus in c("triplets", "rows", "dense")) same_totals(corpus, colSums(dense))
  write_topoi(sparse > 0, "logical")
  write_topoi(methods::as(sparse, "nMatrix"), "patterns")
  for (corpus in c("logical", "patterns")) same_totals(corpus, colSums(dense > 0))
  both <- crossprod(sparse)
  stopifnot(inherits(both, "symmetricMatrix"))
  write_topoi(both, "symmetric")
  same_totals("symmetric", colSums(crossprod(dense)))
  by_document <- topoi_sql("SELECT document.key, sum(count) AS n FROM triple JOIN document ON document.id = document_id
                            JOIN corpus ON corpus.id = corpus_id WHERE name = 'columns' GROUP BY document.id")
  stopifnot(all(rowSums(dense)[by_document$key] == by_document$n))
})

test("tables of tm keep every count, documents as rows or as columns", {
  texts <- tm::VCorpus(tm::VectorSource(notes$text[1:30]))
  by_document <- tm::DocumentTermMatrix(texts, list(removePunctuation = TRUE))
  expected <- slam::col_sums(by_document)
  write_topoi(by_document, "tm", meta = notes[1:30, "subject", drop = FALSE])
  same_totals("tm", expected)
  write_topoi(tm::TermDocumentMatrix(texts, list(removePunctuation = TRUE)), "tm columns")
  same_totals("tm columns", expected)
  refuses(write_topoi(suppressWarnings(tm::weightTfIdf(by_document)), "bad"), "counts must be whole numbers")
})

test("a dfm of quanteda keeps its counts, names and docvars", {
  # Saved by quanteda 4.3.1: a dfm of six texts with two docvars, one of them a factor. quanteda need not be here.
  saved <- readRDS(fixture("dfm.rds"))
  stopifnot(isS4(saved), class(saved) == "dfm")
  write_topoi(saved, "dfm")
  columns <- rep(attr(saved, "Dimnames")[[2]], diff(attr(saved, "p")))
  same_totals("dfm", tapply(attr(saved, "x"), columns, sum))
  kept <- topoi_sql("SELECT key, fields ->> 'party' AS party, fields ->> 'year' AS year FROM document
                     JOIN corpus ON corpus.id = corpus_id WHERE name = 'dfm' ORDER BY document.id")
  docvars <- attr(saved, "docvars")
  stopifnot(identical(kept$key, docvars$docname_), identical(kept$party, as.character(docvars$party)), all(kept$year == docvars$year))
})

test("bad counts are refused with what to do, and nothing is made", {
  refuses(write_topoi(dense / 2, "bad"), "counts must be whole numbers")
  refuses(write_topoi(-dense, "bad"), "counts must be whole numbers")
  refuses(write_topoi(unname(dense), "bad"), "the matrix has no column names")
  twice <- dense
  colnames(twice)[9] <- "x"
  refuses(write_topoi(twice, "bad"), "the term \"x\" is there twice")
  rownames(twice) <- rep("same", 40)
  colnames(twice)[9] <- "y"
  refuses(write_topoi(twice, "bad"), "39 documents have the id of another, the first \"same\"")
  refuses(write_topoi(dense, "bad", meta = meta[1:9, ]), "meta has 9 rows for 40 documents")
  refuses(write_topoi(dense, "bad", meta = meta), "a field cannot be called \"tokens\"")
})

# ---- Runs and tables ---------------------------------------------------------------------------------------------

run <- suppressMessages(run_topoi("notes", k = 8, seed = 1, name = "first"))

test("a run says what the program says of it", {
  facts <- jsonlite::fromJSON(cli("runs", "-o", "json"))
  stopifnot(inherits(run, "topoi_run"), run$run == facts$run, run$k == 8, run$corpus == "notes", run$documents == n, run$terms == facts$terms)
  topics <- cli_csv("topics", run$run)
  stopifnot(identical(run$topics$words, topics$words), all(run$topics$topic == 0:7))
  near(run$topics$document_share, topics$document_share, 0)
  for (name in list("first", "notes@latest", run$run)) stopifnot(identical(read_topoi(name), run))
  printed <- utils::capture.output(print(run), print(summary(run)))
  stopifnot(any(grepl("run 1: 8 topics of notes by lr-jsmf, seed 1, 256 documents", printed)), any(grepl("npmi", printed)))
  refuses(read_topoi("nobody"), "no run has this number or name; `topoi runs` lists them")
  refuses(topoi_beta(1), "not a run: give what run_topoi() or read_topoi() returned")
})

test("proportions and word probabilities sum to 1 and are those of the exports", {
  beta <- topoi_beta(run)
  theta <- topoi_theta(run)
  stopifnot(identical(dim(beta), c(8L, as.integer(run$terms))), identical(dim(theta), c(n, 8L)), identical(rownames(theta), typed$id))
  near(rowSums(beta), rep(1, 8), 1e-9)
  near(rowSums(theta), rep(1, n), 1e-6)
  cli("export", run$run, "--to", "csv", "--raw", "-o", "csv")
  words <- utils::read.csv("csv/topic_words.csv", stringsAsFactors = FALSE, na.strings = "", encoding = "UTF-8")
  stopifnot(nrow(words) == sum(beta > 0))
  near(beta[cbind(words$topic + 1, match(words$word, colnames(beta)))], words$probability, 0)
  shares <- utils::read.csv("csv/document_topics.csv", stringsAsFactors = FALSE)
  near(theta[cbind(match(shares$document, rownames(theta)), shares$topic + 1)], shares$proportion, 0)
})

test("tidy tables are those of tidytext, and tidy() makes them", {
  beta <- tidy_topoi(run)
  gamma <- tidy_topoi(run, "gamma")
  stopifnot(identical(names(beta), c("topic", "term", "beta")), identical(names(gamma), c("document", "topic", "gamma")),
            identical(generics::tidy(run, "gamma"), gamma), identical(nrow(gamma), 8L * n))
  con <- DBI::dbConnect(RSQLite::SQLite(), "store.topoi", flags = RSQLite::SQLITE_RO)
  stored <- DBI::dbGetQuery(con, "SELECT topic, word, probability FROM topic_word WHERE run_id = 1 AND topic = 3")
  DBI::dbDisconnect(con)
  mine <- beta[beta$topic == 3, ]
  near(mine$beta[match(stored$word, mine$term)], stored$probability, 1e-15)
  stopifnot(nrow(tidy_topoi(run, "topics")) == 8, "npmi" %in% tidy_topoi(run, "metrics")$name)
})

test("documents come back with the types they were written with", {
  documents <- topoi_documents(run, text = TRUE)
  stopifnot(identical(documents$document, typed$id), identical(documents$title, typed$title), identical(documents$text, typed$text),
            identical(documents$day, typed$day), identical(documents$year, typed$year), identical(documents$score, typed$score),
            identical(documents$code, typed$code), identical(documents$`two words`, typed$`two words`),
            identical(documents$rating, as.character(typed$rating)), all(documents$reaction_time == typed$reaction_time))
})

# ---- Effects -----------------------------------------------------------------------------------------------------

test("effects are those that the program prints", {
  mine <- topoi_effects(run, ~ C(subject, ref = "music") + s(day, 3) + `two words` * tokens, topic = c(0, 3), cluster = "rating")
  printed <- cli_csv("effects", run$run, "~ C(subject, ref=music) + s(day, 3) + `two words` * tokens", "--topic", "0,3", "--cluster", "rating")
  stopifnot(identical(mine$term, printed$term), identical(mine$topic, printed$topic))
  columns <- c(estimate = "estimate", std.error = "error", p.value = "p", conf.low = "low", conf.high = "high", df = "degrees")
  for (at in seq_along(columns)) near(mine[[names(columns)[at]]], printed[[columns[at]]], 0)
  near(mine$statistic, printed$estimate / printed$error, 1e-12)
})

# To six digits, as docs/reference/fields.md promises.
test("estimates and robust errors are those of lm on the exported shares", {
  shares <- topoi_shares(run)
  model <- lm(share_2 ~ subject + score, shares)
  mine <- topoi_effects(run, ~ subject + score, topic = 2, spread = "own")
  near(mine$estimate / coef(model), rep(1, 9), 1e-6)
  x <- model.matrix(model)
  bread <- solve(crossprod(x))
  hc2 <- bread %*% crossprod(x * residuals(model) / sqrt(1 - hatvalues(model))) %*% bread
  near(mine$std.error / sqrt(diag(hc2)), rep(1, 9), 1e-6)
})

test("predictions and contrasts are differences of coefficients", {
  slopes <- topoi_effects(run, ~ subject, topic = 1)
  by_name <- setNames(slopes$estimate, slopes$term)
  contrast <- topoi_effects(run, ~ subject, topic = 1, contrast = list(subject = c("chess", "music", "sailing")))
  near(contrast$estimate, by_name["subject=chess"] - by_name[c("subject=music", "subject=sailing")], 1e-12)
  at <- topoi_effects(run, ~ subject + reaction_time, topic = 1, at = list(reaction_time = c(450, 550), subject = "chess"))
  line <- topoi_effects(run, ~ subject + reaction_time, topic = 1)
  near(diff(at$estimate), 100 * line$estimate[line$term == "reaction_time"], 1e-12)
  stopifnot(all(grepl("chess", at$term)), any(grepl("compared with subject=astronomy", attr(slopes, "notes"))))
})

test("formulas that the program cannot take are refused", {
  refuses(topoi_effects(run, topic_0 ~ subject), "the formula has a left side")
  refuses(topoi_effects(run, ~ nothing), "corpus \"notes\" has no field \"nothing\"")
  refuses(topoi_effects(run, 7), "the formula is no formula")
  refuses(topoi_effects(run, ~ subject, contrast = list(subject = c("chess", "music"), won = c("true", "false"))), "one contrast at a time")
  refuses(topoi_effects(run, ~ subject, 0, NULL, NULL, "author"), "arguments for the program need a name")
})

# ---- Draws -------------------------------------------------------------------------------------------------------

test("draws are proportions around those of the run, and mitools combines them", {
  draws <- topoi_draws(run, 10)
  theta <- topoi_theta(run)
  stopifnot(length(draws) == 10, all(vapply(draws, nrow, 1L) == n), identical(draws[[10]]$day, typed$day), !identical(draws[[1]], draws[[2]]))
  each <- lapply(draws, function(d) as.matrix(d[paste0("topic_", 0:7)]))
  for (draw in each) near(rowSums(draw), rep(1, n), 1e-9)
  # 256 documents of 40 tokens or more and 10 draws: the standard error of a topic's mean is below 0.002.
  near(colMeans(Reduce(`+`, each) / 10), colMeans(theta), 0.01)
  fits <- with(mitools::imputationList(draws), lm(topic_0 ~ subject))
  combined <- mitools::MIcombine(fits)
  coefficients <- sapply(fits, coef)
  near(coef(combined), rowMeans(coefficients), 1e-12)
  within <- rowMeans(sapply(fits, function(f) diag(vcov(f))))
  near(diag(vcov(combined)), within + (1 + 1 / 10) * apply(coefficients, 1, var), 1e-12)
  refuses(topoi_draws(run, 26), "from 1 to 25")
})

# ---- stm ---------------------------------------------------------------------------------------------------------

# Saved by stm 1.3.7: three topics of 60 of the sample texts, with the documents, vocab and meta it was fitted to.
fitted <- readRDS(fixture("stm.rds"))

test("a run becomes an stm model with the parts of one", {
  model <- as_stm(run, documents = TRUE)
  real <- fitted$model
  stopifnot(inherits(model, "STM"), identical(dim(model$theta), c(n, 8L)), identical(dim(model$eta), c(n, 7L)))
  near(rowSums(exp(model$beta$logbeta[[1]])), rep(1, 8), 1e-8)
  near(cbind(exp(model$eta), 1) / rowSums(cbind(exp(model$eta), 1)), model$theta, 1e-6)
  # Every part that is in both is of the same type, and has as many dimensions.
  for (part in intersect(names(model), names(real))) {
    stopifnot(identical(mode(model[[part]]), mode(real[[part]])), identical(length(dim(model[[part]])), length(dim(real[[part]]))))
  }
  stopifnot(all(c("mu", "beta", "settings", "vocab", "convergence", "theta", "eta") %in% names(model)),
            setequal(names(model$settings$dim), names(real$settings$dim)))
  counts <- topoi_sql("SELECT text, total_count FROM term JOIN corpus ON corpus.id = corpus_id WHERE name = 'notes'")
  stopifnot(all(model$settings$dim$wcounts$x == counts$total_count[match(model$vocab, counts$text)]))
  sums <- tapply(unlist(lapply(model$documents, function(d) d[2, ])), model$vocab[unlist(lapply(model$documents, function(d) d[1, ]))], sum)
  stopifnot(all(sums[model$vocab] == model$settings$dim$wcounts$x), identical(model$meta$subject, as.character(typed$subject)))
})

test("an stm model becomes a run with its topics, from the object and from a file", {
  write_topoi(fitted$documents, "stm")
  same_totals("stm", setNames(fitted$model$settings$dim$wcounts$x, fitted$model$vocab))
  imported <- import_stm(fitted$model, "stm")
  beta <- topoi_beta(imported)
  near(beta[, fitted$model$vocab], exp(fitted$model$beta$logbeta[[1]]), 1e-9)
  stopifnot(imported$k == 3, imported$documents == 60)
  # Proportions are found again from the same words: nearly all documents have the same largest topic.
  same <- max.col(topoi_theta(imported)) == max.col(fitted$model$theta)
  stopifnot(mean(same) > 0.9)
  saveRDS(fitted$model, "model.rds")
  stopifnot(identical(topoi_beta(import_stm("model.rds", "stm")), beta))
})

test("what is no stm model of the corpus is refused", {
  refuses(import_stm(lm(dist ~ speed, cars), "stm"), "this is lm, not an stm model")
  refuses(import_stm("nowhere.rds", "stm"), "nowhere.rds: there is no such file")
  save(fitted, file = "model.RData")
  refuses(import_stm("model.RData", "stm"), "not an .rds file")
  refuses(import_stm(fitted$model, "columns"), "corpus \"columns\" has none of the model's")
  refuses(import_stm(fitted$model, "nothing"), "no corpus is called \"nothing\"")
})

test("stages and notes are R's messages, the command and its lines are none", {
  said <- NULL
  listen <- function(expression) {
    said <<- NULL
    withCallingHandlers(expression, message = function(m) said <<- c(said, conditionMessage(m)))
  }
  listen(run_topoi("notes", k = 5))
  stopifnot(length(said) > 0, all(grepl("^run [0-9]+: [a-z]+\n$", said)))
  listen(topoi_effects(run, ~ subject, topic = 0))
  stopifnot("compared with subject=astronomy (32 documents)\n" %in% said)
  listen(two <- topoi_sql("SELECT 1 AS b,\n 2 AS a -- the order of columns is kept\n"))
  stopifnot(is.null(said), identical(names(two), c("b", "a")))
})

test("warnings of a run are R's warnings", {
  options(warn = 0)
  caught <- NULL
  withCallingHandlers(short <- run_topoi("notes", k = 3, min_tokens = 50), warning = function(w) {
    caught <<- c(caught, conditionMessage(w))
    invokeRestart("muffleWarning")
  })
  stopifnot(any(grepl("of 256 documents .* are left out", caught)), identical(caught, unname(short$warnings)), "documents_left_out" %in% names(short$warnings))
})

test("interrupting R cancels its run", {
  # Waits for something to be so, at most two minutes.
  until <- function(holds) {
    for (i in 1:1200) if (isTRUE(holds())) return(invisible()) else Sys.sleep(0.1)
    stop("it did not come to be")
  }
  writeLines(c(
    sprintf("source('%s')", file.path(top, "r/topoi.R")), "writeLines(paste(Sys.getpid()), 'child')",
    "run <- function() run_topoi('notes', 60, 'store.topoi', model = 'lda-gibbs', iterations = 10000)",
    "tryCatch(run(), interrupt = function(i) cat('interrupted\\n'))"), "child.R")
  last <- function() topoi_sql("SELECT status FROM run ORDER BY id DESC LIMIT 1")$status
  before <- topoi_sql("SELECT max(id) AS id FROM run")$id
  system("(Rscript child.R > child.out 2>&1)", wait = FALSE)
  until(function() topoi_sql("SELECT count(*) AS n FROM run WHERE id > 1 AND status = 'running'")$n == 1)
  tools::pskill(as.integer(readLines("child")), tools::SIGINT)
  until(function() "interrupted" %in% readLines("child.out", warn = FALSE))
  stopifnot(last() == "cancelled", topoi_sql("SELECT max(id) AS id FROM run")$id == before + 1)
})

cat(sprintf("%d passed, 0 failed\n", passed))
