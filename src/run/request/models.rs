//! The models there are: what each is called and needs.

use crate::store::corpus::Corpus;

/// A model as people choose it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelCard {
    /// Its name on the command line and in the store.
    pub name: &'static str,
    /// One line on what it is and when to choose it.
    pub help: &'static str,
    /// Iterations it makes at most unless told otherwise; 0 where it does not iterate.
    pub iterations: usize,
    /// Whether runs of different K can share one factorisation.
    pub shares_factorisation: bool,
    /// How many W × W matrices it holds in memory; 0 for a model that streams.
    pub formed_matrices: usize,
    /// Columns of W numbers it holds, where that does not go with K; 0 where it does.
    pub columns: usize,
    /// Bytes it holds for each document and topic.
    pub document_bytes: usize,
    /// Bytes it holds for each token.
    pub token_bytes: usize,
}

/// A streamed model that holds nothing but W × K blocks.
const STREAMED: ModelCard = ModelCard {
    shares_factorisation: false,
    name: "",
    help: "",
    iterations: 0,
    formed_matrices: 0,
    columns: 0,
    document_bytes: 0,
    token_bytes: 0,
};

/// H, and as much again twice while it is kept for a run that may be interrupted.
const NMF_DOCUMENT_BYTES: usize = 24;

/// The models, the default first.
pub const MODELS: &[ModelCard] = &[
    ModelCard {
        name: "lr-jsmf",
        help: "rectified anchor words, streamed: the fastest, and the one to start with",
        iterations: 50,
        shares_factorisation: true,
        ..STREAMED
    },
    ModelCard {
        name: "enn",
        help: "as lr-jsmf, but from the whole co-occurrence matrix in memory",
        iterations: 50,
        formed_matrices: 1,
        ..STREAMED
    },
    ModelCard {
        name: "palm",
        help: "rectified by nonnegative proximal steps, streamed; slow to converge",
        iterations: 500,
        ..STREAMED
    },
    ModelCard {
        name: "raw",
        help: "rectified by alternating projections of the whole matrix: the slow reference",
        iterations: 1000,
        formed_matrices: 2,
        ..STREAMED
    },
    ModelCard {
        name: "aw",
        help: "anchor words without rectification: the classic baseline",
        formed_matrices: 2,
        ..STREAMED
    },
    ModelCard {
        name: "rp",
        help: "novel words by solid angles, streamed; also says how many topics there are",
        columns: 2048,
        ..STREAMED
    },
    ModelCard {
        name: "ddp",
        help: "novel words by data-dependent projections of the whole matrix",
        formed_matrices: 1,
        ..STREAMED
    },
    ModelCard {
        name: "rp-doc",
        help: "novel words by random projections over documents; leave rare words out for it",
        columns: 2048,
        ..STREAMED
    },
    ModelCard {
        name: "binning",
        help: "novel words by a projection for each of some groups of documents: rough, one pass",
        columns: 640,
        ..STREAMED
    },
    ModelCard {
        name: "svd",
        help: "latent semantic analysis: singular vectors of the counts, streamed; a baseline",
        ..STREAMED
    },
    ModelCard {
        name: "r1d",
        help: "rank-one downdate: words and documents taken out topic by topic, streamed",
        iterations: 100,
        ..STREAMED
    },
    ModelCard {
        name: "nmf-kl",
        help: "nonnegative factorisation by divergence, as PLSA: a good fit to the documents",
        iterations: 200,
        document_bytes: NMF_DOCUMENT_BYTES,
        ..STREAMED
    },
    ModelCard {
        name: "nmf-ard",
        help: "as nmf-kl, and says how many of the topics are relevant",
        iterations: 500,
        document_bytes: NMF_DOCUMENT_BYTES,
        ..STREAMED
    },
    ModelCard {
        name: "lda-gibbs",
        help: "latent Dirichlet allocation by Gibbs sampling: the yardstick; many sweeps",
        iterations: 200,
        // Two for a token's topic, the others while it is kept for a run that may be interrupted.
        token_bytes: 10,
        ..STREAMED
    },
];

/// How large a corpus is, as a run sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CorpusSize {
    /// Terms of the vocabulary, W.
    pub words: usize,
    /// Documents.
    pub documents: usize,
    /// Tokens.
    pub tokens: usize,
}

impl CorpusSize {
    /// Of a corpus seen through a vocabulary of `words` terms; all of its tokens count.
    pub fn of(corpus: &Corpus, words: usize) -> Self {
        Self { words, documents: corpus.documents as usize, tokens: corpus.tokens as usize }
    }
}

/// What stands in the place of a model for topics that another program made.
pub const IMPORTED: ModelCard = ModelCard {
    name: "imported",
    help: "topics from a file that another program wrote",
    ..STREAMED
};

impl ModelCard {
    /// Whether sums over documents are all it needs of a corpus, so that its documents can be in
    /// parts on several machines.
    pub fn streams(&self) -> bool {
        self.formed_matrices == 0 && self.token_bytes == 0
    }

    /// Bytes of memory it takes for K topics, within a factor of two.
    pub fn bytes(&self, size: CorpusSize, k: usize) -> usize {
        let CorpusSize { words, documents, tokens } = size;
        let formed = 8 * words * words * self.formed_matrices;
        let held = self.document_bytes * documents * k + self.token_bytes * tokens;
        // The Krylov basis, 8 times K + 10 columns, and as much again for work.
        formed + held + 8 * words * ((k + 10) * 16).max(self.columns) + 50_000_000
    }
}

/// The card of the model called `name`.
pub fn model_card(name: &str) -> Option<&'static ModelCard> {
    MODELS.iter().chain([&IMPORTED]).find(|card| card.name == name)
}
