"""Made corpora in stores of their own, and what their runs took."""

from dataclasses import dataclass

import corpora
import process
from environment import say
from program import Run, Topoi

#: Peers, with rounds and rounds of --quick, that are held to the limit on made corpora.
PEERS = [
    ("tomotopy-lda", 100, 10),
    ("sklearn-nmf-kl", 20, 2),
    ("sklearn-lda-online", 1, 1),
    ("gensim-lda-multicore", 1, 1),
    ("gensim-nmf", 1, 1),
]


@dataclass(frozen=True)
class Stored:
    """A made corpus in a store."""

    made: corpora.Made
    topoi: Topoi
    #: What taking it in took.
    ingest: process.Ran

    def run(self, *more, limit=None) -> Run:
        """A run with the corpus's K and all of its words."""
        made = self.made
        return self.topoi.run(made.name, made.topics, "--terms", made.words, *more, limit=limit)


def store_of(directory, documents):
    """Where the made corpus of so many documents is stored."""
    return directory / f"lda-{documents}.db"


def stored(options, documents, directory):
    """A made corpus of so many documents, in a new store in `directory`."""
    store = store_of(directory, documents)
    topoi = Topoi(options.program, store, options.threads)
    made = corpora.made(options, topoi, documents)
    for ending in ["", "-shm", "-wal"]:
        (directory / (store.name + ending)).unlink(missing_ok=True)
    say(f"taking in {documents:,} documents")
    return Stored(made, topoi, topoi.ingest(made.name, made.files.docword))


class Limited:
    """Something that is run on ever larger corpora while it can be expected to end in time."""

    def __init__(self, limit):
        self.limit = limit
        #: (triples, seconds) of the largest it was run on.
        self.last = None
        #: Why it is not run on larger ones.
        self.stopped = None

    def attempt(self, triples, work):
        """What `work` returns, and how many times longer it took than `last` for how many times the
        triples; `None` and the reason where it is not done."""
        if self.stopped:
            return None, self.stopped
        if self.last:
            expected = self.last[1] * triples / self.last[0]
            if expected > self.limit:
                self.stopped = f"left out: about {expected:,.0f} s"
                return None, self.stopped
        try:
            done = work()
        except process.TookTooLong as reason:
            self.stopped = str(reason)
            return None, self.stopped
        except process.Failed as reason:
            self.stopped = f"failed: {reason}"
            return None, self.stopped
        growth = None
        if self.last:
            growth = (done.seconds / self.last[1]) / (triples / self.last[0])
        self.last = (triples, done.seconds)
        return done, growth
