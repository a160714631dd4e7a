//! A run from its five sides: its topics, one in full, correlations, the map of its anchors, facts.

mod correlations;
pub mod documents;
mod facts;
mod keys;
mod map;
mod naming;
pub mod question;
mod sheets;
pub mod stability;
mod state;
mod topic;
mod view;

pub use question::{RunViewData, RunWithTopics};
pub use state::{RunScreen, RunView};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::question::BY_PROBABILITY;
use self::state::LARGEST_ZOOM;
use crate::records::topics::as_proposed;
use crate::tui::effect::Effect;
use crate::tui::input::Input;
use crate::tui::keymap::{Action, Binding, FILTER, Keys};
use crate::tui::list::columns::ExportTable;
use crate::tui::list::distance;
use crate::tui::list::{ListState, columns};
use crate::tui::message::EffectOutcome;
use crate::tui::question::{AnyQuestion, Value};
use crate::tui::saved_position::{left_list, restore_list};
use crate::tui::screen::{Navigation, PreviousSession, Screen, Selection};
use crate::tui::screens::{corpus, rising_words, runs, shape, two_topics};
use crate::tui::view::layout;
use crate::tui::workbench::Workbench;
use topoi_run::life::spawn::BackgroundJob;
use topoi_store::id::RunId;

pub const NAME: &str = "Run";

impl RunScreen {
    /// Shows a side of the run; the cursor stays on its topic.
    fn look(&mut self, view: RunView) {
        self.keeping_topic(|run| {
            if view == RunView::Correlations {
                run.list.clear_filter();
            }
            run.view = view;
        });
    }

    /// Shows a run from the side the one before was seen from.
    fn show_run(&mut self, run: Option<RunId>) {
        if run.is_some() && run != self.id {
            let (view, base, marked) = (self.view, self.base, self.marked);
            *self = Self { id: run, view, base, marked, ..Self::default() };
        }
    }

    /// Leads on: from a topic to its words, from those to its documents, and to a document.
    fn follow(&self, workbench: &mut Workbench) {
        let Some(topic) = self.selected().map(|topic| topic.topic) else { return };
        let subject = Selection { run: self.id, topic: Some(topic), ..Selection::default() };
        match self.view {
            RunView::Topic => {
                let view = Some(RunView::Documents.name().1);
                workbench.follow(NAME, Selection { view, ..subject });
            }
            RunView::Documents => self.follow_document(subject, workbench),
            _ => workbench.follow(NAME, subject),
        }
    }

    fn follow_document(&self, subject: Selection, workbench: &mut Workbench) {
        let shown = self.found.visible(self.lines());
        let Some(line) = shown.get(self.found.cursor) else { return };
        let corpus = self.sheet.as_ref().map(|sheet| sheet.row.run.corpus_id);
        let documents = shown.iter().map(|line| line.document.id).collect();
        let document = Some(line.document.id);
        workbench.follow(corpus::NAME, Selection { corpus, document, documents, ..subject });
    }

    /// Leads on to where the word under the cursor is used.
    fn follow_word(&self, workbench: &mut Workbench) {
        let Some((sheet, word)) = self.sheet.as_ref().zip(self.selected_word()) else { return };
        let subject = Selection {
            corpus: Some(sheet.row.run.corpus_id),
            term: Some(word.word.clone()),
            run: self.id,
            ..Selection::default()
        };
        workbench.follow("Word", subject);
    }

    /// Leads on to the topic in other runs.
    fn follow_elsewhere(&self, workbench: &mut Workbench) {
        let topic = self.selected().map(|topic| topic.topic);
        if topic.is_some() {
            workbench
                .follow("Same topic", Selection { run: self.id, topic, ..Selection::default() });
        }
    }

    /// What is shaped: the topic, and the word of it that the cursor is on.
    fn to_shape(&self) -> Selection {
        let topic = self.selected().map(|topic| topic.topic);
        let word = self.selected_word().filter(|_| self.view == RunView::Topic);
        let term = word.map(|word| word.word.clone());
        Selection { run: self.id, topic, term, ..Selection::default() }
    }

    /// Ranks the words by another λ; they come with the next answer.
    fn rank(&mut self, lambda: u8, workbench: &mut Workbench) {
        self.lambda = lambda;
        workbench.say(view::ranked_by(lambda));
    }

    /// Marks the topic under the cursor, or shows the marked one beside it.
    fn mark_or_compare(&mut self, action: Action, workbench: &mut Workbench) {
        let Some((run, topic)) = self.id.zip(self.selected().map(|topic| topic.topic)) else {
            return;
        };
        if action == keys::MARK {
            self.marked = Some((run, topic));
            let said = format!("topic {topic} of run {run} is marked: c on another compares them");
            return workbench.say(said);
        }
        match self.marked {
            Some(beside) if beside != (run, topic) => {
                let (run, topic, beside) = (Some(run), Some(topic), Some(beside));
                let both = Selection { run, topic, beside, ..Selection::default() };
                workbench.follow(two_topics::NAME, both);
            }
            _ => workbench.say("Space marks a topic first, of this run or another"),
        }
    }

    /// Has names found for topics without a label, once a run.
    fn ask_for_names(&mut self, workbench: &mut Workbench) {
        let Some(sheet) = &self.sheet else { return };
        let run = sheet.row.run.id;
        let is_known = self.proposed.as_ref().is_some_and(|(of, _)| *of == run);
        if !is_known && sheet.topics.iter().any(|topic| topic.label.is_none()) {
            self.proposed = Some((run, Vec::new()));
            workbench.perform(Effect::ProposeNames(run));
        }
    }

    fn turn(&mut self, by: usize) {
        let at = RunView::ALL.iter().position(|other| *other == self.view).unwrap_or(0);
        self.look(RunView::ALL[(at + by) % RunView::ALL.len()]);
    }

    fn scroll(&mut self, rows: isize, workbench: &Workbench) {
        let hidden = facts::hidden_lines(self, workbench);
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

    fn tables(&self) -> Vec<&'static Keys> {
        RunView::ALL.into_iter().flat_map(keys::of).chain([&keys::NAMING]).collect()
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

    fn input(&self) -> Option<(String, &Input)> {
        self.naming.as_ref().map(|naming| (naming.label(), &naming.input))
    }

    fn input_mut(&mut self) -> Option<&mut Input> {
        self.naming.as_mut().map(|naming| &mut naming.input)
    }

    fn type_in(&mut self, text: &str, workbench: &mut Workbench) {
        if let Some(naming) = &mut self.naming
            && !naming.type_in(text)
        {
            workbench.say(format!("at most {} letters have room here", naming.input.longest()));
        }
    }

    fn act(&mut self, action: Action, workbench: &mut Workbench) -> bool {
        if self.is_typing() {
            naming::act(self, action, workbench);
            return true;
        }
        if let Some(&view) = RunView::ALL.iter().find(|view| keys::look(**view) == action) {
            self.look(view);
            return true;
        }
        match action {
            Action::Enter => self.follow(workbench),
            Action::NextView => self.turn(1),
            Action::PreviousView => self.turn(RunView::ALL.len() - 1),
            keys::ORDER if self.view == RunView::Correlations => {
                self.keeping_topic(|run| run.by_number = !run.by_number);
            }
            keys::ORDER => self.turn_order(),
            keys::RIGHTWARDS | keys::LEFTWARDS => {
                let area = layout::strip(workbench.body()).1;
                let is_rightwards = action == keys::RIGHTWARDS;
                self.sideways = correlations::scrolled(self, area, is_rightwards);
            }
            keys::TO_THE_LEFT | keys::TO_THE_RIGHT | keys::UPWARDS | keys::DOWNWARDS => {
                let next = map::neighbour(self, layout::strip(workbench.body()).1, action);
                if next.is_some() {
                    self.select(next);
                }
            }
            keys::MORE_SPECIAL => self.rank(self.lambda.saturating_sub(1), workbench),
            keys::MORE_PROBABLE => self.rank((self.lambda + 1).min(BY_PROBABILITY), workbench),
            keys::NEXT_TOPIC | keys::PREVIOUS_TOPIC => {
                self.step_topic(if action == keys::NEXT_TOPIC { 1 } else { -1 });
            }
            keys::WORD => self.follow_word(workbench),
            keys::ELSEWHERE => self.follow_elsewhere(workbench),
            keys::BY_FIELD => {
                let topic = self.selected().map(|topic| topic.topic);
                let corpus = self.sheet.as_ref().map(|sheet| sheet.row.run.corpus_id);
                workbench.open_corpus = workbench.open_corpus.or(corpus);
                workbench
                    .follow("By field", Selection { run: self.id, topic, ..Selection::default() });
            }
            keys::RISING => {
                let corpus = self.sheet.as_ref().map(|sheet| sheet.row.run.corpus_id);
                workbench.follow(
                    rising_words::NAME,
                    Selection { run: self.id, corpus, ..Selection::default() },
                );
            }
            keys::MARK | keys::COMPARE => self.mark_or_compare(action, workbench),
            keys::SHAPE => workbench.follow(shape::NAME, self.to_shape()),
            _ if shape::begin(action, self.to_shape(), workbench) => {}
            keys::JUDGE => {
                workbench.follow("Judge", Selection { run: self.id, ..Selection::default() })
            }
            keys::SCALE => self.is_to_scale = !self.is_to_scale,
            keys::ZOOM_IN => self.zoom = (self.zoom + 1).min(LARGEST_ZOOM),
            keys::ZOOM_OUT => self.zoom = self.zoom.saturating_sub(1),
            keys::LABEL if self.view != RunView::Facts => naming::begin(self),
            stability::COMPUTE => {
                if let Some(sheet) = &self.sheet {
                    stability::ask_to_compute(&sheet.row, workbench);
                }
            }
            _ if self.view == RunView::Facts => {
                let Some(rows) = distance(action, self.list_rows(workbench)) else { return false };
                self.scroll(rows, workbench);
            }
            _ => return false,
        }
        true
    }

    fn question(&self) -> AnyQuestion {
        AnyQuestion::new(RunScreen::question(self))
    }

    fn receive(&mut self, answer: Value, workbench: &mut Workbench) {
        if let Some(sheet) = answer.take::<Option<Box<RunWithTopics>>>() {
            self.receive_sheet(sheet);
            self.ask_for_names(workbench);
            // What a workbench begins with is open as if the user had opened it.
            workbench.open_run = workbench.open_run.or(self.id);
            if let Some(sheet) = self.sheet.as_ref().filter(|_| std::mem::take(&mut self.is_new)) {
                workbench.open_corpus = Some(sheet.row.run.corpus_id);
            }
        }
    }

    fn hear(&mut self, news: &EffectOutcome, workbench: &mut Workbench) {
        match news {
            EffectOutcome::JobEnded { job: BackgroundJob::Stability(run), outcome } => {
                stability::computed(*run, outcome, workbench);
            }
            EffectOutcome::Proposed { run, names } if self.id == Some(*run) => {
                self.proposed = Some((*run, names.clone()));
            }
            _ => {}
        }
    }

    /// Another run is shown from the same side, unless it is a topic of it that is wanted.
    fn arrive(&mut self, navigation: &Navigation, workbench: &mut Workbench) {
        let Some(open) = &navigation.open else {
            return self.show_run(workbench.open_run);
        };
        if open.run.is_some() {
            workbench.open_run = open.run;
            self.show_run(open.run);
            self.is_new = true;
        }
        if open.topic.is_some() {
            let named = |view: &RunView| Some(view.name().1) == open.view;
            self.view = RunView::ALL.into_iter().find(named).unwrap_or(RunView::Topic);
            self.list.clear_filter();
            (self.words, self.found) = (ListState::default(), ListState::default());
            self.arrange();
            self.select(open.topic);
            self.wanted = open.topic;
            self.led_by = navigation.left.document;
        }
        self.base = self.view;
    }

    fn close(&mut self, _workbench: &mut Workbench) -> bool {
        let is_aside = self.view != self.base;
        if is_aside {
            self.look(self.base);
        }
        is_aside
    }

    fn back(&mut self, workbench: &mut Workbench) {
        match self.view {
            RunView::Topics => workbench.go(runs::NAME),
            _ => {
                self.base = RunView::Topics;
                self.look(self.base);
            }
        }
    }

    fn crumb(&self) -> Option<String> {
        match self.selected().filter(|_| self.view.is_of_one()) {
            Some(topic) if self.view == RunView::Topic => {
                let first = topic.words.first().map(|word| &word.word);
                let proposed = self.proposed(topic).map(|names| as_proposed(&names.proposed));
                let name = topic.label.as_ref().or(proposed.as_ref()).or(first);
                let name = name.map(|name| format!(" {name}")).unwrap_or_default();
                Some(format!("topic {}{name}", topic.topic))
            }
            Some(topic) => Some(format!("documents of topic {}", topic.topic)),
            None if self.view == RunView::Topics => self.id.map(|run| format!("run {run}")),
            None => Some(self.view.name().1.into()),
        }
    }

    fn settle(&mut self, workbench: &mut Workbench) {
        if workbench.shown == NAME {
            self.list.clamp();
        }
    }

    fn draw(&self, workbench: &Workbench, area: Rect, buffer: &mut Buffer) {
        view::draw(self, workbench.look, area, buffer);
    }

    fn list(&self) -> Option<&ListState> {
        match self.view {
            RunView::Topic => Some(&self.words),
            RunView::Documents => Some(&self.found),
            RunView::Facts => None,
            _ => Some(&self.list),
        }
    }

    fn list_mut(&mut self) -> Option<&mut ListState> {
        match self.view {
            RunView::Topic => Some(&mut self.words),
            RunView::Documents => Some(&mut self.found),
            RunView::Facts => None,
            _ => Some(&mut self.list),
        }
    }

    fn list_rows(&self, workbench: &Workbench) -> usize {
        view::rows(self.view, workbench.body())
    }

    /// The columns of the correlations follow the cursor.
    fn moved(&mut self, _workbench: &mut Workbench) {
        self.sideways = 0;
    }

    fn rearrange(&mut self, _workbench: &mut Workbench) {
        self.arrange();
    }

    fn sheet(&self) -> Option<ExportTable> {
        let run = self.sheet.as_ref()?.row.run.id;
        if let Some(topic) = self.selected().filter(|_| self.view.is_of_one()) {
            return Some(sheets::of_topic(self, run, topic));
        }
        let rows: Vec<_> = self.visible().into_iter().map(|topic| self.row(topic)).collect();
        Some(columns::sheet(format!("run-{run}-topics"), &self.columns(), &rows))
    }

    fn figure(&self) -> Vec<String> {
        match self.view {
            RunView::Correlations => vec!["--correlations".into()],
            _ => Vec::new(),
        }
    }

    fn subject(&self) -> Selection {
        let corpus_name = self.sheet.as_ref().map(|sheet| sheet.row.run.corpus.clone());
        let topic = self.selected().map(|topic| topic.topic);
        Selection { run: self.id, topic, corpus_name, ..Selection::default() }
    }

    /// Of the documents of a topic, the selected one.
    fn noted(&self, _workbench: &Workbench) -> Option<Selection> {
        let line = self.found.selected(self.lines()).filter(|_| self.view == RunView::Documents)?;
        let corpus = self.sheet.as_ref().map(|sheet| sheet.row.run.corpus_id);
        Some(Selection { corpus, document: Some(line.document.id), ..Selection::default() })
    }

    /// Of documents read one after the other, the cursor is on the last.
    fn returned(&mut self, seen: &Selection) {
        let shown = self.found.visible(self.lines());
        let place = shown.iter().position(|line| Some(line.document.id) == seen.document);
        self.found.cursor = place.unwrap_or(self.found.cursor);
    }

    fn remember(&self) -> serde_json::Value {
        let (run, lambda) = (self.id, self.lambda);
        serde_json::json!({ "run": run, "list": left_list(&self.list), "lambda": lambda })
    }

    fn restore(
        &mut self,
        left: &serde_json::Value,
        previous: &PreviousSession<'_>,
        workbench: &mut Workbench,
    ) {
        self.id = left["run"].as_i64().map(RunId).filter(|&id| previous.store.run(id).is_ok());
        (workbench.open_run, self.is_new) = (self.id, self.id.is_some());
        restore_list(&left["list"], &mut self.list);
        let lambda = left["lambda"].as_u64().and_then(|lambda| u8::try_from(lambda).ok());
        self.lambda = lambda.unwrap_or(BY_PROBABILITY).min(BY_PROBABILITY);
    }
}
