"""topoi, called as anybody would: its commands and its SQL."""

import csv
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import process

#: Stages that are not the making of topics.
AFTER = {"prepare", "documents", "held-out", "measure", "coherence", "save"}


@dataclass(frozen=True)
class Run:
    """A saved run."""

    number: int
    #: Seconds from its start to its end.
    seconds: float
    #: (name, seconds), in order.
    stages: list
    #: Metrics of the run as a whole, by name.
    metrics: dict
    #: The most resident memory of its worker, in bytes.
    peak: int

    @property
    def making(self):
        """Seconds of the stages that make topics."""
        return sum(seconds for name, seconds in self.stages if name not in AFTER)


class Topoi:
    """The program with a store."""

    def __init__(self, program, store, threads):
        self.program = program
        self.store = Path(store)
        self.threads = threads

    def command(self, *arguments):
        """The command with these arguments."""
        return [str(part) for part in (self.program, "--store", self.store, *arguments)]

    def call(self, *arguments, limit=None):
        """What it prints."""
        command = self.command(*arguments)
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
        if done.returncode != 0:
            lines = done.stderr.strip().splitlines() or [f"ended with {done.returncode}"]
            raise process.Failed(f"topoi {' '.join(map(str, arguments))}: {lines[-1]}")
        return done.stdout

    def sql(self, query):
        """The rows of a query, each a dictionary."""
        return json.loads(self.call("sql", query, "--output", "json"))

    def value(self, query):
        """The one value that a query has."""
        return next(iter(self.sql(query)[0].values()))

    def ingest(self, corpus, source, *more):
        """Adds `source` to a corpus; what that took."""
        return process.run(self.command("ingest", corpus, source, *more))

    def run(self, corpus, topics, *more, limit=None):
        """A run of `corpus`, saved.

        Raises `process.TookTooLong` for one that is not done within `limit` seconds, and cancels it.
        """
        arguments = ["run", corpus, "-k", topics, "--threads", self.threads, *more]
        try:
            return self.saved(self.call(*arguments, "--output", "json", limit=limit))
        except subprocess.TimeoutExpired:
            # Its worker is a process of its own, and goes on without whoever asked for it.
            self.call("cancel", self.value("SELECT max(id) AS id FROM run"))
            raise process.TookTooLong(f"not done in {limit:.0f} s") from None

    def imported(self, corpus, found, words, *more):
        """The topics of a peer (K x words, any scale, in a file of numpy) as a run of `corpus`."""
        file = write_topics(found, words)
        arguments = ["import", file, "--corpus", corpus, "--from", "topics-csv"]
        return self.saved(self.call(*arguments, *more, "--output", "json"))

    def distinct(self, run):
        """Different words among the 25 top words of all topics, as a share."""
        return self.value(
            "SELECT count(DISTINCT term_id) * 1.0 / count(*) AS share FROM topic_term "
            f"WHERE run_id = {run.number} AND rank <= 25"
        )

    def saved(self, printed):
        """A run from what `run` or `import` printed of it."""
        found = json.loads(printed)
        number = found["run"]
        peak = self.value(f"SELECT peak_memory_bytes AS bytes FROM run WHERE id = {number}")
        stages = [(stage["name"], stage["seconds"]) for stage in found["stages"]]
        return Run(number, found["seconds"], stages, found["metrics"], peak)


def write_topics(found, words):
    """Writes topics as topic,term,probability beside the file they are in; every topic sums to 1."""
    import numpy as np

    topics = np.load(found)
    topics = topics / topics.sum(axis=1, keepdims=True)
    into = found.with_suffix(".csv")
    with open(into, "w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["topic", "term", "probability"])
        for number, topic in enumerate(topics):
            for word in np.nonzero(topic)[0]:
                lines.writerow([number, words[word], repr(float(topic[word]))])
    return into
