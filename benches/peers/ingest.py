"""Ingest side by side with scikit-learn, gensim and tomotopy, on the same text.

News texts, a document a line, are repeated and their lines shuffled (seed 1) up to the size asked
for. Every round runs each program once, in turn, in a process of its own; its own start and imports
are not counted for the peers, and are for topoi. Medians of the rounds are printed. All take words
as scikit-learn's default does (two or more letters or digits, lower case, no stop words); tomotopy,
which takes words ready made, is also shown with Python's str.split alone, which is no such rule.
topoi leaves a store on disk (texts, triples, blocks), gensim a Matrix Market file; the others keep
theirs in memory. Peak memory is that of a separate run.

    ingest.py PEER TEXT DIRECTORY      takes in TEXT by one peer; prints its seconds
"""

import os
import random
import re
import sys
import tempfile
import time
from pathlib import Path

import corpora
import process
import table
from environment import HERE
from program import Topoi

WORDS = re.compile(r"(?u)\b\w\w+\b")
SAME_WORDS = ["--stop-words", "none", "--min-length", 2, "--max-length", 200, "--characters", "any"]
ROUNDS, QUICK_ROUNDS = 5, 1


def made_text(source, megabytes, path):
    """Writes lines of `source` in random order, again and again, to `path`; the documents and bytes."""
    lines = source.read_text(encoding="utf-8").splitlines()
    rng = random.Random(1)
    size = documents = 0
    with open(path, "w", encoding="utf-8") as file:
        while size < megabytes * 1_000_000:
            rng.shuffle(lines)
            file.writelines(line + "\n" for line in lines)
            size += sum(len(line) + 1 for line in lines)
            documents += len(lines)
    return documents, size


def now():
    return time.perf_counter(), time.process_time()


def since(begun):
    """Seconds of the clock and of the processors."""
    return time.perf_counter() - begun[0], time.process_time() - begun[1]


def lines_of(path):
    return Path(path).read_text(encoding="utf-8").splitlines()


def sklearn(path, _):
    from sklearn.feature_extraction.text import CountVectorizer

    begun = now()
    CountVectorizer().fit_transform(lines_of(path))
    return since(begun)


def gensim(path, directory):
    from gensim.corpora import Dictionary, MmCorpus

    begun = now()
    dictionary = Dictionary()
    bags = (
        dictionary.doc2bow(WORDS.findall(line.lower()), allow_update=True) for line in lines_of(path)
    )
    MmCorpus.serialize(os.path.join(directory, "corpus.mm"), bags)
    dictionary.save(os.path.join(directory, "dictionary"))
    return since(begun)


def tomotopy(path, _):
    import tomotopy as tp

    begun = now()
    model = tp.LDAModel(k=2)
    for line in lines_of(path):
        model.add_doc(WORDS.findall(line.lower()))
    return since(begun)


def tomotopy_split(path, _):
    import tomotopy as tp

    begun = now()
    model = tp.LDAModel(k=2)
    for line in lines_of(path):
        model.add_doc(line.split())
    return since(begun)


#: By name: the function and what the table calls it.
PEERS = {
    "sklearn": (sklearn, "scikit-learn `CountVectorizer`"),
    "gensim": (gensim, "gensim `Dictionary`, `MmCorpus`"),
    "tomotopy": (tomotopy, "tomotopy `add_doc`, the same words"),
    "tomotopy-split": (tomotopy_split, "tomotopy `add_doc`, `str.split` alone"),
}


def theirs(peer, path, directory):
    """Seconds of the clock and of the processors that a peer takes."""
    ran = process.run([sys.executable, HERE / "ingest.py", peer, path, directory])
    return tuple(map(float, ran.output.split()))


def ours(options, directory, source, *more):
    """What ingesting `source` into a new store takes."""
    topoi = Topoi(options.program, Path(directory) / "store.db", options.threads)
    return topoi.ingest("c", source, *more)


def times(ran):
    return ran.wall, ran.processor


def print_table(options):
    """Prints the tables."""
    rounds = options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS)
    with tempfile.TemporaryDirectory() as home:
        path = os.path.join(home, "text.txt")
        documents, size = made_text(corpora.news(options), options.megabytes, path)
        found = {name: [] for name in ["topoi", *PEERS]}
        for _ in range(rounds):
            for name, measured in found.items():
                with tempfile.TemporaryDirectory(dir=home) as directory:
                    if name == "topoi":
                        ran = ours(options, directory, path, "--format", "lines", *SAME_WORDS)
                        measured.append(times(ran))
                    else:
                        measured.append(theirs(name, path, directory))
        load = table.figure(os.getloadavg()[0], 1)
        table.section(
            "Ingest",
            f"{size / 1e6:.0f} MB of news, {documents:,} documents, the same words for all, medians "
            f"of {rounds}; load {load}.",
        )
        comparison(found)
        table.section("Ingest: counts, and much text")
        table.head("source", "wall s", "processor s", "peak MB", "")
        alone(options, home, rounds, path)


def comparison(found):
    """A line a program, with its times as multiples of topoi's."""
    table.head("program", "wall s", "÷ topoi", "processor s", "÷ topoi")
    wall_of_ours, processor_of_ours = table.medians(found["topoi"])
    for name, measured in found.items():
        wall, processor = table.medians(measured)
        table.row(
            PEERS[name][1] if name in PEERS else "topoi",
            table.seconds(wall),
            table.figure(wall / wall_of_ours, 2),
            table.seconds(processor),
            table.figure(processor / processor_of_ours, 2),
        )


def alone(options, home, rounds, path):
    """topoi with counts ready made, and with so much text that memory would show what grows."""
    nips = corpora.nips(options)
    runs = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(dir=home) as directory:
            ran = ours(options, directory, nips.docword, "--vocab", nips.vocab)
            store = Topoi(options.program, Path(directory) / "store.db", options.threads)
            triples = store.value("SELECT nonzeros FROM corpus")
            runs.append((*times(ran), ran.peak))
    wall, processor, peak = table.medians(runs)
    rate = f"{triples / wall / 1e6:.1f} million triples/s"
    cells = [table.seconds(wall), table.seconds(processor), table.megabytes(peak), rate]
    table.row(f"UCI NIPS, {triples:,} triples, gzip", *cells)
    documents, size = made_text(corpora.news(options), options.memory_megabytes, path)
    ran = ours(options, home, path, "--format", "lines")
    cells = [table.seconds(ran.wall), table.seconds(ran.processor), table.megabytes(ran.peak)]
    rate = f"{size / ran.wall / 1e6:.0f} MB/s"
    table.row(f"{size / 1e6:,.0f} MB of text, {documents:,} documents", *cells, rate)


if __name__ == "__main__":
    print(*PEERS[sys.argv[1]][0](*sys.argv[2:]))
