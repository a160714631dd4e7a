//! `search`.

use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use strum::VariantNames;

use crate::cli::bar::Bar;
use crate::cli::messages::say;
use crate::cli::output::{OutputFormat, print, print_list};
use crate::cli::remedy::explained;
use crate::cli::typed::arguments::{Printing, period};
use crate::cli::typed::citation::CitationArgs;
use crate::cli::typed::store_path::{self, StorePath};
use crate::records::found;
use crate::shown::{TerminalText, shown};
use topoi_core::fields::date::PeriodLength;
use topoi_core::numbers::{counted, thousands};
use topoi_core::progress::Progress;
use topoi_ingest::search::context::{ContextOrder, Contexts};
use topoi_ingest::search::making::{index_cost, make_index};
use topoi_ingest::search::{SearchOrder, SearchResults, Searcher};
use topoi_run::concordance::cited;
use topoi_run::concordance::usage::{counts_of_query, usage};
use topoi_run::groups::notes::not_grouped_lines;
use topoi_store::corpus::Corpus;
use topoi_store::search::expression::Expression;
use topoi_store::{Access, Store, StoreError};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Find documents by the words of their texts and by their fields
///
/// A query is words (all must be there) and "phrases", AND, OR, NOT, ( ), begin*, wom?n, oil NEAR/5 price, field:value
/// and year:1815..1816, such as 'market AND ("stock exchange" OR bank*) NOT year:2004'. Words are taken as the corpus's
/// ingest took them, but for stop words, short words and numbers, which are found too. The first search makes an index
/// in the store, which later ingests and deletions keep up.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Name of the corpus
    corpus: String,
    /// What to look for
    #[arg(required_unless_present = "index", value_name = "QUERY")]
    query: Vec<String>,
    /// Rows to print at most
    #[arg(long, default_value_t = 20)]
    limit: usize,
    /// List every occurrence in its context instead of documents
    #[arg(long)]
    kwic: bool,
    /// With --kwic, sort by the words before, by the words after, or not
    #[arg(long, value_name = "ORDER", requires = "kwic", default_value = "document",
          value_parser = order())]
    sort: ContextOrder,
    /// Count occurrences by the groups that this field makes, or over time
    #[arg(long, value_name = "FIELD", conflicts_with_all = ["kwic", "index", "width"])]
    by: Option<String>,
    /// With --by, what dates are put together by [default: year; month where there are fewer than 4 years]
    #[arg(long, value_name = "PERIOD", requires = "by", value_parser = period())]
    per: Option<PeriodLength>,
    #[command(flatten)]
    citation: CitationArgs,
    /// Letters of a snippet, or of each side of an occurrence [default: 100, 40 with --kwic]
    #[arg(long)]
    width: Option<usize>,
    /// Read all texts instead of making or using the index
    #[arg(long)]
    no_index: bool,
    /// Make the index, or what it lacks, and look for nothing
    #[arg(long, conflicts_with_all = ["query", "no_index"])]
    index: bool,
    /// Make the index anew
    #[arg(long, conflicts_with = "no_index")]
    rebuild: bool,
    #[command(flatten)]
    printing: Printing,
}

fn order() -> impl TypedValueParser<Value = ContextOrder> {
    PossibleValuesParser::new(ContextOrder::VARIANTS).try_map(|name| name.parse::<ContextOrder>())
}

/// How long the index may take without a message.
const PATIENCE: Duration = Duration::from_secs(2);

pub fn run(args: &Arguments, path: &StorePath) -> anyhow::Result<()> {
    let mut store = path.open(Access::Read)?;
    let corpus = store.corpus(&args.corpus)?;
    // Errors of the query are reported before an index is made for it.
    let searcher = Searcher::open(&store, &corpus)?;
    let query = args.query.join(" ");
    let what = if args.index { None } else { Some(searcher.parse(&query)?) };
    if args.rebuild {
        path.open(Access::Write)?.drop_search_index(corpus.id)?;
    }
    if !args.no_index && !store.is_indexed(&corpus)? {
        store = index(store, &corpus, path)?;
    }
    let Some(what) = what else { return Ok(()) };
    let mut searcher = Searcher::open(&store, &corpus)?;
    if args.no_index {
        searcher = searcher.without_index();
    }
    let format = args.printing.format();
    if let Some(field) = &args.by {
        return by_group(&store, &corpus, &searcher, &what, (field, args));
    }
    if args.kwic {
        let width = args.width.unwrap_or(40);
        let found = searcher.contexts(&what, args.sort, args.limit, width)?;
        if format != OutputFormat::Table {
            let rows = cited(&store, &corpus, found.rows, &args.citation.form())?;
            return Ok(print_list(&found::contexts(), &rows, format)?);
        }
        say(&TerminalText::line(&summary_of_contexts(&found)));
        return Ok(print(&aligned(&found, width))?);
    }
    let width = args.width.unwrap_or(100);
    let found = searcher.find(&what, SearchOrder::Relevance, args.limit, width)?;
    if format == OutputFormat::Table {
        say(&TerminalText::line(&summary(&found)));
    }
    Ok(print_list(&found::columns(), &found.documents, format)?)
}

/// Prints how often groups of documents have what was found.
fn by_group(
    store: &Store,
    corpus: &Corpus,
    searcher: &Searcher<'_>,
    what: &Expression,
    (field, args): (&str, &Arguments),
) -> anyhow::Result<()> {
    let ids = searcher.ids(what)?;
    let bar = Bar::titled(&shown!("{}", corpus.name), PATIENCE)?;
    let tell = |done, all| bar.step(done, Some(done as f64 / f64::max(all as f64, 1.0)));
    let counts = counts_of_query(store, searcher.tokenizer(), (what, &ids), &tell);
    bar.finish();
    let found = usage(store, corpus, &counts?, (field, args.per), None)?;
    print_list(&found::usage(field), &found.groups, args.printing.format())?;
    let lines = not_grouped_lines(&[(field, &found.rule)], &found.not_grouped);
    lines.iter().for_each(|line| say(&TerminalText::line(line)));
    Ok(())
}

/// Makes or completes the index, and announces its cost. If the store cannot be written, all texts are read instead.
fn index(store: Store, corpus: &Corpus, path: &StorePath) -> anyhow::Result<Store> {
    let cost = index_cost(&store, corpus)?;
    let mut writing = match store_path::open(path.path()?, Access::Write) {
        Ok(writing) => writing,
        Err(error @ (StoreError::CannotOpen { .. } | StoreError::Full(_))) => {
            say(&shown!("no index can be made, so all texts are read: {}", explained(&error)));
            return Ok(store);
        }
        Err(error) => return Err(error.into()),
    };
    if cost.seconds > PATIENCE.as_secs_f64() {
        say(&shown!(
            "making the search index of {}, once: about {} MB in the store, {:.0} s",
            corpus.name,
            thousands(cost.bytes / 1_000_000),
            cost.seconds
        ));
    }
    let bar = Bar::titled(&shown!("{}", corpus.name), PATIENCE)?;
    let made = make_index(&mut writing, corpus, &bar);
    bar.finish();
    made?;
    drop(store);
    path.open(Access::Read)
}

fn summary(found: &SearchResults) -> String {
    let shown = found.documents.len() as u64;
    let count = counted(found.total, "document");
    match (shown == found.total, found.order) {
        (true, _) => count,
        (false, SearchOrder::Relevance) => format!("{count}; the {shown} most relevant"),
        (false, SearchOrder::Document) => format!("{count}; the first {shown}"),
    }
}

fn summary_of_contexts(found: &Contexts) -> String {
    let shown = found.rows.len();
    let documents = counted(found.documents, "document");
    match found.total {
        Some(total) if total == shown as u64 => {
            format!("{} in {documents}", counted(total, "occurrence"))
        }
        Some(total) => {
            format!("{} in {documents}; the first {shown}", counted(total, "occurrence"))
        }
        None => format!("the first {shown} occurrences of those in {documents}"),
    }
}

/// The occurrences, aligned below each other.
fn aligned(found: &Contexts, width: usize) -> TerminalText {
    let widest = |text: fn(&topoi_ingest::search::context::Context) -> &str| {
        found.rows.iter().map(|row| text(row).width()).max().unwrap_or(0)
    };
    let (keys, hits) = (widest(|row| &row.key), widest(|row| &row.hit));
    let mut lines = String::new();
    for row in &found.rows {
        let left = last_cells(&row.left, width);
        let space = |cells: usize, text: &str| " ".repeat(cells.saturating_sub(text.width()));
        lines.push_str(&format!(
            "{}{}  {}{left} [{}]{} {}\n",
            row.key,
            space(keys, &row.key),
            space(width, left.as_str()),
            row.hit,
            space(hits, &row.hit),
            row.right.trim_start(),
        ));
    }
    TerminalText::text(&lines)
}

/// The end of a text, at most `cells` wide, without the blank before the hit.
fn last_cells(text: &str, cells: usize) -> String {
    let mut left = cells;
    let fits = |c: &char| {
        let width = c.width().unwrap_or(0);
        let fits = width <= left;
        left = left.saturating_sub(width);
        fits
    };
    let letters: Vec<char> = text.trim_end().chars().rev().take_while(fits).collect();
    letters.into_iter().rev().collect()
}
