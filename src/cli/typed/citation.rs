//! The form of citations: an option of commands, or the one of the configuration.

use topoi_run::notes::citation::CitationForm;

use crate::tui::config;

#[derive(Debug, Clone, clap::Args)]
pub struct CitationArgs {
    /// How sources are cited, such as '[{author}: ]{title}[, {date}], {key}'; what is in brackets is left out where a
    /// field is missing [default: as the configuration says]
    #[arg(long, value_name = "FORM")]
    citation: Option<CitationForm>,
}

impl CitationArgs {
    /// The form that was given, else that of the configuration.
    pub fn form(&self) -> CitationForm {
        self.citation.clone().unwrap_or_else(|| config::load().0.citation)
    }
}
