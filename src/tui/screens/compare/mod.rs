//! Runs side by side: which of the runs, topics or metrics.

mod all_runs;
mod state;
mod view;

pub use state::{CompareQuestion, CompareScreen, CompareView, Compared};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::records::comparisons::{self, PairRow};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Action, Action as A, Keys, LIST, key};
use crate::tui::list::ListState;
use crate::tui::list::columns::{self, ExportTable};
use crate::tui::question::{AnyQuestion, Value};
use crate::tui::screen::{Navigation, Screen, Selection};
use crate::tui::screens::{run, runs, two_topics};
use crate::tui::workbench::Workbench;

pub const NAME: &str = "Compare";

const ORDER: Action = Action::Own("order");
const PAIRS: Action = Action::Own("pairs");
const METRICS: Action = Action::Own("metrics");
const GIVE_LABEL: Action = Action::Own("label of the match");

static KEYS: Keys = Keys::new(
    "Compare",
    &[
        key(&["]"], A::NextView, "next view", "the next of pairs, metrics and all runs"),
        key(&["["], A::PreviousView, "", "the view before"),
        key(&["t"], PAIRS, "", "the topics of two runs in pairs"),
        key(&["I"], METRICS, "metrics", "the metrics of all runs"),
        key(&["Tab"], A::NextField, "other run", "the next of the other runs"),
        key(&["Shift-Tab"], A::PreviousField, "", "the one before"),
        key(&["o"], ORDER, "order", "by number, or the least alike first"),
        key(&["Enter", "l", "Right"], A::Enter, "open", "the two side by side; or the topic"),
        key(&["L"], GIVE_LABEL, "", "name the topic without a name as its match"),
        key(&["h", "Left"], A::Back, "", "back to the runs"),
    ],
);

impl CompareScreen {
    /// Changes what is compared; the cursor stays on its topic of the first run.
    fn keeping_topic(&mut self, change: impl FnOnce(&mut Self)) {
        let topic = |pair: PairRow<'_>| pair.first.map(|topic| topic.topic);
        let before = self.selected().and_then(topic);
        change(self);
        self.arrange();
        let mut places = 0..self.list.len();
        let found =
            before.and_then(|_| places.find(|&place| self.pair(place).and_then(topic) == before));
        self.list.cursor = found.unwrap_or(self.list.cursor);
    }

    /// Gives the label of one topic of a pair to the other, which has none.
    fn give_label(&self, workbench: &mut Workbench) {
        let (Some((first, other)), Some(PairRow { first: Some(one), other: Some(two), .. })) =
            (self.shown(), self.selected())
        else {
            return workbench.say("a label is given to the match of a topic");
        };
        let (run, topic, label) = match (&one.label, &two.label) {
            (Some(label), None) => (other.run.id, two.topic, label),
            (None, Some(label)) => (first.run.id, one.topic, label),
            _ => return workbench.say("one of the two must have a label, and the other none"),
        };
        workbench.perform(Effect::Label { run, topic, label: Some(label.clone()) });
        workbench.ask();
    }

    fn turn(&mut self, by: usize) {
        let views = self.views();
        let at = views.iter().position(|view| *view == self.view).unwrap_or(0);
        self.view = views[(at + by) % views.len()];
    }

    /// Shows the topics of a pair side by side; one without a match in its run.
    fn open(&self, workbench: &mut Workbench) {
        let Some((first, other)) = self.shown() else { return };
        if let (CompareView::Topics, Some(PairRow { first: Some(one), other: Some(two), .. })) =
            (self.view, self.selected())
        {
            let beside = Some((other.run.id, two.topic));
            let (run, topic) = (Some(first.run.id), Some(one.topic));
            let both = Selection { run, topic, beside, ..Selection::default() };
            return workbench.follow(two_topics::NAME, both);
        }
        let (run, topic) = match (self.view, self.selected()) {
            (CompareView::Metrics, _) => return,
            (CompareView::All, _) => match self.all.selected(&first.topics) {
                Some(topic) => (first.run.id, topic.topic),
                None => return,
            },
            (CompareView::Topics, Some(PairRow { first: Some(topic), .. })) => {
                (first.run.id, topic.topic)
            }
            (CompareView::Topics, Some(PairRow { other: Some(topic), .. })) => {
                (other.run.id, topic.topic)
            }
            (CompareView::Topics, _) => return,
        };
        let subject = Selection { run: Some(run), topic: Some(topic), ..Selection::default() };
        workbench.follow(run::NAME, subject);
    }
}

impl Screen for CompareScreen {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "Compare: runs side by side"
    }

    fn keys(&self) -> Vec<&'static Keys> {
        vec![&KEYS, &LIST]
    }

    fn act(&mut self, action: Action, workbench: &mut Workbench) -> bool {
        let others = self.found.as_ref().map_or(0, |found| found.alignments.len()).max(1);
        match action {
            Action::Enter => self.open(workbench),
            Action::NextView => self.turn(1),
            Action::PreviousView => self.turn(self.views().len() - 1),
            PAIRS => self.view = CompareView::Topics,
            METRICS => self.view = CompareView::Metrics,
            Action::NextField => self.keeping_topic(|it| it.other = (it.other + 1) % others),
            Action::PreviousField => {
                self.keeping_topic(|it| it.other = (it.other + others - 1) % others);
            }
            GIVE_LABEL => self.give_label(workbench),
            ORDER => self.keeping_topic(|it| it.by_similarity = !it.by_similarity),
            _ => return false,
        }
        true
    }

    fn question(&self) -> AnyQuestion {
        AnyQuestion::new(CompareQuestion { runs: self.runs.clone() })
    }

    fn receive(&mut self, answer: Value, _workbench: &mut Workbench) {
        if let Some(found) = answer.take::<Compared>() {
            self.receive_comparison(found);
        }
    }

    fn arrive(&mut self, navigation: &Navigation, _workbench: &mut Workbench) {
        let runs = navigation.open.as_ref().map(|open| &open.runs);
        if let Some(runs) = runs.filter(|runs| **runs != self.runs) {
            *self = Self::default();
            self.runs.clone_from(runs);
        }
    }

    fn close(&mut self, _workbench: &mut Workbench) -> bool {
        let first = self.views()[0];
        std::mem::replace(&mut self.view, first) != first
    }

    fn back(&mut self, workbench: &mut Workbench) {
        workbench.go(runs::NAME);
    }

    fn crumb(&self) -> Option<String> {
        let numbers: Vec<String> =
            self.found.as_ref()?.runs.iter().map(|run| run.run.id.to_string()).collect();
        Some(format!("runs {}", numbers.join(" ")))
    }

    fn draw(&self, workbench: &Workbench, area: Rect, buffer: &mut Buffer) {
        view::draw(self, workbench.look, area, buffer);
    }

    fn list(&self) -> Option<&ListState> {
        Some(match self.view {
            CompareView::Metrics => &self.metrics,
            CompareView::All => &self.all,
            CompareView::Topics => &self.list,
        })
    }

    fn list_mut(&mut self) -> Option<&mut ListState> {
        Some(match self.view {
            CompareView::Metrics => &mut self.metrics,
            CompareView::All => &mut self.all,
            CompareView::Topics => &mut self.list,
        })
    }

    fn list_rows(&self, workbench: &Workbench) -> usize {
        view::rows(self, workbench.body())
    }

    fn rearrange(&mut self, _workbench: &mut Workbench) {
        self.arrange();
    }

    fn sheet(&self) -> Option<ExportTable> {
        let (first, other) = self.shown()?;
        let name = format!("run-{}-and-{}", first.run.id, other.run.id);
        if self.view == CompareView::Metrics {
            let metrics = self.metrics.visible(&self.found.as_ref()?.metrics);
            return Some(columns::sheet(name + "-metrics", &self.metric_columns(), metrics));
        }
        let pairs: Vec<_> = (0..self.list.len()).filter_map(|place| self.pair(place)).collect();
        Some(columns::sheet(name + "-topics", &comparisons::pairs(usize::MAX), &pairs))
    }

    fn subject(&self) -> Selection {
        let corpus_name = self.shown().map(|(first, _)| first.run.corpus.clone());
        Selection { corpus_name, ..Selection::default() }
    }
}
