//! A topic: its words, what is known of it, and its picture where words are pixels: two of them in every
//! cell, one above the other.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::view::ranked_by;
use super::{RunScreen, RunViewData, RunWithTopics};
use crate::records::column::Width;
use crate::records::topics::as_proposed;
use crate::tui::view::layout;
use crate::tui::view::look::Appearance;
use crate::tui::view::table::{Column, Table};
use crate::tui::view::{parts, text};
use topoi_core::numbers::four_digits;
use topoi_run::saved::topic_images::TopicImages;
use topoi_run::saved::topics::are_refined;
use topoi_store::result::topic::{Topic, Word};

/// Runs of a series in the curve of a topic's share.
const MOST_REVISIONS: usize = 24;
/// Cells for a probability.
const PROBABILITY: usize = 8;
/// Rows of words that metrics below them leave.
const FEWEST_WORDS: u16 = 6;
/// The least width, in cells, of a column of words with a bar.
const WORD_COLUMN: u16 = 34;
/// What is known of the topic that is shown in full: beside its words from this width on, else below.
const ABOUT: layout::Shares = layout::Shares { beside: 55, below: 65 };
const BESIDE_FROM: u16 = 110;

fn split(area: Rect) -> layout::Split {
    layout::split_from(BESIDE_FROM, ABOUT, area)
}

/// Words of the topic in full that are on the screen.
pub fn rows(area: Rect) -> usize {
    layout::table_rows(split(area).list)
}

/// Draws the topic under the cursor of a list: what is known of it, then its words.
pub fn draw(
    screen: &RunScreen,
    sheet: &RunWithTopics,
    look: Appearance,
    topic: &Topic,
    area: Rect,
    buffer: &mut Buffer,
) {
    let title = format!("{}, {}", name(screen, topic), text::shares(&topic.shares));
    let inside = parts::titled(buffer, area, look, &title);
    let rest = parts::lines(buffer, inside, &about(screen, sheet, topic, look, area.width));
    let metrics = parts::values(look, &screen.topic_metrics(topic.topic), area.width);
    let picture = match &sheet.more {
        RunViewData::Images(images) => images.as_ref(),
        _ => None,
    };
    // A picture that is cut off says nothing; the metrics can be had elsewhere.
    let least = picture.map_or(FEWEST_WORDS, |images| picture_size(images).1.max(FEWEST_WORDS));
    let mut room = rest;
    if usize::from(rest.height) > metrics.len() + usize::from(least) {
        room.height -= metrics.len() as u16;
        let below = Rect { y: room.bottom(), height: metrics.len() as u16, ..rest };
        parts::lines(buffer, below, &metrics);
    }
    if let Some(images) = picture {
        room = beside_picture(images, topic, look, room, buffer);
    }
    in_columns(&topic.words, look, room, buffer);
}

/// Draws a topic with a cursor among its words.
pub fn draw_in_full(
    screen: &RunScreen,
    sheet: &RunWithTopics,
    look: Appearance,
    topic: &Topic,
    area: Rect,
    buffer: &mut Buffer,
) {
    let split = split(area);
    let title = format!("{}: {}", title(screen, topic), ranked_by(sheet.lambda));
    let mut inside = parts::titled(buffer, split.list, look, &title);
    if let RunViewData::Images(Some(images)) = &sheet.more {
        inside = beside_picture(images, topic, look, inside, buffer);
    }
    words(screen, topic, look, inside, buffer);
    if let Some(between) = split.between {
        parts::stroke(buffer, between, look);
    }
    let inside = parts::titled(buffer, split.detail, look, "About it");
    let width = split.detail.width;
    let mut lines = about(screen, sheet, topic, look, width);
    lines.extend(parts::values(look, &screen.topic_metrics(topic.topic), width));
    parts::lines(buffer, inside, &lines);
}

/// Its number, name and the share that topics are ordered by.
pub fn title(screen: &RunScreen, topic: &Topic) -> String {
    format!("{}, {}", name(screen, topic), text::size(&topic.shares))
}

fn name(screen: &RunScreen, topic: &Topic) -> String {
    let label = topic.label.as_ref().map(|label| format!(" \"{label}\""));
    let proposed = || Some(format!(" {}", as_proposed(&screen.proposed(topic)?.proposed)));
    format!("topic {}{}", topic.topic, label.or_else(proposed).unwrap_or_default())
}

/// Why it should not be trusted, and its anchor.
fn about(
    screen: &RunScreen,
    sheet: &RunWithTopics,
    topic: &Topic,
    look: Appearance,
    width: u16,
) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    if let Some(doubt) = screen.doubt(topic) {
        lines.extend(parts::paragraph(&format!("! {doubt}"), width, look.warning()));
    }
    if let Some(anchor) = &topic.anchor {
        let began = if are_refined(&sheet.metrics) { "began at anchor" } else { "anchor" };
        lines.push(Line::raw(format!(" {began} {}", text::cut(anchor, 40))));
    }
    let history = sheet.history.get(topic.topic.index());
    if let Some(shares) = history.filter(|shares| shares.len() > 1) {
        lines.push(Line::from(vec![
            Span::raw(" share "),
            Span::styled(parts::curve(shares, MOST_REVISIONS), look.bar()),
            Span::raw(format!(
                " {} to {} in {} runs",
                text::percent(shares[0]),
                text::percent(shares[shares.len() - 1]),
                shares.len()
            )),
        ]));
    }
    lines
}

/// The words of a topic as a list to move in.
fn words(screen: &RunScreen, topic: &Topic, look: Appearance, area: Rect, buffer: &mut Buffer) {
    let shown = screen.words.visible(&topic.words);
    let most = topic.words.iter().map(|word| word.probability).fold(0.0, f64::max);
    let columns = [
        Column::text("word", Width::Share(1)),
        Column::number("probability", 11),
        Column::text("", Width::Share(1)),
    ];
    // What mark, gaps and probability leave, halved.
    let bars = usize::from(area.width.saturating_sub(17) / 2);
    let table = Table { columns: &columns, list: &screen.words, len: shown.len(), focused: true };
    table.draw(buffer, area, look, |index| {
        let word = shown[index];
        vec![
            Span::raw(word.word.clone()),
            Span::raw(four_digits(word.probability)),
            Span::styled(parts::bar(word.probability / most, bars.min(30)), look.bar()),
        ]
    });
}

/// Draws words with bars of their probabilities, in as many columns as there is room for.
fn in_columns(words: &[Word], look: Appearance, area: Rect, buffer: &mut Buffer) {
    let most = words.iter().map(|word| word.probability).fold(0.0, f64::max);
    let columns = (area.width / WORD_COLUMN).max(1);
    let rows = usize::from(area.height);
    let cells = area.width / columns;
    let name = usize::from(cells / 2).saturating_sub(2).max(8);
    let bars = usize::from(cells).saturating_sub(name + PROBABILITY + 4);
    for (column, words) in (0..columns).zip(words.chunks(rows.max(1))) {
        let line = |word: &Word| {
            Line::from(vec![
                Span::raw(format!(" {}", text::align_left(&word.word, name))),
                Span::raw(format!(
                    " {} ",
                    text::align_right(&four_digits(word.probability), PROBABILITY)
                )),
                Span::styled(parts::bar(word.probability / most, bars), look.bar()),
            ])
        };
        let place = Rect { x: area.x + column * cells, width: cells, ..area };
        parts::lines(buffer, place, &words.iter().map(line).collect::<Vec<_>>());
    }
}

/// Draws the picture of a topic at the left; returns what is beside it.
fn beside_picture(
    images: &TopicImages,
    topic: &Topic,
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) -> Rect {
    let (width, _) = picture_size(images);
    let width = width.min(area.width / 2);
    let picture = Rect { x: area.x + 2, width, ..area };
    draw_picture(images, topic.topic.index(), look, picture, buffer);
    let used = (width + 5).min(area.width);
    Rect { x: area.x + used, width: area.width - used, ..area }
}

/// A pixel is strong from this share of the strongest one on,
const STRONG: f64 = 0.5;
/// and weak from this one on.
const WEAK: f64 = 0.05;

/// Cells across and down that a picture takes.
fn picture_size(images: &TopicImages) -> (u16, u16) {
    (images.columns as u16, images.rows.div_ceil(2) as u16)
}

/// Draws the picture of a topic at the top left of `area`, as much of it as fits. Strong pixels
/// are full halves; where there are only weak ones the cell is shaded.
fn draw_picture(
    images: &TopicImages,
    topic: usize,
    look: Appearance,
    area: Rect,
    buffer: &mut Buffer,
) {
    let Some(picture) = images.pictures.get(topic) else { return };
    let most = picture.iter().copied().fold(0.0, f64::max);
    let value = |row: usize, column: usize| {
        let at = (row < images.rows).then(|| row * images.columns + column);
        at.and_then(|at| picture.get(at)).copied().unwrap_or(0.0) / most.max(f64::MIN_POSITIVE)
    };
    let (width, height) = picture_size(images);
    for y in 0..height.min(area.height) {
        for x in 0..width.min(area.width) {
            let row = usize::from(y) * 2;
            let (up, down) = (value(row, usize::from(x)), value(row + 1, usize::from(x)));
            let (symbol, is_strong) = match (up >= STRONG, down >= STRONG) {
                (true, true) => ("█", true),
                (true, false) => ("▀", true),
                (false, true) => ("▄", true),
                _ if up >= WEAK && down >= WEAK => ("▒", false),
                _ if up >= WEAK || down >= WEAK => ("░", false),
                _ => continue,
            };
            buffer.set_string(area.x + x, area.y + y, symbol, look.pixel(is_strong));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strong_pixels_are_halves_and_weak_ones_shades() {
        let picture = vec![0.5, 0.0, 0.5, 0.1, 0.0, 0.5, 0.5, 0.1, 0.1, 0.0, 0.0, 0.0];
        let images = TopicImages { rows: 3, columns: 4, pictures: vec![picture] };
        let area = Rect::new(0, 0, 4, 2);
        let mut buffer = Buffer::empty(area);
        draw_picture(
            &images,
            0,
            Appearance { colour: false, ..crate::tui::tests::fixture::user::look() },
            area,
            &mut buffer,
        );
        let drawn: Vec<&str> = buffer.content.iter().map(|cell| cell.symbol()).collect();
        assert_eq!(drawn.concat(), "▀▄█▒░   ");
    }
}
