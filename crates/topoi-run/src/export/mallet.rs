//! MALLET's text files, as `mallet train-topics` writes them.

use super::error::ExportError;
use super::format::Format;
use super::output::{Output, Sink};
use super::saved_model::SavedModel;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "mallet",
    help: "A folder with MALLET's topic keys, document topics and word weights",
    ending: "-mallet",
    write: |model, output, _| write(model, output),
    spreads: false,
    compare: None,
};

/// Words per topic in the keys, as MALLET's default.
const KEYS: usize = 20;

/// Writes `topic-keys.txt` (`--output-topic-keys`: topic, α, 20 words), `doc-topics.txt` (`--output-doc-topics`,
/// dense: number, key, K proportions) and `topic-word-weights.txt` (`--topic-word-weights-file`: topic, word,
/// weight), separated by tabs. Blanks in words become `_`. A weight is the expected count: the probability times the
/// topic's tokens.
fn write(model: &SavedModel<'_>, output: Output) -> Result<std::path::PathBuf, ExportError> {
    if model.topics.iter().any(|topic| topic.alpha.is_none()) {
        return Err(ExportError::Missing {
            run: model.run.id,
            what: "topics of documents",
            format: "mallet",
            remedy: "make a run without --no-documents",
        });
    }
    output.directory(|folder| {
        folder.file("topic-keys.txt", |sink| keys(model, sink))?;
        folder.file("topic-word-weights.txt", |sink| weights(model, sink))?;
        folder.file("doc-topics.txt", |sink| documents(model, sink))
    })
}

/// A word without blanks, which separate MALLET's columns.
fn one_word(word: &str) -> String {
    word.replace(|c: char| c.is_whitespace() || c.is_control(), "_")
}

fn keys(model: &SavedModel<'_>, sink: &mut Sink) -> Result<(), ExportError> {
    for (number, topic) in model.topics.iter().enumerate() {
        let alpha = topic.alpha.unwrap_or_default();
        sink.write(format!("{number}\t{alpha}\t"))?;
        for &(word, _) in topic.words.iter().take(KEYS) {
            sink.write(one_word(&model.words[word]) + " ")?;
        }
        sink.write("\n")?;
    }
    Ok(())
}

fn weights(model: &SavedModel<'_>, sink: &mut Sink) -> Result<(), ExportError> {
    let of_topics = model.token_shares("mallet")? * model.tokens();
    let b = model.topic_words();
    for (number, own) in of_topics.iter().enumerate() {
        for (word, probability) in b.column(number).iter().enumerate() {
            let word = one_word(&model.words[word]);
            sink.write(format!("{number}\t{word}\t{}\n", probability * own))?;
        }
    }
    Ok(())
}

fn documents(model: &SavedModel<'_>, sink: &mut Sink) -> Result<(), ExportError> {
    let mut number = 0;
    model.visit_documents(|document| {
        // Tabs and line breaks separate columns and rows.
        let key = document.key.replace(|c: char| c.is_control(), " ");
        sink.write(format!("{number}\t{key}"))?;
        number += 1;
        for proportion in &document.topics {
            sink.write(format!("\t{proportion}"))?;
        }
        sink.write("\n")
    })
}
