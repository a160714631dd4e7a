//! GEXF: topics and words as graphs, for Gephi and networkx.

use std::collections::BTreeSet;
use std::fmt::Write;

use ndarray::Array2;

use super::error::ExportError;
use super::format::Format;
use super::output::{Output, Sink};
use super::saved_model::SavedModel;
use crate::groups::correlations::correlations;
use crate::work::work_error::WorkError;
use topoi_core::plot::text::escaped;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "gephi",
    help: "A folder of graphs: topics that occur together, topics with their words",
    ending: "-gephi",
    write: |model, output, _| write(model, output),
    spreads: false,
    compare: None,
};

/// Words of a topic in the graph of words.
const WORDS: usize = 30;
/// Words of a topic in its attributes.
const NAMED: usize = 10;

/// Writes `topics.gexf`, whose edges are the positive correlations of the topics' shares, and `topic_words.gexf`, whose
/// edges are the probabilities of the 30 most probable words of each topic. Nodes of topics have their shares and words.
///
/// # Source
/// GEXF 1.3, which Gephi 0.9.3 and later read.
fn write(model: &SavedModel<'_>, output: Output) -> Result<std::path::PathBuf, ExportError> {
    model.token_shares("gephi")?;
    let together = match correlations(model.store(), &model.run) {
        // A correlation is of two documents and more.
        Err(WorkError::NoDocuments { .. }) => {
            Array2::zeros((model.topics.len(), model.topics.len()))
        }
        found => found?.0,
    };
    let topics: Vec<Node> = (0..model.topics.len()).map(|topic| topic_node(model, topic)).collect();
    output.directory(|folder| {
        folder.file("topics.gexf", |sink| {
            let pairs =
                (0..topics.len()).flat_map(|one| (one + 1..topics.len()).map(move |to| (one, to)));
            let edges = pairs.filter(|&pair| together[pair] > 0.0);
            let edges =
                edges.map(|(one, to)| (topic_id(one), topic_id(to), together[(one, to)].min(1.0)));
            graph(sink, topics.iter(), edges)
        })?;
        folder.file("topic_words.gexf", |sink| {
            let words = || {
                let topics = model.topics.iter().enumerate();
                topics.flat_map(|(at, topic)| {
                    topic.words.iter().take(WORDS).map(move |&word| (at, word))
                })
            };
            let own: BTreeSet<usize> = words().map(|(_, (word, _))| word).collect();
            let tokens = model.tokens();
            let own: Vec<Node> =
                own.into_iter().map(|word| word_node(model, word, tokens)).collect();
            let edges = words().map(|(topic, (word, p))| (topic_id(topic), word_id(word), p));
            graph(sink, topics.iter().chain(&own), edges)
        })
    })
}

/// A topic or a word.
struct Node {
    id: String,
    label: String,
    kind: &'static str,
    /// Share of the tokens.
    share: f64,
    /// The most probable words of a topic.
    words: String,
}

fn topic_id(topic: usize) -> String {
    format!("t{topic}")
}

fn word_id(word: usize) -> String {
    format!("w{word}")
}

fn topic_node(model: &SavedModel<'_>, topic: usize) -> Node {
    let words = model.topics[topic].words.iter().take(NAMED);
    let words: Vec<&str> = words.map(|&(word, _)| model.words[word].as_str()).collect();
    Node {
        id: topic_id(topic),
        label: format!("{topic} {}", model.name(topic)),
        kind: "topic",
        share: model.topics[topic].shares.token_share.unwrap_or_default(),
        words: words.join(" "),
    }
}

fn word_node(model: &SavedModel<'_>, word: usize, tokens: f64) -> Node {
    Node {
        id: word_id(word),
        label: model.words[word].clone(),
        kind: "word",
        share: model.counts[word] as f64 / tokens,
        words: String::new(),
    }
}

fn graph<'a>(
    sink: &mut Sink,
    nodes: impl Iterator<Item = &'a Node>,
    edges: impl Iterator<Item = (String, String, f64)>,
) -> Result<(), ExportError> {
    sink.write(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <gexf xmlns=\"http://gexf.net/1.3\" xmlns:viz=\"http://gexf.net/1.3/viz\" version=\"1.3\">\n\
         <graph mode=\"static\" defaultedgetype=\"undirected\">\n\
         <attributes class=\"node\" mode=\"static\">\n\
         <attribute id=\"kind\" title=\"kind\" type=\"string\"/>\n\
         <attribute id=\"share\" title=\"token_share\" type=\"double\"/>\n\
         <attribute id=\"words\" title=\"words\" type=\"string\"/>\n\
         </attributes>\n<nodes>\n",
    )?;
    for Node { id, label, kind, share, words } in nodes {
        let mut text = format!("<node id=\"{id}\" label=\"{}\"><attvalues>", escaped(label));
        for (name, value) in
            [("kind", (*kind).into()), ("share", share.to_string()), ("words", escaped(words))]
        {
            // Writing to memory does not fail.
            let _ = write!(text, "<attvalue for=\"{name}\" value=\"{value}\"/>");
        }
        // Areas of circles are as shares; Gephi's usual size is 10.
        let size = 100.0 * share.sqrt();
        let _ = writeln!(text, "</attvalues><viz:size value=\"{size:.3}\"/></node>");
        sink.write(text)?;
    }
    sink.write("</nodes>\n<edges>\n")?;
    for (number, (from, to, weight)) in edges.enumerate() {
        sink.write(format!(
            "<edge id=\"{number}\" source=\"{from}\" target=\"{to}\" weight=\"{weight}\"/>\n"
        ))?;
    }
    sink.write("</edges>\n</graph>\n</gexf>\n")
}
