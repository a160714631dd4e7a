//! The topics of a run in groups of documents: from a field to a cell, to the documents behind it, and back.

use super::fixture::user::{answer, asked, press, showing};
use super::fixture::{document, sheet};
use super::screens::drawn;
use crate::tui::effect::Effect;
use crate::tui::question::Value;
use crate::tui::screens::by_field::question::{
    FieldsAnswer, FieldsQuestion, GroupsAnswer, GroupsQuestion, MembersAnswer, MembersQuestion,
};
use crate::tui::screens::corpus::question::DocumentQuestion;
use crate::tui::screens::{by_field, run};
use crate::tui::state::State;
use crate::tui::threads::cache::topic_documents::DocumentLine;
use topoi_core::fields::date::{Date, PeriodLength};
use topoi_core::fields::kind::{Kind, ValueSummary};
use topoi_core::fields::smooth::Smooth;
use topoi_core::fields::sums::{Difference, Share};
use topoi_core::formula::linear_proportions::ShareEstimate;
use topoi_ingest::search::snippet::Piece;
use topoi_run::groups::by::{Answer, Cell, Group, NotGrouped};
use topoi_run::groups::fields::{Field, Part, Rule};
use topoi_run::groups::no_shares::NoShares;
use topoi_store::id::{DocumentId, RunId, TopicNumber};

const SIZE: (u16, u16) = (80, 24);
const SECTIONS: [&str; 5] = ["arts", "business & finance", "health", "sports", "主題 world"];

fn field(name: &str, kind: Kind, values: &[String]) -> Field {
    let mut tally = ValueSummary::default();
    values.iter().for_each(|value| tally.add(value, 40));
    Field { name: name.into(), kind, is_set: false, without: 7, marked: 0, tally }
}

fn years() -> Vec<String> {
    (2005..2023).map(|year: i32| year.to_string()).collect()
}

fn fields() -> [Field; 2] {
    let sections = SECTIONS.map(String::from);
    [field("section", Kind::Category, &sections), field("year", Kind::Date, &years())]
}

fn fields_answer() -> Value {
    let (corpus, fields) = ("nips".into(), fields().into());
    Value::new(Some(Box::new(FieldsAnswer { run: RunId(5), corpus, fields })))
}

/// Every topic has most of one group, and less the further from it.
fn groups_answer(name: &str) -> Value {
    let is_over_time = name == "year";
    let parts: Vec<Part> = match is_over_time {
        true => years()
            .iter()
            .filter_map(|y| Date::parse(y)?.period(PeriodLength::Year))
            .map(Part::Period)
            .collect(),
        false => SECTIONS.map(|section| Part::Value(section.into())).into(),
    };
    let topics = sheet().topics;
    let mut cells = Vec::new();
    for topic in 0..topics.len() {
        for group in 0..parts.len() {
            let far = (topic % parts.len()).abs_diff(group) as f64;
            let share = 0.31 / (1.0 + far).powi(2) / (1.0 + topic as f64 / 9.0);
            let smooth = is_over_time.then_some(Smooth {
                smooth: 0.9 * share,
                smooth_low: 0.8 * share,
                smooth_high: share + 0.01,
            });
            let error = (group != 2).then_some(0.004);
            let difference = share - 0.05;
            let interval = Some((difference - 0.01, difference + 0.01));
            cells.push(Cell {
                group,
                topic: TopicNumber::from_index(topic),
                share: Share { share, error, freedom: 200.0, is_pooled: false },
                difference: Some(Difference { difference, interval }),
                smooth,
            });
        }
    }
    let group =
        |(at, part): (usize, &Part)| Group { parts: vec![part.clone()], documents: 30 + at as u64 };
    let none = NotGrouped { without: vec![7], unreadable: vec![0], example: vec![None], other: 0 };
    let rule =
        if is_over_time { Rule::Period(PeriodLength::Year, Kind::Date) } else { Rule::Value };
    let answer = Answer {
        shares: ShareEstimate::default(),
        hard_topics: Vec::new(),
        fields: fields().into_iter().filter(|field| field.name == name).collect(),
        rules: vec![rule],
        groups: parts.iter().enumerate().map(group).collect(),
        cells,
        not_grouped: none,
        no_shares: NoShares::default(),
    };
    let notes = vec![format!("7 documents have no {name} and are left out")];
    Value::new(Some(Box::new(GroupsAnswer { topics, found: Ok(answer), notes })))
}

fn members_answer() -> Value {
    let line = |id: i64| DocumentLine {
        document: super::fixture::page(id, 1).documents.remove(0),
        share: 0.9 / id as f64,
        name: format!("On kernels, part {id}"),
        snippet: vec![
            Piece { text: "in which a ".into(), is_hit: false },
            Piece { text: "kernel".into(), is_hit: true },
        ],
    };
    let found: MembersAnswer = Ok((1..40).map(line).collect());
    Value::new(Some(Box::new(found)))
}

/// The fields of the run that is open.
fn fields_of_a_run(size: (u16, u16)) -> (State, Vec<Effect>) {
    let mut state = showing(run::NAME, size);
    let effects = press(&mut state, &["f"]);
    answer(&mut state, fields_answer());
    (state, effects)
}

fn groups_of(name: &str, size: (u16, u16)) -> State {
    let mut state = fields_of_a_run(size).0;
    let keys: &[&str] = if name == "year" { &["j", "Enter"] } else { &["Enter"] };
    press(&mut state, keys);
    answer(&mut state, groups_answer(name));
    state
}

fn documents_at(size: (u16, u16)) -> State {
    let mut state = groups_of("section", size);
    press(&mut state, &["j", "l", "l", "Enter"]);
    answer(&mut state, members_answer());
    state
}

fn one_topic_of(name: &str, size: (u16, u16)) -> State {
    let mut state = groups_of(name, size);
    press(&mut state, &["j", "l", "l", "Tab"]);
    answer(&mut state, groups_answer(name));
    state
}

/// Every side that has keys of its own.
pub fn sides() -> Vec<State> {
    vec![
        fields_of_a_run(SIZE).0,
        groups_of("section", SIZE),
        one_topic_of("section", SIZE),
        documents_at(SIZE),
    ]
}

#[test]
fn groups_look_as_they_did() {
    for (size, name) in [(SIZE, "80x24"), ((100, 30), "100x30")] {
        let views = [
            ("fields", fields_of_a_run(size).0),
            ("sections", groups_of("section", size)),
            ("years", groups_of("year", size)),
            ("topic_by_section", one_topic_of("section", size)),
            ("topic_by_year", one_topic_of("year", size)),
            ("documents", documents_at(size)),
        ];
        for (view, state) in views {
            insta::assert_snapshot!(format!("{view}_{name}"), drawn(&state).backend());
        }
    }
    let mut plain = groups_of("year", SIZE);
    (plain.workbench.look.colour, plain.workbench.look.unicode) = (false, false);
    insta::assert_snapshot!("years_ascii", drawn(&plain).backend());
}

#[test]
fn a_cell_leads_to_its_documents_to_one_of_them_and_back_to_the_same_cell() {
    let (mut state, effects) = fields_of_a_run(SIZE);
    assert_eq!(
        asked::<FieldsQuestion>(&effects).and_then(|asked| asked.run),
        state.workbench.open_run
    );
    let effects = press(&mut state, &["Enter"]);
    let wanted = asked::<GroupsQuestion>(&effects).expect("groups");
    assert_eq!((wanted.field.as_str(), wanted.per), ("section", None));
    answer(&mut state, groups_answer("section"));
    press(&mut state, &["g", "g"]);
    let effects = press(&mut state, &["j", "j", "l", "l", "l", "Enter"]);
    let asked_for = asked::<MembersQuestion>(&effects).expect("documents").clone();
    assert_eq!(asked_for.group.part, Part::Value("sports".into()));
    answer(&mut state, members_answer());
    let effects = press(&mut state, &["j", "Enter"]);
    let to_read =
        effects.iter().find_map(|effect| asked::<DocumentQuestion>(std::slice::from_ref(effect)));
    assert_eq!(to_read.map(|asked| asked.id), Some(DocumentId(2)));
    answer(&mut state, Value::new(Some(Box::new(document()))));
    press(&mut state, &["Backspace"]);
    assert_eq!(state.workbench.shown, by_field::NAME);
    answer(&mut state, members_answer());
    let effects = press(&mut state, &["Backspace"]);
    assert!(asked::<GroupsQuestion>(&effects).is_some());
    answer(&mut state, groups_answer("section"));
    let effects = press(&mut state, &["Enter"]);
    assert_eq!(asked::<MembersQuestion>(&effects), Some(&asked_for));
    press(&mut state, &["Backspace", "Backspace", "Backspace"]);
    assert_eq!(state.workbench.shown, run::NAME);
}

#[test]
fn dates_are_put_together_by_other_periods_and_categories_are_not() {
    let mut state = groups_of("year", SIZE);
    let effects = press(&mut state, &["z"]);
    assert_eq!(
        asked::<GroupsQuestion>(&effects).and_then(|asked| asked.per),
        Some(PeriodLength::Decade)
    );
    let mut state = groups_of("section", SIZE);
    let effects = press(&mut state, &["z"]);
    assert!(asked::<GroupsQuestion>(&effects).is_none());
    assert_eq!(state.workbench.notice.as_deref(), Some("periods are of fields of dates"));
}

#[test]
fn topics_are_sorted_by_their_share_of_the_group_under_the_cursor() {
    let mut state = groups_of("section", SIZE);
    press(&mut state, &["l", "s", "s", "s", "s", "g", "g"]);
    let effects = press(&mut state, &["Enter"]);
    // Topic 1 is the first of those that have most of the second group.
    let asked = asked::<MembersQuestion>(&effects).expect("documents");
    assert_eq!(
        (asked.topic, &asked.group.part),
        (TopicNumber(1), &Part::Value(SECTIONS[1].into()))
    );
}
