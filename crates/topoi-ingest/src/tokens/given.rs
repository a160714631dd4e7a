//! Tokens that a source gives beside a text. They are the document's terms, and the text is for display.

use serde::{Deserialize, Serialize};

use super::words_in_text::PlacedTerm;

/// A token as given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum GivenToken {
    /// To be found in the text.
    Token(String),
    /// With its range in the text, [start, end) in Unicode characters.
    Placed(String, usize, usize),
}

/// The tokens of a document in order. As JSON, a list of strings and of [string, start, end].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GivenTokens(Vec<GivenToken>);

/// Number of characters after the previous token that are searched for the next.
const SEARCHED_CHARACTERS: usize = 120;
/// Additional characters searched for each token not found since: such tokens may be lemmas.
const CHARACTERS_PER_MISS: usize = 20;

impl GivenTokens {
    /// Parses a list.
    ///
    /// # Errors
    /// The problem, if an item is not a token or ends before it starts.
    pub fn from_value(list: serde_json::Value) -> Result<Self, &'static str> {
        let tokens: Self =
            serde_json::from_value(list).map_err(|_| "has an item that is no word")?;
        for token in &tokens.0 {
            match token {
                GivenToken::Token(token) | GivenToken::Placed(token, ..) if token.is_empty() => {
                    return Err("has an item that is no word");
                }
                GivenToken::Placed(_, start, end) if start > end => {
                    return Err("has a token that ends before it starts");
                }
                _ => {}
            }
        }
        Ok(tokens)
    }

    /// Parses the tokens of a document as saved in the store.
    pub fn from_json(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok()
    }

    /// The tokens as saved.
    pub fn to_json(&self) -> String {
        // Strings and numbers can always be written as JSON.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The terms, one per token.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|given| match given {
            GivenToken::Token(token) | GivenToken::Placed(token, ..) => token.as_str(),
        })
    }

    /// The tokens that occur in `text`, which may be only the beginning of their text.
    /// Their position is the given one, or the first occurrence after the previous token, in any case.
    pub fn placed(&self, text: &str) -> Vec<PlacedTerm> {
        let mut starts: Vec<usize> = text.char_indices().map(|(start, _)| start).collect();
        starts.push(text.len());
        let (mut after, mut lost) = (0, 0);
        let mut placed = Vec::new();
        for given in &self.0 {
            let (term, found) = match given {
                GivenToken::Placed(term, start, end) => {
                    let place = starts.get(*start).zip(starts.get(*end));
                    (term, place.map(|(&start, &end)| start..end))
                }
                GivenToken::Token(term) => {
                    let looked = SEARCHED_CHARACTERS + CHARACTERS_PER_MISS * lost;
                    let first = starts.partition_point(|&start| start < after);
                    let until = starts[(first + looked).min(starts.len() - 1)];
                    (
                        term,
                        find(&text[after..until], term).map(|at| after + at.start..after + at.end),
                    )
                }
            };
            match found {
                Some(place) => {
                    (after, lost) = (after.max(place.end), 0);
                    placed.push(PlacedTerm { place, term: term.clone() });
                }
                None => lost += 1,
            }
        }
        placed.sort_by_key(|placed| placed.place.start);
        placed
    }
}

/// The range of a token in a part of a text; compared in lower case if it does not occur verbatim.
fn find(stretch: &str, token: &str) -> Option<std::ops::Range<usize>> {
    if let Some(start) = stretch.find(token) {
        return Some(start..start + token.len());
    }
    let lower = token.to_lowercase();
    let starts = stretch.char_indices().map(|(start, _)| start);
    starts.map(|start| (start, &stretch[start..])).find_map(|(start, rest)| {
        let mut letters = lower.chars();
        for (at, letter) in rest.char_indices() {
            for lower in letter.to_lowercase() {
                match letters.next() {
                    None => return Some(start..start + at),
                    Some(next) if next != lower => return None,
                    Some(_) => {}
                }
            }
        }
        letters.next().is_none().then_some(start..start + rest.len())
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn placed(tokens: serde_json::Value, text: &str) -> Vec<(String, String)> {
        let tokens = GivenTokens::from_value(tokens).expect("tokens");
        assert_eq!(GivenTokens::from_json(&tokens.to_json()).as_ref(), Some(&tokens));
        let placed = tokens.placed(text).into_iter();
        placed.map(|found| (text[found.place].to_string(), found.term)).collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(text, term)| (text.to_string(), term.to_string())).collect()
    }

    #[test]
    fn tokens_have_the_given_positions_or_else_follow_one_another() {
        let text = "Élan of the Mice, MICE again";
        let given = json!([["mouse", 12, 16], ["élan", 0, 4], ["gone", 90, 99]]);
        assert_eq!(placed(given, text), pairs(&[("Élan", "élan"), ("Mice", "mouse")]));
        // A lemma is not found, but the token after it is.
        let given = json!(["élan", "mice", "mouse", "again"]);
        let expected = [("Élan", "élan"), ("Mice", "mice"), ("again", "again")];
        assert_eq!(placed(given, text), pairs(&expected));
    }

    #[test]
    fn a_list_that_is_not_of_tokens_is_refused() {
        let refusal = |list| GivenTokens::from_value(list).expect_err("no tokens");
        for list in [json!([1]), json!([""]), json!([["a", 1]]), json!([["a", -1, 2]])] {
            assert_eq!(refusal(list), "has an item that is no word");
        }
        assert_eq!(refusal(json!([["a", 3, 2]])), "has a token that ends before it starts");
    }

    proptest! {
        #[test]
        fn places_are_in_the_text(
            text in "(\\PC|[aAßİ ]){0,40}", tokens: Vec<String>, places: Vec<(u8, u8)>,
        ) {
            let given = tokens.into_iter().map(GivenToken::Token).chain(places.into_iter().map(
                |(start, more)| GivenToken::Placed("x".into(), start.into(), usize::from(start) + usize::from(more)),
            ));
            for found in GivenTokens(given.collect()).placed(&text) {
                prop_assert!(text.get(found.place).is_some());
            }
        }
    }
}
