//! A section for each topic: its name, shares, words and most typical documents.

use maud::{Markup, html};

use super::RunPage;
use super::by_field::FieldFigure;
use super::typical_documents::TypicalDocuments;
use crate::export::error::ExportError;
use topoi_core::plot::text::percent;

/// Words of a topic in its section, which are marked in its documents.
const WORDS: usize = 30;

/// The sections, in the order of the topics' numbers. `figures` are those that each section links to.
///
/// # Errors
/// If the store cannot be read.
pub(super) fn topic_sections(
    page: &RunPage<'_>,
    figures: &[FieldFigure],
) -> Result<Markup, ExportError> {
    let documents = TypicalDocuments::new(page.model)?;
    let mut sections = Vec::with_capacity(page.names.len());
    for topic in 0..page.names.len() {
        sections.push(section(page, topic, &documents, figures)?);
    }
    Ok(html! {
        h2 { "Each topic" }
        @for section in &sections { (section) }
    })
}

fn section(
    page: &RunPage<'_>,
    number: usize,
    documents: &TypicalDocuments<'_>,
    figures: &[FieldFigure],
) -> Result<Markup, ExportError> {
    let model = page.model;
    let topic = &model.topics[number];
    let words: Vec<(&str, f64)> =
        topic.words.iter().take(WORDS).map(|&(word, p)| (model.words[word].as_str(), p)).collect();
    let terms: Vec<&str> = words.iter().map(|&(word, _)| word).collect();
    let documents = documents.list(number, &terms)?;
    Ok(html! {
        section.topic id={ "t" (number) } {
            h3 { span.q { (number) } " " span.name { (page.names[number].markup()) } }
            p.q {
                (percent(topic.shares.document_share)) " of documents"
                @if let Some(share) = topic.shares.token_share { " · " (percent(share)) " of tokens" }
                @for figure in figures { " · " a href={ "#" (figure.id) } { (figure.name) } }
                " · " a href="#topics" { "all topics" }
            }
            ul.words { @for (word, p) in &words { li { (word) " " small { (percent(*p)) } } } }
            (documents)
        }
    })
}
