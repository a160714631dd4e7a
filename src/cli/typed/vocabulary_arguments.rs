//! Flags that choose terms, for `run`, `terms` and `bounds`.

use super::run_arguments::{SettingArgs, VocabularyGroup};
use topoi_run::request::RunRequest;
use topoi_run::vocabulary::choice::VocabularyChoice;

/// The flags of the settings that choose terms.
pub type VocabularyArgs = SettingArgs<VocabularyGroup>;

impl VocabularyArgs {
    /// The vocabulary of the flags, with the best `terms`; `None` without flags.
    pub fn choice(&self, terms: Option<usize>) -> anyhow::Result<Option<VocabularyChoice>> {
        let mut choice = self.applied_to(RunRequest::new("", 2))?.settings.vocabulary;
        if let Some(VocabularyChoice::Rules(rules)) = &mut choice {
            rules.terms = terms;
        }
        Ok(choice)
    }
}
