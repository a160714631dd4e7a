//! Remedies for errors: what to type. The library's errors say what is wrong and where, without flags and commands.

use std::error::Error;

use topoi_core::effects::EffectsError;
use topoi_core::model::Model;
use topoi_core::model::error::ModelError;
use topoi_core::shell_word::{path_word, shell_word};
use topoi_core::stream::StreamError;
use topoi_core::synth::error::SynthError;
use topoi_ingest::IngestError;
use topoi_ingest::points::PointsError;
use topoi_ingest::search::SearchError;
use topoi_mpi::error::PartsError;
use topoi_run::choose_k::bounds::BoundsError;
use topoi_run::choose_k::stability::StabilityError;
use topoi_run::export::error::ExportError;
use topoi_run::groups::fields::FieldError;
use topoi_run::judging::session::JudgeError;
use topoi_run::life::delete::DeleteError;
use topoi_run::request::RequestError;
use topoi_run::request::imported::ImportError;
use topoi_run::request::update::{NotRevisable, UpdateError};
use topoi_run::saved::compare::CompareError;
use topoi_run::saved::known_topics::TruthError;
use topoi_run::saved::topics::SemiTopicsError;
use topoi_run::shaping::base::MissingFactor;
use topoi_run::work::work_error::WorkError;
use topoi_store::StoreError;
use topoi_store::check::{Finding, Subject};

/// An error and its causes on one line, with the remedy. Causes that the line already contains are not repeated, as
/// most errors contain the text of their cause.
pub fn explained(error: &(dyn Error + 'static)) -> String {
    let causes = || std::iter::successors(Some(error), |error| (*error).source());
    let mut line = error.to_string();
    for cause in causes().skip(1).map(ToString::to_string) {
        if line.contains(&cause) {
            break;
        }
        line = format!("{line}: {cause}");
    }
    line + &causes().find_map(ending).unwrap_or_default()
}

/// The remedy of an error with its separator.
fn ending(error: &(dyn Error + 'static)) -> Option<String> {
    macro_rules! first_of {
        ($($kind:ty => $remedy:ident),+ $(,)?) => {
            $(if let Some(error) = error.downcast_ref::<$kind>() {
                return $remedy(error).map(|remedy| format!("; {remedy}"));
            })+
        };
    }
    if let Some(error) = error.downcast_ref::<IngestError>() {
        return ingest_remedy(error);
    }
    first_of! {
        StoreError => store_remedy,
        StreamError => stream_remedy,
        ModelError => model_remedy,
        SearchError => search_remedy,
        WorkError => work_remedy,
        BoundsError => bounds_remedy,
        StabilityError => stability_remedy,
        ExportError => export_remedy,
        FieldError => field_remedy,
        JudgeError => judge_remedy,
        DeleteError => delete_remedy,
        CompareError => compare_remedy,
        SemiTopicsError => semi_topics_remedy,
        MissingFactor => missing_factor_remedy,
        PointsError => points_remedy,
        SynthError => synth_remedy,
        TruthError => truth_remedy,
        UpdateError => update_remedy,
        RequestError => request_remedy,
        ImportError => import_remedy,
        EffectsError => effects_remedy,
        PartsError => parts_remedy,
    }
    None
}

/// A finding of `topoi check` on one line, with what mends it.
pub fn explained_finding(finding: &Finding) -> String {
    let remedy = match &finding.about {
        Subject::File => {
            "restore a backup, or copy what can be read with `sqlite3 STORE .recover`".into()
        }
        Subject::SearchTables => "make it anew: `topoi search CORPUS --index --rebuild`".into(),
        // What is wrong with it says so already.
        Subject::SearchIndex(_) => return finding.to_string(),
        Subject::Corpus(_) => "restore a backup, or ingest it into a new store".into(),
        Subject::Vectors(name) => import_again(name),
        Subject::Run(run) => {
            format!("restore a backup, or `topoi delete {run} --yes` and run it again")
        }
        Subject::Answer { .. } => format!(
            "restore a backup, or delete it: `topoi sql --write \"{}\"`",
            finding.about.deletion().unwrap_or_default()
        ),
    };
    format!("{finding}; {remedy}")
}

/// What to do about damaged vectors.
fn import_again(corpus: &str) -> String {
    format!(
        "import them again: `topoi import FILE --corpus {} --from embeddings`",
        shell_word(corpus)
    )
}

fn store_remedy(error: &StoreError) -> Option<String> {
    let remedy = match error {
        StoreError::NotADatabase(_) | StoreError::NotAStore(_) => {
            "name another file with --store".into()
        }
        StoreError::BeforeVersion02(_) => {
            "ingest its corpora anew into another store (--store FILE)".into()
        }
        StoreError::TooOld { .. } => {
            "bring it up to date with `topoi check --upgrade`, which keeps a copy".into()
        }
        StoreError::OtherSchema { remove: Some(remove), .. } => {
            format!("remove it with `topoi sql --write \"{remove}\"`")
        }
        StoreError::OtherSchema { remove: None, .. } => {
            "restore a backup, or mend it with `sqlite3`".into()
        }
        StoreError::Missing(_) => {
            "make one with `topoi ingest CORPUS PATH` or `topoi demo`".into()
        }
        StoreError::CannotOpen { .. } => {
            "check the directory's permissions or name another file with --store".into()
        }
        StoreError::FullLog { path, bytes } => format!(
            "free {} MB elsewhere on it and give the same command again, or take the store to another disk with \
             `topoi --store {} backup FILE`",
            (bytes >> 20) + 1,
            path_word(path)
        ),
        StoreError::UnknownCorpus { known, .. } if known.is_empty() => {
            "the store is empty: fill it with `topoi ingest CORPUS PATH`".into()
        }
        StoreError::UnknownVocabulary { known, corpus, .. } if known.is_empty() => format!(
            "save one with `topoi terms {} --save NAME` and the rules for it",
            shell_word(corpus)
        ),
        StoreError::UnknownDocument { corpus, .. } | StoreError::NoDocument { corpus, .. } => {
            format!("`topoi documents {}` lists them", shell_word(corpus))
        }
        StoreError::UnknownRun(_) => "`topoi runs` lists them".into(),
        StoreError::UnknownTopic { run, .. } => format!("`topoi topics {run}` lists them"),
        StoreError::UnknownResult(_) => "`topoi results` lists them".into(),
        StoreError::ResultExists(name) => format!(
            "save this one under another name, or delete that one: `topoi delete results {}`",
            shell_word(name)
        ),
        StoreError::DamagedBlock { .. } => {
            "run `topoi check`, then ingest the corpus again".into()
        }
        StoreError::UnreadableDocument { .. } | StoreError::DamagedCorpus { .. } => {
            "`topoi check` says more; restore a backup, or ingest it into a new store".into()
        }
        StoreError::DamagedVectors { corpus, .. } => import_again(corpus),
        StoreError::TooManyTerms => "ingest it into several, or keep fewer words (--min-length)".into(),
        StoreError::DamagedSums { .. } => {
            "start a new run with `topoi run` and --keep-sums".into()
        }
        StoreError::DamagedRun { run, .. } => format!(
            "`topoi check` says more; restore a backup, or `topoi delete {run} --yes` and run it again"
        ),
        StoreError::DamagedIndex { .. } => {
            "make it anew with `topoi search CORPUS --index --rebuild`".into()
        }
        StoreError::NoText(_) | StoreError::Sqlite { .. } => "run `topoi check`".into(),
        StoreError::TooManyParts { .. } => "use fewer --parts".into(),
        StoreError::InParts { corpus, parts } => format!(
            "`topoi --store PART` reads those of one; start runs of all with `mpirun -n {parts} topoi run {} --parts \
             PATTERN`, and add new documents to a part, then `topoi unify`",
            shell_word(corpus)
        ),
        StoreError::PartHasGrown => "give `topoi unify` again".into(),
        StoreError::UpdatedMeanwhile { newest, .. } => {
            format!("`topoi update {newest}` continues from there")
        }
        StoreError::NoWorker { .. } => {
            "what waits in the queue begins with the next `topoi runs`, unless `topoi cancel` takes it out".into()
        }
        StoreError::QueryWrites => "`topoi sql --write` allows it".into(),
        StoreError::TookTooLong { .. } => {
            "ask for less, or allow more with `topoi sql --limit-seconds N`".into()
        }
        StoreError::ConditionTookTooLong { .. } => {
            "where it joins tables, compare them by their keys, or choose the documents by `topoi sql` and give \
             their keys"
                .into()
        }
        StoreError::TooNew { .. }
        | StoreError::SecondName { .. }
        | StoreError::MountedAlone(_)
        | StoreError::OtherHost { .. }
        | StoreError::NoLocks { .. }
        | StoreError::Replaced(_)
        | StoreError::Full(_)
        | StoreError::OutOfMemory(_)
        | StoreError::Busy(_)
        | StoreError::UnknownCorpus { .. }
        | StoreError::UnknownVocabulary { .. }
        | StoreError::BeingFilled { .. }
        | StoreError::InTheWay(_)
        | StoreError::ChangedMeanwhile { .. }
        | StoreError::NotAPart { .. }
        | StoreError::NotOurs { .. }
        | StoreError::File { .. }
        | StoreError::Spilled(_)
        | StoreError::Query(_)
        | StoreError::Interrupted => return None,
    };
    Some(remedy)
}

fn stream_remedy(error: &StreamError) -> Option<String> {
    match error {
        StreamError::TooFewDocuments { .. } => {
            Some("use a larger vocabulary or a lower --min-tokens".into())
        }
        _ => None,
    }
}

fn model_remedy(error: &ModelError) -> Option<String> {
    match error {
        ModelError::TooFewNovelWords { groups, .. } => Some(format!(
            "try a smaller --distance or more --projections, or {}",
            fewer_topics_remedy(*groups)
        )),
        ModelError::TooManyTopics { most: found, .. }
        | ModelError::TooFewAnchors { found, .. }
        | ModelError::TooFewFactors { found, .. } => Some(fewer_topics_remedy(*found).into()),
        _ => None,
    }
}

/// The remedy for a corpus with at most `found` topics; a run has at least 2.
fn fewer_topics_remedy(found: usize) -> &'static str {
    match found {
        0 | 1 => "add documents of other words, or use --model lda-gibbs or nmf-kl",
        _ => "use a smaller -k, or more documents or terms",
    }
}

/// Includes the separator, as most begin with the remark that nothing was added.
fn ingest_remedy(error: &IngestError) -> Option<String> {
    let ending = match error {
        IngestError::UnknownChoice(_) => "; they are those in --help",
        IngestError::NoLength { .. } => "; raise --max-length or lower --min-length",
        IngestError::AbsentOrUnread { .. } => {
            "; mend those (`topoi sql 'SELECT place, reason FROM ingest_note'`)"
        }
        IngestError::MostAbsent { .. } => "; with --yes they are deleted",
        IngestError::NgramLength(_) => "; give --ngrams from 1 to 5",
        IngestError::NoTextToChunk(_) => ": leave out --chunk, or give the texts",
        IngestError::Empty(_) => ": leave it out or say its --format",
        IngestError::NoVocabulary { .. } | IngestError::UnnamedVocabulary { .. } => {
            ": name it with --vocab FILE"
        }
        IngestError::NeedlessVocabulary(_) => ": leave out --vocab or say --format",
        _ => return None,
    };
    Some(ending.into())
}

fn search_remedy(error: &SearchError) -> Option<String> {
    match error {
        SearchError::NoTexts { corpus } => {
            Some(format!("`topoi terms {}` lists its words", shell_word(corpus)))
        }
        SearchError::UnknownTerm { corpus, .. } => {
            Some(format!("`topoi terms {}` lists its terms", shell_word(corpus)))
        }
        _ => None,
    }
}

fn work_remedy(error: &WorkError) -> Option<String> {
    let remedy = match error {
        WorkError::NoTopics { .. } => "start it again with `topoi run`",
        WorkError::NoDocuments { .. } => "start it again with `topoi run`, without --no-documents",
        WorkError::DocumentsInParts { run, parts } => {
            return Some(format!(
                "`mpirun -n {parts} topoi by {run} FIELD --parts PATTERN` reads all, and `topoi --store PART runs` lists \
                 the run as one of them has it"
            ));
        }
        WorkError::InUse { .. } => "try again when it has ended",
        WorkError::NoHalves { run } => {
            return Some(format!("make some, with `topoi stability {run} --halves 5`"));
        }
        WorkError::OtherDocuments { .. }
        | WorkError::CorpusChanged { .. }
        | WorkError::VocabularyChanged { .. }
        | WorkError::StartIsGone { .. }
        | WorkError::SummedDocumentsChanged { .. }
        | WorkError::OtherSums { .. }
        | WorkError::SumsByRow { .. }
        | WorkError::Seeds { .. } => "start a new run with `topoi run`",
        WorkError::WasInParts { parts, .. } => {
            return Some(format!(
                "start it again with `mpirun -n {parts} topoi run` and compare the result_hash of both"
            ));
        }
        WorkError::Threads { .. } => "use a lower --threads",
        _ => return None,
    };
    Some(remedy.into())
}

fn bounds_remedy(error: &BoundsError) -> Option<String> {
    match error {
        BoundsError::NoTerms { .. } => Some("use a larger --terms or weaker rules".into()),
        _ => None,
    }
}

fn stability_remedy(error: &StabilityError) -> Option<String> {
    let remedy = match error {
        StabilityError::CorpusChanged { .. } => "start a new run with `topoi run`",
        StabilityError::NoSiblings { .. } => "ask for --halves or --seeds of 1 or more",
        StabilityError::HalvedTwice { .. } => "use --halves 1",
        _ => return None,
    };
    Some(remedy.into())
}

fn export_remedy(error: &ExportError) -> Option<String> {
    let remedy = match error {
        ExportError::Write { .. } => "give --into a place that can be written",
        ExportError::Unread => "name a file with --into",
        ExportError::NoFolder => "name the folder with --into",
        ExportError::OneRun { .. } => {
            "export them one by one, or give --to html to have them side by side"
        }
        ExportError::TooLong(_) => "take --to csv",
        ExportError::FigureEnding { .. } => "browsers and drawing programs turn .svg into others",
        ExportError::LettersWithoutFont { .. } => {
            "name a font that has them with --font, or write an .svg"
        }
        ExportError::NotAFont { .. } => "give --font a file that ends in .ttf, .otf or .ttc",
        ExportError::InTheWay(_) => "give --into another name, or --force to replace it",
        ExportError::Irreplaceable { .. } => "give --into another name",
        ExportError::Foreign(_) => "move it elsewhere, or give --into another name",
        _ => return None,
    };
    Some(remedy.into())
}

fn field_remedy(error: &FieldError) -> Option<String> {
    match error {
        FieldError::NotOfKind { corpus, field, .. } => Some(format!(
            "`topoi fields {}` lists kinds, and --set {}=KIND changes one",
            shell_word(corpus),
            shell_word(field)
        )),
        FieldError::TooManyGroups { .. } => Some(
            "choose fields with fewer values, longer periods (--per), or fewer documents (--where)"
                .into(),
        ),
        FieldError::NoGroups { corpus, .. } => {
            Some(format!("`topoi fields {}` lists them", shell_word(corpus)))
        }
        _ => None,
    }
}

fn judge_remedy(error: &JudgeError) -> Option<String> {
    match error {
        JudgeError::NoTopics { .. } => Some("`topoi runs` lists those that have".into()),
        _ => None,
    }
}

fn delete_remedy(error: &DeleteError) -> Option<String> {
    match error {
        DeleteError::UnderWay { run, .. } => {
            Some(format!("stop it first with `topoi cancel {run}`"))
        }
        DeleteError::Store(_) => None,
    }
}

fn update_remedy(error: &UpdateError) -> Option<String> {
    match error {
        UpdateError::NotFinished(run) => Some(format!("`topoi resume {run}`")),
        UpdateError::NoBasis { .. } => Some("start a new run with `topoi run`".into()),
        UpdateError::NoSums { model, corpus, k, .. } => Some(format!(
            "start one that does with `topoi run {} --model {model} -k {k} --keep-sums`, which can be updated",
            shell_word(corpus)
        )),
        UpdateError::NoWords { corpus, k, .. } => {
            Some(format!("start anew with `topoi run {} -k {k}`", shell_word(corpus)))
        }
        UpdateError::NotRevisable { reason: NotRevisable::OtherParts, .. } => Some(
            "`mpirun -n N topoi --store WHOLE update RUN --parts PATTERN` updates it in all".into(),
        ),
        UpdateError::NotRevisable { run, .. } => Some(format!(
            "`topoi update {run} --refit` fits lr-jsmf and rp again, `topoi run` any model"
        )),
        UpdateError::Store(_) | UpdateError::Work(_) | UpdateError::NothingNew { .. } => None,
    }
}

fn request_remedy(error: &RequestError) -> Option<String> {
    match error {
        RequestError::TooMuchMemory { .. } => {
            Some("use fewer --terms, --model lr-jsmf, or a higher --memory".into())
        }
        RequestError::NeedsOneMachine { .. } => {
            Some("use a model that streams, such as lr-jsmf".into())
        }
        RequestError::TakesNoSeeds { .. } => {
            let those = Model::names_that(|model| model.card().takes_seeds);
            Some(format!("leave --seeds out, or use --model {those}"))
        }
        _ => None,
    }
}

fn import_remedy(error: &ImportError) -> Option<String> {
    match error {
        ImportError::Line { .. } => Some("use --from topics-csv for tables".into()),
        ImportError::NoWord { .. } => {
            Some("use more --terms, or import into the corpus it was made from".into())
        }
        _ => None,
    }
}

fn effects_remedy(error: &EffectsError) -> Option<String> {
    match error {
        EffectsError::ManyCategories { field, .. } => Some(format!(
            "take out its values' means with --absorb {0}, choose fewer documents (--where), or say that it is a number \
             or date (`topoi fields CORPUS --set {0}=KIND`)",
            shell_word(field)
        )),
        EffectsError::NotFinite { .. } => Some("leave such documents out with --where".into()),
        EffectsError::NoLevel => Some("ask for differences, with --contrast or --marginal".into()),
        _ => None,
    }
}

fn parts_remedy(error: &PartsError) -> Option<String> {
    match error {
        PartsError::OnePath(_) => {
            Some("put {rank} where the number of the part stands in --parts".into())
        }
        PartsError::OtherDocuments { .. } => Some(
            "split it again with `topoi shard`, or unite its parts again with `topoi unify`".into(),
        ),
        PartsError::DocumentsAreHere { .. } => Some("leave out --parts".into()),
        _ => None,
    }
}

fn compare_remedy(error: &CompareError) -> Option<String> {
    match error {
        CompareError::TooFew => Some("`topoi runs` lists them".into()),
        _ => None,
    }
}

fn semi_topics_remedy(error: &SemiTopicsError) -> Option<String> {
    match error {
        SemiTopicsError::NoTopics { .. } => Some("give --from a finished run".into()),
        SemiTopicsError::Store(_) => None,
    }
}

fn missing_factor_remedy(MissingFactor(run): &MissingFactor) -> Option<String> {
    Some(format!(
        "it is made once: `topoi shape {run} --preview` takes about as long as its model did"
    ))
}

fn points_remedy(error: &PointsError) -> Option<String> {
    match error {
        PointsError::File { .. } => Some("give --gmm a CSV or Matrix Market file of points".into()),
        PointsError::Line { .. } => None,
    }
}

fn synth_remedy(error: &SynthError) -> Option<String> {
    match error {
        SynthError::Exists { .. } => Some("choose another --name or delete it".into()),
        SynthError::Write { .. } => {
            Some("choose a directory --into which files can be written".into())
        }
        _ => None,
    }
}

fn truth_remedy(error: &TruthError) -> Option<String> {
    match error {
        TruthError::Read { .. } => Some(
            "give a CSV of topic, term and probability, as `topoi synth` and `topoi export --to csv` write them".into(),
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;
    use topoi_store::id::RunId;

    #[test]
    fn a_cause_is_said_once_and_before_the_remedy() {
        let source = || std::io::Error::other("the disk is gone");
        let file = StoreError::File { path: "a".into(), source: source() };
        let told = "a: the disk is gone; check that the store's directory can be written";
        assert_eq!(explained(&file), told);
        let wrapped = Err::<(), _>(source()).context("cannot draw").expect_err("wrapped");
        assert_eq!(explained(wrapped.as_ref()), "cannot draw: the disk is gone");
    }

    #[test]
    fn the_remedy_is_found_beneath_the_errors_that_wrap_it() {
        let error =
            WorkError::from(ModelError::from(StreamError::from(StoreError::UnknownRun(RunId(7)))));
        assert_eq!(explained(&error), "there is no run 7; `topoi runs` lists them");
        let wrapped = Err::<(), _>(error).context("not exported").expect_err("wrapped");
        let told = "not exported: there is no run 7; `topoi runs` lists them";
        assert_eq!(explained(wrapped.as_ref()), told);
    }

    #[test]
    fn a_smaller_k_is_a_remedy_only_where_there_is_one() {
        for (found, has_smaller) in [(0, false), (1, false), (2, true), (7, true)] {
            let errors = [
                ModelError::TooFewAnchors { found, asked: found + 1 },
                ModelError::TooFewFactors { found, asked: found + 1 },
                ModelError::TooFewNovelWords { words: 9, groups: found, asked: found + 1 },
                ModelError::TooManyTopics { most: found, asked: found + 1 },
            ];
            for error in errors.map(|error| explained(&error)) {
                assert_eq!(error.contains("smaller -k"), has_smaller, "{error}");
            }
        }
    }
}
