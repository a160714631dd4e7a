//! The runs, live: marking, comparing, cancelling, resuming.

mod question;
mod view;

pub use question::{RunDetail, RunList, RunsQuestion, detail, row};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::records::{self, runs::RunRow};
use crate::tui::bench::{Bench, Confirm, Overlay};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Action, Action as A, Keys, LIST, key};
use crate::tui::list::columns::Sheet;
use crate::tui::list::{ListState, columns, matches};
use crate::tui::question::{AnyQuestion, Value};
use crate::tui::remembered::{left_list, restore_list};
use crate::tui::screen::{Extent, Past, Screen, Subject, Visit, active_list};
use crate::tui::screens::{compare, corpora, run, run::stability};
use crate::tui::view::layout;
use topoi::store::run::RunStatus;

pub const NAME: &str = "Runs";

const MARK: Action = Action::Own("mark");
const COMPARE: Action = Action::Own("compare");
const CANCEL: Action = Action::Own("cancel");
const RESUME: Action = Action::Own("resume");

static KEYS: Keys = Keys::new(
    "Runs",
    &[
        key(&["Enter", "l", "Right"], A::Enter, "open", "open the run's topics"),
        key(&["Space"], MARK, "mark", "mark the run, or unmark it"),
        key(&["c"], COMPARE, "compare", "compare the marked runs"),
        key(&["x"], CANCEL, "cancel run", "cancel the run; asks first"),
        key(&["r"], RESUME, "resume", "resume a run that was stopped"),
        key(&["T"], stability::COMPUTE, "", "which topics recur on half the documents"),
        key(&["h", "Left"], A::Back, "", "back to the corpora"),
    ],
);

#[derive(Debug, Clone, Default)]
pub struct RunsScreen {
    /// All runs, newest first; `None` before the first answer.
    pub rows: Option<Vec<RunRow>>,
    /// The selected run in full, once it has come.
    pub detail: Option<Box<RunDetail>>,
    /// A run to select when it appears.
    pub wanted: Option<i64>,
    /// The marked runs, in the order in which they were marked.
    pub marked: Vec<i64>,
    pub list: ListState,
}

impl RunsScreen {
    fn rows(&self) -> &[RunRow] {
        self.rows.as_deref().unwrap_or_default()
    }

    fn arrange(&mut self) {
        let all = records::runs::columns();
        let text = |row: &RunRow| {
            let run = &row.run;
            let warnings = records::runs::names(&row.warnings).join(" ");
            format!("{} {} {} {} {warnings}", run.id, run.corpus, run.model, row.marked_word())
        };
        self.list.arrange(
            self.rows.as_deref().unwrap_or_default(),
            |row, filter| matches(filter, &text(row)),
            |row, by| columns::sort_key(&all, row, by),
        );
    }

    pub fn selected(&self) -> Option<&RunRow> {
        self.list.selected(self.rows())
    }

    fn selected_id(&self) -> Option<i64> {
        self.selected().map(|row| row.run.id)
    }

    /// Marks the selected run, or takes its mark away; the cursor goes on to the next.
    fn mark(&mut self, bench: &mut Bench) {
        let Some(id) = self.selected_id() else { return };
        match self.marked.iter().position(|&marked| marked == id) {
            Some(at) => {
                self.marked.remove(at);
            }
            None => self.marked.push(id),
        }
        self.list.step(1, self.list.len());
        if self.selected_id() != Some(id) {
            self.moved(bench);
        }
    }

    /// Compares the marked runs; with one marked, that one and the selected one.
    fn compare(&self, bench: &mut Bench) {
        let mut runs = self.marked.clone();
        if runs.len() == 1 {
            runs.extend(self.selected_id().filter(|id| !runs.contains(id)));
        }
        if runs.len() < 2 {
            return bench.say("mark the runs to be compared with Space, then c");
        }
        bench.follow(compare::NAME, Subject { runs, ..Subject::default() });
    }

    /// Asks whether the selected run is to be cancelled, if there is anything to cancel.
    fn ask_to_cancel(&self, bench: &mut Bench) {
        let Some(row) = self.selected() else { return };
        let id = row.run.id;
        if row.run.status.is_over() {
            return bench.say(format!("run {id} is over: {}", row.word()));
        }
        bench.overlay = Some(Overlay::Confirm(Box::new(Confirm {
            title: format!("Cancel run {id}?"),
            meaning: "Its worker stops at its next step; it will have no topics.",
            yes: "cancel the run",
            no: "leave it alone",
            effect: Effect::Cancel(id),
            notice: format!("cancelling run {id}"),
        })));
    }

    /// Goes on with the selected run, if it was stopped before its end.
    fn resume(&self, bench: &mut Bench) {
        let Some(row) = self.selected() else { return };
        let (id, word) = (row.run.id, row.word());
        let is_stopped = row.run.status.is_over() && row.run.status != RunStatus::Finished;
        if is_stopped || word == "lost" {
            bench.say(format!("resuming run {id}"));
            bench.perform(Effect::Resume(id));
        } else {
            bench.say(format!("run {id} is {word}: there is nothing to resume"));
        }
    }
}

impl Screen for RunsScreen {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "Runs, live"
    }

    fn keys(&self) -> Vec<&'static Keys> {
        vec![&KEYS, &LIST]
    }

    fn act(&mut self, action: Action, bench: &mut Bench) -> bool {
        match action {
            Action::Enter => {
                if let Some(run) = self.selected_id() {
                    bench.follow(run::NAME, Subject { run: Some(run), ..Subject::default() });
                }
            }
            MARK => self.mark(bench),
            COMPARE => self.compare(bench),
            CANCEL => self.ask_to_cancel(bench),
            RESUME => self.resume(bench),
            stability::COMPUTE => stability::compute(self.selected(), bench),
            _ => return false,
        }
        true
    }

    fn question(&self) -> AnyQuestion {
        AnyQuestion::new(RunsQuestion { selected: self.wanted.or(self.selected_id()) })
    }

    /// The cursor stays on its run, or goes to the one that is wanted.
    fn receive(&mut self, answer: Value, bench: &mut Bench) {
        let Some(RunList { runs, detail }) = answer.take() else { return };
        let before = self.wanted.or(self.selected_id());
        self.rows = Some(runs);
        self.detail = detail;
        self.arrange();
        let rows = self.rows.as_deref().unwrap_or_default();
        if self.list.find(rows, |row| Some(row.run.id) == before) {
            self.wanted = None;
        }
        // The detail that came may not be that of the run that is selected now.
        let shown = self.detail.as_ref().map(|detail| detail.run);
        if self.selected_id().is_some() && shown != self.selected_id() {
            self.moved(bench);
        }
    }

    fn arrive(&mut self, visit: &Visit, _bench: &mut Bench) {
        if let Some(run) = visit.open.as_ref().and_then(|open| open.run) {
            self.list.clear_filter();
            self.arrange();
            self.wanted = Some(run);
        }
    }

    fn back(&mut self, bench: &mut Bench) {
        bench.go(corpora::NAME);
    }

    fn draw(&self, bench: &Bench, area: Rect, buffer: &mut Buffer) {
        view::draw(self, bench.look, area, buffer);
    }

    fn remark(&self) -> Option<&'static str> {
        let is_empty = self.list.len() == 0;
        (!is_empty).then_some("leaving the workbench or losing the connection stops no run")
    }

    active_list!(list);

    fn list_rows(&self, bench: &Bench) -> usize {
        layout::table_rows(view::split(bench.body()).list)
    }

    fn extent(&self, _bench: &Bench) -> Option<Extent> {
        let (matching, all) = (self.list.len() as u64, self.rows().len() as u64);
        Some(Extent { before: 0, matching, all })
    }

    fn sort_columns(&self) -> Vec<(String, bool)> {
        columns::sorted_by(&records::runs::columns())
    }

    fn rearrange(&mut self, bench: &mut Bench) {
        self.arrange();
        bench.ask();
    }

    /// The detail of a run is read when it is selected.
    fn moved(&mut self, bench: &mut Bench) {
        self.wanted = None;
        bench.ask();
    }

    fn sheet(&self) -> Option<Sheet> {
        let rows = self.list.visible(self.rows());
        Some(columns::sheet("runs", &records::runs::columns(), rows))
    }

    fn subject(&self) -> Subject {
        let run = self.selected().map(|row| &row.run);
        Subject {
            run: run.map(|run| run.id),
            corpus_name: run.map(|run| run.corpus.clone()),
            ..Subject::default()
        }
    }

    fn remember(&self) -> serde_json::Value {
        let selected = self.selected_id().or(self.wanted);
        serde_json::json!({ "selected": selected, "list": left_list(&self.list) })
    }

    fn restore(&mut self, left: &serde_json::Value, past: &Past<'_>, _bench: &mut Bench) {
        self.wanted = left["selected"].as_i64().filter(|&id| past.store.run(id).is_ok());
        restore_list(&left["list"], &mut self.list);
    }
}
