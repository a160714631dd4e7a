"""Documents' largest topics beside their labels: how far they agree, and why.

    run.py labels --corpora DIRECTORY --program TOPOI --seeds 1,2,3,4,5 --only "BBC news;uneven news"
    run.py labels --corpora DIRECTORY --program TOPOI --seeds 1,2,3 --systems "@--beta 0.05 --iterations 100;@--beta 0.2 --iterations 100"

The corpora of kinds.py that have labels. NMI counts it against topics that they are many and even, also where
they tell as much of the labels. So there are, beside NMI, homogeneity, I(topic; label) / H(label), and the
effective number of topics, exp H(topic). Means ± standard errors over seeds.

A system of --systems is arguments of `topoi run` (`default`: none); `@` and arguments of `--model lda-gibbs`, which
starts from the topics of `--sweeps 0` with the same seed; or a name of PEERS, whose topics come back by
`topoi import`. tomotopy is another sample with every number of threads: its figures are of --threads 1.
"""

import math

import kinds
import results
import table
from environment import say
from fit import fit
from kinds import Corpus
from peers import Order

KINDS = [kind for kind in kinds.KINDS if kind.label]
#: By the name of the system: the peer, and its rounds.
PEERS = {
    "tomotopy": ("tomotopy-lda", 200),
    "tomotopy, β = .05": ("tomotopy-lda-05", 200),
    "scikit-learn": ("sklearn-lda-online", 10),
}
DEFAULT = "default"
SYSTEMS = [DEFAULT, "--sweeps 0", "@--beta 0.2", *PEERS]
#: Columns, and their digits.
COLUMNS = {"npmi": 3, "distinct": 2, "nmi": 3, "homogeneity": 3, "effective topics": 1}


class Labelled:
    """A corpus with labels, whose systems are run with one seed."""

    def __init__(self, options, kind, home):
        self.options, self.kind, self.home = options, kind, home
        self.corpus = Corpus(options, kind, home)
        self.topoi = self.corpus.topoi

    def run(self, system, k, seed):
        """A run of the system."""
        name, more = self.corpus.name, ["--seed", seed]
        if system in PEERS:
            return self.imported(*PEERS[system], k, seed)
        if system.startswith("@"):
            start = self.topoi.run(name, k, *more, "--sweeps", 0).number
            more += ["--model", "lda-gibbs", "--start", start, *system[1:].split()]
        elif system != DEFAULT:
            more += system.split()
        return self.topoi.run(name, k, *more)

    def imported(self, peer, rounds, k, seed):
        """The topics of a peer as a run."""
        found = self.home / "topics.npy"
        order = Order(k, rounds, self.options.threads, seed)
        fit(peer, self.corpus.counts, order, into=found, limit=self.options.limit)
        return self.topoi.imported(self.corpus.name, found, self.corpus.words, "--seed", seed)

    def scores(self, run):
        """Of a run's documents by largest topic and label."""
        cells = self.topoi.sql(
            f"SELECT topic, json_extract(fields, '$.{self.kind.label}') AS label, count(*) AS documents "
            "FROM document_top_topic JOIN document ON document.id = document_id "
            f"WHERE run_id = {run.number} GROUP BY 1, 2"
        )
        counts = {(cell["topic"], cell["label"]): cell["documents"] for cell in cells}
        return {
            "npmi": run.metrics["npmi"],
            "distinct": self.topoi.distinct(run),
            **agreement(counts),
        }


def agreement(counts):
    """Of the numbers of documents by (topic, label)."""
    topics, labels = {}, {}
    for (topic, label), count in counts.items():
        topics[topic] = topics.get(topic, 0) + count
        labels[label] = labels.get(label, 0) + count
    of_topics, of_labels = entropy(topics), entropy(labels)
    shared = of_topics + of_labels - entropy(counts)
    return {
        "nmi": 2 * shared / (of_topics + of_labels),
        "homogeneity": shared / of_labels,
        "effective topics": math.exp(of_topics),
    }


def entropy(counts):
    """Of the counts' shares, in nats."""
    total = sum(counts.values())
    return -sum(count / total * math.log(count / total) for count in counts.values())


def measure(options):
    """Adds a row for each run to the results."""
    for kind, home in results.each_corpus(options, KINDS):
        labelled = Labelled(options, kind, home)
        for k in [size for size in options.sizes if size <= kind.most]:
            for seed in options.seeds:
                for system in options.systems or SYSTEMS:
                    scores = labelled.scores(labelled.run(system, k, seed))
                    row = {"corpus": kind.name, "k": k, "seed": seed, "system": system, **scores}
                    results.add(options.results, row)
                    say(f"{kind.name}, K = {k}, seed {seed}: {system}")


def print_table(path):
    """Prints the scores of all systems, and how far those of the first are above those of the others."""
    cells = {}
    for row in results.rows(path):
        systems = cells.setdefault((row["corpus"], row["k"]), {})
        systems.setdefault(row["system"], {})[row["seed"]] = row
    table.head("corpus, K", "system", "seeds", *COLUMNS)
    for (corpus, k), systems in cells.items():
        for system, seeds in systems.items():
            table.row(f"{corpus}, {k}", system, len(seeds), *map(figure(seeds), COLUMNS))
    if all(len(systems) == 1 for systems in cells.values()):
        return
    table.section("How far the first system is above the others, over the seeds of both")
    table.head("corpus, K", "systems", "npmi", "nmi")
    for (corpus, k), systems in cells.items():
        (first, own), *others = systems.items()
        for system, seeds in others:
            both = [seed for seed in own if seed in seeds]
            if both:
                apart = [
                    results.difference([own[seed][name] - seeds[seed][name] for seed in both])
                    for name in ("npmi", "nmi")
                ]
                table.row(f"{corpus}, {k}", f"{first} − {system}", *apart)


def figure(seeds):
    """Makes the cell of a column over the seeds."""
    return lambda column: results.mean_and_error(
        [row[column] for row in seeds.values()], COLUMNS[column]
    )
