//! `plot`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use clap::builder::PossibleValuesParser;
use serde::Serialize;

use crate::cli::bar::Bar;
use crate::cli::destination::FigureFile;
use crate::cli::output::{OutputFormat, print_outcome};
use crate::cli::reporting::effects_arguments::RegressionArguments;
use crate::cli::reporting::saving::SaveArgument;
use crate::cli::saved::topics::finished_topics;
use crate::cli::typed::arguments::period;
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use crate::shown::shown;
use topoi_core::fields::date::PeriodLength;
use topoi_core::formula::linear_proportions::ShareEstimate;
use topoi_core::plot::figure::Figure;
use topoi_core::shell_word::shell_word;
use topoi_run::choose_k::sweep::sweep as sweep_of;
use topoi_run::export::figures::correlations::correlations as correlations_figure;
use topoi_run::export::figures::effects::EffectsFigure;
use topoi_run::export::figures::groups::{self, MAX_GROUPS, MAX_LINES};
use topoi_run::export::figures::map::map;
use topoi_run::export::figures::{TopicSummary, shares, sweep};
use topoi_run::groups::by::{Question, Weight, by};
use topoi_run::groups::correlations::correlations;
use topoi_run::groups::effects as regression;
use topoi_run::groups::notes::notes;
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::result::saved_result::ResultContent;
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// Number of words below the label of a topic, and in place of a label.
const WORDS: (usize, usize) = (6, 3);
/// Number of values along a field at which shares are predicted.
const PLACES: usize = 24;
/// How long the work may take before progress is shown.
const PATIENCE: Duration = Duration::from_millis(500);

/// Draw a figure of a run as SVG, PDF or PNG: shares of topics, groups, time, effects, documents, numbers of topics
///
/// Without a choice, the shares of all topics. With --by, topics in groups of documents: all as a heat map, one
/// (--topic) as bars, over time as lines with their bands, and by a date and another field a line for each of its
/// values. Intervals are of 95% and made as docs/reference/fields.md says.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The run's number, as `topoi runs` lists it
    #[arg(value_parser = run_reference())]
    run: RunId,
    /// The file to write, as .svg, .pdf or .png [default: run-RUN.svg in the working directory; with --save none]
    #[arg(short = 'o', long, value_name = "FILE")]
    into: Option<PathBuf>,
    /// Take the letters of a PDF or PNG from this font (TrueType or OpenType) where it has them
    #[arg(long, value_name = "FILE")]
    font: Option<PathBuf>,
    /// Replace the file that is there
    #[arg(long)]
    force: bool,
    /// The fields that make the groups, as `topoi fields` lists them; with --along, a line for each value of a
    /// field of the formula
    #[arg(long, value_name = "FIELD,FIELD", value_delimiter = ',', conflicts_with = "by_k")]
    by: Vec<String>,
    /// Regress the shares of --topic on fields, such as "~ party + s(year)", and draw the effects, or what is asked
    /// for with --contrast or --marginal
    #[arg(long, value_name = "FORMULA", requires = "topic", conflicts_with = "by_k")]
    effects: Option<String>,
    /// With --effects, the shares predicted along the values of this field in place of the coefficients
    #[arg(long, value_name = "FIELD", requires = "effects", conflicts_with_all = ["contrast", "marginal"])]
    along: Option<String>,
    #[command(flatten)]
    regression: RegressionArguments,
    /// The topics as a graph, joined where they occur in the same documents
    #[arg(long, conflicts_with_all = ["by", "effects", "by_k", "topic", "condition"])]
    correlations: bool,
    /// The documents as points in a plane, near each other where their imported vectors are, coloured by their largest
    /// topics
    #[arg(long, conflicts_with_all = ["by", "effects", "by_k", "topic", "condition", "correlations"])]
    map: bool,
    /// A metric, such as npmi, by the number of topics, over the runs of this one's corpus, model and vocabulary
    #[arg(long, value_name = "METRIC")]
    by_k: Option<String>,
    /// Only these topics
    #[arg(long, value_name = "TOPIC", value_delimiter = ',', conflicts_with = "by_k")]
    topic: Vec<TopicNumber>,
    /// With --by, what documents weigh: each the same, or as many tokens as they have
    #[arg(long, value_name = "WHAT", default_value = "documents",
          value_parser = PossibleValuesParser::new(["documents", "tokens"]))]
    weight: String,
    /// With --by, what dates are put together by [default: year; month where there are fewer than 4 years]
    #[arg(long, value_name = "PERIOD", requires = "by",
          value_parser = period())]
    per: Option<PeriodLength>,
    /// Only documents for which this SQL condition on the table `document` holds, with --by or --effects
    #[arg(long = "where", value_name = "SQL")]
    condition: Option<String>,
    /// Groups to draw at most, those of most documents
    #[arg(long, value_name = "N", default_value_t = MAX_GROUPS as u64,
          value_parser = clap::value_parser!(u64).range(1..=1000))]
    most: u64,
    /// What stands above the figure [default: what it shows]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    #[command(flatten)]
    save: SaveArgument,
    /// How to print what was written [default: table]
    #[arg(long, value_enum, default_value_t)]
    output: OutputFormat,
}

/// The outcome: a figure that was written.
#[derive(Serialize)]
struct WrittenFigure {
    run: RunId,
    written: String,
}

pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let file = FigureFile::new(args.into.as_deref(), args.font.as_deref())?;
    let store = args.save.open(store)?;
    let is_of_shares =
        args.by.is_empty() && args.effects.is_none() && !args.correlations && !args.map;
    let words = if is_of_shares { WORDS.0 } else { WORDS.1 };
    let topics = finished_topics(&store, args.run, words)?;
    let topics: Vec<TopicSummary> = topics.iter().map(TopicSummary::from).collect();
    let run = store.run(args.run)?;
    args.check_regression()?;
    if let Some(&topic) =
        args.topic.iter().find(|topic| **topic >= TopicNumber::from_index(topics.len()))
    {
        return Err(StoreError::UnknownTopic { run: run.id, topic }.into());
    }
    let figure = if let Some(metric) = &args.by_k {
        by_k(args, &store, &run, metric)?
    } else if args.map {
        map_figure(args, &store, &run, &topics)?
    } else if args.correlations {
        let (found, documents) = correlations(&store, &run)?;
        let title = args.title(|| format!("Topics that occur together (run {})", run.id));
        correlations_figure(&title, &topics, (&found, documents))
    } else if let Some(formula) = &args.effects {
        effects_figure(args, &store, &run, (formula, &topics))?
    } else if args.by.is_empty() {
        shares_figure(args, &run, &topics)?
    } else {
        groups_figure(args, &store, &run, &topics)?
    };
    args.save.save(&store, run.id, figure.title(), &ResultContent::Figure(figure.file()))?;
    if args.save.is_wanted() && args.into.is_none() {
        return Ok(());
    }
    let place = args.into.clone().unwrap_or_else(|| format!("run-{}.svg", run.id).into());
    let Some(written) = file.write(&place, &figure.file(), args.force)? else { return Ok(()) };
    let name = |path: &Path| path.to_string_lossy().into_owned();
    let drawn = WrittenFigure { run: run.id, written: name(&written) };
    let text = shown!("{} is drawn in {}\n", figure.title(), written.display());
    let columns = columns!(WrittenFigure: run, written);
    Ok(print_outcome(&drawn, &columns, &text, args.output)?)
}

impl Arguments {
    /// Refuses settings of regressions without one.
    fn check_regression(&self) -> anyhow::Result<()> {
        match &self.effects {
            None if self.regression.is_set() => {
                bail!(
                    "--at, --contrast, --marginal, --cluster, --absorb, --weights and --spread are for --effects"
                )
            }
            Some(_) if !self.by.is_empty() && self.along.is_none() => {
                bail!(
                    "with --effects, --by draws a line for each value along a field; name it with --along"
                )
            }
            _ => Ok(()),
        }
    }

    fn title(&self, usual: impl FnOnce() -> String) -> String {
        self.title.clone().unwrap_or_else(usual)
    }
}

fn shares_figure(args: &Arguments, run: &Run, topics: &[TopicSummary]) -> anyhow::Result<Figure> {
    if args.condition.is_some() {
        bail!(
            "--where chooses documents for --by and --effects; shares of topics are those of the whole corpus"
        );
    }
    if args.regression.shares.shares != ShareEstimate::default() {
        bail!("--shares is for --by and --effects; shares of topics alone are those of the run");
    }
    let chosen: Vec<TopicSummary> = topics
        .iter()
        .zip((0..).map(TopicNumber))
        .filter(|(_, number)| args.topic.is_empty() || args.topic.contains(number))
        .map(|(topic, _)| topic.clone())
        .collect();
    Ok(shares(&args.title(|| format!("Topics of {} (run {})", run.corpus, run.id)), &chosen))
}

fn map_figure(
    args: &Arguments,
    store: &Store,
    run: &Run,
    topics: &[TopicSummary],
) -> anyhow::Result<Figure> {
    if args.regression.shares.shares != ShareEstimate::default() {
        bail!("--shares is for --by and --effects; a map shows the largest topic of each document");
    }
    let corpus = store.corpus_by_id(run.corpus_id)?;
    let title = args.title(|| format!("Documents of {} (run {})", run.corpus, run.id));
    let figure = map(store, (run, &corpus), &title, topics)?;
    figure.ok_or_else(|| {
        anyhow::anyhow!(
            "no document of run {} has a vector; import vectors of {} with `topoi import FILE --corpus {} --from \
             embeddings`",
            run.id,
            corpus.name,
            shell_word(&corpus.name)
        )
    })
}

fn groups_figure(
    args: &Arguments,
    store: &Store,
    run: &Run,
    topics: &[TopicSummary],
) -> anyhow::Result<Figure> {
    let question = Question {
        fields: args.by.clone(),
        topic: if let [topic] = args.topic[..] { Some(topic) } else { None },
        weight: if args.weight == "tokens" { Weight::Tokens } else { Weight::Documents },
        per: args.per,
        condition: args.condition.clone(),
        shares: args.regression.shares.shares,
    };
    let answer = by(store, run, &question)?;
    if answer.is_over_time() && args.topic.len() > MAX_LINES {
        bail!(
            "a figure has room for {MAX_LINES} lines; name fewer topics with --topic, or none for all as a heat map"
        );
    }
    let title = args.title(|| groups::title(&answer, topics, &args.topic, run.id));
    let mut notes = notes(&answer, run);
    if let Some(condition) = &args.condition {
        notes.insert(0, format!("Only documents where {condition}"));
    }
    let shown = groups::FigureRequest {
        title,
        topics,
        chosen: args.topic.clone(),
        max_groups: args.most as usize,
        notes,
        is_dense: false,
    };
    Ok(groups::figure(&answer, &shown))
}

fn effects_figure(
    args: &Arguments,
    store: &Store,
    run: &Run,
    (formula, topics): (&str, &[TopicSummary]),
) -> anyhow::Result<Figure> {
    let mut question = args.regression.question(formula, &args.topic, args.condition.as_ref())?;
    question.along = args.along.clone().map(|field| (field, PLACES));
    question.by.clone_from(&args.by);
    question.most_by = MAX_LINES;
    let chosen: Vec<(TopicNumber, &TopicSummary)> =
        args.topic.iter().map(|&topic| (topic, &topics[topic.index()])).collect();
    let bar = Bar::titled(&shown!("effects on the topics of run {}", run.id), PATIENCE)?;
    let answer = regression::effects(store, run, &question, &bar);
    bar.finish();
    let answer = answer?;
    let lines = answer.lines();
    if args.along.is_some() && lines > MAX_LINES {
        bail!(
            "this figure has room for {MAX_LINES} lines, and {lines} are asked for; name fewer topics or values"
        );
    }
    let figure = EffectsFigure {
        title: args.title.clone(),
        formula,
        condition: args.condition.as_deref(),
        topics: &chosen,
    };
    Ok(match &args.along {
        Some(along) => figure.along(&answer, along),
        None => figure.estimates(&answer),
    })
}

fn by_k(args: &Arguments, store: &Store, run: &Run, metric: &str) -> anyhow::Result<Figure> {
    let found = sweep_of(store, &store.runs()?, run)?;
    let known = found.as_ref().map_or(&[][..], |found| &found.metrics);
    let Some((found, metric)) = found.as_ref().zip(known.iter().find(|known| known.name == metric))
    else {
        let names: Vec<&str> = known.iter().map(|metric| metric.name.as_str()).collect();
        bail!(
            "the runs like run {} have no metric {metric:?}; they have {}",
            run.id,
            names.join(", ")
        );
    };
    Ok(sweep::metric_by_k(args.title.as_deref(), found, metric))
}
