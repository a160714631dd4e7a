//! `config`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::ValueEnum;
use serde::Serialize;

use crate::cli::output::{OutputFormat, print, print_json, print_list};
use crate::cli::typed::arguments::Printing;
use crate::cli::typed::store_path::StorePath;
use crate::records::column::{Column, columns};
use crate::shown::{TerminalText, shown};
use crate::tui::config::{self, Config, Mistake};

/// Show the configuration of the workbench and check it
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// What to do
    #[arg(value_enum, default_value_t)]
    what: What,
    #[command(flatten)]
    printing: Printing,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum What {
    /// Print what holds
    #[default]
    Show,
    /// Print what is wrong in the file, a line each
    Check,
    /// Print where the file is, or would be
    Path,
    /// List the actions that can be given keys, and the keys they have
    Keys,
}

#[derive(Serialize)]
struct Configuration<'a> {
    path: Option<PathBuf>,
    theme: &'static str,
    mouse: bool,
    citation: String,
    keys: &'a BTreeMap<String, Vec<String>>,
    columns: &'a BTreeMap<String, Vec<String>>,
    mistakes: &'a [Mistake],
}

#[derive(Serialize)]
struct ActionRow {
    action: String,
    keys: String,
    meaning: &'static str,
}

/// Problems are an error for `check` alone.
pub fn run(args: &Arguments, _store: &StorePath) -> anyhow::Result<()> {
    let format = args.printing.format();
    let (config, mistakes) = config::load();
    let path = config::path();
    let place =
        path.as_ref().map_or_else(|| "config.toml".into(), |path| path.display().to_string());
    match (args.what, format) {
        (What::Keys, _) => return Ok(print_list(&action_columns(), &actions(&config), format)?),
        (What::Show | What::Check | What::Path, OutputFormat::Json | OutputFormat::JsonLines) => {
            let shows = Configuration {
                path,
                theme: config.theme.name(),
                mouse: config.mouse,
                citation: config.citation.to_string(),
                keys: &config.keys,
                columns: &config.columns,
                mistakes: &mistakes,
            };
            print_json(&shows, format)?;
        }
        (What::Path, _) => print(&shown!("{place}\n"))?,
        (What::Show, _) => print(&TerminalText::text(&as_toml(&config)))?,
        (What::Check, OutputFormat::Csv | OutputFormat::RawCsv) => {
            print_list(&columns!(Mistake: line, text), &mistakes, format)?;
        }
        (What::Check, OutputFormat::Table) => {
            for mistake in &mistakes {
                print(&shown!("{place}, {mistake}\n"))?;
            }
            if mistakes.is_empty() {
                print(&shown!("{place}: nothing is wrong\n"))?;
            }
        }
    }
    let wrong = mistakes.len();
    let is_wrong = wrong > 0 && matches!(args.what, What::Check);
    anyhow::ensure!(
        !is_wrong,
        "{place}: {wrong} of its settings do not hold; correct them or take them out"
    );
    Ok(())
}

fn action_columns() -> Vec<Column<ActionRow>> {
    columns!(ActionRow: action, keys, meaning)
}

fn actions(config: &Config) -> Vec<ActionRow> {
    let row = |(action, keys, meaning): (String, Vec<&'static str>, &'static str)| {
        let own = config.keys.get(&action).map(|keys| keys.join(", "));
        ActionRow { keys: own.unwrap_or_else(|| keys.join(", ")), action, meaning }
    };
    config::actions().into_iter().map(row).collect()
}

/// The current configuration in the syntax of the file.
fn as_toml(config: &Config) -> String {
    let list = |texts: &[String]| {
        let quoted: Vec<String> = texts.iter().map(|text| format!("{text:?}")).collect();
        format!("[{}]", quoted.join(", "))
    };
    let mut text = format!(
        "theme = {:?}\nmouse = {}\ncitation = {:?}\n",
        config.theme.name(),
        config.mouse,
        config.citation.to_string()
    );
    for (name, table) in [("keys", &config.keys), ("columns", &config.columns)] {
        if !table.is_empty() {
            text.push_str(&format!("\n[{name}]\n"));
        }
        for (name, texts) in table {
            text.push_str(&format!("{name} = {}\n", list(texts)));
        }
    }
    text
}
