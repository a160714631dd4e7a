# Rscript fasttopics.R DIRECTORY TOPICS UPDATES THREADS SEED METHOD: Poisson factorisation by fastTopics of the counts that
# peers.py wrote to the directory, from a random start, extrapolated. Prints JSON: seconds of the updates and the divergence
# after each. The seconds have its objective, which extrapolation needs, and not the residuals that it reports beside.
# It is on CRAN and at https://github.com/stephenslab/fastTopics; one that was linked without TBB's allocator needs
# LD_PRELOAD=libtbbmalloc.so.2.
suppressPackageStartupMessages({library(Matrix); library(fastTopics)})
a <- commandArgs(TRUE); directory <- a[1]; method <- a[6]; number <- as.integer(a[2:5])
values <- function(name, kind) {
  file <- file.path(directory, name)
  readBin(file, kind, file.size(file) / if (kind == "double") 8 else 4, endian = "little")
}
ends <- values("indptr", "integer"); shape <- values("shape", "integer")
x <- sparseMatrix(i = rep(seq_len(shape[1]), diff(ends)), j = values("indices", "integer") + 1L, x = values("data", "double"),
                  dims = shape)
set.seed(number[4])
start <- init_poisson_nmf(x, k = number[1], init.method = "random", control = list(nc = number[3]), verbose = "none")
fit <- fit_poisson_nmf(x, fit0 = start, numiter = number[2], method = method,
                       control = list(extrapolate = TRUE, nc = number[3]), verbose = "none")
cat(sprintf('{"seconds": %.6f, "divergence": %.3f}\n', sum(fit$progress$timing), tail(fit$progress$dev, 1) / 2))
