//! Words and documents of a topic as plain tables, for copying and export.

use serde_json::json;

use super::{RunScreen, RunView};
use crate::records::column::{Column, Kind};
use crate::records::documents;
use crate::tui::list::columns::{self, ExportTable};
use topoi_store::id::RunId;
use topoi_store::result::topic::{Topic, Word};
use topoi_store::result::topic_document::TopicDocument;

/// What is shown of a topic.
pub fn of_topic(screen: &RunScreen, run: RunId, topic: &Topic) -> ExportTable {
    let name = format!("run-{run}-topic-{}", topic.topic);
    if screen.view == RunView::Documents {
        let row = |line: &crate::tui::threads::cache::topic_documents::DocumentLine| {
            TopicDocument { document: line.document.clone(), share: line.share }
        };
        let rows: Vec<_> = screen.found.visible(screen.lines()).into_iter().map(row).collect();
        return columns::sheet(format!("{name}-documents"), &documents::topic_columns(), &rows);
    }
    let all = [
        Column::new("word", Kind::Text, |word: &Word| json!(word.word)),
        Column::new("probability", Kind::Measure, |word: &Word| json!(word.probability)),
    ];
    columns::sheet(format!("{name}-words"), &all, screen.words.visible(&topic.words))
}
