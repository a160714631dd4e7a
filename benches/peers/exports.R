# Rscript exports.R TOPOI STORE RUN FIELD CLUSTER: exported shares and draws in R's own regressions, beside `topoi effects`.
# Prints the largest relative differences.
a <- commandArgs(trailingOnly = TRUE); program <- a[1]; store <- a[2]; run <- a[3]; field <- a[4]; cluster <- a[5]
ask <- function(...) system2(program, shQuote(c("--store", store, ...)), stdout = TRUE, stderr = FALSE)
exported <- function(what) {
  file <- tempfile(fileext = ".csv"); ask("export", run, "--to", what, "-o", file); read.csv(file, check.names = FALSE)
}
effects <- function(...) { t <- read.csv(text = ask("effects", run, paste("~", field), "-o", "csv", ...)); t[t$topic == 0, ] }
d <- exported("shares")
d <- d[stats::complete.cases(d[, c(field, cluster)]) & d[[field]] != "", ]
f <- as.formula(paste("share_0 ~", field)); m <- lm(f, d); largest <- function(x, y) max(abs(x / y - 1))
own <- effects("--spread", "own")
cat(sprintf("lm: estimates %.1e\n", largest(own$estimate, coef(m))))
if (requireNamespace("sandwich", quietly = TRUE))
  cat(sprintf("sandwich, HC2: %.1e\n", largest(own$error, sqrt(diag(sandwich::vcovHC(m, type = "HC2"))))))
if (requireNamespace("fixest", quietly = TRUE)) print(fixest::feols(f, d, cluster = as.formula(paste("~", cluster))))
if (requireNamespace("lme4", quietly = TRUE)) {
  mixed <- lme4::lmer(as.formula(paste("share_0 ~", field, "+ (1 |", cluster, ")")), d)
  cat("lme4, first coefficients:", head(lme4::fixef(mixed), 3), "\n")
}
draws <- exported("draws")
fits <- lapply(split(draws, draws$draw), function(d) lm(as.formula(paste("topic_0 ~", field)), d))
if (requireNamespace("mitools", quietly = TRUE)) {
  combined <- mitools::MIcombine(lapply(fits, coef), lapply(fits, vcov))
  posterior <- effects("--shares", "posterior", "--spread", "pooled")
  cat(sprintf("mitools, %d draws: estimates differ from those of posterior means by %.2f standard errors at most\n", length(fits),
              max(abs(coef(combined) - posterior$estimate) / posterior$error)))
}
