#!/usr/bin/env python3
"""Whether alternating projections come to their limit in fewer iterations, and to which limit.

    python3 benches/rectification.py docword.nips.txt.gz [--words 400] [-k 10] [--limit 1000]

The co-occurrence C of the most frequent words is rectified as by `enn` with every row (Lee et al. 2021, algorithm 3), with
exact eigenpairs: plain, with the correction E taken `x` times (over-relaxed projections), and with Nesterov's momentum on E.
Prints after how many iterations E has which norm, and how far Y·Yᵀ is from where the plain iterations end. Needs numpy and
scipy; independent of the program.
"""
import argparse
import gzip

import numpy as np
import scipy.sparse as sparse
from scipy.linalg import eigh

SHOWN = (5, 10, 20, 30, 50, 100)


def cooccurrence(path, words):
    """Means over documents of what pairs of their tokens say (Lee et al. 2021, §2), of so many frequent words."""
    with gzip.open(path, "rt") as file:
        documents, terms, _ = (int(next(file)) for _ in range(3))
        entries = np.loadtxt(file, dtype=np.int64)
    counts = sparse.csr_matrix((entries[:, 2], (entries[:, 0] - 1, entries[:, 1] - 1)), (documents, terms), dtype=float)
    totals = np.asarray(counts.sum(0)).ravel()
    # The hundred most frequent are stop words, nearly all.
    counts = counts[:, np.argsort(-totals)[100 : 100 + words]]
    tokens = np.asarray(counts.sum(1)).ravel()
    counts, tokens = counts[tokens >= 2], tokens[tokens >= 2]
    weights = 1 / (tokens * (tokens - 1))
    c = (counts.T @ sparse.diags(weights) @ counts).toarray() - np.diag(np.asarray(counts.T @ weights).ravel())
    return c / len(tokens)


def largest(matrix, k):
    values, vectors = eigh(matrix, subset_by_index=[len(matrix) - k, len(matrix) - 1])
    return vectors * np.sqrt(np.maximum(values, 0))


def rectified(c, k, iterations, times=1.0, has_momentum=False):
    """Yields Y and E after every iteration."""
    y = largest(c, k)
    before = np.maximum(-(y @ y.T), 0)
    taken, step = times * before, 1.0
    for _ in range(iterations):
        product = y @ y.T
        missing = (1 - product.sum() - taken.sum()) / product.size
        y = largest(product + taken + missing, k)
        e = np.maximum(-(y @ y.T), 0)
        taken = times * e
        if has_momentum:
            further = (1 + np.sqrt(1 + 4 * step * step)) / 2
            taken, step = e + (step - 1) / further * (e - before), further
        before = e
        yield y, e


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--words", type=int, default=400)
    parser.add_argument("-k", type=int, default=10)
    parser.add_argument("--limit", type=int, default=1000, help="iterations that stand for the limit")
    options = parser.parse_args()
    c = cooccurrence(options.file, options.words)
    *_, (y, _) = rectified(c, options.k, options.limit)
    limit = y @ y.T
    print("| | " + " | ".join(map(str, SHOWN)) + " |\n| --- |" + " ---: |" * len(SHOWN))
    ways = {"plain": {}, "E 1.5 times": {"times": 1.5}, "E 1.9 times": {"times": 1.9}, "momentum": {"has_momentum": True}}
    for name, way in ways.items():
        cells = []
        for number, (y, e) in enumerate(rectified(c, options.k, SHOWN[-1], **way), 1):
            if number in SHOWN:
                far = np.linalg.norm(y @ y.T - limit) / np.linalg.norm(limit)
                cells.append(f"{np.linalg.norm(e) / np.linalg.norm(limit):.1e}, {far:.1e}")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
