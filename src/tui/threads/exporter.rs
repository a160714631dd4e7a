//! Writing what is shown to a file in the working directory.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::background::{Background, Job, Kind};
use crate::cli::remedy::explained;
use crate::records::documents;
use crate::tui::effect::{Export, Format, Source};
use crate::tui::list::columns;
use crate::tui::message::Message;
use topoi_core::csv_cell::for_spreadsheets;
use topoi_core::numbers::counted;
use topoi_run::notes::markdown;
use topoi_store::corpus::document::Page;
use topoi_store::note::NoteChoice;
use topoi_store::query::Cell;
use topoi_store::{Access, Store};

/// Documents that are read at once.
const PAGE: usize = 2000;

/// Writes an export of the store at `path`; a notice says where, or why not.
pub fn export(background: &Background, path: &Path, export: Export) {
    let path = path.to_path_buf();
    let work = move |_: &Job| {
        let (rows, file) = write(&path, Path::new("."), &export)?;
        let file = std::path::absolute(&file).unwrap_or(file);
        let rows = counted(rows, "row");
        Ok(Some(Message::Notice(format!("{rows} written to {}", file.display()))))
    };
    background.run(Kind::FileWrite, "export", work, |error| {
        Some(Message::Notice(format!("not exported: {}", explained(error.as_ref()))))
    });
}

/// Writes a file that was not there before; one that fails is removed.
fn write(store: &Path, directory: &Path, export: &Export) -> anyhow::Result<(u64, PathBuf)> {
    let (path, file) = create(directory, &export.file_name())?;
    let rows = write_rows(store, export, BufWriter::new(file));
    if rows.is_err() {
        // What is half written would be taken for the whole.
        let _ = std::fs::remove_file(&path);
    }
    Ok((rows?, path))
}

fn create(directory: &Path, file: &str) -> std::io::Result<(PathBuf, File)> {
    let (name, ending) = file.rsplit_once('.').unwrap_or((file, ""));
    for number in 1.. {
        let number = if number == 1 { String::new() } else { format!("-{number}") };
        let path = directory.join(format!("{name}{number}.{ending}"));
        match File::create_new(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(std::io::ErrorKind::AlreadyExists.into())
}

fn write_rows(path: &Path, export: &Export, file: BufWriter<File>) -> anyhow::Result<u64> {
    match &export.source {
        Source::ExportTable(sheet) => {
            let mut out = Rows::begin(export.format, &sheet.columns, file)?;
            for row in &sheet.rows {
                out.row(row)?;
            }
            out.end()
        }
        Source::Notes { words } => {
            let choice = NoteChoice { text: words, ..NoteChoice::default() };
            let notes = Store::open(path, Access::Read)?.notes(choice)?;
            let mut file = file;
            file.write_all(markdown(&notes).as_bytes())?;
            file.flush()?;
            Ok(notes.len() as u64)
        }
        Source::Documents { corpus, filter, order } => {
            let store = Store::open(path, Access::Read)?;
            let all = documents::columns();
            let names = columns::sheet("", &all, []).columns;
            let mut out = Rows::begin(export.format, &names, file)?;
            let mut page = Page::First;
            loop {
                let found = store.documents_matching(corpus.id, filter, *order, page, PAGE)?;
                let Some(last) = found.last() else { return out.end() };
                page = Page::After(last.id);
                for row in columns::sheet("", &all, &found).rows {
                    out.row(&row)?;
                }
            }
        }
    }
}

/// Rows on their way into a file.
enum Rows {
    Csv(Box<csv::Writer<BufWriter<File>>>, u64),
    Json { file: BufWriter<File>, names: Vec<String>, rows: u64 },
}

impl Rows {
    fn begin(
        format: Format,
        columns: &[String],
        mut file: BufWriter<File>,
    ) -> anyhow::Result<Self> {
        match format {
            Format::Markdown => anyhow::bail!("only notes are written as Markdown"),
            Format::Csv => {
                let mut writer = csv::Writer::from_writer(file);
                writer
                    .write_record(columns.iter().map(|name| for_spreadsheets(name).into_owned()))?;
                Ok(Self::Csv(Box::new(writer), 0))
            }
            Format::Json => {
                file.write_all(b"[")?;
                let names = distinct(columns);
                let names = names.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
                Ok(Self::Json { file, names, rows: 0 })
            }
        }
    }

    fn row(&mut self, cells: &[Cell]) -> anyhow::Result<()> {
        match self {
            Self::Csv(writer, rows) => {
                let cells = cells.iter().map(Cell::to_string);
                writer.write_record(cells.map(|cell| for_spreadsheets(&cell).into_owned()))?;
                *rows += 1;
            }
            Self::Json { file, names, rows } => {
                file.write_all(if *rows == 0 { b"\n{" } else { b",\n{" })?;
                for (place, (name, cell)) in names.iter().zip(cells).enumerate() {
                    let comma = if place == 0 { "" } else { ", " };
                    write!(file, "{comma}{name}: {}", serde_json::to_string(cell)?)?;
                }
                file.write_all(b"}")?;
                *rows += 1;
            }
        }
        Ok(())
    }

    fn end(self) -> anyhow::Result<u64> {
        match self {
            Self::Csv(mut writer, rows) => {
                writer.flush()?;
                Ok(rows)
            }
            Self::Json { mut file, rows, .. } => {
                file.write_all(b"\n]\n")?;
                file.flush()?;
                Ok(rows)
            }
        }
    }
}

/// The names, the second of two equal ones with `_2`: JSON has one value a name.
fn distinct(columns: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for column in columns {
        let mut name = column.clone();
        for number in 2.. {
            if !names.contains(&name) {
                break;
            }
            name = format!("{column}_{number}");
        }
        names.push(name);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::list::columns::ExportTable;

    fn sheet() -> ExportTable {
        ExportTable {
            name: "../a query".into(),
            columns: vec!["id".into(), "id".into(), "text".into()],
            rows: vec![
                vec![Cell::Integer(1), Cell::Real(0.5), Cell::Text("a \"b\",\nc".into())],
                vec![Cell::Integer(2), Cell::Null, Cell::Text("主題".into())],
            ],
        }
    }

    #[test]
    fn files_hold_whole_values_and_are_never_written_over() {
        let directory = tempfile::tempdir().expect("tempdir");
        let written = |format| {
            let export = Export { source: Source::ExportTable(sheet()), format };
            write(Path::new("no store"), directory.path(), &export).expect("write")
        };
        let names: Vec<_> = [Format::Csv, Format::Csv, Format::Json]
            .map(|format| written(format).1.file_name().map(|n| n.to_string_lossy().into_owned()))
            .into_iter()
            .flatten()
            .collect();
        assert_eq!(names, ["a-query.csv", "a-query-2.csv", "a-query.json"]);
        let read = |name: &str| std::fs::read_to_string(directory.path().join(name)).expect("read");
        assert_eq!(read("a-query-2.csv"), "id,id,text\n1,0.5,\"a \"\"b\"\",\nc\"\n2,,主題\n");
        let json: serde_json::Value = serde_json::from_str(&read("a-query.json")).expect("json");
        assert_eq!(json[1], serde_json::json!({"id": 2, "id_2": null, "text": "主題"}));
    }
}
