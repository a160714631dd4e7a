//! What the workbench knows of what lies over a screen: [`Overlay`]. Each has its room in
//! [`overlays`](super::overlays).

use std::any::Any;
use std::fmt::Debug;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::keymap::{Action, Keys};
use super::question::{AnyQuestion, Value};
use super::workbench::Workbench;

/// What lies over a screen until it is closed. Keys, letters and the mouse go to it alone.
pub trait Overlay: Any + Debug + CloneOverlay {
    /// The key tables that hold now, the most special first.
    fn keys(&self) -> Vec<&'static Keys>;

    /// Whether this letter is text now.
    fn accepts(&self, _letter: char) -> bool {
        false
    }

    fn type_in(&mut self, _text: &str) {}

    /// Does what a key of its own means. It is out of the workbench meanwhile, and can put another overlay there.
    fn act(&mut self, action: Action, workbench: &mut Workbench) -> Reaction;

    /// A row of it was clicked on: the cursor goes there, and the row is chosen.
    fn click(&mut self, _place: usize, _workbench: &mut Workbench) -> Reaction {
        Reaction::Stay
    }

    /// What it asks the store; `None` leaves the question to the screen.
    fn question(&self, _workbench: &Workbench) -> Option<AnyQuestion> {
        None
    }

    /// Takes the answer to its question. It is out of the workbench meanwhile, as in [`Overlay::act`].
    fn receive(&mut self, _answer: Value, _workbench: &mut Workbench) -> Reaction {
        Reaction::Stay
    }

    /// Draws it over the screen, whose area is `area`.
    fn draw(&self, workbench: &Workbench, area: Rect, buffer: &mut Buffer);
}

/// What becomes of an overlay after a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reaction {
    Stay,
    Close,
    /// Close, and do what a key of the screen does.
    Act(Action),
}

/// Overlays are cloned behind their trait.
pub trait CloneOverlay {
    fn boxed(&self) -> Box<dyn Overlay>;
}

impl<O: Overlay + Clone> CloneOverlay for O {
    fn boxed(&self) -> Box<dyn Overlay> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Overlay> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}
