//! `name`.

use serde::Serialize;

use crate::cli::output::print_outcome;
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::run_reference::run_reference;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::columns;
use crate::shown::TerminalText;
use topoi_store::Access;
use topoi_store::id::RunId;

/// Give a run a name, or a note of what it is for
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The run's number, as `topoi runs` lists it
    #[arg(value_parser = run_reference())]
    run: RunId,
    /// Its name; '' takes the name away
    #[arg(required_unless_present = "note")]
    name: Option<String>,
    /// What to note of it; '' takes the note away
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    #[command(flatten)]
    printing: Printing,
}

/// A run's name and note.
#[derive(Serialize)]
struct Named {
    run: RunId,
    name: Option<String>,
    note: Option<String>,
}

/// Maximum length of a name and of a note in bytes.
const LONGEST: [usize; 2] = [200, 20_000];

pub fn run(args: &Arguments, path: &StorePath) -> anyhow::Result<()> {
    for (text, longest) in [&args.name, &args.note].into_iter().zip(LONGEST) {
        let bytes = text.as_ref().map_or(0, String::len);
        anyhow::ensure!(bytes <= longest, "{bytes} bytes are too many; {longest} are kept");
    }
    let store = path.open(Access::Write)?;
    let given = |text: &str| (!text.trim().is_empty()).then(|| text.trim().to_string());
    if let Some(name) = &args.name {
        store.name_run(args.run, given(name).as_deref())?;
    }
    if let Some(note) = &args.note {
        store.note_run(args.run, given(note).as_deref())?;
    }
    let row = store.run(args.run)?;
    let said = |text: &Option<String>| text.as_deref().map(|text| format!(": {text}"));
    let text = format!(
        "run {}{}{}\n",
        row.id,
        said(&row.name).unwrap_or_else(|| " has no name".into()),
        row.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default()
    );
    let named = Named { run: row.id, name: row.name, note: row.note };
    let columns = columns!(Named: run, name, note);
    Ok(print_outcome(&named, &columns, &TerminalText::text(&text), args.printing.format())?)
}
