//! A screen that is one list. A [`ListSpec`] says what is its own; everything else is written here once:
//! asking, filter, order, cursor, columns, copying, export, what is remembered.

use std::fmt::Debug;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use super::columns::{self, ExportTable};
use super::{ListState, matches};
use crate::records::column::{Column, Kind};
use crate::tui::keymap::{Action, Binding, Keys, LIST};
use crate::tui::question::{AnyQuestion, Question, QuestionContext, Value};
use crate::tui::saved_position::{left_list, restore_list};
use crate::tui::screen::{Navigation, PreviousSession, Screen, Selection};
use crate::tui::view::layout::{self, Shares};
use crate::tui::view::{parts, table};
use crate::tui::workbench::Workbench;
use topoi_store::StoreError;

/// What is its own of a screen that is one list. Its value is what its own keys have chosen.
pub trait ListSpec: Debug + Clone + PartialEq + Default + Send + 'static {
    /// What the store finds besides the rows, for the title.
    type About: Debug + Clone + PartialEq + Send + 'static;
    type Row: Debug + Clone + PartialEq + Send + 'static;

    const NAME: &'static str;
    /// What the help says of the screen.
    const HELP: &'static str;
    const KEYS: &'static Keys;
    /// Keys that go to it from everywhere, and do something there.
    const SHORTCUTS: &'static [Binding] = &[];
    /// The filter looks in all columns of texts.
    const COLUMNS: fn() -> Vec<Column<Self::Row>>;
    /// Its name in the configuration of columns; exported files are called so, too.
    const FILE: &'static str;
    /// Shown where there is nothing to ask about.
    const NOTHING: &'static str;
    /// Shown where there are no rows.
    const EMPTY: &'static str = Self::NOTHING;
    /// The screen that back leads to when the trail is empty.
    const BACK: Back = None;
    /// Whether it can be opened for this; otherwise it stays as it was.
    const IS_OPENED_FOR: fn(&Selection) -> bool = |_| false;
    /// Keys that lead to another screen, which is opened for what this one was.
    const LEADS_TO: &'static [(Action, &'static str)] = &[];
    /// Whether it has a tab and a digit.
    const HAS_TAB: bool = false;
    /// Rows between the title and the table, and the paragraph in them.
    const ROWS_ABOVE: u16 = 0;
    const ABOVE: fn(&Listing<Self>) -> String = |_| String::new();
    /// The part of the screen that the list has, where the selected row is shown in full beside or below it.
    const SHARES: Option<Shares> = None;

    /// The rows; `None` where there is nothing to ask about.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn find(asked: &ListQuestion<Self>, asking: &mut QuestionContext<'_>) -> FindResult<Self>;

    /// The title above the list. Without a listing the store has not answered, or has nothing.
    fn title(of: &Selection, listing: Option<&Listing<Self>>) -> String;

    /// The screen that a row leads to, and what is shown there. `shown` are all rows in their order.
    fn follow(row: &Self::Row, shown: &[&Self::Row], of: &Selection) -> (&'static str, Selection);

    /// What is selected, for the screen that is opened next.
    fn subject(of: &Selection, _row: Option<&Self::Row>) -> Selection {
        of.clone()
    }

    /// Does what a key of its own means, with the selected row; whether it has such a key.
    fn act(
        &mut self,
        _action: Action,
        _row: Option<&Self::Row>,
        _workbench: &mut Workbench,
    ) -> bool {
        false
    }

    /// What is open here, for the trail; `None` for the name of the screen.
    fn crumb(_listing: Option<&Listing<Self>>) -> Option<String> {
        None
    }

    /// What is shown where there are no rows.
    fn empty(_workbench: &Workbench, width: u16) -> Vec<Line<'static>> {
        parts::paragraph(Self::EMPTY, width, Style::new())
    }

    /// Title and lines of the selected row in full.
    fn detail(
        _row: &Self::Row,
        _workbench: &Workbench,
        _width: u16,
    ) -> (String, Vec<Line<'static>>) {
        Default::default()
    }

    /// What is copied of a row instead of its cells.
    fn text(_row: &Self::Row) -> Option<String> {
        None
    }

    /// What the cursor stays on when the rows are read again.
    fn id(_row: &Self::Row) -> Option<i64> {
        None
    }
}

/// The name of a screen, by what is open.
pub type Back = Option<fn(&Workbench) -> &'static str>;
pub type FindResult<S> = Result<Option<Listing<S>>, StoreError>;

/// What a list screen asks the store.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ListQuestion<S> {
    pub spec: S,
    /// What the screen was opened for.
    pub of: Selection,
}

/// What the store answers to a list screen.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing<S: ListSpec> {
    pub about: S::About,
    pub rows: Vec<S::Row>,
}

impl<S: ListSpec> Question for ListQuestion<S> {
    /// `None` where there is nothing to ask about.
    type Answer = Option<Listing<S>>;

    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<Self::Answer, StoreError> {
        S::find(self, asking)
    }
}

#[derive(Debug, Clone)]
pub struct ListScreen<S: ListSpec> {
    question: ListQuestion<S>,
    /// `None` before the first answer.
    answer: Option<Option<Listing<S>>>,
    pub list: ListState,
}

impl<S: ListSpec> Default for ListScreen<S> {
    fn default() -> Self {
        Self { question: ListQuestion::default(), answer: None, list: ListState::default() }
    }
}

fn rows<S: ListSpec>(answer: &Option<Option<Listing<S>>>) -> &[S::Row] {
    answer.as_ref().and_then(Option::as_ref).map_or(&[], |listing| &listing.rows)
}

impl<S: ListSpec> ListScreen<S> {
    fn listing(&self) -> Option<&Listing<S>> {
        self.answer.as_ref()?.as_ref()
    }

    fn arrange(&mut self) {
        let columns = (S::COLUMNS)();
        let texts = || columns.iter().filter(|column| column.kind == Kind::Text);
        let holds = |row: &S::Row, filter: &str| {
            texts()
                .any(|column| column.cell(row).as_str().is_some_and(|text| matches(filter, text)))
        };
        self.list.arrange(rows(&self.answer), &columns, holds);
    }

    fn selected(&self) -> Option<&S::Row> {
        self.list.selected(rows(&self.answer))
    }

    /// The part of the screen that the list has.
    fn list_area(area: Rect) -> Rect {
        S::SHARES.map_or(area, |shares| layout::split(shares, area).list)
    }

    fn draw_list(
        &self,
        listing: &Listing<S>,
        workbench: &Workbench,
        area: Rect,
        buffer: &mut Buffer,
    ) {
        let height = S::ROWS_ABOVE.min(area.height);
        let lines = parts::paragraph(&(S::ABOVE)(listing), area.width, Style::new());
        parts::lines(buffer, Rect { height, ..area }, &lines);
        let columns = (S::COLUMNS)();
        let table = table::RecordColumns::new(&columns, area.width).chosen(S::FILE, workbench.look);
        table.draw_rows(
            &self.list,
            &listing.rows,
            workbench.look,
            parts::below(area, height),
            buffer,
        );
    }
}

impl<S: ListSpec> Screen for ListScreen<S> {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn help(&self) -> &'static str {
        S::HELP
    }

    fn has_tab(&self) -> bool {
        S::HAS_TAB
    }

    fn keys(&self) -> Vec<&'static Keys> {
        vec![S::KEYS, &LIST]
    }

    fn act(&mut self, action: Action, workbench: &mut Workbench) -> bool {
        let rows = rows(&self.answer);
        let row = self.list.selected(rows);
        if let Some((_, to)) = S::LEADS_TO.iter().find(|(own, _)| *own == action) {
            workbench.follow(to, self.question.of.clone());
            return true;
        }
        if action != Action::Enter {
            return self.question.spec.act(action, row, workbench);
        }
        if let Some(row) = row {
            let shown = self.list.visible(rows);
            let (to, subject) = S::follow(row, &shown, &self.question.of);
            workbench.follow(to, subject);
        }
        true
    }

    fn shortcuts(&self) -> &'static [Binding] {
        S::SHORTCUTS
    }

    fn question(&self) -> AnyQuestion {
        AnyQuestion::new(self.question.clone())
    }

    fn receive(&mut self, answer: Value, _workbench: &mut Workbench) {
        let Some(answer) = answer.take::<Option<Listing<S>>>() else { return };
        let before = self.selected().and_then(S::id);
        self.answer = Some(answer);
        self.arrange();
        if before.is_some() {
            self.list.find(rows(&self.answer), |row| S::id(row) == before);
        }
    }

    fn arrive(&mut self, navigation: &Navigation, workbench: &mut Workbench) {
        let Some(open) = &navigation.open else { return };
        let (corpus, run) =
            (open.corpus.or(workbench.open_corpus), open.run.or(workbench.open_run));
        if (S::IS_OPENED_FOR)(open) {
            *self = Self::default();
            let (documents, query, view, begun) = Default::default();
            self.question.of =
                Selection { corpus, run, documents, query, view, begun, ..open.clone() };
        }
    }

    fn back(&mut self, workbench: &mut Workbench) {
        if let Some(to) = S::BACK {
            workbench.go(to(workbench));
        }
    }

    fn crumb(&self) -> Option<String> {
        S::crumb(self.listing())
    }

    fn draw(&self, workbench: &Workbench, area: Rect, buffer: &mut Buffer) {
        let (look, title) = (workbench.look, S::title(&self.question.of, self.listing()));
        let Some(listing) = self.listing().filter(|listing| !listing.rows.is_empty()) else {
            let inside = parts::titled(buffer, area, look, &title);
            if self.answer.is_some() {
                let lines = match self.listing() {
                    Some(_) => S::empty(workbench, inside.width),
                    None => parts::paragraph(S::NOTHING, inside.width, Style::new()),
                };
                parts::lines(buffer, inside, &lines);
            }
            return;
        };
        let inside = parts::titled(buffer, Self::list_area(area), look, &title);
        self.draw_list(listing, workbench, inside, buffer);
        let Some(split) = S::SHARES.map(|shares| layout::split(shares, area)) else { return };
        split.between.iter().for_each(|between| parts::stroke(buffer, *between, look));
        if let Some(row) = self.selected() {
            let (title, lines) = S::detail(row, workbench, split.detail.width);
            let inside = parts::titled(buffer, split.detail, look, &title);
            parts::lines(buffer, inside, &lines);
        }
    }

    fn list(&self) -> Option<&ListState> {
        Some(&self.list)
    }

    fn list_mut(&mut self) -> Option<&mut ListState> {
        Some(&mut self.list)
    }

    fn list_rows(&self, workbench: &Workbench) -> usize {
        let rows = layout::table_rows(Self::list_area(workbench.body()));
        rows.saturating_sub(usize::from(S::ROWS_ABOVE)).max(1)
    }

    fn rearrange(&mut self, _workbench: &mut Workbench) {
        self.arrange();
    }

    fn sheet(&self) -> Option<ExportTable> {
        Some(columns::sheet(S::FILE, &(S::COLUMNS)(), self.list.visible(rows(&self.answer))))
    }

    fn text(&self, _workbench: &Workbench) -> Option<String> {
        self.selected().and_then(S::text)
    }

    fn subject(&self) -> Selection {
        S::subject(&self.question.of, self.selected())
    }

    fn remember(&self) -> serde_json::Value {
        left_list(&self.list)
    }

    fn restore(
        &mut self,
        left: &serde_json::Value,
        _previous: &PreviousSession<'_>,
        _workbench: &mut Workbench,
    ) {
        restore_list(left, &mut self.list);
    }
}
