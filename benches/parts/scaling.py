#!/usr/bin/env python3
"""What a run in 1 to 8 parts sends and holds, on one machine: strong scaling (a corpus divided) and weak (a part of one size each).

    benches/parts/scaling.py TOPOI [--parts 1,2,4,8] [--documents 40000] [--words 3000] [-- RUN OPTIONS]

TOPOI is a program with the feature `mpi`. Prints a Markdown table: seconds of the run, and those of its exchanges; exchanges; megabytes
that part 0 sent; the most memory of part 0 and of the others. With more parts than cores the parts take turns: seconds are then those of this machine, and say nothing of one for each part.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from open_mpi import ENVIRONMENT

AS_PART = "--as-part"


def as_part(folder, command):
    """Runs the program in one of the processes of mpirun, and writes the most memory that it had, in bytes."""
    status = subprocess.run(command).returncode
    most = 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    (Path(folder) / f"memory-{os.environ['OMPI_COMM_WORLD_RANK']}").write_text(str(most))
    sys.exit(status)


def measured(topoi, folder, parts, documents, words, options):
    store = Path(folder) / f"{parts}-{documents}.db"

    def call(*arguments):
        command = [str(word) for word in [topoi, "--store", store, *arguments]]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    files = Path(folder) / f"files-{documents}"
    call("synth", "lda", "--documents", documents, "--words", words, "-k", 20, "--tokens", 80, "--beta", "0.05", "--name", "c", "--into", files)
    call("ingest", "c", files / "docword.c.txt")
    into = Path(folder) / f"{parts}-{documents}"
    call("shard", "c", "--parts", parts, "--into", into)
    command = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", parts, sys.executable, __file__, AS_PART, folder, topoi]
    command += ["--store", store, "run", "c", "--threads", 1, "--parts", into / "part-{rank}.db", *options]
    begun = time.perf_counter()
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=ENVIRONMENT)
    seconds = time.perf_counter() - begun
    if done.returncode:
        sys.exit(f"error: {done.stderr}")
    metrics = {one["name"]: one["value"] for one in json.loads(call("metrics", 1, "-o", "json")) if one.get("topic") is None}
    memory = [int((Path(folder) / f"memory-{part}").read_text()) for part in range(parts)]
    return seconds, metrics, memory


def main():
    if sys.argv[1:2] == [AS_PART]:
        as_part(sys.argv[2], sys.argv[3:])
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("topoi")
    parser.add_argument("--parts", default="1,2,4,8")
    parser.add_argument("--documents", type=int, default=40_000)
    parser.add_argument("--words", type=int, default=3000)
    given = sys.argv[1:]
    cut = given.index("--") if "--" in given else len(given)
    options = parser.parse_args(given[:cut])
    run = given[cut + 1 :] or ["-k", "20"]
    print("| scaling | documents | parts | seconds | of exchanges | exchanges | MB | memory of part 0, MB | of another |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    counts = [int(count) for count in options.parts.split(",")]
    for kind in ("strong", "weak"):
        for parts in counts:
            documents = options.documents if kind == "strong" else options.documents // max(counts) * parts
            with tempfile.TemporaryDirectory() as folder:
                seconds, metrics, memory = measured(options.topoi, folder, parts, documents, options.words, run)
            sent, others = metrics["exchange_bytes"] / 1e6, memory[1:]
            row = [kind, f"{documents:,}", parts, f"{seconds:.1f}", f"{metrics['exchange_seconds']:.2f}", f"{metrics['exchanges']:.0f}"]
            row += [f"{sent:.1f}", f"{memory[0] / 1e6:.0f}", f"{max(others) / 1e6:.0f}" if others else ""]
            print(f"| {' | '.join(map(str, row))} |", flush=True)


if __name__ == "__main__":
    main()
