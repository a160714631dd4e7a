#!/usr/bin/env python3
"""Kills parts of runs at random moments.

    benches/parts/kills.py TOPOI [--kills 30] [--parts 2,3,4 | --apart 3] [--from 0] [--seed 1]

TOPOI is a program with the feature `mpi`. Every kill is of a random part of a run in a random number of parts, at a random moment of its
usual time, from the share --from of it on. The run is then resumed in a random number of parts: in as many as before, and of 2, 4 and 8
also in others of them, the result must have the same hash; elsewhere no probability may differ by more than 1e-10. With --apart the parts alone have the documents, and each must have kept the topics of all of
its own, once. Prints a Markdown table and exits with 1 if anything was otherwise.

Needs Open MPI.
"""
import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from open_mpi import ENVIRONMENT

MODEL = ["-k", "12", "--threads", "1", "--iterations", "60"]
#: Numbers of parts of one corpus that find the same topics to the bit.
WHOLE_LANES = {1, 2, 4, 8}
#: A job that has not ended by then hangs.
ENDS_WITHIN = 60
WITHIN = 1e-10


class Place:
    """A store with a made corpus c, and its parts, which alone have the documents where they are apart."""

    def __init__(self, topoi, folder, documents, is_apart):
        self.topoi, self.folder, self.is_apart = topoi, Path(folder), is_apart
        self.call("synth", "lda", "--documents", documents, "--words", 1500, "-k", 12, "--tokens", 60, "--beta", "0.05", "--name", "c",
                  "--into", self.folder / "files")
        if not is_apart:
            self.call("ingest", "c", self.source())

    def source(self):
        return self.folder / "files" / "docword.c.txt"

    def call(self, *arguments, store=None):
        command = [self.topoi, "--store", store or self.folder / "whole.db", *arguments]
        return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout

    def ask(self, query, store=None):
        return json.loads(self.call("sql", query, "-o", "json", store=store))

    def pattern(self, parts):
        into = self.folder / f"in-{parts}"
        if not into.exists() and self.is_apart:
            into.mkdir()
            stores = [into / f"part-{number}.db" for number in range(parts)]
            for number, store in enumerate(stores):
                self.call("ingest", "c", self.source(), "--part", f"{number}/{parts}", store=store)
            self.call("unify", *stores, "--corpus", "c")
        elif not into.exists():
            self.call("shard", "c", "--parts", parts, "--into", into)
        return into / "part-{rank}.db"

    def is_kept(self, parts, hash_of_result):
        """Whether each part has the topics of all of its documents, once."""
        runs = f"(SELECT series_id FROM run WHERE hex(result_hash) = '{hash_of_result}')"
        query = f"SELECT (SELECT count(*) FROM {runs}) AS runs, (SELECT count(*) FROM document) AS documents, "
        query += f"(SELECT count(*) FROM series_proportions WHERE series_id IN {runs}) AS kept"
        found = [self.ask(query, store)[0] for store in self.stores(parts)]
        return all(row["runs"] == 1 and row["kept"] == row["documents"] > 0 for row in found)

    def stores(self, parts):
        return [Path(str(self.pattern(parts)).replace("{rank}", str(part))) for part in range(parts)]

    def forget(self, parts):
        """Deletes what parts have kept of runs, so that a run with the same result is saved again."""
        for store in self.stores(parts):
            for run in self.ask("SELECT id FROM run", store):
                self.call("delete", run["id"], "--yes", store=store)

    def job(self, parts, *arguments):
        command = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", parts, self.topoi]
        command += ["--store", self.folder / "whole.db", *arguments, "--parts", self.pattern(parts)]
        return subprocess.Popen([str(word) for word in command], env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def newest(self):
        rows = self.ask("SELECT id, status, error, hex(result_hash) AS hash FROM run ORDER BY id DESC LIMIT 1")
        return rows[0] if rows else {"id": 0}

    def apart(self, run, other):
        """The largest difference of a word's probability in two runs."""
        topics = "(SELECT * FROM topic_term WHERE run_id = {})"
        query = f"SELECT max(abs(coalesce(a.probability, 0) - coalesce(b.probability, 0))) AS apart FROM {topics.format(run)} a "
        return self.ask(f"{query} FULL JOIN {topics.format(other)} b USING (topic, term_id)")[0]["apart"]


def processes_of(job):
    try:
        return [int(pid) for pid in Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text().split()]
    except OSError:
        return []


def ended(job):
    """What a job printed on standard error, and whether it ended by itself."""
    try:
        return job.communicate(timeout=ENDS_WITHIN)[1], True
    except subprocess.TimeoutExpired:
        job.kill()
        return job.communicate()[1], False


def kill(place, usual, earliest, chance):
    """One kill; the row of the table, and whether all was as it must be."""
    parts, again = chance.choice(list(usual)), chance.choice(list(usual))
    part, share = chance.randrange(parts), chance.uniform(earliest, 1)
    if place.is_apart:
        place.forget(parts)
    before = place.newest()["id"]
    job = place.job(parts, "run", "c", *MODEL)
    time.sleep(share * usual[parts]["seconds"])
    stage = place.ask("SELECT stage FROM run_progress JOIN run ON run.id = run_id ORDER BY run_id DESC LIMIT 1")
    processes = processes_of(job)
    if part < len(processes):
        os.kill(processes[part], signal.SIGKILL)
    _, is_over = ended(job)
    row = place.newest()
    where = stage[0]["stage"] if stage and row["id"] > before else "joining"
    cells = [f"{part} of {parts}", f"{share:.2f}", where]
    if not is_over:
        return [*cells, "hangs", "", ""], False
    if row["id"] == before:
        return [*cells, "no run", "", ""], True
    if row["status"] == "finished":
        same = row["hash"] == usual[parts]["hash"] and (not place.is_apart or place.is_kept(parts, row["hash"]))
        return [*cells, "finished", "", "the same bits" if same else "other bits"], same
    said, is_over = ended(place.job(again, "resume", row["id"]))
    resumed = place.newest()
    if not is_over or resumed["status"] != "finished":
        return [*cells, row["status"], str(again), (said.splitlines() or [resumed["status"]])[-1]], False
    same_bits = resumed["hash"] == usual[parts]["hash"]
    apart = 0 if same_bits else place.apart(row["id"], usual[parts]["run"])
    must_be_same = again == parts or (not place.is_apart and {parts, again} <= WHOLE_LANES)
    same = same_bits if must_be_same else apart < WITHIN
    if place.is_apart and not place.is_kept(again, resumed["hash"]):
        return [*cells, row["status"], str(again), "parts lack documents"], False
    return [*cells, row["status"], str(again), "the same bits" if same_bits else f"differs by at most {apart:.0e}"], same


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("topoi")
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--parts", default="2,3,4")
    parser.add_argument("--apart", metavar="PARTS")
    parser.add_argument("--from", dest="earliest", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    is_well = True
    with tempfile.TemporaryDirectory() as folder:
        place, usual = Place(options.topoi, folder, 20_000, options.apart is not None), {}
        for parts in map(int, (options.apart or options.parts).split(",")):
            place.pattern(parts)
            begun = time.perf_counter()
            said, is_over = ended(place.job(parts, "run", "c", *MODEL))
            row = place.newest()
            if not is_over or row.get("status") != "finished":
                sys.exit(f"error: undisturbed, in {parts} parts: {said}")
            usual[parts] = {"seconds": time.perf_counter() - begun, "run": row["id"], "hash": row["hash"]}
        print("| killed | moment | stage | the run was | resumed in | result |\n| --- | ---: | --- | --- | ---: | --- |")
        for _ in range(options.kills):
            row, is_as_expected = kill(place, usual, options.earliest, chance)
            is_well &= is_as_expected
            print(f"| {' | '.join(row)} |", flush=True)
    sys.exit(0 if is_well else 1)


if __name__ == "__main__":
    main()
