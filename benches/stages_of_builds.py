#!/usr/bin/env python3
"""What the stages of a run take in two builds of the program, in turns: medians, and the median of the ratios.

    python3 benches/stages_of_builds.py OLD NEW STORE CORPUS [--rounds 5] -- -k 50 [more arguments of run]

Each build makes its runs in a copy of the store, from the first factorisation on: the stages' seconds are those that the
program saves, and "whole" is the command by the clock. Run it where nothing else runs.
"""
import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time


def stages(build, store, corpus, arguments):
    """Seconds of every stage of a run of a build in a fresh copy of the store."""
    with tempfile.TemporaryDirectory() as home:
        copy = pathlib.Path(home) / "copy.db"
        shutil.copyfile(store, copy)
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
    own, _, arguments = " ".join(sys.argv[1:]).partition(" -- ")
    options = parser.parse_args(own.split())
    taken = {build: [] for build in options.builds}
    for number in range(options.rounds):
        for build in options.builds if number % 2 else options.builds[::-1]:
            taken[build].append(stages(build, options.store, options.corpus, arguments.split()))
    print("| stage | before | now | ratio |\n| --- | ---: | ---: | ---: |")
    before, now = (taken[build] for build in options.builds)
    for name in now[0]:
        if name not in before[0]:
            continue
        old, new = ([run[name] for run in runs] for runs in (before, now))
        ratio = statistics.median(n / o for o, n in zip(old, new) if o > 0) if all(old) else 1.0
        print(f"| {name} | {statistics.median(old):.3f} | {statistics.median(new):.3f} | {ratio:.2f} |")


if __name__ == "__main__":
    main()
