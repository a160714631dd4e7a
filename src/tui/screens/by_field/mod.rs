//! The topics of a run in groups of documents: which fields there are, topics by groups, one topic over time or in
//! all groups, and the documents behind a cell.

pub mod question;
mod state;
mod view;

pub use state::{ByFieldScreen, Side};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use serde_json::json;
use strum::VariantArray;

use self::question::{FieldsAnswer, FieldsQuestion, GroupsAnswer, MembersAnswer};
use self::state::Row;
use crate::records::column::{Column, Kind};
use crate::tui::keymap::{Action, Action as A, Keys, LIST, key};
use crate::tui::list::ListState;
use crate::tui::list::columns::{self, ExportTable};
use crate::tui::question::{AnyQuestion, Value};
use crate::tui::screen::{Navigation, Screen, Selection};
use crate::tui::screens::{corpus, run, run_or_runs};
use crate::tui::threads::cache::topic_documents::DocumentLine;
use crate::tui::view::layout;
use crate::tui::workbench::Workbench;
use topoi_core::fields::date::PeriodLength;
use topoi_run::groups::fields::Field;
use topoi_store::id::TopicNumber;

pub const NAME: &str = "By field";

const TO_THE_LEFT: Action = Action::Own("group before");
const TO_THE_RIGHT: Action = Action::Own("next group");
const CHART: Action = Action::Own("one topic");
const PERIOD: Action = Action::Own("period");

static FIELDS: Keys = Keys::new(
    "Fields",
    &[
        key(&["Enter", "l", "Right"], A::Enter, "open", "the topics in the groups that it makes"),
        key(&["h", "Left"], A::Back, "", "back"),
    ],
);

static GROUPS: Keys = Keys::new(
    "Topics by groups",
    &[
        key(&["Enter"], A::Enter, "documents", "the documents behind the cell"),
        key(&["l", "Right"], TO_THE_RIGHT, "", "to the next group"),
        key(&["h", "Left"], TO_THE_LEFT, "", "to the group before"),
        key(&["Tab"], CHART, "one topic", "the topic in all groups, or over time"),
        key(&["z"], PERIOD, "period", "years, quarters, months, weeks, decades"),
    ],
);

static TOPIC: Keys = Keys::new(
    "One topic by groups",
    &[
        key(&["Enter"], A::Enter, "documents", "the documents behind the group"),
        key(&["l", "Right", "j", "Down"], TO_THE_RIGHT, "next", "to the next group"),
        key(&["h", "Left", "k", "Up"], TO_THE_LEFT, "", "to the group before"),
        key(&["]"], A::Down, "next topic", "the next topic of the list"),
        key(&["["], A::Up, "", "the topic before it"),
        key(&["z"], PERIOD, "period", "years, quarters, months, weeks, decades"),
    ],
);

static DOCUMENTS: Keys = Keys::new(
    "Documents of a group",
    &[
        key(&["Enter", "l", "Right"], A::Enter, "read", "read the document, its topic lit"),
        key(&["h", "Left"], A::Back, "", "back"),
    ],
);

impl ByFieldScreen {
    /// Leads on: from a field to its groups, from a cell to its documents, and to a document.
    fn follow(&self, workbench: &mut Workbench) {
        let topic = self.row().map(|row| row.topic.topic);
        let subject = Selection { run: self.run, topic, ..Selection::default() };
        let to = |side: Side| Selection { view: Some(side.name()), ..subject.clone() };
        match self.side {
            Side::Fields if self.choice.len() > 0 => workbench.follow(NAME, to(Side::Groups)),
            Side::Groups | Side::Topic if self.members_question().is_some() => {
                workbench.follow(NAME, to(Side::Documents));
            }
            Side::Documents => self.follow_document(subject, workbench),
            _ => {}
        }
    }

    fn follow_document(&self, subject: Selection, workbench: &mut Workbench) {
        let Some(Ok(found)) = &self.members else { return };
        let shown = self.found.visible(found);
        if let Some(line) = shown.get(self.found.cursor) {
            let documents = shown.iter().map(|line| line.document.id).collect();
            let (corpus, document) = (workbench.open_corpus, Some(line.document.id));
            workbench.follow(corpus::NAME, Selection { corpus, document, documents, ..subject });
        }
    }

    /// Where a group is in time.
    fn when(&self, group: usize) -> Option<f64> {
        use topoi_run::groups::fields::Part;
        match self.answer()?.groups.get(group)?.parts.first()? {
            Part::Period(period) => Some(period.number().into()),
            _ => None,
        }
    }

    /// To the group beside, in the order in which groups are seen: of one topic, by its share.
    fn step(&mut self, by: isize) {
        let is_by_share = self.side == Side::Topic && self.when(self.group).is_none();
        let Some(row) = self.row().filter(|_| is_by_share) else { return self.step_group(by) };
        let mut groups: Vec<usize> = (0..row.cells.len()).collect();
        groups.sort_by(|a, b| row.at(*b).total_cmp(&row.at(*a)));
        let place = groups.iter().position(|group| *group == self.group).unwrap_or(0);
        let next = place.saturating_add_signed(by).min(groups.len().saturating_sub(1));
        self.group = groups.get(next).copied().unwrap_or(0);
    }

    fn turn_period(&mut self, workbench: &mut Workbench) {
        if self.when(0).is_none() {
            return workbench.say("periods are of fields of dates");
        }
        let at =
            self.per.and_then(|per| PeriodLength::VARIANTS.iter().position(|other| *other == per));
        self.per = PeriodLength::VARIANTS.get(at.map_or(0, |at| at + 1)).copied();
        workbench
            .say(self.per.map_or("as the dates are".into(), |per| format!("by {}", per.name())));
    }

    fn columns(&self) -> Vec<Column<Row>> {
        let mut columns = vec![
            Column::new("topic", Kind::Number, |row: &Row| json!(row.topic.topic)),
            Column::new("name", Kind::Text, |row: &Row| json!(row.name())),
        ];
        let groups = self.answer().map_or(0, |answer| answer.groups.len());
        for group in 0..groups {
            columns.push(Column::new(self.name_of(group), Kind::Measure, move |row: &Row| {
                json!(row.cells[group].map(|cell| cell.share.share))
            }));
        }
        columns
    }
}

impl Screen for ByFieldScreen {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "By field: topics in groups of documents"
    }

    fn has_tab(&self) -> bool {
        false
    }

    fn tables(&self) -> Vec<&'static Keys> {
        vec![&FIELDS, &GROUPS, &TOPIC, &DOCUMENTS]
    }

    fn keys(&self) -> Vec<&'static Keys> {
        match self.side {
            Side::Fields => vec![&FIELDS, &LIST],
            Side::Groups => vec![&GROUPS, &LIST],
            Side::Topic => vec![&TOPIC, &LIST],
            Side::Documents => vec![&DOCUMENTS, &LIST],
        }
    }

    fn act(&mut self, action: Action, workbench: &mut Workbench) -> bool {
        match action {
            Action::Enter => self.follow(workbench),
            TO_THE_LEFT => self.step(-1),
            TO_THE_RIGHT => self.step(1),
            PERIOD => self.turn_period(workbench),
            CHART if self.side == Side::Groups => {
                let view = Some(Side::Topic.name());
                workbench.follow(NAME, Selection { run: self.run, view, ..Selection::default() });
            }
            CHART => {}
            _ => return false,
        }
        true
    }

    fn question(&self) -> AnyQuestion {
        match (self.side, self.members_question()) {
            (Side::Fields, _) => AnyQuestion::new(FieldsQuestion { run: self.run }),
            (Side::Documents, Some(question)) => AnyQuestion::new(question),
            _ => AnyQuestion::new(self.groups_question()),
        }
    }

    fn receive(&mut self, answer: Value, _workbench: &mut Workbench) {
        if answer.get::<Option<Box<FieldsAnswer>>>().is_some() {
            self.fields = answer.take();
        } else if answer.get::<Option<Box<GroupsAnswer>>>().is_some() {
            self.receive_groups(answer.take().flatten());
        } else if let Some(found) = answer.take::<Option<Box<MembersAnswer>>>() {
            self.members = found.map(|found| *found);
        }
        self.arrange();
    }

    fn arrive(&mut self, navigation: &Navigation, workbench: &mut Workbench) {
        let Some(open) = &navigation.open else { return };
        let named = |side: &Side| Some(side.name()) == open.view;
        match Side::ALL.into_iter().find(named) {
            Some(Side::Groups) => {
                let fields = self.fields.as_ref().and_then(Option::as_ref);
                let field = fields.and_then(|found| self.choice.selected(&found.fields));
                let Some(field) = field.map(|field| field.name.clone()) else { return };
                if field != self.field {
                    (self.groups, self.all, self.group, self.per) = (None, Vec::new(), 0, None);
                    (self.field, self.rows) = (field, ListState::default());
                }
                self.side = Side::Groups;
            }
            Some(Side::Documents) => {
                (self.side, self.members, self.found) =
                    (Side::Documents, None, ListState::default());
            }
            Some(Side::Topic) => self.side = Side::Topic,
            _ => {
                let (run, wanted) = (open.run.or(workbench.open_run), open.topic);
                *self = Self { run, wanted, ..Self::default() };
            }
        }
    }

    fn back(&mut self, workbench: &mut Workbench) {
        workbench.go(run_or_runs(workbench));
    }

    fn crumb(&self) -> Option<String> {
        Some(match self.side {
            Side::Fields => "by a field".into(),
            Side::Groups => format!("by {}", self.field),
            Side::Topic => {
                format!("topic {}", self.row().map_or(TopicNumber(0), |row| row.topic.topic))
            }
            Side::Documents => self.name_of(self.group),
        })
    }

    fn draw(&self, workbench: &Workbench, area: Rect, buffer: &mut Buffer) {
        view::draw(self, workbench.look, area, buffer);
    }

    fn list(&self) -> Option<&ListState> {
        Some(match self.side {
            Side::Fields => &self.choice,
            Side::Documents => &self.found,
            Side::Groups | Side::Topic => &self.rows,
        })
    }

    fn list_mut(&mut self) -> Option<&mut ListState> {
        Some(match self.side {
            Side::Fields => &mut self.choice,
            Side::Documents => &mut self.found,
            Side::Groups | Side::Topic => &mut self.rows,
        })
    }

    fn list_rows(&self, workbench: &Workbench) -> usize {
        let rows = layout::table_rows(workbench.body());
        match self.side {
            Side::Fields => rows,
            Side::Documents => run::documents::rows(workbench.body()),
            Side::Groups | Side::Topic => rows.saturating_sub(usize::from(view::DETAIL)).max(1),
        }
    }

    fn rearrange(&mut self, _workbench: &mut Workbench) {
        self.arrange();
    }

    /// Of documents read one after the other, the cursor is on the last.
    fn returned(&mut self, seen: &Selection) {
        if let (Side::Documents, Some(Ok(found))) = (self.side, &self.members) {
            self.found.find(found, |line| Some(line.document.id) == seen.document);
        }
    }

    fn sheet(&self) -> Option<ExportTable> {
        let run = self.run?;
        match self.side {
            Side::Groups | Side::Topic => {
                let rows = self.rows.visible(&self.all);
                let name = format!("run-{run}-by-{}", self.field);
                Some(columns::sheet(name, &self.columns(), rows))
            }
            Side::Fields => {
                let found = self.fields.as_ref()?.as_ref()?;
                let columns = [
                    Column::new("field", Kind::Text, |f: &Field| json!(f.name)),
                    Column::new("kind", Kind::Text, |f: &Field| json!(f.kind.name())),
                ];
                let rows = self.choice.visible(&found.fields);
                Some(columns::sheet("fields", &columns, rows))
            }
            Side::Documents => {
                let found = self.members.as_ref()?.as_ref().ok()?;
                let columns = [
                    Column::new("key", Kind::Text, |line: &DocumentLine| json!(line.document.key)),
                    Column::new("name", Kind::Text, |line: &DocumentLine| json!(line.name)),
                    Column::new("share", Kind::Measure, |line: &DocumentLine| json!(line.share)),
                ];
                let rows = self.found.visible(found);
                Some(columns::sheet("documents-of-a-group", &columns, rows))
            }
        }
    }

    fn figure(&self) -> Vec<String> {
        if self.field.is_empty() {
            return Vec::new();
        }
        let topic = self.row().filter(|_| self.side == Side::Topic).map(|row| row.topic.topic);
        let topic = topic.into_iter().flat_map(|topic| ["--topic".into(), topic.to_string()]);
        let per = self.per.into_iter().flat_map(|per| ["--per".into(), per.name().to_string()]);
        ["--by".into(), self.field.clone()].into_iter().chain(topic).chain(per).collect()
    }

    fn subject(&self) -> Selection {
        let topic = self.row().map(|row| row.topic.topic);
        Selection { run: self.run, topic, ..Selection::default() }
    }
}
