//! HTML: one self-contained page of several runs side by side.

use std::collections::HashSet;

use maud::{Markup, html};

use super::charts::spectrum::{Series, scree, spectrum, spectrum_caption};
use super::{page, warnings};
use crate::export::error::ExportError;
use crate::export::output::Output;
use crate::saved::compare::{ComparedRun, Comparer, Comparison, WEAK, exchange};
use topoi_core::numbers::{four_digits, with_error};
use topoi_store::Store;
use topoi_store::id::RunId;
use topoi_store::result::topic::Topic;
use topoi_store::result::warning::Warning;

/// Words of a topic on the page.
const WORDS: usize = 10;

/// Writes the page: provenance and warnings of each run, the topics of the first run beside their matches in the others,
/// topics without a match, spectra and metrics.
///
/// # Errors
/// When the file cannot be written.
pub fn write(saved: &SavedComparison, output: Output) -> Result<std::path::PathBuf, ExportError> {
    let runs = &saved.comparison.runs;
    let numbers: Vec<String> = runs.iter().map(|run| run.run.id.to_string()).collect();
    let title = match numbers.split_last() {
        Some((last, others)) => format!("runs {} and {last} compared", others.join(", ")),
        None => String::new(),
    };
    let of_run = |(run, warnings): (&ComparedRun, &Vec<Warning>)| {
        let id = run.run.id;
        warnings.iter().map(|warning| format!("run {id}: {}", warning.text)).collect::<Vec<_>>()
    };
    let body = html! {
        (facts(saved))
        (warnings(runs.iter().zip(&saved.warnings).flat_map(of_run)))
        (topics(saved))
        (unmatched(saved))
        (spectra(saved))
        (metrics(saved))
    };
    output.file(|sink| sink.write(page(&title, &body)))
}

/// The name of a run in heads and legends.
fn name(run: &ComparedRun) -> String {
    format!("run {}: {}, K = {}", run.run.id, run.run.model, run.run.k)
}

fn facts(saved: &SavedComparison) -> Markup {
    html! {
        table {
            tr {
                th.n { "run" } th { "corpus" } th { "model" } th.n { "K" } th.n { "words" } th.n { "seed" }
                th.n { "seconds" } th { "settings" }
            }
            @for (compared, words) in saved.comparison.runs.iter().zip(&saved.words) {
                @let run = &compared.run;
                tr {
                    td.n { (run.id) }
                    td { (run.corpus) }
                    td { (run.model) }
                    td.n { (run.k) }
                    td.n { (words) }
                    td.n { (run.seed) }
                    td.n { (run.seconds.map(four_digits).unwrap_or_default()) }
                    td.q { code { (run.settings) } }
                }
            }
        }
    }
}

/// One row per topic of the first run, with its match in every other run.
fn topics(saved: &SavedComparison) -> Markup {
    let comparison = &saved.comparison;
    let Some((first, others)) = comparison.runs.split_first() else { return Markup::default() };
    html! {
        h2 { "Topics beside their matches" }
        p.q {
            "Every topic of the first run, beside the topics of the others that it is matched with so that the sum of the \
             cosines of the word probabilities is largest; the number after the share is that cosine, with a question \
             mark where only what was left is matched. Words that the first run's topic has not among its 20 most \
             probable ones are " span.new { "marked" } "."
        }
        div.scroll {
            table {
                tr { @for run in &comparison.runs { th { (name(run)) } } }
                @for (number, topic) in first.topics.iter().enumerate() {
                    tr id={ "t" (number) } {
                        (cell(topic, None))
                        @for (alignment, other) in comparison.alignments.iter().zip(others) {
                            @let pair = alignment.pairs.iter().find(|pair| pair.0.index() == number);
                            @match pair.and_then(|pair| Some((other.topics.get(pair.1.index())?, pair.2))) {
                                Some((other, cosine)) => (cell(other, Some((topic, cosine)))),
                                None => td.q { "no match" },
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The cell of a topic. With its match in the first run and their cosine, the words that the first run's topic lacks
/// are marked.
fn cell(topic: &Topic, matched: Option<(&Topic, f64)>) -> Markup {
    let gained: HashSet<&str> = matched
        .map(|(first, _)| exchange(first, topic).gained.into_iter().collect())
        .unwrap_or_default();
    html! {
        td {
            b { (topic.topic) } " " (topic.label.as_deref().unwrap_or_default()) " "
            span.q {
                (format!("{:.1}% of {}", 100.0 * topic.shares.size(), topic.shares.size_of()))
                @if let Some((_, cosine)) = matched {
                    (format!(" · {cosine:.2}")) @if cosine < WEAK { "?" }
                }
            }
            br;
            @for word in topic.words.iter().take(WORDS) {
                @let class = gained.contains(word.word.as_str()).then_some("new");
                span class=[class] title=(four_digits(word.probability)) { (word.word) } " "
            }
        }
    }
}

/// The topics without a match: of the first run in each other run, and of each other run in the first.
fn unmatched(saved: &SavedComparison) -> Markup {
    let comparison = &saved.comparison;
    let Some((first, others)) = comparison.runs.split_first() else { return Markup::default() };
    let mut tables: Vec<(RunId, RunId, Vec<&Topic>)> = Vec::new();
    for (alignment, other) in comparison.alignments.iter().zip(others) {
        for (here, there, numbers) in
            [(first, other, &alignment.only_first), (other, first, &alignment.only_other)]
        {
            let topics = numbers.iter().filter_map(|&number| here.topics.get(number.index()));
            tables.push((here.run.id, there.run.id, topics.collect()));
        }
    }
    tables.retain(|(_, _, topics)| !topics.is_empty());
    html! {
        h2 { "Topics without a match" }
        @for (here, there, topics) in &tables {
            table {
                tr { th { "of run " (here) ", with no topic of run " (there) " left for them" } }
                @for topic in topics { tr { (cell(topic, None)) } }
            }
        }
        @if tables.is_empty() { p { "None: every topic has a match." } }
    }
}

/// The spectra, those of one kind in one chart.
fn spectra(saved: &SavedComparison) -> Markup {
    let mut kinds: Vec<(&str, Vec<Series>)> = Vec::new();
    for (run, values) in saved.comparison.runs.iter().zip(&saved.spectra) {
        if values.len() < 2 {
            continue;
        }
        let series = spectrum(name(run), values);
        let caption = spectrum_caption(&run.run.model);
        match kinds.iter_mut().find(|kind| kind.0 == caption) {
            Some(kind) => kind.1.push(series),
            None => kinds.push((caption, vec![series])),
        }
    }
    html! {
        @if !kinds.is_empty() {
            h2 { "Spectra" }
            @for (caption, series) in kinds { (scree(series, caption)) }
        }
    }
}

fn metrics(saved: &SavedComparison) -> Markup {
    html! {
        h2 { "Metrics" }
        p.q { "The best value is bold where all runs were measured the same way on one corpus." }
        div.scroll {
            table {
                tr { th { "metric" } @for run in &saved.comparison.runs { th.n { "run " (run.run.id) } } }
                @for metric in &saved.comparison.metrics {
                    tr {
                        td { (metric.name) }
                        @for (at, value) in metric.values.iter().enumerate() {
                            td.n.best[metric.best == Some(at)] {
                                (value.map_or("–".into(), |value| with_error(value, metric.standard_errors[at])))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The comparison of `topoi compare`, with spectra and warnings of the runs.
pub struct SavedComparison {
    /// Aligned topics, and metrics with the better value marked.
    pub comparison: Comparison,
    /// Spectrum of each run, largest value first; empty for a model without one.
    pub spectra: Vec<Vec<f64>>,
    /// Warnings of each run.
    pub warnings: Vec<Vec<Warning>>,
    /// Vocabulary size of each run.
    pub words: Vec<usize>,
}

impl SavedComparison {
    /// Compares runs with the first of them.
    ///
    /// # Errors
    /// [`ExportError::Compare`] for fewer than two runs, for a run without topics, and for runs without common words; when
    /// the store cannot be read.
    pub fn read(store: &Store, numbers: &[RunId]) -> Result<Self, ExportError> {
        let comparison = Comparer::default().compare(store, numbers)?;
        let (spectra, warnings, words) = (Vec::new(), Vec::new(), Vec::new());
        let mut saved = Self { comparison, spectra, warnings, words };
        for compared in &saved.comparison.runs {
            let spectrum = store.spectrum(compared.run.id)?;
            saved.spectra.push(spectrum.into_iter().map(|(value, _)| value).collect());
            saved.warnings.push(store.warnings(compared.run.id)?);
            saved.words.push(match compared.run.vocabulary_id {
                Some(id) => store.vocabulary(id)?.term_ids.len(),
                None => 0,
            });
        }
        Ok(saved)
    }
}
