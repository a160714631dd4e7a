//! What the reader is asked and what it answers: plain data, ready to be drawn.

pub use crate::records::corpora::CorpusRow;
pub use crate::records::runs::RunRow;
use topoi::run::choose_k::bounds::Bounds;
use topoi::run::choose_k::recommendation::Recommendation;
use topoi::run::choose_k::sweep::Sweep;
use topoi::run::saved::anchor_map::AnchorMap;
use topoi::run::saved::coloured_text::Piece;
use topoi::run::saved::compare::Comparison;
use topoi::run::saved::topic_images::TopicImages;
use topoi::run::saved::topic_lifts::TopicLifts;
use topoi::store::corpus::Corpus;
use topoi::store::corpus::document::Document;
use topoi::store::corpus::document_page::{DocumentOrder, Page};
use topoi::store::corpus::term::{Term, TermOrder};
use topoi::store::query::QueryResult;
use topoi::store::query::table_columns::TableColumns;
use topoi::store::result::metric::Metric;
use topoi::store::result::topic::Topic;
use topoi::store::run::Run;
use topoi::store::run::progress::Stage;

/// What a screen shows, as a question to the store.
#[derive(Debug, Clone, PartialEq)]
pub enum Query {
    /// All corpora.
    Corpora,
    /// A page of a corpus's documents and the first of its terms.
    Corpus(CorpusQuery),
    /// A document with the topics of its words.
    Document {
        /// Row id of its corpus.
        corpus: i64,
        /// Its row id.
        id: i64,
        /// The run whose topics are meant; `None` is the newest that has topics.
        run: Option<i64>,
    },
    /// What the launch form checks against.
    Launch,
    /// All runs, and the selected one in full.
    Runs {
        /// Number of the selected run; `None` is the newest.
        selected: Option<i64>,
    },
    /// A run and its topics.
    Run {
        /// The run's number; `None` is the newest that has topics.
        id: Option<i64>,
        /// What of it besides.
        view: RunView,
    },
    /// Runs side by side.
    Compare {
        /// Their numbers; none for the newest two of a corpus.
        runs: Vec<i64>,
    },
    /// What K is chosen by: the runs that differ from one in K alone, and bounds.
    ChooseK {
        /// Row id of the corpus; `None` is that of the run.
        corpus: Option<i64>,
        /// That run; `None` is the newest that is finished.
        run: Option<i64>,
    },
    /// The store's tables.
    Sql,
}

/// The sides a run can be seen from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RunView {
    /// A line for every topic.
    #[default]
    Topics,
    /// One topic in full.
    Topic,
    /// Which topics occur together.
    Correlations,
    /// The words in the plane of the anchors.
    Map,
    /// Settings, stages, metrics.
    Facts,
}

impl RunView {
    /// All views, in the order of the strip.
    pub const ALL: [Self; 5] =
        [Self::Topics, Self::Topic, Self::Correlations, Self::Map, Self::Facts];

    /// Its key and name in the strip.
    pub fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::Topics => ("t", "topics"),
            Self::Topic => ("w", "words"),
            Self::Correlations => ("x", "correlations"),
            Self::Map => ("m", "map"),
            Self::Facts => ("i", "facts"),
        }
    }
}

/// What of a corpus is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct CorpusQuery {
    /// Row id of the corpus; `None` is the first by name.
    pub id: Option<i64>,
    /// Only documents whose key or title holds this text.
    pub filter: String,
    /// In which order.
    pub order: DocumentOrder,
    /// Which page.
    pub page: Page,
    /// Only terms that hold this text.
    pub term_filter: String,
    /// In which order.
    pub term_order: TermOrder,
}

/// A question and its generation; an answer to an older generation is stale.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Counts questions.
    pub generation: u64,
    /// The question.
    pub query: Query,
}

/// An answer to a [`Request`].
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The generation of its question.
    pub generation: u64,
    /// Number of runs that are queued or running, for the line of tabs.
    pub active: usize,
    /// What was found.
    pub data: Data,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    /// Answers [`Query::Corpora`].
    Corpora(Vec<CorpusRow>),
    /// Answers [`Query::Corpus`]; `None` when there is no such corpus.
    Corpus(Option<Box<CorpusPage>>),
    /// Answers [`Query::Document`]; `None` when there is no such document.
    Document(Option<Box<DocumentSheet>>),
    /// Answers [`Query::Sql`].
    Sql(Vec<TableColumns>),
    /// Answers [`Query::Launch`].
    Launch {
        /// All corpora.
        corpora: Vec<Corpus>,
        /// All runs.
        runs: Vec<Run>,
    },
    /// Answers [`Query::Runs`].
    Runs {
        /// All runs, newest first.
        runs: Vec<RunRow>,
        /// The selected one in full.
        detail: Option<Box<RunDetail>>,
    },
    /// Answers [`Query::Run`]; `None` when there is no such run.
    Run(Option<Box<RunSheet>>),
    /// Answers [`Query::Compare`]; `None` when there are no two finished runs.
    Compare(Result<Option<Box<Comparison>>, String>),
    /// Answers [`Query::ChooseK`].
    ChooseK(Box<ChoiceOfK>),
    /// The store could not be read; its error in words.
    Failed(String),
}

/// What the number of topics of a corpus is chosen by.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChoiceOfK {
    /// The corpus's name; `None` when there is none.
    pub corpus: Option<String>,
    /// Its runs by K; `None` when there is no finished one.
    pub sweep: Option<Sweep>,
    /// The bounds that were saved last, if any were.
    pub bounds: Option<Bounds>,
    /// Which K to look at first; `None` for fewer than three.
    pub advice: Option<Recommendation>,
}

/// A page of a corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct CorpusPage {
    /// Its row.
    pub corpus: Corpus,
    /// The documents of the page.
    pub documents: Vec<Document>,
    /// How many documents the filter lets through, on all pages.
    pub matching: u64,
    /// The first terms that the filter lets through.
    pub terms: Vec<Term>,
    /// How many terms the filter lets through.
    pub matching_terms: u64,
}

/// A document with the topics of its words.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentSheet {
    /// Its row.
    pub document: Document,
    /// The runs of its corpus that have topics, newest first.
    pub runs: Vec<i64>,
    /// The run whose topics the words have.
    pub run: Option<i64>,
    /// The topics of its tokens, that of most tokens first.
    pub legend: Vec<LegendTopic>,
    /// Its text; empty where there is none.
    pub pieces: Vec<Piece>,
    /// The text is longer than what is shown.
    pub is_cut: bool,
    /// Its words.
    pub words: Vec<WordRow>,
}

/// A topic in the legend of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct LegendTopic {
    /// Its number.
    pub topic: u64,
    /// Its label, else its anchor, else its most probable word.
    pub name: String,
    /// Its most probable words.
    pub words: Vec<String>,
    /// The share of those of the document's tokens that have a topic, 0 to 1.
    pub share: f64,
}

/// A word of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct WordRow {
    /// The word.
    pub word: String,
    /// How often it occurs there.
    pub count: u64,
    /// The topic it most probably comes from, if it is a word of the run.
    pub topic: Option<u64>,
}

/// The outcome of the user's own query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answered {
    /// What was found.
    pub result: QueryResult,
    /// Seconds it took.
    pub seconds: f64,
}

/// The selected run in full.
#[derive(Debug, Clone, PartialEq)]
pub struct RunDetail {
    /// Its number.
    pub run: i64,
    /// Its stages so far.
    pub stages: Vec<Stage>,
    /// Its metrics, those of topics left out.
    pub metrics: Vec<Metric>,
    /// The stage whose residuals are here.
    pub residuals_of: Option<String>,
    /// Its residuals in order of steps: on the runs, of the last stage that has any; among the
    /// facts, of the one that has most.
    pub residuals: Vec<f64>,
}

/// A run and its topics.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSheet {
    /// The run as in the list.
    pub row: RunRow,
    /// Its topics by number; none before it is finished.
    pub topics: Vec<Topic>,
    /// All its metrics.
    pub metrics: Vec<Metric>,
    /// What the view needs besides.
    pub more: RunMore,
}

/// What a view of a run needs besides its topics and metrics; `None` inside where the run has
/// none.
#[derive(Debug, Clone, PartialEq)]
pub enum RunMore {
    /// For [`RunView::Topics`] and [`RunView::Topic`].
    Images(Option<TopicImages>),
    /// For [`RunView::Correlations`].
    Lifts(Option<TopicLifts>),
    /// For [`RunView::Map`].
    Map(Option<AnchorMap>),
    /// For [`RunView::Facts`].
    Facts(RunDetail),
}
