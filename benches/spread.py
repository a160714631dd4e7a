#!/usr/bin/env python3
"""How far the metrics of runs spread that differ in the seed alone: standard deviation over mean, in per cent.

    benches/spread.py TOPOI STORE CORPUS=MODELS [CORPUS=MODELS ...] [-k 20] [--seeds 6]

MODELS are names with commas between them. Every run is made in the store and stays there. Prints a Markdown table, a column
for each model on each corpus.
"""
import argparse
import json
import statistics
import subprocess

METRICS = [
    "npmi",
    "uci",
    "token_log_probability",
    "inverted_rbo",
    "umass",
    "cv",
    "exclusivity",
    "dissimilarity",
    "topic_diversity",
    "specificity",
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("topoi")
    parser.add_argument("store")
    parser.add_argument("corpora", nargs="+", metavar="CORPUS=MODELS")
    parser.add_argument("-k", type=int, default=20)
    parser.add_argument("--seeds", type=int, default=6)
    options = parser.parse_args()

    def topoi(*arguments):
        command = [options.topoi, "--store", options.store, *map(str, arguments)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def metrics(corpus, model, seed):
        run = json.loads(topoi("run", corpus, "-k", options.k, "--model", model, "--seed", seed, "-o", "json"))
        found = json.loads(topoi("metrics", run["run"], "-o", "json"))
        return {one["name"]: one["value"] for one in found if one.get("topic") is None}

    columns = {}
    for given in options.corpora:
        corpus, models = given.split("=")
        for model in models.split(","):
            runs = [metrics(corpus, model, seed) for seed in range(1, options.seeds + 1)]
            columns[f"`{model}` {corpus}"] = runs
    print("| spread over seeds, % |", " | ".join(columns), "|")
    print("| --- |" + " ---: |" * len(columns))
    for name in METRICS:
        cells = []
        for runs in columns.values():
            values = [run[name] for run in runs if run.get(name) is not None]
            spread = len(values) > 1 and statistics.stdev(values) / abs(statistics.mean(values))
            cells.append(f"{100 * spread:.1f}" if spread is not False else "–")
        print(f"| `{name}` |", " | ".join(cells), "|")


if __name__ == "__main__":
    main()
