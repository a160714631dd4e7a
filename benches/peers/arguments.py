"""What the command can be told, the same for all tables."""

import argparse
import os
from pathlib import Path

from environment import ROOT

DESCRIPTION = "topoi beside its peers: makes an environment with pinned peers, prints tables."


def parser(tables):
    """The parser of the command; `tables` are the names of the tables in the order of printing."""
    made = argparse.ArgumentParser(description=DESCRIPTION)
    made.add_argument("tables", nargs="*", metavar="TABLE", help=f"{', '.join(tables)} or all [all]")
    made.add_argument(
        "--corpora",
        type=Path,
        required=True,
        help="directory of docword.nips.txt.gz, vocab.nips.txt, bbc_news.tsv and the other "
        "files that kinds.py and segmentation.py name",
    )
    made.add_argument("--quick", action="store_true", help="small sizes, few sweeps: does it work?")
    made.add_argument("--program", type=Path, help="topoi; otherwise it is built for release")
    made.add_argument(
        "--environment", type=Path, default=ROOT / "target" / "peers-venv", help="of the peers"
    )
    made.add_argument(
        "--work",
        type=Path,
        default=ROOT / "target" / "peers-data",
        help="where made corpora and stores are kept: 3 GB of them",
    )
    made.add_argument("--rounds", type=positive, help="runs of each program [ingest 5, others 1]")
    made.add_argument(
        "--only",
        type=lambda names: [name for name in names.split(";") if name],
        default=[""],
        metavar="NAME;...",
        help="rows whose names begin so: quality, memory, scaling; corpora: kinds",
    )
    made.add_argument(
        "--systems",
        type=lambda names: names.split(";"),
        default=[""],
        metavar="NAME;...",
        help="kinds: systems whose names begin so",
    )
    made.add_argument(
        "--sizes",
        type=lambda sizes: [positive(size) for size in sizes.split(",")],
        metavar="K,...",
        help="kinds: numbers of topics [20,50,100; --quick 20]",
    )
    made.add_argument("--topics", type=positive, help="K on NIPS [50; --quick 20]")
    made.add_argument("--threads", type=positive, default=os.cpu_count(), help="[all]")
    made.add_argument(
        "--limit", type=positive, help="seconds after which a peer is ended [600; --quick 60]"
    )
    made.add_argument(
        "--min-documents", type=positive, help="quality: words that stand in so many documents"
    )
    made.add_argument("--megabytes", type=positive, help="ingest: text [40; --quick 4]")
    made.add_argument(
        "--memory-megabytes", type=positive, help="ingest: text that memory is looked at with [1000]"
    )
    made.add_argument(
        "--documents",
        type=lambda sizes: [positive(size) for size in sizes.split(",")],
        metavar="N,...",
        help="scaling, memory, roofline: sizes of the made corpora [30000,100000,300000]",
    )
    made.add_argument("--store", type=Path, help="roofline: a store with a saved run")
    made.add_argument("--run", type=positive, help="roofline: the run [the last of lr-jsmf]")
    return made


def positive(text):
    """A whole number above 0."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def completed(options):
    """`options` with the defaults that depend on --quick."""
    quick = options.quick
    defaults = {
        "topics": 20 if quick else 50,
        "limit": 60 if quick else 600,
        "megabytes": 4 if quick else 40,
        "memory_megabytes": 20 if quick else 1000,
        "sizes": [20] if quick else [20, 50, 100],
        "documents": [2000, 6000] if quick else [30_000, 100_000, 300_000],
    }
    for name, value in defaults.items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    options.documents.sort()
    options.work.mkdir(parents=True, exist_ok=True)
    return options


def wants(options, name):
    """Whether --only asks for the row `name`."""
    return any(name.startswith(wanted) for wanted in options.only)
