//! How things look: colours only repeat what words, `>` and reverse video say already.

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier, Style};

/// What the terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appearance {
    /// Colours may be used.
    pub colour: bool,
    /// Letters beyond ASCII may be drawn.
    pub unicode: bool,
    /// Letters are dark on light.
    pub light: bool,
    /// There are 256 colours, of which those above the first 16 look the same everywhere; what the
    /// first 16 look like the user has chosen, or the terminal.
    pub rich: bool,
    /// The columns of lists that the user chose, by their names.
    pub columns: Option<&'static BTreeMap<String, Vec<String>>>,
}

/// What a colour says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hue {
    Rule,
    Key,
    Bar,
    Faint,
    Good,
    Warning,
    Bad,
    Topic(usize),
    Heat(usize),
}

/// Colours of topics that differ visibly.
const TOPICS: usize = 6;

impl Hue {
    /// Every colour has a contrast of at least 4.5 to its background, rules of 3 (WCAG 2.2, 1.4.3 and
    /// 1.4.11); on 16 colours with those of xterm.
    fn on(self, light: bool, rich: bool) -> Color {
        use Color as C;
        let dark_hues = |hue| match hue {
            Self::Rule => (67, C::LightBlue),
            Self::Key | Self::Bar => (80, C::LightCyan),
            Self::Faint => (110, C::Gray),
            Self::Good => (114, C::Green),
            Self::Warning => (221, C::Yellow),
            Self::Bad => (210, C::LightRed),
            Self::Topic(place) => {
                let named = [
                    C::LightGreen,
                    C::LightYellow,
                    C::LightMagenta,
                    C::LightCyan,
                    C::LightRed,
                    C::Gray,
                ];
                ([114, 221, 177, 80, 210, 111][place % TOPICS], named[place % TOPICS])
            }
            Self::Heat(level) => {
                let named = [C::Reset, C::Gray, C::Cyan, C::Green, C::Yellow, C::LightRed];
                ([0, 110, 80, 114, 221, 210][level.min(5)], named[level.min(5)])
            }
        };
        let light_hues = |hue| match hue {
            Self::Rule => (67, C::Blue),
            Self::Key | Self::Bar | Self::Faint => (25, C::Blue),
            Self::Good => (22, C::Black),
            Self::Warning => (94, C::Magenta),
            Self::Bad => (124, C::Red),
            Self::Topic(place) => {
                let named = [C::Blue, C::Red, C::Magenta, C::Black, C::Blue, C::Red];
                ([22, 94, 90, 23, 124, 19][place % TOPICS], named[place % TOPICS])
            }
            Self::Heat(level) => {
                let named = [C::Reset, C::Black, C::Blue, C::Blue, C::Magenta, C::Red];
                ([0, 60, 24, 22, 94, 124][level.min(5)], named[level.min(5)])
            }
        };
        let (indexed, named) = if light { light_hues(self) } else { dark_hues(self) };
        if rich && named != C::Reset { C::Indexed(indexed) } else { named }
    }
}

impl Appearance {
    /// As the environment says: `NO_COLOR`, the locale of letters, how many colours there are; dark
    /// until the terminal has answered.
    pub fn from_environment() -> Self {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG"));
        let terminal = set("TERM").unwrap_or_default();
        Self {
            colour: set("NO_COLOR").is_none(),
            unicode: locale.is_some_and(|l| is_utf8(&l)),
            light: false,
            rich: terminal.contains("256color") || set("COLORTERM").is_some(),
            columns: None,
        }
    }

    fn in_colour(self, hue: Hue) -> Style {
        match self.colour {
            true => Style::new().fg(hue.on(self.light, self.rich)),
            false => Style::new(),
        }
    }
    pub fn plain(self) -> Style {
        Style::new()
    }

    /// Headings and the names of columns.
    pub fn heading(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Rules between parts of the screen.
    pub fn rule(self) -> Style {
        self.in_colour(Hue::Rule)
    }

    /// The row or field under the cursor.
    pub fn selected(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// Keys in the footer.
    pub fn key(self) -> Style {
        self.in_colour(Hue::Key).add_modifier(Modifier::BOLD)
    }

    pub fn bar(self) -> Style {
        self.in_colour(Hue::Bar)
    }

    /// A cell of a heat map, from 0 for the least to 5 for the most.
    pub fn heat(self, level: usize) -> Style {
        self.in_colour(Hue::Heat(level))
    }

    /// The pixel of a picture: a strong one, or a weak one.
    pub fn pixel(self, is_strong: bool) -> Style {
        self.in_colour(if is_strong { Hue::Warning } else { Hue::Faint })
    }

    /// A word of a topic, by the topic's place in the legend.
    pub fn topic(self, place: usize) -> Style {
        self.in_colour(Hue::Topic(place))
    }
    pub fn good(self) -> Style {
        self.in_colour(Hue::Good)
    }
    pub fn warning(self) -> Style {
        self.in_colour(Hue::Warning)
    }
    pub fn bad(self) -> Style {
        self.in_colour(Hue::Bad)
    }

    /// The word for how a run fares.
    pub fn state_word(self, word: &str) -> Style {
        match word {
            "running" | "other host" => self.bar(),
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
        "↓" | "▾" => "v",
        "▸" => ">",
        "×" => "x",
        "±" => "~",
        "‹" => "<",
        "›" => ">",
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

    /// xterm's first 16 colours; then the cube of 6 × 6 × 6 and the greys.
    fn rgb(colour: Color) -> Option<[u8; 3]> {
        Some(match colour {
            Color::Reset => return None,
            Color::Black => [0, 0, 0],
            Color::Red => [205, 0, 0],
            Color::Green => [0, 205, 0],
            Color::Yellow => [205, 205, 0],
            Color::Blue => [0, 0, 238],
            Color::Magenta => [205, 0, 205],
            Color::Cyan => [0, 205, 205],
            Color::Gray => [229, 229, 229],
            Color::LightRed => [255, 0, 0],
            Color::LightGreen => [0, 255, 0],
            Color::LightYellow => [255, 255, 0],
            Color::LightBlue => [92, 92, 255],
            Color::LightMagenta => [255, 0, 255],
            Color::LightCyan => [0, 255, 255],
            Color::Indexed(index @ 16..=231) => {
                let part = |place: u8| match (index - 16) / place % 6 {
                    0 => 0,
                    level => 55 + 40 * level,
                };
                [part(36), part(6), part(1)]
            }
            other => panic!("{other:?} is not among the palettes"),
        })
    }

    /// WCAG 2.2's relative luminance.
    fn luminance(rgb: [u8; 3]) -> f64 {
        let linear = rgb.map(|part| match f64::from(part) / 255.0 {
            part if part <= 0.04045 => part / 12.92,
            part => ((part + 0.055) / 1.055).powf(2.4),
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    #[test]
    fn every_colour_can_be_read_on_its_background() {
        let mut hues = vec![Hue::Rule, Hue::Key, Hue::Bar, Hue::Faint, Hue::Good, Hue::Warning];
        hues.push(Hue::Bad);
        hues.extend((0..TOPICS).map(Hue::Topic).chain((0..6).map(Hue::Heat)));
        let backgrounds = [
            (true, [255, 255, 255]),
            (true, [253, 246, 227]),
            (false, [0, 0, 0]),
            (false, [40, 42, 54]),
        ];
        for (light, background) in backgrounds {
            // The 16 colours are the terminal's own, to go with its own background.
            let plain = background == [0, 0, 0] || background == [255, 255, 255];
            for rich in if plain { vec![true, false] } else { vec![true] } {
                for hue in &hues {
                    let colour = hue.on(light, rich);
                    let Some(rgb) = rgb(colour) else { continue };
                    let (a, b) = (luminance(rgb), luminance(background));
                    let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
                    let least = if *hue == Hue::Rule { 3.0 } else { 4.5 };
                    assert!(
                        contrast >= least,
                        "{hue:?} {colour:?} on {background:?}: {contrast:.2}"
                    );
                }
            }
        }
    }

    #[test]
    fn topics_have_colours_of_their_own_where_there_are_enough() {
        for light in [true, false] {
            let colours: std::collections::HashSet<Color> =
                (0..TOPICS).map(|place| Hue::Topic(place).on(light, true)).collect();
            assert_eq!(colours.len(), TOPICS);
        }
    }

    #[test]
    fn the_locale_of_letters_is_told_by_its_suffix() {
        assert!(is_utf8("en_US.UTF-8") && is_utf8("C.utf8"));
        assert!(!is_utf8("C") && !is_utf8("de_DE.ISO-8859-1"));
    }
}
