//! What a run is made with beside K, seed and the settings of its model: in words, and as flags of the
//! command line.

use topoi_core::numbers::counted;
use topoi_run::request::{RunRequest, RunSettings};
use topoi_run::vocabulary::choice::VocabularyChoice;
use topoi_run::vocabulary::rules::{Amount, Ranking, Rules};

/// Stands in a command for a file that is not known.
pub const FILE: &str = "FILE";

/// A setting that a run has and most have not. The launch form has no field for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carried {
    pub words: String,
    /// The flags that set it, [`FILE`] in place of a file; `None` where no flag does.
    pub flags: Option<Vec<String>>,
    /// Whether it names rows of the run's corpus, so that no run of another can have it.
    pub is_of_corpus: bool,
}

impl Carried {
    fn new(words: impl Into<String>, flags: Option<Vec<String>>) -> Self {
        Self { words: words.into(), flags, is_of_corpus: false }
    }

    fn of_corpus(words: impl Into<String>, flags: Option<Vec<String>>) -> Self {
        Self { is_of_corpus: true, ..Self::new(words, flags) }
    }
}

fn flag(name: &str, value: impl ToString) -> Option<Vec<String>> {
    Some(vec![name.into(), value.to_string()])
}

/// The settings of a request that the launch form has no field for, the vocabulary first.
pub fn carried(request: &RunRequest) -> Vec<Carried> {
    // A setting that is new has a field in the form, or its words and flag here.
    let RunSettings {
        terms: _,
        min_tokens: _,
        threads: _,
        memory: _,
        refine: _,
        refine_gain: _,
        factorise,
        documents,
        exact_norms,
        held_out,
        sample,
        parts,
        start,
        keeps_numbers,
        vocabulary,
        seeds,
    } = &request.settings;
    let mut all: Vec<Carried> = Vec::new();
    all.extend(vocabulary.as_ref().map(|choice| of_vocabulary(choice, &request.settings)));
    match (held_out, sample) {
        (Some(share), sample) => {
            let drawn = request.settings.clone().holding_out(*share, request.seed).sample;
            let words = format!("{} of the documents held out", percent(*share));
            all.push(Carried::new(words, flag("--held-out", share).filter(|_| *sample == drawn)));
        }
        (None, Some(sample)) => {
            let share = percent(sample.to - sample.from);
            all.push(Carried::new(format!("made from a random {share} of the documents"), None));
        }
        (None, None) => {}
    }
    all.extend(seeds.as_ref().map(|seeds| {
        let words: usize = seeds.0.iter().map(|seeded| seeded.words.len()).sum();
        let topics = counted(seeds.0.len() as u64, "topic");
        let words = format!("{} as seeds of {topics}", counted(words as u64, "word"));
        Carried::of_corpus(words, flag("--seeds", FILE))
    }));
    all.extend(start.map(|run| match keeps_numbers {
        true => Carried::of_corpus(format!("updates run {run}"), None),
        false => {
            let flags = flag("--start", run).filter(|_| request.origin.starts_from_topics());
            Carried::of_corpus(format!("started from run {run}"), flags)
        }
    }));
    if !documents {
        let flags = Some(vec!["--no-documents".into()]);
        all.push(Carried::new("without the topics of documents", flags));
    }
    if *exact_norms {
        all.push(Carried::new("exact norms", Some(vec!["--exact-norms".into()])));
    }
    all.extend(parts.as_ref().map(|parts| {
        let words = format!("documents in {} parts", parts.count);
        Carried::of_corpus(words, flag("--parts", &parts.pattern))
    }));
    all.extend(
        factorise.filter(|&pairs| pairs != request.k).map(|pairs| {
            Carried::new(format!("the first {} of {pairs} eigenpairs", request.k), None)
        }),
    );
    all
}

/// The terms that a run uses: `vocabulary core`, or by which rules they are chosen.
pub fn vocabulary_in_words(settings: &RunSettings) -> String {
    match &settings.vocabulary {
        Some(choice) => of_vocabulary(choice, settings).words,
        None => best(Some(settings.terms)),
    }
}

fn best(terms: Option<usize>) -> String {
    terms.map_or("all terms".into(), |terms| format!("the {}", counted(terms as u64, "best term")))
}

fn of_vocabulary(choice: &VocabularyChoice, settings: &RunSettings) -> Carried {
    match choice {
        VocabularyChoice::Saved(name) => {
            Carried::of_corpus(format!("vocabulary {name}"), flag("--vocabulary", name))
        }
        VocabularyChoice::Rules(rules) => of_rules(rules, settings.terms),
        VocabularyChoice::Used(_) => Carried::of_corpus("the terms of an earlier run", None),
        VocabularyChoice::Without { vocabulary: _, terms } => {
            let words = counted(terms.len() as u64, "term");
            Carried::of_corpus(format!("the terms of an earlier run without {words}"), None)
        }
    }
}

fn of_rules(rules: &Rules, of_run: usize) -> Carried {
    let Rules { min_documents, max_documents, min_count, matching, drop, keep, terms, by } = rules;
    let mut words = best(*terms);
    let (name, by_name) = match by {
        Ranking::TfIdf => ("tf-idf", ""),
        Ranking::Count => ("count", " by count"),
    };
    words.push_str(by_name);
    // Rules that say nothing else are rules by their ranking.
    let mut flags = vec!["--by".to_string(), name.into()];
    let mut rule = |said: String, name: &str, value: String| {
        words.push_str(&said);
        flags.extend([name.to_string(), value]);
    };
    if let Some(least) = min_documents {
        let said = format!(" in {} or more documents", in_words(*least));
        rule(said, "--min-documents", least.to_string());
    }
    if let Some(most) = max_documents {
        let said = format!(" in at most {} documents", in_words(*most));
        rule(said, "--max-documents", most.to_string());
    }
    if let Some(least) = min_count {
        let said = format!(" of {} or more", counted(*least, "token"));
        rule(said, "--min-count", least.to_string());
    }
    if let Some(pattern) = matching {
        rule(format!(" matching {pattern}"), "--matching", pattern.clone());
    }
    for (list, with, name) in [(drop, "without", "--stop-list"), (keep, "with", "--keep-list")] {
        if !list.is_empty() {
            let said = format!(" {with} a list of {}", counted(list.len() as u64, "term"));
            rule(said, name, FILE.into());
        }
    }
    Carried::new(words, Some(flags).filter(|_| *terms == Some(of_run)))
}

fn in_words(amount: Amount) -> String {
    match amount {
        Amount::Count(count) => count.to_string(),
        Amount::Share(share) => format!("{} of the", percent(share)),
    }
}

fn percent(share: f64) -> String {
    // Two digits after the point, without those that are 0: 50%, 0.25%.
    format!("{}%", (share * 1e4).round() / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary(choice: VocabularyChoice) -> String {
        vocabulary_in_words(&RunSettings { vocabulary: Some(choice), ..RunSettings::default() })
    }

    #[test]
    fn a_vocabulary_is_told_by_its_name_or_its_rules() {
        assert_eq!(vocabulary_in_words(&RunSettings::default()), "the 5,000 best terms");
        assert_eq!(vocabulary(VocabularyChoice::Saved("core".into())), "vocabulary core");
        assert_eq!(vocabulary(VocabularyChoice::Used(3)), "the terms of an earlier run");
        let without = VocabularyChoice::Without { vocabulary: 3, terms: vec![1, 2] };
        assert_eq!(vocabulary(without), "the terms of an earlier run without 2 terms");
        let rules = Rules {
            min_documents: Some(Amount::Count(5)),
            max_documents: Some(Amount::Share(0.5)),
            min_count: Some(10),
            matching: Some("[a-z]+".into()),
            drop: vec!["ship".into(), "sea".into()],
            keep: vec!["whale".into()],
            terms: Some(300),
            by: Ranking::Count,
        };
        assert_eq!(
            vocabulary(VocabularyChoice::Rules(rules)),
            "the 300 best terms by count in 5 or more documents in at most 50% of the documents of \
             10 tokens or more matching [a-z]+ without a list of 2 terms with a list of 1 term"
        );
        assert_eq!(vocabulary(VocabularyChoice::Rules(Rules::default())), "all terms");
    }
}
