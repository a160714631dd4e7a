//! What was measured for a figure, as it is saved: tables of values, pictures of them, and what the paper
//! says beside what came out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Digits of a value that are saved.
const DIGITS: i32 = 6;

/// A figure or table of a paper, measured.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// The paper and the figure, as on the command line: `2013 fig2`.
    pub figure: String,
    /// What was measured, on how many corpora and with how many seeds.
    pub about: String,
    /// Whether it was measured at the small size.
    pub quick: bool,
    /// What `--seeds` asks for, whether or not the figure repeats anything.
    #[serde(skip)]
    pub asked: Option<u64>,
    /// Corpora or seeds, where `--seeds` decided how many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<u64>,
    /// The processor time that measuring it took, all threads together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// With which program and where; that of results from before 28 November 2026 is empty.
    #[serde(default)]
    pub program: Program,
    /// The models behind names of rows and columns, with their settings as on the command line.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub methods: BTreeMap<String, String>,
    /// Whether it needs a directory of corpora.
    pub corpora: bool,
    /// What the paper says, and whether it is so here.
    pub claims: Vec<Claim>,
    /// What was measured.
    pub tables: Vec<Table>,
    /// How it is drawn.
    pub pictures: Vec<Picture>,
}

/// The program that measured a figure, and the machine.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// Of the crates.
    pub version: String,
    /// The first letters of the commit, with `+` where files differed from it.
    pub commit: String,
    /// The day, as in 2026-11-28.
    pub date: String,
    /// The name of the processor.
    pub machine: String,
    /// Threads, as many as the machine has cores.
    pub threads: usize,
    /// What was used of the program, and its fingerprint ([`crate::fingerprint`]).
    pub uses: BTreeMap<String, Vec<f64>>,
}

/// A sentence of the paper beside what was measured here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// What the paper says.
    pub paper: String,
    /// What has to be measured for it to hold, said before anything is measured; for claims of several cases,
    /// what a case is.
    #[serde(default)]
    pub rule: String,
    /// What came out here, with its numbers.
    pub here: String,
    /// The verdict: [`HOLDS`], [`IN_PART`] or [`NOT`], the last two with how many cases hold.
    pub holds: String,
}

/// Every case of a claim holds.
pub const HOLDS: &str = "holds";
/// At least half of its cases hold.
pub const IN_PART: &str = "holds in part";
/// Fewer hold.
pub const NOT: &str = "does not hold";

impl Claim {
    /// A claim with what came out, of which `holds` cases of `of` are as the rule has it.
    pub fn new(paper: &str, rule: &str, here: String, (holds, of): (usize, usize)) -> Self {
        let verdict = match holds {
            _ if of == 0 => "not measured".into(),
            all if all == of => HOLDS.into(),
            _ if of == 1 => NOT.into(),
            some if 2 * some >= of => format!("{IN_PART} ({holds} of {of})"),
            _ => format!("{NOT} ({holds} of {of})"),
        };
        Self { paper: paper.into(), rule: rule.into(), here, holds: verdict }
    }
}

/// A table of values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The heads of its columns; the first is that of the names of rows.
    pub head: Vec<String>,
    /// How many values a cell has where none is missing.
    pub of: usize,
    /// Digits after the point; scientific notation with as many where it is negative.
    pub digits: i32,
    /// From the top down.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What stands in the first column; a number where the table is drawn.
    pub name: String,
    /// The other columns.
    pub cells: Vec<Cell>,
}

/// A cell: the value of each corpus or seed, or words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// A value a corpus or seed; none where the model failed on it.
    Values(Vec<f64>),
    /// What is no number: a name, a verdict.
    Words(String),
}

/// A picture of what was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// What stands above it on the page.
    pub title: String,
    /// The label of the horizontal axis.
    pub x: String,
    /// The label of the vertical axis.
    pub y: String,
    /// Whether the axes are logarithmic.
    pub logarithmic: (bool, bool),
    /// What is drawn.
    pub drawing: Drawing,
}

/// What a picture shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Drawing {
    /// Columns of a table as lines over the names of its rows; all columns where none is named.
    Lines {
        /// Where it stands among the tables of the page.
        table: usize,
        /// The heads of the columns.
        columns: Vec<String>,
    },
    /// Rows of a table as lines over the heads of its columns; all rows where none is named.
    Rows {
        /// Where it stands among the tables of the page.
        table: usize,
        /// The names of the rows.
        rows: Vec<String>,
    },
    /// A column of a table whose rows are named `x series`.
    Split {
        /// Where it stands among the tables of the page.
        table: usize,
        /// The head of the column.
        column: String,
        /// Series that are not drawn.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        without: Vec<String>,
    },
    /// A column of every table, a line a table.
    Tables {
        /// The head of the column.
        column: String,
    },
    /// Pictures beside each other, each with its name above and points in a plane of its own.
    Planes(Vec<(String, Vec<Points>)>),
    /// Values of sorted things by their place, several series of them.
    Series(Vec<Points>),
    /// A grey value a cell, row by row.
    Cells(Vec<Vec<f64>>),
}

/// Named points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Points {
    /// What the legend calls them.
    pub name: String,
    /// Where they are.
    pub at: Vec<(f64, f64)>,
}

impl Saved {
    /// The name of its files: `2013-fig2`.
    pub fn file_name(&self) -> String {
        self.figure.replace(' ', "-")
    }

    /// How many corpora or seeds to measure: as many as `--seeds` asks for, else those of the size.
    pub fn repeats(&mut self, of_quick: u64, of_whole: u64) -> u64 {
        self.seeds = self.asked;
        self.asked.unwrap_or(if self.quick { of_quick } else { of_whole })
    }

    /// Adds what these names stand for.
    pub fn names(&mut self, methods: &[(&str, &str)]) {
        self.methods.extend(methods.iter().map(|(name, of)| ((*name).into(), (*of).into())));
    }

    /// Where it is saved below `root`.
    pub fn path(&self, root: &Path) -> PathBuf {
        root.join("papers/results").join(self.file_name()).with_extension("json")
    }

    /// Saves it below `root`.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, root: &Path) -> Result<(), String> {
        let path = self.path(root);
        std::fs::create_dir_all(path.parent().unwrap_or(&path)).map_err(|e| e.to_string())?;
        // In one step: another measuring may read all results meanwhile.
        let made = path.with_extension("new");
        std::fs::write(&made, self.json())
            .and_then(|()| std::fs::rename(&made, &path))
            .map_err(|e| format!("{}: {e}", path.display()))
    }

    /// As it is saved: a row of a table a line.
    pub fn json(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        let lines = [
            ",\"program\":",
            ",\"uses\":",
            ",\"methods\":",
            ",\"claims\":",
            ",{\"name\":",
            ",{\"paper\":",
            ",\"tables\":",
            ",\"pictures\":",
            ",\"rows\":",
        ];
        lines.iter().fold(text, |text, start| text.replace(start, &start.replacen(',', ",\n", 1)))
            + "\n"
    }

    /// Reads what was saved.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
    }

    /// All that are saved below `root`, by the names of their files.
    pub fn all(root: &Path) -> Result<Vec<Self>, String> {
        let folder = root.join("papers/results");
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        paths.iter().map(|path| Self::read(path)).collect()
    }
}

impl Table {
    /// A table of `digits` digits after the point, `of` values a cell.
    pub fn new(title: impl Into<String>, head: &[&str], of: usize, digits: i32) -> Self {
        let head = head.iter().map(ToString::to_string).collect();
        Self { title: title.into(), head, of, digits, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, name: impl ToString, cells: Vec<Cell>) {
        self.rows.push(Row { name: name.to_string(), cells });
    }

    /// Whether the column of this head has times, which no two measurings have in common.
    pub fn is_timed(&self, head: &str) -> bool {
        head == "seconds" || self.title.starts_with("Seconds")
    }

    /// The mean in the column of this head; `None` where the cell has no value or there is none such.
    pub fn mean(&self, row: &Row, head: &str) -> Option<f64> {
        let at = self.head.iter().position(|name| name == head)?;
        row.cells.get(at.checked_sub(1)?)?.mean()
    }

    /// The mean in the row of this name and the column of this head.
    pub fn at(&self, name: &str, head: &str) -> Option<f64> {
        self.mean(self.rows.iter().find(|row| row.name == name)?, head)
    }
}

impl Cell {
    /// One value.
    pub fn one(value: f64) -> Self {
        Self::Values(vec![value]).rounded()
    }

    /// A cell that is no number.
    pub fn words(words: impl ToString) -> Self {
        Self::Words(words.to_string())
    }

    /// The same with as many digits as are saved, without what is no number.
    pub fn rounded(self) -> Self {
        match self {
            Self::Values(values) => {
                Self::Values(values.into_iter().filter(|v| v.is_finite()).map(rounded).collect())
            }
            words @ Self::Words(_) => words,
        }
    }

    /// The mean of its values.
    pub fn mean(&self) -> Option<f64> {
        let Self::Values(values) = self else { return None };
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    /// The sample deviation of its values; `None` for fewer than two.
    pub fn deviation(&self) -> Option<f64> {
        let (Self::Values(values), Some(mean)) = (self, self.mean()) else { return None };
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
    }
}

/// `value` with as many significant digits as are saved.
pub fn rounded(value: f64) -> f64 {
    rounded_to(value, DIGITS)
}

/// `value` with this many significant digits.
pub fn rounded_to(value: f64, digits: i32) -> f64 {
    format!("{value:.*e}", digits as usize - 1).parse().unwrap_or(value)
}
