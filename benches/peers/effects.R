# `topoi effects` beside estimateEffect of stm, on the same shares with the same posterior: stm's own code (its files
# estimateEffect.R and s.R), with thetaPosterior drawing from topoi's Dirichlet distributions in place of stm's normal
# ones. Prints the largest differences, by the standard errors of topoi.
#   git clone https://github.com/bstewart/stm
#   Rscript benches/peers/effects.R TOPOI STORE RUN "~ section + s(year, 4)" stm/R
arguments <- commandArgs(trailingOnly = TRUE)
program <- arguments[1]; store <- arguments[2]; run <- arguments[3]; typed <- arguments[4]; stm <- arguments[5]
suppressPackageStartupMessages(library(splines))
source(file.path(stm, "estimateEffect.R")); source(file.path(stm, "s.R"))
posint <- function(x) all(x > 0 & x == floor(x))
rmvnorm <- function(n, mu, sigma) t(mu + t(chol(sigma)) %*% matrix(rnorm(n * length(mu)), ncol = n))
ask <- function(...) {
  words <- shQuote(c("--store", store, ...))
  read.csv(text = system2(program, words, stdout = TRUE, stderr = FALSE), check.names = FALSE)
}
fields <- setdiff(all.vars(as.formula(typed)), "s")
columns <- paste0("d.fields ->> '", fields, "' AS \"", fields, "\"", collapse = ", ")
rows <- ask("sql", "-o", "csv", "--limit-seconds", "600", paste0(
  "SELECT d.id, ", columns, ", (SELECT sum(count) FROM triple JOIN vocabulary_term v USING (term_id) ",
  "WHERE document_id = d.id AND v.vocabulary_id = r.vocabulary_id) AS n ",
  "FROM document_proportions p JOIN document d ON d.id = p.document_id JOIN run r ON r.id = p.run_id ",
  "WHERE r.id = ", run, " ORDER BY d.id"))
long <- ask("sql", "-o", "csv", "--limit-seconds", "600", paste0(
  "SELECT document_id, topic, proportion FROM document_topic WHERE run_id = ", run,
  " ORDER BY document_id, topic"))
alpha <- sum(ask("sql", "-o", "csv", paste0("SELECT alpha FROM topic WHERE run_id = ", run))$alpha)
topics <- max(long$topic) + 1
theta <- matrix(long$proportion, ncol = topics, byrow = TRUE)
stopifnot(nrow(theta) == nrow(rows), unique(long$document_id) == rows$id)
has <- stats::complete.cases(rows[, fields, drop = FALSE])
rows <- rows[has, ]; theta <- theta[has, ]
thetaPosterior <- function(model, nsims, type, documents) {
  shapes <- pmax(theta * (rows$n + alpha), 1e-6)
  draws <- matrix(rgamma(length(shapes), shapes), nrow = nrow(shapes))
  list(draws / rowSums(draws))
}
set.seed(1)
model <- list(theta = theta, settings = list(dim = list(K = topics)))
theirs <- suppressWarnings(estimateEffect(as.formula(typed), model, metadata = rows))
ours <- ask("effects", run, typed, "--alike", "--draws", "25", "-o", "csv")
off <- c(); errors <- c()
for (topic in seq_len(topics)) {
  own <- ours[ours$topic == topic - 1, ]
  draws <- theirs$parameters[[topic]]
  estimate <- rowMeans(sapply(draws, function(x) x$est))
  # The variance of all draws of coefficients that summary.estimateEffect takes, without the noise of 500 of each.
  variance <- rowMeans(sapply(draws, function(x) diag(x$vcov))) + apply(sapply(draws, function(x) x$est), 1, var)
  off <- c(off, (own$estimate - estimate) / own$error)
  errors <- c(errors, own$error / sqrt(variance))
}
cat(sprintf("%d documents, %d topics, %d coefficients each\n", nrow(rows), topics, length(off) / topics))
cat(sprintf("estimates differ by %.3f standard errors at most, %.3f on average\n", max(abs(off)), mean(abs(off))))
cat(sprintf("errors are %.3f to %.3f times stm's, %.3f on average\n", min(errors), max(errors), mean(errors)))
