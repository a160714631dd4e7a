//! Topics as images, for corpora whose terms are pixels.

use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// Maximum number of words.
const PIXELS: usize = 1 << 16;
/// Maximum number of topics, and of rows and columns, for a terminal.
const LARGEST_SIDE: usize = 256;

/// The topics of a run as images of one size.
#[derive(Debug, Clone, PartialEq)]
pub struct TopicImages {
    /// Rows of every image.
    pub rows: usize,
    /// Columns of every image.
    pub columns: usize,
    /// An image per topic: p(pixel | topic) in row-major order.
    pub pictures: Vec<Vec<f64>>,
}

/// The row and the column of a term such as `r05c17`.
pub fn pixel(term: &str) -> Option<(usize, usize)> {
    let (row, column) = term.strip_prefix('r')?.split_once('c')?;
    let number = |digits: &str| {
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse().ok()).flatten()
    };
    Some((number(row)?, number(column)?))
}

/// The topics of `run` as images, cropped to the pixels that occur in any topic; `None` if a word of a topic is not a
/// pixel.
pub fn topic_images(store: &Store, run: &Run) -> Result<Option<TopicImages>, StoreError> {
    let is_pixel = |word: &topoi_store::result::topic::Word| pixel(&word.word).is_some();
    let few = store.topics(run.id, 3)?;
    let mut words = few.iter().flat_map(|topic| &topic.words).peekable();
    if words.peek().is_none() || !words.all(is_pixel) {
        return Ok(None);
    }
    let topics: Vec<Vec<(usize, usize, f64)>> = store
        .topics(run.id, PIXELS)?
        .into_iter()
        .map(|topic| {
            let pixels = topic.words.iter();
            pixels.filter_map(|w| pixel(&w.word).map(|(r, c)| (r, c, w.probability))).collect()
        })
        .collect();
    Ok(pictures(&topics))
}

fn pictures(topics: &[Vec<(usize, usize, f64)>]) -> Option<TopicImages> {
    let all = || topics.iter().flatten();
    let (top, left) = (all().map(|p| p.0).min()?, all().map(|p| p.1).min()?);
    let rows = all().map(|p| p.0).max()? - top + 1;
    let columns = all().map(|p| p.1).max()? - left + 1;
    if rows.max(columns) > LARGEST_SIDE {
        return None;
    }
    let picture = |pixels: &Vec<(usize, usize, f64)>| {
        let mut picture = vec![0.0; rows * columns];
        for &(row, column, value) in pixels {
            picture[(row - top) * columns + column - left] = value;
        }
        picture
    };
    Some(TopicImages { rows, columns, pictures: topics.iter().map(picture).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_named_by_row_and_column() {
        assert_eq!(pixel("r05c17"), Some((5, 17)));
        for word in ["rc", "r1c", "rice", "r1c2c3", "r+1c2", "c1r2", ""] {
            assert_eq!(pixel(word), None, "{word}");
        }
    }

    #[test]
    fn pictures_are_cut_to_what_is_lit() {
        let topics = [vec![(3, 4, 0.5), (5, 4, 0.5)], vec![(4, 6, 1.0)]];
        let found = pictures(&topics).expect("pictures");
        assert_eq!((found.rows, found.columns), (3, 3));
        assert_eq!(found.pictures[0], [0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0]);
        assert_eq!(found.pictures[1][5], 1.0);
        assert_eq!(pictures(&[vec![(0, 0, 0.5), (9999, 0, 0.5)]]), None);
    }
}
