//! `keywords`.

use crate::cli::messages::say;
use crate::cli::output::print_list;
use crate::cli::typed::arguments::{Printing, period};
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::{Column, Kind};
use crate::shown::TerminalText;
use serde_json::json;
use topoi_core::fields::date::PeriodLength;
use topoi_run::groups::keywords::{GroupWord, Question, keywords, keywords_of_corpora};
use topoi_run::groups::notes::not_grouped_lines;
use topoi_store::corpus::Corpus;
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::{Access, Store};

/// List the words that distinguish groups of documents, over a corpus or within a topic
///
/// Words are ranked by the z-score of their log-odds ratio with an informative Dirichlet prior (Monroe, Colaresi
/// and Quinn 2008), a group against all others together.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Name of the corpus
    corpus: String,
    /// The field that makes the groups, as `topoi fields` lists it
    #[arg(long, value_name = "FIELD", required_unless_present = "against")]
    by: Option<String>,
    /// Another corpus: the words that distinguish the two
    #[arg(long, value_name = "CORPUS", conflicts_with_all = ["by", "topic", "run", "per", "condition"])]
    against: Option<String>,
    /// Count words within this topic of --run: as far as they are of it, by the topics of their documents
    #[arg(long, requires = "run")]
    topic: Option<TopicNumber>,
    /// The run of --topic
    #[arg(value_parser = run_reference(), long, requires = "topic")]
    run: Option<RunId>,
    /// What dates are put together by [default: year; month where there are fewer than 4 years]
    #[arg(long, value_name = "PERIOD",
          value_parser = period())]
    per: Option<PeriodLength>,
    /// Only documents for which this SQL condition on the table `document` holds
    #[arg(long = "where", value_name = "SQL")]
    condition: Option<String>,
    /// Tokens of the prior: the more, the fewer rare words
    #[arg(long, default_value_t = 1000.0, value_parser = above_zero)]
    prior: f64,
    /// Words of each group
    #[arg(long, value_name = "N", visible_alias = "words", default_value_t = 10)]
    limit: usize,
    #[command(flatten)]
    printing: Printing,
}

fn above_zero(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "it must be a number above 0".into())
}

pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let store = store.open(Access::Read)?;
    let corpus = store.corpus(&args.corpus)?;
    store.require_documents(&corpus)?;
    if let Some(other) = &args.against {
        return against(&store, &corpus, &store.corpus(other)?, args);
    }
    let by = args.by.clone().unwrap_or_default();
    let run = args.run.map(|run| store.run(run)).transpose()?;
    if let Some(run) = run.as_ref().filter(|run| run.corpus_id != corpus.id) {
        anyhow::bail!(
            "run {} is of corpus {}; name that corpus, or another run",
            run.id,
            run.corpus
        );
    }
    let question = Question {
        field: by.clone(),
        per: args.per,
        condition: args.condition.clone(),
        within: run.as_ref().zip(args.topic),
        prior: args.prior,
        words: args.limit,
    };
    let found = keywords(&store, &corpus, &question)?;
    let groups: Vec<String> = found.groups.iter().map(|(part, _)| part.to_string()).collect();
    print_list(&columns(by.clone(), groups), &found.words, args.printing.format())?;
    let lines = not_grouped_lines(&[(by.as_str(), &found.rule)], &found.not_grouped);
    lines.iter().for_each(|line| say(&TerminalText::line(line)));
    if found.groups.len() == 1 {
        say(&TerminalText::line("there is one group: nothing to differ from"));
    }
    Ok(())
}

/// The words that distinguish two corpora.
fn against(store: &Store, one: &Corpus, other: &Corpus, args: &Arguments) -> anyhow::Result<()> {
    anyhow::ensure!(one.id != other.id, "a corpus does not differ from itself; name another");
    store.require_documents(other)?;
    let found = keywords_of_corpora(store, (one, other), args.prior, args.limit)?.concat();
    let groups = vec![one.name.clone(), other.name.clone()];
    Ok(print_list(&columns("corpus".into(), groups), &found, args.printing.format())?)
}

/// The columns of words, the first with the names of their groups.
fn columns(first: String, groups: Vec<String>) -> Vec<Column<GroupWord>> {
    let measure = |name: &'static str, value: fn(&GroupWord) -> f64| {
        Column::new(name, Kind::Measure, move |row: &GroupWord| json!(value(row)))
    };
    vec![
        Column::new(first, Kind::Text, move |row: &GroupWord| json!(groups[row.group])),
        Column::new("rank", Kind::Number, |row: &GroupWord| json!(row.rank)),
        Column::new("word", Kind::Text, |row: &GroupWord| json!(row.word)),
        measure("here", |row| row.here),
        measure("there", |row| row.there),
        measure("log_odds", |row| row.log_odds),
        measure("z", |row| row.z),
    ]
}
