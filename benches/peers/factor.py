"""nmf-kl beside scikit-learn's NMF and R's fastTopics, and lda-gibbs beside tomotopy's LDA, on the
NIPS corpus.

All programs get the same documents and the same 5,000 words (the best by tf-idf, documents of 5
tokens or more). Each round runs every program once, in turn; medians and the ratios of the rounds are
printed. topoi's time is that of its stages "iterate" as it saves them, with reading the store; the
peers' is that of fitting alone.

nmf-kl: scikit-learn does 200 multiplicative updates from its own start (nndsvda, counted) and from a
random one. Its divergence is what topoi has to reach: the time counted is that of the iterations
until its objective is no more than the peer's. fastTopics, where R has it, does as many extrapolated
updates from a random start, by coordinate descent (four sweeps over each factor an update) and by EM;
it has no pinned version, as CRAN keeps the newest. lda-gibbs: both do 200 sweeps; log-likelihoods are
those of words and topics together, for each token, as tomotopy's ll_per_word.
"""

import os
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path

import corpora
import table
from environment import say
from fit import fit
from peers import Order, has_fasttopics, title
from program import Topoi

WORDS = 5000
ITERATIONS, QUICK_ITERATIONS = 200, 10
STARTS = ["sklearn-nmf-kl", "sklearn-nmf-kl-random"]
FASTTOPICS = ["fasttopics-scd", "fasttopics-em"]


@dataclass(frozen=True)
class Iterated:
    """A run of topoi's that iterates."""

    #: Of all iterations.
    seconds: float
    #: (iteration, residual), in order.
    curve: list

    def until(self, least):
        """Iterations and seconds until the residual is no more than `least`; `None` if it never is."""
        reached = [step for step, residual in self.curve if residual <= least]
        last = self.curve[-1][0]
        return (reached[0], self.seconds * reached[0] / last) if reached else (None, None)


class Factor:
    """The table, with NIPS in a store."""

    def __init__(self, options, home):
        self.options = options
        self.iterations = QUICK_ITERATIONS if options.quick else ITERATIONS
        self.topoi = Topoi(options.program, home / "nips.db", options.threads)
        nips = corpora.nips(options)
        self.topoi.ingest("nips", nips.docword, "--vocab", nips.vocab)
        self.first = self.topoi.run("nips", options.topics, "--terms", WORDS)
        self.counts = home / "counts.npz"
        corpora.counts_of_run(self.topoi, self.first.number, self.counts)
        self.tokens = self.first.metrics["tokens_used"]
        self.starts = STARTS
        if has_fasttopics():
            self.starts = STARTS + FASTTOPICS
        else:
            say("fastTopics is skipped: R is not there or has no package fastTopics")

    def ours(self, model, *more):
        settings = ["--model", model, "--terms", WORDS, "--iterations", self.iterations, *more]
        run = self.topoi.run("nips", self.options.topics, *settings)
        seconds = sum(seconds for name, seconds in run.stages if name.startswith("iterate"))
        rows = self.topoi.sql(
            f"SELECT step, residual FROM run_residual WHERE run_id = {run.number} "
            "AND stage LIKE 'iterate%' ORDER BY step"
        )
        return Iterated(seconds, [(row["step"], row["residual"]) for row in rows])

    def theirs(self, peer):
        order = Order(self.options.topics, self.iterations, self.options.threads)
        return fit(peer, self.counts, order)

    def round(self):
        """Every program once: the results by name."""
        found = {"nmf-kl": self.ours("nmf-kl", "--tolerance", "1e-12")}
        found |= {start: self.theirs(start) for start in self.starts}
        found["tomotopy-lda"] = self.theirs("tomotopy-lda")
        found["lda-gibbs"] = self.ours("lda-gibbs")
        return found

    def print(self):
        metrics = self.first.metrics
        rounds = [self.round() for _ in range(self.options.rounds or 1)]
        load = table.figure(os.getloadavg()[0], 1)
        table.section(
            "Models of the counts beside their peers",
            f"NIPS, {metrics['documents_used']:,.0f} documents, {WORDS:,} words, "
            f"{metrics['nonzeros_used']:,.0f} nonzeros, {self.tokens:,.0f} tokens, "
            f"K = {self.options.topics}, {self.options.threads} threads, medians of {len(rounds)}; "
            f"load {load}. Divergence in millions; log-likelihood of words and topics for each token.",
        )
        table.head("program", "seconds", "divergence or log-likelihood", "beside its peer")
        for start in self.starts:
            self.divergence(rounds, start)
        whole = [each["nmf-kl"] for each in rounds]
        last, residual = whole[0].curve[-1]
        seconds = table.seconds(statistics.median(each.seconds for each in whole))
        reached = table.figure(residual * self.tokens / 1e6, 4)
        table.row(f"topoi `nmf-kl`, all {last}", seconds, reached, "")
        self.likelihood(rounds)

    def divergence(self, rounds, start):
        """A peer's updates, and topoi to the same divergence."""
        peer = [each[start] for each in rounds]
        divergence = peer[0].figures["divergence"]
        seconds = statistics.median(each.seconds for each in peer)
        millions = table.figure(divergence / 1e6, 4)
        table.row(title(start, self.iterations), table.seconds(seconds), millions, "")
        ours = [each["nmf-kl"].until(divergence / self.tokens) for each in rounds]
        if ours[0][0] is None:
            table.row(f"topoi `nmf-kl`, {self.iterations} iterations", table.NONE, "not reached", "")
            return
        ratio = statistics.median(a.seconds / b for a, (_, b) in zip(peer, ours))
        seconds = table.seconds(statistics.median(seconds for _, seconds in ours))
        faster = f"{ratio:.1f} times as fast"
        table.row(f"topoi `nmf-kl`, {ours[0][0]} iterations", seconds, "the same", faster)

    def likelihood(self, rounds):
        """Both samplers."""
        peer = [each["tomotopy-lda"] for each in rounds]
        ours = [each["lda-gibbs"] for each in rounds]
        seconds = table.seconds(statistics.median(each.seconds for each in peer))
        reached = table.figure(peer[0].figures["log_likelihood"], 4)
        table.row(title("tomotopy-lda", self.iterations), seconds, reached, "")
        seconds = table.seconds(statistics.median(each.seconds for each in ours))
        reached = table.figure(ours[0].curve[-1][1], 4)
        ratio = statistics.median(a.seconds / b.seconds for a, b in zip(ours, peer))
        times = f"{ratio:.2f} times tomotopy's time"
        table.row(f"topoi `lda-gibbs`, {self.iterations} sweeps", seconds, reached, times)


def print_table(options):
    """Prints the table."""
    with tempfile.TemporaryDirectory() as home:
        Factor(options, Path(home)).print()
