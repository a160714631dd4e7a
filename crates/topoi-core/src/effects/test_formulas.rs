//! Formulas mean what R's `terms` and `model.matrix` make of them.

use std::collections::BTreeMap;

use super::EffectsError;
use super::design::{Design, FieldValues};
use super::estimate::{Posteriors, StandardErrors, estimate};
use super::expression::Expression;
use crate::progress::Silent;

const DOCUMENTS: usize = 60;

/// a has the values a1 to a3, b the values b1 and b2, c the values c1 and c2; x and y are numbers.
fn design(typed: &str) -> Result<Design, String> {
    let category = |name: &str, step: usize, values: usize| {
        let value = |at: usize| Some(format!("{name}{}", at / step % values + 1));
        FieldValues::Category((0..DOCUMENTS).map(value).collect())
    };
    let number = |step: usize| {
        FieldValues::Number((0..DOCUMENTS).map(|at| Some((at * step % 37) as f64)).collect())
    };
    let fields = BTreeMap::from([
        ("a".to_string(), category("a", 1, 3)),
        ("b".to_string(), category("b", 3, 2)),
        ("c".to_string(), category("c", 6, 2)),
        ("x".to_string(), number(11)),
        ("y".to_string(), number(17)),
    ]);
    let expression = Expression::parse(typed).map_err(|error| error.to_string())?;
    Design::new(&expression, &fields, DOCUMENTS).map_err(|error| error.to_string())
}

/// Names of the coefficients without the constant.
fn columns(typed: &str) -> String {
    match design(typed) {
        Ok(design) => design.names[1..].join(" "),
        Err(error) => error,
    }
}

struct Equal;

impl Posteriors for Equal {
    fn topics(&self) -> usize {
        2
    }

    fn parameters(&self, document: usize, into: &mut [f64]) {
        into.copy_from_slice(&[1.0 + document as f64, 3.0]);
    }
}

/// R 4.2.2: the columns of model.matrix(~ …) for these fields, factors of a term in the order of their first
/// appearance; names as topoi writes them.
#[test]
fn formulas_have_the_columns_of_r() {
    for (typed, expected) in [
        ("~ a", "a=a2 a=a3"),
        ("a", "a=a2 a=a3"),
        ("~ x", "x"),
        ("~ a + a", "a=a2 a=a3"),
        ("~ a + x", "a=a2 a=a3 x"),
        ("~ x + a", "x a=a2 a=a3"),
        ("~ a:a", "a=a2 a=a3"),
        ("~ a * a", "a=a2 a=a3"),
        ("~ x:y", "x:y"),
        ("~ x * y", "x y x:y"),
        ("~ x:y + x", "x x:y"),
        ("~ a * b", "a=a2 a=a3 b=b2 a=a2:b=b2 a=a3:b=b2"),
        ("~ a + b + a:b", "a=a2 a=a3 b=b2 a=a2:b=b2 a=a3:b=b2"),
        ("~ a:b + a + b", "a=a2 a=a3 b=b2 a=a2:b=b2 a=a3:b=b2"),
        ("~ a + b + b:a", "a=a2 a=a3 b=b2 a=a2:b=b2 a=a3:b=b2"),
        // Each value of a has its own effect of b, because b alone is in no earlier term.
        ("~ a + a:b", "a=a2 a=a3 a=a1:b=b2 a=a2:b=b2 a=a3:b=b2"),
        ("~ b + a:b", "b=b2 b=b1:a=a2 b=b1:a=a3 b=b2:a=a2 b=b2:a=a3"),
        ("~ a * x", "a=a2 a=a3 x a=a2:x a=a3:x"),
        ("~ x * a", "x a=a2 a=a3 x:a=a2 x:a=a3"),
        ("~ x + a:x", "x x:a=a2 x:a=a3"),
        ("~ a + a:x", "a=a2 a=a3 a=a1:x a=a2:x a=a3:x"),
        ("~ a:x", "a=a1:x a=a2:x a=a3:x"),
        ("~ x:a", "x:a=a1 x:a=a2 x:a=a3"),
        ("~ b*x:y", "b=b2 x:y b=b2:x:y"),
        ("~ x:y*b", "x:y b=b2 x:y:b=b2"),
        ("~ b*c:x", "b=b2 c=c1:x c=c2:x b=b2:c=c1:x b=b2:c=c2:x"),
        ("~ x + b*y:x", "x b=b2 x:y x:b=b2:y"),
        ("~ a + b*x", "a=a2 a=a3 b=b2 x b=b2:x"),
        ("~ b*c*x", "b=b2 c=c2 x b=b2:c=c2 b=b2:x c=c2:x b=b2:c=c2:x"),
        ("~ b + c + b:c:x", "b=b2 c=c2 b=b1:c=c1:x b=b2:c=c1:x b=b1:c=c2:x b=b2:c=c2:x"),
        ("~ b*c + b:c:x", "b=b2 c=c2 b=b2:c=c2 b=b1:c=c1:x b=b2:c=c1:x b=b1:c=c2:x b=b2:c=c2:x"),
        ("~ s(x, 3)", "s(x)1 s(x)2 s(x)3"),
        ("~ b:s(x, 3)", "b=b1:s(x)1 b=b1:s(x)2 b=b1:s(x)3 b=b2:s(x)1 b=b2:s(x)2 b=b2:s(x)3"),
        ("~ s(x, 3):b", "s(x)1:b=b1 s(x)2:b=b1 s(x)3:b=b1 s(x)1:b=b2 s(x)2:b=b2 s(x)3:b=b2"),
        ("~ b * s(x, 3)", "b=b2 s(x)1 s(x)2 s(x)3 b=b2:s(x)1 b=b2:s(x)2 b=b2:s(x)3"),
    ] {
        let sorted = |text: &str| {
            let mut words: Vec<&str> = text.split(' ').collect();
            words.sort_unstable();
            words.join(" ")
        };
        // The order of columns within a term differs from R's.
        assert_eq!(sorted(&columns(typed)), sorted(expected), "{typed}");
    }
}

#[test]
fn a_slope_for_each_value_is_that_of_its_documents_alone() {
    let design = design("~ a + a:x").expect("a design");
    let at = design.names.iter().position(|name| name == "a=a1:x").expect("a column");
    for (row, document) in design.rows.outer_iter().zip(0..) {
        let own = if document % 3 == 0 { (document * 11 % 37) as f64 } else { 0.0 };
        assert_eq!(row[at], own);
    }
}

/// Where R drops a column silently the error names it. Syntax with another meaning in R is an
/// error.
#[test]
fn formulas_without_a_meaning_are_refused_with_the_reason() {
    for typed in ["~ a:b", "~ b:c", "~ a + b:c", "~ x + s(x, 3)", "~ a:b + a:c", "~ b:c:x + x"] {
        let design = design(typed).expect("a design");
        let refused = estimate(&design, &Equal, &StandardErrors::Robust, (2, 1), &[], &Silent);
        let refused = refused.expect_err(typed);
        assert!(matches!(refused, EffectsError::Collinear { .. }), "{typed}: {refused:?}");
        let said = refused.to_string();
        let has_hint = said.contains("write a * b");
        assert_eq!(has_hint, typed != "~ x + s(x, 3)", "{typed}: {said}");
    }
    for (typed, reason) in [
        ("~ 0 + a", "0 is no field: the constant is always there"),
        ("~ a + 1", "1 is no field: the constant is always there"),
        ("~ .", ". is no field"),
        ("~ a - 1", "\"- 1\" is not expected"),
        ("~ a - b", "\"- b\" is not expected"),
        ("~ (a + b):x", "a field is missing"),
        ("~ (a + b)^2", "a field is missing"),
        ("~ x^2", "\"^2\" is not expected"),
        ("~ I(x^2)", "\"(x^2)\" is not expected"),
        ("~ log(x)", "\"(x)\" is not expected"),
        ("~ poly(x, 2)", "\"(x, 2)\" is not expected"),
        ("~ a/b", "\"/b\" is not expected"),
        ("~ a %in% b", "\"%in% b\" is not expected"),
        ("~ a | b", "\"| b\" is not expected"),
        ("~~ a", "a field is missing"),
        ("y ~ a", "\"~ a\" is not expected"),
        ("~ s(x):", "a field is missing"),
        ("~ a ** b", "a field is missing"),
    ] {
        let said = design(typed).expect_err(typed);
        assert!(said.starts_with(reason), "{typed}: {said}");
    }
}
