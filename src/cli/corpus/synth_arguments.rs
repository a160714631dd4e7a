//! The arguments of `topoi synth`.

use crate::cli::typed::run_reference::run_reference;
use std::path::PathBuf;
use topoi_store::id::RunId;

use clap::{Args, Subcommand, ValueEnum};

use crate::cli::output::OutputFormat;
use topoi_core::synth::bitmap::BitmapCorpusSettings;
use topoi_core::synth::faults::InjectedFaults;
use topoi_core::synth::files::{Compression, Destination};
use topoi_core::synth::lda::LdaSettings;
use topoi_core::synth::length::Length;
use topoi_core::synth::semi::{NovelWords, SemiSettings};
use topoi_core::synth::separable::SeparableSettings;
use topoi_core::synth::swimmer::{Rendering, SwimmerSettings};
use topoi_core::synth::zipf::ZipfSettings;

/// Make a corpus with known topics, as files to ingest and to compare runs with
///
/// Writes docword.NAME.txt and vocab.NAME.txt, which `topoi ingest` reads, truth.NAME.csv with
/// the true topics, which `topoi compare RUN --truth` reads, and truth.NAME.json with all
/// settings. The same settings and seed give the same corpus, to the bit; its first documents
/// are the same however many there are.
#[derive(Debug, Args)]
pub struct SynthArgs {
    #[command(subcommand)]
    pub kind: Kind,
}
#[derive(Debug, Subcommand)]
pub enum Kind {
    /// Topics and documents of latent Dirichlet allocation
    Lda(LdaArgs),
    /// Topics with novel words, each in one topic only (Ding et al. 2013, section 6.2)
    Separable(SeparableArgs),
    /// Documents drawn from the topics of a saved run (Ding et al. 2015, section VI-A)
    Semi(SemiArgs),
    /// 256 pictures of a swimmer; the topics are 16 positions of limbs (Ding et al. 2013, 6.3)
    Swimmer(SwimmerArgs),
    /// One topic a document, disjoint words, Zipf lengths (Biggs et al. 2008, section 5)
    Zipf(ZipfArgs),
    /// Images that show some of a set of disjoint features (Biggs et al. 2008, section 6)
    Bitmap(BitmapArgs),
}

/// Where the corpus goes, and its seed.
#[derive(Debug, Args)]
pub struct Target {
    /// The directory for the files; made when it is not there
    #[arg(long, value_name = "DIR")]
    pub into: PathBuf,
    /// The corpus's name, part of the files' names [default: the kind]
    #[arg(long)]
    pub name: Option<String>,
    /// Seed of all random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Write the documents as docword.NAME.txt.gz
    #[arg(long)]
    pub gzip: bool,
    /// How to print the result
    #[arg(long, short, value_enum, default_value_t)]
    pub output: OutputFormat,
}

impl Target {
    /// The destination of a corpus of kind `kind`.
    pub fn destination(&self, kind: &str) -> Destination {
        Destination {
            directory: self.into.clone(),
            name: self.name.clone().unwrap_or_else(|| kind.to_string()),
            compression: if self.gzip { Compression::Gzip } else { Compression::Plain },
        }
    }
}

/// How the lengths of documents vary.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Lengths {
    /// All documents have --tokens tokens
    #[default]
    Fixed,
    /// As a Poisson distribution says whose mean is --tokens; a document can be empty
    Poisson,
    /// From 2 to --tokens, each order of magnitude as often
    Uneven,
}

impl Lengths {
    fn with_tokens(self, tokens: u32) -> Length {
        match self {
            Self::Fixed => Length::Fixed(tokens),
            Self::Poisson => Length::Poisson(tokens),
            Self::Uneven => Length::Uneven(tokens),
        }
    }
}

/// Faults of real collections.
#[derive(Debug, Args)]
pub struct FaultArgs {
    /// This share of the documents are copies of the one before, with a token in twenty lost
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, allow_negative_numbers = true)]
    copies: f64,
    /// This share of the documents have twenty more words, always the same
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, allow_negative_numbers = true)]
    boilerplate: f64,
}

impl FaultArgs {
    pub fn faults(&self) -> InjectedFaults {
        let &Self { copies, boilerplate } = self;
        InjectedFaults { copies, boilerplate }
    }
}

#[derive(Debug, Args)]
pub struct LdaArgs {
    #[command(flatten)]
    pub target: Target,
    #[command(flatten)]
    pub faults: FaultArgs,
    /// M, the documents
    #[arg(long, default_value_t = 10_000)]
    documents: u64,
    /// W, the words
    #[arg(long, default_value_t = 5000)]
    words: usize,
    /// K, the topics
    #[arg(long, short = 'k', default_value_t = 50)]
    topics: usize,
    /// N, the tokens of a document
    #[arg(long, default_value_t = 300)]
    tokens: u32,
    /// How the lengths of documents vary
    #[arg(long, value_enum, default_value_t)]
    lengths: Lengths,
    /// Dirichlet parameter of a document's topic weights
    #[arg(long, default_value_t = 0.1, allow_negative_numbers = true)]
    alpha: f64,
    /// Dirichlet parameter of a topic's word probabilities
    #[arg(long, default_value_t = 0.01, allow_negative_numbers = true)]
    beta: f64,
}

impl LdaArgs {
    pub fn settings(&self) -> LdaSettings {
        let &Self { documents, words, topics, alpha, beta, .. } = self;
        let (length, seed) = (self.lengths.with_tokens(self.tokens), self.target.seed);
        LdaSettings { documents, words, topics, length, alpha, beta, seed }
    }
}

#[derive(Debug, Args)]
pub struct SeparableArgs {
    #[command(flatten)]
    pub target: Target,
    /// M, the documents
    #[arg(long, default_value_t = 1000)]
    documents: u64,
    /// W, the words
    #[arg(long, default_value_t = 500)]
    words: usize,
    /// K, the topics
    #[arg(long, short = 'k', default_value_t = 5)]
    topics: usize,
    /// The share of the words that are novel, divided among the topics
    #[arg(long, default_value_t = 0.2, allow_negative_numbers = true)]
    rho: f64,
    /// N, the tokens of a document
    #[arg(long, default_value_t = 100)]
    tokens: u32,
    /// How the lengths of documents vary
    #[arg(long, value_enum, default_value_t)]
    lengths: Lengths,
    /// Dirichlet parameter of a document's topic weights
    #[arg(long, default_value_t = 0.1, allow_negative_numbers = true)]
    alpha: f64,
}

impl SeparableArgs {
    pub fn settings(&self) -> SeparableSettings {
        let &Self { documents, words, topics, rho, alpha, .. } = self;
        let (length, seed) = (self.lengths.with_tokens(self.tokens), self.target.seed);
        SeparableSettings { documents, words, topics, rho, length, alpha, seed }
    }
}

#[derive(Debug, Args)]
pub struct SemiArgs {
    #[command(flatten)]
    pub target: Target,
    #[command(flatten)]
    pub faults: FaultArgs,
    /// The run whose topics are drawn from, as `topoi runs` lists it
    #[arg(value_parser = run_reference(), long, value_name = "RUN")]
    pub from: RunId,
    /// Give each topic a novel word, as probable as its most probable word, so that the topics are
    /// separable
    #[arg(long)]
    novel: bool,
    /// M, the documents
    #[arg(long, default_value_t = 10_000)]
    documents: u64,
    /// N, the tokens of a document
    #[arg(long, default_value_t = 300)]
    tokens: u32,
    /// How the lengths of documents vary
    #[arg(long, value_enum, default_value_t)]
    lengths: Lengths,
    /// Dirichlet parameter of a document's topic weights
    #[arg(long, default_value_t = 0.03, allow_negative_numbers = true)]
    alpha: f64,
}

impl SemiArgs {
    /// The settings; `from` describes the run.
    pub fn settings(&self, from: String) -> SemiSettings {
        let &Self { documents, alpha, .. } = self;
        let novel = if self.novel { NovelWords::OnePerTopic } else { NovelWords::None };
        let (length, seed) = (self.lengths.with_tokens(self.tokens), self.target.seed);
        SemiSettings { from, novel, documents, length, alpha, seed }
    }
}

#[derive(Debug, Args)]
pub struct SwimmerArgs {
    #[command(flatten)]
    pub target: Target,
    /// Draw tokens from each picture, background pixels too, instead of 10 for each body pixel
    #[arg(long)]
    noisy: bool,
    /// The tokens of a noisy picture
    #[arg(long, default_value_t = 200, requires = "noisy")]
    tokens: u32,
    /// The value of a background pixel in a noisy picture, where that of a body pixel is 10
    #[arg(long, default_value_t = 1, requires = "noisy")]
    background: u32,
}

impl SwimmerArgs {
    pub fn settings(&self) -> SwimmerSettings {
        let &Self { tokens, background, .. } = self;
        let rendering =
            if self.noisy { Rendering::Noisy { tokens, background } } else { Rendering::Clean };
        SwimmerSettings { rendering, seed: self.target.seed }
    }
}

#[derive(Debug, Args)]
pub struct ZipfArgs {
    #[command(flatten)]
    pub target: Target,
    /// n, the documents
    #[arg(long, default_value_t = 10_000)]
    documents: u64,
    /// m, the words
    #[arg(long, default_value_t = 1000)]
    words: usize,
    /// t, the topics
    #[arg(long, short = 'k', default_value_t = 10)]
    topics: usize,
    /// The probability, in a topic, of each word that is not its own
    #[arg(long, default_value_t = 1e-4, allow_negative_numbers = true)]
    epsilon: f64,
    /// L: all documents have fewer tokens than this
    #[arg(long, default_value_t = 1000)]
    longest: u32,
}

impl ZipfArgs {
    pub fn settings(&self) -> ZipfSettings {
        let &Self { documents, words, topics, epsilon, longest, .. } = self;
        ZipfSettings { documents, words, topics, epsilon, longest, seed: self.target.seed }
    }
}

#[derive(Debug, Args)]
pub struct BitmapArgs {
    #[command(flatten)]
    pub target: Target,
    /// n, the images
    #[arg(long, default_value_t = 1000)]
    documents: u64,
    /// Rows and columns of an image
    #[arg(long, default_value_t = 16)]
    side: usize,
    /// t, the features that the pixels are cut into
    #[arg(long, short = 'k', default_value_t = 10)]
    topics: usize,
    /// How many features each image shows, at most half of them
    #[arg(long, default_value_t = 3)]
    shown: usize,
}

impl BitmapArgs {
    pub fn settings(&self) -> BitmapCorpusSettings {
        let &Self { documents, side, topics, shown, .. } = self;
        BitmapCorpusSettings { documents, side, topics, shown, seed: self.target.seed }
    }
}
