//! The state of the launch form.

use std::collections::BTreeMap;

use strum::VariantArray;

use super::again::FilledFrom;
use super::models::in_groups;
use crate::cli::remedy::explained;
use crate::tui::input::Input;
use topoi_core::model::Model;
use topoi_core::model::setting::Definition;
use topoi_run::choose_k::sweep::{InvalidKList, KList};
use topoi_run::request::earlier_runs::{Estimate, estimate};
use topoi_run::request::presets::Preset;
use topoi_run::request::setting::{Content, Place, RunSetting, SettingFileContent};
use topoi_run::request::settings::{RUN_SETTINGS, SEED, SEEDS, VOCABULARY};
use topoi_run::request::usual::usual_k;
use topoi_run::request::{Origin, RunRequest, fields};
use topoi_store::corpus::Corpus;
use topoi_store::id::RunId;
use topoi_store::run::Run;

/// The longest number in a field: a seed has at most 20 digits.
const LONGEST_NUMBER: usize = 20;
/// The longest path or expression.
const LONGEST_TEXT: usize = 4096;

/// What the launch form shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LaunchState {
    /// All corpora; `None` before the first answer.
    pub corpora: Option<Vec<Corpus>>,
    /// The default of `min-tokens`, by the name of the corpus.
    pub min_tokens: BTreeMap<String, u64>,
    /// The names of the saved vocabularies, by the name of the corpus.
    pub vocabularies: BTreeMap<String, Vec<String>>,
    /// All runs, to tell a repetition.
    pub runs: Vec<Run>,
    /// The files that were read, with their content or why they have none.
    pub files: Vec<(NamedFile, Result<SettingFileContent, String>)>,
    /// What was typed or chosen, by the name of the field; the others have the value of the run that
    /// the form was filled from, or their default, which may be another model's by now.
    typed: BTreeMap<&'static str, Input>,
    /// The field the keys go to.
    pub focus: usize,
    /// The run has been sent off; no second one until the answer is there.
    pub sending: bool,
    /// The run that the form is to be filled from, once the runs are known.
    pub again: Option<RunId>,
    /// The run that it was filled from.
    pub filled: Option<FilledFrom>,
}

/// A file that is named in the form.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedFile {
    /// The setting.
    pub setting: &'static str,
    pub path: String,
    /// The run whose vocabulary has its words, where the run needs them as the corpus has them.
    pub words_of: Option<Box<RunRequest>>,
}

/// Settings that go together; their values are in the other fields, and no flag of a command sets them.
pub const PRESET: Definition = Definition {
    name: "preset",
    help: "settings that go together; what you change afterwards counts",
    placeholder: "",
    kind: topoi_core::model::setting::Kind::Other,
    auto: None,
};

/// The settings of a run that have a field at this place.
fn settings_at(place: Place) -> impl Iterator<Item = &'static RunSetting> {
    RUN_SETTINGS.iter().filter(move |setting| setting.place == place)
}

/// What is typed in a field for this.
fn as_text(content: Content) -> String {
    match content {
        Content::Unset => String::new(),
        Content::Typed(text) => text,
        Content::Described(words) => format!("({words})"),
    }
}

impl LaunchState {
    /// The fields that the chosen model knows.
    pub fn fields(&self) -> Vec<Definition> {
        let at = |place| settings_at(place).map(|setting| setting.definition);
        let model = self.model();
        let own = model.any().settings().into_iter().map(|(definition, _)| *definition);
        let first = [fields::CORPUS, fields::MODEL, fields::K_LIST, PRESET].into_iter();
        let of_run = first.chain(at(Place::BeforeModel));
        of_run.chain(own).chain(at(Place::AfterModel)).chain(at(Place::Last)).collect()
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

    /// The request that the fields change: of the run that the form was filled from, or of a new form.
    fn unchanged_request(&self, corpus: &str, model: Model, k: usize) -> RunRequest {
        match &self.filled {
            Some(again) => again.request.moved_to(corpus, model.into(), k),
            None => RunRequest { corpus: corpus.into(), k, ..self.first_request(model) },
        }
    }

    /// The request with what was typed for its settings, but for what is wrong, and what is wrong first.
    fn changed(&self, mut request: RunRequest) -> (RunRequest, Option<String>) {
        let mut wrong = None;
        for setting in RUN_SETTINGS.iter().filter(|setting| setting.place != Place::None) {
            if let Err(error) = self.change(setting, &mut request) {
                wrong.get_or_insert(in_form(&error));
            }
        }
        (request, wrong)
    }

    fn change(&self, setting: &RunSetting, request: &mut RunRequest) -> Result<(), String> {
        let Some(text) = self.typed(setting.name()) else { return Ok(()) };
        if text == as_text(setting.content(request)) {
            return Ok(());
        }
        let named = |error: String| match error.starts_with(setting.name()) {
            true => error,
            false => format!("{}: {error}", setting.name()),
        };
        match self.named_file(setting, request) {
            Some(file) => {
                let read = self.files.iter().find(|(own, _)| *own == file);
                let Some((_, content)) = read else {
                    return Err(named(format!("{text} is being read")));
                };
                setting.set_file(request, content.clone().map_err(named)?).map_err(named)
            }
            None => {
                let text = Some(text).filter(|text| !text.is_empty());
                setting.set(request, text).map_err(named)
            }
        }
    }

    /// The file that is typed for a setting.
    fn named_file(&self, setting: &RunSetting, request: &RunRequest) -> Option<NamedFile> {
        let path = self.typed(setting.name())?;
        if !setting.is_file() || path.is_empty() {
            return None;
        }
        let words_of = (setting.name() == SEEDS.name).then(|| {
            let mut words_of = RunRequest::new(&request.corpus, request.k);
            words_of.settings.terms = request.settings.terms;
            words_of.settings.vocabulary.clone_from(&request.settings.vocabulary);
            Box::new(words_of)
        });
        Some(NamedFile { setting: setting.name(), path: path.into(), words_of })
    }

    /// The files that are named in the form.
    pub fn named_files(&self) -> Vec<NamedFile> {
        let request = self.draft();
        RUN_SETTINGS.iter().filter_map(|setting| self.named_file(setting, &request)).collect()
    }

    /// The request without what is wrong in the form.
    pub(super) fn draft(&self) -> RunRequest {
        let corpus = self.corpus().map(|corpus| corpus.name.clone()).unwrap_or_default();
        let model = self.given_model().unwrap_or_else(|_| self.model());
        let typed = self.typed(fields::K_LIST.name).and_then(|text| text.parse().ok());
        let k =
            typed.map_or_else(|| self.first_request(self.model()).k, |list: KList| list.largest());
        self.changed(self.unchanged_request(&corpus, model, k)).0
    }

    /// The chosen model with its default settings.
    fn model(&self) -> Model {
        let name = self.typed(fields::MODEL.name);
        name.and_then(|name| Model::from_name(name).ok()).unwrap_or_default()
    }

    /// The field the keys go to.
    pub fn field(&self) -> Definition {
        let fields = self.fields();
        fields[self.focus.min(fields.len() - 1)]
    }

    /// What was typed or chosen in the field of this name.
    fn typed(&self, name: &str) -> Option<&str> {
        self.typed.get(name).map(Input::as_str)
    }

    /// Puts a text into the field of this name.
    fn set(&mut self, name: &'static str, text: &str) {
        let is_text = RunSetting::named(name).is_some_and(RunSetting::is_text);
        let longest = if is_text { LONGEST_TEXT } else { LONGEST_NUMBER };
        self.typed.insert(name, Input::new(longest).with_text(text));
    }

    /// The line of the field with the focus, to be changed. A file is named anew: its content is no path.
    pub fn focused_input(&mut self) -> &mut Input {
        let field = self.field();
        if !self.typed.contains_key(field.name) {
            let value = if self.is_file() { String::new() } else { self.value(field) };
            self.set(field.name, &value);
        }
        self.typed.entry(field.name).or_default()
    }

    /// The line of the field with the focus as it is shown: before it is changed it has the value of the field.
    pub fn shown_input(&self) -> Input {
        let field = self.field();
        let untouched = || Input::default().with_text(&self.value(field));
        self.typed.get(field.name).cloned().unwrap_or_else(untouched)
    }

    /// Chooses the corpus of this name.
    pub fn choose_corpus(&mut self, name: String) {
        self.set(fields::CORPUS.name, &name);
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

    /// The value of a field.
    pub fn value(&self, field: Definition) -> String {
        if let Some(typed) = self.typed(field.name) {
            return typed.into();
        }
        match RunSetting::named(field.name) {
            Some(setting) => as_text(setting.content(&self.draft())),
            None => self.default_value(field),
        }
    }

    /// The value of a field of a new form.
    pub fn default_value(&self, field: Definition) -> String {
        let request = self.first_request(self.model());
        if let Some((_, value)) = self.model().any().setting(field.name) {
            return value.to_string();
        }
        match field {
            fields::MODEL => request.origin.name().into(),
            PRESET => Preset::Usual.name().into(),
            fields::K_LIST => request.k.to_string(),
            _ => {
                let setting = RunSetting::named(field.name);
                setting.map(|own| as_text(own.content(&request))).unwrap_or_default()
            }
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
            VOCABULARY => Some(self.vocabulary_choices()),
            _ => field.choices().map(names),
        }
    }

    /// None, that of the run that the form was filled from, and the saved ones of the corpus.
    fn vocabulary_choices(&self) -> Vec<String> {
        let saved = self.corpus().and_then(|corpus| self.vocabularies.get(&corpus.name));
        let of_run = self.filled.as_ref().map(|again| {
            let setting = RunSetting::named(VOCABULARY.name);
            let corpus = self.corpus().map(|corpus| corpus.name.as_str()).unwrap_or_default();
            let own = again.request.moved_to(corpus, self.model().into(), again.request.k);
            setting.map(|setting| as_text(setting.content(&own))).unwrap_or_default()
        });
        let mut choices = vec![String::new()];
        for choice in of_run.iter().chain(saved.into_iter().flatten()) {
            if !choices.contains(choice) {
                choices.push(choice.clone());
            }
        }
        choices
    }

    /// Whether a character may be typed into the field with the focus.
    pub fn accepts(&self, c: char) -> bool {
        match self.field() {
            fields::K_LIST => c.is_ascii_digit() || matches!(c, '.' | ',' | ':'),
            field if self.choices(field).is_some() => false,
            field => self.is_text() || field.accepts(c),
        }
    }

    /// Whether the field with the focus is for the path of a file.
    pub fn is_file(&self) -> bool {
        RunSetting::named(self.field().name).is_some_and(RunSetting::is_file)
    }

    /// Whether any text may be typed into the field with the focus.
    pub fn is_text(&self) -> bool {
        RunSetting::named(self.field().name).is_some_and(RunSetting::is_text)
    }

    /// The corpus that is chosen.
    pub fn corpus(&self) -> Option<&Corpus> {
        // Not by the value: that of a field that was not touched asks for the corpus.
        let name = self.typed(fields::CORPUS.name)?;
        self.corpora.iter().flatten().find(|corpus| corpus.name == name)
    }

    /// Whether a preset was chosen.
    pub fn has_preset(&self) -> bool {
        self.typed.contains_key(PRESET.name)
    }

    /// Fills the fields with the settings of the chosen preset; corpus, model, K, seed and the last fields stay.
    pub fn take_preset(&mut self) {
        let Ok(preset) = self.value(PRESET).parse::<Preset>() else { return };
        let request = preset.apply_to(self.first_request(self.model()));
        let of_preset = |setting: &&RunSetting| {
            ![Place::Last, Place::None].contains(&setting.place) && setting.definition != SEED
        };
        for setting in RUN_SETTINGS.iter().filter(of_preset) {
            self.set(setting.name(), &as_text(setting.content(&request)));
        }
        self.fill_model(&request);
        self.set(PRESET.name, preset.name());
    }

    /// Puts the settings of the model of a request into their fields.
    fn fill_model(&mut self, request: &RunRequest) {
        let Origin::Model(model) = &request.origin else { return };
        for (definition, value) in model.any().settings() {
            self.typed.remove(definition.name);
            if value.to_string() != self.default_value(*definition) {
                self.set(definition.name, &value.to_string());
            }
        }
    }

    /// Begins to fill the form: from this run, or anew where it was filled from one.
    pub fn begin(&mut self, again: Option<RunId>) {
        self.again = again;
        if again.is_none() && self.filled.take().is_some() {
            self.typed.clear();
        }
    }

    /// Fills the form from a run that there is, to be changed; or says why it cannot.
    fn fill_again(&mut self) -> Option<String> {
        let id = self.again.take()?;
        let run = self.runs.iter().find(|run| run.id == id)?;
        let again = match FilledFrom::new(run) {
            Ok(again) => again,
            Err(error) => return Some(error),
        };
        let request = again.request.clone();
        self.typed.clear();
        self.set(fields::CORPUS.name, &request.corpus);
        self.set(fields::MODEL.name, request.origin.name());
        self.set(fields::K_LIST.name, &request.k.to_string());
        self.fill_model(&request);
        self.filled = Some(again);
        Some(format!("filled from run {id}: change what you want, Enter launches"))
    }

    /// The number of the run that the form was filled from.
    pub fn filled_from(&self) -> Option<RunId> {
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

    /// The request of the form, with the largest K, checked for its corpus; or what is
    /// wrong with it.
    ///
    /// # Errors
    /// One line that names the field, its value and what it may be.
    pub fn request(&self) -> Result<RunRequest, String> {
        let request = self.asked()?;
        let Some(corpus) = self.corpus() else { return Err(no_corpus()) };
        request.check(corpus.terms, corpus).map_err(|error| in_form(&explained(&error)))?;
        if let Some(parts) = self.parts() {
            let pattern = match &request.settings.parts {
                Some(_) => "",
                None => ", PATTERN like 'part-{rank}.db'",
            };
            return Err(format!("{} is in {parts} parts: run it as below{pattern}", corpus.name));
        }
        let is_gone = |start: &RunId| !self.runs.iter().any(|run| run.id == *start);
        match request.settings.start.filter(is_gone) {
            Some(start) => {
                Err(format!("run {start}, which it starts from, is deleted; n starts anew"))
            }
            None => Ok(request),
        }
    }

    /// The request of the form, with the largest K, in its ranges or not.
    pub fn asked(&self) -> Result<RunRequest, String> {
        let Some(corpus) = self.corpus() else { return Err(no_corpus()) };
        let k = self.list()?.largest();
        match self.changed(self.unchanged_request(&corpus.name, self.given_model()?, k)) {
            (_, Some(wrong)) => Err(wrong),
            (request, None) => Ok(request),
        }
    }

    /// The number of parts that its documents are in, where they are not in this store.
    pub fn parts(&self) -> Option<u64> {
        let own = self.asked().ok().and_then(|request| request.settings.parts);
        own.map(|parts| parts.count as u64).or(self.corpus()?.parts_elsewhere)
    }

    /// The numbers of topics in the form: a run for each.
    ///
    /// # Errors
    /// One line that says how they are written.
    pub fn list(&self) -> Result<KList, String> {
        self.value(fields::K_LIST).parse().map_err(|error: InvalidKList| format!("k: {error}"))
    }

    /// Number of the runs, memory of the largest and time of all; `None` while something is wrong.
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

    /// The chosen model with the settings of the form; one that is erased has its default.
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
                    .map_err(|error| in_form(&explained(&error)))?;
            }
        }
        Ok(model)
    }
}

fn no_corpus() -> String {
    "there is no corpus yet; make one with `topoi ingest CORPUS PATH`, or g n".into()
}

/// An error without the flags of the command line: the form has fields.
fn in_form(error: &str) -> String {
    error.replace("--", "")
}

#[cfg(test)]
#[path = "test_form.rs"]
pub mod test_form;
