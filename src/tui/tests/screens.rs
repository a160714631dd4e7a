//! What the screens look like, letter for letter.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Modifier;

use super::fixture::user::{answer, digit, names, of_an_empty_store, press, showing, state};
use super::fixture::{corpora_of, detail, document, run_rows, runs, sheet};
use crate::tui::question::Value;
use crate::tui::screens::choose_k::{self, ChoiceOfK};
use crate::tui::screens::compare::{self, Compared};
use crate::tui::screens::corpora;
use crate::tui::screens::corpus::{self, question::CorpusPage};
use crate::tui::screens::launch::{self, Material};
use crate::tui::screens::run::{self, RunViewData, RunWithTopics};
use crate::tui::screens::runs::{self, RunList};
use crate::tui::screens::sql;
use crate::tui::state::State;
use crate::tui::view;
use crate::tui::view::look::Appearance;
use topoi_store::id::RunId;
use topoi_store::result::warning::Warning;

const NARROW: (u16, u16) = (80, 24);
const WIDE: (u16, u16) = (200, 50);

pub(super) fn drawn(state: &State) -> Terminal<TestBackend> {
    let (width, height) = state.workbench.size;
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("terminal");
    let draw = |frame: &mut ratatui::Frame| {
        let area = frame.area();
        view::draw(state, area, frame.buffer_mut());
    };
    terminal.draw(draw).expect("draw");
    terminal
}

fn name(screen: &str) -> String {
    screen.to_lowercase()
}

#[test]
fn every_screen_filled() {
    for (size, word) in [(NARROW, "80x24"), (WIDE, "200x50")] {
        for screen in names() {
            let state = showing(screen, size);
            let file = format!("{}_{word}", name(screen));
            insta::assert_snapshot!(file, drawn(&state).backend());
        }
    }
}

#[test]
fn every_screen_of_an_empty_store() {
    for screen in names() {
        let mut state = state(NARROW);
        press(&mut state, &[&digit(screen)]);
        let data = match screen {
            corpora::NAME => corpora_of(Vec::new()),
            corpus::NAME => Value::new(None::<Box<CorpusPage>>),
            launch::NAME => Value::new(Material::default()),
            runs::NAME => Value::new(RunList { runs: Vec::new(), detail: None, log: Vec::new() }),
            run::NAME => Value::new(None::<Box<RunWithTopics>>),
            compare::NAME => Value::new(Compared::Ok(None)),
            choose_k::NAME => Value::new(Box::<ChoiceOfK>::default()),
            sql::NAME => Value::new(super::fixture::tables()),
            _ => of_an_empty_store(&state),
        };
        answer(&mut state, data);
        state.workbench.active = 0;
        insta::assert_snapshot!(format!("{}_empty", name(screen)), drawn(&state).backend());
    }
}

#[test]
fn a_running_run() {
    for (size, word) in [(NARROW, "80x24"), (WIDE, "200x50")] {
        let mut state = showing(runs::NAME, size);
        press(&mut state, &["j"]);
        answer(&mut state, runs(9));
        insta::assert_snapshot!(format!("runs_running_{word}"), drawn(&state).backend());
    }
}

fn warnings() -> Vec<Warning> {
    let warning =
        |name: &str, value, text: &str| Warning { name: name.into(), value, text: text.into() };
    vec![
        warning("empty_topics", 2.0, "2 of 50 topics are empty (7, 31); use fewer topics"),
        warning(
            "documents_left_out",
            0.25,
            "100 of 400 documents (25%) are left out, with fewer than 5 tokens of its vocabulary; \
             raise --terms, or lower --min-tokens where it is above 1",
        ),
    ]
}

#[test]
fn a_run_with_warnings_is_marked_and_says_why() {
    let mut state = showing(runs::NAME, NARROW);
    let mut rows = run_rows();
    rows[5].warnings = warnings();
    let found = RunList { runs: rows, detail: Some(Box::new(detail(RunId(5)))), log: Vec::new() };
    press(&mut state, &["j", "j", "j", "j", "j"]);
    answer(&mut state, Value::new(found));
    insta::assert_snapshot!("runs_warned", drawn(&state).backend());
    let mut sheet = sheet();
    sheet.row.warnings = warnings();
    let mut state = showing(run::NAME, NARROW);
    answer(&mut state, Value::new(Some(Box::new(sheet.clone()))));
    insta::assert_snapshot!("run_warned", drawn(&state).backend());
    press(&mut state, &["I"]);
    sheet.more = RunViewData::Facts(Box::new(detail(sheet.row.run.id)));
    answer(&mut state, Value::new(Some(Box::new(sheet))));
    insta::assert_snapshot!("run_warned_facts", drawn(&state).backend());
}

#[test]
fn filtered_lists_count_what_matches() {
    let mut state = showing(runs::NAME, NARROW);
    press(&mut state, &["/", "s", "t", "a"]);
    answer(&mut state, runs(8));
    insta::assert_snapshot!("runs_filtered", drawn(&state).backend());
    let mut state = showing(run::NAME, NARROW);
    press(&mut state, &["/", "s", "v", "m", "Enter"]);
    insta::assert_snapshot!("run_filtered", drawn(&state).backend());
}

#[test]
fn help_and_question() {
    let mut state = showing(runs::NAME, NARROW);
    press(&mut state, &["?"]);
    insta::assert_snapshot!("help", drawn(&state).backend());
    press(&mut state, &["Esc", "x"]);
    insta::assert_snapshot!("question", drawn(&state).backend());
}

#[test]
fn a_form_with_a_mistake_says_what_to_change() {
    let mut state = showing(launch::NAME, NARROW);
    press(&mut state, &["Tab", "Tab", "Backspace", "Backspace", "1"]);
    insta::assert_snapshot!("launch_mistake", drawn(&state).backend());
}

fn reading(size: (u16, u16), look: Appearance) -> State {
    let mut state = showing(corpus::NAME, size);
    state.workbench.look = look;
    press(&mut state, &["Enter"]);
    answer(&mut state, Value::new(Some(Box::new(document()))));
    state
}

#[test]
fn a_document_that_is_read() {
    let look = super::fixture::user::look();
    for (size, word) in [(NARROW, "80x24"), (WIDE, "200x50")] {
        let state = reading(size, look);
        insta::assert_snapshot!(format!("document_{word}"), drawn(&state).backend());
    }
    let plain = reading(NARROW, Appearance { colour: false, ..look });
    insta::assert_snapshot!("document_without_colour", drawn(&plain).backend());
    let mut words = reading(
        NARROW,
        Appearance { colour: false, unicode: false, ..super::fixture::user::look() },
    );
    press(&mut words, &["w", "s"]);
    insta::assert_snapshot!("document_words_ascii", drawn(&words).backend());
}

#[test]
fn words_have_the_colours_of_their_topics() {
    let terminal = drawn(&reading(NARROW, super::fixture::user::look()));
    let buffer = terminal.backend().buffer();
    let of_topic = |place| Some(super::fixture::user::look().topic(place).fg.expect("a colour"));
    // "Kernel PCA as": the first topic of the legend, then a word of none.
    assert_eq!(Some(buffer[(1, 3)].fg), of_topic(0));
    assert_eq!(Some(buffer[(8, 3)].fg), of_topic(0));
    assert_eq!(buffer[(12, 3)].fg, ratatui::style::Color::Reset);
}

#[test]
fn names_that_complete_a_word_are_listed() {
    let mut state = showing(sql::NAME, NARROW);
    press(&mut state, &["Ctrl-U", "t", "o", "Tab", "Tab"]);
    insta::assert_snapshot!("sql_completion", drawn(&state).backend());
}

#[test]
fn a_terminal_that_is_too_small_says_what_it_needs() {
    insta::assert_snapshot!("too_small", drawn(&showing(runs::NAME, (40, 10))).backend());
}

#[test]
fn without_unicode_only_ascii_is_drawn() {
    for screen in names() {
        let mut state = showing(screen, NARROW);
        state.workbench.look.unicode = false;
        let terminal = drawn(&state);
        let cells = &terminal.backend().buffer().content;
        assert!(cells.iter().all(|cell| cell.symbol().is_ascii()), "{screen}");
    }
    let mut state = showing(runs::NAME, NARROW);
    state.workbench.look =
        Appearance { unicode: false, colour: false, ..super::fixture::user::look() };
    insta::assert_snapshot!("runs_ascii", drawn(&state).backend());
}

#[test]
fn without_colour_the_same_letters_and_reverse_video_are_drawn() {
    for screen in names() {
        let coloured = showing(screen, NARROW);
        let mut plain = coloured.clone();
        plain.workbench.look.colour = false;
        let (coloured, plain) = (drawn(&coloured), drawn(&plain));
        let pairs =
            coloured.backend().buffer().content.iter().zip(&plain.backend().buffer().content);
        for (with, without) in pairs {
            assert_eq!(with.symbol(), without.symbol());
            assert_eq!(with.modifier, without.modifier);
            assert_eq!(without.fg, ratatui::style::Color::Reset);
        }
    }
}

#[test]
fn the_selected_row_is_marked_and_reversed() {
    let terminal = drawn(&showing(corpora::NAME, NARROW));
    let buffer = terminal.backend().buffer();
    assert_eq!(buffer[(0, 3)].symbol(), ">");
    assert!(buffer[(10, 3)].modifier.contains(Modifier::REVERSED));
    assert!(!buffer[(10, 4)].modifier.contains(Modifier::REVERSED));
}

#[test]
fn no_size_makes_a_screen_panic() {
    for screen in names() {
        let mut state = showing(screen, NARROW);
        for overlay in [false, true] {
            for width in (1..=130).step_by(3) {
                for height in 1..=30 {
                    state.workbench.size = (width, height);
                    if overlay {
                        press(&mut state, &["?", "PgDn"]);
                    }
                    drawn(&state);
                    press(&mut state, &["Esc"]);
                    state.workbench.shown = screen;
                }
            }
        }
    }
}
