#!/usr/bin/env python3
"""How topics look to people who read them, in one command.

    python3 benches/reading/run.py TABLE --corpora DIRECTORY --program TOPOI [...]
    python3 benches/reading/run.py TABLE --results FILE

Measures runs, adds the scores of each as a line of JSON to --results, and prints a table of all lines of
that file as Markdown. Without --corpora it prints the table of what was measured before. Uses the virtual
environment of benches/peers, and makes it where it is not there. What is measured is said at the top of
each table's file:

    rankings     words by probability, exclusive, relevance and frex: coherence, distinct words, retrieval
    first_words  topics whose first word is in a third of the documents, and what suggested stop words change
    labels       topics beside labels: agreement, homogeneity, evenness of topics; other programs, other β

judgements.py and human_words.py, beside this file, measure by what people said of topics and need no
corpora; books_and_speeches.py makes the corpora of first_words from public repositories.
"""

import argparse
import importlib
import os
import sys
from pathlib import Path

# Nothing is left in the source tree.
sys.dont_write_bytecode = True
sys.path.insert(1, str(Path(__file__).resolve().parent.parent / "peers"))

import environment  # noqa: E402
from arguments import positive  # noqa: E402

TABLES = ["rankings", "first_words", "labels"]


def listed(kind, separator=","):
    """Reads a list of values of a kind."""
    return lambda text: [kind(part) for part in text.split(separator) if part]


def parser():
    made = argparse.ArgumentParser(description="How topics look to people who read them.")
    made.add_argument("table", choices=TABLES)
    made.add_argument("--corpora", type=Path, help="directory of the files that kinds.py names")
    made.add_argument("--program", type=Path, help="topoi; otherwise it is built for release")
    made.add_argument("--results", type=Path, help="scores, a line a row [TABLE.jsonl]")
    made.add_argument(
        "--environment",
        type=Path,
        default=environment.ROOT / "target" / "peers-venv",
        help="of the peers",
    )
    made.add_argument(
        "--only",
        type=listed(str, ";"),
        default=[""],
        metavar="NAME;...",
        help="corpora whose names begin so",
    )
    made.add_argument("--sizes", type=listed(positive), default=[20, 50], metavar="K,...")
    made.add_argument("--seeds", type=listed(positive), default=[1], metavar="S,...")
    made.add_argument("--threads", type=positive, default=os.cpu_count(), help="[all]")
    made.add_argument("--limit", type=positive, help="seconds after which a peer is ended")
    made.add_argument(
        "--weights",
        type=listed(float),
        default=[],
        metavar="L,...",
        help="rankings: relevance with these λ as well",
    )
    made.add_argument(
        "--systems",
        type=listed(str, ";"),
        metavar="SYSTEM;...",
        help="labels: what makes topics, as labels.py describes",
    )
    return made


def main():
    options = parser().parse_args()
    options.results = options.results or Path(f"{options.table}.jsonl")
    environment.enter(options.environment)
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    module = importlib.import_module(options.table)
    if options.corpora:
        options.program = options.program or environment.release_program()
        module.measure(options)
    module.print_table(options.results)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
