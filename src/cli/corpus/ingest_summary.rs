//! The summary of an ingest, for people and for programs.

use crate::cli::output::{OutputFormat, print, print_json, print_list};
use crate::records::column::columns;
use crate::shown::TerminalText;
use topoi_core::numbers::{counted, thousands};
use topoi_core::shell_word::shell_word;
use topoi_ingest::texts::repairs::{RepairCounts, TextRepairs};
use topoi_ingest::texts::same_texts::SameTexts;
use topoi_ingest::tokens::dropped::DroppedWords;
use topoi_ingest::tokens::language::languages::GuessedLanguage;
use topoi_ingest::{CorpusSettings, IngestSummary, SourceSummary};

pub fn print_summary(summary: &IngestSummary, format: OutputFormat) -> anyhow::Result<()> {
    match format {
        OutputFormat::Json | OutputFormat::JsonLines => Ok(print_json(summary, format)?),
        OutputFormat::Csv | OutputFormat::RawCsv => {
            let columns = columns!(
                SourceSummary: "source" = name, format, added, replaced, skipped, chunks, tokens, empty, duplicate,
                undecodable, malformed, nonzeros
            );
            Ok(print_list(&columns, &summary.sources, format)?)
        }
        OutputFormat::Table => Ok(print(&TerminalText::text(&summary_text(summary)))?),
    }
}

/// The summary for people.
pub fn summary_text(summary: &IngestSummary) -> String {
    let mut text: String = summary.sources.iter().map(source_line).collect();
    if summary.counts.deleted > 0 {
        let deleted = counted(summary.counts.deleted, "document");
        text += &format!("deleted: {deleted} that are not in what was given\n");
    }
    text += &corpus_line(summary);
    text += &account(summary);
    text + &repairs_text(summary)
}

/// What was mended in texts.
fn repairs_text(summary: &IngestSummary) -> String {
    let (found, done) = (repairs(summary), asked_repairs(summary));
    let such_as = |words: &[String]| match words {
        [] => String::new(),
        words => format!(", such as {}", words.join(", ")),
    };
    let mut text = String::new();
    if let Some(GuessedLanguage { code, name, has_english, .. }) = &summary.language {
        let english = if *has_english { " and of English" } else { "" };
        text += &format!(
            "language: {name} ({code}) by its words, so stop words of it{english} are dropped; --language says \
             another\n"
        );
    }
    if done.hyphens {
        text += &format!(
            "joined at line ends: {}{}; apart: {}{}\n",
            counted(found.joined, "word"),
            such_as(&summary.joined_words),
            thousands(found.apart),
            such_as(&summary.apart_words)
        );
    }
    if done.entities && found.entities > 0 {
        text += &format!("decoded: {}\n", counted(found.entities, "character reference"));
    }
    if done.page_heads {
        let lines = counted(found.page_heads, "line");
        text += &format!("dropped: {lines} at the top or bottom of pages\n");
    }
    text
}

fn repairs(summary: &IngestSummary) -> RepairCounts {
    let mut sum = RepairCounts::default();
    summary.sources.iter().for_each(|source| sum.add(source.repairs));
    sum
}

/// What the corpus's settings ask to mend.
fn asked_repairs(summary: &IngestSummary) -> TextRepairs {
    match CorpusSettings::from_json(&summary.corpus.settings) {
        Some(CorpusSettings::Text { tokens, .. }) => tokens.texts,
        _ => TextRepairs::default(),
    }
}

/// Number of lines of a list that are named.
const EXAMPLES: usize = 8;

/// What could be mended is reported from one occurrence in this many tokens on.
const TOKENS_PER_REPORT: u64 = 2000;

/// What people should know of their texts: lines of lists that match nothing, the same text twice, what could be mended
/// with the option that does.
pub fn remarks(summary: &IngestSummary) -> Vec<String> {
    let (found, done) = (repairs(summary), asked_repairs(summary));
    let tokens: u64 = summary.sources.iter().map(|source| source.tokens).sum();
    let is_reported = |count: u64| count > 0 && count.saturating_mul(TOKENS_PER_REPORT) >= tokens;
    let name = shell_word(&summary.corpus.name);
    let mut remarks = Vec::new();
    let lists = [
        ("--stop-words or --drop", &summary.unmatched.drop),
        ("--map", &summary.unmatched.map),
        ("--join", &summary.unmatched.join),
    ];
    for (option, lines) in lists.into_iter().filter(|(_, lines)| !lines.is_empty()) {
        let first: Vec<&str> = lines.iter().take(EXAMPLES).map(String::as_str).collect();
        let more = if lines.len() > EXAMPLES { " …" } else { "" };
        remarks.push(format!(
            "{name}: {} of {option} in no text: {}{more}",
            counted(lines.len() as u64, "line"),
            first.join(", ")
        ));
    }
    let mut same = SameTexts::default();
    summary.sources.iter().for_each(|source| same.add(&source.same_texts));
    if let Some([key, first]) = same.examples.first() {
        remarks.push(format!(
            "{name}: {} the text of another under another key, such as {key:?} that of {first:?}",
            match same.documents {
                1 => "1 document has".into(),
                documents => format!("{} documents have", thousands(documents)),
            }
        ));
    }
    if !done.hyphens && is_reported(found.apart) {
        remarks.push(format!(
            "{}: {} parted by a hyphen at the end of a line; ingest into another corpus with \
             --join-hyphens to join them",
            name,
            counted(found.apart, "word")
        ));
    }
    if !done.entities && is_reported(found.entities) {
        remarks.push(format!(
            "{}: {} in texts, such as &amp; and &eacute;; ingest into another corpus with \
             --decode-entities to decode them",
            name,
            counted(found.entities, "character reference")
        ));
    }
    remarks
}

fn source_line(source: &SourceSummary) -> String {
    let documents = if source.added == 1 { "document" } else { "documents" };
    let mut line = format!(
        "{} ({}): {} {documents} added, {} there already",
        source.name,
        source.format,
        thousands(source.added),
        thousands(source.skipped),
    );
    if source.replaced > 0 {
        line += &format!(", {} replaced", thousands(source.replaced));
    }
    if source.chunks > 0 {
        line += &format!(" (in {} chunks)", thousands(source.chunks));
    }
    line += &format!(", {} left out", thousands(source.left_out()));
    let reasons = [
        (source.empty, "empty"),
        (source.duplicate, "with the key of another"),
        (source.undecodable, "undecodable"),
        (source.malformed, "malformed"),
    ];
    let reasons = reasons.iter().filter(|(documents, _)| *documents > 0);
    let reasons: Vec<String> =
        reasons.map(|(documents, what)| format!("{} {what}", thousands(*documents))).collect();
    if !reasons.is_empty() {
        line += &format!(" ({})", reasons.join(", "));
    }
    line + "\n"
}

fn corpus_line(summary: &IngestSummary) -> String {
    let corpus = &summary.corpus;
    format!(
        "{}: {}, {}, {}, {} now\n",
        corpus.name,
        counted(corpus.documents, "document"),
        counted(corpus.terms, "term"),
        counted(corpus.tokens, "token"),
        counted(corpus.nonzeros, "nonzero"),
    )
}

/// What of the sources is in the corpus. For the rest, the reasons and the options that change them.
fn account(summary: &IngestSummary) -> String {
    let sum = |of: fn(&SourceSummary) -> u64| summary.sources.iter().map(of).sum::<u64>();
    let mut dropped = DroppedWords::default();
    summary.sources.iter().for_each(|source| dropped.add(source.dropped));
    let documents = sum(|source| source.added + source.replaced);
    let tokens = sum(|source| source.tokens);
    let mut text =
        format!("in: {}, {}\n", counted(documents, "document"), counted(tokens, "token"));
    let listed = |counts: &[(u64, String)]| {
        let there = counts.iter().filter(|(count, _)| *count > 0);
        there.map(|(count, why)| format!("{} {why}", thousands(*count))).collect::<Vec<_>>()
    };
    let (shortest, longest) = match CorpusSettings::from_json(&summary.corpus.settings) {
        Some(CorpusSettings::Text { tokens, .. }) => (tokens.min_length, tokens.max_length),
        _ => (0, 0),
    };
    let words = listed(&[
        (dropped.stop_words, "stop words (--stop-words)".into()),
        (dropped.short, format!("of fewer than {shortest} characters (--min-length)")),
        (dropped.long, format!("of more than {longest} characters (--max-length)")),
        (dropped.characters, "numbers and the like (--characters)".into()),
    ]);
    if !words.is_empty() {
        text += &format!("not in: {}: {}\n", counted(dropped.all(), "word"), words.join(", "));
    }
    let left_out = sum(SourceSummary::left_out);
    let reasons = listed(&[
        (
            sum(|source| source.empty),
            "without a term (--stop-words, --min-length, --characters)".into(),
        ),
        (sum(|source| source.duplicate), "with the key of another (--id-field)".into()),
        (sum(|source| source.undecodable), "of which the bytes are no text (--encoding)".into()),
        (sum(|source| source.malformed), "that are not as the format demands (--format)".into()),
    ]);
    if !reasons.is_empty() {
        text += &format!(
            "not in: {}: {}; `topoi left-out {}` names each\n",
            counted(left_out, "document"),
            reasons.join(", "),
            shell_word(&summary.corpus.name)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_was_left_out_and_why() {
        let source = SourceSummary {
            name: "a.csv".into(),
            format: topoi_ingest::Format::named("csv").expect("a format"),
            added: 1,
            malformed: 2000,
            empty: 1,
            ..SourceSummary::default()
        };
        let line = "a.csv (csv): 1 document added, 0 there already, 2,001 left out (1 empty, \
                    2,000 malformed)\n";
        assert_eq!(source_line(&source), line);
    }
}
