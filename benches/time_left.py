#!/usr/bin/env python3
"""How right the time left of a run is: predicted / true, a quarter, half and three quarters of the way.

    benches/time_left.py TOPOI CORPUS=FILE [CORPUS=FILE ...] [--k 20] [--models lr-jsmf,svd]

Each corpus is ingested into a store of its own, and each model run on it once, so that no run can learn from an
earlier one; `--again` makes each run a second time, with another seed, where it can. What a worker writes of its run is
read every 20 ms. Prints a Markdown table; a dash where a run was over before anything was written.
"""
import argparse
import os
import sqlite3
import subprocess
import tempfile
import time

MODELS = "lr-jsmf enn palm raw aw rp ddp rp-doc binning svd r1d nmf-kl nmf-ard lda-gibbs".split()
SHARES = (0.25, 0.5, 0.75)


def watched(store, topoi, arguments):
    """[(seconds since it began, seconds left)] of a run, and how long it took."""
    database = sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=10)
    number = lambda: database.execute("SELECT coalesce(max(id), 0) FROM run").fetchone()[0]
    before, seen, began, run = number(), [], None, None
    process = subprocess.Popen([topoi, f"--store={store}", "run", *arguments], stdout=subprocess.DEVNULL)
    while process.poll() is None:
        time.sleep(0.02)
        if run is None:
            run = number() if number() > before else None
            continue
        sql = "SELECT updated_at, seconds_left FROM run_progress WHERE run_id = ?"
        row = database.execute(sql, [run]).fetchone()
        if row is None:
            continue
        began = began or row[0]
        if row[1] is not None and (not seen or seen[-1][0] != row[0] - began):
            seen.append((row[0] - began, row[1]))
    seconds = database.execute("SELECT seconds FROM run WHERE id = ?", [run]).fetchone()[0]
    return seen, seconds


def ratio(seen, seconds, share):
    """Predicted / true, at the last word before that share of the time; a screen counts on from there."""
    at = share * seconds
    before = [(when, left) for when, left in seen if when <= at]
    if not before or seconds is None:
        return "-"
    when, left = before[-1]
    return f"{max(left - (at - when), 0.0) / (seconds - at):.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("topoi")
    parser.add_argument("corpora", nargs="+", metavar="CORPUS=FILE")
    parser.add_argument("--k", default="20")
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    print("| corpus | model | seconds | at 25% | at 50% | at 75% |")
    print("| --- | --- | ---: | ---: | ---: | ---: |", flush=True)
    for corpus in options.corpora:
        name, file = corpus.split("=", 1)
        with tempfile.TemporaryDirectory() as directory:
            store = os.path.join(directory, "t.db")
            subprocess.run(
                [options.topoi, f"--store={store}", "ingest", name, file], check=True, stdout=subprocess.DEVNULL
            )
            for model in options.models.split(","):
                for seed in ("1", "2") if options.again else ("1",):
                    arguments = [name, "-k", options.k, "--model", model, "--seed", seed]
                    seen, seconds = watched(store, options.topoi, arguments)
                    said = " | ".join(ratio(seen, seconds, share) for share in SHARES)
                    again = ", again" if seed == "2" else ""
                    print(f"| {name} | {model}{again} | {seconds:.1f} | {said} |", flush=True)


if __name__ == "__main__":
    main()
