#!/usr/bin/env python3
"""What an update of a corpus costs whose documents are in parts alone, beside a run in parts and an update in one store.

    benches/parts/updates.py TOPOI [--parts 2] [--documents 30000] [--new 1000] [--words 3000] [-- RUN OPTIONS]

TOPOI is a program with the feature `mpi`. Of made documents all but the last are ingested and a run is made; then all are, and the run is
updated. Prints a Markdown table: seconds of the command, exchanges, megabytes that part 0 sent, documents read, and the largest distance of a
topic's words (total variation, 0 to 1) from those of the update in one store.
"""
import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from open_mpi import ENVIRONMENT


def call(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=ENVIRONMENT)
    if done.returncode:
        sys.exit(f"error: {' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def first(whole, documents, into):
    """Writes the first documents of a file of counts under the same name."""
    into.mkdir()
    with open(whole) as lines, open(into / whole.name, "w") as some:
        header = [int(next(lines)) for _ in range(3)]
        kept = [line for line in lines if int(line.split(maxsplit=1)[0]) <= documents]
        some.write(f"{documents}\n{header[1]}\n{len(kept)}\n")
        some.writelines(kept)
    (into / "vocab.c.txt").write_text((whole.parent / "vocab.c.txt").read_text())
    return into / whole.name


def topics(topoi, store, run):
    asked = f"SELECT topic, word, probability FROM topic_word WHERE run_id = {run}"
    found = {}
    for row in json.loads(call(topoi, "--store", store, "sql", asked, "-o", "json")):
        found.setdefault(row["topic"], {})[row["word"]] = row["probability"]
    return found


def apart(ours, others):
    def distance(a, b):
        return sum(abs(a.get(word, 0) - b.get(word, 0)) for word in a.keys() | b.keys()) / 2

    return max(distance(ours[topic], others[topic]) for topic in others)


def row(what, seconds, topoi, store, run, distance=""):
    found = json.loads(call(topoi, "--store", store, "metrics", run, "-o", "json"))
    metrics = {one["name"]: one["value"] for one in found if one.get("topic") is None}
    read = metrics.get("documents_added", metrics["documents_used"]) + metrics.get("documents_read_again", 0)
    exchanges, sent = metrics.get("exchanges"), metrics.get("exchange_bytes")
    traffic = [f"{exchanges:.0f}", f"{sent / 1e6:.1f}"] if exchanges else ["", ""]
    print(f"| {' | '.join([what, f'{seconds:.1f}', *traffic, f'{read:,.0f}', distance])} |", flush=True)


def timed(*command):
    begun = time.perf_counter()
    number = json.loads(call(*command, "-o", "json"))["run"]
    return time.perf_counter() - begun, number


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("topoi")
    parser.add_argument("--parts", type=int, default=2)
    parser.add_argument("--documents", type=int, default=30_000)
    parser.add_argument("--new", type=int, default=1000)
    parser.add_argument("--words", type=int, default=3000)
    given = sys.argv[1:]
    cut = given.index("--") if "--" in given else len(given)
    options = parser.parse_args(given[:cut])
    run = given[cut + 1 :] or ["-k", "20"]
    print("| | seconds | exchanges | MB | documents read | apart |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        made, whole, united = folder / "made", folder / "whole.db", folder / "united.db"
        topoi, pattern = options.topoi, folder / "part-{rank}.db"
        call(topoi, "--store", folder / "no.db", "synth", "lda", "--documents", options.documents, "--words", options.words, "-k", 20,
             "--tokens", 60, "--beta", "0.05", "--name", "c", "--into", made)
        begin, every = first(made / "docword.c.txt", options.documents - options.new, folder / "first"), made / "docword.c.txt"
        job = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", options.parts, topoi, "--store", united]

        def ingest(file):
            call(topoi, "--store", whole, "ingest", "c", file)
            for part in range(options.parts):
                call(topoi, "--store", folder / f"part-{part}.db", "ingest", "c", file, "--part", f"{part}/{options.parts}")
            call(*job, "unify", "--corpus", "c", "--parts", pattern)

        ingest(begin)
        seconds, alone = timed(topoi, "--store", whole, "run", "c", "--threads", options.parts, *run)
        row(f"run in one store, {options.parts} threads", seconds, topoi, whole, alone)
        seconds, in_parts = timed(*job, "run", "c", "--threads", 1, "--parts", pattern, *run)
        row(f"run in {options.parts} parts", seconds, topoi, united, in_parts, f"{apart(topics(topoi, united, in_parts), topics(topoi, whole, alone)):.1e}")
        ingest(every)
        seconds, alone = timed(topoi, "--store", whole, "update", alone)
        row(f"update in one store, {options.parts} threads", seconds, topoi, whole, alone)
        seconds, in_parts = timed(*job, "update", in_parts, "--parts", pattern)
        row(f"update in {options.parts} parts", seconds, topoi, united, in_parts, f"{apart(topics(topoi, united, in_parts), topics(topoi, whole, alone)):.1e}")


if __name__ == "__main__":
    main()
