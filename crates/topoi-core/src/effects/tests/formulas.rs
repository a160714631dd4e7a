//! Formulas make the columns of R's `model.matrix`.

use std::collections::BTreeMap;

use crate::effects::EffectsError;
use crate::effects::design::Design;
use crate::effects::design::fields::{FieldValue, FieldValues};
use crate::effects::formula::Formula;
use crate::effects::regression::{Dependence, Outcomes, RegressionRequest, SpreadChoice, regress};
use crate::progress::Silent;

const DOCUMENTS: u32 = 30;

/// The thirty documents of benches/peers/model_matrix.R.
pub(super) fn thirty() -> BTreeMap<String, FieldValues> {
    let category = |name: &str, of: fn(u32) -> u32| {
        let values: Vec<String> = (0..DOCUMENTS).map(|i| format!("{name}{}", of(i) + 1)).collect();
        (name.to_string(), FieldValues::categories(values.iter().map(|value| Some(value.as_str()))))
    };
    let number = |name: &str, of: fn(f64) -> f64| {
        let values = (0..DOCUMENTS).map(|i| Some(of(f64::from(i))));
        (name.to_string(), FieldValues::numbers(values))
    };
    BTreeMap::from([
        category("a", |i| i * i % 7 % 3),
        category("b", |i| i * 5 % 11 % 2),
        category("c", |i| i / 4 % 2),
        number("x", |i| i * 11.0 % 37.0),
        number("y", |i| i * 17.0 % 29.0 / 4.0),
        number("z", |i| 1.0 + i * 7.0 % 13.0),
    ])
}

pub(super) fn design(typed: &str) -> Result<Design, EffectsError> {
    Design::new(&Formula::parse(typed)?, &thirty(), DOCUMENTS as usize, |_| true)
}

/// Written by `Rscript benches/peers/model_matrix.R` with R 4.2.2.
const MATRICES: &str = include_str!("model_matrix.tsv");

#[test]
fn formulas_make_the_matrices_of_r() {
    let mut seen = 0;
    for line in MATRICES.lines() {
        let (typed, numbers) = line.split_once('\t').expect("a formula and numbers");
        let expected: Vec<f64> =
            numbers.split(' ').map(|number| number.parse().expect("a number")).collect();
        // R has columns that follow from others; here they are refused when estimated.
        let found = match design(typed) {
            Ok(design) => design.rows,
            Err(EffectsError::FewDocuments { .. }) => continue,
            Err(error) => panic!("{typed}: {error}"),
        };
        assert_eq!(found.len(), expected.len(), "{typed}");
        let found = found.t();
        for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let scale = expected.abs().max(1.0);
            assert!((found - expected).abs() < 1e-9 * scale, "{typed}, {at}: {found} {expected}");
        }
        seen += 1;
    }
    assert!(seen >= 80, "{seen}");
}

#[test]
fn columns_are_named_after_field_and_value() {
    let names = |typed: &str| design(typed).expect("a design").names.join(" ");
    assert_eq!(names("a + x"), "(constant) a=a2 a=a3 x");
    assert_eq!(names("a + a:x"), "(constant) a=a2 a=a3 a=a1:x a=a2:x a=a3:x");
    assert_eq!(names("0 + a"), "a=a1 a=a2 a=a3");
    assert_eq!(names("C(a, ref=a2)"), "(constant) a=a1 a=a3");
    assert_eq!(names("s(x, 2) + log(z)"), "(constant) s(x)1 s(x)2 log(z)");
    assert_eq!(names("poly(x, 2)"), "(constant) poly(x, 2)1 poly(x, 2)2");
    assert_eq!(names("a*b"), "(constant) a=a2 a=a3 b=b2 a=a2:b=b2 a=a3:b=b2");
    let references = design("C(a, ref=a2) + b + a:x").expect("a design").references();
    let of = |at: usize| (references[at].field.as_str(), references[at].value.as_str());
    assert_eq!((of(0), of(1), references.len()), (("a", "a2"), ("b", "b1"), 2));
}

#[test]
fn the_mean_row_is_that_of_all_documents_with_the_values_in_place_of_their_own() {
    let design = design("a + x + a:log(z)").expect("a design");
    let at = BTreeMap::from([
        ("a".to_string(), FieldValue::from_category("a3")),
        ("z".to_string(), FieldValue::from_number(3.0)),
    ]);
    let x = (0..30).map(|i| f64::from(i * 11 % 37)).sum::<f64>() / 30.0;
    let found = design.mean_row(&at).expect("a row");
    let expected = [1.0, 0.0, 1.0, x, 0.0, 0.0, 3.0_f64.ln()];
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
    let outside = BTreeMap::from([("z".to_string(), FieldValue::from_number(99.0))]);
    let said = design.mean_row(&outside).expect_err("refused").to_string();
    assert!(said.contains("they lie from 1 to 13"), "{said}");
    let unseen = BTreeMap::from([("a".to_string(), FieldValue::from_category("a9"))]);
    let said = design.mean_row(&unseen).expect_err("refused").to_string();
    assert!(said.contains("it has a1, a2, a3"), "{said}");
}

#[test]
fn a_mean_slope_is_the_derivative() {
    // The derivative of x² is 2x, of log(z) 1/z, and of a polynomial what differences say.
    let design = design("I(x^2) + b:log(z)").expect("a design");
    let x = (0..30).map(|i| f64::from(i * 11 % 37)).sum::<f64>() / 30.0;
    let slope = design.mean_slope("x").expect("a slope");
    assert!((slope[1] - 2.0 * x).abs() < 1e-4 && slope[0].abs() < 1e-9, "{slope:?} {x}");
    let slope = design.mean_slope("z").expect("a slope");
    let mean = (0..30).map(|i| 1.0 / (1.0 + f64::from(i * 7 % 13))).sum::<f64>() / 30.0;
    assert!((slope[2] + slope[3] - mean).abs() < 1e-6, "{slope:?} {mean}");
    assert!(design.mean_slope("b").is_err());
}

/// Where R drops a column silently the error names it.
#[test]
fn what_cannot_be_estimated_is_refused_with_the_reason() {
    let shares = ndarray::Array2::from_shape_fn((30, 1), |(at, _)| at as f32);
    let estimated = |typed: &str| {
        let outcomes =
            Outcomes { shares: shares.clone(), inverse_tokens: &[], token_variances: &[] };
        let request = RegressionRequest {
            dependence: &Dependence::Independent,
            spread: SpreadChoice::Auto,
            absorbed: Vec::new(),
            combinations: Vec::new(),
        };
        regress(design(typed)?, outcomes, &request, &Silent).map(drop)
    };
    for (typed, reason) in [
        ("~ a:b", "\"a=a1:b=b2\" follows from the terms before it (they are collinear)"),
        ("~ x + C(x):a", "30 documents have all fields of the formula, too few"),
        ("~ x + poly(x, 1)", "\"poly(x, 1)1\" follows from the terms before it"),
        ("~ s(a)", "s(a) is for numbers and dates, and \"a\" is a category"),
        ("~ log(x)", "log(x) has no value where \"x\" is 0"),
        ("~ C(a, ref=zz)", "\"a\" has no value \"zz\" among these documents; it has a1, a2, a3"),
        ("~ poly(z, 20)", "poly(z, 20) needs more different values than \"z\" has, 13"),
    ] {
        let said = estimated(typed).expect_err(typed).to_string();
        assert!(said.starts_with(reason), "{typed}: {said}");
    }
    assert_eq!(estimated("~ a*c + s(x, 4)"), Ok(()));
}
