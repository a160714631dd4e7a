#!/usr/bin/env python3
"""What two builds of the program take for the same commands, in turns: medians, and the median of the ratios.

    python3 benches/two_builds.py OLD NEW --corpora DIRECTORY [--rounds 11]

DIRECTORY holds docword.nips.txt.gz of UCI and bbc_news.tsv, a text a line, which is taken 22 times (41 MB). Each build has a
store of its own. Seconds by the clock, and of the processor; run it where nothing else runs.
"""
import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time

# Commands that read, on a store of NIPS with a run of 50 topics and of the texts.
READING = """runs
corpora
topics 1
documents texts --limit 50
terms texts --limit 50
terms texts -o csv
documents texts --limit 49000 -o csv
sql "SELECT count(*) FROM document"
"""


def seconds(arguments):
    """By the clock, and of the processor. Workers that go on by themselves are not counted as the latter."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - begun, spent


def compared(name, builds, work, rounds):
    """Prints a row of work that is a function of a build."""
    taken = {build: [] for build in builds}
    for build in builds:
        work(build)
    for number in range(rounds):
        for build in builds if number % 2 else builds[::-1]:
            taken[build].append(work(build))
    cells = []
    for at in (0, 1):
        old, new = ([both[at] for both in taken[build]] for build in builds)
        ratio = statistics.median(n / o for o, n in zip(old, new))
        cells.append(f"{statistics.median(old):.4f} | {statistics.median(new):.4f} | {ratio:.3f}")
    print(f"| `{name}` | " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("builds", nargs=2, metavar="BUILD")
    parser.add_argument("--corpora", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=11)
    options = parser.parse_args()
    print("| | clock, old | new | ratio | processor, old | new | ratio |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as directory:
        here = pathlib.Path(directory)
        texts = here / "texts.txt"
        texts.write_text((options.corpora / "bbc_news.tsv").read_text() * 22)
        builds = [os.path.abspath(build) for build in options.builds]
        store = {build: here / f"{number}.db" for number, build in enumerate(builds)}

        def ingest(build):
            with tempfile.TemporaryDirectory(dir=here) as fresh:
                return seconds([build, "--store", f"{fresh}/t.db", "ingest", "texts", texts, "--format", "lines"])

        compared("ingest", builds, ingest, options.rounds)
        nips = options.corpora / "docword.nips.txt.gz"
        command = lambda *words: lambda build: seconds([build, "--store", store[build], *words])
        for build in builds:
            command("ingest", "nips", nips)(build)
            command("ingest", "texts", texts, "--format", "lines")(build)
        compared("run nips -k 50", builds, command("run", "nips", "-k", "50"), max(3, options.rounds // 3))
        for line in READING.splitlines():
            words = [word for piece in line.split('"')[::2] for word in piece.split()] + line.split('"')[1::2]
            compared(line, builds, command(*words), 3 * options.rounds)
        compared("check", builds, command("check"), max(3, options.rounds // 3))


if __name__ == "__main__":
    main()
