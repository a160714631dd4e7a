//! The choice of K: the metrics of a corpus's runs by their K, the bounds on it, which K to look at
//! first.

mod bounds;
mod question;
mod view;

use question::families_columns;
pub use question::{ChoiceOfK, ChooseKQuestion, Family};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::records::column::Column;
use crate::tui::effect::Effect;
use crate::tui::keymap::{Action, Action as A, Keys, LIST, NEW_RUN, key};
use crate::tui::list::columns::{self, ExportTable};
use crate::tui::list::{ListState, matches};
use crate::tui::message::EffectOutcome;
use crate::tui::question::{AnyQuestion, Value};
use crate::tui::screen::{Navigation, Screen, Selection};
use crate::tui::screens::{run, runs};
use crate::tui::view::layout;
use crate::tui::workbench::Workbench;
use topoi_run::choose_k::bounds::Bounds;
use topoi_run::choose_k::recommendation::Recommendation;
use topoi_run::choose_k::sweep::{Sweep, SweptMetric};
use topoi_run::life::spawn::BackgroundJob;
use topoi_store::id::{CorpusId, RunId};

pub const NAME: &str = "K";

const COMPUTE: Action = Action::Own("compute bounds");
const FAMILIES: Action = Action::Own("runs of the corpus");

static METRICS: Keys = Keys::new(
    "K",
    &[
        key(&["Enter", "l", "Right"], A::Enter, "best run", "the run with the best value"),
        key(&["]", "Tab"], A::NextView, "bounds", "the bounds on K"),
        key(&["[", "Shift-Tab"], A::PreviousView, "", "which K to look at first"),
        key(&["b"], COMPUTE, "", "compute the bounds on K, and show them"),
        key(&["R"], FAMILIES, "", "which runs of the corpus"),
        key(&["h", "Left"], A::Back, "", "back to the runs"),
    ],
);

static BOUNDS: Keys = Keys::new(
    "Bounds on K",
    &[
        key(&["]", "Tab"], A::NextView, "begin", "which K to look at first"),
        key(&["[", "Shift-Tab"], A::PreviousView, "metrics", "the metrics of the runs by K"),
        key(&["b"], COMPUTE, "compute", "compute the bounds of the corpus"),
        NEW_RUN,
        key(&["h", "Left"], A::Back, "", "back to the runs"),
    ],
);

static ADVICE: Keys = Keys::new(
    "Which K",
    &[
        key(&["Enter", "l", "Right"], A::Enter, "open", "the run with the K to look at first"),
        key(&["]", "Tab"], A::NextView, "metrics", "the metrics of the runs by K"),
        key(&["[", "Shift-Tab"], A::PreviousView, "bounds", "the bounds on K"),
        key(&["b"], COMPUTE, "", "compute the bounds on K, and show them"),
        key(&["R"], FAMILIES, "", "which runs of the corpus"),
        NEW_RUN,
        key(&["h", "Left"], A::Back, "", "back to the runs"),
    ],
);

static RUNS_OF_CORPUS: Keys = Keys::new(
    "Runs by K",
    &[
        key(&["Enter", "l", "Right"], A::Enter, "choose", "which K of these runs"),
        key(&["h", "Left"], A::Back, "", "which K of the same runs as before"),
    ],
);

/// The sides of the choice of K.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ChooseKView {
    /// Which K to look at first, and why.
    #[default]
    Advice,
    /// The metrics of the runs by K, and the spectrum.
    Metrics,
    Bounds,
    /// The runs of the corpus that can be compared by their K, to choose which.
    Families,
}

impl ChooseKView {
    /// Those that keys turn through.
    pub const ALL: [Self; 3] = [Self::Advice, Self::Metrics, Self::Bounds];
}

#[derive(Debug, Clone, Default)]
pub struct ChooseKScreen {
    /// Row id of the corpus; `None` is that of the run.
    pub of_corpus: Option<CorpusId>,
    /// The run that was looked at before.
    pub run: Option<RunId>,
    /// Whether the user has pointed at that run in the list of runs.
    is_pointed_at: bool,
    /// A run of the family that was chosen here.
    chosen: Option<RunId>,
    /// The families of the corpus, and which of them is shown.
    families: Vec<Family>,
    shown_family: usize,
    /// The corpus that is shown.
    pub corpus: Option<String>,
    /// The runs and their metrics.
    pub sweep: Option<Sweep>,
    pub bounds: Option<Bounds>,
    pub advice: Option<Recommendation>,
    /// The view that the user chose.
    pub view: ChooseKView,
    /// The corpus whose bounds are being computed by a process that was started here.
    pub computing: Option<String>,
    pub answered: bool,
    /// Where the user is among the metrics.
    pub list: ListState,
    /// Where the user is among the families.
    pub list_of_families: ListState,
}

impl ChooseKScreen {
    fn metrics(&self) -> &[SweptMetric] {
        self.sweep.as_ref().map_or(&[], |sweep| &sweep.metrics)
    }

    /// The columns of the metrics by K.
    fn columns(&self) -> Vec<Column<SweptMetric>> {
        self.sweep.as_ref().map(view::columns).unwrap_or_default()
    }

    fn arrange(&mut self) {
        let all = self.columns();
        self.list.arrange(
            self.sweep.as_ref().map_or(&[], |sweep| &sweep.metrics),
            &all,
            |metric, filter| matches(filter, &metric.name),
        );
        let holds = |family: &Family, filter: &str| matches(filter, &family.to_string());
        self.list_of_families.arrange(&self.families, &families_columns(), holds);
    }

    /// The metrics the filter lets through.
    fn visible(&self) -> Vec<&SweptMetric> {
        self.list.visible(self.metrics())
    }

    fn selected(&self) -> Option<&SweptMetric> {
        self.list.selected(self.metrics())
    }

    /// What is shown: where there is no run, the bounds.
    fn shown(&self) -> ChooseKView {
        let nothing_else = self.sweep.is_none() && self.corpus.is_some();
        match self.view {
            ChooseKView::Advice | ChooseKView::Metrics if nothing_else => ChooseKView::Bounds,
            view => view,
        }
    }

    fn turn(&mut self, by: usize) {
        let all = ChooseKView::ALL;
        let at = all.iter().position(|view| *view == self.shown()).unwrap_or(0);
        self.view = all[(at + by) % all.len()];
    }

    /// Lists the families, the shown one selected.
    fn list_families(&mut self, workbench: &mut Workbench) {
        if self.families.len() < 2 {
            return workbench.say("the corpus has no other runs that could be compared by their K");
        }
        self.view = ChooseKView::Families;
        self.list_of_families = ListState::default();
        self.arrange();
        self.list_of_families.cursor = self.shown_family;
    }

    /// Shows the family under the cursor.
    fn choose_family(&mut self) {
        if let Some(family) = self.list_of_families.selected(&self.families) {
            self.chosen = Some(family.newest);
            self.view = ChooseKView::default();
        }
    }

    /// What is said of the runs that are shown, where there are others.
    fn family_in_words(&self) -> Option<String> {
        let (at, count) = (self.shown_family, self.families.len());
        let family = self.families.get(at).filter(|_| count > 1)?;
        Some(format!("{family} ({} of {count}, R lists them)", at + 1))
    }

    /// Opens the run with the best value of the selected metric.
    fn open_best(&self, workbench: &mut Workbench) {
        if self.shown() == ChooseKView::Advice {
            let run = self.advice.as_ref().map(|advice| advice.run);
            let subject = Selection { run, ..Selection::default() };
            return run.into_iter().for_each(|_| workbench.follow(run::NAME, subject.clone()));
        }
        let best = self.selected().and_then(SweptMetric::best);
        let found = best.zip(self.sweep.as_ref()).and_then(|(best, sweep)| sweep.runs.get(best));
        if let Some(run) = found {
            workbench.follow(run::NAME, Selection { run: Some(run.id), ..Selection::default() });
        }
    }

    /// Starts a process that computes the bounds of the corpus, for the vocabulary of its runs
    /// where it has any.
    fn compute(&mut self, workbench: &mut Workbench) {
        let Some(corpus) = self.corpus.clone() else { return };
        if let Some(other) = &self.computing {
            return workbench.say(format!("the bounds of {other} are being computed"));
        }
        self.view = ChooseKView::Bounds;
        self.computing = Some(corpus.clone());
        let run = self.sweep.as_ref().map(|sweep| sweep.spectrum_of);
        workbench.perform(Effect::StartJob(BackgroundJob::Bounds { corpus, run }));
    }
}

impl Screen for ChooseKScreen {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "K: spectrum, metrics by K"
    }

    fn tables(&self) -> Vec<&'static Keys> {
        vec![&METRICS, &BOUNDS, &ADVICE, &RUNS_OF_CORPUS]
    }

    fn keys(&self) -> Vec<&'static Keys> {
        match self.shown() {
            ChooseKView::Metrics => vec![&METRICS, &LIST],
            ChooseKView::Bounds => vec![&BOUNDS],
            ChooseKView::Advice => vec![&ADVICE],
            ChooseKView::Families => vec![&RUNS_OF_CORPUS, &LIST],
        }
    }

    fn crumb(&self) -> Option<String> {
        Some(format!("K of {}", self.corpus.as_ref()?))
    }

    fn act(&mut self, action: Action, workbench: &mut Workbench) -> bool {
        match action {
            Action::Enter if self.shown() == ChooseKView::Families => self.choose_family(),
            Action::Enter => self.open_best(workbench),
            Action::NextView => self.turn(1),
            Action::PreviousView => self.turn(ChooseKView::ALL.len() - 1),
            COMPUTE => self.compute(workbench),
            FAMILIES => self.list_families(workbench),
            _ => return false,
        }
        true
    }

    fn question(&self) -> AnyQuestion {
        let (corpus, run, chosen) = (self.of_corpus, self.run, self.chosen);
        let is_pointed_at = self.is_pointed_at;
        AnyQuestion::new(ChooseKQuestion { corpus, run, is_pointed_at, chosen })
    }

    fn receive(&mut self, answer: Value, _workbench: &mut Workbench) {
        let Some(choice) = answer.take::<Box<ChoiceOfK>>() else { return };
        (self.corpus, self.sweep, self.bounds) = (choice.corpus, choice.sweep, choice.bounds);
        (self.advice, self.families) = (choice.advice, choice.families);
        self.shown_family = choice.shown_family;
        self.answered = true;
        self.arrange();
    }

    fn hear(&mut self, news: &EffectOutcome, workbench: &mut Workbench) {
        let EffectOutcome::JobEnded { job: BackgroundJob::Bounds { corpus, .. }, outcome } = news
        else {
            return;
        };
        self.computing = None;
        if let Err(error) = outcome {
            return workbench.say(error);
        }
        workbench.say(format!("the bounds of {corpus} are computed"));
        if workbench.shown == NAME {
            workbench.ask();
        }
    }

    /// For the corpus or run that the user looked at before.
    fn arrive(&mut self, navigation: &Navigation, workbench: &mut Workbench) {
        if navigation.from == NAME {
            return;
        }
        (self.is_pointed_at, self.chosen) = (navigation.from == runs::NAME, None);
        (self.of_corpus, self.run) = match (navigation.left.corpus, navigation.left.run) {
            (None, None) => (None, workbench.open_run.or(self.run)),
            of => of,
        };
    }

    fn back(&mut self, workbench: &mut Workbench) {
        if self.view == ChooseKView::Families {
            self.view = ChooseKView::default();
            return;
        }
        workbench.go(runs::NAME);
    }

    fn draw(&self, workbench: &Workbench, area: Rect, buffer: &mut Buffer) {
        match self.shown() {
            ChooseKView::Metrics => view::draw(self, workbench.look, area, buffer),
            ChooseKView::Bounds => bounds::draw(self, workbench.look, area, buffer),
            ChooseKView::Advice => view::draw_advice(self, workbench.look, area, buffer),
            ChooseKView::Families => view::draw_families(self, workbench.look, area, buffer),
        }
    }

    fn list(&self) -> Option<&ListState> {
        match self.shown() {
            ChooseKView::Metrics => Some(&self.list),
            ChooseKView::Families => Some(&self.list_of_families),
            ChooseKView::Advice | ChooseKView::Bounds => None,
        }
    }

    fn list_mut(&mut self) -> Option<&mut ListState> {
        match self.shown() {
            ChooseKView::Metrics => Some(&mut self.list),
            ChooseKView::Families => Some(&mut self.list_of_families),
            ChooseKView::Advice | ChooseKView::Bounds => None,
        }
    }

    fn list_rows(&self, workbench: &Workbench) -> usize {
        match self.shown() {
            ChooseKView::Families => layout::table_rows(workbench.body()),
            _ => layout::table_rows(layout::split(view::SHARES, workbench.body()).list),
        }
    }

    fn rearrange(&mut self, _workbench: &mut Workbench) {
        self.arrange();
    }

    fn figure(&self) -> Vec<String> {
        let metric = self.list.selected(self.metrics());
        metric.into_iter().flat_map(|metric| ["--by-k".into(), metric.name.clone()]).collect()
    }

    fn sheet(&self) -> Option<ExportTable> {
        let corpus = self.corpus.as_deref()?;
        match self.shown() {
            ChooseKView::Metrics => {
                let name = format!("{corpus}-metrics-by-k");
                Some(columns::sheet(name, &self.columns(), self.visible()))
            }
            ChooseKView::Families => {
                let rows = self.list_of_families.visible(&self.families);
                Some(columns::sheet(format!("{corpus}-runs-by-k"), &families_columns(), rows))
            }
            ChooseKView::Advice | ChooseKView::Bounds => None,
        }
    }

    fn subject(&self) -> Selection {
        let run = self.sweep.as_ref().and_then(|sweep| sweep.runs.first()).map(|run| run.id);
        Selection { corpus_name: self.corpus.clone(), run, ..Selection::default() }
    }
}
