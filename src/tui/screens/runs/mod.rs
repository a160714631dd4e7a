//! The runs, live: marking, comparing, cancelling, resuming, deleting, naming; groups of runs, and the log of
//! one.

mod actions;
mod groups;
mod keys;
mod log;
mod question;
mod text_edit;
mod view;

use std::collections::BTreeSet;

pub use question::{RunDetail, RunList, RunsQuestion, detail, row};

use self::groups::{Entry, Group};
use self::keys::{AGAIN, CANCEL, COMPARE, DELETE, LOG, MARK, NAME_IT, RESUME, UNDO};
use self::log::Log;
use self::text_edit::TextEdit;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use topoi_store::id::RunId;

use crate::records::{self, runs::RunRow};
use crate::tui::input::Input;
use crate::tui::keymap::{Action, FILTER, Keys};
use crate::tui::list::columns::ExportTable;
use crate::tui::list::{ListState, columns, matches};
use crate::tui::question::{AnyQuestion, Value};
use crate::tui::saved_position::{left_list, restore_list};
use crate::tui::screen::{Navigation, PreviousSession, Screen, Selection};
use crate::tui::screens::{corpora, run, run::stability};
use crate::tui::view::layout;
use crate::tui::workbench::Workbench;

pub const NAME: &str = "Runs";

#[derive(Debug, Clone, Default)]
pub struct RunsScreen {
    /// All runs, newest first; `None` before the first answer.
    pub rows: Option<Vec<RunRow>>,
    /// The group of each.
    groups: Vec<Option<Group>>,
    /// What the list shows of them.
    entries: Vec<Entry>,
    /// The groups whose runs are shown.
    open: BTreeSet<Group>,
    /// The selected run in full, once it has come.
    pub detail: Option<Box<RunDetail>>,
    /// A run to select when it appears.
    pub wanted: Option<RunId>,
    /// The marked runs, in the order in which they were marked.
    pub marked: Vec<RunId>,
    pub list: ListState,
    /// The log that is looked at.
    log: Option<Log>,
    /// The name that is typed.
    editing: Option<TextEdit>,
}

impl RunsScreen {
    fn rows(&self) -> &[RunRow] {
        self.rows.as_deref().unwrap_or_default()
    }

    fn arrange(&mut self) {
        let all = records::runs::columns();
        let rows = self.rows.as_deref().unwrap_or_default();
        self.groups = groups::groups(rows);
        self.entries = groups::entries(&self.groups, &self.open);
        let passes = |entry: &Entry, filter: &str| match entry.group.filter(|_| entry.is_group) {
            Some(group) => {
                let members = groups::members(rows, &self.groups, group);
                members.iter().any(|row| matches(filter, &searched(row)))
            }
            None => matches(filter, &searched(&rows[entry.row])),
        };
        // The runs of a group that is open stay below it: they are sorted as one.
        let first = |entry: &Entry| match entry.group {
            Some(_) => self.entries.iter().find(|e| e.group == entry.group).map_or(0, |e| e.row),
            None => entry.row,
        };
        let entries = &self.entries;
        self.list.arrange_indices(
            0..entries.len(),
            |at, filter| passes(&entries[at], filter),
            |at, by| columns::sort_key(&all, &rows[first(&entries[at])], by),
        );
        self.list.sort_columns = columns::sorted_by(&all);
    }

    fn entry(&self) -> Option<Entry> {
        self.list.selected(&self.entries).copied()
    }

    /// The run under the cursor; `None` on a group.
    pub fn selected(&self) -> Option<&RunRow> {
        let entry = self.entry().filter(|entry| !entry.is_group)?;
        self.rows().get(entry.row)
    }

    /// The group under the cursor.
    fn selected_group(&self) -> Option<Group> {
        self.entry().filter(|entry| entry.is_group)?.group
    }

    /// The runs of a group, newest first.
    fn members(&self, group: Group) -> Vec<&RunRow> {
        groups::members(self.rows(), &self.groups, group)
    }

    /// The run under the cursor, or the newest of the group.
    fn selected_id(&self) -> Option<RunId> {
        Some(self.rows().get(self.entry()?.row)?.run.id)
    }

    /// Marks or unmarks the selected run; the cursor moves to the next.
    fn mark(&mut self, workbench: &mut Workbench) {
        let Some(id) = self.selected().map(|row| row.run.id) else { return };
        match self.marked.iter().position(|&marked| marked == id) {
            Some(at) => {
                self.marked.remove(at);
            }
            None => self.marked.push(id),
        }
        self.list.step(1, self.list.len());
        if self.selected_id() != Some(id) {
            self.moved(workbench);
        }
    }

    /// Opens the run, or shows the runs of the group, or hides them.
    fn enter(&mut self, workbench: &mut Workbench) {
        if let Some(group) = self.selected_group() {
            if !self.open.remove(&group) {
                self.open.insert(group);
            }
            self.arrange();
        } else if let Some(run) = self.selected_id() {
            workbench.follow(run::NAME, Selection { run: Some(run), ..Selection::default() });
        }
    }

    /// Puts the cursor on this run or, where `of` says so, on this group.
    fn select(&mut self, id: Option<RunId>, of: Option<Group>) -> bool {
        let rows = self.rows.as_deref().unwrap_or_default();
        let is_it = |entry: &Entry| match of {
            Some(group) => entry.is_group && entry.group == Some(group),
            None => !entry.is_group && rows.get(entry.row).map(|row| row.run.id) == id,
        };
        self.list.find(&self.entries, is_it)
    }

    /// Shows a run that is wanted, out of its group if it is in one.
    fn show_wanted(&mut self) {
        let Some(id) = self.wanted else { return };
        if !self.select(Some(id), None) {
            let place = self.rows().iter().position(|row| row.run.id == id);
            let group = place.and_then(|place| *self.groups.get(place)?);
            let Some(group) = group else { return };
            self.open.insert(group);
            self.arrange();
            self.select(Some(id), None);
        }
        self.wanted = None;
    }

    fn act_on_edit(&mut self, action: Action, workbench: &mut Workbench) {
        match action {
            Action::Accept => {
                self.editing.iter_mut().for_each(|edit| edit.is_accepted = true);
                self.save_accepted_text(workbench);
            }
            Action::Clear => self.editing = None,
            _ => {}
        }
    }

    /// Keeps what is accepted, once it is known of which run it is.
    fn save_accepted_text(&mut self, workbench: &mut Workbench) {
        let accepted = self.editing.take_if(|edit| edit.is_accepted && edit.run.is_some());
        let effect = accepted.and_then(TextEdit::accepted);
        effect.into_iter().for_each(|effect| workbench.perform(effect));
    }

    /// What was typed before the list came is of the run that is selected now, if one is.
    fn edit_selected(&mut self, workbench: &mut Workbench) {
        if let Some(edit) = self.editing.take_if(|edit| edit.run.is_none()) {
            self.editing = self.selected().map(|row| edit.with_run(&row.run));
            self.save_accepted_text(workbench);
        }
    }

    fn act_on_run(&mut self, action: Action, workbench: &mut Workbench) {
        let Some(row) = self.selected() else {
            self.editing = match action {
                NAME_IT if self.rows.is_none() => Some(TextEdit::new()),
                _ => None,
            };
            return;
        };
        match action {
            AGAIN => actions::again(row, workbench),
            CANCEL if actions::can_cancel(row) => actions::ask_to_cancel(row, workbench),
            RESUME if actions::can_resume(row) => actions::resume(row, workbench),
            NAME_IT => self.editing = Some(TextEdit::new().with_run(&row.run)),
            LOG => self.log = Some(Log { run: row.run.id, ..Log::default() }),
            stability::COMPUTE => stability::ask_to_compute(row, workbench),
            _ => {}
        }
    }
}

/// What a filter looks for in a run.
fn searched(row: &RunRow) -> String {
    let run = &row.run;
    let warnings = records::runs::names(&row.warnings).join(" ");
    let said = [&run.name, &run.note].map(|said| said.as_deref().unwrap_or_default());
    let [name, note] = said;
    format!(
        "{} {} {} {} {warnings} {name} {note}",
        run.id,
        run.corpus,
        run.model,
        row.marked_word()
    )
}

impl Screen for RunsScreen {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "Runs, live"
    }

    fn keys(&self) -> Vec<&'static Keys> {
        if self.is_typing() { vec![&text_edit::KEYS] } else { keys::of(self) }
    }

    fn typing_keys(&self) -> Vec<&'static Keys> {
        vec![&FILTER, &text_edit::KEYS]
    }

    fn input(&self) -> Option<(String, &Input)> {
        self.editing.as_ref().map(|edit| (edit.label(), &edit.input))
    }

    /// What is accepted is no longer typed.
    fn input_mut(&mut self) -> Option<&mut Input> {
        Some(&mut self.editing.as_mut().filter(|edit| !edit.is_accepted)?.input)
    }

    fn act(&mut self, action: Action, workbench: &mut Workbench) -> bool {
        if self.is_typing() {
            self.act_on_edit(action, workbench);
            return true;
        }
        match action {
            Action::Enter if self.log.is_none() => self.enter(workbench),
            MARK => self.mark(workbench),
            COMPARE => actions::compare(self, workbench),
            DELETE => actions::delete(self, workbench),
            UNDO => actions::undo(self, workbench),
            AGAIN | CANCEL | RESUME | NAME_IT | LOG | stability::COMPUTE => {
                self.act_on_run(action, workbench);
            }
            _ => return false,
        }
        true
    }

    fn question(&self) -> AnyQuestion {
        let of_log = self.log.as_ref().map(|log| log.run);
        let selected = of_log.or(self.wanted).or(self.selected_id());
        AnyQuestion::new(RunsQuestion { selected, with_log: of_log.is_some() })
    }

    /// The cursor stays on its run, or goes to the one that is wanted.
    fn receive(&mut self, answer: Value, workbench: &mut Workbench) {
        let Some(RunList { runs, detail, log }) = answer.take() else { return };
        let (before, group) = (self.selected_id(), self.selected_group());
        self.marked.retain(|id| runs.iter().any(|row| row.run.id == *id));
        self.rows = Some(runs);
        self.detail = detail;
        if let Some(own) = &mut self.log {
            own.receive(log);
        }
        self.arrange();
        self.select(before, group);
        self.show_wanted();
        self.edit_selected(workbench);
    }

    fn arrive(&mut self, navigation: &Navigation, _workbench: &mut Workbench) {
        if let Some(run) = navigation.open.as_ref().and_then(|open| open.run) {
            self.list.clear_filter();
            self.arrange();
            self.wanted = Some(run);
        }
    }

    /// Closes the log, or the group that the cursor is in.
    fn close(&mut self, _workbench: &mut Workbench) -> bool {
        if self.log.take().is_some() {
            return true;
        }
        let group = self.entry().and_then(|entry| entry.group);
        let was_open = group.is_some_and(|group| self.open.remove(&group));
        if was_open {
            self.arrange();
            self.select(None, group);
        }
        was_open
    }

    fn back(&mut self, workbench: &mut Workbench) {
        workbench.go(corpora::NAME);
    }

    fn crumb(&self) -> Option<String> {
        Some(self.log.as_ref().map_or("runs".into(), |log| format!("log of run {}", log.run)))
    }

    fn draw(&self, workbench: &Workbench, area: Rect, buffer: &mut Buffer) {
        view::draw(self, workbench, area, buffer);
    }

    fn remark(&self) -> Option<&'static str> {
        let is_empty = self.list.len() == 0;
        (!is_empty).then_some("leaving the workbench or losing the connection stops no run")
    }

    fn list(&self) -> Option<&ListState> {
        Some(self.log.as_ref().map_or(&self.list, |log| &log.list))
    }

    fn list_mut(&mut self) -> Option<&mut ListState> {
        Some(self.log.as_mut().map_or(&mut self.list, |log| &mut log.list))
    }

    fn list_rows(&self, workbench: &Workbench) -> usize {
        match self.log {
            Some(_) => layout::table_rows(workbench.body()) + 1,
            None => layout::table_rows(view::split(workbench.body()).list),
        }
    }

    fn rearrange(&mut self, _workbench: &mut Workbench) {
        if let Some(log) = &mut self.log {
            let lines = log.lines.take().unwrap_or_default();
            return log.receive(lines);
        }
        self.arrange();
    }

    /// A run that was waited for is no longer.
    fn moved(&mut self, _workbench: &mut Workbench) {
        self.wanted.take_if(|_| self.log.is_none());
    }

    fn text(&self, _workbench: &Workbench) -> Option<String> {
        Some(self.log.as_ref()?.lines.as_ref()?.join("\n"))
    }

    fn sheet(&self) -> Option<ExportTable> {
        let entries = self.list.visible(&self.entries);
        let rows: Vec<&RunRow> = entries.iter().filter_map(|it| self.rows().get(it.row)).collect();
        Some(columns::sheet("runs", &records::runs::columns(), rows))
    }

    fn subject(&self) -> Selection {
        // A group is what its newest run is.
        let run = self.entry().and_then(|entry| Some(&self.rows().get(entry.row)?.run));
        Selection {
            run: run.map(|run| run.id),
            corpus: run.map(|run| run.corpus_id),
            corpus_name: run.map(|run| run.corpus.clone()),
            ..Selection::default()
        }
    }

    fn remember(&self) -> serde_json::Value {
        let selected = self.selected_id().or(self.wanted);
        serde_json::json!({ "selected": selected, "list": left_list(&self.list) })
    }

    fn restore(
        &mut self,
        left: &serde_json::Value,
        previous: &PreviousSession<'_>,
        _workbench: &mut Workbench,
    ) {
        self.wanted =
            left["selected"].as_i64().map(RunId).filter(|&id| previous.store.run(id).is_ok());
        restore_list(&left["list"], &mut self.list);
    }
}
