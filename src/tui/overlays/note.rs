//! A note on what is selected, while it is typed.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Widget};

use crate::tui::effect::Effect;
use crate::tui::input::Input;
use crate::tui::keymap::{Action, EDIT, Keys, NOTE};
use crate::tui::overlay::{Overlay, Reaction};
use crate::tui::question::{AnyQuestion, Question, QuestionContext, Value};
use crate::tui::screen::Selection;
use crate::tui::view::{parts, text};
use crate::tui::workbench::Workbench;
use topoi_store::StoreError;
use topoi_store::corpus::Corpus;
use topoi_store::note::{Note, NoteSubject};

/// The longest note that is typed, in cells; `topoi note` takes longer ones.
const LONGEST: usize = 2000;
const WIDEST: u16 = 100;
/// Lines of a quote that are shown.
const QUOTED: usize = 4;

/// The line for a note, with what it is on.
#[derive(Debug, Clone, PartialEq)]
pub struct NoteForm {
    of: Selection,
    input: Input,
    /// `None` before the store has answered: keys can be quicker than it.
    found: Option<Noted>,
    /// It is saved as soon as the store has answered.
    is_accepted: bool,
}

/// What can be noted of, and the note that there is.
#[derive(Debug, Clone, PartialEq)]
pub struct Noted {
    corpus: Corpus,
    subject: NoteSubject,
    before: Option<Note>,
}

/// What a selection is, for a note on it: the narrowest part that it has.
#[derive(Debug, Clone, PartialEq)]
struct NoteQuestion(Selection);

impl Question for NoteQuestion {
    /// `None` where it is of nothing that is there.
    type Answer = Option<Noted>;

    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<Self::Answer, StoreError> {
        let (store, of) = (asking.store, &self.0);
        let corpus = match (of.corpus, of.run) {
            (Some(corpus), _) => store.corpus_by_id(corpus)?,
            (None, Some(run)) => store.corpus_by_id(store.run(run)?.corpus_id)?,
            (None, None) => return Ok(None),
        };
        let document = of.document.map(|id| store.document(id)).transpose()?.flatten();
        let subject = match (&of.passage, document, (of.run, of.topic), &of.term) {
            (Some(passage), ..) => NoteSubject::Passage(passage.clone()),
            (None, Some(document), ..) => NoteSubject::Document(document.key),
            (_, _, (Some(run), Some(topic)), _) => NoteSubject::Topic(run, topic),
            (_, _, _, Some(term)) => NoteSubject::Word(term.clone()),
            (_, _, (Some(run), None), _) => NoteSubject::Run(run),
            _ => NoteSubject::Corpus,
        };
        let before = store.note(corpus.id, &subject)?;
        Ok(Some(Noted { corpus, subject, before }))
    }
}

impl NoteForm {
    /// The form for what is selected; `None` where nothing is.
    pub fn new(of: Selection) -> Option<Self> {
        let has_any = of.corpus.is_some() || of.run.is_some();
        has_any.then(|| Self { of, input: Input::new(LONGEST), found: None, is_accepted: false })
    }

    /// Saves what is typed. A note that was there and is emptied is taken away.
    fn save(&self, found: &Noted, workbench: &mut Workbench) -> Reaction {
        let text = self.input.as_str().trim().to_string();
        let before = found.before.as_ref().map(|note| note.text.as_str());
        let is_new = before != Some(text.as_str());
        if is_new {
            let is_removed = text.is_empty() && before.is_some();
            workbench.perform(Effect::Note {
                corpus: found.corpus.id,
                subject: found.subject.clone(),
                text: (!is_removed).then_some(text),
            });
        }
        Reaction::Close
    }

    fn title(&self) -> String {
        match self.found.as_ref().map(|found| (&found.subject, &found.corpus)) {
            None => " Note ".into(),
            Some((NoteSubject::Corpus, corpus)) => format!(" Note on corpus {} ", corpus.name),
            Some((NoteSubject::Passage(passage), _)) => {
                format!(" Note on a passage of {} ", passage.document)
            }
            Some((subject, _)) => format!(" Note on {subject} "),
        }
    }
}

impl Overlay for NoteForm {
    fn keys(&self) -> Vec<&'static Keys> {
        vec![&NOTE, &EDIT]
    }

    fn accepts(&self, _letter: char) -> bool {
        !self.is_accepted
    }

    fn type_in(&mut self, text: &str) {
        self.input.insert(text);
    }

    fn act(&mut self, action: Action, workbench: &mut Workbench) -> Reaction {
        match (action, &self.found) {
            (Action::Accept, Some(found)) => return self.save(found, workbench),
            (Action::Accept, None) => self.is_accepted = true,
            (Action::Clear, _) => return Reaction::Close,
            _ => _ = self.input.act(action),
        }
        Reaction::Stay
    }

    fn question(&self, _workbench: &Workbench) -> Option<AnyQuestion> {
        Some(AnyQuestion::new(NoteQuestion(self.of.clone())))
    }

    fn receive(&mut self, answer: Value, workbench: &mut Workbench) -> Reaction {
        let Some(found) = answer.take::<Option<Noted>>() else { return Reaction::Stay };
        let Some(found) = found else {
            workbench.say("there is nothing here to note of");
            return Reaction::Close;
        };
        if self.found.is_none() {
            // What was typed before the answer comes after the note that there is.
            let before = found.before.as_ref().map_or("", |note| note.text.as_str());
            let typed = self.input.as_str().to_string();
            let between = if before.is_empty() || typed.is_empty() { "" } else { " " };
            self.input.set(&format!("{before}{between}{typed}"));
        }
        if self.is_accepted {
            return self.save(&found, workbench);
        }
        self.found = Some(found);
        Reaction::Stay
    }

    fn draw(&self, workbench: &Workbench, area: Rect, buffer: &mut Buffer) {
        let look = workbench.look;
        let width = WIDEST.min(area.width.saturating_sub(2)).max(4);
        let quote = self.of.passage.as_ref().map(|passage| passage.quote.as_str());
        let mut lines: Vec<Line<'static>> = quote
            .map(|quote| parts::paragraph(&text::clean(quote), width - 2, Style::new()))
            .unwrap_or_default();
        lines.truncate(QUOTED);
        let height = (lines.len() as u16 + 4).min(area.height);
        let x = area.x + (area.width.saturating_sub(width)) / 2;
        let boxed = Rect { x, y: area.bottom().saturating_sub(height), width, height };
        Clear.render(boxed, buffer);
        let title = text::cut(&self.title(), usize::from(width).saturating_sub(2));
        let block = Block::bordered().border_style(look.rule()).title(title);
        let inside = block.inner(boxed);
        block.render(boxed, buffer);
        lines.push(self.input.line(look, " ", usize::from(inside.width)));
        let help = match (&self.found, self.input.is_empty()) {
            (Some(Noted { before: Some(_), .. }), true) => {
                " Enter takes the note away; Esc leaves it"
            }
            (_, true) => " Enter bookmarks it; with words it is a note",
            (_, false) => " Enter saves the note; g b lists all",
        };
        lines.push(Line::styled(help, look.rule()));
        parts::lines(buffer, inside, &lines);
    }
}
