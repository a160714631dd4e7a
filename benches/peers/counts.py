"""Counts of documents (rows) and words (columns) for the peers, written for scipy to load.

A program of its own, so that the memory which reading takes is not counted as anybody's:

    counts.py run STORE RUN INTO.npz     what a run was made from; prints its words
    counts.py uci DOCWORD INTO.npz       a UCI file as it is
"""

import json
import sqlite3
import sys

import numpy as np
import scipy.sparse

#: Words of a run's vocabulary by position.
VOCABULARY = (
    "SELECT term.id, term.text FROM vocabulary_term JOIN term ON term.id = term_id "
    "WHERE vocabulary_id = (SELECT vocabulary_id FROM run WHERE id = ?) "
    "ORDER BY vocabulary_term.position"
)
#: The counts of the documents that a run was made from: they are those it saved topics of.
COUNTS = (
    "SELECT counts FROM document_counts WHERE document_id IN "
    "(SELECT DISTINCT document_id FROM document_topic WHERE run_id = ?) ORDER BY document_id"
)
USED = "SELECT value FROM metric WHERE run_id = ? AND topic IS NULL AND name = 'documents_used'"


def of_run(store, run):
    """Counts of a run's documents and vocabulary, and the words."""
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
        vocabulary = connection.execute(VOCABULARY, (run,)).fetchall()
        column = {str(term): at for at, (term, _) in enumerate(vocabulary)}
        ends, columns, counts = [0], [], []
        for (document,) in connection.execute(COUNTS, (run,)):
            for term, count in json.loads(document).items():
                if term in column:
                    columns.append(column[term])
                    counts.append(count)
            ends.append(len(columns))
        used = connection.execute(USED, (run,)).fetchone()[0]
    assert len(ends) - 1 == used, f"run {run} used {used} documents and saved {len(ends) - 1}"
    shape = (len(ends) - 1, len(vocabulary))
    matrix = scipy.sparse.csr_matrix((counts, columns, ends), shape=shape, dtype=np.int32)
    matrix.sort_indices()
    return matrix, [word for _, word in vocabulary]


def of_uci(docword):
    """Counts of a UCI file that is not packed."""
    with open(docword) as file:
        shape = [int(next(file)) for _ in range(3)][:2]
        triples = np.fromstring(file.read(), dtype=np.int32, sep=" ").reshape(-1, 3)
    entries = (triples[:, 2], (triples[:, 0] - 1, triples[:, 1] - 1))
    return scipy.sparse.coo_matrix(entries, shape=shape).tocsr()


def main():
    kind, *names, into = sys.argv[1:]
    if kind == "run":
        matrix, words = of_run(*names)
        print(json.dumps(words))
    else:
        matrix = of_uci(*names)
    scipy.sparse.save_npz(into, matrix, compressed=False)


if __name__ == "__main__":
    main()
