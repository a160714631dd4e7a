//! What the number of topics of a corpus is chosen by.

use crate::tui::question::{Asking, Question};
use topoi::run::choose_k::bounds::{Bounds, newest_bounds};
use topoi::run::choose_k::recommendation::{Recommendation, recommendation};
use topoi::run::choose_k::sweep::{Sweep, sweep};
use topoi::run::request::RunSettings;
use topoi::store::StoreError;
use topoi::store::run::{Run, RunStatus};

/// The runs that differ from one in K alone, and the bounds of their corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct ChooseKQuestion {
    /// Row id of the corpus; `None` is that of the run, else the first.
    pub corpus: Option<i64>,
    /// That run; `None` is the newest that is finished.
    pub run: Option<i64>,
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
}

impl Question for ChooseKQuestion {
    type Answer = Box<ChoiceOfK>;

    fn ask(&self, asking: &mut Asking<'_>) -> Result<Box<ChoiceOfK>, StoreError> {
        let (store, runs) = (asking.store, asking.runs);
        let of_corpus = |run: &&Run| self.corpus.is_none_or(|corpus| run.corpus_id == corpus);
        let own: Vec<Run> = runs.iter().filter(of_corpus).cloned().collect();
        // Runs of halves of the documents say something of a run, not of K, unless they are asked
        // for.
        let tells = |other: &&Run| {
            RunSettings::share_of_documents(other) > 0.5 || Some(other.id) == self.run
        };
        let telling: Vec<Run> = own.iter().filter(tells).cloned().collect();
        let run = finished(&telling, self.run).or_else(|| finished(&own, self.run));
        let corpora = store.corpora()?;
        let id = self.corpus.or(run.map(|run| run.corpus_id));
        let corpus = corpora.into_iter().find(|corpus| id.is_none_or(|id| corpus.id == id));
        let Some(corpus) = corpus else { return Ok(Box::default()) };
        let sweep = run.map(|run| sweep(store, runs, run)).transpose()?.flatten();
        let bounds = newest_bounds(store, corpus.id)?;
        let advice = sweep.as_ref().and_then(|sweep| recommendation(sweep, bounds.as_ref()));
        Ok(Box::new(ChoiceOfK { corpus: Some(corpus.name), sweep, bounds, advice }))
    }
}

/// The run of this number, else the newest of its corpus, else the newest; only finished ones.
fn finished(runs: &[Run], id: Option<i64>) -> Option<&Run> {
    let asked = runs.iter().find(|run| Some(run.id) == id);
    let finished = || runs.iter().filter(|run| run.status == RunStatus::Finished);
    let of_corpus = || finished().find(|run| asked.is_some_and(|a| a.corpus_id == run.corpus_id));
    finished().find(|run| Some(run.id) == id).or_else(of_corpus).or_else(|| finished().next())
}
