//! An update: the topics and documents of an earlier run, revised by what is new, corrected and deleted since. Its cost
//! follows that, not the corpus.

pub mod changed;
mod earlier;
pub mod measured;
pub mod novelty;
pub mod refit_gain;

use ndarray::{Array2, s};

use self::changed::ChangedDocuments;
use self::earlier::{EarlierDocuments, earlier_documents, saved_summary, unchanged_documents};
use self::novelty::{NovelDocuments, novel_documents};
use super::about_documents::{Completed, TOLERANCE};
use super::material::Material;
use super::measure::{metric_for_run, metrics_for_topics};
use super::work_error::WorkError;
use crate::number;
use crate::request::RunRequest;
use crate::request::start::topics_of;
use topoi_core::formula::packed_documents::PackedDocuments;
use topoi_core::formula::proportions;
use topoi_core::formula::word_probabilities::round_topics;
use topoi_core::metric::revision::{
    ADDED_SHARE, DOCUMENTS_ADDED, DOCUMENTS_AT_FULL_READING, DOCUMENTS_GONE, DOCUMENTS_READ_AGAIN,
    DRIFT, TOPICS_ADDED, drift,
};
use topoi_core::metric::run_process::{
    ALPHA_SUM, DOCUMENT_TOPICS_RESIDUAL, DOCUMENT_TOPICS_SWEEPS, DOCUMENTS_LEFT_OUT,
    DOCUMENTS_USED, TOKENS_USED,
};
use topoi_core::model::documents::cvb0::Cvb0;
use topoi_core::model::documents::mixtures::MixtureSummary;
use topoi_core::model::documents::pass::document_topics;
use topoi_core::model::documents::topic_rows::TopicRows;
use topoi_core::model::refine::birth::{Birth, find_births};
use topoi_core::model::refine::revise::{EarlierTopics, explained_documents, revise};
use topoi_core::model::refine::{GAIN, PASSES, RefineSettings, refine_again};
use topoi_core::model::topic_model::{Fit, TopicLabel};
use topoi_core::model::topics::Topics;
use topoi_core::progress::Progress;
use topoi_core::stream::cooccurrence::CoOccurrence;
use topoi_core::stream::documents::Documents;
use topoi_core::stream::error::StreamError;
use topoi_core::stream::parts::{Parts, SinglePart, all_made};
use topoi_core::stream::selection::SelectedBlocks;
use topoi_core::stream::source::BlockSource;
use topoi_store::Store;
use topoi_store::id::{CorpusId, DocumentId, RunId, TermId, TopicNumber};
use topoi_store::result::document_topic::SavedDocuments;
use topoi_store::result::metric::Metric;
use topoi_store::result::series::Revises;
use topoi_store::run::Run;

/// The run that an update continues, and the documents of its corpus, in one store: of the whole, or of a part of a corpus
/// in parts, which has the run as well.
#[derive(Clone, Copy)]
pub struct Continued<'a> {
    pub store: &'a Store,
    pub corpus_id: CorpusId,
    /// Number of the run in `store`.
    pub start: RunId,
    /// Number of the update, for messages.
    pub run: RunId,
    /// Row ids in `store` of the W terms, and their positions in the whole corpus.
    pub term_ids: &'a [TermId],
    pub positions: &'a [u32],
    /// Number of terms of the whole corpus.
    pub all_terms: u64,
    /// The documents, by their ids in `store`.
    pub blocks: &'a dyn BlockSource,
    pub parts: &'a dyn Parts,
}

impl<'a> Continued<'a> {
    /// What `run` continues, in the store of a whole corpus.
    pub fn whole(
        store: &'a Store,
        run: &Run,
        request: &RunRequest,
        material: &'a Material,
    ) -> Result<Self, WorkError> {
        Ok(Self {
            store,
            corpus_id: run.corpus_id,
            start: request.settings.start.unwrap_or(RunId(0)),
            run: run.id,
            term_ids: &material.term_ids,
            positions: &material.positions,
            all_terms: store.corpus_by_id(run.corpus_id)?.terms,
            blocks: &material.blocks,
            parts: &SinglePart,
        })
    }
}

/// The labels of run `start`, which the topics of its update keep.
pub fn labels_of(store: &Store, start: RunId) -> Result<Vec<(usize, TopicLabel)>, WorkError> {
    let labels = store.topic_labels(start)?.into_iter().enumerate();
    Ok(labels.filter_map(|(topic, label)| Some((topic, label?))).collect())
}

/// What the store says of the run before, the same in all parts.
struct EarlierRun {
    /// B, W × K.
    topics: Array2<f64>,
    alpha: Vec<f64>,
    summary: MixtureSummary,
    held: Vec<usize>,
    /// Documents and tokens of the corpus now.
    corpus: [f64; 2],
}

impl EarlierRun {
    fn new(from: &Continued<'_>) -> Result<Self, WorkError> {
        let mut known = all_made(from.parts, Self::read(from))?;
        from.parts.add_up(&mut known.corpus)?;
        Ok(known)
    }

    fn read(from: &Continued<'_>) -> Result<Self, WorkError> {
        let &Continued { store, run, start, .. } = from;
        let corpus = store.corpus_by_id(from.corpus_id)?;
        let alpha = store.alpha(start)?;
        Ok(Self {
            topics: topics_of(store, run, start, from.term_ids)?,
            summary: saved_summary(store, run, start, &alpha)?,
            alpha,
            held: store.held_topics(start)?.into_iter().map(TopicNumber::index).collect(),
            corpus: [corpus.documents as f64, corpus.tokens as f64],
        })
    }

    /// The share of a document's tokens that are in the vocabulary, on average.
    fn share_in_vocabulary(&self) -> f64 {
        let [documents, tokens] = self.corpus;
        let of_run = self.summary.tokens / self.summary.documents.max(1) as f64;
        (of_run / (tokens / documents.max(1.0)).max(1.0)).min(1.0)
    }
}

/// An update that was made, and what it shares with the run before.
pub struct Revision {
    pub completed: Completed,
    /// What is new in the documents that were added.
    pub novel: NovelDocuments,
    /// What changes of what the store has of the run before.
    pub revises: Revises,
}

/// Makes an update. All parts of a corpus in parts do this together: topics and metrics are of all documents, and the topics
/// of documents, the unexplained ones and those that are gone are of the part.
///
/// # Errors
/// [`WorkError::StartIsGone`] if the run before was deleted.
pub fn revise_run(
    from: &Continued<'_>,
    request: &RunRequest,
    progress: &dyn Progress,
) -> Result<Revision, WorkError> {
    let &Continued { store, start, run, parts, .. } = from;
    let known = EarlierRun::new(from)?;
    let mut changed = all_made(parts, ChangedDocuments::since(store, run, start, known.corpus[0]))?;

    let selection = changed.selection.clone();
    let blocks = SelectedBlocks::new(from.blocks, &selection);
    let of_words = |words, min_tokens| {
        let documents = Documents::new(&blocks, words, min_tokens, progress).with_parts(parts);
        documents.with_selection(&selection)
    };
    let documents = of_words(from.positions, request.settings.min_tokens);
    let read = ReadDocuments::from_pass(&documents)?;
    let ids = read.ids();
    changed.keep(&ids);

    let kept = known.share_in_vocabulary();
    let EarlierRun { topics, alpha, summary: before, held, .. } = known;
    let added = documents.after(changed.last);
    let explained = explained_documents(&topics, &before.token_shares, before.tokens, &added)?;
    let all_words: Vec<u32> = (0..).take(number::size(from.all_terms)).collect();
    let novel = novel_documents(&explained, &of_words(&all_words, 2).after(changed.last))?;
    progress.begin("births", 0, "");
    let births = find_births(&topics, before.tokens, &documents, changed.last)?;
    let alpha = alpha_with(alpha, &births);
    let (topics, before) = (topics_with(&topics, &births), before.padded(alpha.len()));
    let (mut revised, earlier) = match changed.is_full_reading {
        true => (refined((&topics, &held), &before, request, &documents, progress)?, None),
        false => {
            let for_sums = (&alpha[..], &documents);
            let earlier = earlier_documents(store, &changed, &read.kept, kept, for_sums)?;
            let tokens = tokens_not_read(&before, &earlier);
            let held = held.clone();
            let known = EarlierTopics { topics, tokens, held, all_tokens: before.tokens };
            let revised = revise(&known, &documents, progress)?;
            (Moved { before: known.topics, now: revised.topics }, Some(earlier))
        }
    };

    round_topics(&mut revised.now);

    let meaning = "share of a document's tokens that the last sweep moved";
    progress.begin("documents", (read.kept.len() * parts.count()) as u64, meaning);
    let rows = TopicRows::with_smoothing(&revised.now, before.tokens);
    let proportions = Cvb0::new(&rows, &alpha, TOLERANCE);
    let (packed, found) = document_topics(&documents, &proportions, rows.topics(), progress)?;
    let (packed, after, unchanged) = match &earlier {
        Some(earlier) => {
            let for_sums = (&alpha[..], &documents);
            let same = unchanged_documents(store, &changed, &read.kept, &packed, for_sums)?;
            let is_new = |id| same.ids.binary_search(&id).is_err();
            let selected = packed.selected(&documents.scratch(), is_new);
            let packed = documents.agree(selected.map_err(StreamError::from))?;
            let after = before.with(&earlier.summary, &found).with(&same.now, &same.before);
            (packed, after, same.ids)
        }
        None => (packed, found.clone(), Vec::new()),
    };

    let mut metrics: Vec<Metric> = vec![
        metric_for_run(&ALPHA_SUM, alpha.iter().sum()),
        metric_for_run(&DOCUMENT_TOPICS_RESIDUAL, found.change),
        metric_for_run(
            &DOCUMENT_TOPICS_SWEEPS,
            found.sweeps as f64 / found.documents.max(1) as f64,
        ),
    ];
    metrics.extend(novel.metrics.iter().cloned());
    let left_out = all_made(parts, store.left_out_documents(start).map_err(WorkError::from))?;
    let is_as_before =
        |(id, is_there): &&(DocumentId, bool)| *is_there && ids.binary_search(id).is_err();
    let left_out_as_before = left_out.iter().filter(is_as_before).count();
    let read_again = earlier.as_ref().map_or(0, |earlier| earlier.read_again);
    let mut numbers = ReadNumbers {
        added: read.kept.iter().filter(|(id, _)| *id > changed.last).count() as u64,
        too_short: read.too_short.len() as u64,
        gone: changed.gone.len() as u64,
        left_out_as_before: left_out_as_before as u64,
        read_again,
    };
    numbers.over_parts(&documents)?;
    metrics.extend(numbers.metrics(&changed, [&before, &after]));
    metrics.push(metric_for_run(&TOPICS_ADDED, births.len() as f64));
    metrics.extend(added_shares(&packed, &alpha, changed.last, &documents)?);
    let earlier_topics = ..alpha.len() - births.len();
    let now = revised.now.slice(s![.., earlier_topics]).to_owned();
    let moved = drift(&revised.before.slice(s![.., earlier_topics]).to_owned(), &now);
    metrics.extend(metrics_for_topics(&DRIFT, moved));

    let left_out_and_gone = left_out.iter().filter(|(_, is_there)| !is_there).map(|(id, _)| *id);
    let gone = changed.gone.iter().map(|(id, _)| *id).chain(left_out_and_gone);
    // What was assigned to the topics before is known to the store.
    let is_replaced =
        |id: &DocumentId| id.0 <= changed.last && unchanged.binary_search(&id.0).is_err();
    let some = || ids.into_iter().filter(is_replaced).chain(gone).collect();
    let revises = Revises { run: start, documents: (!changed.is_full_reading).then(some) };
    let mut topics = Topics::without_anchors(revised.now, after.weights);
    topics.correlations = Some(after.correlations);
    let labels = all_made(parts, labels_of(store, start))?;
    let completed = Completed {
        fitted: Fit { labels, held, ..Fit::new(topics, Vec::new()) },
        metrics,
        documents: SavedDocuments { alpha, packed, ids_from: 0 },
        token_shares: after.token_shares.to_vec(),
        left_out: read.too_short.iter().map(|&(id, tokens)| (DocumentId(id), tokens)).collect(),
    };
    Ok(Revision { completed, novel, revises })
}

/// B (W × K) with the topics that are born.
fn topics_with(topics: &Array2<f64>, births: &[Birth]) -> Array2<f64> {
    let (words, k) = topics.dim();
    Array2::from_shape_fn((words, k + births.len()), |(word, topic)| match topic < k {
        true => topics[(word, topic)],
        false => births[topic - k].words[word],
    })
}

/// α of the run before, and for a topic that is born its share of the added documents of α₀, or as much as the others
/// have on average.
fn alpha_with(mut alpha: Vec<f64>, births: &[Birth]) -> Vec<f64> {
    let (all, k) = (alpha.iter().sum::<f64>(), alpha.len() as f64);
    alpha.extend(births.iter().map(|birth| all * birth.share.min(1.0 / k)));
    alpha
}

/// The mean proportions of topics in the documents of all parts that were added, if there are any: those after `last` here.
fn added_shares(
    packed: &PackedDocuments,
    alpha: &[f64],
    last: i64,
    of: &Documents<'_>,
) -> Result<Vec<Metric>, WorkError> {
    let (mut sums, mut documents, mut theta) = (vec![0.0; alpha.len()], 0.0, Vec::new());
    let read = packed.each_text(|id, text| {
        if id > last {
            // It was packed by this α.
            let _ = proportions::read(text, alpha, &mut theta);
            sums.iter_mut().zip(&theta).for_each(|(sum, share)| *sum += share);
            documents += 1.0;
        }
        Ok::<_, StreamError>(())
    });
    of.agree(read)?;
    of.add_up(&mut sums)?;
    of.add_up(std::slice::from_mut(&mut documents))?;
    let shares = || sums.iter().map(|sum| sum / documents).collect();
    Ok(if documents > 0.0 { metrics_for_topics(&ADDED_SHARE, shares()) } else { Vec::new() })
}

/// The topics of the run before, with those that are born, and those of the update; both W × K.
struct Moved {
    before: Array2<f64>,
    now: Array2<f64>,
}

/// The documents that an update reads in one part.
#[derive(Default)]
struct ReadDocuments {
    /// (id, tokens of the vocabulary) in order of id.
    kept: Vec<(i64, f64)>,
    /// The same of those that are too short.
    too_short: Vec<(i64, u64)>,
}

impl ReadDocuments {
    fn from_pass(documents: &Documents<'_>) -> Result<Self, WorkError> {
        let mut read = Self::default();
        let pass = documents.visit(0..documents.block_sizes().len(), |batch| {
            read.kept.extend(batch.ids.iter().copied().zip(batch.lengths.iter().copied()));
            read.too_short.extend(&batch.too_short);
        });
        documents.agree(pass)?;
        Ok(read)
    }

    /// The ids of all, ascending.
    fn ids(&self) -> Vec<DocumentId> {
        let too_short = self.too_short.iter().map(|(id, _)| *id);
        let mut ids: Vec<DocumentId> =
            self.kept.iter().map(|(id, _)| *id).chain(too_short).map(DocumentId).collect();
        ids.sort_unstable();
        ids
    }
}

/// Tokens of each topic in the documents that are not read.
fn tokens_not_read(before: &MixtureSummary, earlier: &EarlierDocuments) -> Vec<f64> {
    let read = &earlier.summary.token_shares * earlier.summary.tokens;
    (&before.token_shares * before.tokens - read).mapv(|tokens| tokens.max(0.0)).to_vec()
}

/// The topics of the run before, refined on all documents.
fn refined(
    (topics, held): (&Array2<f64>, &[usize]),
    before: &MixtureSummary,
    request: &RunRequest,
    documents: &Documents<'_>,
    progress: &dyn Progress,
) -> Result<Moved, WorkError> {
    let usual = RefineSettings { passes: PASSES, gain: GAIN, sweeps: None };
    let settings = request.settings.refinement(&request.origin).unwrap_or(usual);
    let start = Topics::without_anchors(topics.clone(), before.weights.clone());
    let c = CoOccurrence::new(documents)?;
    let refined = refine_again(&start, held, &c, settings, request.seed, progress)?;
    Ok(Moved { before: start.topics, now: refined.topics.topics })
}

/// Numbers of documents: what was read, what came and what went.
struct ReadNumbers {
    added: u64,
    too_short: u64,
    gone: u64,
    /// Left out by the run before and not read.
    left_out_as_before: u64,
    read_again: u64,
}

impl ReadNumbers {
    /// Replaces the numbers by those of all parts.
    fn over_parts(&mut self, documents: &Documents<'_>) -> Result<(), StreamError> {
        let Self { added, too_short, gone, left_out_as_before, read_again } = self;
        let numbers = [added, too_short, gone, left_out_as_before, read_again];
        let mut sums = numbers.each_ref().map(|number| **number);
        documents.add_up_counts(&mut sums)?;
        numbers.into_iter().zip(sums).for_each(|(number, sum)| *number = sum);
        Ok(())
    }

    fn metrics(
        &self,
        changed: &ChangedDocuments,
        [before, after]: [&MixtureSummary; 2],
    ) -> Vec<Metric> {
        let (left_out, read_again, at_full_reading) = match changed.is_full_reading {
            false => {
                let left_out = self.left_out_as_before + self.too_short;
                (left_out, self.read_again, changed.at_full_reading)
            }
            true => {
                let read_again = before.documents.saturating_sub(self.gone);
                (self.too_short, read_again, after.documents as f64)
            }
        };
        vec![
            metric_for_run(&DOCUMENTS_USED, after.documents as f64),
            metric_for_run(&TOKENS_USED, after.tokens),
            metric_for_run(&DOCUMENTS_LEFT_OUT, left_out as f64),
            metric_for_run(&DOCUMENTS_ADDED, self.added as f64),
            metric_for_run(&DOCUMENTS_READ_AGAIN, read_again as f64),
            metric_for_run(&DOCUMENTS_GONE, self.gone as f64),
            metric_for_run(&DOCUMENTS_AT_FULL_READING, at_full_reading),
        ]
    }
}
