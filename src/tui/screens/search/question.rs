//! Questions to the store: the documents that match a query.

use crate::cli::remedy::explained;
use crate::tui::question::{Question, QuestionContext};
use topoi_ingest::search::making::index_cost;
use topoi_ingest::search::{SearchError, SearchOrder, SearchResults, Searcher};
use topoi_store::corpus::Corpus;
use topoi_store::id::CorpusId;
use topoi_store::{Store, StoreError};

/// Rows that are listed.
pub const ROWS: usize = 200;
/// Letters of a snippet: as many as a wide screen has.
const LETTERS: usize = 220;
/// Texts that are read in less time than this need no index.
const QUICK: f64 = 0.3;

#[derive(Debug, Clone, PartialEq)]
pub struct SearchQuestion {
    /// `None` is the first corpus by name.
    pub corpus: Option<CorpusId>,
    pub query: Option<String>,
}

/// Whether the corpus has an index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum IndexState {
    /// It has, or its texts are so few that it needs none.
    Ready,
    /// It needs one: what that will take, and how many documents are in it.
    Wanted { bytes: u64, seconds: f64, done: u64 },
}

#[derive(Debug, Clone, PartialEq)]
pub struct SearchAnswer {
    /// `None` in a store without corpora.
    pub corpus: Option<Corpus>,
    pub index: IndexState,
    /// What was found, or why nothing can be; `None` where nothing was looked for.
    pub found: Option<Result<SearchResults, String>>,
}

impl Question for SearchQuestion {
    type Answer = Box<SearchAnswer>;

    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<Self::Answer, StoreError> {
        let store = asking.store;
        let corpus = match self.corpus {
            Some(id) => Some(store.corpus_by_id(id)?),
            None => store.corpora()?.into_iter().next(),
        };
        let (mut index, mut found) = (IndexState::Ready, None);
        if let Some(corpus) = &corpus {
            index = state_of(store, corpus)?;
            if let (Some(query), IndexState::Ready) = (&self.query, index) {
                let version = store.documents_version()?;
                let read = || told(search(store, corpus, query));
                found = Some(asking.cache.answered(self, corpus, version, read)?);
            }
        }
        Ok(Box::new(SearchAnswer { corpus, index, found }))
    }
}

fn state_of(store: &Store, corpus: &Corpus) -> Result<IndexState, StoreError> {
    if corpus.parts_elsewhere.is_some() || store.is_indexed(corpus)? {
        return Ok(IndexState::Ready);
    }
    let done = store.search_index(corpus.id)?.map_or(0, |index| index.documents);
    Ok(match told(index_cost(store, corpus))? {
        Ok(cost) if cost.seconds > QUICK => {
            IndexState::Wanted { bytes: cost.bytes, seconds: cost.seconds, done }
        }
        _ => IndexState::Ready,
    })
}

fn search(store: &Store, corpus: &Corpus, query: &str) -> Result<SearchResults, SearchError> {
    let searcher = Searcher::open(store, corpus)?;
    let what = searcher.parse(query)?;
    searcher.find(&what, SearchOrder::Relevance, ROWS, LETTERS)
}

/// Errors of the query are shown on the screen, those of the store as for every question.
pub fn told<T>(found: Result<T, SearchError>) -> Result<Result<T, String>, StoreError> {
    match found {
        Ok(found) => Ok(Ok(found)),
        Err(SearchError::Store(error @ (StoreError::Interrupted | StoreError::Busy(_)))) => {
            Err(error)
        }
        Err(error) => Ok(Err(explained(&error))),
    }
}
