//! The screens. A new one is a folder here and a line in [`all`].

pub mod by_field;
pub mod choose_k;
pub mod compare;
pub mod corpora;
pub mod corpus;
pub mod launch;
pub mod parent;
pub mod run;
pub mod runs;
pub mod same_topic;
pub mod search;
pub mod similar;
pub mod sql;
pub mod word;

use super::screen::Screen;

/// All screens, those with a tab in the order of their digits.
pub fn all() -> Vec<Box<dyn Screen>> {
    vec![
        Box::<corpora::CorporaScreen>::default(),
        Box::<corpus::CorpusScreen>::default(),
        Box::<launch::LaunchScreen>::default(),
        Box::<runs::RunsScreen>::default(),
        Box::<run::RunScreen>::default(),
        Box::<compare::CompareScreen>::default(),
        Box::<choose_k::ChooseKScreen>::default(),
        Box::<sql::SqlScreen>::default(),
        Box::<search::SearchScreen>::default(),
        Box::<word::WordScreen>::default(),
        Box::<similar::SimilarScreen>::default(),
        Box::<same_topic::SameTopicScreen>::default(),
        Box::<parent::ParentScreen>::default(),
        Box::<by_field::ByFieldScreen>::default(),
    ]
}
