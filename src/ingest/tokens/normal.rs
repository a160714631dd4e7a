//! Text as its words are looked for: one way of writing each letter.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// NFKC, with the typographic apostrophe as the plain one, and lower case if wanted.
pub(crate) fn normalise(text: &str, lower: bool) -> String {
    if text.is_ascii() {
        return if lower { text.to_ascii_lowercase() } else { text.to_string() };
    }
    let composed = nfkc(text).replace('\u{2019}', "'");
    if !lower {
        return composed;
    }
    let lowered = composed.to_lowercase();
    // Lower case can decompose (İ), hence a second time.
    match nfkc(&lowered) {
        Cow::Owned(normal) => normal,
        Cow::Borrowed(_) => lowered,
    }
}

/// NFKC, which most texts are in already.
fn nfkc(text: &str) -> Cow<'_, str> {
    match is_nfkc_quick(text.chars()) {
        IsNormalized::Yes => text.into(),
        _ => text.nfkc().collect::<String>().into(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_text_that_is_normal_already_is_normalised_as_any_other(
            text in "([a-zA-Z ]{0,4}|[é\u{2019}£İΣσß\u{212b}ﬁ\u{301}e漢ｱﾞ\u{344}]){0,20}",
        ) {
            let composed: String =
                text.nfkc().map(|c| if c == '\u{2019}' { '\'' } else { c }).collect();
            let lowered: String = composed.to_lowercase().nfkc().collect();
            prop_assert_eq!(normalise(&text, false), composed);
            prop_assert_eq!(normalise(&text, true), lowered);
        }
    }
}
