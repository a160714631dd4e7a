//! A topic as a picture: two pixels in every cell, one above the other.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::tui::view::look::Look;
use topoi::run::saved::topic_images::TopicImages;

/// A pixel is strong from this share of the strongest one on,
const STRONG: f64 = 0.5;
/// and weak from this one on.
const WEAK: f64 = 0.05;

/// Cells across and down that a picture takes.
pub fn size(images: &TopicImages) -> (u16, u16) {
    (images.columns as u16, images.rows.div_ceil(2) as u16)
}

/// Draws the picture of a topic at the top left of `area`, as much of it as fits. Strong pixels
/// are full halves; where there are only weak ones the cell is shaded.
pub fn draw(images: &TopicImages, topic: usize, look: Look, area: Rect, buffer: &mut Buffer) {
    let Some(picture) = images.pictures.get(topic) else { return };
    let most = picture.iter().copied().fold(0.0, f64::max);
    let value = |row: usize, column: usize| {
        let at = (row < images.rows).then(|| row * images.columns + column);
        at.and_then(|at| picture.get(at)).copied().unwrap_or(0.0) / most.max(f64::MIN_POSITIVE)
    };
    let (width, height) = size(images);
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
        draw(&images, 0, Look { colour: false, unicode: true }, area, &mut buffer);
        let drawn: Vec<&str> = buffer.content.iter().map(|cell| cell.symbol()).collect();
        assert_eq!(drawn.concat(), "▀▄█▒░   ");
    }
}
