//! A model of the time of passes and of whole runs over a corpus in parts, to decide whether dividing it is worthwhile.

use topoi_core::random::{standard_normal, stream};

/// The size of a pass that multiplies a block of columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pass {
    /// (document, word) pairs of the whole corpus.
    pub nonzeros: f64,
    /// W, the number of words in the vocabulary.
    pub words: f64,
    /// b, the number of columns in the block.
    pub columns: f64,
}

/// Machines of one kind with one part each, and their network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cluster {
    /// Products of a nonzero and a column entry per second and machine.
    pub rate: f64,
    /// Bytes per second that a machine can send.
    pub bandwidth: f64,
    /// Seconds that an empty message takes.
    pub latency: f64,
    /// Standard deviation of the logarithm of the machines' times.
    pub spread: f64,
}

/// The time of a pass in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassTime {
    /// Seconds in which the slowest part streams its documents.
    pub streaming: f64,
    /// Seconds in which the parts' sums are added up.
    pub exchange: f64,
}

impl PassTime {
    /// The proportion of the time spent in the exchange.
    pub fn overhead(&self) -> f64 {
        self.exchange / (self.streaming + self.exchange)
    }

    /// The sum of both, in seconds.
    pub fn total(&self) -> f64 {
        self.streaming + self.exchange
    }
}

impl Pass {
    /// Bytes that a part sends in a pass, 2·(N − 1)/N · 8·W·b: its numbers once to the parts that add them up, and its
    /// sums once to all parts.
    fn bytes_sent(&self, parts: usize) -> f64 {
        let others = (parts - 1) as f64;
        let share = (self.words * self.columns / parts as f64).ceil();
        2.0 * others * 8.0 * share
    }

    /// The time of a pass on N = `parts` machines. A machine of median speed streams for `nonzeros·b/(N·rate)` seconds;
    /// the slowest of N draws (fixed by `seed`) counts.
    pub fn time(&self, parts: usize, cluster: &Cluster, seed: u64) -> PassTime {
        let usual = self.nonzeros * self.columns / parts as f64 / cluster.rate;
        let mut rng = stream(seed, "speeds of machines");
        let slowest = (0..parts)
            .map(|_| (cluster.spread * standard_normal(&mut rng)).exp())
            .fold(0.0, f64::max);
        let messages = 2.0 * (parts - 1) as f64;
        let exchange = self.bytes_sent(parts) / cluster.bandwidth + messages * cluster.latency;
        PassTime { streaming: usual * slowest, exchange }
    }
}

/// A whole run, from what its stages took on one machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WholeRun {
    /// (document, word) pairs of the whole corpus.
    pub nonzeros: f64,
    /// D, the number of documents of the whole corpus.
    pub documents: f64,
    /// W, the number of words in the vocabulary.
    pub words: f64,
    /// Seconds a pair of the stages that stream documents.
    pub seconds_per_nonzero: f64,
    /// Columns of W numbers that are added up, all passes together.
    pub summed_columns: f64,
    /// Columns of W numbers that a part holds at a time, as f64.
    pub held_columns: f64,
    /// Seconds of work that all parts do alike.
    pub repeated: f64,
    /// Exchanges of a few numbers.
    pub short_exchanges: f64,
    /// Bytes of a document's topics.
    pub document_bytes: f64,
    /// Seconds in which a document's topics are saved.
    pub seconds_per_saved: f64,
    /// Whether the topics of all documents are saved by part 0; else each part saves those of its own.
    pub is_collected: bool,
}

/// The time of a run in seconds, and memory in bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunCost {
    /// Seconds in which the slowest part streams.
    pub streaming: f64,
    /// Seconds in which sums are added up.
    pub sums: f64,
    /// Seconds of exchanges of a few numbers.
    pub latency: f64,
    /// Seconds in which documents' topics come to part 0.
    pub collecting: f64,
    /// Seconds in which they are saved.
    pub saving: f64,
    /// Seconds of work that all parts do alike.
    pub repeated: f64,
    /// Bytes of memory of a part.
    pub memory: f64,
}

impl RunCost {
    /// All seconds together.
    pub fn total(&self) -> f64 {
        self.streaming + self.sums + self.latency + self.collecting + self.saving + self.repeated
    }
}

impl WholeRun {
    /// The cost on N = `parts` machines of which each is as fast as the one that was measured.
    pub fn cost(&self, parts: usize, cluster: &Cluster, seed: u64) -> RunCost {
        let Self { nonzeros, words, summed_columns: columns, .. } = *self;
        let machine = Cluster { rate: columns / self.seconds_per_nonzero, ..*cluster };
        let time = Pass { nonzeros, words, columns }.time(parts, &machine, seed);
        let from_others = (parts - 1) as f64 / parts as f64;
        let (collected, own) = match self.is_collected {
            true => (self.documents, 0.0),
            false => (0.0, self.documents / parts as f64),
        };
        RunCost {
            streaming: time.streaming,
            sums: time.exchange,
            latency: self.short_exchanges * (parts as f64).log2().ceil() * cluster.latency,
            collecting: collected * self.document_bytes * from_others / cluster.bandwidth,
            saving: (collected + own) * self.seconds_per_saved,
            repeated: self.repeated,
            memory: 8.0 * words * self.held_columns,
        }
    }
}
