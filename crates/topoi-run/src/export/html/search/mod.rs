//! The search of a run's page over words, titles and keys, which needs no server.
//!
//! The page has a line of JSON for each document. Lines that would make it larger than [`MAX_PAGE`] are in scripts in the
//! folder beside it, which the page loads when they are searched: pages of files cannot read other files.

use std::ffi::OsStr;
use std::fmt::Write;
use std::path::PathBuf;

use maud::{Markup, html};
use serde_json::json;

use super::typical_documents::{READ, cut};
use crate::export::error::ExportError;
use crate::export::json::for_pages;
use crate::export::output::beside::FolderBeside;
use crate::export::output::{Output, Sink};
use crate::export::saved_model::SavedModel;
use crate::number::count;
use topoi_core::plot::text::is_unsafe;
use topoi_store::result::document_topic::{DocumentTopics, top_topic};

/// Maximum bytes of a page with lines of documents; one that is larger without them has none.
const MAX_PAGE: usize = 2_000_000;
/// Bytes of documents after which a file of the folder ends.
const PART: usize = 1_000_000;
/// Bytes reserved for what comes after the lines, beside the script.
const RESERVED: usize = 2_000;
/// Characters that are searched of a title, or of the text where there is none.
const LONGEST_TITLE: usize = 100;

/// The script, which has no part that a document could change.
const SCRIPT: &str = include_str!("search.js");

/// The form, which the script shows, and the list of results.
pub(super) fn form() -> Markup {
    html! {
        form #search role="search" hidden {
            label { "Search words of topics, titles and keys" input type="search" autocomplete="off"; }
            p.q #report aria-live="polite" {}
            ol #results {}
        }
    }
}

/// Writes the page with the lines of the run's documents.
///
/// # Errors
/// [`ExportError`].
pub(super) fn write(
    model: &SavedModel<'_>,
    page: &str,
    output: Output,
) -> Result<PathBuf, ExportError> {
    let (head, tail) = page.rsplit_once("</body>").unwrap_or((page, ""));
    output.file_and_folder(|sink, beside| {
        sink.write(head)?;
        sink.write("<script type=\"application/json\" id=\"data\">{\"documents\":[")?;
        let room = match beside.name() {
            Some(_) => MAX_PAGE.saturating_sub(page.len() + SCRIPT.len() + RESERVED),
            None => usize::MAX,
        };
        let name = beside.name();
        let run = for_pages(&identity(model));
        let mut index = Index { sink, beside, run, room, part: String::new(), parts: 0, count: 0 };
        let letters = READ * LONGEST_TITLE;
        model.store().visit_named_documents(model.run.id, letters, &mut |document| {
            index.add(&line(document))
        })?;
        index.end_part()?;
        let (run, parts, count) = (index.run, index.parts, index.count);
        // Without files in it, the page is the same under every name.
        let folder = name.filter(|_| parts > 0).as_deref().map(in_address);
        let end = json!({ "folder": folder, "parts": parts, "count": count }).to_string();
        sink.write(format!("],\"run\":{run},{}", &for_pages(&end)[1..]))?;
        sink.write(format!("</script>\n<script>{SCRIPT}</script>\n</body>{tail}"))
    })
}

/// JSON that differs between runs, so that a page does not show documents of another.
fn identity(model: &SavedModel<'_>) -> String {
    let finished = model.run.finished_at.as_deref().unwrap_or_default();
    json!(format!("{} {finished}", model.run.id)).to_string()
}

/// A document's line: number of its largest topic, the proportion in per cent, key, and title if it has one.
fn line(document: &DocumentTopics) -> String {
    let (topic, share) = top_topic(&document.topics).unwrap_or((0, 0.0));
    let safe = |text: &str, most| cut(&text.replace(is_unsafe, " "), most);
    let (key, percent) = (safe(&document.key, usize::MAX), count((100.0 * share).round()));
    let title = document.title.as_deref().map(|title| safe(title, LONGEST_TITLE));
    let line = match title.filter(|title| !title.is_empty() && *title != key) {
        Some(title) => json!([topic, percent, key, title]),
        None => json!([topic, percent, key]),
    };
    for_pages(&line.to_string())
}

/// A name of a file in an address relative to its folder.
fn in_address(name: &OsStr) -> String {
    let mut address = String::new();
    for &byte in name.as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => {
                address.push(char::from(byte));
            }
            _ => drop(write!(address, "%{byte:02X}")),
        }
    }
    address
}

/// The lines of documents as they are written.
struct Index<'a> {
    sink: &'a mut Sink,
    beside: &'a mut FolderBeside,
    run: String,
    /// Bytes that the page has left.
    room: usize,
    /// The lines of the current file of the folder.
    part: String,
    /// Files of the folder so far.
    parts: usize,
    /// Documents so far.
    count: u64,
}

impl Index<'_> {
    fn add(&mut self, line: &str) -> Result<(), ExportError> {
        let separator = if self.count == 0 { "\n" } else { ",\n" };
        let is_in_page = self.parts == 0 && self.part.is_empty();
        self.count += 1;
        let length = separator.len() + line.len();
        if is_in_page && length <= self.room {
            self.room -= length;
            self.sink.write(separator)?;
            return self.sink.write(line);
        }
        if !self.part.is_empty() {
            self.part.push_str(",\n");
        }
        self.part.push_str(line);
        if self.part.len() < PART { Ok(()) } else { self.end_part() }
    }

    /// Writes the file of the folder, if it has lines.
    fn end_part(&mut self) -> Result<(), ExportError> {
        if self.part.is_empty() {
            return Ok(());
        }
        self.parts += 1;
        let (run, number, lines) = (&self.run, self.parts, std::mem::take(&mut self.part));
        self.beside.file(&format!("documents-{number}.js"), |sink| {
            sink.write(format!("topoiDocuments({run},{number},[\n"))?;
            sink.write(lines)?;
            sink.write("\n]);\n")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(key: &str, title: Option<&str>, topics: &[f64]) -> DocumentTopics {
        let (key, title) = (key.to_string(), title.map(String::from));
        DocumentTopics { key, title, tokens: 1, fields: None, topics: topics.to_vec() }
    }

    #[test]
    fn a_line_ends_no_script_and_is_the_document() {
        let hostile = "</script><b> <&\" \u{202e}\u{2028}\nof  two lines";
        let line = line(&document("a.txt", Some(hostile), &[0.25, 0.5, 0.5]));
        assert!(!line.contains(['<', '>', '&', '\u{202e}', '\u{2028}', '\n']), "{line}");
        let read: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(read, json!([1, 50, "a.txt", "</script><b> <&\" of two lines"]));
    }

    #[test]
    fn a_title_that_says_nothing_is_left_out() {
        for title in [None, Some(" "), Some("a.txt")] {
            assert_eq!(line(&document("a.txt", title, &[1.0])), "[0,100,\"a.txt\"]");
        }
    }

    #[test]
    fn names_of_folders_are_addresses() {
        assert_eq!(in_address(OsStr::new("run-3_files")), "run-3_files");
        assert_eq!(in_address(OsStr::new("a b#?%\u{e9}")), "a%20b%23%3F%25%C3%A9");
    }
}
