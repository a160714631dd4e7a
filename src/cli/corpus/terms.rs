//! `terms`.

use crate::cli::messages::say;
use crate::cli::output::print_list;
use crate::cli::typed::arguments::{Printing, RowLimit};
use crate::cli::typed::store_path::StorePath;
use crate::cli::typed::vocabulary_arguments::VocabularyArgs;
use crate::records::terms::{self, TermRow};
use crate::shown::{TerminalText, shown};
use topoi_core::numbers::thousands;
use topoi_core::shell_word::shell_word;
use topoi_run::vocabulary::choice::{ChosenTerms, VocabularyChoice};
use topoi_run::vocabulary::rules::{Dropped, Rules};
use topoi_store::Access;
use topoi_store::Store;
use topoi_store::corpus::Corpus;

/// List a corpus's terms, most frequent first, or what a vocabulary keeps and drops of them
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Name of the corpus
    corpus: String,
    #[command(flatten)]
    limit: RowLimit,
    /// Keep only this many terms, the best
    #[arg(long, value_name = "N", help_heading = "Vocabulary", conflicts_with = "vocabulary")]
    terms: Option<usize>,
    #[command(flatten)]
    vocabulary: VocabularyArgs,
    /// Save the terms that are kept under this name, for `run --vocabulary NAME`
    #[arg(long, value_name = "NAME", help_heading = "Vocabulary")]
    save: Option<String>,
    #[command(flatten)]
    printing: Printing,
}

/// Prints the most frequent terms of a corpus. With rules or a named vocabulary, prints which of them are kept and
/// which rules drop the others.
pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    if args.save.as_ref().is_some_and(|name| name.trim().is_empty()) {
        anyhow::bail!("--save needs a name for the vocabulary, such as --save common");
    }
    let access = if args.save.is_some() { Access::Write } else { Access::Read };
    let mut store = store.open(access)?;
    let corpus = store.corpus(&args.corpus)?;
    let by_flags = args.vocabulary.choice(args.terms)?;
    let by_size = || args.terms.map(|terms| VocabularyChoice::Rules(Rules::best_by_tf_idf(terms)));
    let all = || args.save.as_ref().map(|_| VocabularyChoice::Rules(Rules::default()));
    let Some(choice) = by_flags.or_else(by_size).or_else(all) else {
        return list(&store, &corpus, args);
    };
    let chosen = choice.choose(&store, &corpus)?;
    say(&TerminalText::text(&summary(&chosen, &corpus)));
    if let Some(name) = &args.save {
        let id = chosen.save(&mut store, corpus.id)?;
        store.name_vocabulary(corpus.id, name, id)?;
        let (of, it) = (shell_word(&corpus.name), shell_word(name));
        say(&shown!("saved as {name:?}: `topoi run {of} --vocabulary {it}`"));
    }
    let mut by_count: Vec<usize> = (0..chosen.terms.len()).collect();
    by_count.sort_by_key(|&at| {
        (chosen.judged[at].is_some(), std::cmp::Reverse(chosen.terms[at].total_count), at)
    });
    let row = |at: usize| TermRow {
        term: &chosen.terms[at],
        corpus: &corpus,
        dropped_by: chosen.judged[at],
    };
    let format = args.printing.format();
    let most = args.limit.rows(format);
    let rows: Vec<TermRow<'_>> = by_count.into_iter().take(most).map(row).collect();
    let mut columns = terms::columns();
    columns.push(terms::dropped_by());
    print_list(&columns, &rows, format)?;
    args.limit.say_what_is_left_out(format, chosen.terms.len());
    Ok(())
}

fn list(store: &Store, corpus: &Corpus, args: &Arguments) -> anyhow::Result<()> {
    let format = args.printing.format();
    let found = store.frequent_terms(corpus.id, args.limit.rows(format))?;
    let rows: Vec<TermRow<'_>> =
        found.iter().map(|term| TermRow { term, corpus, dropped_by: None }).collect();
    print_list(&terms::columns(), &rows, format)?;
    args.limit.say_what_is_left_out(format, usize::try_from(corpus.terms)?);
    Ok(())
}

/// The numbers of terms that are kept and that each rule drops, in one line.
fn summary(chosen: &ChosenTerms, corpus: &Corpus) -> String {
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
        dropped.map(|(rule, n)| format!("{} by {rule}", thousands(n as u64))).collect();
    let dropped = if dropped.is_empty() { "none".into() } else { dropped.join(", ") };
    format!(
        "keeps {} of {} terms with {share:.1}% of the tokens; drops {dropped}",
        thousands(kept.len() as u64),
        thousands(chosen.terms.len() as u64)
    )
}
