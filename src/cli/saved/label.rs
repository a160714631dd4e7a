//! `label`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::cli::output::print_list;
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use topoi_core::csv_cell::from_spreadsheet;
use topoi_store::Access;
use topoi_store::id::{RunId, TopicNumber};

/// Name topics of a run, one or all that a file names
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The run's number, as `topoi runs` lists it
    #[arg(value_parser = run_reference())]
    run: RunId,
    /// The topic's number
    #[arg(required_unless_present = "from")]
    topic: Option<TopicNumber>,
    /// The topic's name
    #[arg(required_unless_present_any = ["from", "remove"], conflicts_with = "remove")]
    name: Option<String>,
    /// Take the topic's name away
    #[arg(long)]
    remove: bool,
    /// Name the topics of this CSV file with the columns `topic` and `label`, such as
    /// `topoi topics RUN --output csv` prints; an empty label takes the name away
    #[arg(long, value_name = "FILE", conflicts_with_all = ["topic", "name", "remove"])]
    from: Option<PathBuf>,
    #[command(flatten)]
    printing: Printing,
}

/// Maximum length of a label in bytes.
const LONGEST: usize = 500;
/// Maximum bytes of a file of labels.
const LARGEST_FILE: u64 = 16 << 20;

/// A topic's label before and after.
#[derive(Serialize)]
struct Labelled {
    topic: TopicNumber,
    label: Option<String>,
    before: Option<String>,
}

/// A line of a file of labels.
#[derive(Deserialize)]
struct Line {
    topic: TopicNumber,
    label: String,
}

pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let wanted = match (&args.from, args.topic) {
        (Some(file), _) => from_file(file)?,
        (None, Some(topic)) => BTreeMap::from([(topic, label(args.name.as_deref())?)]),
        (None, None) => BTreeMap::new(),
    };
    let mut store = store.open(Access::Write)?;
    store.run(args.run)?;
    let before = store.topic_labels(args.run)?;
    let named = |(&topic, label): (&TopicNumber, &Option<String>)| Labelled {
        topic,
        label: label.clone(),
        before: before.get(topic.index()).cloned().flatten(),
    };
    let rows: Vec<Labelled> = wanted.iter().map(named).collect();
    store.set_topic_labels(args.run, wanted)?;
    let columns = columns!(Labelled: topic, label, before);
    Ok(print_list(&columns, &rows, args.printing.format())?)
}

/// The label without surrounding blanks; `None` for an empty one.
fn label(name: Option<&str>) -> anyhow::Result<Option<String>> {
    let name = name.unwrap_or_default().trim();
    anyhow::ensure!(
        name.len() <= LONGEST,
        "a name of {} bytes, and {LONGEST} are the most; use a shorter one",
        name.len()
    );
    Ok((!name.is_empty()).then(|| name.to_string()))
}

fn from_file(path: &Path) -> anyhow::Result<BTreeMap<TopicNumber, Option<String>>> {
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
    for line in reader.deserialize::<Line>() {
        let line = line.map_err(|error| {
            let at = error.position().map_or(1, csv::Position::line);
            anyhow::anyhow!(
                "{shown}:{at}: not a number in `topic` and a text in `label`; see --help"
            )
        })?;
        let name =
            label(Some(from_spreadsheet(&line.label))).with_context(|| format!("{shown}"))?;
        anyhow::ensure!(
            found.insert(line.topic, name).is_none(),
            "{shown}: topic {} a second time; keep one",
            line.topic
        );
    }
    anyhow::ensure!(!found.is_empty(), "{shown}: no line names a topic");
    Ok(found)
}
