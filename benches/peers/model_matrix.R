# Rscript model_matrix.R FILE: the design matrices that R makes of formulas, for
# crates/topoi-core/src/effects/tests/formulas.rs. Each line is a formula, a tab, and the matrix by columns.
# Where topoi writes a formula otherwise, the second of a pair is R's.
library(splines)
n <- 30
i <- 0:(n - 1)
d <- data.frame(a = factor(paste0("a", (i * i) %% 7 %% 3 + 1)), b = factor(paste0("b", (i * 5) %% 11 %% 2 + 1)),
                c = factor(paste0("c", i %/% 4 %% 2 + 1)), x = (i * 11) %% 37, y = (i * 17) %% 29 / 4, z = 1 + (i * 7) %% 13)
plain <- c(
  "a", "x", "a + x", "x + a", "a:x", "x:a", "a + a:x", "x + a:x", "a*x", "x*a", "a:b", "a*b", "a + a:b", "b + a:b",
  "a + b + a:b", "a:b + a + b", "x:y", "x*y", "x:y + x", "a*b*c", "a*b + c", "b*c*x", "b + c + b:c:x", "b*c + b:c:x",
  "b*x:y", "x:y*b", "b*c:x", "x + b*y:x", "a + b*x", "0 + a", "a - 1", "0 + x", "0 + a + b", "0 + a:x", "0 + x + a",
  "0 + a*b", "0 + x:a", "0 + a + a:x", "-1 + b:c", "(a + b)^2", "(a + b + c)^2", "(b + c + x)^2", "(a + b + x)^3",
  "a/b", "a/x", "b/c/x", "(b + c)/x", "a/(b + x)", "b %in% a", "a + b %in% a", "a*b - b", "a*b - a:b", "b*c*x - b:c:x",
  "a*x - x", "(a + b):x", "a:(x + y)", "a*(x + y)", "a + b + c - c", "log(z)", "a*log(z)", "sqrt(z) + log2(z)",
  "exp(y)", "log10(z) + log1p(x)", "poly(x, 2)", "poly(x, 3)", "a*poly(x, 2)", "poly(z, degree = 2) + b", "I(x^2)",
  "x + I(x^2)", "b*I(x^2)", "x + I(x^0.5)", "bs(x, df = 5)", "ns(x, df = 4)", "ns(x, 1)", "b*ns(x, 3)", "bs(x, 4)",
  "a + bs(y, df = 6)", "factor(z) + x", "b*ns(y, df = 4) + x", "x:poly(y, 2)", "ns(x, 3):b", "b:ns(x, 3)")
pairs <- list(c("C(a)", "a"), c("C(a, ref=\"a2\")", "relevel(a, \"a2\")"), c("C(a, ref=a3)*x", "relevel(a, \"a3\")*x"),
  c("x + x:C(b, 'b2')", "x + x:relevel(b, \"b2\")"), c("s(x, 4)", "ns(x, 4)"), c("s(x)", "ns(x, 10)"),
  c("b*s(z, df=3)", "b*ns(z, 3)"), c("scale(x)", "as.vector(scale(x))"), c("a*scale(y)", "a*as.vector(scale(y))"))
out <- file(commandArgs(TRUE)[1], "w")
for (p in c(lapply(plain, function(f) c(f, f)), pairs)) {
  m <- model.matrix(as.formula(paste("~", p[2])), d)
  writeLines(paste0(p[1], "\t", paste(signif(as.vector(m), 12), collapse = " ")), out)
}
close(out)
