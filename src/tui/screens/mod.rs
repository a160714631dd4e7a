//! The screens. A new one is a file or folder here and a line in [`all`].

pub mod by_field;
pub mod choose_k;
pub mod compare;
pub mod corpora;
pub mod corpus;
pub mod judge;
pub mod launch;
pub mod lists;
pub mod run;
pub mod runs;
pub mod search;
pub mod shape;
pub mod sql;
pub mod two_topics;
pub mod word;

pub use lists::{
    left_out, notes, parent, results, rising_words, same_topic, similar, topics_elsewhere,
    two_corpora,
};

use super::list::screen::ListScreen;
use super::screen::Screen;
use super::workbench::Workbench;

/// The screen with the form for a new run.
pub const NEW_RUNS: &str = launch::NAME;

/// All screens, those with a tab in the order of their digits.
pub fn all() -> Vec<Box<dyn Screen>> {
    vec![
        Box::<ListScreen<corpora::Corpora>>::default(),
        Box::<corpus::CorpusScreen>::default(),
        Box::<launch::LaunchScreen>::default(),
        Box::<runs::RunsScreen>::default(),
        Box::<run::RunScreen>::default(),
        Box::<compare::CompareScreen>::default(),
        Box::<choose_k::ChooseKScreen>::default(),
        Box::<sql::SqlScreen>::default(),
        Box::<search::SearchScreen>::default(),
        Box::<word::WordScreen>::default(),
        Box::<ListScreen<similar::Similar>>::default(),
        Box::<ListScreen<same_topic::SameTopic>>::default(),
        Box::<ListScreen<parent::Parent>>::default(),
        Box::<ListScreen<rising_words::RisingWords>>::default(),
        Box::<ListScreen<results::Results>>::default(),
        Box::<ListScreen<left_out::LeftOut>>::default(),
        Box::<ListScreen<notes::Notes>>::default(),
        Box::<ListScreen<two_corpora::TwoCorpora>>::default(),
        Box::<ListScreen<topics_elsewhere::TopicsElsewhere>>::default(),
        Box::<two_topics::TwoTopicsScreen>::default(),
        Box::<by_field::ByFieldScreen>::default(),
        Box::<shape::ShapeScreen>::default(),
        Box::<judge::JudgeScreen>::default(),
    ]
}

/// The screen of the open corpus, or of all.
pub fn corpus_or_corpora(workbench: &Workbench) -> &'static str {
    if workbench.open_corpus.is_some() { corpus::NAME } else { corpora::NAME }
}

/// The screen of the open run, or of all.
pub fn run_or_runs(workbench: &Workbench) -> &'static str {
    if workbench.open_run.is_some() { run::NAME } else { runs::NAME }
}
