# Rscript regression.R: what lm, sandwich and clubSandwich make of the thirty documents of
# crates/topoi-core/src/effects/tests/against_r.rs.
suppressPackageStartupMessages({library(sandwich); library(clubSandwich)})
n <- 30
i <- 0:(n - 1)
d <- data.frame(a = factor(paste0("a", (i * i) %% 7 %% 3 + 1)), x = (i * 11) %% 37, g = i %/% 4, w = 1 + i %% 4,
                r = (i * 13) %% 17 / 40 + (i %/% 4) %% 3 / 10)
show <- function(what, values) cat(what, format(values, digits = 13), "\n")
m <- lm(r ~ a + x, d)
show("coefficients", coef(m))
show("HC2", sqrt(diag(vcovHC(m, type = "HC2"))))
each <- coef_test(m, vcovCR(m, cluster = i, type = "CR2"), test = "Satterthwaite")
show("HC2 degrees", each$df)
show("least squares", sqrt(diag(vcov(m))))
v <- vcovCR(m, cluster = d$g, type = "CR2")
t <- coef_test(m, v, test = "Satterthwaite")
show("CR2", t$SE); show("CR2 degrees", t$df); show("CR2 p", t$p_Satt)
h <- Wald_test(m, constraints = constrain_zero(2:3), vcov = v, test = "HTZ")
show("HTZ F, degrees, p", c(h$Fstat, h$df_denom, h$p_val))
h <- Wald_test(m, constraints = constrain_zero(2:4), vcov = v, test = "HTZ")
show("HTZ of three", c(h$Fstat, h$df_denom, h$p_val))
hc <- vcovHC(m, type = "HC2"); b <- coef(m)[2:3]
f <- drop(b %*% solve(hc[2:3, 2:3]) %*% b) / 2
show("F of HC2", c(f, pf(f, 2, n - 4, lower.tail = FALSE)))
m <- lm(r ~ a + x, d, weights = w)
show("weighted", coef(m)); show("weighted HC2", sqrt(diag(vcovHC(m, type = "HC2"))))
# The same regression on columns times the roots of the weights, whose errors are alike.
u <- sqrt(d$w); x <- model.matrix(m) * u; y <- d$r * u
m <- lm(y ~ 0 + x)
t <- coef_test(m, vcovCR(m, cluster = d$g, type = "CR2"), test = "Satterthwaite")
show("weighted CR2", t$SE); show("weighted degrees", t$df)
