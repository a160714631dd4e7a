#!/usr/bin/env python3
"""nmf-kl beside scikit-learn's NMF, and lda-gibbs beside tomotopy's LDA, on the NIPS corpus.

    python3 -m venv /tmp/peers
    /tmp/peers/bin/pip install scikit-learn==1.9.1 tomotopy==0.14.0
    cargo build --release
    /tmp/peers/bin/python benches/factor.py DIRECTORY [--rounds 3] [--topics 50] [--threads 2]

DIRECTORY holds docword.nips.txt.gz and vocab.nips.txt. All programs get the same documents and
the same 5,000 words (the best by tf-idf, documents of 5 tokens or more). Each round runs every
program once, in turn; medians and the ratios of the rounds are printed. topica's time is that of
its stages "iterate" as it saves them, with reading the store; the peers' is that of fitting alone.

nmf-kl: scikit-learn does 200 multiplicative updates from its own start (nndsvda, counted) and from
a random one (--starts). Its divergence is what topica has to reach: the time counted is that of the iterations
until its objective is no more than the peer's. lda-gibbs: both do 200 sweeps; log-likelihoods are
those of words and topics together, for each token, as tomotopy's ll_per_word.
"""

import argparse
import gzip
import json
import math
import os
import statistics
import subprocess
import tempfile
import time

import numpy as np
import scipy.sparse
import tomotopy
from sklearn.decomposition import NMF

WORDS = 5000
LEAST_TOKENS = 5
SWEEPS = 200


def corpus(directory):
    """Counts, documents x words, of the vocabulary that topica chooses."""
    with gzip.open(os.path.join(directory, "docword.nips.txt.gz"), "rt") as lines:
        shape = [int(next(lines)) for _ in range(3)]
        entries = np.loadtxt(lines, dtype=np.int64)
    x = scipy.sparse.csr_matrix(
        (entries[:, 2], (entries[:, 0] - 1, entries[:, 1] - 1)), shape=shape[:2]
    )
    frequency = np.asarray(x.sum(axis=0)).ravel()
    documents = np.diff(x.tocsc().indptr)
    used = documents[documents > 0]
    score = np.full(x.shape[1], -1.0)
    score[documents > 0] = frequency[documents > 0] * np.log(np.floor(x.shape[0] / used))
    best = np.sort(np.argsort(-score, kind="stable")[:WORDS])
    x = x[:, best]
    return x[np.asarray(x.sum(axis=1)).ravel() >= LEAST_TOKENS]


class Topica:
    """The program, with the corpus in a store of its own."""

    def __init__(self, program, directory, home):
        self.program = program
        self.environment = {**os.environ, "TOPICA_STORE": os.path.join(home, "bench.db")}
        docword = os.path.join(directory, "docword.nips.txt.gz")
        self.call("ingest", "nips", docword)

    def call(self, *arguments):
        command = [self.program, *arguments]
        done = subprocess.run(command, env=self.environment, capture_output=True, check=True)
        return done.stdout.decode()

    def sql(self, query):
        return json.loads(self.call("sql", query, "-o", "json"))

    def run(self, model, topics, threads, *more):
        """Seconds in "iterate", and (step, residual) of its iterations."""
        self.call("run", "nips", "--model", model, "-k", str(topics), "--threads", str(threads), *more)
        run = "(SELECT max(id) FROM run)"
        seconds = self.sql(
            f"SELECT sum(seconds) AS s FROM run_stage WHERE run_id = {run} AND name LIKE 'iterate%'"
        )[0]["s"]
        rows = self.sql(
            f"SELECT step, residual FROM run_residual WHERE run_id = {run} AND stage LIKE 'iterate%' "
            "ORDER BY step"
        )
        return seconds, [(row["step"], row["residual"]) for row in rows]


def timed(work):
    begun = time.perf_counter()
    result = work()
    return time.perf_counter() - begun, result


def scikit_learn(x, topics, init):
    model = NMF(
        n_components=topics,
        init=init,
        solver="mu",
        beta_loss="kullback-leibler",
        max_iter=SWEEPS,
        tol=0,
        random_state=1,
    )
    seconds, _ = timed(lambda: model.fit(x))
    # What it calls the error is the root of twice the divergence.
    return seconds, model.reconstruction_err_**2 / 2


def tomotopy_lda(x, topics, workers):
    model = tomotopy.LDAModel(k=topics, seed=1)
    for row in x:
        words = np.repeat(row.indices, row.data)
        model.add_doc([str(word) for word in words])
    model.train(0)
    seconds, _ = timed(lambda: model.train(SWEEPS, workers=workers))
    return seconds, model.ll_per_word


def show(name, seconds, what):
    print(f"{name:28} {statistics.median(seconds):8.2f} s   {what}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("directory")
    parser.add_argument("--program", default="target/release/topica")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--topics", type=int, default=50)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--starts", nargs="*", default=["nndsvda", "random"])
    args = parser.parse_args()
    x = corpus(args.directory)
    tokens = int(x.sum())
    print(f"{x.shape[0]} documents, {x.shape[1]} words, {x.nnz} nonzeros, {tokens} tokens")
    peers = {init: ([], []) for init in args.starts}
    ours, lda, gibbs = {init: [] for init in peers}, ([], []), ([], [])
    full = []
    with tempfile.TemporaryDirectory() as home:
        topica = Topica(args.program, args.directory, home)
        for _ in range(args.rounds):
            seconds, curve = topica.run(
                "nmf-kl", args.topics, args.threads, "--tolerance", "1e-12"
            )
            full.append((seconds, curve[-1][1] * tokens, len(curve)))
            for init, (times, divergences) in peers.items():
                time_of_peer, divergence = scikit_learn(x, args.topics, init)
                times.append(time_of_peer)
                divergences.append(divergence)
                reached = [step for step, each in curve if each * tokens <= divergence]
                share = reached[0] / len(curve) if reached else math.inf
                ours[init].append((seconds * share, reached[0] if reached else None))
            for result, (times, likelihoods) in (
                (tomotopy_lda(x, args.topics, args.threads), lda),
                (topica.run("lda-gibbs", args.topics, args.threads), gibbs),
            ):
                times.append(result[0])
                value = result[1] if isinstance(result[1], float) else result[1][-1][1]
                likelihoods.append(value)
    show("topica nmf-kl", [s for s, _, _ in full], f"{full[0][2]} iterations: {full[0][1]:.0f}")
    for init, (times, divergences) in peers.items():
        show(f"scikit-learn {init}", times, f"{SWEEPS} iterations: {divergences[0]:.0f}")
        same = [seconds for seconds, _ in ours[init]]
        ratio = statistics.median(peer / own for peer, own in zip(times, same))
        show("  topica to the same", same, f"{ours[init][0][1]} iterations; {ratio:.1f} times as fast")
    for name, (times, likelihoods) in (("tomotopy", lda), ("topica lda-gibbs", gibbs)):
        each = statistics.median(times) / SWEEPS
        show(name, times, f"{1e3 * each:.0f} ms a sweep, log-likelihood {likelihoods[0]:.4f}")
    ratio = statistics.median(own / peer for own, peer in zip(gibbs[0], lda[0]))
    print(f"lda-gibbs takes {ratio:.2f} times tomotopy's time")


if __name__ == "__main__":
    main()
