//! `methods`.

use serde_json::{Value, json};

use crate::cli::output::{print, print_json};
use crate::cli::saved::topics::finished_topics;
use crate::cli::typed::arguments::RunNumber;
use crate::cli::typed::store_path::StorePath;
use crate::records::runs::settings_in_words;
use crate::shown::TerminalText;
use topoi_core::metric::run_process::{DOCUMENTS_LEFT_OUT, DOCUMENTS_USED, SWEEPS, TOKENS_USED};
use topoi_core::model::lda_gibbs::Settings as LdaGibbs;
use topoi_core::model::refine::BETA;
use topoi_core::model::topic_model::TopicModel;
use topoi_core::numbers::{counted, thousands, with_error};
use topoi_run::request::RunRequest;
use topoi_store::Access;
use topoi_store::corpus::Corpus;
use topoi_store::run::Run;

/// Write the paragraph of a paper that says how a run was made, with what to cite
///
/// It has the model, K, the documents and words, settings, seed, versions and hashes: what another reader needs to
/// make the same run. As Markdown; as JSON with --output json.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    described: RunNumber,
}

pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let store = store.open(Access::Read)?;
    finished_topics(&store, args.described.run, 1)?;
    let run = store.run(args.described.run)?;
    let corpus = store.corpus_by_id(run.corpus_id)?;
    let metric = |name: &str| store.run_metric(run.id, name);
    let counts = [DOCUMENTS_USED.id, TOKENS_USED.id, DOCUMENTS_LEFT_OUT.id].map(metric);
    let [documents, tokens, left_out] = counts;
    let counts = [documents?, tokens?, left_out?].map(Option::unwrap_or_default);
    let npmi = metric("npmi")?;
    let sweeps = metric(SWEEPS.id)?;
    let paragraph = paragraph(&run, &corpus, counts, npmi, sweeps);
    let model = RunRequest::from_run(&run)?;
    let sampler = sweeps.map_or("", |_| LdaGibbs::CARD.reference);
    let references: Vec<&str> = [model.origin.card().reference, sampler, TOPOI]
        .into_iter()
        .filter(|one| !one.is_empty())
        .collect();
    let format = args.described.printing.format();
    if format.is_json() {
        let told = json!({ "run": run.id, "paragraph": paragraph, "references": references });
        return Ok(print_json(&told, format)?);
    }
    let list: String = references.iter().map(|reference| format!("- {reference}\n")).collect();
    Ok(print(&TerminalText::text(&format!("{paragraph}\n\n{list}")))?)
}

/// What to cite for the program itself.
const TOPOI: &str = concat!(
    "topoi ",
    env!("CARGO_PKG_VERSION"),
    ". A topic-model workbench for large text collections."
);

fn paragraph(
    run: &Run,
    corpus: &Corpus,
    counts: [f64; 3],
    npmi: Option<f64>,
    sweeps: Option<f64>,
) -> String {
    let [documents, tokens, left_out] = counts.map(|count| thousands(count as i64));
    let mut text = format!(
        "{} topics were estimated by the model {} with topoi {} and the random seed {}, from {documents} documents of the corpus \
         \"{}\" with {tokens} tokens of the vocabulary",
        run.k, run.model, run.program_version, run.seed, run.corpus
    );
    text += &match left_out.as_str() {
        "0" => ". ".to_string(),
        some => format!("; {some} documents without enough of them were left out. "),
    };
    text += &format!("Words: {}. ", words(&corpus.settings));
    if let Some(settings) = settings_in_words(run) {
        text += &format!("Settings: {settings}. ");
    }
    if let Some(sweeps) = sweeps {
        text += &format!(
            "From these topics {sweeps} sweeps of a Gibbs sampler (Griffiths and Steyvers 2004, β = {BETA}) followed. "
        );
    }
    if let Some(npmi) = npmi {
        text += &format!("The mean coherence (NPMI) of the topics is {}. ", with_error(npmi, None));
    }
    let hash = |hash: &Option<Vec<u8>>| -> String {
        hash.iter().flatten().map(|byte| format!("{byte:02x}")).collect()
    };
    text += &format!(
        "The documents have the hash {}, the result the hash {}; `topoi verify {}` repeats it to the bit.",
        hash(&run.corpus_hash),
        hash(&run.result_hash),
        run.id
    );
    text
}

/// How texts became words, from the settings of a corpus.
fn words(settings: &str) -> String {
    let settings: Value = serde_json::from_str(settings).unwrap_or_default();
    let Some(tokens) = settings["tokens"].as_object() else {
        return "counts as they were given".into();
    };
    let one = |(name, value): (&String, &Value)| {
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Null | Value::Bool(false) => return None,
            Value::Bool(true) => return Some(name.replace('_', " ")),
            Value::Array(all) => counted_list(all.len()),
            Value::Object(all) => match (all.get("names"), all.get("words")) {
                (Some(Value::String(names)), Some(Value::Array(words))) => {
                    format!("{names} ({})", counted(words.len() as u64, "word"))
                }
                _ => counted_list(all.len()),
            },
            other => other.to_string(),
        };
        Some(format!("{} {value}", name.replace('_', " ")))
    };
    // It decides what warnings say, and not what words are.
    let described = tokens.iter().filter(|(name, _)| *name != "keeps_stop_words");
    described.filter_map(one).collect::<Vec<_>>().join(", ")
}

fn counted_list(length: usize) -> String {
    format!("a list of {length}")
}
