//! Settings of a corpus, saved as JSON; the same for every ingest into it.

use super::error::{IngestError, Result};
use super::texts::chunks::Chunking;
use super::tokens::Tokenizer;
use super::tokens::token_settings::{Difference, TokenSettings};

/// The origin of the terms of a corpus.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum CorpusSettings {
    /// Sources contain counted words.
    Counts,
    /// Sources contain text.
    Text {
        /// How texts are split into words.
        tokens: Box<TokenSettings>,
        /// How documents are split into chunks; `None` if they are not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        chunks: Option<Chunking>,
    },
}

impl CorpusSettings {
    /// The settings as saved in `corpus.settings`.
    pub fn to_json(&self) -> String {
        // Numbers and names can always be written as JSON.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Parses saved settings; `None` if another version of the program wrote them.
    pub fn from_json(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok()
    }

    /// The tokenizer of a corpus with these settings (JSON); `None` if its words were counted elsewhere, or the
    /// settings are of another version of the program.
    pub fn tokenizer(json: &str) -> Option<Tokenizer> {
        match Self::from_json(json)? {
            Self::Text { tokens, .. } => Some(Tokenizer::new(&tokens)),
            Self::Counts => None,
        }
    }

    /// Refuses to add to corpus `name`, whose saved settings are `saved` (JSON), if these settings differ.
    ///
    /// # Errors
    /// [`IngestError::OtherSettings`], with the first difference.
    pub fn check_same(&self, name: &str, saved: &str) -> Result<()> {
        let differs = match Self::from_json(saved) {
            Some(saved) => self.difference(&saved),
            None => Some((
                "was made with settings that this topoi does not know".into(),
                "use the topoi that made it, or another corpus name".into(),
            )),
        };
        match differs {
            None => Ok(()),
            Some((difference, remedy)) => {
                Err(IngestError::OtherSettings { corpus: name.into(), difference, remedy })
            }
        }
    }

    /// The difference from `saved`, and the remedy.
    fn difference(&self, saved: &Self) -> Option<(String, String)> {
        let (ours, theirs) = match (self, saved) {
            (Self::Counts, Self::Counts) => return None,
            (Self::Text { chunks: ours, .. }, Self::Text { chunks: theirs, .. })
                if ours != theirs =>
            {
                return Some(other_chunks(ours.as_ref(), theirs.as_ref()));
            }
            (Self::Text { tokens: ours, .. }, Self::Text { tokens: theirs, .. }) => (ours, theirs),
            (Self::Counts, Self::Text { .. }) => {
                return Some((
                    "holds text, and this is a file of counted words".into(),
                    "choose another corpus name".into(),
                ));
            }
            (Self::Text { .. }, Self::Counts) => {
                return Some((
                    "holds counted words, and this is text".into(),
                    "choose another corpus name".into(),
                ));
            }
        };
        Some(match ours.difference(theirs)? {
            Difference::Value(flag, ours, theirs) => (
                format!("was made with --{flag} {theirs}, not {ours}"),
                match flag {
                    // Its file may have changed since.
                    "map" | "join" => format!("leave out --{flag}, or choose another corpus name"),
                    _ => format!("give --{flag} {theirs}, or choose another corpus name"),
                },
            ),
            Difference::Content(flag, what) => (
                format!("was made with another --{flag}: the one given {what}"),
                format!("leave out --{flag}, or choose another corpus name"),
            ),
            Difference::Switch(flag) => (
                format!("was made without --{flag}"),
                "leave that out, or choose another corpus name".into(),
            ),
        })
    }
}

/// The difference in chunking, and the remedy.
fn other_chunks(ours: Option<&Chunking>, theirs: Option<&Chunking>) -> (String, String) {
    let flags = |chunking: &Chunking| match chunking.overlap {
        0 => format!("--chunk '{}'", chunking.by),
        overlap => format!("--chunk '{}' --overlap {overlap}", chunking.by),
    };
    let ours = ours.map_or_else(|| "without".into(), flags);
    match theirs.map(flags) {
        Some(theirs) => (
            format!("was made with {theirs}, not {ours}"),
            format!("give {theirs}, or choose another corpus name"),
        ),
        None => (
            format!("was made of whole documents, not with {ours}"),
            "leave that out, or choose another corpus name".into(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::chunks::ChunkBy;
    use crate::tokens::language::stop_words::StopWords;

    fn refusal(ours: &CorpusSettings, saved: &str) -> String {
        ours.check_same("news", saved).expect_err("refused").to_string()
    }

    #[test]
    fn settings_are_saved_as_documented() {
        let text = CorpusSettings::Text { tokens: Box::default(), chunks: None };
        let saved = r#"{"kind":"text","tokens":{"min_length":3,"max_length":40,"stop_words":"en","tokens":"words"}}"#;
        assert_eq!(text.to_json(), saved);
        assert_eq!(CorpusSettings::Counts.to_json(), r#"{"kind":"counts"}"#);
        assert!(text.check_same("news", saved).is_ok());
        // Nothing is guessed if saved settings do not say how texts were split.
        let torn = saved.replace(r#","tokens":"words""#, "");
        assert!(refusal(&text, &torn).contains("settings that this topoi does not know"));
    }

    #[test]
    fn the_setting_that_differs_is_named() {
        let saved = CorpusSettings::Text { tokens: Box::default(), chunks: None }.to_json();
        let tokens = TokenSettings { stop_words: StopWords::none(), ..Default::default() };
        let other = CorpusSettings::Text { tokens: Box::new(tokens), chunks: None };
        assert_eq!(
            refusal(&other, &saved),
            "corpus \"news\" was made with --stop-words en, not none; nothing was added: \
             give --stop-words en, or choose another corpus name"
        );
        assert_eq!(
            refusal(&CorpusSettings::Counts, &saved),
            "corpus \"news\" holds text, and this is a file of counted words; \
             nothing was added: choose another corpus name"
        );
        assert!(refusal(&other, r#"{"kind":"pictures"}"#).contains("does not know"));
        let newer = r#"{"kind":"text","tokens":{"min_length":3,"max_length":40,"stop_words":"en","colour":true}}"#;
        assert!(refusal(&other, newer).contains("does not know"));
    }

    #[test]
    fn a_corpus_that_was_cut_otherwise_is_named_with_its_flags() {
        let cut = |by, overlap| CorpusSettings::Text {
            tokens: Box::default(),
            chunks: Some(Chunking { by, overlap }),
        };
        let whole = CorpusSettings::Text { tokens: Box::default(), chunks: None };
        let words = cut(ChunkBy::Words(500), 50);
        assert!(words.to_json().ends_with(r#""chunks":{"by":"500","overlap":50}}"#));
        assert!(words.check_same("news", &words.to_json()).is_ok());
        assert_eq!(
            refusal(&whole, &words.to_json()),
            "corpus \"news\" was made with --chunk '500' --overlap 50, not without; nothing was \
             added: give --chunk '500' --overlap 50, or choose another corpus name"
        );
        assert_eq!(
            refusal(&cut(ChunkBy::Pages, 0), &whole.to_json()),
            "corpus \"news\" was made of whole documents, not with --chunk 'pages'; nothing was \
             added: leave that out, or choose another corpus name"
        );
    }
}
