//! Flags that choose terms, for `run` and `terms`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use topoi_ingest::lines_of;
use topoi_run::vocabulary::choice::VocabularyChoice;
use topoi_run::vocabulary::rules::{Amount, Ranking, Rules};

const HEADING: &str = "Vocabulary";
#[derive(Debug, Default, Args)]
pub struct VocabularyArgs {
    /// The terms saved under this name (`topoi terms CORPUS --save NAME`)
    #[arg(long, value_name = "NAME", help_heading = HEADING, conflicts_with_all =
        ["min_documents", "max_documents", "min_count", "matching", "stop_list", "keep_list", "by"])]
    pub vocabulary: Option<String>,
    /// Drop terms in fewer documents: a count (5) or a share (0.01, 1%)
    #[arg(long, value_name = "N", help_heading = HEADING)]
    pub min_documents: Option<Amount>,
    /// Drop terms in more documents: a count (5000) or a share (0.5, 50%)
    #[arg(long, value_name = "N", help_heading = HEADING)]
    pub max_documents: Option<Amount>,
    /// Drop terms of fewer tokens
    #[arg(long, value_name = "N", help_heading = HEADING)]
    pub min_count: Option<u64>,
    /// Drop terms that this regular expression does not match as a whole
    #[arg(long, value_name = "REGEX", help_heading = HEADING)]
    pub matching: Option<String>,
    /// Drop the terms in this file, one a line
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    pub stop_list: Option<PathBuf>,
    /// Keep the terms in this file, one a line, whatever the other rules say
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    pub keep_list: Option<PathBuf>,
    /// What the best terms are the best by
    #[arg(long, value_enum, help_heading = HEADING)]
    pub by: Option<RankingArg>,
}

/// [`Ranking`] as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RankingArg {
    /// tf·log⌊M/df⌋
    TfIdf,
    /// Number of tokens
    Count,
}

impl VocabularyArgs {
    /// What the flags ask for with the `terms` best; `None` when there is no flag.
    ///
    /// # Errors
    /// When a list cannot be read.
    pub fn choice(&self, terms: Option<usize>) -> anyhow::Result<Option<VocabularyChoice>> {
        if let Some(name) = &self.vocabulary {
            return Ok(Some(VocabularyChoice::Saved(name.clone())));
        }
        let by = match self.by {
            Some(RankingArg::Count) => Ranking::Count,
            Some(RankingArg::TfIdf) | None => Ranking::TfIdf,
        };
        let rules = Rules {
            min_documents: self.min_documents,
            max_documents: self.max_documents,
            min_count: self.min_count,
            matching: self.matching.clone(),
            drop: list(self.stop_list.as_deref())?,
            keep: list(self.keep_list.as_deref())?,
            terms: None,
            by,
        };
        let is_chosen = rules != Rules::default() || self.by.is_some();
        Ok(is_chosen.then_some(VocabularyChoice::Rules(Rules { terms, ..rules })))
    }
}

/// The lines of a file without those that are blank.
fn list(path: Option<&Path>) -> anyhow::Result<Vec<String>> {
    let Some(path) = path else { return Ok(Vec::new()) };
    let text = std::fs::read_to_string(path).map_err(|e| {
        anyhow::anyhow!("{}: {e}; give a file of terms, one a line", path.display())
    })?;
    let lines = lines_of(&text).map(str::trim).filter(|line| !line.is_empty());
    Ok(lines.map(String::from).collect())
}
