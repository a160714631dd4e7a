//! A setting of a run: how it is typed, stored, checked and described. The settings there are:
//! [`super::settings::RUN_SETTINGS`].

use std::path::Path;

use super::RunRequest;
use super::settings::RUN_SETTINGS;
use crate::shaping::seeds::Seeds;
use topoi_core::model::setting::{Definition, Kind, NO_OR_YES, SettingError, Value};
use topoi_store::Store;

/// A setting of a run. Flags, the launch form, "again", the run's description and the table of the documentation
/// are derived from it.
#[derive(Debug)]
pub struct RunSetting {
    /// Name, help, placeholder, kind and range, as a setting of a model has them.
    pub definition: Definition,
    /// The key of the saved JSON that has its value.
    pub key: &'static str,
    /// The commands that have its flag.
    pub commands: Commands,
    /// Its place in the launch form.
    pub place: Place,
    /// Whether runs that differ in it alone have different results.
    pub changes_result: bool,
    /// The default where that is not a value but a rule.
    default_rule: Option<&'static str>,
    /// Help of each name of a [`Kind::Choice`].
    pub choice_help: &'static [&'static str],
    access: Access,
    words: Option<fn(&RunRequest) -> Option<String>>,
    fit: fn(&mut RunRequest, &RunRequest),
}

/// The commands that have the flag of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Commands {
    /// All that make runs: `run`, `sweep`, `held-out`, `import`.
    All,
    /// These, `terms` and `bounds`.
    Vocabulary,
    /// `run`, `sweep`, `import`.
    Scoring,
    /// `run`.
    Run,
    /// Commands that work on a corpus in parts; the flag is theirs.
    Parts,
    /// None: the program sets it.
    None,
}

/// The place of a setting in the launch form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Before the settings of the model.
    BeforeModel,
    /// After them.
    AfterModel,
    /// After all others; presets leave it as it is.
    Last,
    /// No field: what has it is listed under Check.
    None,
}

/// How the value of a setting is read from a request and written to it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Access {
    /// A value of the definition's kind.
    Value { get: fn(&RunRequest) -> Value, set: fn(&mut RunRequest, Value) -> Result<(), String> },
    /// Any text, `form` says which; `None` unsets it.
    Text {
        form: &'static str,
        get: fn(&RunRequest) -> Content,
        set: fn(&mut RunRequest, Option<&str>) -> Result<(), String>,
    },
    /// The content of a file; `None` unsets it.
    File {
        get: fn(&RunRequest) -> Content,
        read: fn(&Path) -> Result<SettingFileContent, String>,
        set: fn(&mut RunRequest, Option<SettingFileContent>) -> Result<(), String>,
    },
}

/// What a request has of a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Nothing.
    Unset,
    /// What is typed for it.
    Typed(String),
    /// A description of what cannot be typed, such as the content of a file.
    Described(String),
}

/// The content of a file that a setting names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingFileContent {
    /// Terms, one a line.
    Terms(Vec<String>),
    /// A table of topics and words.
    Seeds(Seeds),
}

impl SettingFileContent {
    /// The same with its words as the corpus of `request` has them, where the run needs them so.
    ///
    /// # Errors
    /// One line about a word that the vocabulary lacks, or the store.
    pub fn resolved(self, store: &Store, request: &RunRequest) -> Result<Self, String> {
        let Self::Seeds(seeds) = self else { return Ok(self) };
        let corpus = store.corpus(&request.corpus).map_err(|error| error.to_string())?;
        let resolved = seeds.resolved(store, &corpus, &request.settings, request.k);
        resolved.map(Self::Seeds).map_err(|error| error.to_string())
    }
}

impl RunSetting {
    pub(super) const fn new(
        key: &'static str,
        definition: Definition,
        (commands, place): (Commands, Place),
        access: Access,
    ) -> Self {
        Self {
            definition,
            key,
            commands,
            place,
            changes_result: true,
            default_rule: None,
            choice_help: &[],
            access,
            words: None,
            fit: |_, _| {},
        }
    }

    /// Describes it by `words`, not by its name and value where that is not the default.
    pub(super) const fn described(self, words: fn(&RunRequest) -> Option<String>) -> Self {
        Self { words: Some(words), ..self }
    }

    /// A description of the run leaves it out.
    pub(super) const fn not_described(self) -> Self {
        self.described(|_| None)
    }

    /// The first request is the second on another corpus or of another model; `fit` drops what it cannot have.
    pub(super) const fn fitted(self, fit: fn(&mut RunRequest, &RunRequest)) -> Self {
        Self { fit, ..self }
    }

    /// Runs that differ in it alone have the same result.
    pub(super) const fn without_effect(self) -> Self {
        Self { changes_result: false, ..self }
    }

    /// By which rule its default is found.
    pub(super) const fn default_by(self, rule: &'static str) -> Self {
        Self { default_rule: Some(rule), ..self }
    }

    /// Help of each name that can be chosen.
    pub(super) const fn choices_mean(self, choice_help: &'static [&'static str]) -> Self {
        Self { choice_help, ..self }
    }

    /// The setting of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        RUN_SETTINGS.iter().find(|setting| setting.definition.name == name)
    }

    /// Its name, which is its flag without the dashes.
    pub fn name(&self) -> &'static str {
        self.definition.name
    }

    /// Whether a flag of `run` sets it.
    pub fn has_flag(&self) -> bool {
        self.commands != Commands::None
    }

    /// Whether its flag takes no value.
    pub fn is_flag(&self) -> bool {
        self.definition.kind == Kind::Flag
    }

    /// Whether its value is the path of a file.
    pub fn is_file(&self) -> bool {
        matches!(self.access, Access::File { .. })
    }

    /// Whether any character can be part of its value.
    pub fn is_text(&self) -> bool {
        !matches!(self.access, Access::Value { .. })
    }

    /// Help, with the rule of the default where there is one.
    pub fn help(&self) -> String {
        match self.default_rule {
            Some(rule) => format!("{} [default: {rule}]", self.definition.help),
            None => self.definition.help.into(),
        }
    }

    /// The default value; `None` where it is unset, off or found by a rule.
    pub fn default_value(&self) -> Option<String> {
        let is_value = self.default_rule.is_none() && !self.is_flag();
        match self.content(&RunRequest::new("", 2)) {
            Content::Typed(value) if is_value => Some(value),
            _ => None,
        }
    }

    /// What `request` has of it.
    pub fn content(&self, request: &RunRequest) -> Content {
        match self.access {
            Access::Value { get, .. } => match get(request) {
                Value::Auto if self.definition.auto == Some(UNSET) => Content::Unset,
                value => Content::Typed(value.to_string()),
            },
            Access::Text { get, .. } | Access::File { get, .. } => get(request),
        }
    }

    /// Sets it to what was typed, in range or not; `None` unsets it.
    ///
    /// # Errors
    /// One line, where the text is no value of it. A file is read.
    pub fn set(&self, request: &mut RunRequest, typed: Option<&str>) -> Result<(), String> {
        match self.access {
            Access::Value { set, .. } => {
                let value = self.definition.parse(typed.unwrap_or_default());
                set(request, value.map_err(|error| error.to_string())?)
            }
            Access::Text { set, .. } => set(request, typed),
            Access::File { read, set, .. } => {
                let content = typed.map(|path| read(Path::new(path))).transpose()?;
                set(request, content)
            }
        }
    }

    /// Reads the file at `path`; `None` for a setting that is no file.
    pub fn read(&self, path: &str) -> Option<Result<SettingFileContent, String>> {
        let Access::File { read, .. } = self.access else { return None };
        Some(read(Path::new(path)))
    }

    /// Sets it to the content of a file that was read.
    ///
    /// # Errors
    /// One line, where it does not go with the other settings.
    pub fn set_file(
        &self,
        request: &mut RunRequest,
        content: SettingFileContent,
    ) -> Result<(), String> {
        match self.access {
            Access::File { set, .. } => set(request, Some(content)),
            Access::Value { .. } | Access::Text { .. } => Ok(()),
        }
    }

    /// Refuses a value that is no text of it, before there is a request. A file is not read.
    ///
    /// # Errors
    /// One line.
    pub fn check_text(&self, typed: &str) -> Result<(), String> {
        match self.is_file() {
            true => Ok(()),
            false => self.set(&mut RunRequest::new("", 2), Some(typed)),
        }
    }

    /// Refuses a value out of its range.
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`].
    pub fn check(&self, request: &RunRequest) -> Result<(), SettingError> {
        match self.access {
            Access::Value { get, .. } => self.definition.check(get(request)),
            Access::Text { .. } | Access::File { .. } => Ok(()),
        }
    }

    /// Gives it the value that it has in `other`, where it is no file or text.
    pub(super) fn copy(&self, request: &mut RunRequest, other: &RunRequest) {
        if let Access::Value { get, set } = self.access {
            // A value that a request has can be set.
            let _ = set(request, get(other));
        }
    }

    /// What a description of the run says of it; `None` where that is nothing.
    pub fn in_words(&self, request: &RunRequest) -> Option<String> {
        if let Some(words) = self.words {
            return words(request);
        }
        let content = self.content(request);
        if content == self.content(&RunRequest::new("", 2)) {
            return None;
        }
        let name = self.name();
        match content {
            Content::Typed(value) if value == NO_OR_YES[1] => Some(name.replace('-', " ")),
            Content::Typed(value) => Some(format!("{name} {value}")),
            Content::Described(words) => Some(words),
            Content::Unset => Some(format!("no {name}")),
        }
    }

    /// Its range in words.
    pub fn range(&self) -> String {
        match (self.access, self.definition.kind) {
            (Access::Text { form, .. }, _) => form.into(),
            (Access::File { .. }, _) => "a file".into(),
            (_, Kind::Choice(names)) => format!("`{}`", names.join("`, `")),
            (_, Kind::Flag) => String::new(),
            _ => self.definition.range(),
        }
    }

    pub(super) fn fit(&self, request: &mut RunRequest, before: &RunRequest) {
        (self.fit)(request, before);
    }
}

/// The `auto` of a setting that is unset by default.
pub(super) const UNSET: &str = "none";

/// The settings of runs that have a flag, as a table in Markdown.
pub fn run_settings_table() -> String {
    let mut table =
        "| setting | default | range | what it does |\n| --- | --- | --- | --- |\n".to_string();
    for setting in RUN_SETTINGS.iter().filter(|setting| setting.has_flag()) {
        let rule = setting.default_rule.map(String::from);
        let default = rule
            .or_else(|| setting.default_value())
            .unwrap_or_else(|| if setting.is_flag() { "off".into() } else { UNSET.into() });
        let (name, range, help) = (setting.name(), setting.range(), setting.definition.help);
        table += &format!("| `--{name}` | {default} | {range} | {help} |\n");
    }
    table
}
