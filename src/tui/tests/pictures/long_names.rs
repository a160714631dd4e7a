//! Screens full of names that are long, wide or made of combining characters, and of large numbers.

use crate::records::corpora::CorpusRow;
use crate::tui::question::Value;
use crate::tui::screens::compare::{self, Compared};
use crate::tui::screens::run::{self, RunView, RunWithTopics};
use crate::tui::screens::runs::{self, RunList};
use crate::tui::screens::{corpora, corpus as documents};
use crate::tui::state::State;
use crate::tui::tests::fixture::of_runs::{comparison, more, turn};
use crate::tui::tests::fixture::user::{answer, press, showing};
use crate::tui::tests::fixture::{corpora_of, corpus, document, page, run_rows, sheet};
use topoi_store::result::topic::Topic;

const LONG: &str = "parliamentary proceedings of the second chamber with amendments and annexes";
const WIDE: &str = "国会会議録と主題模型についての長い長い名前がここに書かれている";
const COMBINING: &str = "Zu\u{308}rcher De\u{301}libe\u{301}rations e\u{301}ve\u{301}nementielles";
const EMOJI: &str =
    "\u{1f469}\u{200d}\u{1f4bb} notes \u{2764}\u{fe0f} of a developer, kept since spring";

/// A name of another kind for every place.
fn name(place: usize) -> String {
    [LONG, WIDE, COMBINING, EMOJI][place % 4].into()
}

fn corpora_rows() -> Value {
    let row = |place: usize| {
        let mut corpus = corpus(place as i64 + 1, &name(place), 1_000_000_000);
        corpus.tokens = 987_654_321_098;
        corpus.nonzeros = 123_456_789_012;
        CorpusRow { corpus, runs: 12_345, active: 123 }
    };
    corpora_of((0..4).map(row).collect())
}

fn documents_page() -> Value {
    let mut page = page(1, 200);
    page.corpus.name = name(1);
    page.corpus.terms = 123_456_789;
    for (place, document) in page.documents.iter_mut().enumerate() {
        document.key = name(place);
        document.title = Some(name(place + 1));
        document.tokens = 1_234_567_890;
    }
    for (place, term) in page.terms.iter_mut().enumerate() {
        term.text = name(place);
        term.document_frequency = 987_654_321;
        term.total_count = 98_765_432_109;
    }
    Value::new(Some(Box::new(page)))
}

fn long_runs() -> Value {
    let mut rows = run_rows();
    for (place, row) in rows.iter_mut().enumerate() {
        row.run.id.0 += 1_234_560;
        row.run.corpus = name(place);
        row.run.k = 12_345;
        row.run.terms = Some(12_345_678);
        row.npmi = Some(-0.123_456);
        row.seconds_left = row.seconds_left.map(|_| 1_234_567.0);
        row.run.seconds = Some(1_234_567.0);
        if let Some(progress) = &mut row.progress {
            progress.residual = Some(-1.234e-10);
        }
    }
    Value::new(RunList { runs: rows, detail: None, log: Vec::new() })
}

fn lengthen(topics: &mut [Topic]) {
    for (place, topic) in topics.iter_mut().enumerate() {
        topic.anchor = Some(name(place));
        topic.label = place.is_multiple_of(3).then(|| name(place + 2));
        for (rank, word) in topic.words.iter_mut().chain(&mut topic.characteristic).enumerate() {
            word.word = name(place + rank);
            word.probability = 1.234e-10;
        }
    }
}

fn long_sheet() -> RunWithTopics {
    let mut sheet = sheet();
    sheet.row.run.corpus = name(0);
    lengthen(&mut sheet.topics);
    for metric in &mut sheet.metrics {
        metric.value = -1.234e-10;
    }
    sheet
}

fn compared() -> Value {
    let mut found = comparison();
    for (place, run) in found.runs.iter_mut().enumerate() {
        run.run.corpus = name(place);
        run.run.id.0 += 1_234_560;
        lengthen(&mut run.topics);
    }
    for metric in &mut found.metrics {
        metric.values.iter_mut().flatten().for_each(|value| *value *= -1.234_567e-10);
    }
    Value::new::<Compared>(Ok(Some(Box::new(found))))
}

/// The screens that have lists, filled so.
pub fn with_long_names() -> Vec<State> {
    let filled = |screen: &str, found: Value, keys: &[&str]| {
        let mut state = showing(screen, (120, 24));
        answer(&mut state, found);
        press(&mut state, keys);
        state
    };
    let mut states = vec![
        filled(corpora::NAME, corpora_rows(), &[]),
        filled(corpora::NAME, corpora_rows(), &["s", "s", "S"]),
        filled(documents::NAME, documents_page(), &[]),
        filled(documents::NAME, documents_page(), &["Tab"]),
        filled(runs::NAME, long_runs(), &[]),
        filled(runs::NAME, long_runs(), &["s", "s", "s"]),
        filled(runs::NAME, long_runs(), &[">", ">"]),
        filled(compare::NAME, compared(), &[]),
        filled(compare::NAME, compared(), &["m"]),
        filled(run::NAME, Value::new(Some(Box::new(long_sheet()))), &["s", "s"]),
    ];
    for view in RunView::ALL {
        let mut state = showing(run::NAME, (120, 24));
        turn(&mut state, view);
        let sheet = RunWithTopics { more: more(view), ..long_sheet() };
        answer(&mut state, Value::new(Some(Box::new(sheet))));
        states.push(state);
    }
    let mut reading = showing(documents::NAME, (120, 24));
    press(&mut reading, &["Enter"]);
    let mut found = document();
    found.document.key = name(0);
    found.document.title = Some(name(1));
    for (place, row) in found.words.iter_mut().enumerate() {
        row.word = name(place);
        row.count = 123_456_789;
    }
    answer(&mut reading, Value::new(Some(Box::new(found))));
    let mut words = reading.clone();
    press(&mut words, &["w"]);
    states.extend([reading, words]);
    states
}
