# `topoi effects --shares posterior` beside estimateEffect of stm on the same shares: stm's own code (its file
# estimateEffect.R), with uncertainty = "None"; and beside lm with sandwich and clubSandwich, if they are there. Prints the
# largest relative differences.
#   git clone https://github.com/bstewart/stm
#   Rscript benches/peers/effects.R TOPOI STORE RUN "~ section * bs(year, 4)" stm/R [CLUSTER]
arguments <- commandArgs(trailingOnly = TRUE)
program <- arguments[1]; store <- arguments[2]; run <- arguments[3]; typed <- arguments[4]; stm <- arguments[5]
cluster <- if (length(arguments) > 5) arguments[6] else NULL
suppressPackageStartupMessages(library(splines))
source(file.path(stm, "estimateEffect.R"))
posint <- function(x) all(x > 0 & x == floor(x))
ask <- function(...) {
  words <- shQuote(c("--store", store, ...))
  read.csv(text = system2(program, words, stdout = TRUE, stderr = FALSE), check.names = FALSE)
}
fields <- setdiff(all.vars(as.formula(typed)), cluster)
file <- tempfile(fileext = ".csv")
invisible(system2(program, shQuote(c("--store", store, "export", run, "--to", "documents-csv", "-o", file)), stdout = FALSE, stderr = FALSE))
rows <- read.csv(file, check.names = FALSE)
rows <- rows[!is.na(rows$topic_0), ]
rows <- rows[stats::complete.cases(rows[, c(fields, cluster), drop = FALSE]), ]
theta <- as.matrix(rows[, grep("^topic_[0-9]+$", names(rows))])
topics <- ncol(theta)
largest <- function(ours, theirs) max(abs(ours / theirs - 1))
estimates <- c(); errors <- c(); hc2 <- c(); cr2 <- c(); degrees <- c()
model <- list(theta = theta, settings = list(dim = list(K = topics)))
theirs <- estimateEffect(as.formula(typed), model, metadata = rows, uncertainty = "None")
pooled <- ask("effects", run, typed, "--shares", "posterior", "--spread", "pooled", "-o", "csv")
own <- ask("effects", run, typed, "--shares", "posterior", "--spread", "own", "-o", "csv")
if (!is.null(cluster))
  clustered <- ask("effects", run, typed, "--shares", "posterior", "--spread", "own", "--cluster", cluster, "-o", "csv")
for (topic in seq_len(topics)) {
  of <- function(table) table[table$topic == topic - 1, ]
  draw <- theirs$parameters[[topic]][[1]]
  estimates <- c(estimates, largest(of(pooled)$estimate, draw$est))
  errors <- c(errors, largest(of(pooled)$error, sqrt(diag(draw$vcov))))
  m <- lm(as.formula(paste("y", typed)), cbind(rows, y = theta[, topic]))
  if (requireNamespace("sandwich", quietly = TRUE))
    hc2 <- c(hc2, largest(of(own)$error, sqrt(diag(sandwich::vcovHC(m, type = "HC2")))))
  if (!is.null(cluster) && requireNamespace("clubSandwich", quietly = TRUE)) {
    t <- clubSandwich::coef_test(m, clubSandwich::vcovCR(m, cluster = rows[[cluster]], type = "CR2"))
    cr2 <- c(cr2, largest(of(clustered)$error, t$SE)); degrees <- c(degrees, largest(of(clustered)$degrees, t$df))
  }
}
cat(sprintf("%d documents, %d topics; relative differences at most:\n", nrow(rows), topics))
cat(sprintf("estimates %.1e and errors %.1e from stm\n", max(estimates), max(errors)))
if (length(hc2)) cat(sprintf("HC2 %.1e from sandwich\n", max(hc2)))
if (length(cr2)) cat(sprintf("CR2 %.1e, degrees of freedom %.1e from clubSandwich\n", max(cr2), max(degrees)))
