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
use topoi_run::groups::keywords::{GroupWord, Question, keywords};
use topoi_run::groups::notes::not_grouped_lines;
use topoi_store::Access;
use topoi_store::id::{RunId, TopicNumber};

/// List the words that distinguish groups of documents, over a corpus or within a topic
///
/// Words are ranked by the z-score of their log-odds ratio with an informative Dirichlet prior (Monroe, Colaresi
/// and Quinn 2008), a group against all others together.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Name of the corpus
    corpus: String,
    /// The field that makes the groups, as `topoi fields` lists it
    #[arg(long, value_name = "FIELD")]
    by: String,
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
    let run = args.run.map(|run| store.run(run)).transpose()?;
    if let Some(run) = run.as_ref().filter(|run| run.corpus_id != corpus.id) {
        anyhow::bail!(
            "run {} is of corpus {}; name that corpus, or another run",
            run.id,
            run.corpus
        );
    }
    let question = Question {
        field: args.by.clone(),
        per: args.per,
        condition: args.condition.clone(),
        within: run.as_ref().zip(args.topic),
        prior: args.prior,
        words: args.limit,
    };
    let found = keywords(&store, &corpus, &question)?;
    let groups: Vec<String> = found.groups.iter().map(|(part, _)| part.to_string()).collect();
    let group = move |row: &GroupWord| json!(groups[row.group]);
    let measure = |name: &'static str, value: fn(&GroupWord) -> f64| {
        Column::new(name, Kind::Measure, move |row: &GroupWord| json!(value(row)))
    };
    let columns = vec![
        Column::new(args.by.clone(), Kind::Text, group),
        Column::new("rank", Kind::Number, |row: &GroupWord| json!(row.rank)),
        Column::new("word", Kind::Text, |row: &GroupWord| json!(row.word)),
        measure("here", |row| row.here),
        measure("there", |row| row.there),
        measure("log_odds", |row| row.log_odds),
        measure("z", |row| row.z),
    ];
    print_list(&columns, &found.words, args.printing.format())?;
    let lines = not_grouped_lines(&[(args.by.as_str(), &found.rule)], &found.not_grouped);
    lines.iter().for_each(|line| say(&TerminalText::line(line)));
    if found.groups.len() == 1 {
        say(&TerminalText::line("there is one group: nothing to differ from"));
    }
    Ok(())
}
