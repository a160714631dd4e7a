//! Tests of taking text apart.

use proptest::prelude::*;

use super::*;
use crate::ingest::tokens::stop_words::StopWords;
use crate::ingest::tokens::token_settings::Stem;

fn tokens(text: &str) -> String {
    Tokenizer::new(&TokenSettings::default()).tokens(text).join(" ")
}

#[test]
fn words_are_normalised_and_chosen() {
    assert_eq!(tokens("The STATE, and its value-iteration!"), "state value iteration");
    assert_eq!(tokens("a ﬁne 2024 x2000 i.e. ok"), "fine x2000 i.e");
    assert_eq!(tokens("Don’t go; we can't. Café CAFE\u{301}"), "café café");
    assert_eq!(tokens("ΟΔΟΣ Straße İstanbul"), "οδος straße i\u{307}stanbul");
    assert_eq!(tokens(&"x".repeat(41)), "");
    assert_eq!(tokens(&"x".repeat(40)), "x".repeat(40));
}

#[test]
fn length_and_stop_words_can_be_set() {
    let settings = TokenSettings {
        min_length: 1,
        max_length: 3,
        stop_words: StopWords::none(),
        ..TokenSettings::default()
    };
    assert_eq!(Tokenizer::new(&settings).tokens("I am the king"), ["i", "am", "the"]);
    assert!(settings.check().is_ok());
    let none = TokenSettings { min_length: 4, ..settings.clone() };
    assert_eq!(
        none.check().expect_err("no length").to_string(),
        "words of at least 4 and at most 3 characters: there are none; raise --max-length or lower --min-length"
    );
}

#[test]
fn numbers_capitals_and_stems_can_be_chosen() {
    let with =
        |settings: TokenSettings, text: &str| Tokenizer::new(&settings).tokens(text).join(" ");
    let usual = TokenSettings::default;
    let any = TokenSettings { characters: Characters::Any, ..usual() };
    assert_eq!(with(any, "In 2024 x2000 machines"), "2024 x2000 machines");
    let letters = TokenSettings { characters: Characters::Letters, ..usual() };
    assert_eq!(with(letters, "In 2024 x2000 machines"), "machines");
    let keep = TokenSettings { case: Case::Keep, ..usual() };
    assert_eq!(with(keep, "The Turkish turkey, THE end"), "Turkish turkey end");
    let stem = TokenSettings { stem: Stem::En, ..usual() };
    assert_eq!(with(stem, "running runners run"), "run runner run");
    let german = TokenSettings { stem: Stem::De, ..usual() };
    assert_eq!(with(german, "Häuser"), "haus");
}

#[test]
fn ngrams_join_words_that_stand_together_and_no_dropped_word_stands_between() {
    let settings = TokenSettings { ngrams: 3, ..TokenSettings::default() };
    let tokens = Tokenizer::new(&settings).tokens("New York state of mind works");
    let expected = "new york new_york state york_state new_york_state mind works mind_works";
    assert_eq!(tokens.join(" "), expected);
    let five = "one1 two2 three3 four4 five5";
    let four = TokenSettings { ngrams: 4, ..TokenSettings::default() };
    assert_eq!(Tokenizer::new(&four).tokens(five).len(), 5 + 4 + 3 + 2);
    assert!(TokenSettings { ngrams: 6, ..TokenSettings::default() }.check().is_err());
}

proptest! {
    #[test]
    fn every_token_is_one_the_settings_allow(
        text in "(\\PC| ){0,80}", min_length in 1usize..5, more in 0usize..10,
    ) {
        let max_length = min_length + more;
        let settings = TokenSettings { min_length, max_length, ..TokenSettings::default() };
        let tokenizer = Tokenizer::new(&settings);
        for token in tokenizer.tokens(&text) {
            prop_assert!((min_length..=max_length).contains(&token.chars().count()));
            prop_assert!(token.chars().any(char::is_alphabetic));
            prop_assert!(!tokenizer.stop_words.contains(token.as_str()));
        }
    }

    #[test]
    fn tokens_of_tokens_are_the_same(text in "([A-Za-zÀ-ÿ0-9'.,-]| ){0,80}") {
        let once = tokens(&text);
        prop_assert_eq!(tokens(&once), once);
    }

    #[test]
    fn plain_text_is_treated_as_any_other(text in "[ -~]{0,60}") {
        let settings = TokenSettings { stop_words: StopWords::none(), ..Default::default() };
        let tokenizer = Tokenizer::new(&settings);
        let mut with_more = tokenizer.tokens(&format!("{text} é"));
        with_more.retain(|token| token != "é");
        prop_assert_eq!(tokenizer.tokens(&text), with_more);
    }
}
