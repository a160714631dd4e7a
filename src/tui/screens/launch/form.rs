//! What stands in the launch form.

use topoi::run::choose_k::k_list::{KList, WrongKList};
use topoi::run::request::estimate::{Estimate, estimate};
use topoi::run::request::factor_choices::{FactorChoices, STARTS, start_named};
use topoi::run::request::fields::{self, Field, LAUNCH_FORM};
use topoi::run::request::models::{MODELS, model_card};
use topoi::run::request::separable_choices::{CLUSTERINGS, SeparableChoices, clustering_named};
use topoi::run::request::{RunRequest, RunSettings};
use topoi::store::corpus::Corpus;
use topoi::store::run::Run;

/// K of a new form: enough to be worth reading, few enough to be quick.
const FIRST_K: usize = 50;

/// Fields of numbers that need not be whole.
const FRACTIONS: &[Field] = &[
    fields::MEMORY,
    fields::DISTANCE,
    fields::MARGIN,
    fields::LEAST_ANGLE,
    fields::GAMMA,
    fields::RHO,
];

/// Fields whose value the model can choose.
const AUTOMATIC: &[Field] = &[
    fields::ITERATIONS,
    fields::ROWS,
    fields::PROJECTIONS,
    fields::DISTANCE,
    fields::MARGIN,
    fields::GAMMA,
    fields::RHO,
];

/// Stands in a field whose value the model chooses.
const AUTO: &str = "auto";

/// What a field that is a flag can be.
const NO_OR_YES: [&str; 2] = ["no", "yes"];

/// `values` stand beside [`LAUNCH_FORM`].
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
}

impl Default for LaunchState {
    fn default() -> Self {
        let request = RunRequest::new("", FIRST_K);
        let values = LAUNCH_FORM.iter().map(|field| value_of(&request, field)).collect();
        Self { corpora: None, runs: Vec::new(), values, focus: 0, sending: false }
    }
}

fn value_of(request: &RunRequest, field: &Field) -> String {
    let settings = &request.settings;
    match *field {
        fields::CORPUS => request.corpus.clone(),
        fields::MODEL => request.model.clone(),
        fields::K_LIST => request.k.to_string(),
        fields::TERMS => settings.terms.to_string(),
        fields::MIN_TOKENS => settings.min_tokens.to_string(),
        fields::SEED => request.seed.to_string(),
        fields::THREADS => settings.threads.to_string(),
        fields::TOLERANCE => format!("{:e}", settings.tolerance),
        fields::ITERATIONS => or_auto(settings.iterations),
        fields::ROWS => or_auto(settings.rows),
        fields::PROJECTIONS => or_auto(settings.separable.projections),
        fields::DISTANCE => or_auto(settings.separable.distance),
        fields::MARGIN => or_auto(settings.separable.margin),
        fields::LEAST_ANGLE => settings.separable.least_angle.to_string(),
        fields::REFINE => settings.refine.to_string(),
        fields::CLUSTERING | fields::START => AUTO.into(),
        fields::GAMMA => or_auto(settings.factor.gamma),
        fields::RHO => or_auto(settings.factor.rho),
        fields::MONOTONE => NO_OR_YES[usize::from(settings.factor.monotone)].into(),
        fields::KEEP_SUMS => NO_OR_YES[usize::from(settings.separable.keep_sums)].into(),
        fields::MEMORY => settings.memory.to_string(),
        _ => String::new(),
    }
}

/// A number, or the word for what the model chooses.
fn or_auto<T: ToString>(value: Option<T>) -> String {
    value.map_or(AUTO.into(), |number| number.to_string())
}

impl LaunchState {
    /// The fields that the chosen model knows.
    pub fn fields(&self) -> Vec<Field> {
        let model = self.value(fields::MODEL);
        LAUNCH_FORM.iter().copied().filter(|field| field.is_of(model)).collect()
    }

    /// The field the keys go to.
    pub fn field(&self) -> Field {
        let fields = self.fields();
        fields[self.focus.min(fields.len() - 1)]
    }

    /// What stands in the field the keys go to, to be changed.
    pub fn focused_value(&mut self) -> &mut String {
        let field = self.field();
        let position = LAUNCH_FORM.iter().position(|other| *other == field);
        &mut self.values[position.unwrap_or_default()]
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
            fields::CLUSTERING => {
                let names = CLUSTERINGS.iter().map(|(name, _)| (*name).into());
                Some(std::iter::once(AUTO.into()).chain(names).collect())
            }
            fields::START => {
                let names = STARTS.iter().map(|(name, _)| (*name).into());
                Some(std::iter::once(AUTO.into()).chain(names).collect())
            }
            fields::MONOTONE | fields::KEEP_SUMS => Some(NO_OR_YES.map(Into::into).to_vec()),
            _ => None,
        }
    }

    /// Whether a character may be typed into the field with the focus.
    pub fn accepts(&self, c: char) -> bool {
        let field = self.field();
        let list = field == fields::K_LIST && matches!(c, '.' | ',' | ':');
        let fraction = (field == fields::TOLERANCE && matches!(c, '.' | 'e' | 'E' | '-'))
            || (FRACTIONS.contains(&field) && c == '.');
        let auto = AUTOMATIC.contains(&field) && AUTO.contains(c);
        self.choices(field).is_none() && (c.is_ascii_digit() || list || fraction || auto)
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

    /// The request the form stands for, with the largest K, checked for its corpus; or what is
    /// wrong with it.
    ///
    /// # Errors
    /// One line that names the field, its value and what it may be.
    pub fn request(&self) -> Result<RunRequest, String> {
        let Some(corpus) = self.corpus() else {
            return Err("there is no corpus yet; make one with `topoi ingest CORPUS PATH`".into());
        };
        let request = RunRequest {
            corpus: corpus.name.clone(),
            model: self.value(fields::MODEL).into(),
            k: self.list()?.largest(),
            seed: self.parse(fields::SEED)?,
            settings: RunSettings {
                terms: self.parse(fields::TERMS)?,
                min_tokens: self.parse(fields::MIN_TOKENS)?,
                threads: self.parse(fields::THREADS)?,
                tolerance: match self.knows(fields::TOLERANCE) {
                    true => self.parse(fields::TOLERANCE)?,
                    false => RunSettings::default().tolerance,
                },
                iterations: self.parse_or_auto(fields::ITERATIONS)?,
                rows: self.parse_or_auto(fields::ROWS)?,
                memory: self.parse(fields::MEMORY)?,
                refine: self.parse(fields::REFINE)?,
                separable: self.separable()?,
                factor: self.factor()?,
                ..RunSettings::default()
            },
        };
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
        estimate(&request, self.corpus()?, corpora, &self.runs)
    }

    fn knows(&self, field: Field) -> bool {
        field.is_of(self.value(fields::MODEL))
    }

    fn separable(&self) -> Result<SeparableChoices, String> {
        let way = Some(self.value(fields::CLUSTERING));
        let way = way.filter(|name| self.knows(fields::CLUSTERING) && *name != AUTO);
        Ok(SeparableChoices {
            projections: self.parse_or_auto(fields::PROJECTIONS)?,
            distance: self.parse_or_auto(fields::DISTANCE)?,
            margin: self.parse_or_auto(fields::MARGIN)?,
            least_angle: match self.knows(fields::LEAST_ANGLE) {
                true => self.parse(fields::LEAST_ANGLE)?,
                false => 0.0,
            },
            clustering: way.map(clustering_named).transpose()?,
            keep_sums: self.knows(fields::KEEP_SUMS)
                && self.value(fields::KEEP_SUMS) == NO_OR_YES[1],
        })
    }

    fn factor(&self) -> Result<FactorChoices, String> {
        let start = Some(self.value(fields::START));
        let start = start.filter(|name| self.knows(fields::START) && *name != AUTO);
        Ok(FactorChoices {
            start: start.map(start_named).transpose()?,
            gamma: self.parse_or_auto(fields::GAMMA)?,
            monotone: self.knows(fields::MONOTONE) && self.value(fields::MONOTONE) == NO_OR_YES[1],
            rho: self.parse_or_auto(fields::RHO)?,
        })
    }

    fn parse_or_auto<T: std::str::FromStr>(&self, field: Field) -> Result<Option<T>, String> {
        match self.value(field) {
            _ if !self.knows(field) => Ok(None),
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

    /// The command line that does the same; defaults of rare settings are left out.
    pub fn command(&self) -> String {
        let plain = Self::default();
        let verb =
            if self.list().is_ok_and(|list| list.values().len() > 1) { "sweep" } else { "run" };
        let mut command = format!("topoi {verb} {}", quoted(self.value(fields::CORPUS)));
        if let Some(parts) = self.corpus().and_then(|corpus| corpus.parts_elsewhere) {
            command = format!("mpirun -n {parts} {command} --parts PATTERN");
        }
        for field in self.fields().into_iter().filter(|field| *field != fields::CORPUS) {
            let shown =
                [fields::MODEL, fields::K_LIST, fields::TERMS, fields::SEED].contains(&field);
            let value = self.value(field);
            if shown || value != plain.value(field) {
                let dashes = if field.name.len() == 1 { "-" } else { "--" };
                let value = if field == fields::MONOTONE { "" } else { value };
                command.push_str(format!(" {dashes}{} {value}", field.name).trim_end());
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
            parts_elsewhere: None,
        };
        let elsewhere = Corpus { parts_elsewhere: Some(3), ..corpus.clone() };
        form.receive(vec![elsewhere], Vec::new());
        assert!(form.request().expect_err("elsewhere").contains("in 3 parts"));
        assert!(form.command().starts_with("mpirun -n 3 topoi run nips --parts PATTERN --model"));
        form.receive(vec![corpus], Vec::new());
        assert_eq!(form.request().expect("valid"), RunRequest::new("nips", FIRST_K));
        assert_eq!(form.command(), "topoi run nips --model lr-jsmf -k 50 --terms 5000 --seed 1");
        form.values[2] = "1".into();
        assert!(form.request().expect_err("k").contains("change --k"));
        form.values[2] = String::new();
        assert!(form.request().expect_err("k").contains("10..100:10"));
    }

    #[test]
    fn a_model_shows_the_fields_it_knows_and_sends_what_stands_in_them() {
        let mut form = LaunchState::default();
        let set = |form: &mut LaunchState, field: Field, value: &str| {
            let at = LAUNCH_FORM.iter().position(|other| *other == field).expect("a field");
            form.values[at] = value.into();
        };
        set(&mut form, fields::DISTANCE, "0.5");
        set(&mut form, fields::CLUSTERING, "spectral");
        assert_eq!(form.separable(), Ok(SeparableChoices::default()));
        assert!(!form.command().contains("--distance"));
        set(&mut form, fields::MODEL, "rp");
        assert!(form.fields().contains(&fields::DISTANCE));
        assert!(!form.fields().contains(&fields::ROWS));
        let choices = form.separable().expect("numbers");
        assert_eq!(choices.distance, Some(0.5));
        assert_eq!(choices.clustering, clustering_named("spectral").ok());
        assert!(form.command().ends_with("--distance 0.5 --clustering spectral"));
        set(&mut form, fields::DISTANCE, "0.5.1");
        assert!(form.separable().expect_err("no number").contains("--distance"));
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
