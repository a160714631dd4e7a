//! HTML: one self-contained page of several runs side by side.

use std::collections::HashSet;
use std::fmt::Write;

use super::charts::{Series, scree, spectrum, spectrum_caption};
use super::{estimate, page, warnings};
use crate::export::error::ExportError;
use crate::export::output::Output;
use crate::saved::compare::{ComparedRun, Comparer, Comparison, WEAK, exchange};
use topoi_core::plot::text::{escaped, figure};
use topoi_store::Store;
use topoi_store::result::topic::Topic;
use topoi_store::result::warning::Warning;

/// Words of a topic on the page.
const WORDS: usize = 10;

/// Writes the page: how each run was made and why not to trust it, the topics of all beside their matches among those of
/// the first, those that have no match, the spectra in one picture, and the metrics.
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
    let mut body = facts(saved);
    let of_run = |(run, warnings): (&ComparedRun, &Vec<Warning>)| {
        let id = run.run.id;
        warnings.iter().map(|warning| format!("run {id}: {}", warning.text)).collect::<Vec<_>>()
    };
    body += &warnings(runs.iter().zip(&saved.warnings).flat_map(of_run));
    body += &topics(saved);
    body += &alone(saved);
    body += &spectra(saved);
    body += &metrics(saved);
    output.file(|sink| sink.write(page(&title, &body)))
}

/// The name of a run in heads and legends.
fn name(run: &ComparedRun) -> String {
    format!("run {}: {}, K = {}", run.run.id, run.run.model, run.run.k)
}

fn facts(saved: &SavedComparison) -> String {
    let mut html = String::from(
        "<table><tr><th class=\"n\">run</th><th>corpus</th><th>model</th><th class=\"n\">K</th>\
         <th class=\"n\">words</th><th class=\"n\">seed</th><th class=\"n\">seconds</th>\
         <th>settings</th></tr>\n",
    );
    for (compared, words) in saved.comparison.runs.iter().zip(&saved.words) {
        let run = &compared.run;
        // Writing to a string does not fail.
        let _ = writeln!(
            html,
            "<tr><td class=\"n\">{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{words}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"q\"><code>{}</code></td></tr>",
            run.id,
            escaped(&run.corpus),
            escaped(&run.model),
            run.k,
            run.seed,
            run.seconds.map(figure).unwrap_or_default(),
            escaped(&run.settings)
        );
    }
    html + "</table>\n"
}

/// A row for every topic of the first run, with its match in every other.
fn topics(saved: &SavedComparison) -> String {
    let found = &saved.comparison;
    let Some((first, others)) = found.runs.split_first() else { return String::new() };
    let mut html = String::from(
        "<h2>Topics beside their matches</h2>\n<p class=\"q\">Every topic of the first run, beside \
         the topics of the others that it is matched with so that the sum of the cosines of the \
         word probabilities is largest; the number after the share is that cosine, with a question \
         mark where only what was left is matched. Words that the first run's topic has not among its 20 \
         most probable ones are <span class=\"new\">marked\
         </span>.</p>\n<div class=\"scroll\"><table><tr>",
    );
    for run in &found.runs {
        let _ = write!(html, "<th>{}</th>", escaped(&name(run)));
    }
    html += "</tr>\n";
    for (number, topic) in first.topics.iter().enumerate() {
        let _ = write!(html, "<tr id=\"t{number}\">{}", cell(topic, None));
        for (alignment, other) in found.alignments.iter().zip(others) {
            let pair = alignment.pairs.iter().find(|pair| pair.0 == number as u64);
            let match_ = pair.and_then(|pair| Some((other.topics.get(pair.1 as usize)?, pair.2)));
            html += &match_.map_or("<td class=\"q\">no match</td>".into(), |(other, cosine)| {
                cell(other, Some((topic, cosine)))
            });
        }
        html += "</tr>\n";
    }
    html + "</table></div>\n"
}

/// A topic in a cell; beside its match with what is new in it.
fn cell(topic: &Topic, match_: Option<(&Topic, f64)>) -> String {
    let gained: HashSet<&str> = match_
        .map(|(first, _)| exchange(first, topic).gained.into_iter().collect())
        .unwrap_or_default();
    let words = topic.words.iter().take(WORDS).map(|word| {
        let class = if gained.contains(word.word.as_str()) { " class=\"new\"" } else { "" };
        let p = figure(word.probability);
        format!("<span{class} title=\"{p}\">{}</span>", escaped(&word.word))
    });
    let cosine = match_.map(|(_, cosine)| {
        let doubt = if cosine < WEAK { "?" } else { "" };
        format!(" · {cosine:.2}{doubt}")
    });
    let cosine = cosine.unwrap_or_default();
    let called = topic.label.as_ref().or(topic.anchor.as_ref());
    format!(
        "<td><b>{}</b> {} <span class=\"q\">{:.1}% of {}{cosine}</span><br>{}</td>",
        topic.topic,
        escaped(called.map_or("", String::as_str)),
        100.0 * topic.shares.size(),
        topic.shares.size_of(),
        words.collect::<Vec<_>>().join(" ")
    )
}

/// The topics without a match: of the first run in all others, of each other in the first.
fn alone(saved: &SavedComparison) -> String {
    let found = &saved.comparison;
    let Some((first, others)) = found.runs.split_first() else { return String::new() };
    let mut html = String::from("<h2>Topics without a match</h2>\n");
    let before = html.len();
    for (alignment, other) in found.alignments.iter().zip(others) {
        for (here, there, numbers) in
            [(first, other, &alignment.only_first), (other, first, &alignment.only_other)]
        {
            let topics = numbers.iter().filter_map(|&number| here.topics.get(number as usize));
            let cells: Vec<String> =
                topics.map(|t| format!("<tr>{}</tr>", cell(t, None))).collect();
            if !cells.is_empty() {
                let (here, there) = (here.run.id, there.run.id);
                let _ = writeln!(
                    html,
                    "<table><tr><th>of run {here}, with no topic of run {there} left for them</th>\
                     </tr>\n{}</table>",
                    cells.join("\n")
                );
            }
        }
    }
    if html.len() == before {
        html += "<p>None: every topic has a match.</p>\n";
    }
    html
}

/// The spectra, those of one kind in one picture.
fn spectra(saved: &SavedComparison) -> String {
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
    if kinds.is_empty() {
        return String::new();
    }
    let charts: String =
        kinds.into_iter().map(|(caption, series)| scree(series, caption)).collect();
    format!("<h2>Spectra</h2>\n{charts}")
}

fn metrics(saved: &SavedComparison) -> String {
    let mut html = String::from(
        "<h2>Metrics</h2>\n<p class=\"q\">The best value is bold where all runs were measured the \
         same way on one corpus.</p>\n<div class=\"scroll\"><table><tr><th>metric</th>",
    );
    for run in &saved.comparison.runs {
        let _ = write!(html, "<th class=\"n\">run {}</th>", run.run.id);
    }
    html += "</tr>\n";
    for metric in &saved.comparison.metrics {
        let _ = write!(html, "<tr><td>{}</td>", escaped(&metric.name));
        for (at, value) in metric.values.iter().enumerate() {
            let class = if metric.best == Some(at) { "n best" } else { "n" };
            let value =
                value.map_or("–".into(), |value| estimate(value, metric.standard_errors[at]));
            let _ = write!(html, "<td class=\"{class}\">{value}</td>");
        }
        html += "</tr>\n";
    }
    html + "</table></div>\n"
}

/// Runs side by side, as `topoi compare` has them, with their spectra.
pub struct SavedComparison {
    /// Topics aligned, metrics with the better one marked.
    pub comparison: Comparison,
    /// Of every run the eigenvalues, largest first; empty where the model computes none.
    pub spectra: Vec<Vec<f64>>,
    /// Of every run why it should not be trusted as it is.
    pub warnings: Vec<Vec<Warning>>,
    /// Of every run the number of words in its vocabulary.
    pub words: Vec<usize>,
}

impl SavedComparison {
    /// Compares the runs of these numbers with the first of them.
    ///
    /// # Errors
    /// [`ExportError::Compare`] where there are fewer than two, one has no topics, or they share no
    /// words; when the store cannot be read.
    pub fn read(store: &Store, numbers: &[i64]) -> Result<Self, ExportError> {
        let comparison = Comparer::default().compare(store, numbers)?;
        let (spectra, warnings, words) = (Vec::new(), Vec::new(), Vec::new());
        let mut found = Self { comparison, spectra, warnings, words };
        for compared in &found.comparison.runs {
            let spectrum = store.spectrum(compared.run.id)?;
            found.spectra.push(spectrum.into_iter().map(|(value, _)| value).collect());
            found.warnings.push(store.warnings(compared.run.id)?);
            found.words.push(match compared.run.vocabulary_id {
                Some(id) => store.vocabulary(id)?.term_ids.len(),
                None => 0,
            });
        }
        Ok(found)
    }
}
