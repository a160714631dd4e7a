//! Screen 3: the launch form.

use super::Screen;
use crate::run::estimate::{Estimate, estimate};
use crate::run::fields::{self, Field, LAUNCH_FORM};
use crate::run::models::{MODELS, model_card};
use crate::run::request::{RunRequest, RunSettings};
use crate::run::separable_choices::SeparableChoices;
use crate::store::corpus::Corpus;
use crate::store::run::Run;

/// K of a new form: enough to be worth reading, few enough to be quick.
const FIRST_K: usize = 50;

/// Stands in a field whose value the model chooses.
const AUTO: &str = "auto";

/// What screen 3 shows. `values` stand beside [`LAUNCH_FORM`].
#[derive(Debug, Clone, PartialEq)]
pub struct LaunchState {
    /// All corpora; `None` before the first answer.
    pub corpora: Option<Vec<Corpus>>,
    /// All runs, to tell a repetition.
    pub runs: Vec<Run>,
    /// What stands in each field.
    pub values: Vec<String>,
    /// The field the keys go to.
    pub focus: usize,
    /// The run has been sent off; no second one until the answer is there.
    pub sending: bool,
    /// Where Esc goes.
    pub came_from: Screen,
}

impl Default for LaunchState {
    fn default() -> Self {
        let request = RunRequest::new("", FIRST_K);
        let values = LAUNCH_FORM.iter().map(|field| value_of(&request, field)).collect();
        Self {
            corpora: None,
            runs: Vec::new(),
            values,
            focus: 0,
            sending: false,
            came_from: Screen::Corpora,
        }
    }
}

fn value_of(request: &RunRequest, field: &Field) -> String {
    let settings = &request.settings;
    match *field {
        fields::CORPUS => request.corpus.clone(),
        fields::MODEL => request.model.clone(),
        fields::K => request.k.to_string(),
        fields::TERMS => settings.terms.to_string(),
        fields::MIN_TOKENS => settings.min_tokens.to_string(),
        fields::SEED => request.seed.to_string(),
        fields::THREADS => settings.threads.to_string(),
        fields::TOLERANCE => format!("{:e}", settings.tolerance),
        fields::ITERATIONS => or_auto(settings.iterations),
        fields::ROWS => or_auto(settings.rows),
        fields::MEMORY => settings.memory.to_string(),
        _ => String::new(),
    }
}

/// A number, or the word for what the model chooses.
fn or_auto(value: Option<usize>) -> String {
    value.map_or(AUTO.into(), |count| count.to_string())
}

impl LaunchState {
    /// The field the keys go to.
    pub fn field(&self) -> Field {
        LAUNCH_FORM[self.focus.min(LAUNCH_FORM.len() - 1)]
    }

    /// What the field with the focus means; for the model, what the chosen one is.
    pub fn help(&self) -> &'static str {
        let field = self.field();
        let card = model_card(self.value(fields::MODEL)).filter(|_| field == fields::MODEL);
        card.map_or(field.help, |card| card.help)
    }

    /// What stands in a field.
    pub fn value(&self, field: Field) -> &str {
        let position = LAUNCH_FORM.iter().position(|other| *other == field);
        position.and_then(|index| self.values.get(index)).map_or("", String::as_str)
    }

    /// The choices of a field, or `None` for one that is typed.
    pub fn choices(&self, field: Field) -> Option<Vec<String>> {
        match field {
            fields::CORPUS => {
                Some(self.corpora.iter().flatten().map(|corpus| corpus.name.clone()).collect())
            }
            fields::MODEL => Some(MODELS.iter().map(|card| card.name.into()).collect()),
            _ => None,
        }
    }

    /// Whether a character may be typed into the field with the focus.
    pub fn accepts(&self, c: char) -> bool {
        let field = self.field();
        let fraction = (field == fields::TOLERANCE && matches!(c, '.' | 'e' | 'E' | '-'))
            || (field == fields::MEMORY && c == '.');
        let auto = [fields::ITERATIONS, fields::ROWS].contains(&field) && AUTO.contains(c);
        self.choices(field).is_none() && (c.is_ascii_digit() || fraction || auto)
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
            self.values[0] = first.unwrap_or_default();
        }
    }

    /// The request the form stands for, checked for its corpus; or what is wrong with it.
    ///
    /// # Errors
    /// One line that names the field, its value and what it may be.
    pub fn request(&self) -> Result<RunRequest, String> {
        let Some(corpus) = self.corpus() else {
            return Err("there is no corpus yet; make one with `topica ingest CORPUS PATH`".into());
        };
        let request = RunRequest {
            corpus: corpus.name.clone(),
            model: self.value(fields::MODEL).into(),
            k: self.parse(fields::K)?,
            seed: self.parse(fields::SEED)?,
            settings: RunSettings {
                terms: self.parse(fields::TERMS)?,
                min_tokens: self.parse(fields::MIN_TOKENS)?,
                threads: self.parse(fields::THREADS)?,
                tolerance: self.parse(fields::TOLERANCE)?,
                iterations: self.parse_or_auto(fields::ITERATIONS)?,
                rows: self.parse_or_auto(fields::ROWS)?,
                memory: self.parse(fields::MEMORY)?,
                separable: SeparableChoices::default(),
                vocabulary: None,
            },
        };
        request.check(corpus.terms, corpus.documents).map_err(|error| error.to_string())?;
        Ok(request)
    }

    /// What the run the form stands for will take; `None` while something is wrong with it.
    pub fn estimate(&self) -> Option<Estimate> {
        let (request, corpora) = (self.request().ok()?, self.corpora.as_ref()?);
        estimate(&request, self.corpus()?, corpora, &self.runs)
    }

    fn parse_or_auto(&self, field: Field) -> Result<Option<usize>, String> {
        match self.value(field) {
            "" | AUTO => Ok(None),
            _ => self.parse(field).map(Some),
        }
    }

    fn parse<T: std::str::FromStr>(&self, field: Field) -> Result<T, String> {
        let value = self.value(field);
        let name = field.name;
        value
            .parse()
            .map_err(|_| format!("{name} is {value:?}, but must be a number; change --{name}"))
    }

    /// An earlier run of the same request; threads never change a result.
    pub fn repeats(&self, request: &RunRequest) -> Option<&Run> {
        let own = model_card(&request.model).map(|card| card.iterations);
        let ignoring_threads = |settings: &RunSettings| RunSettings {
            threads: 0,
            memory: 0.0,
            iterations: settings.iterations.or(own),
            ..settings.clone()
        };
        let wanted = ignoring_threads(&request.settings);
        self.runs.iter().find(|run| {
            let settings = serde_json::from_str::<RunSettings>(&run.settings).ok();
            run.corpus == request.corpus
                && run.model == request.model
                && (run.k, run.seed) == (request.k as u64, request.seed)
                && settings.is_some_and(|settings| ignoring_threads(&settings) == wanted)
        })
    }

    /// The command line that does the same; defaults of rare settings are left out.
    pub fn command(&self) -> String {
        let plain = Self::default();
        let mut command = format!("topica run {}", quoted(self.value(fields::CORPUS)));
        for field in LAUNCH_FORM.iter().copied().filter(|field| *field != fields::CORPUS) {
            let shown = [fields::MODEL, fields::K, fields::TERMS, fields::SEED].contains(&field);
            let value = self.value(field);
            if shown || value != plain.value(field) {
                let dashes = if field.name.len() == 1 { "-" } else { "--" };
                command.push_str(&format!(" {dashes}{} {value}", field.name));
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
    use super::*;

    #[test]
    fn the_form_has_the_defaults_of_a_request() {
        let mut form = LaunchState::default();
        assert!(form.request().expect_err("no corpus").contains("ingest"));
        let corpus = Corpus {
            id: 1,
            name: "nips".into(),
            created_at: String::new(),
            documents: 5812,
            terms: 12_419,
            tokens: 3_280_697,
            nonzeros: 1_000_000,
            settings: "{}".into(),
        };
        form.receive(vec![corpus], Vec::new());
        assert_eq!(form.request().expect("valid"), RunRequest::new("nips", FIRST_K));
        assert_eq!(form.command(), "topica run nips --model lr-jsmf -k 50 --terms 5000 --seed 1");
        form.values[2] = "1".into();
        assert!(form.request().expect_err("k").contains("change --k"));
        form.values[2] = String::new();
        assert!(form.request().expect_err("k").contains("must be a number"));
    }

    #[test]
    fn every_field_has_a_value() {
        let form = LaunchState::default();
        assert!(form.values[1..].iter().all(|value| !value.is_empty()));
    }

    #[test]
    fn names_are_quoted_for_the_shell() {
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted("nips-2"), "nips-2");
    }
}
