//! `shape`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use crate::cli::attend::{INTERRUPTED, attend};
use crate::cli::bar::Bar;
use crate::cli::follow::in_words;
use crate::cli::messages::say;
use crate::cli::output::{OutputFormat, print_json, print_list};
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::shaping::columns;
use crate::shown::shown;
use topoi_core::shape::effect::{TopicChange, TopicEffect, effect};
use topoi_core::shape::{Base, Edit, Edits, Shaper};
use topoi_run::request::Origin;
use topoi_run::shaping::ShapingError;
use topoi_run::shaping::base::base_of;
use topoi_run::shaping::factor::{FactorCost, make_factor};
use topoi_run::shaping::origin::shaping;
use topoi_store::id::RunId;
use topoi_store::run::{Run, RunStatus};
use topoi_store::{Access, Store};

/// Change topics of a run by hand: anchor, merge, split, forbid, drop, pin and label them, and make a
/// run of what follows
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The run's number, as `topoi runs` lists it
    #[arg(value_parser = run_reference())]
    run: RunId,
    /// A list of edits as JSON, as --print-edits prints it; those of the other options follow
    #[arg(long, value_name = "FILE", conflicts_with = "edits_of")]
    edits: Option<PathBuf>,
    /// The edits that this run was shaped by
    #[arg(value_parser = run_reference(), long, value_name = "RUN")]
    edits_of: Option<RunId>,
    /// Let a topic keep its words, so that the others move around it
    #[arg(long, value_name = "TOPIC")]
    pin: Vec<usize>,
    /// Take a word out of all topics, as if it had been on the list of stop words
    #[arg(long, value_name = "WORD")]
    forbid: Vec<String>,
    /// A new topic that these words anchor together, such as price,cost; 3=price,cost for topic 3
    #[arg(long, value_name = "WORDS")]
    anchor: Vec<String>,
    /// Make two topics of one, by the words farthest apart in its neighbourhood; 4=film,music by these
    /// words, several of a half with a plus
    #[arg(long, value_name = "TOPIC")]
    split: Vec<String>,
    /// Make one topic of these, such as 3,7; the second half of a split has the next free number
    #[arg(long, value_name = "TOPICS")]
    merge: Vec<String>,
    /// Take a topic away
    #[arg(long, value_name = "TOPIC")]
    drop: Vec<usize>,
    /// Name a topic, such as 3=prices
    #[arg(long, value_name = "TOPIC=NAME")]
    label: Vec<String>,
    /// Print what would change and save nothing; shares are p(topic) by the model, before refining
    #[arg(long)]
    preview: bool,
    /// Print the edits as --edits reads them, and do nothing else
    #[arg(long, conflicts_with = "preview")]
    print_edits: bool,
    /// Passes over the documents at most that improve the topics [default: as for the run]
    #[arg(long, value_name = "P")]
    refine: Option<usize>,
    /// Start the new run and return at once; `topoi watch` follows it
    #[arg(long)]
    detach: bool,
    #[command(flatten)]
    printing: Printing,
}

/// Shows the effects of the edits, and makes a run of them unless only a preview was requested.
pub fn run(args: &Arguments, path: &StorePath) -> anyhow::Result<ExitCode> {
    let mut store = path.open(Access::Write)?;
    let row = store.run(args.run)?;
    anyhow::ensure!(
        row.status == RunStatus::Finished,
        "run {} is {} and has no topics to shape; `topoi watch {}` follows it",
        row.id,
        row.status.as_str(),
        row.id
    );
    let edits = args.edits(&store)?;
    if args.print_edits {
        print_json(&edits, OutputFormat::Json)?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(base) = base_or_make(&mut store, &row)? else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
    let mut shaper = Shaper::new(base);
    let before = shaper.shape(&Edits::default())?;
    let begun = Instant::now();
    let after = shaper.shape(&edits)?;
    let took = begun.elapsed();
    let found: Vec<TopicEffect> = effect(shaper.base(), &before, &after)
        .into_iter()
        .filter(|topic| topic.change != TopicChange::Same)
        .collect();
    if args.preview {
        say(&shown!("{} topics in {:.0} ms", after.outline.topics.len(), 1e3 * took.as_secs_f64()));
        print_list(&columns(), &found, args.printing.format())?;
        return Ok(ExitCode::SUCCESS);
    }
    anyhow::ensure!(
        !edits.edits.is_empty(),
        "nothing is to be changed; `topoi shape --help` lists the edits"
    );
    for topic in &found {
        say(&shown!("{}", in_a_line(topic)));
    }
    let request = shaping(&store, &row, &edits, &after, args.refine)?;
    let number = request.submit(&store)?;
    attend(&store, number, args.detach, args.printing.format())
}

/// The topics to edit. Computes the factorisation for anchors first, if the run did not keep it. `None` after Ctrl-C.
fn base_or_make(store: &mut Store, row: &Run) -> anyhow::Result<Option<Base>> {
    let missing = match base_of(store, row) {
        Err(ShapingError::Missing(missing)) => missing.0,
        other => return Ok(Some(other?)),
    };
    let row_without = store.run(missing)?;
    let cost = FactorCost::new(store, &row_without)?;
    say(&shown!(
        "run {missing} did not keep what anchors need; it is made once: about {}, and {:.1} MB of the store",
        in_words(cost.seconds()),
        cost.bytes as f64 / 1e6
    ));
    let bar = Bar::new(&shown!("run {missing}"))?;
    let made = make_factor(store, &row_without, &bar);
    bar.finish();
    match made {
        Err(error) if error.is_cancel() => return Ok(None),
        other => other?,
    }
    Ok(Some(base_of(store, row)?))
}

/// "3 changed: + price cost − team win, share 4.1% to 5.0%, NPMI 0.10 to 0.21".
fn in_a_line(topic: &TopicEffect) -> String {
    let mut line = format!("topic {} {}", topic.topic, topic.change.as_str());
    if topic.before.is_none()
        && let Some(now) = &topic.after
    {
        line += &format!(": {}", now.words.join(" "));
    }
    for (sign, words) in [("+", &topic.gained), ("-", &topic.lost)] {
        if !words.is_empty() && topic.before.is_some() && topic.after.is_some() {
            line += &format!("  {sign} {}", words.join(" "));
        }
    }
    let share =
        |seen: &topoi_core::shape::effect::TopicSnapshot| format!("{:.1}%", 100.0 * seen.share);
    let npmi = |seen: &topoi_core::shape::effect::TopicSnapshot| {
        seen.npmi.map(|npmi| format!("{npmi:.3}"))
    };
    match (&topic.before, &topic.after) {
        (Some(was), Some(is)) => {
            line += &format!("  share {} to {}", share(was), share(is));
            if let (Some(was), Some(is)) = (npmi(was), npmi(is)) {
                line += &format!(", NPMI {was} to {is}");
            }
        }
        (None, Some(is)) => line += &format!("  share {}", share(is)),
        (Some(_), None) => {
            line +=
                &topic.label.iter().map(|label| format!(", called {label:?}")).collect::<String>();
        }
        _ => {}
    }
    line
}

impl Arguments {
    /// The edits of a file or of a run, then those of the options, in the order of `--help`.
    fn edits(&self, store: &Store) -> anyhow::Result<Edits> {
        let mut edits = match (&self.edits, self.edits_of) {
            (Some(path), _) => {
                let edits = Edits::from_json(&read(path)?);
                edits.map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?.edits
            }
            (None, Some(run)) => match Origin::from_run(&store.run(run)?)? {
                Origin::Shaped(shaping) => shaping.edits.edits,
                _ => anyhow::bail!(
                    "run {run} was not shaped and has no edits; give --edits-of another"
                ),
            },
            (None, None) => Vec::new(),
        };
        edits.extend(self.pin.iter().map(|&topic| Edit::Pin { topic }));
        edits.extend(self.forbid.iter().map(|word| Edit::Forbid { word: word.clone() }));
        for text in &self.anchor {
            let (topic, words) = numbered("anchor", text)?;
            edits.push(Edit::Anchor { words: parts(words, ','), topic });
        }
        for text in &self.split {
            let (topic, words) = match text.split_once('=') {
                Some((topic, words)) => {
                    let halves = parts(words, ',').iter().map(|half| parts(half, '+')).collect();
                    (number("split", topic)?, halves)
                }
                None => (number("split", text)?, Vec::new()),
            };
            edits.push(Edit::Split { topic, words });
        }
        // After the splits, so that half of a topic can be merged with another.
        for text in &self.merge {
            let topics = parts(text, ',')
                .iter()
                .map(|part| number("merge", part))
                .collect::<Result<_, _>>()?;
            edits.push(Edit::Merge { topics });
        }
        edits.extend(self.drop.iter().map(|&topic| Edit::Drop { topic }));
        for text in &self.label {
            let Some((topic, name)) = text.split_once('=') else {
                anyhow::bail!("--label {text:?} is not TOPIC=NAME; write --label 3=prices");
            };
            edits.push(Edit::Label { topic: number("label", topic)?, text: name.trim().into() });
        }
        Ok(edits.into_iter().collect())
    }
}

/// Maximum bytes of a list of edits.
const LARGEST: u64 = 16 << 20;

fn read(path: &std::path::Path) -> anyhow::Result<String> {
    let found = std::fs::metadata(path).and_then(|found| match found.len() {
        0..=LARGEST => std::fs::read_to_string(path),
        _ => Err(std::io::Error::other("a list of edits has at most 16 MB")),
    });
    found.map_err(|error| {
        anyhow::anyhow!("{}: {error}; give --edits a list of edits", path.display())
    })
}

/// Parses "3=price,cost" or "price,cost".
fn numbered<'a>(option: &str, text: &'a str) -> anyhow::Result<(Option<usize>, &'a str)> {
    match text.split_once('=') {
        Some((topic, words)) => Ok((Some(number(option, topic)?), words)),
        None => Ok((None, text)),
    }
}

fn number(option: &str, text: &str) -> anyhow::Result<usize> {
    let found = text.trim().parse();
    found.map_err(|_| {
        anyhow::anyhow!(
            "--{option}: {text:?} is not the number of a topic; `topoi topics RUN` lists them"
        )
    })
}

fn parts(text: &str, separator: char) -> Vec<String> {
    text.split(separator)
        .map(|part| part.trim().to_string())
        .filter(|part| !part.is_empty())
        .collect()
}
