#!/usr/bin/env python3
"""Topics of topica's models and of its peers on the NIPS corpus, with the same data and the same
scoring: quality, held-out probability, seconds.

    python3 -m venv /tmp/peers
    /tmp/peers/bin/pip install gensim==4.4.0 scikit-learn==1.9.1 tomotopy==0.14.0
    cargo build --release
    /tmp/peers/bin/python benches/peers.py DIRECTORY [--topics 50] [--only NAME,...] [--store FILE]

DIRECTORY holds docword.nips.txt.gz and vocab.nips.txt. A tenth of the documents is held out, the
same for all (topica's own sample with seed 1); every program is trained on the others over the same
5,000 words. The peers' topics come back by `topica import`, so that every column of the table is
computed by the same code: coherence over the training documents, held-out probability from left to
right and by completion with alpha estimated in the same way. Seconds are those of training alone:
of topica the stages up to the topics (and `refine`), of the peers the call that fits.
"""

import argparse
import csv
import json
import os
import sqlite3
import subprocess
import tempfile
import time

import numpy as np
import scipy.sparse

SHARE = 0.1
SEED = 1
#: Stages that are not the making of topics.
AFTER = {"prepare", "documents", "held-out", "measure", "coherence", "save"}
#: (name, arguments) of topica's rows.
OURS = [
    ("lr-jsmf", ["--model", "lr-jsmf"]),
    ("lr-jsmf --refine 3", ["--model", "lr-jsmf", "--refine", "3"]),
    ("rp --min-documents 50", ["--model", "rp", "--min-documents", "50"]),
    ("nmf-kl", ["--model", "nmf-kl"]),
    ("lda-gibbs, 200 sweeps", ["--model", "lda-gibbs"]),
]


class Topica:
    """The program with the corpus in a store."""

    def __init__(self, store):
        here = os.path.dirname(os.path.abspath(__file__))
        self.program = os.path.join(here, "..", "target", "release", "topica")
        self.store = store

    def call(self, *arguments):
        command = [self.program, "--store", self.store, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def run(self, topics, arguments):
        held_out = ["--held-out", str(SHARE), "--seed", str(SEED), "--output", "json"]
        return json.loads(self.call("run", "nips", "-k", str(topics), *held_out, *arguments))

    def imported(self, file):
        held_out = ["--held-out", str(SHARE), "--seed", str(SEED), "--output", "json"]
        return json.loads(
            self.call("import", file, "--corpus", "nips", "--from", "topics-csv", *held_out)
        )


def training_data(store, run):
    """Counts of the documents that run `run` was made from (documents x words), and its words: they
    are those it saved topics of."""
    with sqlite3.connect(store) as connection:
        vocabulary = connection.execute(
            "SELECT term.id, term.text FROM vocabulary_term JOIN term ON term.id = term_id "
            "WHERE vocabulary_id = (SELECT vocabulary_id FROM run WHERE id = ?) "
            "ORDER BY vocabulary_term.position",
            (run,),
        ).fetchall()
        column = {term: at for at, (term, _) in enumerate(vocabulary)}
        documents = [
            row[0]
            for row in connection.execute(
                "SELECT DISTINCT document_id FROM document_topic WHERE run_id = ? ORDER BY 1",
                (run,),
            )
        ]
        rows, columns, counts = [], [], []
        for row, document in enumerate(documents):
            triples = connection.execute(
                "SELECT term_id, count FROM triple WHERE document_id = ?", (document,)
            )
            for term, count in triples:
                if term in column:
                    rows.append(row)
                    columns.append(column[term])
                    counts.append(count)
    shape = (len(documents), len(vocabulary))
    matrix = scipy.sparse.csr_matrix((counts, (rows, columns)), shape=shape)
    return matrix, [word for _, word in vocabulary]


def tokens(row):
    return np.repeat(row.indices, row.data.astype(int))


def sklearn_nmf(x, k, loss):
    from sklearn.decomposition import NMF

    solver = "cd" if loss == "frobenius" else "mu"
    model = NMF(
        k, init="nndsvda", solver=solver, beta_loss=loss, max_iter=200, tol=0, random_state=SEED
    )
    begun = time.perf_counter()
    model.fit(x.astype(float))
    return model.components_, time.perf_counter() - begun


def sklearn_lda(x, k):
    from sklearn.decomposition import LatentDirichletAllocation

    model = LatentDirichletAllocation(
        k, learning_method="online", max_iter=10, n_jobs=2, random_state=SEED
    )
    begun = time.perf_counter()
    model.fit(x)
    return model.components_, time.perf_counter() - begun


def gensim_lda(x, k):
    from gensim.matutils import Sparse2Corpus
    from gensim.models import LdaMulticore

    corpus = list(Sparse2Corpus(x, documents_columns=False))
    names = {word: str(word) for word in range(x.shape[1])}
    begun = time.perf_counter()
    model = LdaMulticore(
        corpus, num_topics=k, id2word=names, passes=10, workers=2, random_state=SEED
    )
    return model.get_topics(), time.perf_counter() - begun


def tomotopy_lda(x, k, sweeps):
    import tomotopy

    model = tomotopy.LDAModel(k=k, seed=SEED, eta=0.01)
    for row in x:
        model.add_doc([str(word) for word in tokens(row)])
    begun = time.perf_counter()
    model.train(sweeps, workers=2)
    seconds = time.perf_counter() - begun
    order = [int(word) for word in model.used_vocabs]
    topics = np.zeros((k, x.shape[1]))
    for topic in range(k):
        topics[topic, order] = model.get_topic_word_dist(topic)
    return topics, seconds


#: (name, function of the counts and K).
PEERS = [
    ("scikit-learn NMF, 200", lambda x, k: sklearn_nmf(x, k, "frobenius")),
    ("scikit-learn NMF KL, 200", lambda x, k: sklearn_nmf(x, k, "kullback-leibler")),
    ("scikit-learn LDA online, 10", sklearn_lda),
    ("gensim LdaMulticore, 10", gensim_lda),
    ("tomotopy LDA, 200", lambda x, k: tomotopy_lda(x, k, 200)),
    ("tomotopy LDA, 1000", lambda x, k: tomotopy_lda(x, k, 1000)),
]


def write_topics(file, topics, words):
    """topic,term,probability; every topic sums to 1."""
    topics = topics / topics.sum(axis=1, keepdims=True)
    with open(file, "w", newline="") as out:
        table = csv.writer(out)
        table.writerow(["topic", "term", "probability"])
        for number, topic in enumerate(topics):
            for word in np.nonzero(topic)[0]:
                table.writerow([number, words[word], repr(float(topic[word]))])


def distinct(topica, run, top=25):
    """Different words among the top words of all topics, as a share."""
    query = (
        "SELECT count(DISTINCT term_id) * 1.0 / count(*) AS share FROM topic_term "
        f"WHERE run_id = {run} AND rank <= {top}"
    )
    return json.loads(topica.call("sql", query, "-o", "json"))[0]["share"]


def line(topica, name, seconds, found):
    metrics = found["metrics"]
    cells = [
        name,
        f"{seconds:.1f}",
        f"{metrics['npmi']:.4f}",
        f"{metrics['umass']:.1f}",
        f"{metrics['specificity']:.2f}",
        f"{metrics['dissimilarity']:.1f}",
        f"{distinct(topica, found['run']):.2f}",
        f"{metrics['held_out_log_probability']:.4f} ± {metrics['held_out_log_probability_error']:.4f}",
        f"{metrics['document_completion']:.4f}",
    ]
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("directory")
    parser.add_argument("--topics", type=int, default=50)
    parser.add_argument("--only", help="names of rows, or beginnings of them, with commas between")
    parser.add_argument("--store", help="a store to keep; otherwise it is thrown away")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        topica = Topica(arguments.store or os.path.join(home, "nips.db"))
        docword = os.path.join(arguments.directory, "docword.nips.txt.gz")
        vocab = os.path.join(arguments.directory, "vocab.nips.txt")
        topica.call("ingest", "nips", docword, "--vocab", vocab)
        only = arguments.only.split(",") if arguments.only else [""]
        print("| system | seconds | NPMI | UMass | specificity | dissimilarity | distinct | "
              "held-out, nats a token | completion |")
        print("|" + " --- |" * 9)
        first = topica.run(arguments.topics, ["--model", "lr-jsmf"])
        for name, options in OURS:
            if any(name.startswith(wanted) for wanted in only):
                found = topica.run(arguments.topics, options)
                stages = found["stages"]
                making = sum(s["seconds"] for s in stages if s["name"] not in AFTER)
                line(topica, name, making, found)
        counts, words = training_data(topica.store, first["run"])
        for name, fit in PEERS:
            if any(name.startswith(wanted) for wanted in only):
                topics, seconds = fit(counts, arguments.topics)
                file = os.path.join(home, "topics.csv")
                write_topics(file, topics, words)
                line(topica, name, seconds, topica.imported(file))


if __name__ == "__main__":
    main()
