//! Search, a word, documents like one: what their keys ask for, where rows lead, how they look.

use ratatui::buffer::Cell;
use ratatui::style::Modifier;

use super::fixture::user::{answer, asked, press, showing};
use super::fixture::{corpora, corpus, document, run, sheet};
use super::screens::drawn;
use crate::tui::effect::Effect;
use crate::tui::list::screen::{ListQuestion, Listing};
use crate::tui::message::{EffectOutcome, Message};
use crate::tui::question::Value;
use crate::tui::screen::Selection;
use crate::tui::screens::corpus::question::{DocumentDetail, DocumentQuestion};
use crate::tui::screens::rising_words::RisingWords;
use crate::tui::screens::run::RunView;
use crate::tui::screens::run::question::RunQuestion;
use crate::tui::screens::same_topic::SameTopic;
use crate::tui::screens::search::question::{IndexState, SearchAnswer, SearchQuestion};
use crate::tui::screens::similar::Similar;
use crate::tui::screens::word::question::{
    TopicOfWord, UsageBesideTopic, WordAnswer, WordQuestion, WordRows,
};
use crate::tui::screens::word::{Sought, WordView};
use crate::tui::screens::{rising_words, same_topic, search, similar, word};
use crate::tui::state::State;
use crate::tui::update::update;
use topoi_core::fields::date::{Date, PeriodLength};
use topoi_ingest::search::context::{Context, ContextOrder};
use topoi_ingest::search::snippet::Piece;
use topoi_ingest::search::word::TermDocument;
use topoi_ingest::search::{SearchHit, SearchOrder, SearchResults};
use topoi_run::concordance::CitedContext;
use topoi_run::concordance::collocates::{Collocate, Collocates};
use topoi_run::concordance::usage::GroupUsage;
use topoi_run::groups::fields::Part;
use topoi_run::life::spawn::BackgroundJob;
use topoi_run::notes::citation::CitationForm;
use topoi_run::saved::same_topic::TopicElsewhere;
use topoi_run::saved::similar::SimilarDocument;
use topoi_store::corpus::document::Document;
use topoi_store::corpus::term::Term;
use topoi_store::id::{CorpusId, DocumentId, RunId, TermId, TopicNumber};
use topoi_store::result::novelty::RisingWord;
use topoi_store::run::RunStatus;

const SIZE: (u16, u16) = (80, 24);
const SIZES: [((u16, u16), &str); 2] = [(SIZE, "80x24"), ((200, 50), "200x50")];

fn row(id: i64) -> Document {
    let long = "A title that is much longer than what there is room for in a list, 主題 and all";
    Document {
        id: DocumentId(id),
        key: format!("nips/{id:05}.txt"),
        title: (id % 3 != 0).then(|| long.into()),
        tokens: 100 + 37 * id as u64,
        source: "nips.tsv".into(),
    }
}

fn piece(text: &str, is_hit: bool) -> Piece {
    Piece { text: text.into(), is_hit }
}

fn found(count: i64) -> SearchResults {
    let documents = (1..=count).map(|id| SearchHit {
        document: row(id),
        snippet: vec![
            piece("… what the ", false),
            piece("kernel", true),
            piece(" of a support vector machine does to naïve 主題 and to a ", false),
            piece("Kernel", true),
            piece(" of another kind, which is told over a whole line and more than that …", false),
        ],
    });
    SearchResults { total: 12_345, order: SearchOrder::Relevance, documents: documents.collect() }
}

fn search_answer(index: IndexState, found: Option<Result<SearchResults, String>>) -> Value {
    let corpus = Some(corpus(1, "nips", 5812));
    Value::new(Box::new(SearchAnswer { corpus, index, found }))
}

/// The screen with what was found for "kernel".
fn searching(size: (u16, u16)) -> State {
    let mut state = showing(crate::tui::screens::corpora::NAME, size);
    answer(&mut state, corpora());
    press(&mut state, &["F"]);
    answer(&mut state, search_answer(IndexState::Ready, None));
    press(&mut state, &["k", "e", "r", "n", "e", "l", "Enter"]);
    answer(&mut state, search_answer(IndexState::Ready, Some(Ok(found(60)))));
    state
}

/// Leads on to a screen, as a row would.
fn followed(to: &'static str, subject: Selection, size: (u16, u16)) -> (State, Vec<Effect>) {
    let mut state = showing(crate::tui::screens::corpora::NAME, size);
    state.workbench.follow(to, subject);
    let effects = update(&mut state, Message::Resize(size.0, size.1));
    (state, effects)
}

fn word_subject() -> Selection {
    let term = Some("kernel".into());
    Selection { corpus: Some(CorpusId(1)), run: Some(RunId(7)), term, ..Selection::default() }
}

fn word_answer(found: WordRows) -> Value {
    let term = Term {
        id: TermId(3),
        text: "kernel".into(),
        document_frequency: 812,
        total_count: 12_345,
        form: None,
    };
    let corpus = Some(corpus(1, "nips", 5812));
    Value::new(Box::new(WordAnswer { corpus, term: Some(term), found: Ok(found) }))
}

fn topics() -> WordRows {
    let row = |topic: u64| TopicOfWord {
        topic: TopicNumber(29 - topic),
        in_topic: 0.08 / (1.0 + topic as f64),
        of_word: 0.62 / (1 << topic.min(20)) as f64,
        rank: (topic < 20).then_some(1 + topic * topic),
        words: "kernel machine margin support vector 主題".into(),
    };
    WordRows::Topics { run: RunId(7), rows: (0..30).map(row).collect() }
}

fn contexts() -> WordRows {
    let row = |id: i64| Context {
        document: DocumentId(id),
        key: format!("nips/{id:05}.txt"),
        title: None,
        start: 70,
        left: "in which it was shown that for every 主題 there is a positive definite ".into(),
        hit: if id % 2 == 0 { "kernel" } else { "Kernels" }.into(),
        right: " such that the machine has a margin which is as wide as can be".into(),
        before: vec!["definite".into()],
        after: vec!["such".into()],
    };
    let cited = |context: Context| CitedContext {
        source: format!("{}, characters 71\u{2013}76", context.key),
        passage: None,
        author: None,
        date: Some("1998".into()),
        context,
    };
    let rows = (1..80).map(row).map(cited).collect();
    WordRows::Contexts { total: Some(12_345), documents: 812, rows }
}

fn collocates() -> WordRows {
    let row = |at: u32| Collocate {
        word: format!("machine{at}"),
        together: f64::from(90 - at),
        before: f64::from(50 - at / 2),
        after: 40.0,
        expected: 1.25,
        log_likelihood: 800.0 / f64::from(at),
        mi3: 18.0 - f64::from(at) / 8.0,
    };
    let rows = (1..80).map(row).collect();
    WordRows::Collocates(Collocates { rows, occurrences: 12_345, documents: (812, 812) })
}

fn by_field() -> WordRows {
    let usage = |year: i32| GroupUsage {
        part: Part::Period(
            Date::parse(&year.to_string())
                .expect("a date")
                .period(PeriodLength::Year)
                .expect("a year"),
        ),
        documents: 160,
        matching: 40,
        occurrences: u64::from(90 + year.unsigned_abs() % 7),
        tokens: 100_000,
        per_million: 900.0 + f64::from(year % 7) * 40.0,
        interval: Some((800.0 + f64::from(year % 7) * 40.0, 1010.0 + f64::from(year % 7) * 40.0)),
    };
    let row = |year: i32| UsageBesideTopic {
        usage: usage(year),
        share: Some(0.02 + f64::from(year % 5) / 100.0),
    };
    let groups = (1987..2010).map(row).collect();
    let WordRows::Topics { run, rows } = topics() else { unreachable!("topics") };
    let topic = rows.into_iter().next().map(|topic| (run, topic));
    WordRows::ByField { field: "year".into(), fields: 2, is_over_time: true, groups, topic }
}

fn documents() -> WordRows {
    let row = |id: i64| TermDocument { document: row(id), count: 90 - id as u64 };
    WordRows::Documents((1..80).map(row).collect())
}

pub fn word_at(view: WordView, size: (u16, u16)) -> State {
    let (mut state, _) = followed(word::NAME, word_subject(), size);
    let (key, found) = match view {
        WordView::Contexts => ("C", contexts()),
        WordView::Collocates => ("w", collocates()),
        WordView::ByField => ("f", by_field()),
        WordView::Topics => ("t", topics()),
        WordView::Documents => ("d", documents()),
    };
    press(&mut state, &[key]);
    answer(&mut state, word_answer(found));
    state
}

fn similar_at(size: (u16, u16)) -> (State, Vec<Effect>) {
    let subject = Selection {
        corpus: Some(CorpusId(1)),
        document: Some(DocumentId(4)),
        run: Some(RunId(7)),
        ..Selection::default()
    };
    let (mut state, effects) = followed(similar::NAME, subject, size);
    let near = |id: i64| SimilarDocument { document: row(id), distance: 0.0123 * id as f64 };
    let rows = (1..70).map(near).collect();
    let found = Listing::<Similar> { about: ("nips/00004.txt".into(), Some(RunId(7))), rows };
    answer(&mut state, Value::new(Some(found)));
    (state, effects)
}

/// Topic 1 of run 7 in the others.
fn same_topic_at(size: (u16, u16)) -> (State, Vec<Effect>) {
    let subject =
        Selection { run: Some(RunId(7)), topic: Some(TopicNumber(1)), ..Selection::default() };
    let (mut state, effects) = followed(same_topic::NAME, subject, size);
    let topics = sheet().topics;
    let other = |at: usize| TopicElsewhere {
        run: run(40 - at as i64, 10 + at as u64, RunStatus::Finished),
        topic: topics[at % topics.len()].clone(),
        overlap: 0.93 / (1.0 + at as f64),
    };
    let rows = (0..30).map(other).collect();
    let found = Listing::<SameTopic> { about: (topics[0].clone(), "nips".into()), rows };
    answer(&mut state, Value::new(Some(found)));
    (state, effects)
}

/// The words that rise with run 7.
fn rising_words_at(size: (u16, u16)) -> State {
    let subject = Selection { run: Some(RunId(7)), ..Selection::default() };
    let (mut state, _) = followed(rising_words::NAME, subject, size);
    let word = |at: u64| RisingWord {
        word: format!("kernel{at}"),
        added: 40 - at,
        earlier: at * at,
        p: 0.1_f64.powi(30 - at as i32),
    };
    let rows = (0..20).map(word).collect();
    answer(&mut state, Value::new(Some(Listing::<RisingWords> { about: CorpusId(1), rows })));
    state
}

/// Every side of these screens that has keys of its own.
pub fn sides() -> Vec<State> {
    let mut typing = searching(SIZE);
    press(&mut typing, &["F"]);
    let words = WordView::ALL.map(|view| word_at(view, SIZE));
    let others = [similar_at(SIZE).0, same_topic_at(SIZE).0, rising_words_at(SIZE)];
    [typing, searching(SIZE)].into_iter().chain(others).chain(words).collect()
}

#[test]
fn they_look_as_they_did() {
    for (size, name) in SIZES {
        let views = [
            ("search", searching(size)),
            ("word_topics", word_at(WordView::Topics, size)),
            ("word_documents", word_at(WordView::Documents, size)),
            ("word_contexts", word_at(WordView::Contexts, size)),
            ("word_collocates", word_at(WordView::Collocates, size)),
            ("word_by_field", word_at(WordView::ByField, size)),
            ("similar", similar_at(size).0),
            ("same_topic", same_topic_at(size).0),
            ("rising_words", rising_words_at(size)),
        ];
        for (view, state) in views {
            insta::assert_snapshot!(format!("{view}_{name}"), drawn(&state).backend());
        }
    }
}

#[test]
fn a_query_is_typed_from_everywhere_and_its_rows_lead_to_documents_and_back() {
    let mut state = showing(crate::tui::screens::corpora::NAME, SIZE);
    let effects = press(&mut state, &["F", "q", "1", "x", "Backspace", "Enter"]);
    assert_eq!(state.workbench.shown, search::NAME);
    let wanted = SearchQuestion { corpus: None, query: Some("q1".into()) };
    assert_eq!(asked::<SearchQuestion>(&effects), Some(&wanted));
    answer(&mut state, search_answer(IndexState::Ready, Some(Ok(found(9)))));
    let effects = press(&mut state, &["j", "j", "Enter"]);
    let document_asked = asked::<DocumentQuestion>(&effects).expect("a document");
    assert_eq!((document_asked.corpus, document_asked.id), (CorpusId(1), DocumentId(3)));
    answer(&mut state, Value::new(Some(Box::new(document()))));
    press(&mut state, &["Esc"]);
    assert_eq!((state.workbench.shown, state.search().list.cursor), (search::NAME, 2));
    // What is typed replaces the query, unless the cursor is moved in it first.
    press(&mut state, &["F", "Home", "z", "Enter"]);
    assert_eq!(state.search().query.as_str(), "zq1");
    press(&mut state, &["F", "y", "Enter"]);
    assert_eq!(state.search().query.as_str(), "y");
    let effects = press(&mut state, &["Tab"]);
    let question = asked::<WordQuestion>(&effects).expect("contexts");
    assert_eq!(question.sought, Sought::Query("y".into()));
}

#[test]
fn an_index_is_made_by_the_first_search_or_a_long_one_when_the_user_says_so() {
    let mut state = searching(SIZE);
    let wanted = |done| IndexState::Wanted { bytes: 280_000_000, seconds: 42.0, done };
    let starts =
        |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::StartJob(_)));
    let mut short = searching(SIZE);
    press(&mut short, &["F", "x", "Enter"]);
    assert!(starts(&answer(&mut short, search_answer(wanted(0), None))), "it is made at once");
    let effects = press(&mut state, &["F", "x", "Enter"]);
    assert!(!starts(&effects));
    let long = IndexState::Wanted { bytes: 2_800_000_000, seconds: 420.0, done: 0 };
    assert!(!starts(&answer(&mut state, search_answer(long, None))));
    let shown = drawn(&state).backend().to_string();
    insta::assert_snapshot!(shown);
    let effects = press(&mut state, &["Enter"]);
    let job = BackgroundJob::SearchIndex("nips".into());
    assert!(effects.contains(&Effect::StartJob(job.clone())), "{effects:?}");
    answer(&mut state, search_answer(wanted(2906), None));
    let shown = drawn(&state).backend().to_string();
    assert!(shown.contains("2,906 of 5,812 documents") && shown.contains("50.0%"), "{shown}");
    let effects = press(&mut state, &["Enter"]);
    assert!(!effects.contains(&Effect::StartJob(job.clone())), "it is being made");
    let outcome = Ok(String::new());
    let effects =
        update(&mut state, Message::EffectOutcome(EffectOutcome::JobEnded { job, outcome }));
    assert!(asked::<SearchQuestion>(&effects).is_some());
}

#[test]
fn what_is_wrong_with_a_query_is_told_in_the_place_of_rows() {
    let mut state = searching(SIZE);
    let told = Err("a ( without its )".into());
    answer(&mut state, search_answer(IndexState::Ready, Some(told)));
    assert!(drawn(&state).backend().to_string().contains("a ( without its )"));
    answer(
        &mut state,
        search_answer(IndexState::Ready, Some(Ok(SearchResults { total: 0, ..found(0) }))),
    );
    insta::assert_snapshot!(drawn(&state).backend());
}

#[test]
fn a_word_leads_to_its_topics_its_documents_and_its_contexts() {
    let (mut state, effects) = followed(word::NAME, word_subject(), SIZE);
    let wanted = WordQuestion {
        corpus: Some(CorpusId(1)),
        sought: Sought::Term("kernel".into()),
        run: Some(RunId(7)),
        view: WordView::Contexts,
        order: ContextOrder::Document,
        field: 0,
        citation: CitationForm::default(),
    };
    assert_eq!(asked::<WordQuestion>(&effects), Some(&wanted));
    answer(&mut state, word_answer(contexts()));
    press(&mut state, &["t"]);
    answer(&mut state, word_answer(topics()));
    let effects = press(&mut state, &["j", "Enter"]);
    let run = asked::<RunQuestion>(&effects).expect("a topic");
    assert_eq!((run.id, run.view), (Some(RunId(7)), RunView::Topic));
    press(&mut state, &["Esc"]);
    assert_eq!(state.workbench.shown, word::NAME);
    let effects = press(&mut state, &["Tab", "Tab", "o"]);
    let question = asked::<WordQuestion>(&effects).expect("contexts");
    assert_eq!((question.view, question.order), (WordView::Contexts, ContextOrder::Before));
    answer(&mut state, word_answer(contexts()));
    let effects = press(&mut state, &["G", "Enter"]);
    assert_eq!(asked::<DocumentQuestion>(&effects).map(|asked| asked.id), Some(DocumentId(79)));
    press(&mut state, &["Esc"]);
    assert_eq!(state.workbench.shown, word::NAME);
    press(&mut state, &["w"]);
    answer(&mut state, word_answer(collocates()));
    let effects = press(&mut state, &["Enter"]);
    let question = asked::<WordQuestion>(&effects).expect("both words");
    assert_eq!(question.sought, Sought::Query("\"kernel\" NEAR/5 \"machine1\"".into()));
    press(&mut state, &["Esc", "f"]);
    answer(&mut state, word_answer(by_field()));
    let effects = press(&mut state, &["j", "Enter"]);
    let question = asked::<WordQuestion>(&effects).expect("a year");
    assert_eq!(question.sought, Sought::Query("\"kernel\" year:1988..1988".into()));
}

#[test]
fn documents_like_one_are_compared_by_topics_or_words_and_read() {
    let (mut state, effects) = similar_at(SIZE);
    let of = Selection {
        corpus: Some(CorpusId(1)),
        document: Some(DocumentId(4)),
        run: Some(RunId(7)),
        ..Selection::default()
    };
    let by_topics = ListQuestion { spec: Similar { by_words: false }, of };
    assert_eq!(asked::<ListQuestion<Similar>>(&effects), Some(&by_topics));
    let effects = press(&mut state, &["w"]);
    let by_words = ListQuestion { spec: Similar { by_words: true }, ..by_topics };
    assert_eq!(asked::<ListQuestion<Similar>>(&effects), Some(&by_words));
    let effects = press(&mut state, &["j", "Enter"]);
    assert_eq!(asked::<DocumentQuestion>(&effects).map(|asked| asked.id), Some(DocumentId(2)));
}

#[test]
fn a_topic_leads_to_itself_in_another_run_and_back() {
    let (mut state, effects) = same_topic_at(SIZE);
    let asked_for = asked::<ListQuestion<SameTopic>>(&effects).map(|it| (it.of.run, it.of.topic));
    assert_eq!(asked_for, Some((Some(RunId(7)), Some(TopicNumber(1)))));
    let effects = press(&mut state, &["j", "Enter"]);
    let asked = asked::<RunQuestion>(&effects).expect("a run");
    assert_eq!((asked.id, state.workbench.open_run), (Some(RunId(39)), Some(RunId(39))));
    press(&mut state, &["Esc"]);
    assert_eq!((state.workbench.shown, state.workbench.open_run), (same_topic::NAME, None));
}

#[test]
fn what_was_looked_for_is_lit_in_the_document_that_is_read() {
    let mut state = searching(SIZE);
    let effects = press(&mut state, &["Enter"]);
    let question = asked::<DocumentQuestion>(&effects).expect("a document");
    assert_eq!(question.query.as_deref(), Some("kernel"));
    let second = document().text.rfind("kernel").expect("a kernel");
    let sheet = DocumentDetail { hits: vec![0..6, second..second + 6], ..document() };
    answer(&mut state, Value::new(Some(Box::new(sheet))));
    let terminal = drawn(&state);
    let cells = terminal.backend().buffer().content.iter();
    let is_lit = |cell: &&Cell| cell.modifier.contains(Modifier::UNDERLINED);
    let lit: String = cells.filter(is_lit).map(Cell::symbol).collect();
    assert_eq!(lit.to_lowercase(), "kernelkernel");
}
