//! Sides of runs, comparisons and sweeps for the tests of this folder.

use super::fixture::{WORDS, detail, page, run, sheet};
use super::user::{answer, press};
use crate::tui::question::Value;
use crate::tui::screens::choose_k::ChoiceOfK;
use crate::tui::screens::compare::Compared;
use crate::tui::screens::run::{RunMore, RunSheet, RunView};
use crate::tui::state::State;
use crate::tui::threads::recall::topic_documents::{DocumentLine, TopicDocuments};
use topoi::bound::lda::{LdaSettings, Upper};
use topoi::bound::spectrum::Eigengap;
use topoi::bound::topic_spectrum::Coefficients;
use topoi::run::choose_k::bounds::{Bounds, Details, SavedSettings};
use topoi::run::choose_k::recommendation::recommendation;
use topoi::run::choose_k::sweep::{Sweep, SweptMetric};
use topoi::run::saved::align::Alignment;
use topoi::run::saved::anchor_map::AnchorMap;
use topoi::run::saved::compare::{Better, ComparedMetric, ComparedRun, Comparison};
use topoi::run::saved::noise::Noise;
use topoi::run::saved::topic_images::TopicImages;
use topoi::run::saved::topic_lifts::TopicLifts;
use topoi::search::snippet::Piece;
use topoi::store::corpus::document::Document;
use topoi::store::result::k_bound::{KBound, KEstimate, SavedKBound};
use topoi::store::result::word::WordPosition;
use topoi::store::run::RunStatus;

/// Words on a spiral; the twelve anchors of the topics are the farthest out.
fn map() -> AnchorMap {
    let place = |number: usize| {
        let out = ((number * 37) % 100) as f64 / 100.0;
        let (out, angle) =
            if number < 12 { (1.0, number as f64) } else { (out * out, number as f64) };
        WordPosition {
            term_id: number as i64,
            word: WORDS.get(number).map_or_else(|| format!("word{number}"), ToString::to_string),
            x: out * angle.cos(),
            y: out * angle.sin() * if number.is_multiple_of(3) { 0.6 } else { 1.0 },
        }
    };
    let anchors = (0..50).map(|topic| (topic < 12).then_some(topic)).collect();
    let hull = vec![3, 4, 5, 11, 0, 1, 7, 2, 8];
    AnchorMap { words: (0..900).map(place).collect(), anchors, hull, variance: Some(0.761) }
}

fn lifts() -> TopicLifts {
    let lift = |at: usize| {
        let (a, b) = (at / 50, at % 50);
        if a % 5 == b % 5 {
            9.0 / (1 + a.abs_diff(b) / 5) as f64
        } else {
            0.2 * (1 + a % 5 + b % 5) as f64
        }
    };
    let mut order: Vec<usize> = (0..50).collect();
    order.sort_by_key(|topic| (topic % 5, *topic));
    TopicLifts { lifts: (0..2500).map(lift).collect(), order }
}

/// What a view of [`sheet`] needs besides.
pub fn more(view: RunView) -> RunMore {
    match view {
        RunView::Topics | RunView::Topic => RunMore::Images(None),
        RunView::Documents => RunMore::Documents(Some(documents(0))),
        RunView::Correlations => RunMore::Lifts(Some(lifts())),
        RunView::Map => RunMore::Map(Some(map())),
        RunView::Facts => {
            let mut detail = detail(5);
            let settings = r#"{"variant":"exact","top_words":10,"window":10,"unit":"window",
                               "units":65520,"aggregation":"mean"}"#;
            detail.metrics[0].settings = Some(settings.into());
            detail.stages[2].seconds = Some(12.3);
            detail.stages[2].residual = Some(2.41e-3);
            RunMore::Facts(detail)
        }
    }
}

/// Shows another side of the run.
pub fn turn(state: &mut State, view: RunView) {
    press(state, &[view.name().0]);
    let sheet = RunSheet { more: more(view), ..sheet() };
    answer(state, Value::new(Some(Box::new(sheet))));
}

/// Twelve documents of a topic.
pub fn documents(topic: u64) -> TopicDocuments {
    let part = |text: &str, is_hit| Piece { text: text.to_string(), is_hit };
    let document = |(at, document): (usize, Document)| DocumentLine {
        share: 0.71 - at as f64 * 0.04,
        name: document.title.clone().unwrap_or_else(|| "A spike is first words".into()),
        snippet: vec![
            part(if at % 2 == 0 { "… of the " } else { "of the " }, false),
            part("network", true),
            part(" and its ", false),
            part("kernel", true),
            part(", which learn from examples alone …", false),
        ],
        document,
    };
    let found = page(1, 12).documents.into_iter().enumerate().map(document).collect();
    TopicDocuments { topic, found: Ok(found) }
}

/// A bar from the left, a different one for every topic.
pub fn images() -> TopicImages {
    let picture = |topic: usize| {
        let pixel = |at: usize| match (at / 12, at % 12) {
            (row, column) if row == topic % 9 && column > 2 => 0.1,
            (_, 6) => 0.02,
            _ => 0.0,
        };
        (0..9 * 12).map(pixel).collect()
    };
    TopicImages { rows: 9, columns: 12, pictures: (0..50).map(picture).collect() }
}

pub fn comparison() -> Comparison {
    let compared = |id: i64, k: usize| {
        let mut topics = sheet().topics;
        topics.truncate(k);
        if id != 5 {
            topics.iter_mut().for_each(|topic| topic.label = None);
        }
        topics.iter_mut().for_each(|topic| topic.words.rotate_left(topic.topic as usize % 3));
        ComparedRun { run: run(id, k as u64, RunStatus::Finished), topics }
    };
    let pair = |topic: u64| (topic, (topic + 3) % 10, 0.97 - topic as f64 * 0.08);
    let alignment = |run: i64, k: u64| Alignment {
        run,
        shared_terms: 4980,
        pairs: (0..k).map(pair).collect(),
        only_first: (k..12).collect(),
        only_other: Vec::new(),
    };
    let metric = |name: &str, values: [f64; 3], better, best| ComparedMetric {
        name: name.into(),
        values: values.map(Some).to_vec(),
        better,
        uncertainty: better.map(|_| 0.01),
        best,
    };
    Comparison {
        runs: vec![compared(5, 12), compared(11, 10), compared(12, 10)],
        alignments: vec![alignment(11, 10), alignment(12, 9)],
        metrics: vec![
            metric("documents_used", [2483.0; 3], None, None),
            metric("legality", [1.0766, 1.02, 1.2], Some(Better::NearOne), Some(1)),
            metric("npmi", [0.155, 0.142, 0.139], Some(Better::Larger), Some(0)),
            metric("relative_approximation", [0.2885, 0.31, 0.27], Some(Better::Smaller), Some(2)),
            ComparedMetric {
                values: vec![Some(-51.3), None, Some(-52.0)],
                ..metric("umass", [0.0; 3], Some(Better::Larger), None)
            },
        ],
    }
}

pub fn compare() -> Value {
    Value::new::<Compared>(Ok(Some(Box::new(comparison()))))
}

/// Bounds of 7 to 24 with an estimate between.
pub fn bounds() -> Bounds {
    let upper = |coefficients, topics| Upper { coefficients, topics, probability: 0.0 };
    let spectrum = (0..24).map(|at| (2e-3 * 0.7f64.powi(at), 1e-9)).collect();
    let bound = KBound {
        corpus_id: 1,
        vocabulary_id: 1,
        method: "cheng2015".into(),
        lower: 7,
        upper: Some(24),
        is_cut_off: false,
        lower_probability: 0.9,
        upper_probability: Some(0.0),
        threshold: 1.9e-4,
        settings: String::new(),
        details: String::new(),
        corpus_hash: Vec::new(),
        spectrum,
    };
    let created_at = "2026-11-02T20:14:33.123Z".into();
    Bounds {
        saved: SavedKBound { id: 3, created_at, bound },
        settings: SavedSettings { lda: LdaSettings::default(), min_tokens: 5 },
        details: Details {
            documents: 5812,
            terms: 5000,
            length: 512.3,
            smallest: 4.1e-5,
            least: -1e-6,
            eigengap: Some(Eigengap { after: 6, ratio: 1.43 }),
            participation_ratio: Some(4.21),
            uppers: vec![
                upper(Coefficients::Appendix, Some(24)),
                upper(Coefficients::Theorem, None),
                upper(Coefficients::Solved, None),
            ],
        },
        estimates: vec![KEstimate { run: 12, k: 20, k_hat: 13.0 }],
    }
}

pub fn sweep() -> Value {
    let ks = [10, 20, 20, 50];
    let runs = ks.iter().zip(1..).map(|(&k, id)| run(id, k, RunStatus::Finished)).collect();
    let metric = |name: &str, better, values: [f64; 4]| SweptMetric {
        name: name.into(),
        better,
        values: values.map(Some).to_vec(),
    };
    let sweep = Sweep {
        runs,
        metrics: vec![
            metric("dissimilarity", Better::Larger, [14.6, 11.2, 11.0, 6.1]),
            metric("npmi", Better::Larger, [0.142, 0.151, 0.149, 0.155]),
            metric("relative_approximation", Better::Smaller, [0.74, 0.5, 0.51, 0.29]),
            metric("umass", Better::Larger, [-52.5, -51.0, -51.2, -51.3]),
        ],
        spectrum_of: 4,
        spectrum: (0..50).map(|at| (0.02 * 0.91f64.powi(at), Some(1e-9))).collect(),
        noise: Noise::default(),
    };
    let bounds = bounds();
    let advice = recommendation(&sweep, Some(&bounds));
    let (corpus, bounds, sweep) = (Some("nips".into()), Some(bounds), Some(sweep));
    Value::new(Box::new(ChoiceOfK { corpus, sweep, bounds, advice }))
}
