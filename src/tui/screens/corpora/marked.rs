//! The corpus that another is compared with.

use crate::tui::keymap::Action;
use crate::tui::screen::Selection;
use crate::tui::screens::two_corpora;
use crate::tui::workbench::Workbench;
use topoi_store::corpus::Corpus;
use topoi_store::id::CorpusId;

pub const MARK: Action = Action::Own("mark the corpus");
pub const COMPARE: Action = Action::Own("compare corpora");

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Marked(Option<CorpusId>);

impl Marked {
    /// Marks the corpus, or opens it beside the marked one; whether the action is one of these.
    pub fn act(&mut self, action: Action, corpus: &Corpus, workbench: &mut Workbench) -> bool {
        match (action, self.0) {
            (MARK, _) => {
                workbench.say(format!("{} is marked: c on another compares them", corpus.name));
                self.0 = Some(corpus.id);
            }
            (COMPARE, Some(marked)) if marked != corpus.id => {
                let (corpus, other_corpus) = (Some(marked), Some(corpus.id));
                let both = Selection { corpus, other_corpus, ..Selection::default() };
                workbench.follow(two_corpora::NAME, both);
            }
            (COMPARE, _) => workbench.say("Space marks a corpus, and c on another compares them"),
            _ => return false,
        }
        true
    }
}
