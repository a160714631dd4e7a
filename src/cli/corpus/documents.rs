//! `documents`.

use std::collections::{BTreeSet, HashMap};
use std::ops::Bound;

use crate::cli::output::{OutputFormat, print_list, print_rows, rows_of};
use crate::cli::rows::RowPrinter;
use crate::cli::typed::arguments::{Printing, RowLimit};
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::documents;
use topoi_ingest::search::Searcher;
use topoi_run::saved::passages::Passages;
use topoi_run::saved::topics::topic_documents;
use topoi_store::corpus::Corpus;
use topoi_store::corpus::delete::DocumentChoice;
use topoi_store::id::{DocumentId, RunId, TopicNumber};
use topoi_store::result::topic_document::TopicDocument;
use topoi_store::run::Run;
use topoi_store::{Access, Store};

/// List a corpus's documents, or those that are most about a topic
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Name of the corpus
    corpus: String,
    #[command(flatten)]
    limit: RowLimit,
    /// Only documents of which this SQL is true, such as "fields->>'year' < 1990"; the columns are
    /// those of `document` in schema/README.md
    #[arg(long = "where", value_name = "SQL")]
    condition: Option<String>,
    /// Only documents for which this query of `topoi search` holds
    #[arg(long, value_name = "QUERY")]
    search: Option<String>,
    /// List those that are most about a topic of this run
    #[arg(value_parser = run_reference(), long, requires = "topic")]
    run: Option<RunId>,
    /// The topic, 0 to K − 1
    #[arg(long, requires = "run")]
    topic: Option<TopicNumber>,
    /// Also the passage of each in which the topic's words are closest together
    #[arg(long, requires = "topic")]
    passages: bool,
    #[command(flatten)]
    printing: Printing,
}

pub fn run(arguments: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let store = store.open(Access::Read)?;
    let corpus = store.corpus(&arguments.corpus)?;
    store.require_documents(&corpus)?;
    let chosen = chosen(&store, &corpus, arguments)?;
    let chosen = chosen.as_ref();
    if let (Some(run), Some(topic)) = (arguments.run, arguments.topic) {
        return list_topic(&store, arguments, run, topic, chosen);
    }
    let format = arguments.printing.format();
    let all = chosen.map_or(usize::try_from(corpus.documents)?, BTreeSet::len);
    list(&store, &corpus, chosen, (arguments.limit.rows(format), format))?;
    arguments.limit.say_what_is_left_out(format, all);
    Ok(())
}

/// Words of a topic that passages are looked for with.
const WORDS: usize = 30;
/// Documents that are read at once.
const PAGE: usize = 1000;

fn list(
    store: &Store,
    corpus: &Corpus,
    chosen: Option<&BTreeSet<DocumentId>>,
    (limit, format): (usize, OutputFormat),
) -> anyhow::Result<()> {
    let has_chunks = store.has_chunks(corpus.id)?;
    let (mut after, mut left, mut rows) = (DocumentId::default(), limit, None);
    loop {
        let count = left.min(PAGE);
        let found = match chosen {
            None => store.documents(corpus.id, after, count)?,
            Some(ids) => {
                let next = ids
                    .range((Bound::Excluded(after), Bound::Unbounded))
                    .take(count)
                    .map(|&id| store.document(id));
                next.filter_map(Result::transpose).collect::<Result<Vec<_>, _>>()?
            }
        };
        let mut columns = documents::columns();
        if has_chunks {
            columns.extend(documents::chunk_columns(store.chunks_among(&found)?));
        }
        let rows = rows.get_or_insert_with(|| rows_of(&columns, format));
        if !print_rows(rows, &columns, &found, format)? {
            return Ok(());
        }
        let Some(last) = found.last().filter(|_| count > 0) else { break };
        (after, left) = (last.id, left - found.len());
    }
    rows.map(RowPrinter::end).transpose()?;
    Ok(())
}

/// The ids that match the conditions, ascending; `None` without a condition.
fn chosen(
    store: &Store,
    corpus: &Corpus,
    arguments: &Arguments,
) -> anyhow::Result<Option<BTreeSet<DocumentId>>> {
    let by_sql = match &arguments.condition {
        Some(condition) => {
            Some(store.select_documents(&corpus.name, DocumentChoice::Where(condition))?)
        }
        None => None,
    };
    let by_words = match &arguments.search {
        Some(query) => {
            let searcher = Searcher::open(store, corpus)?;
            Some(searcher.ids(&searcher.parse(query)?)?)
        }
        None => None,
    };
    let set = |ids: Vec<DocumentId>| ids.into_iter().collect::<BTreeSet<DocumentId>>();
    Ok(match (by_sql.map(set), by_words.map(set)) {
        (Some(one), Some(other)) => Some(one.intersection(&other).copied().collect()),
        (one, other) => one.or(other),
    })
}

fn list_topic(
    store: &Store,
    arguments: &Arguments,
    run: RunId,
    topic: TopicNumber,
    chosen: Option<&BTreeSet<DocumentId>>,
) -> anyhow::Result<()> {
    let row = store.run(run)?;
    if row.corpus != arguments.corpus {
        anyhow::bail!("run {run} is of corpus {}; name that corpus, or another run", row.corpus);
    }
    let format = arguments.printing.format();
    let all = usize::try_from(store.corpus(&row.corpus)?.documents)?;
    let limit = arguments.limit.rows(format).min(all);
    // Conditions select from all documents of the topic, not from the first.
    let count = if chosen.is_some() { all } else { limit };
    let mut found = topic_documents(store, &row, topic, count)?;
    if let Some(chosen) = chosen {
        found.retain(|found| chosen.contains(&found.document.id));
        found.truncate(limit);
    }
    let mut columns = documents::topic_columns();
    if arguments.passages {
        columns.push(documents::passage_column(passages(store, &row, topic, &found)?));
    }
    Ok(print_list(&columns, &found, format)?)
}

/// The passages of documents of a topic, without those of no text.
fn passages(
    store: &Store,
    run: &Run,
    topic: TopicNumber,
    found: &[TopicDocument],
) -> anyhow::Result<HashMap<DocumentId, String>> {
    let topics = store.topics(run.id, WORDS)?;
    let words = topics.iter().find(|each| each.topic == topic).map(|topic| &topic.words[..]);
    let words: Vec<&str> =
        words.unwrap_or_default().iter().map(|word| word.word.as_str()).collect();
    let passages = Passages::new(store, run.corpus_id)?;
    let mut texts = HashMap::with_capacity(found.len());
    for found in found {
        let pieces = passages.densest(found.document.id, &words)?;
        if !pieces.is_empty() {
            let text = pieces.into_iter().map(|piece| piece.text).collect();
            texts.insert(found.document.id, text);
        }
    }
    Ok(texts)
}
