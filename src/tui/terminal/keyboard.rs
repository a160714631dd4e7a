//! The thread that reads keyboard and mouse.

use std::sync::mpsc::Sender;

use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyModifiers};

use super::background_colour::{self, LateAnswer, LateKey};
use crate::tui::message::Message;

/// Starts the thread. `late` is set while the terminal's answer about its background may still come among the keys.
///
/// # Errors
/// When no thread can be made.
pub fn read(sender: Sender<Message>, mut late: Option<LateAnswer>) -> std::io::Result<()> {
    let read = move || loop {
        let message = match event::read() {
            Ok(Event::Key(key)) if key.modifiers.contains(KeyModifiers::ALT) && late.is_none() => {
                // A slow line joins Esc and the key after it, and no key here has Alt.
                let escape = KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE);
                if sender.send(Message::Key(escape)).is_err() {
                    return;
                }
                let modifiers = key.modifiers.difference(KeyModifiers::ALT);
                Message::Key(KeyEvent { modifiers, ..key })
            }
            Ok(Event::Key(key)) => match late.as_mut().map(|late| late.look(key)) {
                Some(LateKey::Held) => continue,
                Some(LateKey::Background(rgb)) => {
                    late = None;
                    let Some(rgb) = rgb else { continue };
                    Message::Background(background_colour::is_light(rgb))
                }
                Some(LateKey::Keys(mut keys)) => {
                    let Some(last) = keys.pop() else { continue };
                    if keys.into_iter().any(|key| sender.send(Message::Key(key)).is_err()) {
                        return;
                    }
                    Message::Key(last)
                }
                None => Message::Key(key),
            },
            Ok(Event::Paste(text)) => Message::Paste(text),
            Ok(Event::Mouse(mouse)) => Message::Mouse(mouse),
            Ok(Event::Resize(width, height)) => Message::Resize(width, height),
            Ok(_) => continue,
            Err(error) => Message::InputLost(error.to_string()),
        };
        let ends = matches!(message, Message::InputLost(_));
        if sender.send(message).is_err() || ends {
            return;
        }
    };
    std::thread::Builder::new().name("keys".into()).spawn(read).map(drop)
}
