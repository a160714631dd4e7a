//! Fuzzy matching: scores how well a text matches what was typed.
//!
//! Written by hand: the licence of nucleo-matcher, MPL-2.0, is not among those that `deny.toml` allows.

/// Bonus for a match at the start of a word.
const BEGINNING: i32 = 8;
/// Bonus for consecutive matches.
const FOLLOWING: i32 = 6;
/// Maximum gap penalty; each skipped character costs one.
const FARTHEST: i32 = 4;

// Bonuses for a typed word that is in the text without gaps: as a whole word, at the start of a word, within one.
const WHOLE: i32 = 300;
const BEGUN: i32 = 200;
const WITHIN: i32 = 100;

/// The score of `text` for the words of `typed`, which may come in any order: the letters of each are
/// in the text one after another, others between them. `None` where one is not.
pub fn score(typed: &str, text: &str) -> Option<i32> {
    let text: Vec<char> = text.to_lowercase().chars().collect();
    let words = typed.split_whitespace().map(|word| of_word(&word.to_lowercase(), &text));
    // Of two that hold it, the shorter one is meant.
    words.sum::<Option<i32>>().map(|sum| 4 * sum - text.len().min(60) as i32 / 4)
}

/// The best score over all beginnings in the text.
fn of_word(word: &str, text: &[char]) -> Option<i32> {
    let letters: Vec<char> = word.chars().collect();
    let first = *letters.first()?;
    let begins = (0..text.len()).filter(|&at| text[at] == first);
    let score = |begin| Some(from(&letters, text, begin)? + together(&letters, text, begin));
    begins.filter_map(score).max()
}

/// The bonus where the letters are together in the text from `begin` on.
fn together(letters: &[char], text: &[char], begin: usize) -> i32 {
    if !text[begin..].starts_with(letters) {
        return 0;
    }
    let is_letter = |at: usize| text.get(at).is_some_and(|letter| letter.is_alphanumeric());
    match (begin.checked_sub(1).is_some_and(is_letter), is_letter(begin + letters.len())) {
        (false, false) => WHOLE,
        (false, true) => BEGUN,
        (true, _) => WITHIN,
    }
}

fn from(letters: &[char], text: &[char], begin: usize) -> Option<i32> {
    let is_beginning = |at: usize| at == 0 || !text[at - 1].is_alphanumeric();
    let (mut at, mut sum) = (begin, 0);
    for (place, letter) in letters.iter().enumerate() {
        let next = (at..text.len()).find(|&next| text[next] == *letter)?;
        let skipped = (next - at) as i32;
        sum += 1 - skipped.min(FARTHEST);
        sum += if is_beginning(next) { BEGINNING } else { 0 };
        sum += if place > 0 && skipped == 0 { FOLLOWING } else { 0 };
        at = next + 1;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best<'a>(typed: &str, texts: &[&'a str]) -> Option<&'a str> {
        let scored = texts.iter().filter_map(|text| Some((score(typed, text)?, *text)));
        scored.max_by_key(|(score, _)| *score).map(|(_, text)| text)
    }

    #[test]
    fn words_and_their_beginnings_come_before_letters_strewn_about() {
        let texts =
            ["cancel the run; asks first", "compare the marked runs", "to the top", "copy the row"];
        assert_eq!(best("can", &texts), Some("cancel the run; asks first"));
        assert_eq!(best("cmp", &texts), Some("compare the marked runs"));
        assert_eq!(best("run comp", &texts), Some("compare the marked runs"));
        assert_eq!(best("TOP", &texts), Some("to the top"));
        assert_eq!(best("copx", &texts), None);
        assert_eq!(best("主題", &["topic 3 主題 模型", "topic 4"]), Some("topic 3 主題 模型"));
    }

    #[test]
    fn whole_words_come_first_then_beginnings_then_parts_of_words() {
        let texts = [
            "list all bounds, each largest",
            "unlabelled topics",
            "labels of a run",
            "name the topic: its label",
        ];
        let mut left = texts.to_vec();
        while let Some(found) = best("label", &left) {
            assert_eq!(Some(&found), left.last(), "{left:?}");
            left.pop();
        }
        assert!(left.is_empty());
    }

    #[test]
    fn of_two_that_hold_it_the_shorter_is_meant() {
        assert_eq!(best("run 1", &["run 12", "run 1"]), Some("run 1"));
        assert!(score("", "anything").is_some());
    }
}
