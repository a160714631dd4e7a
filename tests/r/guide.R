# Rscript tests/r/guide.R: runs the R of docs/guide/r.md, a block after the other, in a folder with r/topoi.R and the sample
# texts. What a block prints must be the block of text that follows it. Blocks that need a package which is not here are
# named and skipped. `--print` prints what they print.

top <- getwd()
page <- readLines(file.path(top, "docs/guide/r.md"), encoding = "UTF-8")
fences <- grep("^```", page)
begins <- fences[c(TRUE, FALSE)]
blocks <- Map(function(begin, end) {
  list(kind = sub("^```", "", page[begin]), line = begin, end = end, body = page[seq_len(end - begin - 1) + begin])
}, begins, fences[c(FALSE, TRUE)])

folder <- tempfile("guide")
dir.create(folder)
for (file in c("r/topoi.R", "sample_corpora/eight_subjects.jsonl")) stopifnot(file.copy(file.path(top, file), folder))
setwd(folder)
grDevices::pdf(NULL)
options(width = 100)

ran <- compared <- 0
for (at in seq_along(blocks)) {
  block <- blocks[[at]]
  if (block$kind != "r") next
  code <- paste(block$body, collapse = "\n")
  named <- regmatches(code, gregexpr("library\\([A-Za-z]+|[A-Za-z]+(?=::)", code, perl = TRUE))[[1]]
  needed <- unique(sub("library\\(", "", named))
  lacks <- needed[!vapply(needed, requireNamespace, TRUE, quietly = TRUE)]
  where <- sprintf("docs/guide/r.md:%d", block$line)
  if (length(lacks) > 0) {
    cat(sprintf("skipped  %s: there is no %s here\n", where, paste(lacks, collapse = ", ")))
    next
  }
  printed <- utils::capture.output(suppressMessages(source(exprs = parse(text = code), local = globalenv(), print.eval = TRUE, echo = FALSE)))
  printed <- sub("[ \t]+$", "", printed)
  if ("--print" %in% commandArgs(TRUE)) cat("----", where, printed, sep = "\n")
  following <- if (at < length(blocks)) blocks[[at + 1]]
  if (!is.null(following) && following$kind == "text" && following$line == block$end + 2) {
    same <- identical(printed, sub("[ \t]+$", "", following$body))
    if (!same) stop(where, " prints\n", paste(printed, collapse = "\n"), "\nand the page has\n", paste(following$body, collapse = "\n"), call. = FALSE)
    compared <- compared + 1
  }
  ran <- ran + 1
  cat(sprintf("ok       %s\n", where))
}
stopifnot(ran >= 7, compared >= 7)
cat(sprintf("%d passed, 0 failed\n", ran))
