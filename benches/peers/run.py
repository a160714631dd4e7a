#!/usr/bin/env python3
"""topoi beside its peers, in one command.

    python3 benches/peers/run.py [TABLE ...] --corpora DIRECTORY [--quick] [...]

Makes a virtual environment with the peers of requirements.txt in target/peers-venv, builds topoi for
release (unless --program names one), and prints the tables that are asked for as Markdown, ready for
papers/benchmarks.md. What each is and how it is measured stands at the top of its file:

    quality    every model and peer on NIPS by the same scores, and seconds
    kinds      the default, other models and the peers on several kinds of text, at several K
    factor     nmf-kl and lda-gibbs beside scikit-learn, fastTopics and tomotopy
    ingest     taking text in
    segmentation  words of Chinese and Japanese
    memory     peak memory of fitting, NIPS and made corpora
    scaling    made corpora up to the size of New York Times, stage by stage
    roofline   each stage of a run against what the machine gives
"""

import importlib
import os
import sys

# Nothing is left in the source tree.
sys.dont_write_bytecode = True

import environment  # noqa: E402
from arguments import completed, parser  # noqa: E402

TABLES = ["quality", "kinds", "factor", "ingest", "segmentation", "memory", "scaling", "roofline"]


def main():
    asked = parser(TABLES)
    options = asked.parse_args()
    wrong = [name for name in options.tables if name not in [*TABLES, "all"]]
    if wrong:
        asked.error(f"there is no table {wrong[0]}; there are {', '.join(TABLES)} and all")
    environment.enter(options.environment)
    options = completed(options)
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    for library in ["OMP", "OPENBLAS", "NUMEXPR"]:
        os.environ[f"{library}_NUM_THREADS"] = str(options.threads)
    options.program = options.program or environment.release_program()
    everything = not options.tables or "all" in options.tables
    for name in TABLES:
        if everything or name in options.tables:
            importlib.import_module(name).print_table(options)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
