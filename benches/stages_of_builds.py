#!/usr/bin/env python3
"""What the stages of a run take in two builds of the program, in turns: medians, and the median of the ratios.

    python3 benches/stages_of_builds.py OLD NEW STORE CORPUS [--rounds 5] -- -k 50 [more arguments of run]

Each run is made in a fresh copy of the store. The stages' seconds are those that the program saves; "whole" is the command
by the clock. Run it where nothing else runs. two_builds.py times commands of all kinds.
"""
import argparse
import json
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time


def stages(build, store, corpus, arguments):
    """Seconds of every stage of a run of a build in a fresh copy of the store."""
    with tempfile.TemporaryDirectory() as home:
        copy = pathlib.Path(home) / "copy.db"
        with sqlite3.connect(store) as own, sqlite3.connect(copy) as other:
            own.backup(other)
        begun = time.perf_counter()
        command = [build, "--store", str(copy), "run", corpus, *arguments, "--output", "json"]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        whole = time.perf_counter() - begun
    found = {}
    for stage in json.loads(printed)["stages"]:
        # A stage in legs ("iterate-1" …) is one.
        name = stage["name"].rstrip("0123456789").rstrip("-")
        found[name] = found.get(name, 0.0) + stage["seconds"]
    return {**found, "whole": whole}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("builds", nargs=2, metavar="BUILD")
    parser.add_argument("store", type=pathlib.Path)
    parser.add_argument("corpus")
    parser.add_argument("--rounds", type=int, default=5)
    # What follows "--" is for the runs.
    given = sys.argv[1:]
    end = given.index("--") if "--" in given else len(given)
    options, arguments = parser.parse_args(given[:end]), given[end + 1 :]
    taken = {build: [] for build in options.builds}
    for number in range(options.rounds):
        for build in options.builds if number % 2 else options.builds[::-1]:
            taken[build].append(stages(build, options.store, options.corpus, arguments))
    print("| stage | before | now | ratio |\n| --- | ---: | ---: | ---: |")
    before, now = (taken[build] for build in options.builds)
    for name in now[0]:
        if name not in before[0]:
            continue
        old, new = ([run[name] for run in runs] for runs in (before, now))
        # A stage of no time is one whose result was there.
        ratio = f"{statistics.median(n / o for o, n in zip(old, new)):.2f}" if all(old) else "–"
        print(f"| {name} | {statistics.median(old):.3f} | {statistics.median(new):.3f} | {ratio} |")


if __name__ == "__main__":
    main()
