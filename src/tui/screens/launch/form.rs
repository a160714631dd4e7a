//! What stands in the launch form.

use std::collections::BTreeMap;
use topoi::model::Model;
use topoi::model::setting::{Definition, Kind, Setting};
use topoi::run::choose_k::sweep::{KList, WrongKList};
use topoi::run::request::earlier_runs::{Estimate, estimate};
use topoi::run::request::fields::{AFTER_THE_MODEL, BEFORE_THE_MODEL};
use topoi::run::request::{RunRequest, fields};
use topoi::store::corpus::Corpus;
use topoi::store::run::Run;

/// K of a new form: enough to be worth reading, few enough to be quick.
const FIRST_K: usize = 50;

/// What the launch form shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LaunchState {
    /// All corpora; `None` before the first answer.
    pub corpora: Option<Vec<Corpus>>,
    /// All runs, to tell a repetition.
    pub runs: Vec<Run>,
    /// What was typed or chosen, by the name of the field; the others have their defaults, which
    /// may be another model's by now.
    typed: BTreeMap<&'static str, String>,
    /// The field the keys go to.
    pub focus: usize,
    /// The run has been sent off; no second one until the answer is there.
    pub sending: bool,
}

/// The request of a new form, for a model and without a corpus.
fn first_request(model: Model) -> RunRequest {
    RunRequest { origin: model.into(), ..RunRequest::new("", FIRST_K) }
}

impl LaunchState {
    /// The fields that the chosen model knows.
    pub fn fields(&self) -> Vec<Definition> {
        let of_all = |settings: &'static [Setting<RunRequest>]| {
            settings.iter().map(|setting| setting.definition)
        };
        let model = self.model();
        let own = model.any().settings().into_iter().map(|(definition, _)| *definition);
        let first = [fields::CORPUS, fields::MODEL, fields::K_LIST].into_iter();
        first.chain(of_all(BEFORE_THE_MODEL)).chain(own).chain(of_all(AFTER_THE_MODEL)).collect()
    }

    /// The chosen model with its default settings.
    fn model(&self) -> Model {
        let name = self.typed.get(fields::MODEL.name);
        name.and_then(|name| Model::named(name).ok()).unwrap_or_default()
    }

    /// The field the keys go to.
    pub fn field(&self) -> Definition {
        let fields = self.fields();
        fields[self.focus.min(fields.len() - 1)]
    }

    /// What stands in the field the keys go to, to be changed.
    pub fn focused_value(&mut self) -> &mut String {
        let field = self.field();
        let value = self.value(field);
        self.typed.entry(field.name).or_insert(value)
    }

    /// Chooses the corpus of this name.
    pub fn choose_corpus(&mut self, name: String) {
        self.typed.insert(fields::CORPUS.name, name);
    }

    /// What the field with the focus means; for the model, what the chosen one is.
    pub fn help(&self) -> &'static str {
        let field = self.field();
        if field == fields::MODEL { self.model().card().help } else { field.help }
    }

    /// What stands in a field.
    pub fn value(&self, field: Definition) -> String {
        self.typed.get(field.name).cloned().unwrap_or_else(|| self.default_value(field))
    }

    fn default_value(&self, field: Definition) -> String {
        let request = first_request(self.model());
        if let Some((_, value)) = self.model().any().setting(field.name) {
            return value.to_string();
        }
        let settings = BEFORE_THE_MODEL.iter().chain(AFTER_THE_MODEL);
        let setting = settings.into_iter().find(|setting| setting.definition == field);
        match field {
            fields::MODEL => request.origin.name().into(),
            fields::K_LIST => request.k.to_string(),
            _ => setting.map(|own| own.get(&request).to_string()).unwrap_or_default(),
        }
    }

    /// The choices of a field, or `None` for one that is typed.
    pub fn choices(&self, field: Definition) -> Option<Vec<String>> {
        let names = |names: Vec<&'static str>| names.into_iter().map(String::from).collect();
        match field {
            fields::CORPUS => {
                Some(self.corpora.iter().flatten().map(|corpus| corpus.name.clone()).collect())
            }
            fields::MODEL => Some(names(Model::names())),
            _ => field.choices().map(names),
        }
    }

    /// Whether a character may be typed into the field with the focus.
    pub fn accepts(&self, c: char) -> bool {
        match self.field() {
            fields::K_LIST => c.is_ascii_digit() || matches!(c, '.' | ',' | ':'),
            field => field.accepts(c),
        }
    }

    /// The corpus that is chosen.
    pub fn corpus(&self) -> Option<&Corpus> {
        let name = self.value(fields::CORPUS);
        self.corpora.iter().flatten().find(|corpus| corpus.name == name)
    }

    /// Takes the corpora and runs; a corpus that is gone is no longer chosen.
    pub fn receive(&mut self, corpora: Vec<Corpus>, runs: Vec<Run>) {
        let first = corpora.first().map(|corpus| corpus.name.clone());
        self.corpora = Some(corpora);
        self.runs = runs;
        if self.corpus().is_none() {
            self.choose_corpus(first.unwrap_or_default());
        }
    }

    /// The request the form stands for, with the largest K, checked for its corpus; or what is
    /// wrong with it.
    ///
    /// # Errors
    /// One line that names the field, its value and what it may be.
    pub fn request(&self) -> Result<RunRequest, String> {
        let Some(corpus) = self.corpus() else {
            return Err("there is no corpus yet; make one with `topoi ingest CORPUS PATH`".into());
        };
        let (corpus_name, k) = (corpus.name.clone(), self.list()?.largest());
        let plain = first_request(self.given_model()?);
        let mut request = RunRequest { corpus: corpus_name, k, ..plain };
        for setting in BEFORE_THE_MODEL.iter().chain(AFTER_THE_MODEL) {
            let value = setting.definition.parse(&self.value(setting.definition));
            setting.set(&mut request, value.map_err(|error| error.to_string())?);
        }
        request.check(corpus.terms, corpus).map_err(|error| error.to_string())?;
        match corpus.parts_elsewhere {
            None => Ok(request),
            Some(parts) => Err(format!(
                "{} is in {parts} parts: run it as below, PATTERN like 'part-{{rank}}.db'",
                corpus.name
            )),
        }
    }

    /// The numbers of topics that stand in the form: a run for each.
    ///
    /// # Errors
    /// One line that says how they are written.
    pub fn list(&self) -> Result<KList, String> {
        self.value(fields::K_LIST).parse().map_err(|error: WrongKList| format!("k: {error}"))
    }

    /// What the run the form stands for will take; `None` while something is wrong with it.
    pub fn estimate(&self) -> Option<Estimate> {
        let (request, corpora) = (self.request().ok()?, self.corpora.as_ref()?);
        Some(estimate(&request, self.corpus()?, corpora, &self.runs))
    }

    /// The chosen model with the settings that stand in the form; what is erased is as usual.
    fn given_model(&self) -> Result<Model, String> {
        let mut model = self.model();
        let plain = model.clone();
        for (definition, _) in plain.any().settings() {
            let text = self.value(*definition);
            if !text.is_empty() {
                let set = |value| model.any_mut().set(definition.name, value);
                definition.parse(&text).and_then(set).map_err(|error| error.to_string())?;
            }
        }
        Ok(model)
    }

    /// The command line that does the same; defaults of rare settings are left out.
    pub fn command(&self) -> String {
        let verb =
            if self.list().is_ok_and(|list| list.values().len() > 1) { "sweep" } else { "run" };
        let mut command = format!("topoi {verb} {}", quoted(&self.value(fields::CORPUS)));
        if let Some(parts) = self.corpus().and_then(|corpus| corpus.parts_elsewhere) {
            command = format!("mpirun -n {parts} {command} --parts PATTERN");
        }
        for field in self.fields().into_iter().filter(|field| *field != fields::CORPUS) {
            let shown =
                [fields::MODEL, fields::K_LIST, fields::TERMS, fields::SEED].contains(&field);
            let value = self.value(field);
            if value.is_empty() || !(shown || value != self.default_value(field)) {
                continue;
            }
            let dashes = if field.name.len() == 1 { "-" } else { "--" };
            command.push_str(&format!(" {dashes}{}", field.name));
            if field.kind != Kind::Flag {
                command.push_str(&format!(" {value}"));
            }
        }
        command
    }
}

/// A name as a shell takes it.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '+');
    match name {
        "" => "CORPUS".into(),
        _ if name.chars().all(plain) => name.into(),
        _ => format!("'{}'", name.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use proptest::prelude::*;
    use proptest::sample::select;
    use proptest::test_runner::{Config, TestRunner};
    use topoi::model::setting::{AUTO, Interval};

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
        assert!(form.command().starts_with("mpirun -n 3 topoi run nips --parts PATTERN --model"));
        form.receive(vec![corpus], Vec::new());
        assert_eq!(form.request().expect("valid"), RunRequest::new("nips", FIRST_K));
        assert_eq!(form.command(), "topoi run nips --model lr-jsmf -k 50 --terms 5000 --seed 1");
        set(&mut form, "k", "1");
        assert!(form.request().expect_err("k").contains("change --k"));
        set(&mut form, "k", "");
        assert!(form.request().expect_err("k").contains("10..100:10"));
    }

    fn set(form: &mut LaunchState, field: &'static str, value: &str) {
        form.typed.insert(field, value.into());
    }

    fn corpus() -> Corpus {
        Corpus {
            id: 1,
            name: "nips".into(),
            created_at: String::new(),
            documents: 5812,
            terms: 12_419,
            tokens: 3_280_697,
            nonzeros: 1_000_000,
            settings: "{}".into(),
            parts_elsewhere: None,
        }
    }

    #[test]
    fn a_model_shows_the_fields_it_knows_and_sends_what_stands_in_them() {
        let mut form = LaunchState::default();
        form.receive(vec![corpus()], Vec::new());
        set(&mut form, "distance", "0.5");
        set(&mut form, "clustering", "spectral");
        assert_eq!(form.request().expect("valid"), RunRequest::new("nips", FIRST_K));
        assert!(!form.command().contains("--distance"));
        set(&mut form, "model", "rp");
        let names: Vec<&str> = form.fields().iter().map(|field| field.name).collect();
        assert!(names.contains(&"distance") && !names.contains(&"rows"), "{names:?}");
        let Ok(Model::Rp(own)) = form.given_model() else { panic!("of rp") };
        assert_eq!(own.distance, Some(0.5));
        assert!(form.command().ends_with("--distance 0.5 --clustering spectral"));
        set(&mut form, "distance", "0.5.1");
        let refused = form.request().expect_err("no number");
        assert_eq!(refused, "distance is \"0.5.1\", but must be a number; change --distance");
        set(&mut form, "distance", "0");
        let refused = form.request().expect_err("out of range");
        assert_eq!(refused, "distance is 0, but must be a number above 0; change --distance");
        set(&mut form, "distance", "");
        set(&mut form, "keep-sums", "yes");
        assert!(
            form.command().ends_with("--clustering spectral --keep-sums"),
            "{}",
            form.command()
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

    #[derive(Parser)]
    struct Run {
        #[command(flatten)]
        args: Arguments,
    }

    /// The command that a form shows, as the command line understands it.
    fn understood(form: &LaunchState) -> RunRequest {
        let command = form.command();
        // `run` stands where a program's name would.
        let parsed = Run::try_parse_from(command.split(' ').skip(1));
        let Run { args } = parsed.unwrap_or_else(|error| panic!("{command}: {error}"));
        let request = args.options.request(&args.corpus, args.k);
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
            Kind::Real(Interval::FromToBelow(from, below)) => (from..below).prop_map(plain).boxed(),
            Kind::Real(Interval::Between(from, to)) => {
                prop_oneof![from..=to, Just(from)].prop_map(|number| format!("{number:e}")).boxed()
            }
            Kind::Flag | Kind::Choice(_) | Kind::Other => unreachable!("it has choices"),
        };
        let auto = definition.auto.map_or("", |_| AUTO);
        prop_oneof![6 => number, 1 => Just(String::new()), 1 => Just(auto.into())].boxed()
    }

    /// What is typed for all settings of a run of this model: (name, value).
    fn all_typed(model: &Model) -> Vec<BoxedStrategy<(&'static str, String)>> {
        let named = |definition: Definition, values: BoxedStrategy<String>| {
            values.prop_map(move |value| (definition.name, value)).boxed()
        };
        let own = model.any().settings().into_iter().map(|(own, _)| named(*own, typed(*own)));
        let of_runs = [
            named(fields::K_LIST, (2..=50u32).prop_map(|k| k.to_string()).boxed()),
            named(fields::TERMS, (50..=20_000u32).prop_map(|terms| terms.to_string()).boxed()),
            named(fields::SEED, any::<u64>().prop_map(|seed| seed.to_string()).boxed()),
            named(fields::REFINE, (0..=1000u32).prop_map(|passes| passes.to_string()).boxed()),
            named(fields::MEMORY, (100.0..1e4f64).prop_map(|most| most.to_string()).boxed()),
        ];
        own.chain(of_runs).collect()
    }

    #[test]
    fn the_command_shown_asks_for_what_the_form_does_whatever_is_typed() {
        for model in Model::all() {
            let mut runner = TestRunner::new(Config { cases: 12, ..Config::default() });
            let shown = runner.run(&all_typed(&model), |settings| {
                let mut form = LaunchState::default();
                form.receive(vec![corpus()], Vec::new());
                set(&mut form, "model", model.name());
                for (name, value) in &settings {
                    set(&mut form, name, value);
                }
                let asked = form.request().map_err(TestCaseError::fail)?;
                prop_assert_eq!(understood(&form), asked, "{}", form.command());
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
            assert!(form.fields()[1..].iter().all(|field| !form.value(*field).is_empty()));
        }
    }

    #[test]
    fn names_are_quoted_for_the_shell() {
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted("nips-2"), "nips-2");
    }
}
