//! Effects compared with R's `lm` and `sandwich`, and checked by simulation.

use std::collections::BTreeMap;

use rand::RngExt;
use rand_chacha::ChaCha12Rng;

use super::*;
use crate::effects::design::FieldValues;
use crate::effects::expression::Expression;
use crate::progress::Silent;

/// Known shares: (share of topic 0, number of tokens) of every document, with α = 0.05 for each
/// topic.
struct Known(Vec<(f64, f64)>);

impl Posteriors for Known {
    fn topics(&self) -> usize {
        2
    }

    fn parameters(&self, document: usize, into: &mut [f64]) {
        let (share, tokens) = self.0[document];
        into.copy_from_slice(&[0.05 + share * tokens, 0.05 + (1.0 - share) * tokens]);
    }
}

fn category(names: impl Iterator<Item = &'static str>) -> FieldValues {
    FieldValues::Category(names.map(|name| Some(name.to_string())).collect())
}

fn design(typed: &str, fields: BTreeMap<String, FieldValues>, documents: usize) -> Design {
    let expression = Expression::parse(typed).expect("an expression");
    Design::new(&expression, &fields, documents).expect("a design")
}

/// Twelve documents, alternately of groups a and b.
fn twelve() -> (Design, Known) {
    let y = [0.1, 0.3, 0.15, 0.35, 0.2, 0.5, 0.3, 0.45, 0.25, 0.65, 0.4, 0.7];
    let x = (1..=12).map(|at| Some(f64::from(at))).collect();
    let g = category(["a", "b"].into_iter().cycle().take(12));
    let fields = BTreeMap::from([("x".to_string(), FieldValues::Number(x)), ("g".to_string(), g)]);
    // With this many tokens no draw is off by more than 1e-6.
    (design("g + x", fields, 12), Known(y.map(|share| (share, 1e12)).to_vec()))
}

fn close(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() < 2e-5 * expected.abs().max(1e-3),
        "{found} is not {expected}"
    );
}

#[test]
fn coefficients_and_all_three_errors_are_those_of_r() {
    // lm(y ~ g + x); vcov, vcovHC(type = "HC1"), vcovCL(cluster = c(1, 1, 1, 2, …), type = "HC1"); confint;
    // R 4.2.2, sandwich 3.0-2.
    let coefficients = [0.029_761_904_761_9, 0.224_404_761_904_8, 0.033_928_571_428_6];
    let clusters = StandardErrors::Clustered((0..12).map(|at| at / 3).collect());
    let errors = [
        (
            StandardErrors::Homoscedastic,
            [0.033_796_619_864_1, 0.030_292_232_710_1, 0.004_387_568_330_85],
        ),
        (StandardErrors::Robust, [0.023_997_941_173_7, 0.030_276_901_049_2, 0.003_713_082_687_9]),
        (clusters, [0.027_862_172_525_8, 0.023_442_040_210_2, 0.004_393_453_295_2]),
    ];
    let (design, known) = twelve();
    for (kind, expected) in errors {
        let effects = estimate(&design, &known, &kind, (3, 1), &[], &Silent).expect("effects");
        for at in 0..3 {
            close(effects.coefficient(0, at).value, coefficients[at]);
            close(effects.own[0][(at, at)].sqrt(), expected[at]);
            // The shares of two topics sum to 1.
            let constant = if at == 0 { 1.0 } else { 0.0 };
            close(effects.coefficient(1, at).value, constant - coefficients[at]);
        }
    }
    let effects = estimate(&design, &known, &StandardErrors::Homoscedastic, (3, 1), &[], &Silent)
        .expect("effects");
    let x = effects.coefficient(0, 2);
    let (low, high) = x.interval.expect("an interval");
    close(low, 0.024_003_202_301_7);
    close(high, 0.043_853_940_555_5);
    close(x.p.expect("a p"), 2.900_369_986_76e-5);
    // Twelve documents are few: the larger of both errors is used.
    let effects =
        estimate(&design, &known, &StandardErrors::Robust, (3, 1), &[], &Silent).expect("effects");
    let x = effects.coefficient(0, 2);
    assert_eq!(x.spread, Some(SpreadSource::Pooled));
    close(x.error.expect("an error"), 0.004_387_568_330_85);
}

#[test]
fn the_same_bits_for_any_number_of_threads() {
    let (design, _) = twelve();
    let known = Known((0..12).map(|at| (0.05 * f64::from(at), 30.0)).collect());
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| estimate(&design, &known, &StandardErrors::Robust, (5, 7), &[], &Silent))
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn terms_that_follow_from_others_and_single_groups_are_refused() {
    let x: Vec<Option<f64>> = (0..20).map(|at| Some(f64::from(at * at % 7))).collect();
    let twice = x.iter().map(|x| x.map(|x| 2.0 * x + 1.0)).collect();
    let fields = BTreeMap::from([
        ("x".to_string(), FieldValues::Number(x)),
        ("y".to_string(), FieldValues::Number(twice)),
    ]);
    let known = Known(vec![(0.3, 50.0); 20]);
    let both = design("x + y", fields.clone(), 20);
    let refused = estimate(&both, &known, &StandardErrors::Robust, (2, 1), &[], &Silent)
        .expect_err("refused");
    assert_eq!(refused, EffectsError::Collinear { term: "y".into() });
    let one = design("x", fields, 20);
    let groups = StandardErrors::Clustered(vec![0; 20]);
    let refused = estimate(&one, &known, &groups, (2, 1), &[], &Silent).expect_err("refused");
    assert_eq!(refused, EffectsError::FewClusters(1));
}

/// A simulated corpus of two kinds of documents with mean shares of topic 0 of .3 and .4.
fn made(rng: &mut ChaCha12Rng, documents: usize) -> Known {
    let document = |at: usize| {
        let mean = if at.is_multiple_of(2) { 0.3 } else { 0.4 };
        let mut shares = [3.0 * mean, 3.0 * (1.0 - mean)];
        dirichlet(rng, &mut shares);
        let tokens = 40 + at % 5 * 40;
        let drawn = (0..tokens).filter(|_| rng.random::<f64>() < shares[0]).count();
        (drawn as f64 / tokens as f64, tokens as f64)
    };
    Known((0..documents).map(document).collect())
}

/// In 930 to 970 of 1,000 simulated corpora the 95% interval contains the true difference of .1.
/// With exact intervals that fails by chance for fewer than four seeds in a thousand (the seed is
/// fixed).
#[test]
fn intervals_of_95_percent_hold_the_truth_in_93_to_97_of_100_made_corpora() {
    let documents = 150;
    let kind = category(["a", "b"].into_iter().cycle().take(documents));
    let design = design("kind", BTreeMap::from([("kind".to_string(), kind)]), documents);
    let mut rng = stream(5, "made corpora");
    let corpora: Vec<Known> = (0..1000).map(|_| made(&mut rng, documents)).collect();
    for errors in [StandardErrors::Homoscedastic, StandardErrors::Robust] {
        let holds = |known: &&Known| {
            let effects =
                estimate(&design, *known, &errors, (10, 3), &[], &Silent).expect("effects");
            let (low, high) = effects.coefficient(0, 1).interval.expect("an interval");
            (low..high).contains(&0.1)
        };
        let held = corpora.par_iter().filter(holds).count();
        assert!((930..=970).contains(&held), "{errors:?}: {held} of 1000");
    }
}
