"""Peak resident memory of fitting: of topoi's worker as the run's row has it, of each peer the
process that fits it with its workers, interpreter and counts.

Few rounds are enough: every program here reaches its peak in the first of them. topoi finds the
documents' topics too, which peers keep as they go. Programs run on NIPS and then on the largest made
corpus, where that can be expected to end within --limit seconds; where not, the cell says why.
"""

import os
import tempfile
from pathlib import Path

import corpora
import table
from arguments import wants
from fit import fit
from made_runs import Limited, stored
from peers import Order, title
from program import Topoi

WORDS = 5000
#: topoi's rows: name and arguments.
MODELS = [
    ("lr-jsmf", []),
    ("lr-jsmf --no-documents", ["--no-documents"]),
    ("enn", ["--model", "enn"]),
    ("rp", ["--model", "rp"]),
    ("nmf-kl, 4 iterations", ["--model", "nmf-kl", "--iterations", 4]),
    ("lda-gibbs, 4 sweeps", ["--model", "lda-gibbs", "--iterations", 4]),
]
#: Peers and rounds.
PEERS = [
    ("sklearn-nmf", 4),
    ("sklearn-nmf-kl", 4),
    ("sklearn-lda-online", 1),
    ("gensim-lda", 1),
    ("gensim-lda-multicore", 1),
    ("gensim-nmf", 1),
    ("tomotopy-lda", 4),
]


class Memory:
    """The table, with NIPS and the largest made corpus in stores."""

    def __init__(self, options, home):
        self.options = options
        self.nips = Topoi(options.program, home / "nips.db", options.threads)
        files = corpora.nips(options)
        self.nips.ingest("nips", files.docword, "--vocab", files.vocab)
        first = self.nips.run("nips", options.topics, "--terms", WORDS)
        self.triples = int(first.metrics["nonzeros_used"])
        self.counts = home / "counts.npz"
        corpora.counts_of_run(self.nips, first.number, self.counts)
        self.stored = stored(options, options.documents[-1], home)
        made = self.stored.made
        self.made_counts = options.work / f"counts.{made.name}.npz"
        corpora.counts_of_file(made.files.docword, self.made_counts)

    def print(self):
        options, made = self.options, self.stored.made
        load = table.figure(os.getloadavg()[0], 1)
        table.section(
            "Peak memory",
            f"Millions of bytes, and seconds of fitting (of topoi the whole run). NIPS: K = "
            f"{options.topics}, {self.triples:,} triples. Made corpus: {made.documents:,} "
            f"documents, {made.words:,} words, K = {made.topics}, {made.triples:,} triples. At most "
            f"{options.limit} s each; {options.threads} threads or workers; load {load}.",
        )
        table.head("system", "NIPS, MB", "seconds", "made corpus, MB", "seconds")
        for name, arguments in MODELS:
            if wants(options, name):
                self.line(f"`{name}`", lambda more=arguments: self.ours(more))
        for peer, rounds in PEERS:
            name = title(peer, rounds)
            if wants(options, name):
                self.line(name, lambda peer=peer, rounds=rounds: self.theirs(peer, rounds))

    def line(self, name, work):
        """A program on both corpora."""
        limited = Limited(self.options.limit)
        on_nips, on_made = work()
        cells = []
        for triples, each in [(self.triples, on_nips), (self.stored.made.triples, on_made)]:
            done, reason = limited.attempt(triples, each)
            if done is None:
                cells += [reason, table.NONE]
            else:
                cells += [table.megabytes(done.peak), table.seconds(done.seconds)]
        table.row(name, *cells)

    def ours(self, more):
        options = self.options
        settings = ["--terms", WORDS, *more]
        return (
            lambda: self.nips.run("nips", options.topics, *settings, limit=options.limit),
            lambda: self.stored.run("--memory", 64, *more, limit=options.limit),
        )

    def theirs(self, peer, rounds):
        options = self.options
        small = Order(options.topics, rounds, options.threads)
        large = Order(self.stored.made.topics, rounds, options.threads)
        return (
            lambda: fit(peer, self.counts, small, limit=options.limit),
            lambda: fit(peer, self.made_counts, large, limit=options.limit),
        )


def print_table(options):
    """Prints the table."""
    with tempfile.TemporaryDirectory() as home:
        Memory(options, Path(home)).print()
