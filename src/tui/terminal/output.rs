//! What is written to the terminal for a frame: as few bytes as the cells that have changed can be said in. A slow line
//! carries every one of them.
//!
//! Beside crossterm's own backend: the cursor moves relatively where that is shorter, or unchanged cells are written
//! again; a row's blank end is erased instead of written; colours and attributes are named where they change; a frame
//! without a change writes nothing.

use std::io::{self, Write};

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::{Buffer, Cell};
use ratatui::crossterm::terminal;
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

/// Changed cells from which on erasing a row's blank end is worth its bytes.
const WORTH_ERASING: usize = 4;
/// What is seen of a blank.
const SEEN_ON_BLANKS: Modifier =
    Modifier::UNDERLINED.union(Modifier::REVERSED).union(Modifier::CROSSED_OUT);
/// Attributes and their numbers.
const ATTRIBUTES: [(Modifier, u8); 9] = [
    (Modifier::BOLD, 1),
    (Modifier::DIM, 2),
    (Modifier::ITALIC, 3),
    (Modifier::UNDERLINED, 4),
    (Modifier::SLOW_BLINK, 5),
    (Modifier::RAPID_BLINK, 6),
    (Modifier::REVERSED, 7),
    (Modifier::HIDDEN, 8),
    (Modifier::CROSSED_OUT, 9),
];

/// Writes frames to a terminal.
#[derive(Debug)]
pub struct TerminalOutput<W: Write> {
    out: W,
    /// The terminal's cells, as far as they were written.
    grid: Buffer,
    style: CellStyle,
    /// The terminal's cursor; `None` where it is not known.
    cursor: Option<Position>,
    is_hidden: bool,
    written: u64,
    /// A size that is not the terminal's.
    #[cfg(test)]
    size: Option<Size>,
}

/// How letters are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CellStyle {
    letters: Color,
    ground: Color,
    attributes: Modifier,
}

const PLAIN: CellStyle =
    CellStyle { letters: Color::Reset, ground: Color::Reset, attributes: Modifier::empty() };

impl CellStyle {
    fn from_cell(cell: &Cell) -> Self {
        Self { letters: cell.fg, ground: cell.bg, attributes: cell.modifier }
    }

    /// Whether a blank looks alike in both.
    fn has_same_blank(self, other: Self) -> bool {
        let seen = |style: Self| style.attributes.intersection(SEEN_ON_BLANKS);
        let is_seen = !seen(self).is_empty();
        self.ground == other.ground
            && seen(self) == seen(other)
            && (!is_seen || self.letters == other.letters)
    }

    /// The numbers of everything in it that is not plain.
    fn numbers(self) -> Vec<String> {
        let mut numbers: Vec<String> = ATTRIBUTES
            .iter()
            .filter(|(attribute, _)| self.attributes.contains(*attribute))
            .map(|(_, number)| number.to_string())
            .collect();
        numbers.extend((self.letters != Color::Reset).then(|| colour(self.letters, 30)));
        numbers.extend((self.ground != Color::Reset).then(|| colour(self.ground, 40)));
        numbers
    }

    /// The sequence that makes `other` of it.
    fn to(self, other: Self) -> String {
        let whole = || {
            let numbers = other.numbers();
            match numbers.is_empty() {
                true => "\x1b[m".to_string(),
                false => format!("\x1b[;{}m", numbers.join(";")),
            }
        };
        if !other.attributes.contains(self.attributes) {
            return whole();
        }
        let added = other.attributes.difference(self.attributes);
        let mut numbers = CellStyle { attributes: added, ..PLAIN }.numbers();
        numbers.extend((self.letters != other.letters).then(|| colour(other.letters, 30)));
        numbers.extend((self.ground != other.ground).then(|| colour(other.ground, 40)));
        let changes = format!("\x1b[{}m", numbers.join(";"));
        let whole = whole();
        if whole.len() < changes.len() { whole } else { changes }
    }
}

/// The number of a colour; `base` is 30 for letters, 40 for the ground.
fn colour(colour: Color, base: u8) -> String {
    let named = |number: u8| (base + number).to_string();
    let bright = |number: u8| (base + 60 + number).to_string();
    match colour {
        Color::Reset => named(9),
        Color::Black => named(0),
        Color::Red => named(1),
        Color::Green => named(2),
        Color::Yellow => named(3),
        Color::Blue => named(4),
        Color::Magenta => named(5),
        Color::Cyan => named(6),
        Color::Gray => named(7),
        Color::DarkGray => bright(0),
        Color::LightRed => bright(1),
        Color::LightGreen => bright(2),
        Color::LightYellow => bright(3),
        Color::LightBlue => bright(4),
        Color::LightMagenta => bright(5),
        Color::LightCyan => bright(6),
        Color::White => bright(7),
        Color::Indexed(number) => format!("{};5;{number}", base + 8),
        Color::Rgb(red, green, blue) => format!("{};2;{red};{green};{blue}", base + 8),
    }
}

impl<W: Write> TerminalOutput<W> {
    /// Output to a terminal that is cleared.
    pub fn new(out: W) -> Self {
        Self {
            out,
            grid: Buffer::empty(Rect::default()),
            style: PLAIN,
            cursor: None,
            is_hidden: false,
            written: 0,
            #[cfg(test)]
            size: None,
        }
    }

    /// Bytes that were written for frames so far.
    pub fn written(&self) -> u64 {
        self.written
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        self.written += text.len() as u64;
        self.out.write_all(text.as_bytes())
    }

    fn set_style(&mut self, style: CellStyle) -> io::Result<()> {
        if style != self.style {
            let change = self.style.to(style);
            self.write(&change)?;
            self.style = style;
        }
        Ok(())
    }

    /// Moves the cursor, or writes the cells up to there again.
    fn go_to(&mut self, to: Position) -> io::Result<()> {
        let Some(from) = self.cursor.filter(|from| from.y == to.y && from.x <= to.x) else {
            let is_next = self.cursor.is_some_and(|from| from.y + 1 == to.y && to.x == 0);
            self.cursor = Some(to);
            return match is_next {
                true => self.write("\r\n"),
                false => self.write(&format!("\x1b[{};{}H", to.y + 1, to.x + 1)),
            };
        };
        let gap = to.x - from.x;
        if gap == 0 {
            return Ok(());
        }
        let between: Option<String> = (from.x..to.x).map(|x| self.again(x, to.y)).collect();
        let forward = if gap == 1 { "\x1b[C".to_string() } else { format!("\x1b[{gap}C") };
        let text = between.filter(|text| text.len() <= forward.len()).unwrap_or(forward);
        self.cursor = Some(to);
        self.write(&text)
    }

    /// What writes a cell again that has not changed, if it is one letter in the present style.
    fn again(&self, x: u16, y: u16) -> Option<&str> {
        let cell = self.grid.cell((x, y))?;
        let symbol = cell.symbol();
        let is_same = match symbol {
            " " => CellStyle::from_cell(cell).has_same_blank(self.style),
            _ => CellStyle::from_cell(cell) == self.style,
        };
        (is_same && symbol.len() == 1).then_some(symbol)
    }

    fn put(&mut self, x: u16, y: u16) -> io::Result<()> {
        let Some(cell) = self.grid.cell((x, y)) else { return Ok(()) };
        let (symbol, style) = (cell.symbol().to_string(), CellStyle::from_cell(cell));
        self.go_to(Position { x, y })?;
        if symbol != " " || !style.has_same_blank(self.style) {
            self.set_style(style)?;
        }
        self.write(&symbol)?;
        let next = x + symbol.width() as u16;
        // Terminals differ in how wide such letters are, and at the edge in where the cursor is.
        let is_known = symbol.width() == 1 && next < self.grid.area.width;
        self.cursor = is_known.then_some(Position { x: next, y });
        Ok(())
    }

    /// The first column from which on a row is blank.
    fn blank_from(&self, y: u16) -> u16 {
        let is_blank = |x: &u16| {
            let cell = self.grid.cell((*x, y));
            cell.is_some_and(|cell| {
                cell.symbol() == " " && CellStyle::from_cell(cell).has_same_blank(PLAIN)
            })
        };
        (0..self.grid.area.width).rev().take_while(is_blank).last().unwrap_or(self.grid.area.width)
    }

    /// Writes the changed cells of a row, by column.
    fn row(&mut self, y: u16, columns: &[u16]) -> io::Result<()> {
        let blank_from = self.blank_from(y);
        let first_blank = columns.partition_point(|&x| x < blank_from);
        let erased = columns.len() - first_blank;
        let written = if erased >= WORTH_ERASING { first_blank } else { columns.len() };
        for &x in &columns[..written] {
            self.put(x, y)?;
        }
        if written < columns.len() {
            self.go_to(Position { x: columns[written], y })?;
            // What is erased gets the present ground.
            self.set_style(PLAIN)?;
            self.write("\x1b[K")?;
        }
        Ok(())
    }
}

impl<W: Write> Backend for TerminalOutput<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let size = self.size()?;
        let area = Rect::new(0, 0, size.width, size.height);
        if self.grid.area != area {
            self.grid.resize(area);
        }
        let content: Vec<(u16, u16, &Cell)> = content.collect();
        let mut changed: Vec<(u16, u16)> = Vec::new();
        for &(x, y, cell) in &content {
            // Of a wide letter that is half covered, the terminal takes the other half away too.
            let covered = x..x + cell.symbol().width().max(1) as u16;
            let was_wide =
                |x: &u16| self.grid.cell((*x, y)).is_some_and(|old| old.symbol().width() > 1);
            changed.extend(covered.clone().filter(was_wide).map(|x| (y, x + 1)));
            changed.retain(|&(row, column)| row != y || !covered.contains(&column) || column == x);
            changed.push((y, x));
        }
        for (x, y, cell) in content {
            if let Some(here) = self.grid.cell_mut((x, y)) {
                here.clone_from(cell);
            }
            // What a wide letter covers has nothing of its own.
            for covered in x + 1..x + cell.symbol().width().max(1) as u16 {
                if let Some(covered) = self.grid.cell_mut((covered, y)) {
                    covered.reset();
                }
            }
        }
        changed.sort_unstable();
        changed.dedup();
        for row in changed.chunk_by(|a, b| a.0 == b.0) {
            let columns: Vec<u16> = row.iter().map(|&(_, x)| x).collect();
            self.row(row[0].0, &columns)?;
        }
        Ok(())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        if !self.is_hidden {
            self.write("\x1b[?25l")?;
        }
        self.is_hidden = true;
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.is_hidden = false;
        self.write("\x1b[?25h")
    }

    /// Where the cursor was put; the terminal is not asked, whose answer would come among the keys.
    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(self.cursor.unwrap_or_default())
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.cursor = None;
        self.go_to(position.into())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.grid.reset();
        // A terminal that was taken again has its cursor shown, and a style of its own.
        (self.style, self.is_hidden, self.cursor) = (PLAIN, false, None);
        self.write("\x1b[m\x1b[2J")
    }

    /// Clears all: ratatui clears before it draws everything anew.
    fn clear_region(&mut self, _region: ClearType) -> io::Result<()> {
        self.clear()
    }

    fn size(&self) -> io::Result<Size> {
        #[cfg(test)]
        if let Some(size) = self.size {
            return Ok(size);
        }
        let (width, height) = terminal::size()?;
        Ok(Size { width, height })
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size()?, pixels: Size::default() })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// What is no frame, such as a text for the clipboard.
impl<W: Write> Write for TerminalOutput<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::Terminal;
    use ratatui::style::Style;

    use super::*;

    const SIZE: Size = Size { width: 24, height: 4 };

    fn terminal() -> Terminal<TerminalOutput<Vec<u8>>> {
        let output = TerminalOutput { size: Some(SIZE), ..TerminalOutput::new(Vec::new()) };
        Terminal::new(output).expect("a terminal")
    }

    /// What a frame adds to the output.
    fn frame(
        terminal: &mut Terminal<TerminalOutput<Vec<u8>>>,
        texts: &[(u16, u16, &str, Style)],
    ) -> Vec<u8> {
        terminal.backend_mut().out.clear();
        let draw = |frame: &mut ratatui::Frame<'_>| {
            for &(x, y, text, style) in texts {
                frame.buffer_mut().set_string(x, y, text, style);
            }
        };
        terminal.draw(draw).expect("drawn");
        terminal.backend().out.clone()
    }

    #[test]
    fn little_is_written_for_little() {
        let mut terminal = terminal();
        let plain = Style::new();
        let first = frame(&mut terminal, &[(0, 0, "one two three", plain), (0, 1, "x", plain)]);
        assert_eq!(String::from_utf8_lossy(&first), "\x1b[1;1Hone two three\r\nx\x1b[?25l");
        // Nothing has changed.
        let texts = [(0, 0, "one two three", plain), (0, 1, "x", plain)];
        assert_eq!(frame(&mut terminal, &texts), b"");
        // An unchanged letter is shorter than a move over it; a longer gap is not.
        let texts = [(0, 0, "oNe two threE", plain), (0, 1, "x", plain)];
        let bytes = frame(&mut terminal, &texts);
        assert_eq!(String::from_utf8_lossy(&bytes), "\x1b[1;2HN\x1b[10CE");
        // The end of a row is erased.
        let bytes = frame(&mut terminal, &[(0, 0, "oNe", plain), (0, 1, "x", plain)]);
        assert_eq!(String::from_utf8_lossy(&bytes), "\x1b[1;5H\x1b[K");
        let red = Style::new().fg(Color::Red);
        let bytes = frame(&mut terminal, &[(0, 0, "oNe", red), (0, 1, "x", plain)]);
        assert_eq!(String::from_utf8_lossy(&bytes), "\x1b[1;1H\x1b[31moNe");
    }

    fn style() -> impl Strategy<Value = Style> {
        let colour = prop_oneof![
            Just(Color::Reset),
            Just(Color::Red),
            Just(Color::White),
            Just(Color::Indexed(77)),
            Just(Color::Rgb(1, 2, 3)),
        ];
        (colour.clone(), colour, 0_u8..8).prop_map(|(letters, ground, bits)| {
            let mut style = Style::new().fg(letters).bg(ground);
            for (bit, attribute) in
                [(1, Modifier::BOLD), (2, Modifier::UNDERLINED), (4, Modifier::REVERSED)]
            {
                if bits & bit > 0 {
                    style = style.add_modifier(attribute);
                }
            }
            style
        })
    }

    fn colour_of(colour: Color) -> vt100::Color {
        match colour {
            Color::Red => vt100::Color::Idx(1),
            Color::White => vt100::Color::Idx(15),
            Color::Indexed(number) => vt100::Color::Idx(number),
            Color::Rgb(red, green, blue) => vt100::Color::Rgb(red, green, blue),
            _ => vt100::Color::Default,
        }
    }

    proptest! {
        #[test]
        fn a_terminal_shows_what_was_drawn(
            frames in prop::collection::vec(
                prop::collection::vec((0_u16..24, 0_u16..4, "[a-c 主é│ ]{1,30}", style()), 0..6),
                1..6,
            ),
        ) {
            let mut terminal = terminal();
            let mut shown = vt100::Parser::new(SIZE.height, SIZE.width, 0);
            for texts in &frames {
                // A letter over half of a wide one is not drawn by anybody.
                let mut texts = texts.clone();
                texts.sort_by_key(|text| text.1);
                texts.dedup_by_key(|text| text.1);
                let texts: Vec<_> =
                    texts.iter().map(|(x, y, text, style)| (*x, *y, text.as_str(), *style)).collect();
                let bytes = frame(&mut terminal, &texts);
                shown.process(&bytes);
                let mut wanted = Buffer::empty(Rect::new(0, 0, SIZE.width, SIZE.height));
                for &(x, y, text, style) in &texts {
                    wanted.set_string(x, y, text, style);
                }
                for y in 0..SIZE.height {
                    let mut x = 0;
                    while x < SIZE.width {
                        let cell = wanted.cell((x, y)).expect("a cell");
                        let seen = shown.screen().cell(y, x).expect("a cell");
                        let symbol = if seen.has_contents() { seen.contents() } else { " " };
                        prop_assert_eq!(symbol, cell.symbol(), "{} {}", x, y);
                        prop_assert_eq!(seen.bgcolor(), colour_of(cell.bg), "{} {}", x, y);
                        prop_assert_eq!(seen.inverse(), cell.modifier.contains(Modifier::REVERSED));
                        prop_assert_eq!(seen.underline(), cell.modifier.contains(Modifier::UNDERLINED));
                        if symbol != " " {
                            prop_assert_eq!(seen.fgcolor(), colour_of(cell.fg));
                            prop_assert_eq!(seen.bold(), cell.modifier.contains(Modifier::BOLD));
                        }
                        x += cell.symbol().width().max(1) as u16;
                    }
                }
            }
        }
    }
}
