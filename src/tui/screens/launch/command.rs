//! The command that does what the form does, and the settings that no field shows.

use super::form::{LaunchState, PRESET};
use topoi_core::model::setting::{Definition, Kind};
use topoi_core::shell_word::line_of;
use topoi_run::request::fields;
use topoi_run::request::setting::{Commands, Content, Place, RunSetting};
use topoi_run::request::settings::{RUN_SETTINGS, SEED, TERMS};
use topoi_store::command::CommandWords;

/// Stands in a command for a file whose path is not known.
const FILE: &str = "FILE";

impl LaunchState {
    /// What the run has that no field shows, and what it no longer has of the run that the form was
    /// filled from, in words.
    pub fn carried_in_words(&self) -> Option<String> {
        let again = self.filled.as_ref()?;
        let request = self.asked().unwrap_or_else(|_| again.request.clone());
        let without_field = RUN_SETTINGS.iter().filter(|setting| setting.place == Place::None);
        let carried = without_field.filter_map(|setting| setting.in_words(&request));
        let left = again.left_out(&request).into_iter().map(|words| format!("not {words}"));
        let words: Vec<String> = carried.chain(left).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// What the run has of each setting that is carried from the run that the form was filled from.
    fn carried(&self) -> Vec<(&'static RunSetting, Content)> {
        if self.filled.is_none() {
            return Vec::new();
        }
        let request = self.draft();
        let content = |setting: &'static RunSetting| (setting, setting.content(&request));
        RUN_SETTINGS.iter().map(content).collect()
    }

    /// The command line that does the same, of a program that is called so; defaults of rare settings are left
    /// out.
    pub fn command(&self, program: &str) -> String {
        let command = format!("{program} {}", line_of(&self.command_words()));
        match self.parts() {
            Some(parts) => format!("mpirun -n {parts} {command}"),
            None => command,
        }
    }

    /// The command, if it says all of it.
    pub fn whole_command(&self) -> Option<CommandWords> {
        (self.parts().is_none() && self.beside_command().is_none()).then(|| self.command_words())
    }

    /// The words of [`Self::command`] after the program's name.
    pub fn command_words(&self) -> CommandWords {
        let verb =
            if self.list().is_ok_and(|list| list.values().len() > 1) { "sweep" } else { "run" };
        let corpus = self.value(fields::CORPUS);
        let corpus = if corpus.is_empty() { "CORPUS".into() } else { corpus };
        let carried = self.carried();
        let mut words = vec![verb.to_string(), corpus];
        let has_pattern = |(setting, content): &(&RunSetting, Content)| {
            setting.commands == Commands::Parts && *content != Content::Unset
        };
        if self.parts().is_some() && !carried.iter().any(has_pattern) {
            words.extend(["--parts", "PATTERN"].map(String::from));
        }
        let has_flag = |field: &Definition| ![fields::CORPUS, PRESET].contains(field);
        for field in self.fields().into_iter().filter(has_flag) {
            let is_always_shown = [fields::MODEL, fields::K_LIST, TERMS, SEED].contains(&field);
            let value = self.value(field);
            if value.is_empty() || !(is_always_shown || value != self.default_value(field)) {
                continue;
            }
            let carried = carried.iter().find(|(setting, _)| setting.definition == field);
            let value = match carried {
                // No flag sets the terms of an earlier run.
                Some((setting, Content::Described(_))) if !setting.is_file() => continue,
                Some((_, Content::Described(words))) if value == format!("({words})") => {
                    FILE.into()
                }
                _ => value,
            };
            let dashes = if field.name.len() == 1 { "-" } else { "--" };
            words.push(format!("{dashes}{}", field.name));
            words.extend((field.kind != Kind::Flag).then_some(value));
        }
        for (setting, content) in carried.iter().filter(|(own, _)| own.place == Place::None) {
            if let (true, Content::Typed(value)) = (setting.has_flag(), content) {
                words.extend([format!("--{}", setting.name()), value.clone()]);
            }
        }
        words
    }

    /// What the command does not say: the files it names, and the settings that no flag has.
    pub fn beside_command(&self) -> Option<String> {
        let run = self.filled_from()?;
        let request = self.draft();
        let (mut files, mut without): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for (setting, content) in self.carried() {
            match content {
                Content::Described(words) if !setting.is_file() => without.push(words),
                Content::Described(words)
                    if self.value(setting.definition) == format!("({words})") =>
                {
                    files.push(format!("{}: {words}", setting.name()));
                }
                Content::Typed(_) if !setting.has_flag() => {
                    without.extend(setting.in_words(&request));
                }
                _ => {}
            }
        }
        let files = (!files.is_empty())
            .then(|| format!("FILE is the list that run {run} was given: {}", files.join(", ")));
        without.dedup();
        let without =
            (!without.is_empty()).then(|| format!("no flag sets this: {}", without.join(", ")));
        let said: Vec<String> = files.into_iter().chain(without).collect();
        (!said.is_empty()).then(|| said.join("; "))
    }
}
