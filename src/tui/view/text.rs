//! Text and numbers as columns show them.

use crate::shown::TerminalText;
use topoi_core::numbers::{four_digits, two_digits};
use topoi_store::result::topic_shares::TopicShares;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Cells that `text` takes on the screen, which are those of its letters one by one.
pub fn width(text: &str) -> usize {
    if text.is_ascii() { text.width() } else { text.graphemes(true).map(str::width).sum() }
}

/// `text` on one line, as a terminal may get it.
pub fn clean(text: &str) -> String {
    TerminalText::line(text).into_string()
}

/// `text` cut to at most `cells` cells, with `…` where something was cut off. A number at the cut is
/// left out: who sees `12…` cannot tell whether it is 12 or the beginning of 12,345. A path loses its
/// beginning, which many share.
pub fn cut(text: &str, cells: usize) -> String {
    let text = clean(text);
    if width(&text) <= cells {
        return text;
    }
    if is_path(&text) {
        return cut_start(&text, cells);
    }
    let mut kept = String::new();
    let mut used = 0;
    for grapheme in text.graphemes(true) {
        let wide = grapheme.width();
        if used + wide + 1 > cells {
            kept.truncate(without_number(&text, kept.len()));
            break;
        }
        kept.push_str(grapheme);
        used += wide;
    }
    if cells > 0 {
        kept.push('…');
    }
    kept
}

/// `text` cut to at most `cells` cells, with `…` where its beginning was cut off.
pub fn cut_start(text: &str, cells: usize) -> String {
    let text = clean(text);
    if width(&text) <= cells {
        return text;
    }
    let mut from = text.len();
    let mut used = 1;
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        used += grapheme.width();
        if used > cells {
            break;
        }
        from = at;
    }
    let mark = if cells > 0 { "…" } else { "" };
    format!("{mark}{}", &text[from..])
}

/// Whether it is a file in a folder of a folder, or an address.
fn is_path(text: &str) -> bool {
    text.matches('/').count() > 1 && text.contains(char::is_alphabetic) && !text.contains(' ')
}

/// Where the first `end` bytes of `text` end without a number that reaches to the cut, or beyond it.
fn without_number(text: &str, end: usize) -> usize {
    let is_of_word = |letter: char| letter.is_alphanumeric() || ".,%-+".contains(letter);
    let begin = text[..end].trim_end_matches(is_of_word).len();
    let word = text[begin..].split(|letter| !is_of_word(letter)).next().unwrap_or_default();
    let begins = word.trim_start_matches('-').starts_with(|letter: char| letter.is_ascii_digit());
    // 1.2e-4 and 1m11 are numbers, 00012.txt is none.
    let letters = word.chars().filter(|letter| letter.is_alphabetic()).count();
    if begins && letters <= 1 { begin } else { end }
}

/// `text` in exactly `cells` cells, at the left.
pub fn align_left(text: &str, cells: usize) -> String {
    let text = cut(text, cells);
    let pad = cells.saturating_sub(width(&text));
    text + &" ".repeat(pad)
}

/// `text` in exactly `cells` cells, at the right.
pub fn align_right(text: &str, cells: usize) -> String {
    let text = cut(text, cells);
    " ".repeat(cells.saturating_sub(width(&text))) + &text
}

/// As `numbers::with_error`, without the spaces, for which columns have no room: `0.3309±0.012`.
pub fn estimate(value: f64, error: Option<f64>) -> String {
    let error = error.map(|error| format!("±{}", two_digits(error)));
    four_digits(value) + &error.unwrap_or_default()
}

/// A share as a percentage: `6.1%`.
pub fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// The shares of a topic: `10.6% of tokens, 1.7% of documents`.
pub fn shares(of: &TopicShares) -> String {
    let tokens = of.token_share.map(|share| format!("{} of tokens, ", percent(share)));
    format!("{}{} of documents", tokens.unwrap_or_default(), percent(of.document_share))
}

/// The share that topics are ordered by: `10.6% of tokens`, or `1.7% of documents` where tokens are not known.
pub fn size(of: &TopicShares) -> String {
    format!("{} of {}", percent(of.size()), of.size_of())
}

/// A time in seconds as people say it: `0.42 s`, `48 s`, `3m12`, `2h05`.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        _ if seconds < 9.95 => format!("{seconds:.1}s"),
        0..60 => format!("{whole}s"),
        60..3600 => format!("{}m{:02}", whole / 60, whole % 60),
        3600..360_000 => format!("{}h{:02}", whole / 3600, whole % 3600 / 60),
        _ => format!("{}d", whole / 86_400),
    }
}

/// An amount of memory: `2.1 GB`.
pub fn memory(bytes: u64) -> String {
    let size = bytes as f64;
    match bytes {
        0..1_000_000 => format!("{:.0} kB", size / 1e3),
        1_000_000..1_000_000_000 => format!("{:.0} MB", size / 1e6),
        _ => format!("{:.1} GB", size / 1e9),
    }
}

/// Date and minute of a time in the store: `2026-11-02 20:14`.
pub fn minute(time: &str) -> String {
    time.chars().take(16).map(|c| if c == 'T' { ' ' } else { c }).collect()
}

/// The date of a time in the store.
pub fn date(time: &str) -> String {
    time.chars().take(10).collect()
}

/// `text` broken at blanks into lines of at most `cells` cells; a longer word is cut.
pub fn wrap(text: &str, cells: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in clean(text).split_whitespace() {
        let used = lines.last().map_or(0, |line| width(line));
        let fits = used > 0 && used + 1 + width(word) <= cells;
        match lines.last_mut() {
            Some(line) if used == 0 => *line = cut(word, cells),
            Some(line) if fits => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(cut(word, cells)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_read_as_people_write_them() {
        assert_eq!(estimate(0.330_94, Some(0.012_3)), "0.3309±0.012");
        assert_eq!(estimate(-61.75, None), "-61.75");
        assert_eq!(duration(0.42), "0.4s");
        assert_eq!(duration(192.0), "3m12");
        assert_eq!(duration(7500.0), "2h05");
        assert_eq!(percent(0.0613), "6.1%");
    }

    #[test]
    fn a_value_is_printed_alike_by_command_line_workbench_and_figures() {
        let value = -61.748;
        let printed = topoi_core::numbers::with_error(value, None);
        assert_eq!((printed.as_str(), estimate(value, None)), ("-61.75", printed.clone()));
        let bar = topoi_core::plot::bars::Bar { value, ..Default::default() };
        let bars = topoi_core::plot::bars::Bars { bars: vec![bar], ..Default::default() };
        assert!(bars.figure().file().contains(&printed));
    }

    #[test]
    fn what_is_cut_to_a_width_has_it_on_the_screen_too() {
        use ratatui::buffer::Buffer;
        use ratatui::layout::Rect;
        let names = [
            "\u{1f469}\u{200d}\u{1f4bb} emoji",
            "e\u{301}e\u{301}e\u{301} marks",
            "\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}",
            "\u{301}\u{301} on nothing",
            "\u{202e}gnp.exe\u{200b}",
            "\u{4e3b}\u{984c}\u{fe0f} \u{263a}\u{fe0f}",
        ];
        for name in names {
            for cells in 1..20 {
                let area = Rect::new(0, 0, 30, 1);
                let mut buffer = Buffer::empty(area);
                let style = ratatui::style::Style::default();
                let (end, _) = buffer.set_stringn(0, 0, align_left(name, cells), usize::MAX, style);
                assert_eq!(usize::from(end), cells, "{name:?}");
                let shown: String = buffer.content.iter().map(|cell| cell.symbol()).collect();
                assert!(!shown.contains(['\u{200d}', '\u{202e}', '\u{200b}']), "{shown:?}");
            }
        }
    }

    #[test]
    fn wide_letters_are_cut_by_cells_not_by_characters() {
        assert_eq!(cut("主題模型", 5), "主題…");
        assert_eq!(width(&align_left("主題模型", 6)), 6);
        assert_eq!(cut("ab\tcd", 9), "ab cd");
        assert_eq!(
            (cut_start("主題模型", 5), cut_start("abc", 0)),
            ("…模型".into(), String::new())
        );
    }

    #[test]
    fn a_number_at_the_cut_is_left_out() {
        assert_eq!(cut("mean 12.345 of", 9), "mean …");
        assert_eq!(cut("mean 12.345 of", 13), "mean 12.345 …");
        assert_eq!(cut("mean 12.345 of", 12), "mean …");
        assert_eq!(cut("silent 1m11", 9), "silent …");
        assert_eq!(cut("nips/00012.txt", 11), "nips/00012…");
        assert_eq!(cut("from -1.2e-10 on", 10), "from …");
        assert_eq!(cut("5,812 documents", 12), "5,812 docum…");
        assert_eq!(cut("well-known", 6), "well-…");
        assert_eq!(cut("texts/2019/march.txt", 10), "…march.txt");
        assert_eq!(cut("from texts/2019/march.txt", 10), "from text…");
    }

    proptest! {
        #[test]
        fn padded_text_has_exactly_the_cells_asked_for(text in ".{0,40}", cells in 0_usize..60) {
            prop_assert_eq!(width(&align_left(&text, cells)), cells);
            prop_assert_eq!(width(&align_right(&text, cells)), cells);
        }

        #[test]
        fn wrapped_lines_fit(text in ".{0,80}", cells in 1_usize..30) {
            prop_assert!(wrap(&text, cells).iter().all(|line| width(line) <= cells));
        }
    }
}
