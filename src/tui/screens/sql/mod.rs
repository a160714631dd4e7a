//! The user's own queries: typing one, asking it, walking through its rows.

mod completion;
mod prompt;
mod state;
mod view;

use self::completion::complete;
use crate::tui::effect::Effect;
use crate::tui::keymap::{Action, Action as A, Keys, LIST, key};
use crate::tui::list::ListState;
use crate::tui::list::columns::ExportTable;
use crate::tui::message::EffectOutcome;
use crate::tui::question::{AnyQuestion, Question, QuestionContext, Value};
use crate::tui::screen::{PreviousSession, Screen};
use crate::tui::screens::corpora;
use crate::tui::workbench::Workbench;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
pub use state::{LIMITS, SqlPane, SqlScreen};
use topoi_store::StoreError;
use topoi_store::query::{Cell, TableColumns};

pub const NAME: &str = "SQL";

const OTHER_PANE: Action = Action::Own("other pane");
const RUN: Action = Action::Own("run");
const COMPLETE: Action = Action::Own("complete");

static ROWS: Keys = Keys::new(
    "Rows of a query",
    &[
        key(&["Tab", "Enter"], OTHER_PANE, "query", "to the query"),
        key(&["h", "Left"], A::Left, "", "a column to the left"),
        key(&["l", "Right"], A::Right, "columns", "a column to the right"),
    ],
);

static PROMPT: Keys = Keys::new(
    "While typing a query",
    &[
        key(&["Enter", "F5"], RUN, "run", "run the query"),
        key(&["Tab"], COMPLETE, "complete", "complete a name; again for the next"),
        key(&["Up", "Ctrl-P"], A::Up, "history", "the query before"),
        key(&["Down", "Ctrl-N"], A::Down, "", "the query after"),
        key(&["Left"], A::Left, "", "a letter to the left"),
        key(&["Right"], A::Right, "", "a letter to the right"),
        key(&["Home"], A::Top, "", "to the beginning"),
        key(&["End", "Ctrl-E"], A::Bottom, "", "to the end"),
        key(&["Backspace"], A::Erase, "", "erase a letter"),
        key(&["Delete", "Ctrl-D"], A::EraseAfter, "", "erase the letter after"),
        key(&["Ctrl-W"], A::EraseWord, "", "erase a word"),
        key(&["Ctrl-U"], A::EraseAll, "", "erase all"),
        key(&["Esc"], OTHER_PANE, "rows, digits", "to the rows; then digits work"),
        key(&["F1"], A::Help, "help", "this help"),
        key(&["Ctrl-C"], A::Interrupt, "", "interrupt the query; else leave, twice"),
        key(&["Ctrl-Z"], A::Suspend, "", "suspend; `fg` returns"),
        key(&["Ctrl-L"], A::Redraw, "", "redraw the screen"),
    ],
);

/// The store's tables, for completion.
#[derive(Debug, Clone, PartialEq)]
pub struct TablesQuestion;

impl Question for TablesQuestion {
    type Answer = Vec<TableColumns>;

    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<Vec<TableColumns>, StoreError> {
        asking.store.table_columns()
    }
}

impl SqlScreen {
    fn at_prompt(&mut self, action: Action, workbench: &mut Workbench) -> bool {
        if action == COMPLETE {
            self.complete_further();
            return true;
        }
        self.completion = None;
        let prompt = &mut self.prompt;
        match action {
            RUN => self.ask(workbench),
            OTHER_PANE => self.pane = SqlPane::Rows,
            Action::Up => prompt.older(),
            Action::Down => prompt.newer(),
            _ => return prompt.input.act(action),
        }
        true
    }

    fn in_rows(&mut self, action: Action) -> bool {
        let columns = self.shown.as_ref().map_or(0, |shown| shown.columns.len());
        match action {
            OTHER_PANE => self.pane = SqlPane::Prompt,
            Action::Left => self.first_column = self.first_column.saturating_sub(1),
            Action::Right => {
                self.first_column = (self.first_column + 1).min(columns.saturating_sub(1));
            }
            _ => return false,
        }
        true
    }

    fn ask(&mut self, workbench: &mut Workbench) {
        if self.running || self.prompt.text().trim().is_empty() {
            return;
        }
        self.prompt.remember();
        self.running = true;
        self.ticket += 1;
        let sql = self.prompt.text().to_string();
        workbench.perform(Effect::Remember(sql.clone()));
        workbench.perform(Effect::AskSql { ticket: self.ticket, sql });
    }

    /// The first Tab goes as far as all words agree, each further one to the next word.
    fn complete_further(&mut self) {
        let Some(completion) = &mut self.completion else {
            let found = complete(self.prompt.text(), self.prompt.input.cursor(), &self.tables);
            let typed = self.prompt.input.cursor() - found.start;
            if found.shared().len() > typed || found.words.len() == 1 {
                self.prompt.input.replace(found.start, found.shared());
            }
            if found.words.len() > 1 {
                self.completion = Some(found);
            }
            return;
        };
        let next = completion.chosen.map_or(0, |place| (place + 1) % completion.words.len());
        completion.chosen = Some(next);
        let (start, word) = (completion.start, completion.words[next].clone());
        self.prompt.input.replace(start, &word);
    }
}

impl Screen for SqlScreen {
    fn name(&self) -> &'static str {
        NAME
    }

    fn help(&self) -> &'static str {
        "SQL"
    }

    fn tables(&self) -> Vec<&'static Keys> {
        vec![&PROMPT, &ROWS]
    }

    fn keys(&self) -> Vec<&'static Keys> {
        match self.pane {
            SqlPane::Prompt => vec![&PROMPT],
            SqlPane::Rows => vec![&ROWS, &LIST],
        }
    }

    fn is_typing(&self) -> bool {
        self.pane == SqlPane::Prompt
    }

    fn type_in(&mut self, text: &str, _workbench: &mut Workbench) {
        self.completion = None;
        self.prompt.input.insert(text);
    }

    fn act(&mut self, action: Action, workbench: &mut Workbench) -> bool {
        match self.pane {
            SqlPane::Prompt => self.at_prompt(action, workbench),
            SqlPane::Rows => self.in_rows(action),
        }
    }

    fn interrupt(&mut self, workbench: &mut Workbench) -> bool {
        if self.running {
            workbench.perform(Effect::InterruptSql);
        }
        self.running
    }

    fn question(&self) -> AnyQuestion {
        AnyQuestion::new(TablesQuestion)
    }

    fn receive(&mut self, answer: Value, _workbench: &mut Workbench) {
        if let Some(tables) = answer.take() {
            self.tables = tables;
            self.arrange();
        }
    }

    fn hear(&mut self, news: &EffectOutcome, _workbench: &mut Workbench) {
        if let EffectOutcome::Queried { ticket, outcome } = news {
            self.receive_outcome(*ticket, outcome.clone());
        }
    }

    fn back(&mut self, workbench: &mut Workbench) {
        workbench.go(corpora::NAME);
    }

    fn draw(&self, workbench: &Workbench, area: Rect, buffer: &mut Buffer) {
        view::draw(self, workbench.look, area, buffer);
    }

    fn status(&self, workbench: &Workbench) -> Option<Line<'static>> {
        self.is_typing().then(|| view::status(self, workbench.look, workbench.size.0))
    }

    fn focus_list(&mut self) {
        self.pane = SqlPane::Rows;
    }

    fn list(&self) -> Option<&ListState> {
        (self.pane == SqlPane::Rows).then_some(&self.list)
    }

    fn list_mut(&mut self) -> Option<&mut ListState> {
        (self.pane == SqlPane::Rows).then_some(&mut self.list)
    }

    fn list_rows(&self, workbench: &Workbench) -> usize {
        view::rows_on_screen(self, workbench.body())
    }

    fn rearrange(&mut self, _workbench: &mut Workbench) {
        self.arrange();
    }

    fn sheet(&self) -> Option<ExportTable> {
        let shown = self.shown.as_ref()?;
        let rows = (0..self.list.len()).filter_map(|place| self.row(place));
        Some(ExportTable {
            name: "query".into(),
            columns: shown.answered.result.columns.clone(),
            rows: rows.map(<[Cell]>::to_vec).collect(),
        })
    }

    fn remember(&self) -> serde_json::Value {
        serde_json::json!({ "query": self.prompt.text() })
    }

    fn restore(
        &mut self,
        left: &serde_json::Value,
        previous: &PreviousSession<'_>,
        _workbench: &mut Workbench,
    ) {
        let query = left["query"].as_str().unwrap_or_default();
        self.prompt.input.set(&query.replace(char::is_control, " "));
        self.prompt.remember_all(previous.queries.to_vec());
    }
}
