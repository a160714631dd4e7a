//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::bounds_arguments::BoundsArgs;
use super::delete_command::DeleteArgs;
use super::documents_command::DocumentsArgs;
use super::export_command::ExportArgs;
use super::held_out_command::HeldOutArgs;
use super::import_command::ImportArgs;
use super::infer_command::InferArgs;
use super::ingest_arguments::IngestArgs;
use super::life_arguments::{QueueArgs, ResumeArgs, VerifyArgs};
use super::output::OutputFormat;
use super::parts_arguments::{ShardArgs, UnifyArgs};
use super::run_arguments::RunArgs;
use super::shell_command::{CompletionsArgs, ManArgs};
use super::sweep_arguments::{StabilityArgs, SweepArgs};
use super::synth_arguments::SynthArgs;
use super::terms_command::TermsArgs;

/// Topic models of large text collections, in one SQLite file.
///
/// Without a command on a terminal, topoi opens its workbench.
#[derive(Debug, Parser)]
#[command(name = "topoi", version, about, max_term_width = 100)]
pub struct Arguments {
    /// The store: one SQLite file with everything [default: $TOPOI_STORE, else
    /// ~/.local/share/topoi/topoi.db]
    #[arg(long, global = true, value_name = "PATH")]
    pub store: Option<PathBuf>,
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Add documents to a corpus
    Ingest(IngestArgs),
    /// List the corpora
    Corpora(Printing),
    /// List a corpus's documents, or those that are most about a topic
    Documents(DocumentsArgs),
    /// List a corpus's terms, most frequent first, or what a vocabulary keeps and drops of them
    Terms(TermsArgs),
    /// List a corpus's named vocabularies
    Vocabularies(CorpusName),
    /// Bound the number of topics of a corpus before any model is run
    Bounds(BoundsArgs),
    /// Run a topic model on a corpus and save the run
    Run(RunArgs),
    /// Run a topic model for several numbers of topics, and print the table to choose from
    Sweep(SweepArgs),
    /// Tell which topics of a run come back from random halves of the documents or other seeds
    Stability(StabilityArgs),
    /// Score a model by documents it was not made from, over several splits
    HeldOut(HeldOutArgs),
    /// Say what new documents are about, by the topics of a run
    Infer(InferArgs),
    /// List the runs
    Runs(Printing),
    /// Show a run's topics
    Topics(TopicsArgs),
    /// Show a run's metrics
    Metrics(MetricsArgs),
    /// Compare runs: topics matched, words gained and lost, metrics side by side; or with the truth
    Compare(CompareArgs),
    /// Follow a run until it is over; Ctrl-C leaves it working
    Watch(RunNumber),
    /// Print a run's log
    Log(RunNumber),
    /// Make a run of the topics that another program found, to browse and compare them here
    Import(ImportArgs),
    /// Write a saved run as files for other tools
    Export(ExportArgs),
    /// Stop a run
    Cancel(RunNumber),
    /// Go on with a run that was interrupted, cancelled or failed, after its last finished stage
    Resume(ResumeArgs),
    /// Run the model of a run again after new documents, from where that run ended: lr-jsmf from its
    /// eigenvectors, rp from the sums it kept (--keep-sums)
    Update(ResumeArgs),
    /// Recompute a run and say whether corpus, vocabulary and result are the same to the bit
    Verify(VerifyArgs),
    /// Delete a run, a corpus with its runs, or documents
    Delete(DeleteArgs),
    /// List the runs that work and wait, and set how many work at once
    Queue(QueueArgs),
    /// Split a corpus into stores for several machines
    Shard(ShardArgs),
    /// Give stores that were filled on several machines one vocabulary, to run models on all of them
    Unify(UnifyArgs),
    /// Make a corpus with known topics, as files to ingest and to compare runs with
    ///
    /// Writes docword.NAME.txt and vocab.NAME.txt, which `topoi ingest` reads, truth.NAME.csv with
    /// the true topics, which `topoi compare RUN --truth` reads, and truth.NAME.json with all
    /// settings. The same settings and seed give the same corpus, to the bit; its first documents
    /// are the same however many there are.
    Synth(SynthArgs),
    /// Ask the store with one SQL query
    Sql(SqlArgs),
    /// Check the integrity of the store
    Check(CheckArgs),
    /// Print completions for a shell, such as `topoi completions bash`
    Completions(CompletionsArgs),
    /// Print the manual page
    Man(ManArgs),
    /// Fill a store with the sample corpora, run a model on each, open the workbench
    Demo,
    /// Work on the run whose turn it is (started by `run`, by the workbench and by other workers)
    #[command(hide = true)]
    Worker,
}

/// How to print.
#[derive(Debug, Clone, Copy, Args)]
pub struct Printing {
    /// How to print the result
    #[arg(long, short, value_enum, default_value_t)]
    pub output: OutputFormat,
}

/// A list that belongs to a corpus.
#[derive(Debug, Args)]
pub struct ListOfCorpus {
    /// The corpus
    pub corpus: String,
    /// Rows to print at most
    #[arg(long, default_value_t = 50)]
    pub limit: usize,
    #[command(flatten)]
    /// How to print.
    pub printing: Printing,
}

/// A corpus.
#[derive(Debug, Args)]
pub struct CorpusName {
    /// The corpus
    pub corpus: String,
    #[command(flatten)]
    /// How to print.
    pub printing: Printing,
}

/// A run's number.
#[derive(Debug, Clone, Copy, Args)]
pub struct RunNumber {
    /// The run's number, as `topoi runs` lists it
    pub run: i64,
}

/// What a topic's words are ranked by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum WordRank {
    /// How probable they are in the topic
    #[default]
    Probability,
    /// How frequent in the topic and exclusive to it they are (FREX)
    Frex,
}

/// Arguments of `topics`.
#[derive(Debug, Args)]
pub struct TopicsArgs {
    /// The run's number, as `topoi runs` lists it
    pub run: i64,
    /// Words of each kind to show
    #[arg(long, default_value_t = 10)]
    pub words: usize,
    /// What a topic's words are ranked by
    #[arg(long, value_enum, default_value_t)]
    pub rank: WordRank,
    #[command(flatten)]
    /// How to print.
    pub printing: Printing,
}

/// Arguments of `metrics`.
#[derive(Debug, Args)]
pub struct MetricsArgs {
    /// The run's number, as `topoi runs` lists it
    pub run: i64,
    /// Also the metrics of each topic
    #[arg(long)]
    pub topics: bool,
    /// Measure the run again first, from its saved topics and the corpus. What only the model
    /// knew while it worked (residuals, kkt_gap) stays as it was saved
    #[arg(long)]
    pub recompute: bool,
    /// Further coherence variants to compute and save, such as umass@gensim,cv@gensim, or all
    #[arg(long, value_delimiter = ',', value_name = "NAMES", requires = "recompute")]
    pub variants: Vec<String>,
    #[command(flatten)]
    /// How to print.
    pub printing: Printing,
}

/// Arguments of `compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Two or more runs' numbers; the topics of all are matched with those of the first, by the
    /// cosine of their word probabilities. With --truth, one is enough
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<i64>,
    /// Only the metrics
    #[arg(long)]
    pub metrics: bool,
    /// Match the topics of every run with the true ones in this file, truth.NAME.csv of `topoi
    /// synth` (topic,term,probability), so that the sum of the l1 distances is smallest
    #[arg(long, value_name = "FILE", conflicts_with = "metrics")]
    pub truth: Option<PathBuf>,
    #[command(flatten)]
    /// How to print.
    pub printing: Printing,
}

/// Arguments of `sql`.
#[derive(Debug, Args)]
pub struct SqlArgs {
    /// One SQL statement; `schema/README.md` describes the tables, and the functions relevance, frex
    /// and jsd
    pub query: String,
    /// Allow the statement to change the store
    #[arg(long)]
    pub write: bool,
    #[command(flatten)]
    /// How to print.
    pub printing: Printing,
}

/// Arguments of `check`.
#[derive(Debug, Clone, Copy, Args)]
pub struct CheckArgs {
    /// First bring a store of an earlier version up to date, keeping a copy of it
    #[arg(long)]
    pub upgrade: bool,
}
