//! Flags that choose terms, for `run`, `terms` and `bounds`.

use super::run_arguments::{OfVocabulary, SettingArgs};
use topoi_run::request::RunRequest;
use topoi_run::vocabulary::choice::VocabularyChoice;

/// The flags of the settings that choose terms.
pub type VocabularyArgs = SettingArgs<OfVocabulary>;

impl VocabularyArgs {
    /// What the flags ask for with the `terms` best; `None` when there is no flag.
    ///
    /// # Errors
    /// When a list cannot be read.
    pub fn choice(&self, terms: Option<usize>) -> anyhow::Result<Option<VocabularyChoice>> {
        let mut choice = self.applied_to(RunRequest::new("", 2))?.settings.vocabulary;
        if let Some(VocabularyChoice::Rules(rules)) = &mut choice {
            rules.terms = terms;
        }
        Ok(choice)
    }
}
