//! Highlights what was searched for in the text of a document.

use unicode_segmentation::UnicodeSegmentation;

use topoi_ingest::search::Searcher;
use topoi_store::Store;
use topoi_store::corpus::Corpus;

/// The words of `text` for which a query was found, in lower case, each once. None where the query is not
/// one: then nothing was found by it.
pub fn hits(store: &Store, corpus: &Corpus, text: &str, query: &str) -> Vec<String> {
    let Ok(searcher) = Searcher::open(store, corpus) else { return Vec::new() };
    let Ok(what) = searcher.parse(query) else { return Vec::new() };
    let places = searcher.places(text, &what);
    let words = places.into_iter().flat_map(|place| text[place].unicode_words());
    let mut words: Vec<String> = words.map(str::to_lowercase).collect();
    words.sort();
    words.dedup();
    words
}

/// A text in parts, each with whether it is highlighted.
pub fn lit<'t>(text: &'t str, hits: &[String]) -> Vec<(&'t str, bool)> {
    if hits.is_empty() {
        return vec![(text, false)];
    }
    let is_hit = |word: &str| hits.binary_search(&word.to_lowercase()).is_ok();
    text.split_word_bounds().map(|word| (word, is_hit(word))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_lit_wherever_they_stand_in_either_case() {
        let hits = ["kernel".to_string(), "市".to_string()];
        let parts = lit("Kernels, kernel-KERNEL 市场", &hits);
        let lit: Vec<&str> = parts.iter().filter(|part| part.1).map(|part| part.0).collect();
        assert_eq!(lit, ["kernel", "KERNEL", "市"]);
        assert_eq!(
            parts.iter().map(|part| part.0).collect::<String>(),
            "Kernels, kernel-KERNEL 市场"
        );
        assert_eq!(super::lit("kernel", &[]), [("kernel", false)]);
    }
}
