//! A topic of a run as the other runs of its corpus have it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::records::topics;
use crate::tui::bench::Bench;
use crate::tui::keymap::{Action, Action as A, Keys, LIST, key};
use crate::tui::list::columns::{self, Sheet};
use crate::tui::list::{ListState, matches};
use crate::tui::question::{AnyQuestion, Asking, Question, Value};
use crate::tui::screen::{Extent, Screen, Subject, Visit, active_list};
use crate::tui::screens::run::question::WORDS;
use crate::tui::screens::{run, runs};
use crate::tui::view::table::{Listed, Table};
use crate::tui::view::{layout, parts};
use topoi_run::request::RunSettings;
use topoi_run::saved::same_topic::{TopicElsewhere, in_other_runs};
use topoi_store::StoreError;
use topoi_store::result::topic::Topic;
use topoi_store::run::{Run, RunStatus};

pub const NAME: &str = "Same topic";

static KEYS: Keys = Keys::new(
    "The same topic in other runs",
    &[
        key(
            &["Enter", "l", "Right"],
            A::Enter,
            "open",
            "the topic in the other run, which is opened",
        ),
        key(&["h", "Left"], A::Back, "", "back"),
    ],
);

#[derive(Debug, Clone, PartialEq)]
pub struct SameTopicQuestion {
    pub run: Option<i64>,
    pub topic: Option<u64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SameTopicAnswer {
    pub topic: Topic,
    pub corpus: String,
    pub rows: Vec<TopicElsewhere>,
}

impl Question for SameTopicQuestion {
    /// `None` without a topic.
    type Answer = Option<Box<SameTopicAnswer>>;

    fn ask(&self, asking: &mut Asking<'_>) -> Result<Self::Answer, StoreError> {
        let (store, recall) = (asking.store, &mut *asking.recall);
        let Some(run) = asking.runs.iter().find(|run| Some(run.id) == self.run) else {
            return Ok(None);
        };
        let topics = recall.topics(store, run, WORDS)?;
        let wanted = topics.into_iter().find(|topic| Some(topic.topic) == self.topic);
        let Some(topic) = wanted else { return Ok(None) };
        let is_other = |other: &&Run| {
            other.corpus_id == run.corpus_id
                && other.id != run.id
                && other.status == RunStatus::Finished
                && !RunSettings::is_half(other)
        };
        let others = asking.runs.iter().filter(is_other);
        let read = |other: &Run| recall.topics(store, other, WORDS);
        let rows = in_other_runs(store, run.corpus_id, &topic, others, read)?;
        Ok(Some(Box::new(SameTopicAnswer { topic, corpus: run.corpus.clone(), rows })))
    }
}

#[derive(Debug, Clone, Default)]
pub struct SameTopicScreen {
    run: Option<i64>,
    topic: Option<u64>,
    /// `None` before the first answer.
    answer: Option<Option<Box<SameTopicAnswer>>>,
    list: ListState,
}

impl SameTopicScreen {
    fn found(&self) -> Option<&SameTopicAnswer> {
        self.answer.as_ref()?.as_deref()
    }

    fn rows(&self) -> &[TopicElsewhere] {
        self.found().map_or(&[], |answer| &answer.rows)
    }

    fn arrange(&mut self) {
        let mut list = std::mem::take(&mut self.list);
        let holds = |row: &TopicElsewhere, filter: &str| {
            let label = row.topic.label.as_deref().unwrap_or_default();
            matches(filter, label)
                || matches(filter, &row.run.model)
                || row.topic.words.iter().any(|word| matches(filter, &word.word))
        };
        let key = |row: &TopicElsewhere, by: &str| columns::sort_key(&topics::elsewhere(), row, by);
        list.arrange(self.rows(), holds, key);
        self.list = list;
    }

    fn follow(&self, bench: &mut Bench) {
        if let Some(row) = self.list.selected(self.rows()) {
            let (run, topic) = (Some(row.run.id), Some(row.topic.topic));
            let view = Some(run::RunView::Topic.name().1);
            bench.follow(run::NAME, Subject { run, topic, view, ..Subject::default() });
        }
    }

    fn title(&self) -> String {
        match self.found() {
            None => "A topic in other runs".into(),
            Some(found) => {
                let words = found.topic.words.iter().take(3).map(|word| word.word.as_str());
                let words: Vec<&str> = words.collect();
                let name = found.topic.label.clone().unwrap_or_else(|| words.join(" "));
                let run = self.run.unwrap_or_default();
                format!(
                    "Topic {} of run {run}, {name}, in the other runs of {}",
                    found.topic.topic, found.corpus
                )
            }
        }
    }
}

impl Screen for SameTopicScreen {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "Same topic: a topic in other runs"
    }

    fn has_tab(&self) -> bool {
        false
    }

    fn keys(&self) -> Vec<&'static Keys> {
        vec![&KEYS, &LIST]
    }

    fn act(&mut self, action: Action, bench: &mut Bench) -> bool {
        match action {
            Action::Enter => self.follow(bench),
            _ => return false,
        }
        true
    }

    fn question(&self) -> AnyQuestion {
        AnyQuestion::new(SameTopicQuestion { run: self.run, topic: self.topic })
    }

    fn receive(&mut self, answer: Value, _bench: &mut Bench) {
        if let Some(answer) = answer.take::<Option<Box<SameTopicAnswer>>>() {
            self.answer = Some(answer);
            self.arrange();
        }
    }

    fn arrive(&mut self, visit: &Visit, bench: &mut Bench) {
        let Some(open) = visit.open.as_ref().filter(|open| open.topic.is_some()) else { return };
        let run = open.run.or(bench.open_run);
        *self = Self { run, topic: open.topic, ..Self::default() };
    }

    fn back(&mut self, bench: &mut Bench) {
        bench.go(if bench.open_run.is_some() { run::NAME } else { runs::NAME });
    }

    fn crumb(&self) -> Option<String> {
        Some("in other runs".into())
    }

    fn draw(&self, bench: &Bench, area: Rect, buffer: &mut Buffer) {
        let inside = parts::titled(buffer, area, bench.look, &self.title());
        let words = match (&self.answer, self.rows().is_empty()) {
            (Some(None), _) => "No topic was chosen: R while a topic is read.",
            (Some(_), true) => "No other finished run of this corpus has any of its words.",
            _ => "",
        };
        if !words.is_empty() {
            parts::lines(buffer, inside, &parts::paragraph(words, inside.width, Style::new()));
            return;
        }
        let all = topics::elsewhere();
        let listed = Listed::new(&all, inside.width);
        let visible = self.list.visible(self.rows());
        let (columns, len) = (&listed.columns, visible.len());
        let table = Table { columns, list: &self.list, len, focused: true };
        table.draw(buffer, inside, bench.look, |at| listed.cells(visible[at]));
    }

    active_list!(list);

    fn list_rows(&self, bench: &Bench) -> usize {
        layout::table_rows(bench.body())
    }

    fn extent(&self, _bench: &Bench) -> Option<Extent> {
        let (matching, all) = (self.list.len() as u64, self.rows().len() as u64);
        Some(Extent { before: 0, matching, all })
    }

    fn sort_columns(&self) -> Vec<(String, bool)> {
        columns::sorted_by(&topics::elsewhere())
    }

    fn rearrange(&mut self, _bench: &mut Bench) {
        self.arrange();
    }

    fn sheet(&self) -> Option<Sheet> {
        let rows = self.list.visible(self.rows());
        Some(columns::sheet("same-topic", &topics::elsewhere(), rows))
    }

    fn subject(&self) -> Subject {
        Subject { run: self.run, topic: self.topic, ..Subject::default() }
    }
}
