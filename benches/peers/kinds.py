"""Topics of topoi and of its peers on several kinds of text: long papers, news, posts, headlines,
changelogs, and texts with the faults of real collections; at several numbers of topics.

Every system is trained on the words and documents that the default run was made from. The peers'
topics come back by `topoi import`, so that the documents' topics and all scores are found by the same
code: NPMI of the ten most probable words, the share of different words among the 25 most probable of
all topics, and the normalised mutual information of each document's largest topic with its label,
where the corpus has one. Seconds are those of making the topics. With --rounds N they are means over
the seeds 1 to N, with the standard deviation over seeds.

A second table says how far the default is from the best of its peers for each corpus and K: first those that
its settings were chosen on, then those that were not looked at while they were chosen. --only names corpora;
one whose files are not in the directory is passed over with a line.
"""

import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path

import corpora
import made_texts
import process
import table
from arguments import wants
from fit import fit
from peers import Order, title
from program import Topoi

COLUMNS = ["NPMI", "distinct in top 25", "NMI", "seconds"]
DEFAULT = "default"


@dataclass(frozen=True)
class Kind:
    """A corpus, and how it is read."""

    name: str
    #: In the directory of the corpora; none for the corpus that comes with the program.
    file: str = ""
    #: The field that documents are labelled by.
    label: str = ""
    arguments: tuple = ()
    #: Makes the corpus from the file.
    made: object = None
    #: The largest number of topics that it has documents for.
    most: int = 100
    #: Whether the default's settings were chosen on it.
    is_chosen_on: bool = True

    def is_there(self, options):
        """Whether its file is in the directory of the corpora."""
        return not self.file or (options.corpora / self.file).exists()


SPANISH = ("--stop-words", "es")
#: A text a line; the labels are in a file beside it (github.com/qiang2100/STTM, dataset).
LINES = {"label": "label", "made": made_texts.labelled_lines, "is_chosen_on": False}
KINDS = [
    Kind("news in short", "agnews.jsonl.gz", "label"),
    Kind("headlines", "agnews.jsonl.gz", "label", made=made_texts.headlines),
    Kind("BBC news", "bbc_news.tsv", "column3", ("--no-header", "--text-field", 1)),
    Kind("uneven news", "bbc_news.tsv", "label", made=made_texts.uneven),
    Kind("20 Newsgroups", "20ng_counts.jsonl.gz", "label"),
    Kind("New York Times, small", "nyt_small.jsonl.gz", "section"),
    Kind("changelogs", "changelog.csv.gz", "package"),
    Kind("speeches (es)", "congreso.jsonl.gz", arguments=SPANISH),
    Kind("titles of papers", "m10.tsv", "column3", ("--no-header", "--text-field", 1)),
    Kind("titles of dblp", "dblp.tsv", "column3", ("--no-header", "--text-field", 1)),
    Kind("NIPS", "docword.nips.txt.gz"),
    Kind("demo", most=20),
    Kind("titles of questions", "stackoverflow.jsonl.gz", "label", is_chosen_on=False),
    Kind("snippets", "SearchSnippets.txt", **LINES),
    Kind("titles of stories", "GoogleNews.txt", **LINES),
    Kind("titles of medicine", "Biomedical.txt", **LINES),
    Kind("tweets", "Tweet.txt", **{**LINES, "is_chosen_on": True}),
    Kind("captions", "Pascal_Flickr.txt", **LINES),
    # github.com/martin-martin/sotu-speeches
    Kind("messages", "speeches"),
]
#: (what rows call it, arguments, iterations of --quick).
MODELS = [
    (DEFAULT, (), 0),
    ("`--sweeps 0`", ("--sweeps", 0), 0),
    ("`--refine 0`", ("--refine", 0), 0),
    ("`--as paper`", ("--as", "paper"), 0),
    ("`lda-gibbs`", ("--model", "lda-gibbs"), 20),
    ("`nmf-kl`", ("--model", "nmf-kl"), 20),
]
TIMED = ("tomotopy-lda", 200, 20)
PEERS = [
    TIMED,
    ("tomotopy-lda-averaged", 200, 20),
    ("tomotopy-lda", 1000, 40),
    ("sklearn-lda-online", 10, 1),
    ("gensim-lda", 10, 1),
    ("anchortopics", 20, 5),
]


@dataclass(frozen=True)
class Scores:
    """Of one run."""

    npmi: float
    distinct: float
    #: None where documents have no labels.
    nmi: float | None
    seconds: float


class Corpus:
    """A corpus in a store of its own, with the words that all systems share."""

    def __init__(self, options, kind, home):
        self.options, self.kind, self.home = options, kind, home
        self.topoi = Topoi(options.program, home / "kind.db", options.threads)
        self.name = self.filled()
        first = self.topoi.run(self.name, 20, "--refine", 0)
        self.counts = home / "counts.npz"
        self.words = corpora.counts_of_run(self.topoi, first.number, self.counts)

    def filled(self):
        """Puts the corpus into the store; its name there."""
        kind = self.kind
        if not kind.file:
            self.topoi.call("demo")
            return "eight-subjects"
        file, more = corpora.file_of(self.options, kind.file), list(kind.arguments)
        if kind.made:
            kind.made(file, self.home / "made.jsonl")
            file = self.home / "made.jsonl"
        if kind.name == "NIPS":
            more += ["--vocab", corpora.nips(self.options).vocab]
        self.topoi.ingest("kind", file, *more)
        return "kind"

    def ours(self, arguments, k, seed):
        run = self.topoi.run(self.name, k, "--seed", seed, *arguments)
        return self.scores(run, run.making)

    def theirs(self, peer, rounds, k, seed):
        found = self.home / "topics.npy"
        order = Order(k, rounds, self.options.threads, seed)
        fitted = fit(peer, self.counts, order, into=found, limit=self.options.limit)
        run = self.topoi.imported(self.name, found, self.words, "--seed", seed)
        return self.scores(run, fitted.seconds)

    def scores(self, run, seconds):
        nmi = None
        if self.kind.label:
            against = ["metrics", run.number, "--against", self.kind.label]
            self.topoi.call(*against)
            nmi = self.topoi.value(
                f"SELECT value FROM metric WHERE run_id = {run.number} AND topic IS NULL "
                f"AND name = 'nmi@{self.kind.label}'"
            )
        return Scores(run.metrics["npmi"], self.topoi.distinct(run), nmi, seconds)


def systems(corpus, k, options):
    """(name of a row, what makes its scores for a seed)."""
    for name, arguments, quick in MODELS:
        if options.quick and quick:
            arguments = (*arguments, "--iterations", quick)
        yield name, lambda seed, arguments=arguments: corpus.ours(arguments, k, seed)
    for peer, rounds, quick in PEERS:
        rounds = quick if options.quick else rounds
        made = lambda seed, peer=peer, rounds=rounds: corpus.theirs(peer, rounds, k, seed)
        yield title(peer, rounds), made


def cell(values, digits):
    """The mean of a column over seeds, with its standard deviation."""
    if None in values:
        return table.NONE
    mean = table.figure(statistics.fmean(values), digits)
    return f"{mean} ± {statistics.stdev(values):.{digits}f}" if len(values) > 1 else mean


def print_systems(corpus, k, options):
    """A row for each system; the scores of those that ended, by name."""
    found = {}
    for name, make in systems(corpus, k, options):
        if not any(name.strip("`").startswith(wanted) for wanted in options.systems):
            continue
        where = f"{corpus.kind.name}, K = {k}"
        try:
            scores = [make(seed) for seed in range(1, (options.rounds or 1) + 1)]
        except (process.Failed, process.TookTooLong) as reason:
            table.row(where, f"{name}: {reason}", *[table.NONE] * len(COLUMNS))
            continue
        columns = zip(*[(each.npmi, each.distinct, each.nmi, each.seconds) for each in scores])
        table.row(where, name, *map(cell, columns, (3, 2, 3, 1)))
        found[name] = Scores(*[mean_of(scores, part) for part in Scores.__annotations__])
    return found


def mean_of(scores, part):
    values = [getattr(each, part) for each in scores]
    return None if None in values else statistics.fmean(values)


def place(found, part):
    """The default's place among its peers by a score, and how far it is below the best of them."""
    own = getattr(found[DEFAULT], part)
    ours = [name.strip("`") for name, _, _ in MODELS]
    peers = [getattr(each, part) for name, each in found.items() if name.strip("`") not in ours]
    if own is None or not peers:
        return table.NONE, table.NONE
    return sum(value > own for value in peers) + 1, table.figure(max(peers) - own, 3)


def print_places(title_of_section, places, options):
    """How the default stands."""
    peer, rounds, quick = TIMED
    timed = title(peer, quick if options.quick else rounds)
    table.section(title_of_section, f"Seconds as a share of those of {timed}.")
    below = "below the best"
    head = ["place by NPMI", below, "place by NMI", below, "place by distinct words", below]
    table.head("corpus", *head, "seconds")
    for name, found in places.items():
        if DEFAULT not in found:
            continue
        share = table.NONE
        if timed in found:
            share = table.figure(found[DEFAULT].seconds / found[timed].seconds, 2)
        parts = [place(found, part) for part in ("npmi", "nmi", "distinct")]
        table.row(name, *[cell for part in parts for cell in part], share)


def print_table(options):
    """Prints both tables."""
    seeds = options.rounds or 1
    table.section(
        "Quality on several kinds of text",
        f"Seeds 1 to {seeds}, {options.threads} threads or workers, default vocabularies of topoi.",
    )
    table.head("corpus", "system", *COLUMNS)
    places = {True: {}, False: {}}
    for kind in KINDS:
        if not wants(options, kind.name):
            continue
        if not kind.is_there(options):
            table.row(f"{kind.name}: {kind.file} is not there", *[table.NONE] * (len(COLUMNS) + 1))
            continue
        with tempfile.TemporaryDirectory() as home:
            corpus = Corpus(options, kind, Path(home))
            for k in [size for size in options.sizes if size <= kind.most]:
                found = print_systems(corpus, k, options)
                places[kind.is_chosen_on][f"{kind.name}, K = {k}"] = found
    print_places("The default among its peers: corpora that it was chosen on", places[True], options)
    print_places("Corpora that were not looked at", places[False], options)
