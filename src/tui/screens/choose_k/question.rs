//! Questions of the choice of K: the runs that can be compared by their K, and which of them.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::json;

use crate::records::column::{Column, First, Kind, Width};
use crate::tui::question::{Question, QuestionContext};
use topoi_core::numbers::counted;
use topoi_run::choose_k::bounds::{Bounds, newest_bounds};
use topoi_run::choose_k::recommendation::{Recommendation, recommendation};
use topoi_run::choose_k::sweep::{Sweep, families, sweep};
use topoi_run::request::RunSettings;
use topoi_run::vocabulary::in_words::vocabulary_in_words;
use topoi_store::StoreError;
use topoi_store::id::{CorpusId, RunId};
use topoi_store::run::Run;

/// With fewer different K there is nothing to recommend.
const ENOUGH: usize = 3;

/// The runs of a corpus that can be compared by their K, and the bounds of the corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct ChooseKQuestion {
    /// Row id of the corpus; `None` is that of the run, else the first.
    pub corpus: Option<CorpusId>,
    /// The run that was looked at before.
    pub run: Option<RunId>,
    /// Whether the user has pointed at it in the list of runs.
    pub is_pointed_at: bool,
    /// A run of the family that is wanted; `None` is the one of the newest runs.
    pub chosen: Option<RunId>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChoiceOfK {
    /// The corpus's name; `None` when there is none.
    pub corpus: Option<String>,
    /// Its runs by K; `None` when there is no finished one.
    pub sweep: Option<Sweep>,
    /// The bounds that were saved last, if any were.
    pub bounds: Option<Bounds>,
    /// Which K to look at first; `None` for fewer than three.
    pub advice: Option<Recommendation>,
    /// The families of the corpus, that of the newest run first.
    pub families: Vec<Family>,
    /// The one of them that is shown.
    pub shown_family: usize,
}

/// Runs of one model, vocabulary and choice of documents, for a list to choose from.
#[derive(Debug, Clone, PartialEq)]
pub struct Family {
    /// The number of its newest run.
    pub newest: RunId,
    pub model: String,
    /// How its terms were chosen.
    pub vocabulary: String,
    /// The share of the documents that its runs are of.
    pub share: f64,
    pub runs: u64,
    /// The smallest and the largest K.
    pub k: (u64, u64),
}

/// Columns of the families of a corpus.
pub fn families_columns() -> Vec<Column<Family>> {
    type Row = Family;
    vec![
        Column::new("model", Kind::Text, |row: &Row| json!(row.model))
            .listed(Width::Cells(10))
            .sorted(First::Smallest),
        Column::new("vocabulary", Kind::Text, |row: &Row| json!(row.vocabulary))
            .listed(Width::Share(1)),
        Column::new("share", Kind::Share, |row: &Row| json!(row.share))
            .titled("of documents")
            .listed_from(70, Width::Cells(12)),
        Column::new("runs", Kind::Count, |row: &Row| json!(row.runs))
            .listed(Width::Cells(5))
            .sorted(First::Largest),
        Column::new("k", Kind::Text, |row: &Row| json!(row.ks()))
            .titled("K")
            .listed(Width::Cells(12)),
        Column::new("newest", Kind::Number, |row: &Row| json!(row.newest))
            .titled("newest run")
            .listed(Width::Cells(10))
            .sorted(First::Largest),
    ]
}

impl Family {
    /// Of its runs, newest first.
    fn new(runs: &[&Run]) -> Option<Self> {
        let newest = *runs.first()?;
        let settings = RunSettings::from_run(newest).ok();
        let vocabulary = settings.as_ref().map(vocabulary_in_words).unwrap_or_default();
        let share = RunSettings::share_of_documents(newest);
        let ks = || runs.iter().map(|run| run.k);
        let k = (ks().min()?, ks().max()?);
        let (model, runs) = (newest.model.clone(), runs.len() as u64);
        Some(Self { newest: newest.id, model, vocabulary, share, runs, k })
    }

    fn ks(&self) -> String {
        match self.k {
            (least, most) if least < most => format!("{least} to {most}"),
            (only, _) => only.to_string(),
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}, ", self.model, self.vocabulary)?;
        if self.share < 1.0 {
            write!(f, "{:.0}% of the documents, ", 100.0 * self.share)?;
        }
        write!(f, "{}, K {}", counted(self.runs, "run"), self.ks())
    }
}

impl Question for ChooseKQuestion {
    type Answer = Box<ChoiceOfK>;

    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<Box<ChoiceOfK>, StoreError> {
        let (store, runs) = (asking.store, asking.runs);
        let looked_at = runs.iter().find(|run| Some(run.id) == self.run);
        let id = self.corpus.or(looked_at.map(|run| run.corpus_id));
        let of_corpus = |run: &&Run| id.is_none_or(|corpus| run.corpus_id == corpus);
        // Runs of halves of the documents say something of a run, not of K, unless they are asked
        // for.
        let tells = |run: &&Run| !RunSettings::is_half(run) || Some(run.id) == self.run;
        let own: Vec<Run> = runs.iter().filter(of_corpus).filter(tells).cloned().collect();
        let families = families(&own);
        let shown_family = self.family_among(&families);
        let run = families.get(shown_family).map(|family| family[0]);
        let id = id.or(run.map(|run| run.corpus_id));
        let mut corpora = store.corpora()?.into_iter();
        let corpus = corpora.find(|corpus| id.is_none_or(|id| corpus.id == id));
        let Some(corpus) = corpus else { return Ok(Box::default()) };
        let sweep = run.map(|run| sweep(store, runs, run)).transpose()?.flatten();
        let bounds = newest_bounds(store, corpus.id)?;
        let advice = sweep.as_ref().and_then(|sweep| recommendation(sweep, bounds.as_ref()));
        let families = families.iter().filter_map(|family| Family::new(family)).collect();
        let corpus = Some(corpus.name);
        Ok(Box::new(ChoiceOfK { corpus, sweep, bounds, advice, families, shown_family }))
    }
}

impl ChooseKQuestion {
    /// The family that was chosen; else the one that the user has pointed at, then the newest, of those with
    /// enough K; else that of the run that was looked at; else the newest.
    fn family_among(&self, families: &[Vec<&Run>]) -> usize {
        let of = |id: Option<RunId>| {
            let holds = |family: &Vec<&Run>| family.iter().any(|run| Some(run.id) == id);
            families.iter().position(holds)
        };
        let is_enough = |at: &usize| {
            let ks: BTreeSet<u64> = families[*at].iter().map(|run| run.k).collect();
            ks.len() >= ENOUGH
        };
        let pointed_at = || of(self.run.filter(|_| self.is_pointed_at)).filter(is_enough);
        let newest = || (0..families.len()).find(is_enough);
        of(self.chosen).or_else(pointed_at).or_else(newest).or_else(|| of(self.run)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use topoi_run::request::RunRequest;
    use topoi_store::run::RunStatus;

    fn run(id: i64, k: u64, vocabulary: i64) -> Run {
        let settings = RunRequest::new("c", k as usize).saved_settings();
        let vocabulary_id = Some(vocabulary);
        let (status, model) = (RunStatus::Finished, "lr-jsmf".into());
        Run { id: RunId(id), k, vocabulary_id, settings, status, model, ..Run::default() }
    }

    /// A single run after a sweep of four over vocabulary 2, and an older sweep of three over vocabulary 1.
    fn runs() -> Vec<Run> {
        let newest = run(9, 20, 3);
        let swept = [(8, 5), (7, 10), (6, 20), (5, 40)].map(|(id, k)| run(id, k, 2));
        let older = [(4, 5), (3, 10), (2, 20), (1, 20)].map(|(id, k)| run(id, k, 1));
        [newest].into_iter().chain(swept).chain(older).collect()
    }

    #[test]
    fn the_newest_runs_with_enough_k_are_shown_unless_others_are_chosen_or_pointed_at() {
        let runs = runs();
        let families = families(&runs);
        let newest: Vec<RunId> = families.iter().map(|family| family[0].id).collect();
        assert_eq!(newest, [9, 8, 4].map(RunId));
        let shown = |run, is_pointed_at, chosen| {
            let question = ChooseKQuestion { corpus: None, run, is_pointed_at, chosen };
            newest[question.family_among(&families)]
        };
        // After a sweep its runs are shown, whichever run was open.
        assert_eq!(shown(None, false, None), RunId(8));
        assert_eq!(shown(Some(RunId(1)), false, None), RunId(8));
        assert_eq!(shown(Some(RunId(1)), true, None), RunId(4));
        // One run alone has nothing to be compared by its K.
        assert_eq!(shown(Some(RunId(9)), true, None), RunId(8));
        assert_eq!(shown(Some(RunId(1)), true, Some(RunId(9))), RunId(9));
    }

    #[test]
    fn a_family_is_told_by_what_its_runs_have_in_common() {
        let runs = runs();
        let told: Vec<String> = families(&runs)
            .iter()
            .filter_map(|family| Some(Family::new(family)?.to_string()))
            .collect();
        assert_eq!(told[0], "lr-jsmf, the 5,000 best terms, 1 run, K 20");
        assert_eq!(told[1], "lr-jsmf, the 5,000 best terms, 4 runs, K 5 to 40");
    }
}
