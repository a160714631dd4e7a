//! Running heads and page numbers: lines that are at the top or the bottom of the pages of a text whose pages end with
//! form feeds, as `pdftotext` writes them.

use std::collections::HashMap;

/// A running head is on at least `FEWEST_PAGES` pages, and on one of `SHARE` pages.
const FEWEST_PAGES: usize = 3;
const SHARE: usize = 4;
/// Lines at the top and at the bottom of a page that can be heads.
const EDGE: usize = 2;

/// The text without them, and their number.
pub(super) fn without_heads(text: &str) -> Option<(String, u64)> {
    let pages: Vec<&str> = text.split('\u{c}').collect();
    if pages.len() < FEWEST_PAGES {
        return None;
    }
    let mut counts: HashMap<String, usize> = HashMap::new();
    for page in &pages {
        let mut patterns: Vec<String> = edges(page).map(|(_, line)| pattern(line)).collect();
        patterns.sort_unstable();
        patterns.dedup();
        for pattern in patterns {
            *counts.entry(pattern).or_default() += 1;
        }
    }
    let least = FEWEST_PAGES.max(pages.len().div_ceil(SHARE));
    let is_head = |line: &str| counts.get(&pattern(line)).is_some_and(|&pages| pages >= least);
    let (mut kept, mut dropped) = (Vec::with_capacity(pages.len()), 0);
    for page in pages {
        let heads: Vec<usize> =
            edges(page).filter(|(_, line)| is_head(line)).map(|(at, _)| at).collect();
        dropped += heads.len() as u64;
        let lines = page.split_inclusive('\n').enumerate();
        kept.push(
            lines.filter(|(at, _)| !heads.contains(at)).map(|(_, line)| line).collect::<String>(),
        );
    }
    (dropped > 0).then(|| (kept.join("\u{c}"), dropped))
}

/// The first and last lines of a page that are not blank, each once, with their numbers.
fn edges(page: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines: Vec<(usize, &str)> =
        page.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).collect();
    let (first, last) = (EDGE.min(lines.len()), lines.len().saturating_sub(EDGE));
    let chosen: Vec<_> = (0..first).chain(last.max(first)..lines.len()).collect();
    chosen.into_iter().map(move |at| lines[at])
}

/// A line with one sign for any number, Roman ones by themselves too.
fn pattern(line: &str) -> String {
    let words = line.split_whitespace().map(|word| {
        let is_roman = word.len() < 9 && word.chars().all(|c| "ivxlcdm".contains(c));
        if is_roman { "#".into() } else { word.replace(|c: char| c.is_numeric(), "#") }
    });
    let mut pattern = words.collect::<Vec<_>>().join(" ").to_lowercase();
    while pattern.contains("##") {
        pattern = pattern.replace("##", "#");
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_at_the_edges_of_most_pages_go_and_all_others_stay() {
        let page = |number: usize| {
            let side = if number.is_multiple_of(2) { "The Whale" } else { "Herman Melville" };
            let word = ["sea", "sun", "sky", "ship", "salt", "sail", "oar", "tar"][number % 8];
            format!("{side}   {number}\n\nOf the {word}.\nIt is\nmore {word}.\n\n{number}\n")
        };
        let text: Vec<String> = (8..16).map(page).collect();
        let (kept, dropped) = without_heads(&text.join("\u{c}")).expect("heads");
        assert_eq!(dropped, 16);
        assert!(!kept.contains("Whale") && !kept.contains("Melville"));
        assert_eq!(kept.matches('\u{c}').count(), 7);
        assert_eq!(kept.matches(".\nIt is\nmore ").count(), 8);
        // Chapters begin alike, but not on most pages; a text without pages stays.
        assert_eq!(without_heads("one\n\u{c}two\n\u{c}three\n"), None);
        assert_eq!(without_heads("head 1\ntext\nhead 2\n"), None);
        // Roman numbers of a preface are numbers.
        let preface = "sea\nii\n\u{c}sun\niii\n\u{c}sky\niv\n\u{c}oar\nv\n";
        assert_eq!(without_heads(preface).map(|(_, dropped)| dropped), Some(4));
    }
}
