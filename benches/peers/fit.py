"""Fits one peer in a process of its own and prints what it took, as JSON.

    fit.py PEER COUNTS.npz TOPICS ROUNDS THREADS SEED [TOPICS.npy]

`fit` starts it and reads what it prints.
"""

import json
import sys
from dataclasses import dataclass

import process
from environment import HERE
from peers import PEERS, Order


@dataclass(frozen=True)
class Fitted:
    """What a peer took."""

    #: Of the call that fits.
    seconds: float
    #: Bytes of resident memory at most, with the interpreter, the counts, and its workers.
    peak: int
    #: What else it tells, by name.
    figures: dict


def fit(peer, counts, order, into=None, limit=None):
    """Fits `peer` to the counts in a file; its topics go to the file `into`, where one is named.

    Raises `process.TookTooLong` and `process.Failed`.
    """
    settings = [order.topics, order.rounds, order.threads, order.seed]
    command = [sys.executable, HERE / "fit.py", peer, counts, *settings]
    ran = process.run([*command, into] if into else command, limit)
    told = json.loads(ran.output.splitlines()[-1])
    return Fitted(told["seconds"], ran.peak, told["figures"])


def main():
    import numpy as np
    import scipy.sparse

    peer, counts, *settings = sys.argv[1:7]
    function = PEERS[peer][0]
    order = Order(*map(int, settings))
    found, seconds, figures = function(scipy.sparse.load_npz(counts), order)
    for into in sys.argv[7:]:
        np.save(into, found)
    print(json.dumps({"seconds": seconds, "figures": figures}))


if __name__ == "__main__":
    main()
