//! What a form stands for: as a command, and in words where no field shows it.

use super::form::{LaunchState, PRESET};
use crate::records::run_settings::{self, Carried, carried};
use topoi_core::model::setting::{Definition, Kind};
use topoi_core::shell_word::shell_word;
use topoi_run::request::fields;

impl LaunchState {
    /// What the run has that no field shows, and what it no longer has of the run that the form was
    /// filled from, in words.
    pub fn carried_in_words(&self) -> Option<String> {
        let again = self.filled.as_ref()?;
        let request = self.asked().unwrap_or_else(|_| again.request.clone());
        let carried = carried(&request).into_iter().map(|own| own.words);
        let left = again.left_out(&request).into_iter().map(|words| format!("not {words}"));
        let words: Vec<String> = carried.chain(left).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// What the run has that no field shows.
    fn carried(&self) -> Vec<Carried> {
        if self.filled.is_none() {
            return Vec::new();
        }
        self.asked().map(|request| carried(&request)).unwrap_or_default()
    }

    /// The command line that does the same, of a program that is called so; defaults of rare settings are left
    /// out.
    pub fn command(&self, program: &str) -> String {
        let verb =
            if self.list().is_ok_and(|list| list.values().len() > 1) { "sweep" } else { "run" };
        let corpus = self.value(fields::CORPUS);
        let corpus = if corpus.is_empty() { "CORPUS".into() } else { shell_word(&corpus) };
        let carried = self.carried();
        let mut command = format!("{program} {verb} {corpus}");
        if let Some(parts) = self.parts() {
            command = format!("mpirun -n {parts} {command}");
            let has_pattern = carried.iter().flat_map(|own| &own.flags).flatten();
            if !has_pattern.into_iter().any(|flag| flag == "--parts") {
                command.push_str(" --parts PATTERN");
            }
        }
        let has_flag = |field: &Definition| ![fields::CORPUS, PRESET].contains(field);
        for field in self.fields().into_iter().filter(has_flag) {
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
        for flag in carried.iter().flat_map(|own| &own.flags).flatten() {
            command.push_str(&format!(" {}", shell_word(flag)));
        }
        command
    }

    /// What the command does not say: the files it names, and the settings that no flag has.
    pub fn beside_command(&self) -> Option<String> {
        let run = self.filled_from()?;
        let carried = self.carried();
        let names_file =
            |own: &&Carried| own.flags.iter().flatten().any(|flag| flag == run_settings::FILE);
        let files: Vec<&str> =
            carried.iter().filter(names_file).map(|own| own.words.as_str()).collect();
        let without: Vec<&str> = carried
            .iter()
            .filter(|own| own.flags.is_none())
            .map(|own| own.words.as_str())
            .collect();
        let files = (!files.is_empty())
            .then(|| format!("FILE is the list that run {run} was given: {}", files.join(", ")));
        let without =
            (!without.is_empty()).then(|| format!("no flag sets this: {}", without.join(", ")));
        let said: Vec<String> = files.into_iter().chain(without).collect();
        (!said.is_empty()).then(|| said.join("; "))
    }
}
