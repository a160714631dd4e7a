//! What a store could answer.

use crate::records::corpora::CorpusRow;
use crate::records::runs::RunRow;
use crate::tui::message::Answered;
use crate::tui::question::Value;
use crate::tui::screens::corpus::question::{CorpusPage, DocumentSheet, WordRow};
use crate::tui::screens::launch::Material;
use crate::tui::screens::run::{RunMore, RunSheet};
use crate::tui::screens::runs::RunDetail;
use crate::tui::screens::runs::RunList;
use crate::tui::threads::recall::LegendTopic;
use topoi::run::life::Vitality;
use topoi::run::saved::coloured_text::Piece;
use topoi::store::corpus::Corpus;
use topoi::store::corpus::document::Document;
use topoi::store::corpus::term::Term;
use topoi::store::query::{Cell, QueryResult, TableColumns};
use topoi::store::result::metric::Metric;
use topoi::store::result::topic::{Topic, Word};
use topoi::store::run::progress::{Progress, Stage};
use topoi::store::run::{Run, RunStatus};

const TIME: &str = "2026-11-02T20:14:33.123Z";
pub const DOUBT: &str = "it has nearly the words of topic 15";
pub const WORDS: [&str; 12] = [
    "network", "kernel", "spike", "boost", "bayes", "主題", "hidden", "svm", "neuron", "margin",
    "prior", "naïve",
];

pub fn corpus(id: i64, name: &str, documents: u64) -> Corpus {
    Corpus {
        id,
        name: name.into(),
        created_at: TIME.into(),
        documents,
        terms: documents * 2,
        tokens: documents * 560,
        nonzeros: documents * 120,
        settings: r#"{"lowercase":true,"stop_words":"en"}"#.into(),
        parts_elsewhere: None,
    }
}

pub fn corpora() -> Value {
    let row = |id, name, documents, runs, active| CorpusRow {
        corpus: corpus(id, name, documents),
        runs,
        active,
    };
    Value::new(vec![
        row(2, "movielens", 6040, 0, 0),
        row(1, "nips", 5812, 14, 2),
        row(3, "nytimes", 299_752, 6, 0),
    ])
}

pub fn page(first: i64, documents: usize) -> CorpusPage {
    let document = |number: usize| Document {
        id: first + number as i64,
        key: format!("nips/{:05}.txt", first + number as i64),
        title: (number % 3 != 1).then(|| format!("On {} and other things", WORDS[number % 12])),
        tokens: 800 + number as u64 * 31,
        source: "nips.tsv".into(),
    };
    let term = |(number, word): (usize, &&str)| Term {
        id: number as i64,
        text: word.to_string(),
        document_frequency: 4902 - number as u64 * 100,
        total_count: 31_207 - number as u64 * 1000,
        form: None,
    };
    CorpusPage {
        corpus: corpus(1, "nips", 5812),
        names: (0..documents).map(|number| document(number).title.unwrap_or_default()).collect(),
        topics: (0..documents).map(|number| format!("{:>4}% 7 kernel", number % 90)).collect(),
        run: Some(5),
        documents: (0..documents).map(document).collect(),
        matching: 5812,
        matching_terms: 11_624,
        terms: WORDS.iter().enumerate().map(term).collect(),
    }
}

pub fn run(id: i64, k: u64, status: RunStatus) -> Run {
    let over = status.is_over();
    Run {
        id,
        corpus: "nips".into(),
        corpus_id: 1,
        terms: Some(5000),
        model: "lr-jsmf".into(),
        k,
        seed: 1,
        settings: r#"{"terms":5000,"min_tokens":5,"threads":0,"tolerance":1e-6,"iterations":50}"#
            .into(),
        status,
        created_at: TIME.into(),
        started_at: Some(TIME.into()),
        finished_at: over.then(|| TIME.into()),
        seconds: over.then_some(401.3),
        peak_memory_bytes: over.then_some(2_100_000_000),
        program_version: "0.1.0".into(),
        ..Run::default()
    }
}

pub fn row(id: i64, k: u64, status: RunStatus, vitality: Vitality) -> RunRow {
    RunRow {
        run: run(id, k, status),
        vitality,
        progress: None,
        seconds_left: None,
        silent_for: None,
        npmi: None,
        warnings: Vec::new(),
    }
}

fn live(mut row: RunRow, step: u64) -> RunRow {
    row.progress = Some(Progress {
        stage: "rectify".into(),
        step,
        total: 50,
        residual: Some(2.412e-4),
        memory_bytes: Some(2_140_000_000),
        share: Some(step as f64 / 50.0),
        seconds_left: None,
        age: 0.0,
    });
    row
}

/// One run in every state.
pub fn run_rows() -> Vec<RunRow> {
    use {RunStatus as S, Vitality as V};

    let mut running = live(row(9, 50, S::Running, V::Running), 29);
    running.seconds_left = Some(192.0);
    let mut stalled = live(row(8, 50, S::Running, V::Stalled), 17);
    stalled.silent_for = Some(71);
    let mut failed = row(4, 60, S::Failed, V::AsSaved);
    failed.run.error = Some("rectify: the matrix is singular; choose a smaller k".into());
    let mut interrupted = row(2, 60, S::Interrupted, V::AsSaved);
    interrupted.run.error = Some("its worker ended without a word; the log may say more".into());
    vec![
        row(10, 20, S::Queued, V::AsSaved),
        running,
        stalled,
        live(row(7, 100, S::Running, V::Cancelling), 40),
        live(row(6, 100, S::Running, V::Lost), 40),
        RunRow { npmi: Some(0.1424), ..row(5, 50, S::Finished, V::AsSaved) },
        failed,
        row(3, 20, S::Cancelled, V::AsSaved),
        interrupted,
    ]
}

pub fn detail(run: i64) -> RunDetail {
    let stage = |name: &str, seconds, steps, residual, note: &str| Stage {
        name: name.into(),
        seconds,
        steps,
        residual,
        note: (!note.is_empty()).then(|| note.into()),
    };
    let metric =
        |name: &str, value| Metric { topic: None, name: name.into(), value, settings: None };
    // Off the borders between two heights of the curve, on which the last bit of a power decides.
    let off_border = |step: i32| if step % 28 == 0 { 1.0 } else { 1.0 + 1e-9 };
    let residual = |step: i32| 0.8_f64.powi(step) * off_border(step);
    RunDetail {
        run,
        coverage: String::new(),
        stages: vec![
            stage("vocabulary", Some(0.42), None, None, ""),
            stage(
                "factorise",
                Some(48.2),
                Some(5),
                Some(3.2e-8),
                "relative to the K-th eigenvalue",
            ),
            stage("rectify", None, None, None, ""),
        ],
        metrics: vec![
            metric("npmi", 0.1424),
            metric("specificity", 0.543),
            metric("entropy", 4.11),
        ],
        residuals_of: Some("rectify".into()),
        residuals: (0..29).map(residual).collect(),
    }
}

pub fn runs(selected: i64) -> Value {
    Value::new(RunList {
        runs: run_rows(),
        detail: Some(Box::new(detail(selected))),
        log: Vec::new(),
    })
}

pub fn sheet() -> RunSheet {
    let words = |topic: usize, most: f64| -> Vec<Word> {
        let word = |rank: usize| Word {
            word: WORDS[(topic + rank) % 12].into(),
            probability: most / (rank + 1) as f64,
        };
        (0..10).map(word).collect()
    };
    let topic = |number: usize| Topic {
        topic: number as u64,
        weight: 0.0613 - number as f64 * 0.001,
        anchor: Some(WORDS[number % 12].into()),
        label: (number == 1).then(|| "kernel methods".into()),
        words: words(number, 0.061),
        characteristic: words(number + 2, 0.34),
    };
    let metric = |number: usize| {
        let one = |name: &str, value| Metric {
            topic: Some(number as u64),
            name: name.into(),
            value,
            settings: None,
        };
        [one("npmi", 0.2 - number as f64 * 0.013), one("specificity", 0.31 + number as f64 * 0.01)]
    };
    RunSheet {
        row: row(5, 50, RunStatus::Finished, Vitality::AsSaved),
        topics: (0..50).map(topic).collect(),
        metrics: (0..50).flat_map(metric).collect(),
        doubts: (0..50).map(|topic| (topic == 3).then(|| DOUBT.into())).collect(),
        lambda: 10,
        alike: None,
        more: RunMore::Images(None),
    }
}

pub fn tables() -> Vec<TableColumns> {
    let table = |name: &str, columns: &str| TableColumns {
        name: name.into(),
        columns: columns.split(' ').map(Into::into).collect(),
    };
    vec![
        table("corpus", "id name created_at documents terms tokens nonzeros settings"),
        table("document", "id corpus_id key title tokens source content_hash ingest_id"),
        table("topic", "run_id topic weight anchor_term_id label"),
        table("topic_word", "run_id topic rank word probability"),
    ]
}

pub fn answered() -> Answered {
    let row = |number: i64| {
        let word = WORDS[number as usize % 12];
        vec![
            Cell::Integer(number * 7 % 30),
            Cell::Text(format!("nips/{number:05}.txt")),
            if number % 3 == 1 { Cell::Null } else { Cell::Text(format!("On {word}")) },
            Cell::Real(number as f64 / 7.0),
            Cell::Text(format!("{word} ").repeat(20)),
            Cell::Integer(number),
        ]
    };
    let columns = ["id", "key", "title", "share", "abstract", "tokens"];
    Answered {
        result: QueryResult {
            columns: columns.map(Into::into).to_vec(),
            rows: (1..=60).map(row).collect(),
            more: false,
        },
        seconds: 0.0042,
    }
}

/// A document whose words have the topics of run 5.
pub fn document() -> DocumentSheet {
    let text = "Kernel PCA as a nonlinear feature extractor has proven powerful as a \
                preprocessing step for classification algorithms: a margin, a kernel machine.\n\n\
                The spike of a neuron (and its network) is another matter; bayes would ask for a \
                prior, and 主題 for nothing.";
    let topic_of = |word: &str| match word.to_lowercase().as_str() {
        "kernel" | "margin" | "machine" | "pca" => Some(7),
        "spike" | "neuron" | "network" => Some(2),
        "bayes" | "prior" => Some(11),
        _ => None,
    };
    let piece = |part: &str| {
        let topic = topic_of(part);
        Piece { text: part.into(), topic, term: topic.map(|_| part.to_lowercase()) }
    };
    let parts = text.split_inclusive(' ').flat_map(|part| {
        let word = part.trim_end_matches(|c: char| !c.is_alphanumeric());
        let lead = word.trim_start_matches('(');
        [&word[..word.len() - lead.len()], lead, &part[word.len()..]]
    });
    let legend = |topic, name: &str, share| LegendTopic {
        topic,
        name: name.into(),
        words: WORDS.iter().skip(topic as usize % 5).take(6).map(|w| w.to_string()).collect(),
        share,
    };
    let row = |(count, word): (u64, &&str)| WordRow {
        word: word.to_string(),
        count,
        topic: topic_of(word),
    };
    DocumentSheet {
        document: page(1, 1).documents.remove(0),
        chunk: None,
        fields: vec![("year".into(), "1998".into()), ("section".into(), "kernels".into())],
        hits: Vec::new(),
        runs: vec![5, 3],
        run: Some(5),
        legend: vec![
            legend(7, "kernel methods", 0.5),
            legend(2, "spike", 0.3),
            legend(11, "bayes", 0.2),
        ],
        pieces: parts.filter(|part| !part.is_empty()).map(piece).collect(),
        is_cut: false,
        words: (1..).zip(WORDS.iter()).map(row).collect(),
    }
}

pub fn launch() -> Value {
    let runs = run_rows().into_iter().map(|row| row.run).collect();
    Value::new(Material {
        corpora: vec![corpus(2, "movielens", 6040), corpus(1, "nips", 5812)],
        runs,
        ..Material::default()
    })
}
