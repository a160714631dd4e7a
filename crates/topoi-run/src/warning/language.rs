//! The warning of stop words that are another language's.

use super::definition::{Evidence, FindResult, Finding, warning_def};
use topoi_ingest::tokens::language::languages::{UnlikeLanguage, unlike};

warning_def! {
    /// the words that carry no topic are still there: they are in all documents, and fill topics of their own
    pub const OTHER_LANGUAGE {
        id: "other_language",
        condition: "stop words of one language that were not dropped are a share of the corpus's tokens above {}",
        limit: 0.05,
        reason: "with the stop words of their own language dropped, other lists have at most 0.011 of news, changelogs \
                 and a handbook in three languages; with the English ones dropped, the handbook has 0.09 in Chinese, 0.14 in \
                 Japanese and 0.39 in German",
        remedy: "run again with --stop-list and its code, or ingest into another corpus with --stop-words and its code; if they are meant to be there, topoi stop-words --keep CORPUS says so",
        find: other_language,
    }
}

fn other_language(evidence: &Evidence<'_>, limit: f64) -> FindResult {
    let Evidence { store, run, request, .. } = *evidence;
    let corpus = store.corpus_by_id(store.run(run)?.corpus_id)?;
    let vocabulary = request.settings.vocabulary.as_ref();
    let dropped = vocabulary.map(|choice| choice.stop_list(store, &corpus)).transpose()?;
    let language = unlike(store, &corpus, &dropped.unwrap_or_default())?;
    Ok(language.and_then(|found| above(found, limit)))
}

fn above(found: UnlikeLanguage, limit: f64) -> Option<Finding> {
    (found.share > limit).then(|| Finding { value: found.share, what: found.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use topoi_ingest::tokens::language::languages::LANGUAGES;

    #[test]
    fn stop_words_of_another_language_are_told_with_the_language() {
        let german = LANGUAGES.iter().find(|language| language.code == "de").expect("German");
        let text = |share| {
            let found = above(UnlikeLanguage { language: *german, share }, OTHER_LANGUAGE.limit)?;
            Some(OTHER_LANGUAGE.with(found).text)
        };
        assert_eq!(text(0.05), None);
        assert_eq!(
            text(0.31).as_deref(),
            Some(
                "31% of its tokens are stop words of German (de), which were not dropped; run again \
                 with --stop-list and its code, or ingest into another corpus with --stop-words and its code; if they are meant to be there, topoi stop-words --keep CORPUS says so"
            )
        );
    }
}
