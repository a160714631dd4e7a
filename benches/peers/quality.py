"""Topics of topoi's models and of its peers on the NIPS corpus, with the same data and the same
scoring: quality, held-out probability, seconds.

A tenth of the documents is held out, the same for all (topoi's own sample with seed 1); every
program is trained on the others over the same words, which is checked. The peers' topics come back by
`topoi import`, so that every column of the table is computed by the same code: coherence over the
training documents, held-out probability from left to right and by completion with alpha estimated in
the same way. Seconds are those of training alone: of topoi the stages up to the topics (and
`refine`), of the peers the call that fits.
"""

import os
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import corpora
import process
import table
from arguments import wants
from fit import fit
from peers import Order, title
from program import Topoi

SHARE = 0.1
SEED = 1
WORDS = 5000
COLUMNS = [
    "seconds",
    "NPMI",
    "UMass",
    "specificity",
    "dissimilarity",
    "distinct in top 25",
    "held-out, nats a token",
    "completion",
]


@dataclass(frozen=True)
class Model:
    """A row of topoi's own."""

    name: str
    arguments: tuple = ()
    #: Iterations of --quick, for models that take long.
    quick: int = 0
    #: Whether its topics are meant as probabilities of words.
    is_probable: bool = True


MODELS = [
    Model("lr-jsmf"),
    Model("lr-jsmf --as paper", ("--as", "paper")),
    Model("enn"),
    Model("palm", quick=10),
    Model("raw", quick=10),
    Model("aw"),
    Model("rp"),
    Model("rp-doc"),
    Model("ddp"),
    Model("binning"),
    Model("r1d"),
    Model("svd", is_probable=False),
    Model("nmf-kl", quick=10),
    Model("nmf-ard", quick=10),
    Model("lda-gibbs", quick=10),
]
#: (peer, rounds, rounds with --quick).
PEERS = [
    ("sklearn-nmf", 200, 10),
    ("sklearn-nmf-kl", 200, 5),
    ("sklearn-lda-batch", 50, 2),
    ("sklearn-lda-online", 10, 1),
    ("gensim-lda", 10, 1),
    ("gensim-lda-multicore", 10, 1),
    ("gensim-nmf", 10, 1),
    ("tomotopy-lda", 200, 10),
    ("tomotopy-lda-averaged", 200, 10),
    ("tomotopy-lda", 1000, 50),
]


class Quality:
    """The table, with NIPS in a store."""

    def __init__(self, options, home):
        self.options = options
        self.home = home
        self.topoi = Topoi(options.program, home / "nips.db", options.threads)
        nips = corpora.nips(options)
        self.topoi.ingest("nips", nips.docword, "--vocab", nips.vocab)
        words = ["--terms", WORDS]
        if options.min_documents:
            words += ["--min-documents", options.min_documents]
        self.scoring = [*words, "--held-out", SHARE, "--seed", SEED]
        # What peers are trained on is what this run was made from.
        self.first = self.topoi.run("nips", options.topics, *self.scoring)
        self.counts = home / "counts.npz"
        self.words = corpora.counts_of_run(self.topoi, self.first.number, self.counts)

    def print(self):
        options, metrics = self.options, self.first.metrics
        load = table.figure(os.getloadavg()[0], 1)
        table.section(
            "Quality beside peers",
            f"NIPS, K = {options.topics}, the same {len(self.words):,} words for all, "
            f"{metrics['documents_used']:,.0f} documents to train on (a tenth is held out), "
            f"{options.threads} threads or workers, medians of {options.rounds or 1}; load {load}.",
        )
        table.head("system", *COLUMNS)
        for model in MODELS:
            self.attempt(f"`{model.name}`", model.name, lambda model=model: self.ours(model))
        for peer, rounds, quick in PEERS:
            rounds = quick if options.quick else rounds
            name = title(peer, rounds)
            self.attempt(name, name, lambda peer=peer, rounds=rounds: self.theirs(peer, rounds))
        self.check_words()

    def attempt(self, cell, name, row):
        """Prints a row that --only asks for; why there is none where it cannot be made."""
        if not wants(self.options, name):
            return
        try:
            mark, *cells = row()
            table.row(cell + mark, *cells)
        except (process.Failed, process.TookTooLong) as reason:
            table.row(f"{cell}: {reason}", *[table.NONE] * len(COLUMNS))

    def ours(self, model):
        options = self.options
        arguments = ["--model", model.name.split()[0], *model.arguments]
        if options.quick and model.quick:
            arguments += ["--iterations", model.quick]
        runs = [
            self.topoi.run("nips", options.topics, *self.scoring, *arguments)
            for _ in range(options.rounds or 1)
        ]
        seconds = statistics.median(run.making for run in runs)
        if model.is_probable:
            return ["", *self.cells(seconds, runs[-1])]
        return [" (no probabilities)", *self.cells(seconds, runs[-1])[:-2], table.NONE, table.NONE]

    def theirs(self, peer, rounds):
        options = self.options
        order = Order(options.topics, rounds, options.threads, SEED)
        found = self.home / "topics.npy"
        fits = [fit(peer, self.counts, order, into=found) for _ in range(options.rounds or 1)]
        more = [*self.scoring, "--threads", options.threads]
        run = self.topoi.imported("nips", found, self.words, *more)
        return ["", *self.cells(statistics.median(each.seconds for each in fits), run)]

    def cells(self, seconds, run):
        metrics = run.metrics
        held_out = table.figure(metrics["held_out_log_probability"], 4)
        error = table.figure(metrics["held_out_log_probability_error"], 4)
        return [
            table.figure(seconds, 1),
            table.figure(metrics["npmi"], 4),
            table.figure(metrics["umass"], 1),
            table.figure(metrics["specificity"], 2),
            table.figure(metrics["dissimilarity"], 1),
            table.figure(self.topoi.distinct(run), 2),
            f"{held_out} ± {error}",
            table.figure(metrics["document_completion"], 4),
        ]

    def check_words(self):
        """Held-out columns compare only where all runs have the same words."""
        different = self.topoi.value(
            "SELECT count(DISTINCT hash) AS words FROM vocabulary "
            "WHERE id IN (SELECT vocabulary_id FROM run)"
        )
        if different != 1:
            sys.exit(f"error: the runs have {different} vocabularies, so the rows do not compare")


def print_table(options):
    """Prints the table."""
    with tempfile.TemporaryDirectory() as home:
        Quality(options, Path(home)).print()
