//! Regressions compared with R's `lm`, sandwich and clubSandwich (benches/peers/regression.R, R
//! 4.2.2, sandwich 3.0-2, clubSandwich 0.5.8), and with pyfixest 0.60 (benches/peers/absorbed.py).

use ndarray::Array2;

use super::formulas::thirty;
use crate::effects::EffectsError;
use crate::effects::design::Design;
use crate::effects::design::fields::FieldValues;
use crate::effects::formula::Formula;
use crate::effects::regression::{
    Dependence, Estimate, Outcomes, Regression, RegressionRequest, SpreadChoice, regress,
};
use crate::fields::spread::SpreadSource;
use crate::progress::{Progress, Silent};

const N: u32 = 30;

fn shares() -> Array2<f32> {
    let share = |i: u32| f64::from(i * 13 % 17) / 40.0 + f64::from(i / 4 % 3) / 10.0;
    // The second topic has the rest.
    Array2::from_shape_fn((N as usize, 2), |(at, topic)| {
        let share = share(at as u32);
        (if topic == 0 { share } else { 1.0 - share }) as f32
    })
}

fn clusters() -> Vec<u32> {
    (0..N).map(|i| i / 4).collect()
}

fn others() -> Vec<u32> {
    (0..N).map(|i| i % 5).collect()
}

/// The regression on a + x.
fn fit(
    dependence: &Dependence,
    spread: SpreadChoice,
    absorbed: Vec<Vec<u32>>,
    is_weighted: bool,
) -> Result<Regression, EffectsError> {
    let formula = Formula::parse("a + x").expect("a formula");
    let mut design = Design::new(&formula, &thirty(), N as usize, |_| true).expect("a design");
    design.weights = is_weighted.then(|| (0..N).map(|i| f64::from(1 + i % 4)).collect());
    let outcomes = Outcomes { shares: shares(), inverse_tokens: &[], token_variances: &[] };
    let request = RegressionRequest { dependence, spread, absorbed, combinations: Vec::new() };
    regress(design, outcomes, &request, &Silent)
}

fn close(found: f64, expected: f64, digits: f64) {
    assert!((found - expected).abs() < digits * expected.abs(), "{found} is not {expected}");
}

/// Compares estimates or errors of the coefficients. Shares are in single precision.
fn all_close(fit: &Regression, of: impl Fn(Estimate) -> f64, expected: &[f64]) {
    assert_eq!(fit.names.len(), expected.len());
    for (at, expected) in expected.iter().enumerate() {
        close(of(fit.coefficient(0, at)), *expected, 2e-6);
    }
}

fn error(estimate: Estimate) -> f64 {
    estimate.error.expect("an error")
}

#[test]
fn least_squares_and_hc2_are_those_of_r() {
    let own = fit(&Dependence::Independent, SpreadChoice::Own, Vec::new(), false).expect("a fit");
    let coefficients = [
        0.183_095_907_976_147,
        0.042_200_692_170_752,
        -0.023_352_141_870_106,
        0.004_484_015_337_309,
    ];
    all_close(&own, |one| one.value, &coefficients);
    let hc2 = [
        0.053_300_058_511_102,
        0.066_985_936_930_258,
        0.068_860_382_022_229,
        0.002_632_490_090_256,
    ];
    all_close(&own, error, &hc2);
    let degrees = [4.547_775_201_279, 9.216_074_050_529, 9.115_556_444_624, 7.745_313_110_292];
    all_close(&own, |one| one.degrees, &degrees);
    // The shares of two topics sum to 1.
    close(own.coefficient(1, 0).value, 1.0 - coefficients[0], 1e-6);
    close(own.coefficient(1, 3).value, -coefficients[3], 2e-6);
    let test = own.joint(1..3)[0].expect("a test");
    close(test.f, 0.408_973_090_605_7, 1e-5);
    close(test.p, 0.668_531_430_403_6, 1e-5);
    let pooled =
        fit(&Dependence::Independent, SpreadChoice::Pooled, Vec::new(), false).expect("a fit");
    let least_squares = [
        0.064_016_888_530_621,
        0.083_978_014_619_563,
        0.082_931_378_031_067,
        0.002_838_860_548_024,
    ];
    all_close(&pooled, error, &least_squares);
    // 2 * pt(-0.004484015337309 / 0.002838860548024, 26)
    close(pooled.coefficient(0, 3).p.expect("a p"), 0.126_309_058_1, 1e-5);
    // Thirty documents are few, and have fewer than half of 26 degrees of freedom.
    let auto = fit(&Dependence::Independent, SpreadChoice::Auto, Vec::new(), false).expect("a fit");
    let x = auto.coefficient(0, 3);
    assert_eq!((x.spread, x.degrees), (Some(SpreadSource::Pooled), 26.0));
}

#[test]
fn clustered_errors_degrees_and_tests_are_those_of_clubsandwich() {
    let fit = fit(&Dependence::Clustered(clusters()), SpreadChoice::Own, Vec::new(), false)
        .expect("a fit");
    assert_eq!(fit.clusters, [8]);
    let cr2 = [
        0.040_788_214_539_144,
        0.083_113_711_492_223,
        0.064_605_576_795_503,
        0.002_304_171_528_484,
    ];
    all_close(&fit, error, &cr2);
    let degrees = [4.297_007_995_105, 6.021_562_672_156, 6.185_135_898_367, 4.471_629_417_157];
    all_close(&fit, |one| one.degrees, &degrees);
    let p =
        [0.009_249_321_243_555, 0.629_688_254_699_415, 0.729_785_388_042_34, 0.116_001_831_543_23];
    for (at, p) in p.into_iter().enumerate() {
        close(fit.coefficient(0, at).p.expect("a p"), p, 2e-5);
    }
    let test = fit.joint(1..3)[0].expect("a test");
    close(test.f, 0.251_969_267_694_9, 2e-5);
    close(test.below, 4.537_795_951_469, 1e-5);
    close(test.p, 0.787_466_222_701_4, 2e-5);
    let test = fit.joint(1..4)[0].expect("a test");
    close(test.f, 3.913_088_765_344_6, 2e-5);
    close(test.below, 3.327_328_454_622_3, 1e-5);
    close(test.p, 0.132_204_042_074_3, 2e-5);
}

#[test]
fn weighted_estimates_and_errors_are_those_of_r() {
    let own = fit(&Dependence::Independent, SpreadChoice::Own, Vec::new(), true).expect("a fit");
    let coefficients =
        [0.220_653_375_692_23, 0.046_637_415_426_16, -0.017_401_144_300_94, 0.003_296_881_123_09];
    all_close(&own, |one| one.value, &coefficients);
    let hc2 = [
        0.035_005_018_624_325,
        0.062_467_462_698_979,
        0.074_146_533_079_735,
        0.002_991_992_223_742,
    ];
    all_close(&own, error, &hc2);
    let own = fit(&Dependence::Clustered(clusters()), SpreadChoice::Own, Vec::new(), true)
        .expect("a fit");
    let cr2 =
        [0.022_917_025_804_77, 0.070_555_276_388_32, 0.068_614_745_731_75, 0.002_445_925_975_79];
    all_close(&own, error, &cr2);
    let degrees = [3.133_655_695_63, 5.252_436_742_105, 5.449_946_285_687, 4.112_398_157_995];
    all_close(&own, |one| one.degrees, &degrees);
}

#[test]
fn two_ways_of_clusters_are_those_of_fixest() {
    let ways = Dependence::TwoWay([clusters(), others()]);
    let fit = fit(&ways, SpreadChoice::Own, Vec::new(), false).expect("a fit");
    assert_eq!(fit.clusters, [8, 5]);
    let errors =
        [0.049_121_343_919_82, 0.065_037_629_831_36, 0.055_025_039_884_96, 0.001_857_199_243_05];
    all_close(&fit, error, &errors);
    let p = [0.020_342_532_4, 0.551_797_133_3, 0.693_111_103_5, 0.073_205_508_64];
    for (at, p) in p.into_iter().enumerate() {
        close(fit.coefficient(0, at).p.expect("a p"), p, 2e-5);
    }
}

#[test]
fn absorbed_fields_leave_the_estimates_and_errors_of_fixest() {
    let independent = Dependence::Independent;
    let clustered = Dependence::Clustered(clusters());
    let crossed = Dependence::Clustered(others());
    let (g, h) = (clusters(), others());
    type Case<'c> = (&'c Dependence, Vec<Vec<u32>>, bool, [f64; 3], [f64; 3], f64);
    let cases: [Case<'_>; 5] = [
        (
            &independent,
            vec![h.clone()],
            false,
            [0.046_500_151_357, -0.020_729_057_867_25, 0.004_215_228_256_768],
            [0.071_527_342_144_42, 0.068_495_871_559_41, 0.003_725_740_414_664],
            0.522_356_934_911_1,
        ),
        (
            &clustered,
            vec![h.clone()],
            false,
            [0.046_500_151_357, -0.020_729_057_867_25, 0.004_215_228_256_768],
            [0.080_499_636_987_26, 0.058_308_301_149_73, 0.003_902_972_927_257],
            0.581_600_334_684_2,
        ),
        (
            &clustered,
            vec![g.clone()],
            false,
            [0.032_705_251_117_93, -0.058_635_206_254_36, 0.003_277_899_176_613],
            [0.105_747_962_270_2, 0.095_195_593_551_07, 0.002_425_941_639_859],
            0.766_114_634_822_8,
        ),
        (
            &independent,
            vec![g.clone(), h.clone()],
            false,
            [0.032_275_565_524_36, -0.064_339_188_233_9, 0.003_154_401_829_255],
            [0.101_369_097_651_5, 0.091_597_373_724_19, 0.004_040_414_511_14],
            0.754_574_262_008_8,
        ),
        (
            &crossed,
            vec![g, h],
            true,
            [0.055_828_835_628_21, -0.058_906_357_755_63, 0.002_019_741_483_687],
            [0.082_727_396_553_4, 0.075_149_770_213_18, 0.001_699_621_618_236],
            0.536_766_224_147_7,
        ),
    ];
    for (at, (dependence, absorbed, is_weighted, values, errors, p)) in
        cases.into_iter().enumerate()
    {
        let fit = fit(dependence, SpreadChoice::Own, absorbed, is_weighted).expect("a fit");
        assert_eq!(fit.names, ["a=a2", "a=a3", "x"], "{at}");
        all_close(&fit, |one| one.value, &values);
        all_close(&fit, error, &errors);
        close(fit.coefficient(0, 0).p.expect("a p"), p, 2e-5);
    }
}

#[test]
fn what_absorbed_fields_contain_is_refused() {
    let formula = Formula::parse("c").expect("a formula");
    let design = || Design::new(&formula, &thirty(), N as usize, |_| true).expect("a design");
    let refused = |combinations: Vec<Vec<f64>>, absorbed: Vec<u32>| {
        let outcomes = Outcomes { shares: shares(), inverse_tokens: &[], token_variances: &[] };
        let request = RegressionRequest {
            dependence: &Dependence::Independent,
            spread: SpreadChoice::Auto,
            absorbed: vec![absorbed],
            combinations,
        };
        regress(design(), outcomes, &request, &Silent).expect_err("refused")
    };
    // c is i / 4 % 2, so that it follows from i / 4.
    assert_eq!(refused(Vec::new(), clusters()), EffectsError::Absorbed { term: "c=c2".into() });
    assert_eq!(refused(vec![vec![1.0, 0.5]], others()), EffectsError::NoLevel);
    let one = Dependence::Clustered(vec![0; N as usize]);
    let refused = fit(&one, SpreadChoice::Auto, Vec::new(), false).expect_err("refused");
    assert_eq!(refused, EffectsError::FewClusters(1));
}

#[test]
fn the_same_bits_for_any_number_of_threads() {
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let all = [
            Dependence::Independent,
            Dependence::Clustered(clusters()),
            Dependence::TwoWay([clusters(), others()]),
        ];
        pool.install(|| {
            let fit = |dependence| {
                let fit = fit(dependence, SpreadChoice::Auto, vec![others()], true);
                let fit = fit.expect("a fit");
                let bits = |at| {
                    let one = fit.coefficient(0, at);
                    (one.value.to_bits(), error(one).to_bits())
                };
                (0..3).map(bits).collect::<Vec<_>>()
            };
            all.iter().map(fit).collect::<Vec<_>>()
        })
    };
    assert_eq!(run(1), run(3));
}

/// Estimates of a regression on a number with values of 2,000 as those on the number less 2,000.
#[test]
fn a_year_is_no_worse_than_a_small_number() {
    let years = |from: f64| {
        let values = (0..N).map(|i| Some(from + f64::from(i * 7 % 30)));
        let fields =
            std::collections::BTreeMap::from([("year".to_string(), FieldValues::numbers(values))]);
        let formula = Formula::parse("year + I(year^2)").expect("a formula");
        let design = Design::new(&formula, &fields, N as usize, |_| true).expect("a design");
        let outcomes = Outcomes { shares: shares(), inverse_tokens: &[], token_variances: &[] };
        let request = RegressionRequest {
            dependence: &Dependence::Independent,
            spread: SpreadChoice::Auto,
            absorbed: Vec::new(),
            combinations: Vec::new(),
        };
        let fit = regress(design, outcomes, &request, &Silent).expect("a fit");
        let one = fit.coefficient(0, 2);
        (one.value, error(one), fit.inflation[1])
    };
    let (small, large) = (years(0.0), years(2000.0));
    close(large.0, small.0, 1e-4);
    close(large.1, small.1, 1e-4);
    assert!(large.2 > 1e5 && small.2 < 30.0, "{large:?} {small:?}");
}

struct Stopped;

impl Progress for Stopped {
    fn begin(&self, _stage: &'static str, _total: u64, _residual: &'static str) {}
    fn step(&self, _step: u64, _residual: Option<f64>) {}
    fn cancelled(&self) -> bool {
        true
    }
}

#[test]
fn what_is_interrupted_gives_no_figures() {
    for absorbed in [Vec::new(), vec![others()]] {
        let outcomes = Outcomes { shares: shares(), inverse_tokens: &[], token_variances: &[] };
        let request = RegressionRequest {
            dependence: &Dependence::Independent,
            spread: SpreadChoice::Auto,
            absorbed,
            combinations: Vec::new(),
        };
        let design = super::formulas::design("a + x").expect("a design");
        let refused = regress(design, outcomes, &request, &Stopped).expect_err("refused");
        assert_eq!(refused, EffectsError::Cancelled);
    }
}

/// Many categories with a rare reference do not inflate each other, nor do the columns of a spline; a number that
/// follows nearly from categories is inflated.
#[test]
fn inflation_is_that_by_other_terms() {
    let n = 200;
    let category = |at: u32| if at == 0 || at == 100 { "a" } else { ["b", "c"][at as usize % 2] };
    let values = (0..n).map(|at| Some(category(at)));
    let near = (0..n).map(|at| {
        let own = if category(at) == "b" { 1.0 } else { 0.0 };
        Some(own + 0.01 * f64::from(at * at % 7))
    });
    let fields = std::collections::BTreeMap::from([
        ("g".to_string(), FieldValues::categories(values)),
        ("x".to_string(), FieldValues::numbers((0..n).map(|at| Some(f64::from(at * 7 % n))))),
        ("near".to_string(), FieldValues::numbers(near)),
    ]);
    let inflation = |typed: &str| {
        let formula = Formula::parse(typed).expect("a formula");
        let design = Design::new(&formula, &fields, n as usize, |_| true).expect("a design");
        let shares = Array2::from_shape_fn((n as usize, 1), |(at, _)| (at % 9) as f32);
        let outcomes = Outcomes { shares, inverse_tokens: &[], token_variances: &[] };
        let request = RegressionRequest {
            dependence: &Dependence::Independent,
            spread: SpreadChoice::Auto,
            absorbed: Vec::new(),
            combinations: Vec::new(),
        };
        let fit = regress(design, outcomes, &request, &Silent).expect("a fit");
        fit.inflation.iter().fold(0.0, |most: f64, one| most.max(*one))
    };
    assert!((inflation("g") - 1.0).abs() < 1e-9);
    assert!(inflation("g + s(x, 6)") < 1.5);
    assert!(inflation("g + near") > 100.0);
}
