//! How things look: colours only repeat what words, `>` and reverse video say already.

use ratatui::style::{Color, Modifier, Style};

/// What the terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// The 16 colours may be used.
    pub colour: bool,
    /// Letters beyond ASCII may be drawn.
    pub unicode: bool,
}

impl Look {
    /// As the environment says: `NO_COLOR`, and the locale of letters.
    pub fn from_environment() -> Self {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG"));
        Self { colour: set("NO_COLOR").is_none(), unicode: locale.is_some_and(|l| is_utf8(&l)) }
    }

    fn in_colour(self, colour: Color) -> Style {
        if self.colour { Style::new().fg(colour) } else { Style::new() }
    }

    /// Headings and the names of columns.
    pub fn heading(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Rules between parts of the screen.
    pub fn rule(self) -> Style {
        self.in_colour(Color::Blue)
    }

    /// The row or field under the cursor.
    pub fn selected(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// Keys in the footer.
    pub fn key(self) -> Style {
        self.in_colour(Color::Cyan).add_modifier(Modifier::BOLD)
    }

    pub fn bar(self) -> Style {
        self.in_colour(Color::Cyan)
    }

    /// A cell of a heat map, from 0 for the least to 5 for the most.
    pub fn heat(self, level: usize) -> Style {
        let colours =
            [Color::Reset, Color::Blue, Color::Cyan, Color::Green, Color::Yellow, Color::LightRed];
        self.in_colour(colours[level.min(5)])
    }

    /// The pixel of a picture: a strong one, or a weak one.
    pub fn pixel(self, is_strong: bool) -> Style {
        self.in_colour(if is_strong { Color::LightYellow } else { Color::Blue })
    }

    /// A word of a topic, by the topic's place in the legend.
    pub fn topic(self, place: usize) -> Style {
        let colours =
            [Color::Green, Color::Yellow, Color::Magenta, Color::Cyan, Color::Red, Color::Blue];
        self.in_colour(colours[place % colours.len()])
    }
    pub fn good(self) -> Style {
        self.in_colour(Color::Green)
    }
    pub fn warning(self) -> Style {
        self.in_colour(Color::Yellow)
    }
    pub fn bad(self) -> Style {
        self.in_colour(Color::Red)
    }

    /// The word for how a run fares.
    pub fn state_word(self, word: &str) -> Style {
        match word {
            "running" | "other host" => self.in_colour(Color::Cyan),
            "finished" => self.good(),
            "failed" | "lost" => self.bad(),
            "STALLED" | "cancelling" | "interrupted" => self.warning(),
            _ => Style::new(),
        }
    }
}

fn is_utf8(locale: &str) -> bool {
    let locale = locale.to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// The ASCII letter drawn for a symbol where the locale has no more.
pub fn ascii(symbol: &str) -> &'static str {
    match symbol {
        "─" => "-",
        "│" => "|",
        "┬" | "┴" | "┼" | "├" | "┤" | "┌" | "┐" | "└" | "┘" => "+",
        "╲" => "\\",
        "↑" => "^",
        "↓" => "v",
        "×" => "x",
        "½" => ".",
        "▓" => "%",
        "▒" => "+",
        "▀" => "\"",
        "█" | "▇" | "▉" | "▊" => "#",
        "▆" | "▅" | "▋" | "▌" => "=",
        "▄" | "▃" | "▍" | "▎" => "-",
        "▂" | "▁" | "▏" | "░" | "·" => ".",
        "●" => "@",
        "○" => "o",
        "…" => "~",
        "›" => ">",
        "‹" => "<",
        "¹" => "1",
        "²" => "2",
        "³" => "3",
        "⁴" => "4",
        "⁵" => "5",
        "⁶" => "6",
        _ => symbol.chars().next().map_or("?", of_dots),
    }
}

/// A letter about as dark as the dots of a Braille pattern.
fn of_dots(symbol: char) -> &'static str {
    match u32::from(symbol).checked_sub(0x2800) {
        Some(dots @ 0..256) => {
            [" ", ".", ".", ":", ":", "*", "*", "#", "#"][dots.count_ones() as usize]
        }
        _ => "?",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_of_letters_is_told_by_its_suffix() {
        assert!(is_utf8("en_US.UTF-8") && is_utf8("C.utf8"));
        assert!(!is_utf8("C") && !is_utf8("de_DE.ISO-8859-1"));
    }
}
