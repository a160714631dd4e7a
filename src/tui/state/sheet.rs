//! What a screen shows as a plain table, for copying and export: whole values, all rows that the
//! filter lets through, in the order they are shown in.

use super::{Screen, State};
use crate::tui::state::corpus::Pane;
use topoi::store::query::Cell;

/// A table of values.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sheet {
    /// What it is, as the beginning of a file's name.
    pub name: String,
    /// The columns' names.
    pub columns: Vec<String>,
    /// The rows, each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
}

impl Sheet {
    fn new(name: impl Into<String>, columns: &[&str], rows: Vec<Vec<Cell>>) -> Self {
        let columns = columns.iter().map(|column| column.to_string()).collect();
        Self { name: name.into(), columns, rows }
    }

    /// The rows as lines with tabs between cells; blanks stand for tabs and line ends in cells.
    pub fn lines(&self) -> String {
        let line = |cells: Vec<String>| cells.join("\t") + "\n";
        let plain = |cell: &Cell| cell.to_string().replace(['\t', '\n', '\r'], " ");
        self.rows.iter().map(|row| line(row.iter().map(plain).collect())).collect()
    }

    /// The names of the columns as a line, then [`Sheet::lines`].
    pub fn table(&self) -> String {
        self.columns.join("\t") + "\n" + &self.lines()
    }
}

fn text(text: &str) -> Cell {
    Cell::Text(text.into())
}

fn maybe(value: Option<&str>) -> Cell {
    value.map_or(Cell::Null, text)
}

fn count(number: u64) -> Cell {
    i64::try_from(number).map_or_else(|_| Cell::Text(number.to_string()), Cell::Integer)
}

/// The list the keys go to; `None` on screens without one. Of documents, the page that is read.
pub fn shown(state: &State) -> Option<Sheet> {
    if state.screen == Screen::Corpus && state.corpus.reading.is_some() {
        return words_of_document(state);
    }
    match state.screen {
        Screen::Corpora => Some(corpora(state)),
        Screen::Corpus if state.corpus.pane == Pane::Terms => Some(terms(state)),
        Screen::Corpus => Some(documents(state)),
        Screen::Runs => Some(runs(state)),
        Screen::Run => topics(state),
        Screen::Sql => query(state),
        Screen::Launch | Screen::Compare | Screen::ChooseK => None,
    }
}

/// The row under the cursor.
pub fn row(state: &State) -> Option<Sheet> {
    let mut sheet = shown(state)?;
    let place = state.list()?.cursor;
    sheet.rows = sheet.rows.into_iter().nth(place).into_iter().collect();
    (!sheet.rows.is_empty()).then_some(sheet)
}

fn corpora(state: &State) -> Sheet {
    let row = |row: &&crate::tui::data::CorpusRow| {
        let corpus = &row.corpus;
        vec![
            text(&corpus.name),
            count(corpus.documents),
            count(corpus.terms),
            count(corpus.tokens),
            count(corpus.nonzeros),
            count(row.runs as u64),
            text(&corpus.created_at),
        ]
    };
    let columns = ["corpus", "documents", "terms", "tokens", "nonzeros", "runs", "made"];
    Sheet::new("corpora", &columns, state.corpora.visible().iter().map(row).collect())
}

/// The name of the corpus that is shown.
pub fn corpus_name(state: &State) -> &str {
    state.corpus.shown.as_ref().map_or("", |page| page.corpus.name.as_str())
}

fn documents(state: &State) -> Sheet {
    let page = state.corpus.shown.iter().flat_map(|page| &page.documents);
    let rows = page.map(document_row).collect();
    Sheet::new(format!("{}-documents", corpus_name(state)), &DOCUMENT_COLUMNS, rows)
}

/// The columns of [`document_row`].
pub const DOCUMENT_COLUMNS: [&str; 5] = ["id", "key", "title", "tokens", "source"];

/// A document as a row.
pub fn document_row(document: &topoi::store::corpus::document::Document) -> Vec<Cell> {
    vec![
        Cell::Integer(document.id),
        text(&document.key),
        maybe(document.title.as_deref()),
        count(document.tokens),
        text(&document.source),
    ]
}

fn terms(state: &State) -> Sheet {
    let row = |term: &topoi::store::corpus::term::Term| {
        vec![text(&term.text), count(term.total_count), count(term.document_frequency)]
    };
    let terms = state.corpus.shown.iter().flat_map(|page| &page.terms);
    let name = format!("{}-terms", corpus_name(state));
    Sheet::new(name, &["term", "tokens", "documents"], terms.map(row).collect())
}

fn words_of_document(state: &State) -> Option<Sheet> {
    let reading = state.corpus.reading.as_ref()?;
    let key = reading.sheet.as_ref()?.document.key.clone();
    let row = |row: &&crate::tui::data::WordRow| {
        vec![text(&row.word), count(row.count), row.topic.map_or(Cell::Null, count)]
    };
    let rows = reading.visible_words().iter().map(row).collect();
    let name = format!("{}-{key}-words", corpus_name(state));
    Some(Sheet::new(name, &["word", "count", "topic"], rows))
}

fn runs(state: &State) -> Sheet {
    let row = |row: &&crate::tui::data::RunRow| {
        let run = &row.run;
        vec![
            Cell::Integer(run.id),
            text(&run.corpus),
            text(&run.model),
            count(run.k),
            count(run.seed),
            text(row.word()),
            text(&run.created_at),
            run.seconds.map_or(Cell::Null, Cell::Real),
            text(&run.settings),
            maybe(run.error.as_deref()),
        ]
    };
    let columns = [
        "run",
        "corpus",
        "model",
        "k",
        "seed",
        "state",
        "created_at",
        "seconds",
        "settings",
        "error",
    ];
    Sheet::new("runs", &columns, state.runs.visible().iter().map(row).collect())
}

fn topics(state: &State) -> Option<Sheet> {
    let sheet = state.run.sheet.as_ref()?;
    let mut names: Vec<&str> = Vec::new();
    for metric in sheet.metrics.iter().filter(|metric| metric.topic.is_some()) {
        if !names.contains(&metric.name.as_str()) {
            names.push(&metric.name);
        }
    }
    let row = |topic: &&topoi::store::result::topic::Topic| {
        let metrics = state.run.topic_metrics(topic.topic);
        let words: Vec<&str> = topic.words.iter().map(|word| word.word.as_str()).collect();
        let mut cells = vec![
            count(topic.topic),
            Cell::Real(topic.weight),
            maybe(topic.anchor.as_deref()),
            maybe(topic.label.as_deref()),
        ];
        cells.extend(names.iter().map(|name| {
            let found = metrics.iter().find(|(other, _)| other == name);
            found.map_or(Cell::Null, |&(_, value)| Cell::Real(value))
        }));
        cells.push(text(&words.join(" ")));
        cells
    };
    let columns: Vec<&str> = ["topic", "weight", "anchor", "label"]
        .into_iter()
        .chain(names.iter().copied())
        .chain(["words"])
        .collect();
    let rows = state.run.visible().iter().map(row).collect();
    Some(Sheet::new(format!("run-{}-topics", sheet.row.run.id), &columns, rows))
}

fn query(state: &State) -> Option<Sheet> {
    let shown = state.sql.shown.as_ref()?;
    let rows = (0..state.sql.rows()).filter_map(|place| state.sql.row(place));
    Some(Sheet {
        name: "query".into(),
        columns: shown.answered.result.columns.clone(),
        rows: rows.map(<[Cell]>::to_vec).collect(),
    })
}
