//! A run that is made again: what its form begins with, and what it has no field for.

use topoi_core::shell_word::shell_word;
use topoi_run::request::imported::{Import, ImportFormat};
use topoi_run::request::setting::Content;
use topoi_run::request::settings::RUN_SETTINGS;
use topoi_run::request::{Origin, RunRequest};
use topoi_store::id::RunId;
use topoi_store::run::Run;

/// A run that a form was filled from.
#[derive(Debug, Clone, PartialEq)]
pub struct FilledFrom {
    /// Its number.
    pub run: RunId,
    /// As it was saved.
    pub request: RunRequest,
}

impl FilledFrom {
    /// # Errors
    /// Why a form cannot make the run again, and what can.
    pub fn new(run: &Run) -> Result<Self, String> {
        let id = run.id;
        let request = RunRequest::from_run(run).map_err(|error| error.to_string())?;
        match &request.origin {
            Origin::Model(_) => Ok(Self { run: id, request }),
            Origin::Import(import) => Err(format!(
                "the topics of run {id} were imported: `topoi import {} --corpus {} --from {}{}` reads \
                 them again",
                shell_word(&import.path.to_string_lossy()),
                shell_word(&run.corpus),
                import.format.name(),
                more_options(import, request.k)
            )),
            Origin::Shaped(shaping) => Err(format!(
                "run {id} was shaped by hand from run {of}: A on its topics continues, n on run {of} \
                 makes that one again",
                of = shaping.parent
            )),
        }
    }

    /// What a changed request no longer has of the run: its corpus or its model cannot have it.
    pub fn left_out(&self, changed: &RunRequest) -> Vec<String> {
        let moved =
            |to: &RunRequest| self.request.moved_to(&to.corpus, to.origin.clone(), changed.k);
        let (whole, rest) = (moved(&self.request), moved(changed));
        let mut left: Vec<String> = Vec::new();
        for setting in RUN_SETTINGS {
            let content = setting.content(&whole);
            if content == Content::Unset || setting.content(&rest) != Content::Unset {
                continue;
            }
            let words = setting.in_words(&whole).unwrap_or_else(|| match content {
                Content::Typed(value) => format!("{} {value}", setting.name()),
                Content::Described(words) => words,
                Content::Unset => String::new(),
            });
            if !left.contains(&words) {
                left.push(words);
            }
        }
        left
    }
}

/// The options that the file is not read without: the list beside it, and of vectors how many clusters they make.
fn more_options(import: &Import, k: usize) -> String {
    let is_of_vectors = import.format == ImportFormat::Embeddings;
    let option = if is_of_vectors { "--keys" } else { "--vocab" };
    let list = import
        .vocab
        .as_ref()
        .map_or(String::new(), |list| format!(" {option} {}", shell_word(&list.to_string_lossy())));
    if is_of_vectors { format!("{list} -k {k}") } else { list }
}
