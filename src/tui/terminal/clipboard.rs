//! Copying to the clipboard of the user's terminal, which may be on another machine.
//!
//! By the terminal escape sequence OSC 52: a clipboard program would use the clipboard of this machine. tmux filters such
//! sequences, but has a command for them; GNU screen passes them on inside a device control string.

use std::io::Write;
use std::process::{Command, Stdio};

use base64::prelude::{BASE64_STANDARD, Engine};

/// Longest text that is copied: terminals cut or ignore longer sequences (hterm has the lowest limit).
pub const MOST_BYTES: usize = 74_994 / 4 * 3;
/// GNU screen cuts longer device control strings.
const SCREEN_CHUNK: usize = 700;

/// How a sequence reaches the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClipboardRoute {
    Plain,
    Tmux,
    Screen,
}

impl ClipboardRoute {
    /// From the variables that tmux and GNU screen set.
    pub fn from_environment() -> Self {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        if set("TMUX") {
            Self::Tmux
        } else if set("STY") {
            Self::Screen
        } else {
            Self::Plain
        }
    }

    /// Its name for a notice.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "OSC 52",
            Self::Tmux => "tmux",
            Self::Screen => "OSC 52 in screen",
        }
    }
}

/// The bytes that put `text` on the clipboard.
pub fn sequence(text: &str, way: ClipboardRoute) -> Vec<u8> {
    let encoded = BASE64_STANDARD.encode(text);
    let plain = format!("\x1b]52;c;{encoded}\x07");
    match way {
        ClipboardRoute::Plain => plain.into_bytes(),
        // Only with `allow-passthrough on`; doubled escapes are tmux's own quoting.
        ClipboardRoute::Tmux => {
            format!("\x1bPtmux;{}\x1b\\", plain.replace('\x1b', "\x1b\x1b")).into_bytes()
        }
        ClipboardRoute::Screen => {
            let chunks = plain.as_bytes().chunks(SCREEN_CHUNK);
            chunks.flat_map(|chunk| [b"\x1bP", chunk, b"\x1b\\"].concat()).collect()
        }
    }
}

/// Gives `text` to tmux, which keeps it as a buffer and sends it to its own terminal.
/// False where there is no tmux, or one older than 3.2.
pub fn give_to_tmux(text: &str) -> bool {
    let load = || -> std::io::Result<bool> {
        let mut tmux = Command::new("tmux")
            .args(["load-buffer", "-w", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        if let Some(mut stdin) = tmux.stdin.take() {
            stdin.write_all(text.as_bytes())?;
        }
        Ok(tmux.wait()?.success())
    };
    load().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_is_wrapped_for_what_lies_between() {
        assert_eq!(sequence("foo", ClipboardRoute::Plain), b"\x1b]52;c;Zm9v\x07");
        assert_eq!(sequence("fo", ClipboardRoute::Plain), b"\x1b]52;c;Zm8=\x07");
        assert_eq!(
            sequence("foo", ClipboardRoute::Tmux),
            b"\x1bPtmux;\x1b\x1b]52;c;Zm9v\x07\x1b\\"
        );
        let long = sequence(&"x".repeat(1000), ClipboardRoute::Screen);
        let parts = long.split(|&byte| byte == 0x1b).count();
        assert!(long.starts_with(b"\x1bP\x1b]52;c;") && parts == 6, "{parts}");
    }
}
