//! `collocates`.

use std::time::Duration;

use crate::cli::bar::Bar;
use crate::cli::messages::say;
use crate::cli::output::{OutputFormat, print_list};
use crate::cli::typed::arguments::{Printing, RowLimit};
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::found;
use crate::shown::shown;
use topoi_core::numbers::{counted, thousands};
use topoi_core::progress::Progress;
use topoi_ingest::search::Searcher;
use topoi_run::concordance::collocates::{Window, collocates};
use topoi_store::Access;
use topoi_store::id::{RunId, TopicNumber};

/// List the words that are beside a word or phrase, in a corpus or within a topic
///
/// By the log-likelihood ratio G² (Dunning 1993), with MI³ beside it, which puts rare and sure companions first.
/// Words are the terms of the corpus, without stop words; windows are of all words.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Name of the corpus
    corpus: String,
    /// A word, a "phrase", or any query, as of `topoi search`
    #[arg(required = true, value_name = "QUERY")]
    query: Vec<String>,
    /// Words on each side of an occurrence
    #[arg(long, value_name = "WORDS", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=100))]
    span: u16,
    /// Sort by this measure
    #[arg(long, value_enum, default_value_t)]
    sort: Measure,
    /// Words with fewer tokens beside it are left out
    #[arg(long, value_name = "N", default_value_t = 3.0)]
    min_together: f64,
    /// Count documents as much as they are of this topic of --run
    #[arg(long, requires = "run")]
    topic: Option<TopicNumber>,
    /// The run of --topic
    #[arg(value_parser = run_reference(), long, requires = "topic")]
    run: Option<RunId>,
    #[command(flatten)]
    limit: RowLimit,
    #[command(flatten)]
    printing: Printing,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Measure {
    /// The log-likelihood ratio
    #[default]
    LogLikelihood,
    /// Mutual information with the tokens cubed
    Mi3,
    /// Tokens beside it
    Together,
}

/// How long the texts may take without a message.
const PATIENCE: Duration = Duration::from_secs(2);

pub fn run(args: &Arguments, path: &StorePath) -> anyhow::Result<()> {
    let store = path.open(Access::Read)?;
    let corpus = store.corpus(&args.corpus)?;
    let within = args.run.zip(args.topic);
    if let Some((run, _)) = within {
        let run = store.run(run)?;
        anyhow::ensure!(
            run.corpus_id == corpus.id,
            "run {} is of corpus {}; name that corpus, or another run",
            run.id,
            run.corpus
        );
    }
    let searcher = Searcher::open(&store, &corpus)?;
    let what = searcher.parse(&args.query.join(" "))?;
    anyhow::ensure!(
        !what.highlighted().is_empty(),
        "the query has no word of a text, beside which others could be"
    );
    let ids = searcher.ids(&what)?;
    let bar = Bar::titled(&shown!("{}", corpus.name), PATIENCE)?;
    let tell = |done, all| bar.step(done, Some(done as f64 / f64::max(all as f64, 1.0)));
    let window = Window { words: args.span.into(), documents: usize::MAX, within };
    let found = collocates(&store, &corpus, searcher.tokenizer(), (&what, &ids), window, &tell);
    bar.finish();
    let mut found = found?;
    found.rows.retain(|row| row.together >= args.min_together);
    match args.sort {
        Measure::LogLikelihood => {}
        Measure::Mi3 => found.rows.sort_by(|a, b| b.mi3.total_cmp(&a.mi3)),
        Measure::Together => found.rows.sort_by(|a, b| b.together.total_cmp(&a.together)),
    }
    let format = args.printing.format();
    let all = found.rows.len();
    found.rows.truncate(args.limit.rows(format));
    print_list(&found::collocates(), &found.rows, format)?;
    if format == OutputFormat::Table {
        let documents = counted(found.documents.0, "document");
        say(&shown!("{} occurrences in {documents}", thousands(found.occurrences)));
    }
    args.limit.say_what_is_left_out(format, all);
    Ok(())
}
