//! Where keys hold.

/// Where a binding holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    /// On every screen, unless something more special holds.
    Everywhere,
    /// On screens that are lists.
    List,
    /// Only on the list of corpora.
    Corpora,
    /// Only on a corpus.
    Corpus,
    /// Only while a document is read.
    Document,
    /// Only on the rows of a query.
    Sql,
    /// While a query is typed.
    Prompt,
    /// Only in the launch form.
    Launch,
    /// Only on the list of runs.
    Runs,
    /// Only on a run.
    Run,
    /// Only on the correlations of a run.
    Correlations,
    /// Only on the map of a run.
    Map,
    /// Only on the facts of a run.
    Facts,
    /// Only on the comparison.
    Compare,
    /// Only where K is chosen by metrics.
    ChooseK,
    /// Only on the bounds on K.
    Bounds,
    /// Only where a K is recommended.
    Advice,
    /// While the name of a topic is typed.
    Naming,
    /// While a filter is typed.
    Filter,
    /// While a question is open.
    Question,
    /// While the help is open.
    Help,
    /// While the terminal is too small to be drawn on.
    TooSmall,
}

impl Context {
    /// The heading of its keys in the help.
    pub fn title(self) -> &'static str {
        match self {
            Self::Everywhere => "Everywhere",
            Self::List => "In lists",
            Self::Corpora => "Corpora",
            Self::Corpus => "Corpus",
            Self::Document => "Document",
            Self::Sql => "Rows of a query",
            Self::Prompt => "While typing a query",
            Self::Launch => "Launch form",
            Self::Runs => "Runs",
            Self::Run => "Run",
            Self::Correlations => "Correlations",
            Self::Map => "Map",
            Self::Facts => "Facts",
            Self::Compare => "Compare",
            Self::ChooseK => "K",
            Self::Bounds => "Bounds on K",
            Self::Advice => "Where to begin",
            Self::Naming => "While typing a name",
            Self::Filter => "While typing a filter",
            Self::Question => "At a question",
            Self::Help => "In this help",
            Self::TooSmall => "On a terminal that is too small",
        }
    }
}
