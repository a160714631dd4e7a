//! `terms` and `vocabularies`.

use std::path::Path;

use serde_json::json;

use super::arguments::{CorpusName, ListOfCorpus};
use super::output::{Table, print_list, say, thousands};
use super::store_path::opened;
use super::vocabulary_arguments::VocabularyArgs;
use crate::records::terms::{self, TermRow};
use topoi::store::corpus::Corpus;
use topoi::store::{Access, Store};
use topoi::vocabulary::choice::{Chosen, VocabularyChoice};
use topoi::vocabulary::rules::{Dropped, Rules};

/// Arguments of `terms`.
#[derive(Debug, clap::Args)]
pub struct TermsArgs {
    #[command(flatten)]
    list: ListOfCorpus,
    /// Keep only this many terms, the best
    #[arg(long, value_name = "N", help_heading = "Vocabulary", conflicts_with = "vocabulary")]
    terms: Option<usize>,
    #[command(flatten)]
    vocabulary: VocabularyArgs,
    /// Save the terms that are kept under this name, for `run --vocabulary NAME`
    #[arg(long, value_name = "NAME", help_heading = "Vocabulary")]
    save: Option<String>,
}

/// Prints the most frequent terms of a corpus; with rules or a named vocabulary, which of them
/// are kept, and what drops the others.
///
/// # Errors
/// When the store cannot be read, a rule is wrong, or standard output cannot be written.
pub fn list_terms(path: &Path, args: &TermsArgs) -> anyhow::Result<()> {
    let access = if args.save.is_some() { Access::Write } else { Access::Read };
    let mut store = opened(path, access)?;
    let corpus = store.corpus(&args.list.corpus)?;
    let by_flags = args.vocabulary.choice(args.terms)?;
    let by_size = || args.terms.map(|terms| VocabularyChoice::Rules(Rules::best_by_tf_idf(terms)));
    let all = || args.save.as_ref().map(|_| VocabularyChoice::Rules(Rules::default()));
    let Some(choice) = by_flags.or_else(by_size).or_else(all) else {
        return list(&store, &corpus, &args.list);
    };
    let chosen = choice.choose(&store, &corpus)?;
    say(&summary(&chosen, &corpus));
    if let Some(name) = &args.save {
        let id = chosen.save(&mut store, corpus.id)?;
        store.name_vocabulary(corpus.id, name, id)?;
        say(&format!("saved as {name:?}: `topoi run {} --vocabulary {name}`", corpus.name));
    }
    let mut by_count: Vec<usize> = (0..chosen.terms.len()).collect();
    by_count.sort_by_key(|&at| (std::cmp::Reverse(chosen.terms[at].total_count), at));
    let row = |at: usize| TermRow {
        term: &chosen.terms[at],
        corpus: &corpus,
        dropped_by: chosen.judged[at],
    };
    let rows: Vec<TermRow<'_>> = by_count.into_iter().take(args.list.limit).map(row).collect();
    let mut columns = terms::columns();
    columns.push(terms::dropped_by());
    Ok(print_list(&columns, &rows, args.list.printing.output)?)
}

fn list(store: &Store, corpus: &Corpus, list: &ListOfCorpus) -> anyhow::Result<()> {
    let found = store.frequent_terms(corpus.id, list.limit)?;
    let rows: Vec<TermRow<'_>> =
        found.iter().map(|term| TermRow { term, corpus, dropped_by: None }).collect();
    Ok(print_list(&terms::columns(), &rows, list.printing.output)?)
}

/// What is kept and what drops the rest, in a line.
fn summary(chosen: &Chosen, corpus: &Corpus) -> String {
    let kept = chosen.positions();
    let tokens: u64 = kept.iter().map(|&at| chosen.terms[at as usize].total_count).sum();
    let share = 100.0 * tokens as f64 / corpus.tokens.max(1) as f64;
    let rules = [
        Dropped::Unused,
        Dropped::StopList,
        Dropped::MinDocuments,
        Dropped::MaxDocuments,
        Dropped::MinCount,
        Dropped::Matching,
        Dropped::Terms,
    ];
    let count = |rule| chosen.judged.iter().filter(|dropped| **dropped == Some(rule)).count();
    let dropped = rules.into_iter().map(|rule| (rule, count(rule))).filter(|(_, n)| *n > 0);
    let dropped: Vec<String> =
        dropped.map(|(rule, n)| format!("{} by {rule}", thousands(n as i64))).collect();
    let dropped = if dropped.is_empty() { "none".into() } else { dropped.join(", ") };
    format!(
        "keeps {} of {} terms with {share:.1}% of the tokens; drops {dropped}",
        thousands(kept.len() as i64),
        thousands(chosen.terms.len() as i64)
    )
}

/// Prints the named vocabularies of a corpus.
///
/// # Errors
/// When the store cannot be read or standard output cannot be written.
pub fn vocabularies(path: &Path, args: &CorpusName) -> anyhow::Result<()> {
    let store = Store::open(path, Access::Read)?;
    let corpus = store.corpus(&args.corpus)?;
    let mut table = Table::new(&["name", "terms", "rules", "created_at"]);
    for vocabulary in store.named_vocabularies(corpus.id)? {
        table.rows.push(vec![
            json!(vocabulary.name),
            json!(vocabulary.terms),
            json!(vocabulary.settings),
            json!(vocabulary.created_at),
        ]);
    }
    Ok(table.print(args.printing.output)?)
}
