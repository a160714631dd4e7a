//! What stands in the launch form.

use std::collections::BTreeMap;

use strum::VariantArray;

use super::again::Again;
use super::models::in_groups;
use topoi_core::model::Model;
use topoi_core::model::setting::{Definition, Kind, Setting};
use topoi_run::choose_k::sweep::{KList, WrongKList};
use topoi_run::request::earlier_runs::{Estimate, estimate};
use topoi_run::request::fields::{AFTER_THE_MODEL, BEFORE_THE_MODEL};
use topoi_run::request::presets::Preset;
use topoi_run::request::usual::usual_k;
use topoi_run::request::{Origin, RunRequest, fields};
use topoi_store::corpus::Corpus;
use topoi_store::run::Run;

/// What the launch form shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LaunchState {
    /// All corpora; `None` before the first answer.
    pub corpora: Option<Vec<Corpus>>,
    /// What documents need at least, by the name of the corpus.
    pub min_tokens: BTreeMap<String, u64>,
    /// All runs, to tell a repetition.
    pub runs: Vec<Run>,
    /// What was typed or chosen, by the name of the field; the others have their defaults, which
    /// may be another model's by now.
    typed: BTreeMap<&'static str, String>,
    /// The field the keys go to.
    pub focus: usize,
    /// The run has been sent off; no second one until the answer is there.
    pub sending: bool,
    /// The run that the form is to be filled from, once the runs are known.
    pub again: Option<i64>,
    /// The run that it was filled from.
    pub filled: Option<Again>,
}

/// Settings that go together; what it says is in the other fields, and no flag of a command.
pub const PRESET: Definition = Definition {
    name: "preset",
    help: "settings that go together; what you change afterwards counts",
    placeholder: "",
    kind: Kind::Other,
    auto: None,
};

impl LaunchState {
    /// The fields that the chosen model knows.
    pub fn fields(&self) -> Vec<Definition> {
        let of_all = |settings: &'static [Setting<RunRequest>]| {
            settings.iter().map(|setting| setting.definition)
        };
        let model = self.model();
        let own = model.any().settings().into_iter().map(|(definition, _)| *definition);
        let first = [fields::CORPUS, fields::MODEL, fields::K_LIST, PRESET].into_iter();
        first.chain(of_all(BEFORE_THE_MODEL)).chain(own).chain(of_all(AFTER_THE_MODEL)).collect()
    }

    /// The request of a new form for a model: K and shortest document are those of the chosen corpus.
    fn first_request(&self, model: Model) -> RunRequest {
        let plain = RunRequest { origin: model.into(), ..RunRequest::new("", 2) };
        let Some(corpus) = self.corpus() else { return plain };
        let mut settings = plain.settings;
        settings.min_tokens =
            self.min_tokens.get(&corpus.name).copied().unwrap_or(settings.min_tokens);
        RunRequest { k: usual_k(corpus, settings.terms), settings, ..plain }
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
        match self.field() {
            field if field == fields::MODEL => self.model().card().help,
            field if field == PRESET => {
                self.value(PRESET).parse::<Preset>().map_or(PRESET.help, Preset::help)
            }
            field => field.help,
        }
    }

    /// What stands in a field.
    pub fn value(&self, field: Definition) -> String {
        self.typed.get(field.name).cloned().unwrap_or_else(|| self.default_value(field))
    }

    pub fn default_value(&self, field: Definition) -> String {
        let request = self.first_request(self.model());
        if let Some((_, value)) = self.model().any().setting(field.name) {
            return value.to_string();
        }
        let settings = BEFORE_THE_MODEL.iter().chain(AFTER_THE_MODEL);
        let setting = settings.into_iter().find(|setting| setting.definition == field);
        match field {
            fields::MODEL => request.origin.name().into(),
            PRESET => Preset::Usual.name().into(),
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
            fields::MODEL => Some(names(in_groups().iter().map(|card| card.name).collect())),
            PRESET => Some(names(Preset::VARIANTS.iter().map(|preset| preset.name()).collect())),
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
        // Not by the value: that of a field that was not touched asks for the corpus.
        let name = self.typed.get(fields::CORPUS.name)?;
        self.corpora.iter().flatten().find(|corpus| corpus.name == *name)
    }

    /// Whether a preset was chosen.
    pub fn has_preset(&self) -> bool {
        self.typed.contains_key(PRESET.name)
    }

    /// Fills the fields with the settings of the chosen preset.
    pub fn take_preset(&mut self) {
        let Ok(preset) = self.value(PRESET).parse::<Preset>() else { return };
        let request = preset.of(self.first_request(self.model()));
        self.fill(&request);
        self.typed.insert(PRESET.name, preset.name().into());
    }

    /// Puts all settings of a request into the fields; corpus, model, K and seed stay.
    fn fill(&mut self, request: &RunRequest) {
        let keep =
            [fields::CORPUS.name, fields::MODEL.name, fields::K_LIST.name, fields::SEED.name];
        self.typed.retain(|name, _| keep.contains(name));
        let of_run = BEFORE_THE_MODEL.iter().chain(AFTER_THE_MODEL);
        let mut values: Vec<(Definition, String)> =
            of_run.map(|own| (own.definition, own.get(request).to_string())).collect();
        if let Origin::Model(model) = &request.origin {
            let own = model.any().settings();
            values.extend(own.into_iter().map(|(own, value)| (*own, value.to_string())));
        }
        values.retain(|(definition, _)| definition.name != fields::SEED.name);
        for (definition, value) in values {
            if value != self.default_value(definition) {
                self.typed.insert(definition.name, value);
            }
        }
    }

    /// Begins to fill the form: from this run, or anew where it was filled from one.
    pub fn begin(&mut self, again: Option<i64>) {
        self.again = again;
        if again.is_none() && self.filled.take().is_some() {
            self.typed.clear();
        }
    }

    /// Fills the form from a run that there is, to be changed; or says why it cannot.
    fn fill_again(&mut self) -> Option<String> {
        let id = self.again.take()?;
        let run = self.runs.iter().find(|run| run.id == id)?;
        let again = match Again::new(run) {
            Ok(again) => again,
            Err(error) => return Some(error),
        };
        let request = &again.request;
        self.typed.clear();
        self.typed.insert(fields::CORPUS.name, request.corpus.clone());
        self.typed.insert(fields::MODEL.name, request.origin.name().into());
        self.typed.insert(fields::K_LIST.name, request.k.to_string());
        self.fill(request);
        // Not as is usual, which may be something else by the time of the launch.
        for own in BEFORE_THE_MODEL.iter().chain(AFTER_THE_MODEL) {
            self.typed.insert(own.definition.name, own.get(request).to_string());
        }
        self.filled = Some(again);
        Some(format!("filled from run {id}: change what you want, Enter launches"))
    }

    /// The number of the run that the form was filled from.
    pub fn filled_from(&self) -> Option<i64> {
        self.filled.as_ref().map(|again| again.run)
    }

    /// Takes the corpora and runs; a corpus that is gone is no longer chosen.
    /// Something to say where the form is filled from a run now.
    pub fn receive(&mut self, corpora: Vec<Corpus>, runs: Vec<Run>) -> Option<String> {
        let first = corpora.first().map(|corpus| corpus.name.clone());
        self.corpora = Some(corpora);
        self.runs = runs;
        if self.corpus().is_none() {
            self.choose_corpus(first.unwrap_or_default());
        }
        self.fill_again()
    }

    /// The request the form stands for, with the largest K, checked for its corpus; or what is
    /// wrong with it.
    ///
    /// # Errors
    /// One line that names the field, its value and what it may be.
    pub fn request(&self) -> Result<RunRequest, String> {
        let request = self.asked()?;
        let Some(corpus) = self.corpus() else { return Err(no_corpus()) };
        request.check(corpus.terms, corpus).map_err(|error| in_form(&error.to_string()))?;
        if let Some(parts) = self.parts() {
            let pattern = match &request.settings.parts {
                Some(_) => "",
                None => ", PATTERN like 'part-{rank}.db'",
            };
            return Err(format!("{} is in {parts} parts: run it as below{pattern}", corpus.name));
        }
        let is_gone = |start: &i64| !self.runs.iter().any(|run| run.id == *start);
        match request.settings.start.filter(is_gone) {
            Some(start) => {
                Err(format!("run {start}, which it starts from, is deleted; n starts anew"))
            }
            None => Ok(request),
        }
    }

    /// The request the form stands for, with the largest K, in its ranges or not.
    pub fn asked(&self) -> Result<RunRequest, String> {
        let Some(corpus) = self.corpus() else { return Err(no_corpus()) };
        let (corpus, k) = (corpus.name.clone(), self.list()?.largest());
        let plain = self.first_request(self.given_model()?);
        let mut request = RunRequest { corpus, k, ..plain };
        for setting in BEFORE_THE_MODEL.iter().chain(AFTER_THE_MODEL) {
            let value = setting.definition.parse(&self.value(setting.definition));
            setting.set(&mut request, value.map_err(|error| in_form(&error.to_string()))?);
        }
        Ok(match &self.filled {
            Some(again) => again.request.again_with(request),
            None => request,
        })
    }

    /// The number of parts that its documents are in, where they are not in this store.
    pub fn parts(&self) -> Option<u64> {
        let own = self.asked().ok().and_then(|request| request.settings.parts);
        own.map(|parts| parts.count as u64).or(self.corpus()?.parts_elsewhere)
    }

    /// The numbers of topics that stand in the form: a run for each.
    ///
    /// # Errors
    /// One line that says how they are written.
    pub fn list(&self) -> Result<KList, String> {
        self.value(fields::K_LIST).parse().map_err(|error: WrongKList| format!("k: {error}"))
    }

    /// What the runs the form stands for will take: their number, the memory of the largest, the time of
    /// all. `None` while something is wrong.
    pub fn estimate(&self) -> Option<(usize, Estimate)> {
        let (request, corpora) = (self.request().ok()?, self.corpora.as_ref()?);
        let (corpus, list) = (self.corpus()?, self.list().ok()?);
        let of = |k: usize| {
            let request = RunRequest { k, ..request.clone() };
            estimate(&request, corpus, corpora, &self.runs)
        };
        let each: Vec<Estimate> = list.values().iter().map(|&k| of(k)).collect();
        let seconds = each.iter().map(|each| each.seconds).sum();
        Some((each.len(), Estimate { seconds, ..*each.last()? }))
    }

    /// The chosen model with the settings that stand in the form; what is erased is as usual.
    fn given_model(&self) -> Result<Model, String> {
        let mut model = self.model();
        let plain = model.clone();
        for (definition, _) in plain.any().settings() {
            let text = self.value(*definition);
            if !text.is_empty() {
                let set = |value| model.any_mut().set(definition.name, value);
                definition
                    .parse(&text)
                    .and_then(set)
                    .map_err(|error| in_form(&error.to_string()))?;
            }
        }
        Ok(model)
    }
}

fn no_corpus() -> String {
    "there is no corpus yet; make one with `topoi ingest CORPUS PATH`, or g n".into()
}

/// What is wrong, in the words of the form: it has fields, a shell has flags.
fn in_form(error: &str) -> String {
    let end = error.find("; change --").unwrap_or(error.len());
    error[..end].replace("--", "")
}

#[cfg(test)]
#[path = "test_form.rs"]
pub mod test_form;
