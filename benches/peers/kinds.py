"""Topics of topoi and of its peers on several kinds of text: long papers, news, posts, headlines,
changelogs.

Every system is trained on the words and documents that the default run was made from. The peers'
topics come back by `topoi import`, so that the documents' topics and all scores are found by the same
code: NPMI of the ten most probable words, the share of different words among the 25 most probable of
all topics, and the normalised mutual information of each document's largest topic with its label,
where the corpus has one. Seconds are those of making the topics.
"""

import csv
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

SEED = 1
COLUMNS = ["NPMI", "distinct in top 25", "NMI", "seconds"]


@dataclass(frozen=True)
class Kind:
    """A corpus, and how it is read."""

    name: str
    file: str
    topics: int
    #: The field that documents are labelled by.
    label: str = ""
    arguments: tuple = ()


KINDS = [
    Kind("news in short", "agnews.jsonl.gz", 20, "label"),
    Kind("BBC news", "bbc_news.tsv", 20, "3", ("--no-header", "--text-field", 1)),
    Kind("20 Newsgroups", "20ng_counts.jsonl.gz", 50, "label"),
    Kind("New York Times, small", "nyt_small.jsonl.gz", 50, "section"),
    Kind("changelogs", "changelog.csv.gz", 20, "package"),
    Kind("NIPS", "docword.nips.txt.gz", 50),
]
#: (what rows call it, arguments, iterations of --quick).
MODELS = [
    ("default", (), 0),
    ("as the paper", ("--as", "paper"), 0),
    ("lda-gibbs", ("--model", "lda-gibbs"), 20),
    ("nmf-kl", ("--model", "nmf-kl"), 20),
]
PEERS = [("tomotopy-lda", 200, 20), ("sklearn-lda-online", 10, 1), ("gensim-lda", 10, 1)]


class Corpus:
    """A corpus in a store of its own, with the words that all systems share."""

    def __init__(self, options, kind, home):
        self.options, self.kind, self.home = options, kind, home
        self.topoi = Topoi(options.program, home / "kind.db", options.threads)
        more = list(kind.arguments)
        if kind.name == "NIPS":
            more += ["--vocab", corpora.nips(options).vocab]
        self.topoi.ingest("kind", corpora.file_of(options, kind.file), *more)
        self.first = self.ours(())
        self.counts = home / "counts.npz"
        self.words = corpora.counts_of_run(self.topoi, self.first.number, self.counts)

    def ours(self, arguments):
        return self.topoi.run("kind", self.kind.topics, "--seed", SEED, *arguments)

    def theirs(self, peer, rounds):
        order = Order(self.kind.topics, rounds, self.options.threads, SEED)
        found, topics = self.home / "topics.npy", self.home / "topics.csv"
        fitted = fit(peer, self.counts, order, into=found)
        self.write_topics(found, topics)
        return self.topoi.imported("kind", topics, "--seed", SEED), fitted.seconds

    def write_topics(self, found, into):
        """topic,term,probability; every topic sums to 1."""
        import numpy as np

        topics = np.load(found)
        topics = topics / topics.sum(axis=1, keepdims=True)
        with open(into, "w", newline="") as file:
            lines = csv.writer(file)
            lines.writerow(["topic", "term", "probability"])
            for number, topic in enumerate(topics):
                for word in np.nonzero(topic)[0]:
                    lines.writerow([number, self.words[word], repr(float(topic[word]))])

    def cells(self, run, seconds):
        distinct = self.topoi.value(
            "SELECT count(DISTINCT term_id) * 1.0 / count(*) AS share FROM topic_term "
            f"WHERE run_id = {run.number} AND rank <= 25"
        )
        agreement = table.NONE
        if self.kind.label:
            agreement = table.figure(self.agreement(run), 3)
        npmi = table.figure(run.metrics["npmi"], 3)
        return [npmi, table.figure(distinct, 2), agreement, table.figure(seconds, 1)]

    def agreement(self, run):
        """NMI of the documents' largest topics and their labels."""
        from sklearn.metrics import normalized_mutual_info_score

        rows = self.topoi.sql(
            "SELECT topic, CAST(value AS TEXT) AS label FROM document_top_topic "
            "JOIN document_field USING (document_id) "
            f"WHERE run_id = {run.number} AND name = '{self.kind.label}'"
        )
        labels, topics = [row["label"] for row in rows], [row["topic"] for row in rows]
        return normalized_mutual_info_score(labels, topics)


def rows_of(corpus, options):
    """Names of rows with what makes each: a run and its seconds."""
    for name, arguments, quick in MODELS:
        if options.quick and quick:
            arguments = (*arguments, "--iterations", quick)

        def own(arguments=arguments):
            run = corpus.ours(arguments) if arguments else corpus.first
            return run, run.making

        yield name, own
    for peer, rounds, quick in PEERS:
        rounds = quick if options.quick else rounds
        yield title(peer, rounds), lambda peer=peer, rounds=rounds: corpus.theirs(peer, rounds)


def print_table(options):
    """Prints the table."""
    table.section(
        "Quality on several kinds of text",
        f"Seed {SEED}, {options.threads} threads or workers, default vocabularies of topoi.",
    )
    table.head("corpus", "system", *COLUMNS)
    for kind in KINDS:
        if not wants(options, kind.name):
            continue
        with tempfile.TemporaryDirectory() as home:
            corpus = Corpus(options, kind, Path(home))
            for name, make in rows_of(corpus, options):
                cell = f"{kind.name}, K = {kind.topics}"
                try:
                    table.row(cell, name, *corpus.cells(*make()))
                except process.Failed as reason:
                    table.row(cell, f"{name}: {reason}", *[table.NONE] * len(COLUMNS))
