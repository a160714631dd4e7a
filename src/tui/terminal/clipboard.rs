//! Copying to the clipboard of the terminal the user sits at, which may be another machine's.
//!
//! By the terminal escape sequence OSC 52: a clipboard program of this machine would put the text
//! on the wrong one. tmux keeps such sequences to itself, but has a command that does the same;
//! GNU screen lets them through inside a device control string.

use std::io::Write;
use std::process::{Command, Stdio};

/// Terminals cut or ignore longer sequences (hterm allows the fewest bytes); no more is sent.
pub const MOST_BYTES: usize = 74_994 / 4 * 3;
/// GNU screen cuts longer device control strings.
const SCREEN_CHUNK: usize = 700;

/// How a sequence reaches the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Plain,
    Tmux,
    Screen,
}

impl Way {
    /// As the environment says.
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
pub fn sequence(text: &str, way: Way) -> Vec<u8> {
    let encoded = base64(text.as_bytes());
    let plain = format!("\x1b]52;c;{encoded}\x07");
    match way {
        Way::Plain => plain.into_bytes(),
        // Only with `allow-passthrough on`; doubled escapes are tmux's own quoting.
        Way::Tmux => format!("\x1bPtmux;{}\x1b\\", plain.replace('\x1b', "\x1b\x1b")).into_bytes(),
        Way::Screen => {
            let chunks = plain.as_bytes().chunks(SCREEN_CHUNK);
            chunks.flat_map(|chunk| [b"\x1bP", chunk, b"\x1b\\"].concat()).collect()
        }
    }
}

/// Gives `text` to tmux, which keeps it as a buffer and sends it on to its own terminal.
/// False when tmux cannot: it is not there, or older than 3.2.
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

/// RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |place: usize| u32::from(three.get(place).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for letter in 0..4 {
            if letter <= three.len() {
                encoded.push(char::from(LETTERS[(bits >> (18 - 6 * letter)) as usize & 63]));
            } else {
                encoded.push('=');
            }
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_rfc() {
        let pairs = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (text, encoded) in pairs {
            assert_eq!(base64(text.as_bytes()), encoded);
        }
    }

    #[test]
    fn a_sequence_is_wrapped_for_what_lies_between() {
        assert_eq!(sequence("foo", Way::Plain), b"\x1b]52;c;Zm9v\x07");
        assert_eq!(sequence("foo", Way::Tmux), b"\x1bPtmux;\x1b\x1b]52;c;Zm9v\x07\x1b\\");
        let long = sequence(&"x".repeat(1000), Way::Screen);
        let parts = long.split(|&byte| byte == 0x1b).count();
        assert!(long.starts_with(b"\x1bP\x1b]52;c;") && parts == 6, "{parts}");
    }
}
