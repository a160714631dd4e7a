//! Tests of the launch form.

use clap::Parser;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};
use topoi_core::model::setting::{AUTO, Interval, Kind, Value};
use topoi_run::request::settings::{MEMORY, REFINE, TERMS};
use topoi_store::id::{CorpusId, RunId};
use topoi_store::run::Run as SavedRun;

use super::*;
use crate::cli::work::run::Arguments;

#[test]
fn the_form_has_the_defaults_of_a_request() {
    let mut form = LaunchState::default();
    assert!(form.request().expect_err("no corpus").contains("ingest"));
    let corpus = corpus();
    let elsewhere = Corpus { parts_elsewhere: Some(3), ..corpus.clone() };
    form.receive(vec![elsewhere], Vec::new());
    assert!(form.request().expect_err("elsewhere").contains("in 3 parts"));
    assert!(
        form.command("topoi").starts_with("mpirun -n 3 topoi run nips --parts PATTERN --model")
    );
    form.receive(vec![corpus], Vec::new());
    assert_eq!(form.request().expect("valid"), RunRequest::new("nips", 30));
    assert_eq!(form.command("topoi"), "topoi run nips --model lr-jsmf -k 30 --terms 5000 --seed 1");
    set(&mut form, "k", "1");
    assert!(form.request().expect_err("k").starts_with("k is 1, but must be from 2"));
    set(&mut form, "k", "");
    assert!(form.request().expect_err("k").contains("10..100:10"));
}

pub fn set(form: &mut LaunchState, field: &'static str, value: &str) {
    form.set(field, value);
}

pub fn corpus() -> Corpus {
    Corpus {
        id: CorpusId(1),
        name: "nips".into(),
        created_at: String::new(),
        documents: 5812,
        terms: 12_419,
        tokens: 3_280_697,
        nonzeros: 1_000_000,
        settings: "{}".into(),
        missing: Vec::new(),
        parts_elsewhere: None,
    }
}

#[test]
fn a_model_shows_the_fields_it_knows_and_sends_what_stands_in_them() {
    let mut form = LaunchState::default();
    form.receive(vec![corpus()], Vec::new());
    set(&mut form, "distance", "0.5");
    set(&mut form, "clustering", "spectral");
    assert_eq!(form.request().expect("valid"), RunRequest::new("nips", 30));
    assert!(!form.command("topoi").contains("--distance"));
    set(&mut form, "model", "rp");
    let names: Vec<&str> = form.fields().iter().map(|field| field.name).collect();
    assert!(names.contains(&"distance") && !names.contains(&"rows"), "{names:?}");
    let rp = form.given_model().expect("a model");
    let distance = rp.any().setting("distance").map(|(_, value)| value);
    assert_eq!((rp.name(), distance), ("rp", Some(Value::Real(0.5))));
    assert!(form.command("topoi").ends_with("--distance 0.5 --clustering spectral"));
    set(&mut form, "distance", "0.5.1");
    let refused = form.request().expect_err("no number");
    assert_eq!(refused, "distance is \"0.5.1\", but must be a number");
    set(&mut form, "distance", "0");
    let refused = form.request().expect_err("out of range");
    assert_eq!(refused, "distance is 0, but must be a number above 0");
    set(&mut form, "distance", "");
    set(&mut form, "keep-sums", "yes");
    assert!(
        form.command("topoi").ends_with("--clustering spectral --keep-sums"),
        "{}",
        form.command("topoi")
    );
}

#[test]
fn what_another_model_was_told_is_not_the_default_of_this_one() {
    let mut form = LaunchState::default();
    let iterations = |form: &LaunchState| {
        let fields = form.fields();
        let field = fields.iter().find(|field| field.name == "iterations").expect("a field");
        form.value(*field)
    };
    assert_eq!(iterations(&form), "3");
    set(&mut form, "model", "nmf-ard");
    assert_eq!(iterations(&form), "500");
}

#[test]
fn a_preset_fills_the_form_and_no_flag_names_it() {
    let mut form = LaunchState::default();
    form.receive(vec![corpus()], Vec::new());
    set(&mut form, "preset", "quick look");
    form.take_preset();
    let command = form.command("topoi");
    assert!(command.contains("--terms 2000"), "{command}");
    assert!(command.ends_with("--refine 5 --sweeps 0"), "{command}");
    set(&mut form, "preset", "as in the paper");
    form.take_preset();
    let command = form.command("topoi");
    assert!(command.contains("--terms 5000") && command.contains("--iterations 50"), "{command}");
    assert!(!command.contains("preset"), "{command}");
}

#[test]
fn a_form_is_filled_from_a_run_to_be_changed() {
    let mut request = RunRequest::new("nips", 30);
    request.seed = 7;
    request.settings.min_tokens = 9;
    let Origin::Model(model) = &mut request.origin else { panic!("a model") };
    *model = Model::from_name("rp").expect("a model");
    let run = SavedRun {
        id: RunId(12),
        corpus: "nips".into(),
        model: "rp".into(),
        k: 30,
        seed: 7,
        settings: request.saved_settings(),
        ..SavedRun::default()
    };
    let mut form = LaunchState { again: Some(RunId(12)), ..LaunchState::default() };
    let said = form.receive(vec![corpus()], vec![run]).expect("something to say");
    insta::assert_snapshot!(said);
    assert_eq!(form.request().expect("valid"), request);
}

#[derive(Parser)]
struct Run {
    #[command(flatten)]
    args: Arguments,
}

/// The command that a form shows, as the command line understands it.
pub fn understood(form: &LaunchState) -> RunRequest {
    let command = form.command("topoi");
    let words = format!("printf '%s\\n' {command}");
    let words = std::process::Command::new("sh").args(["-c", &words]).output().expect("a shell");
    let words = String::from_utf8(words.stdout).expect("letters");
    // `run` is in place of a program's name.
    let parsed = Run::try_parse_from(words.lines().skip(1));
    let Run { args } = parsed.unwrap_or_else(|error| panic!("{command}: {error}"));
    let request = args.request(None, args.k.expect("a K"));
    request.unwrap_or_else(|error| panic!("{command}: {error}"))
}

/// Values of a setting in its range, as they are typed; those that leave it as usual among them.
fn typed(definition: Definition) -> BoxedStrategy<String> {
    if let Some(choices) = definition.choices() {
        return select(choices).prop_map(String::from).boxed();
    }
    let plain = |number: f64| number.to_string();
    let number = match definition.kind {
        Kind::Count { from, to } => (from..=to).prop_map(|count| count.to_string()).boxed(),
        Kind::Real(Interval::Above(low) | Interval::AboveOf(low, _)) => {
            (1e-9..1e3).prop_map(move |more| plain(low + more)).boxed()
        }
        Kind::Real(Interval::FromToBelow(from, below) | Interval::Inside(from, below)) => {
            (from..below).prop_map(plain).boxed()
        }
        Kind::Real(Interval::Between(from, to)) => {
            prop_oneof![from..=to, Just(from)].prop_map(|number| format!("{number:e}")).boxed()
        }
        Kind::Flag | Kind::Choice(_) | Kind::Other => unreachable!("it has choices"),
    };
    let auto = definition.auto.map_or("", |_| AUTO);
    prop_oneof![6 => number, 1 => Just(String::new()), 1 => Just(auto.into())].boxed()
}

/// What is typed for all settings of a run of this model: (name, value).
pub fn typed_for(model: &Model) -> Vec<BoxedStrategy<(&'static str, String)>> {
    let named = |definition: Definition, values: BoxedStrategy<String>| {
        values.prop_map(move |value| (definition.name, value)).boxed()
    };
    let own = model.any().settings().into_iter().map(|(own, _)| named(*own, typed(*own)));
    let of_runs = [
        named(fields::K_LIST, (2..=50u32).prop_map(|k| k.to_string()).boxed()),
        named(TERMS, (50..=20_000u32).prop_map(|terms| terms.to_string()).boxed()),
        named(SEED, any::<u64>().prop_map(|seed| seed.to_string()).boxed()),
        named(REFINE, (0..=1000u32).prop_map(|passes| passes.to_string()).boxed()),
        named(MEMORY, (100.0..1e4f64).prop_map(|most| most.to_string()).boxed()),
    ];
    own.chain(of_runs).collect()
}

#[test]
fn the_command_shown_asks_for_what_the_form_does_whatever_is_typed() {
    for model in Model::all() {
        let mut runner = TestRunner::new(Config { cases: 12, ..Config::default() });
        let shown = runner.run(&typed_for(&model), |settings| {
            let mut form = LaunchState::default();
            form.receive(vec![corpus()], Vec::new());
            set(&mut form, "model", model.name());
            for (name, value) in &settings {
                set(&mut form, name, value);
            }
            let asked = form.request().map_err(TestCaseError::fail)?;
            prop_assert_eq!(understood(&form), asked, "{}", form.command("topoi"));
            Ok(())
        });
        shown.unwrap_or_else(|error| panic!("{}: {error}", model.name()));
    }
}

#[test]
fn every_field_has_a_value() {
    let mut form = LaunchState::default();
    for model in Model::names() {
        set(&mut form, "model", model);
        let usual = |field: &&Definition| !form.default_value(**field).is_empty();
        assert!(form.fields().iter().filter(usual).all(|field| !form.value(*field).is_empty()));
    }
}
