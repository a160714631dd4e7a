//! `label`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::label_with::TopicToName;
use super::topics::finished_topics;
use crate::cli::bar::Line;
use crate::cli::output::{OutputFormat, print_json, print_list};
use crate::cli::typed::arguments::{Printing, person};
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::{Column, Kind, columns};
use crate::shown::shown;
use topoi_core::csv_cell::from_spreadsheet;
use topoi_core::model::topic_model::TopicLabel;
use topoi_core::numbers::counted;
use topoi_run::naming::{ProposedNames, proposed_names};
use topoi_run::user::{parse_name, user_name};
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::{Access, Store, StoreError};

/// Name topics of a run: one, all that a file names, or those that another program finds names for
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The run's number, as `topoi runs` lists it
    #[arg(value_parser = run_reference())]
    run: RunId,
    /// The topic's number
    #[arg(required_unless_present_any = ["from", "with", "propose"])]
    topic: Option<TopicNumber>,
    /// The topic's name
    #[arg(required_unless_present_any = ["from", "remove", "with", "propose"], conflicts_with = "remove")]
    name: Option<String>,
    /// Take the topic's name away
    #[arg(long)]
    remove: bool,
    /// Name the topics of this CSV file with the columns `topic` and `label`, such as
    /// `topoi topics RUN --output csv` prints; an empty label takes the name away
    #[arg(long, value_name = "FILE", conflicts_with_all = ["topic", "name", "remove"])]
    from: Option<PathBuf>,
    /// Propose names for the topics, and give none: phrases that set their clearest documents apart, and titles of these
    #[arg(long, conflicts_with_all = ["topic", "name", "from", "remove"])]
    propose: bool,
    /// Ask this shell command for the name of the topic, or of every topic without one: it reads words and documents of
    /// a topic as JSON and prints a name. Nothing is sent anywhere but to it
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["name", "from", "remove", "propose"])]
    with: Option<String>,
    /// Print what the command would read, a line for each topic, and start nothing
    #[arg(long, requires = "with")]
    dry_run: bool,
    /// Stop the command after this many seconds with a topic
    #[arg(long, value_name = "N", requires = "with", default_value_t = 60,
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    limit_seconds: u64,
    /// Who names it [default: the user's name; of --from its column `labelled_by`, of --with the command]
    #[arg(long, value_name = "NAME", value_parser = person, conflicts_with_all = ["with", "propose", "remove"])]
    by: Option<String>,
    #[command(flatten)]
    printing: Printing,
}

/// Phrases that are proposed for a topic.
const PROPOSED: usize = 4;
/// Maximum length of a label in bytes.
const LONGEST: usize = 500;
/// Maximum bytes of a file of labels.
const LARGEST_FILE: u64 = 16 << 20;

/// A topic's label before and after.
#[derive(Serialize)]
struct Labelled {
    topic: TopicNumber,
    label: Option<String>,
    labelled_by: Option<String>,
    before: Option<String>,
}

/// A line of a file of labels.
#[derive(Deserialize)]
struct FileLine {
    topic: TopicNumber,
    label: String,
    /// Who gave it.
    #[serde(default)]
    labelled_by: String,
}

/// Labels that topics are to have; `None` takes one away.
type WantedLabels = BTreeMap<TopicNumber, Option<TopicLabel>>;

pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    if args.propose {
        return propose(args, store);
    }
    if let Some(command) = &args.with {
        return with_command(args, command, store);
    }
    let wanted = match (&args.from, args.topic) {
        (Some(file), _) => from_file(file, args.by.as_deref())?,
        (None, Some(topic)) => {
            let by = args.by.clone().unwrap_or_else(user_name);
            BTreeMap::from([(topic, label(args.name.as_deref(), by)?)])
        }
        (None, None) => BTreeMap::new(),
    };
    let mut store = store.open(Access::Write)?;
    store.run(args.run)?;
    set_labels(&mut store, args, wanted)
}

/// Prints names that topics could be given.
fn propose(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let store = store.open(Access::Read)?;
    finished_topics(&store, args.run, 1)?;
    let run = store.run(args.run)?;
    let found = proposed_names(&store, &run, PROPOSED)?;
    let format = args.printing.format();
    if format.is_json() {
        return Ok(print_json(&found, format)?);
    }
    let mut columns = columns!(ProposedNames: topic, proposed);
    columns.push(Column::new("also", Kind::Text, |of: &ProposedNames| {
        let others = of.phrases.iter().skip(1).map(|other| other.phrase.as_str());
        others.collect::<Vec<_>>().join(", ").into()
    }));
    columns
        .push(Column::new("titles", Kind::Text, |of: &ProposedNames| of.titles.join("; ").into()));
    Ok(print_list(&columns, &found, format)?)
}

/// Saves labels and prints what they were before.
fn set_labels(store: &mut Store, args: &Arguments, wanted: WantedLabels) -> anyhow::Result<()> {
    let before = store.topic_labels(args.run)?;
    let text = |label: &Option<TopicLabel>| label.as_ref().map(|label| label.text.clone());
    let named = |(&topic, label): (&TopicNumber, &Option<TopicLabel>)| Labelled {
        topic,
        label: text(label),
        labelled_by: label.as_ref().and_then(|label| label.by.clone()),
        before: before.get(topic.index()).and_then(text),
    };
    let rows: Vec<Labelled> = wanted.iter().map(named).collect();
    store.set_topic_labels(args.run, wanted)?;
    let columns = columns!(Labelled: topic, label, labelled_by, before);
    Ok(print_list(&columns, &rows, args.printing.format())?)
}

/// Names topics by what a command prints for each. Those that it finds names for are saved, whatever becomes of others.
fn with_command(args: &Arguments, command: &str, store: &StorePath) -> anyhow::Result<()> {
    let access = if args.dry_run { Access::Read } else { Access::Write };
    let mut store = store.open(access)?;
    let all = finished_topics(&store, args.run, TopicToName::words())?;
    if let Some(topic) = args.topic {
        anyhow::ensure!(
            topic.index() < all.len(),
            StoreError::UnknownTopic { run: args.run, topic }
        );
    }
    let topics = TopicToName::from_run(&store, args.run, all, args.topic)?;
    anyhow::ensure!(
        !topics.is_empty(),
        "every topic of run {} has a name; give the number of the topic to name anew",
        args.run
    );
    if args.dry_run {
        return Ok(print_json(&topics, OutputFormat::JsonLines)?);
    }
    let limit = Duration::from_secs(args.limit_seconds);
    let by: String = command.trim().chars().take(LONGEST).collect();
    let line = Line::new("{prefix} {wide_bar} {pos} of {len}, {eta} left", topics.len() as u64);
    line.set_title(&shown!("names of topics"));
    let (mut found, mut without) = (BTreeMap::new(), Vec::new());
    for (done, topic) in (1..).zip(&topics) {
        let name = topic.named_by(command, limit);
        match name
            .and_then(|name| label(Some(&name), by.clone()).map_err(|error| error.to_string()))
        {
            Ok(name) => drop(found.insert(topic.topic(), name)),
            Err(why) => without.push(format!("topic {}: {why}", topic.topic())),
        }
        line.set_position(done);
    }
    line.finish();
    let Some(first) = without.first() else { return set_labels(&mut store, args, found) };
    let others = if found.is_empty() { "" } else { "the others are named; " };
    store.set_topic_labels(args.run, found)?;
    anyhow::bail!(
        "{} of {} got no name: {first}; {others}the same command continues with those without a name",
        without.len(),
        counted(topics.len() as u64, "topic")
    )
}

/// The label without surrounding blanks; `None` for an empty one.
fn label(name: Option<&str>, by: String) -> anyhow::Result<Option<TopicLabel>> {
    let name = name.unwrap_or_default().trim();
    anyhow::ensure!(
        name.len() <= LONGEST,
        "a name of {} bytes, and {LONGEST} are the most; use a shorter one",
        name.len()
    );
    Ok((!name.is_empty()).then(|| TopicLabel { text: name.to_string(), by: Some(by) }))
}

fn from_file(path: &Path, by: Option<&str>) -> anyhow::Result<WantedLabels> {
    let shown = path.display();
    let file = File::open(path).map_err(|error| {
        anyhow::anyhow!("{shown}: {error}; give --from a CSV file with the columns topic and label")
    })?;
    let mut bytes = Vec::new();
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).with_context(|| format!("{shown}"))?;
    anyhow::ensure!(bytes.len() as u64 <= LARGEST_FILE, "{shown}: more than 16 MB name no topics");
    let mut found = BTreeMap::new();
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let columns = reader.headers().with_context(|| format!("{shown}"))?;
    for wanted in ["topic", "label"] {
        anyhow::ensure!(
            columns.iter().any(|column| column == wanted),
            "{shown}: no column `{wanted}`; its first line names the columns, as that of `topoi topics RUN --output csv` does"
        );
    }
    for line in reader.deserialize::<FileLine>() {
        let line = line.map_err(|error| {
            let at = error.position().map_or(1, csv::Position::line);
            anyhow::anyhow!(
                "{shown}:{at}: not a number in `topic` and a text in `label`; see --help"
            )
        })?;
        let of_line = parse_name(from_spreadsheet(&line.labelled_by));
        let by = by.map(String::from).or(of_line).unwrap_or_else(user_name);
        let name =
            label(Some(from_spreadsheet(&line.label)), by).with_context(|| format!("{shown}"))?;
        anyhow::ensure!(
            found.insert(line.topic, name).is_none(),
            "{shown}: topic {} a second time; keep one",
            line.topic
        );
    }
    anyhow::ensure!(!found.is_empty(), "{shown}: no line names a topic");
    Ok(found)
}
