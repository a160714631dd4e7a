//! Notes and bookmarks, each in full beside the list.

use ratatui::style::Style;
use ratatui::text::Line;

use crate::records::column::Column;
use crate::records::notes::{columns, subject};
use crate::tui::effect::{Effect, Export, Format, Source};
use crate::tui::keymap::{Action, BACK, Binding, Keys, enter, key};
use crate::tui::list::screen::{Back, FindResult, ListQuestion, ListSpec, Listing};
use crate::tui::overlays::confirm::Confirm;
use crate::tui::question::QuestionContext;
use crate::tui::screen::Selection;
use crate::tui::screens::{corpus, corpus_or_corpora, run, word};
use crate::tui::view::layout::Shares;
use crate::tui::view::parts;
use crate::tui::workbench::Workbench;
use topoi_core::numbers::thousands;
use topoi_store::note::{Note, NoteChoice, NoteState, NoteSubject};

pub const NAME: &str = "Notes";

const SHOW: Action = Action::Own("notes");
const REMOVE: Action = Action::Own("take the note away");
const MARKDOWN: Action = Action::Own("notes as markdown");

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Notes;

impl ListSpec for Notes {
    type About = ();
    type Row = Note;

    const NAME: &'static str = NAME;
    const HELP: &'static str = "Notes: notes and bookmarks, with quotes and sources";
    const FILE: &'static str = "notes";
    const NOTHING: &'static str =
        "Nothing is noted yet: N on a topic, document, passage, word, run or corpus does it.";
    const BACK: Back = Some(corpus_or_corpora);
    const SHARES: Option<Shares> = Some(Shares { beside: 60, below: 55 });
    const COLUMNS: fn() -> Vec<Column<Note>> = columns;
    const KEYS: &'static Keys = &Keys::new(
        "Notes",
        &[
            enter("go there", "the topic, passage, document, word, run or corpus"),
            key(&["x"], REMOVE, "remove", "take the note away; asks first"),
            key(&["Q"], MARKDOWN, "Markdown", "write the notes to a Markdown file"),
            BACK,
        ],
    );
    const SHORTCUTS: &'static [Binding] = &[key(&["g b"], SHOW, "", "notes and bookmarks")];

    fn find(_asked: &ListQuestion<Self>, asking: &mut QuestionContext<'_>) -> FindResult<Self> {
        Ok(Some(Listing { about: (), rows: asking.store.notes(NoteChoice::default())? }))
    }

    fn title(_of: &Selection, listing: Option<&Listing<Self>>) -> String {
        match listing.map_or(0, |listing| listing.rows.len()) {
            0 => "Notes".into(),
            count => format!("Notes {}", thousands(count as u64)),
        }
    }

    fn follow(row: &Note, _shown: &[&Note], _of: &Selection) -> (&'static str, Selection) {
        let of_corpus = Selection { corpus: Some(row.corpus_id), ..Selection::default() };
        match &row.subject {
            NoteSubject::Run(run) => {
                (run::NAME, Selection { run: Some(*run), ..Selection::default() })
            }
            NoteSubject::Topic(run, topic) => {
                let (run, topic) = (Some(*run), Some(*topic));
                (run::NAME, Selection { run, topic, ..Selection::default() })
            }
            NoteSubject::Word(term) => {
                (word::NAME, Selection { term: Some(term.clone()), ..of_corpus })
            }
            NoteSubject::Document(_) | NoteSubject::Passage(_) | NoteSubject::Corpus => {
                let passage = row.subject.passage().cloned();
                (corpus::NAME, Selection { document: row.document, passage, ..of_corpus })
            }
        }
    }

    fn act(&mut self, action: Action, row: Option<&Note>, workbench: &mut Workbench) -> bool {
        match (action, row) {
            (SHOW, _) => {}
            (REMOVE, Some(note)) => workbench.overlay = Some(Box::new(removal(note))),
            (MARKDOWN, Some(_)) => {
                let source = Source::Notes { words: String::new() };
                workbench
                    .perform(Effect::Export(Box::new(Export { source, format: Format::Markdown })));
            }
            (REMOVE | MARKDOWN, None) => workbench.say("there is no note here"),
            _ => return false,
        }
        true
    }

    fn text(row: &Note) -> Option<String> {
        let passage = row.subject.passage()?;
        let source = row.source.as_deref().unwrap_or(&passage.document);
        Some(format!("{}\n\u{2014} {source}", passage.quote.trim()))
    }

    fn detail(row: &Note, workbench: &Workbench, width: u16) -> (String, Vec<Line<'static>>) {
        let plain = |text: &str| parts::paragraph(text, width, Style::new());
        let mut lines = plain(if row.text.is_empty() { "a bookmark" } else { &row.text });
        let warning = match row.state {
            NoteState::Present => None,
            NoteState::Moved => Some("the passage is at another place of the text now"),
            NoteState::Changed => Some("the document no longer has this passage"),
            NoteState::Gone => Some("the document is no longer in the corpus"),
        };
        if let Some(warning) = warning {
            lines.extend(parts::paragraph(warning, width, workbench.look.warning()));
        }
        if let Some(passage) = row.subject.passage() {
            lines.push(Line::default());
            lines.extend(plain(&format!("\u{201c}{}\u{201d}", passage.quote.trim())));
        }
        if let Some(source) = &row.source {
            lines.extend(plain(&format!("\u{2014} {source}")));
        }
        lines.push(Line::default());
        let day = row.at.get(..10).unwrap_or(&row.at);
        lines.extend(plain(&format!("{}, {day}, corpus {}", row.by, row.corpus)));
        (subject(row), lines)
    }

    fn id(row: &Note) -> Option<i64> {
        Some(row.id)
    }
}

fn removal(note: &Note) -> Confirm {
    let what = if note.text.is_empty() { "bookmark" } else { "note" };
    Confirm {
        title: format!("Take the {what} on {} away?", subject(note)),
        meaning: if note.text.is_empty() { "It has no words.".into() } else { note.text.clone() },
        yes: "take it away",
        no: "keep it",
        effect: Effect::Note { corpus: note.corpus_id, subject: note.subject.clone(), text: None },
        notice: format!("taking the {what} away"),
    }
}
