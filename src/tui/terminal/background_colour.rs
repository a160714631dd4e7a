//! The colour of the terminal's background, asked of the terminal (OSC 11).
//!
//! The answer arrives as if it were typed, sometimes late and from some terminals never. [`ask`] waits briefly for it
//! and for the answer to a question that every terminal answers. Keys that arrive meanwhile are kept as keys.
//! [`LateAnswer`] recognises a later answer among the keys.
//!
//! Written by hand, as terminal-colorsaurus drops keys that are typed while it waits.

use std::io::Write;
use std::time::{Duration, Instant};

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// How long the answer is waited for.
const WAIT: Duration = Duration::from_millis(100);
/// The question, and "what are you?" after it: a terminal that answers only the second does not know the first.
const QUESTION: &[u8] = b"\x1b]11;?\x1b\\\x1b[c";
/// Start of the answer, without the escape.
const BEGINS: &str = "]11;rgb:";
/// Most letters of an answer.
const LONGEST: usize = 40;

/// Red, green and blue, 0 to 1.
pub type Rgb = [f64; 3];

/// Whether dark letters are better read on this than light ones.
pub fn is_light(rgb: Rgb) -> bool {
    let [red, green, blue] = rgb;
    0.299 * red + 0.587 * green + 0.114 * blue > 0.5
}

/// Whether the background is light by `COLORFGBG`, which some terminals set: `15;0` is light on dark.
pub fn from_environment() -> Option<bool> {
    let set = std::env::var("COLORFGBG").ok()?;
    let background: u8 = set.rsplit(';').next()?.parse().ok()?;
    Some(background == 7 || background > 8)
}

/// The result of [`ask`].
#[derive(Debug, Default)]
pub struct Asked {
    pub rgb: Option<Rgb>,
    /// Keys that were typed while it waited.
    pub keys: Vec<KeyEvent>,
    /// The answer may still come.
    pub pending: bool,
}

/// Whether this terminal is known not to answer.
fn is_deaf() -> bool {
    let terminal = std::env::var("TERM").unwrap_or_default();
    let screen = std::env::var_os("STY").is_some();
    screen || ["", "dumb", "linux"].contains(&terminal.as_str()) || terminal.starts_with("screen")
}

/// Asks the terminal, which must be in raw mode and have no other reader.
pub fn ask() -> Asked {
    let mut out = std::io::stdout();
    if is_deaf() || out.write_all(QUESTION).and_then(|()| out.flush()).is_err() {
        return Asked::default();
    }
    let (mut bytes, asked) = (Vec::new(), Instant::now());
    while let Some(left) = WAIT.checked_sub(asked.elapsed()) {
        if !read_within(left, &mut bytes) || is_answered(&bytes) {
            break;
        }
    }
    let (rgb, rest) = take_answer(&bytes);
    let pending = rgb.is_none() && !is_answered(&bytes);
    Asked { rgb, keys: keys(&rest), pending }
}

/// Reads what arrives within `wait`; false if nothing does.
fn read_within(wait: Duration, bytes: &mut Vec<u8>) -> bool {
    let stdin = rustix::stdio::stdin();
    let wait = Timespec { tv_sec: 0, tv_nsec: wait.subsec_nanos().into() };
    let ready = poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&wait));
    if !ready.is_ok_and(|ready| ready > 0) {
        return false;
    }
    let mut read = [0; 256];
    let count = rustix::io::read(stdin, &mut read).unwrap_or(0);
    bytes.extend_from_slice(&read[..count]);
    count > 0
}

/// Whether the answer to the second question has come: `ESC [ ? 6 2 ; … c`.
fn is_answered(bytes: &[u8]) -> bool {
    device_answer(bytes).is_some()
}

fn device_answer(bytes: &[u8]) -> Option<std::ops::Range<usize>> {
    let begin = find(bytes, b"\x1b[?")?;
    let is_end = |byte: &u8| !byte.is_ascii_digit() && *byte != b';';
    let end = begin + 3 + bytes[begin + 3..].iter().position(is_end)?;
    (bytes[end] == b'c').then_some(begin..end + 1)
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// The colour, and the bytes that belong to neither answer.
fn take_answer(bytes: &[u8]) -> (Option<Rgb>, Vec<u8>) {
    let mut rest = bytes.to_vec();
    if let Some(range) = device_answer(&rest) {
        rest.drain(range);
    }
    let begin = format!("\x1b{BEGINS}");
    let Some(at) = find(&rest, begin.as_bytes()) else { return (None, rest) };
    let value = at + begin.len();
    let length = rest[value..].iter().position(|byte| [0x07, 0x1b].contains(byte));
    let Some(length) = length else { return (None, rest) };
    let rgb = parse(&String::from_utf8_lossy(&rest[value..value + length]));
    let terminator = if rest[value + length] == 0x07 { 1 } else { 2 };
    let end = (value + length + terminator).min(rest.len());
    rest.drain(at..end);
    (rgb, rest)
}

/// `ffff/ffff/ffff`, with one to four digits a colour.
fn parse(value: &str) -> Option<Rgb> {
    let part = |part: &str| {
        let most = 16_f64.powi(i32::try_from(part.len()).ok()?) - 1.0;
        let is_hex = (1..=4).contains(&part.len());
        is_hex.then(|| u32::from_str_radix(part, 16).ok()).flatten().map(|it| f64::from(it) / most)
    };
    let parts: Option<Vec<f64>> = value.split('/').map(part).collect();
    parts?.try_into().ok()
}

/// The keys of bytes that were read here and not by the keyboard's thread. Of escape sequences, only arrows are keys.
fn keys(bytes: &[u8]) -> Vec<KeyEvent> {
    let mut keys = Vec::new();
    let text = String::from_utf8_lossy(bytes);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let plain = |code| KeyEvent::new(code, KeyModifiers::NONE);
        let key = match letter {
            '\x1b' if letters.next_if_eq(&'[').is_some() => match letters.next() {
                Some('A') => plain(KeyCode::Up),
                Some('B') => plain(KeyCode::Down),
                Some('C') => plain(KeyCode::Right),
                Some('D') => plain(KeyCode::Left),
                _ => continue,
            },
            '\x1b' => plain(KeyCode::Esc),
            '\r' => plain(KeyCode::Enter),
            '\t' => plain(KeyCode::Tab),
            '\x7f' => plain(KeyCode::Backspace),
            '\x01'..='\x1a' => {
                let letter = char::from(b'a' + letter as u8 - 1);
                KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL)
            }
            letter => plain(KeyCode::Char(letter)),
        };
        keys.push(key);
    }
    keys
}

/// Distinguishes a late answer from typed keys. crossterm does not parse such answers: it reports Alt-] for the start and
/// a key for every letter after it.
#[derive(Debug)]
pub struct LateAnswer {
    /// Keys that may be part of the answer.
    held: Vec<KeyEvent>,
    letters: String,
}

/// What a key is that comes while the answer is awaited.
#[derive(Debug, PartialEq)]
pub enum LateKey {
    /// The user typed these.
    Keys(Vec<KeyEvent>),
    /// Not known yet: it may be part of the answer.
    Held,
    Background(Option<Rgb>),
}

impl LateAnswer {
    pub fn new() -> Self {
        Self { held: Vec::new(), letters: String::new() }
    }

    pub fn look(&mut self, key: KeyEvent) -> LateKey {
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let ends = match key.code {
            KeyCode::Char('\\') => alt,
            KeyCode::Char('g') => control,
            _ => false,
        };
        if self.letters.starts_with(BEGINS) && ends {
            let rgb = parse(&self.letters[BEGINS.len()..]);
            *self = Self::new();
            return LateKey::Background(rgb);
        }
        self.held.push(key);
        match key.code {
            KeyCode::Char(letter) if alt == self.letters.is_empty() && !control => {
                self.letters.push(letter);
            }
            _ => self.letters.push('\0'),
        }
        let known = self.letters.len().min(BEGINS.len());
        let is_answer = self.letters.as_bytes()[..known] == BEGINS.as_bytes()[..known]
            && self.letters[known..].chars().all(|it| it.is_ascii_hexdigit() || it == '/')
            && self.letters.len() < LONGEST;
        if is_answer {
            return LateKey::Held;
        }
        let held = std::mem::take(&mut self.held);
        *self = Self::new();
        LateKey::Keys(held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_taken_out_of_what_was_typed() {
        let typed = b"4j\x1b]11;rgb:ffff/ffff/eeee\x1b\\G\x1b[?62;22c\r\x1b[B";
        let (rgb, rest) = take_answer(typed);
        assert!(is_light(rgb.expect("a colour")) && is_answered(typed));
        let codes: Vec<KeyCode> = keys(&rest).iter().map(|key| key.code).collect();
        let typed = ['4', 'j', 'G'].map(KeyCode::Char);
        assert_eq!(codes, [&typed[..], &[KeyCode::Enter, KeyCode::Down]].concat());
        assert_eq!(take_answer(b"q").1, b"q");
        assert_eq!(parse("1c1c/1c1c/1c1c").map(is_light), Some(false));
        assert_eq!(parse("f/f/f").map(is_light), Some(true));
        assert_eq!(parse("fffff/f/f"), None);
    }

    fn typed(late: &mut LateAnswer, letters: &str) -> Vec<LateKey> {
        letters.chars().map(|letter| late.look(KeyEvent::from(KeyCode::Char(letter)))).collect()
    }

    #[test]
    fn a_late_answer_is_no_keys_and_keys_are_no_answer() {
        let mut late = LateAnswer::new();
        assert!(matches!(&typed(&mut late, "q")[..], [LateKey::Keys(keys)] if keys.len() == 1));
        let begin = KeyEvent::new(KeyCode::Char(']'), KeyModifiers::ALT);
        assert_eq!(late.look(begin), LateKey::Held);
        let held = typed(&mut late, "11;rgb:ffff/ffff/ffff");
        assert!(held.iter().all(|key| *key == LateKey::Held), "{held:?}");
        let end = KeyEvent::new(KeyCode::Char('\\'), KeyModifiers::ALT);
        assert_eq!(late.look(end), LateKey::Background(Some([1.0; 3])));
        assert_eq!(late.look(begin), LateKey::Held);
        let keys = typed(&mut late, "1x");
        assert!(
            matches!(&keys[..], [LateKey::Held, LateKey::Keys(typed)] if typed.len() == 3),
            "{keys:?}"
        );
    }
}
