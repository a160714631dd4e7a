//! A run from its five sides: its topics, one in full, correlations, the map of its anchors, facts.

mod correlations;
mod facts;
mod keys;
mod map;
pub mod stability;
mod state;
mod topic;
mod view;

pub use state::{DOCUMENTS, RunMore, RunQuestion, RunScreen, RunSheet, RunView};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use self::state::{Found, LARGEST_ZOOM};
use crate::tui::bench::Bench;
use crate::tui::effect::Effect;
use crate::tui::keymap::{Action, Binding, FILTER, Keys};
use crate::tui::list::columns;
use crate::tui::list::columns::Sheet;
use crate::tui::message::News;
use crate::tui::question::{AnyQuestion, Value};
use crate::tui::remembered::{left_list, restore_list};
use crate::tui::screen::{Extent, Past, Screen, Subject, Visit, active_list};
use crate::tui::screens::runs;
use crate::tui::update::distance;
use crate::tui::view::text as words;
use topoi::run::life::spawn::BackgroundJob;

pub const NAME: &str = "Run";

/// The longest name of a topic, in cells.
const LONGEST_NAME: usize = 40;

impl RunScreen {
    /// Shows a side of the run; the cursor stays on its topic.
    fn look(&mut self, view: RunView, bench: &mut Bench) {
        self.keeping_topic(|run| {
            if view == RunView::Correlations {
                run.list.clear_filter();
            }
            run.view = view;
        });
        bench.ask();
    }

    /// Shows a run from the side the one before was seen from.
    fn show_run(&mut self, run: Option<i64>) {
        if run.is_some() && run != self.id {
            *self = Self { id: run, view: self.view, base: self.base, ..Self::default() };
        }
    }

    /// Leads on to the topic under the cursor in full.
    fn follow_topic(&self, bench: &mut Bench) {
        let topic = self.selected().map(|topic| topic.topic);
        if topic.is_some() && self.view != RunView::Topic {
            bench.follow(NAME, Subject { run: self.id, topic, ..Subject::default() });
        }
    }

    fn turn(&mut self, by: usize, bench: &mut Bench) {
        let at = RunView::ALL.iter().position(|other| *other == self.view).unwrap_or(0);
        self.look(RunView::ALL[(at + by) % RunView::ALL.len()], bench);
    }

    /// A key that is no letter, while a name is typed.
    fn act_naming(&mut self, action: Action, bench: &mut Bench) {
        match (action, &mut self.naming) {
            (Action::Erase, Some(name)) => {
                name.pop();
            }
            (Action::EraseAll, Some(name)) => name.clear(),
            (Action::Accept, naming) => {
                let name = naming.take().unwrap_or_default().trim().to_string();
                if let Some((sheet, topic)) = self.sheet.as_ref().zip(self.selected()) {
                    let label = (!name.is_empty()).then_some(name);
                    let (run, topic) = (sheet.row.run.id, topic.topic);
                    bench.perform(Effect::Label { run, topic, label });
                }
            }
            (Action::Clear, naming) => *naming = None,
            _ => {}
        }
    }

    /// Asks for the documents of the topic that is shown in full, unless that was done.
    fn ask_for_documents(&mut self, bench: &mut Bench) {
        if self.view != RunView::Topic {
            return;
        }
        let Some((sheet, topic)) = self.sheet.as_ref().zip(self.selected()) else { return };
        let (run, topic) = (sheet.row.run.id, topic.topic);
        if self.documents_of(topic).is_none() {
            self.documents = Some((topic, Found::NotYet));
            bench.perform(Effect::FindDocuments { run, topic });
        }
    }

    fn scroll(&mut self, rows: isize, bench: &Bench) {
        let hidden = facts::hidden_lines(self, bench);
        self.facts_from = self.facts_from.saturating_add_signed(rows).min(hidden);
    }
}

impl Screen for RunScreen {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "Run: its topics"
    }

    fn keys(&self) -> Vec<&'static Keys> {
        if self.is_typing() { vec![&keys::NAMING] } else { keys::of(self.view) }
    }

    fn shortcuts(&self) -> &'static [Binding] {
        keys::SHORTCUTS
    }

    fn typing_keys(&self) -> Vec<&'static Keys> {
        vec![&FILTER, &keys::NAMING]
    }

    fn is_typing(&self) -> bool {
        self.naming.is_some()
    }

    fn type_in(&mut self, text: &str, _bench: &mut Bench) {
        let Some(name) = &mut self.naming else { return };
        for letter in text.chars().filter(|letter| !letter.is_control()) {
            if words::width(name) < LONGEST_NAME {
                name.push(letter);
            }
        }
    }

    fn act(&mut self, action: Action, bench: &mut Bench) -> bool {
        if self.is_typing() {
            self.act_naming(action, bench);
            return true;
        }
        if let Some(&view) = RunView::ALL.iter().find(|view| keys::look(**view) == action) {
            self.look(view, bench);
            return true;
        }
        match action {
            Action::Enter => self.follow_topic(bench),
            Action::NextView => self.turn(1, bench),
            Action::PreviousView => self.turn(RunView::ALL.len() - 1, bench),
            keys::ORDER => self.keeping_topic(|run| run.by_number = !run.by_number),
            keys::SCALE => self.is_to_scale = !self.is_to_scale,
            keys::ZOOM_IN => self.zoom = (self.zoom + 1).min(LARGEST_ZOOM),
            keys::ZOOM_OUT => self.zoom = self.zoom.saturating_sub(1),
            keys::LABEL if self.view != RunView::Facts => {
                let label = self.selected().map(|topic| topic.label.clone().unwrap_or_default());
                self.naming = label;
            }
            stability::COMPUTE => {
                if let Some(sheet) = &self.sheet {
                    stability::ask_to_compute(&sheet.row, bench);
                }
            }
            _ if self.view == RunView::Facts => {
                let Some(rows) = distance(action, self.list_rows(bench)) else { return false };
                self.scroll(rows, bench);
            }
            _ => return false,
        }
        true
    }

    fn question(&self) -> AnyQuestion {
        AnyQuestion::new(RunQuestion { id: self.id, view: self.view })
    }

    fn receive(&mut self, answer: Value, bench: &mut Bench) {
        if let Some(sheet) = answer.take::<Option<Box<RunSheet>>>() {
            self.receive_sheet(sheet);
            // What a workbench begins with is open as if the user had opened it.
            bench.open_run = bench.open_run.or(self.id);
            if let Some(sheet) = self.sheet.as_ref().filter(|_| std::mem::take(&mut self.is_new)) {
                bench.open_corpus = Some(sheet.row.run.corpus_id);
            }
        }
    }

    fn hear(&mut self, news: &News, bench: &mut Bench) {
        match news {
            News::Documents { run, topic, found }
                if self.id == Some(*run) && self.documents_of(*topic).is_some() =>
            {
                self.documents = Some((*topic, Found::Here(found.clone())));
            }
            News::JobEnded { job: BackgroundJob::Stability(run), outcome } => {
                stability::computed(*run, outcome, bench);
            }
            _ => {}
        }
    }

    /// Another run is shown from the same side, unless it is a topic of it that is wanted.
    fn arrive(&mut self, visit: &Visit, bench: &mut Bench) {
        let Some(open) = &visit.open else {
            return self.show_run(bench.open_run);
        };
        if open.run.is_some() {
            bench.open_run = open.run;
            self.show_run(open.run);
            self.is_new = true;
        }
        if open.topic.is_some() {
            self.view = RunView::Topic;
            self.list.clear_filter();
            self.arrange();
            self.select(open.topic);
            self.wanted = open.topic;
        }
        self.base = self.view;
    }

    fn close(&mut self, bench: &mut Bench) -> bool {
        let is_aside = self.view != self.base;
        if is_aside {
            self.look(self.base, bench);
        }
        is_aside
    }

    fn back(&mut self, bench: &mut Bench) {
        match self.view {
            RunView::Topics => bench.go(runs::NAME),
            _ => {
                self.base = RunView::Topics;
                self.look(self.base, bench);
            }
        }
    }

    fn crumb(&self) -> Option<String> {
        match self.selected().filter(|_| self.view == RunView::Topic) {
            Some(topic) => {
                let name = topic.label.as_ref().or(topic.words.first().map(|word| &word.word));
                let name = name.map(|name| format!(" {name}")).unwrap_or_default();
                Some(format!("topic {}{name}", topic.topic))
            }
            None => self.id.map(|run| format!("run {run}")),
        }
    }

    fn settle(&mut self, bench: &mut Bench) {
        if bench.shown == NAME {
            self.list.clamp();
            self.ask_for_documents(bench);
        }
    }

    fn draw(&self, bench: &Bench, area: Rect, buffer: &mut Buffer) {
        view::draw(self, bench.look, area, buffer);
    }

    fn status(&self, bench: &Bench) -> Option<Line<'static>> {
        let name = self.naming.as_deref()?;
        Some(Line::from(vec![
            Span::styled(" name of the topic: ", bench.look.key()),
            Span::raw(words::clean(name)),
            Span::styled(" ", bench.look.selected()),
        ]))
    }

    active_list!(it: it.view != RunView::Facts => list);

    fn list_rows(&self, bench: &Bench) -> usize {
        view::rows(self.view, bench.body())
    }

    fn extent(&self, _bench: &Bench) -> Option<Extent> {
        let all = self.sheet.as_ref().map_or(0, |sheet| sheet.topics.len()) as u64;
        Some(Extent { before: 0, matching: self.list.len() as u64, all })
    }

    fn sort_columns(&self) -> Vec<(String, bool)> {
        columns::sorted_by(&self.columns())
    }

    fn rearrange(&mut self, _bench: &mut Bench) {
        self.arrange();
    }

    fn sheet(&self) -> Option<Sheet> {
        let run = self.sheet.as_ref()?.row.run.id;
        let rows: Vec<_> = self.visible().into_iter().map(|topic| self.row(topic)).collect();
        Some(columns::sheet(format!("run-{run}-topics"), &self.columns(), &rows))
    }

    fn subject(&self) -> Subject {
        let corpus_name = self.sheet.as_ref().map(|sheet| sheet.row.run.corpus.clone());
        Subject { run: self.id, corpus_name, ..Subject::default() }
    }

    fn remember(&self) -> serde_json::Value {
        serde_json::json!({ "run": self.id, "list": left_list(&self.list) })
    }

    fn restore(&mut self, left: &serde_json::Value, past: &Past<'_>, bench: &mut Bench) {
        self.id = left["run"].as_i64().filter(|&id| past.store.run(id).is_ok());
        (bench.open_run, self.is_new) = (self.id, self.id.is_some());
        restore_list(&left["list"], &mut self.list);
    }
}
