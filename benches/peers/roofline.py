"""A run of `lr-jsmf` against what the machine gives: for each stage the flops and bytes of stages.py over
the seconds that the run saved, and how long they would take at the rates of `cargo bench --bench
roofline`.

The run is the last one of `lr-jsmf` in --store, or --run of it; without --store that of the largest made
corpus, which is made and run where it has not been already. papers/roofline.md tells how to read the table.
"""

import json
import os
import subprocess

import table
from environment import ROOT, say
from made_runs import store_of, stored
from program import Topoi
from stages import Saved, Work

#: The last run that can be counted, one with documents' topics before one without.
LAST = (
    "SELECT id FROM run WHERE model = 'lr-jsmf' AND status = 'finished' "
    "ORDER BY json_extract(settings, '$.documents') DESC, id DESC LIMIT 1"
)
#: Names of the rates in the table.
RATES = [
    ("read", "memory read, GB/s", 1e9),
    ("copy", "memory copied, read and written, GB/s", 1e9),
    ("cached", "half an L2 cache read again and again, GB/s", 1e9),
    ("gather_8_cached", "rows of 8 f64 gathered from half an L2 cache, GB/s", 1e9),
    ("gather_16_cached", "rows of 16 f64 gathered from half an L2 cache, GB/s", 1e9),
    ("gather_8", "rows of 8 f64 gathered from twice an L2 cache, GB/s", 1e9),
    ("gather_16", "rows of 16 f64 gathered from twice an L2 cache, GB/s", 1e9),
    ("add", "f64 of 128 KB added to in random order, million/s", 1e6),
    ("f64", "f64 products, large, GFlop/s", 1e9),
    ("f64_tall", "f64, 15,000 × 110 by 110 × 110, GFlop/s", 1e9),
    ("f64_inner", "f64, 110 × 15,000 by 15,000 × 32, GFlop/s", 1e9),
    ("f32", "f32 products, large, GFlop/s", 1e9),
    ("f32_tile", "f32, 128 × 100 by 100 × 2,000, GFlop/s", 1e9),
    ("decode", "(document, word) pairs read from blocks, million/s", 1e6),
]


def machine(options):
    """What the machine gives, by name, a second."""
    say("measuring the machine")
    environment = {**os.environ, "RAYON_NUM_THREADS": str(options.threads)}
    bench = ["cargo", "bench", "--locked", "--quiet", "--bench", "roofline", "--", "--json"]
    done = subprocess.run(bench, check=True, cwd=ROOT, env=environment, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def saved_run(options):
    """The store and the number of the run."""
    documents = options.documents[-1]
    store = options.store or store_of(options.work, documents)
    topoi = Topoi(options.program, store, options.threads)
    number = options.run
    if number is None and store.exists():
        number = next((row["id"] for row in topoi.sql(LAST)), None)
    if number is None and options.store:
        raise SystemExit(f"error: {store} has no finished run of lr-jsmf; run one, or leave --store out")
    if number is None:
        corpus = stored(options, documents, options.work)
        return corpus.topoi, corpus.run().number
    return topoi, number


def print_table(options):
    """Prints both tables."""
    topoi, number = saved_run(options)
    saved = Saved.of(topoi, number)
    rates = machine(options)
    load = table.figure(os.getloadavg()[0], 1)
    kilobytes = rates["cache_bytes"] // 1024
    table.section(
        "What the machine gives",
        f"{rates['threads']:.0f} threads, {kilobytes:,.0f} KB of L2 cache a core; load {load}.",
    )
    table.head("what", "rate")
    for name, what, unit in RATES:
        table.row(what, table.figure(rates[name] / unit, 1))
    table.section(
        "A run against what the machine gives",
        f"`{saved.model}`, K = {saved.topics}: {saved.documents:,.0f} documents, {saved.words:,} words, "
        f"{saved.triples:,.0f} triples; {saved.packed / 1e6:,.0f} MB of blocks.",
    )
    table.head("stage", *COLUMNS)
    work = Work(saved, rates)
    for stage in saved.stages:
        table.row(f"`{stage['name']}`", *cells(stage, work.parts(stage)))


COLUMNS = [
    "steps",
    "seconds",
    "GFlop",
    "GB moved",
    "GFlop/s",
    "GB/s",
    "seconds at the machine's rates",
    "of the bound",
    "of which",
]


def cells(stage, parts):
    """A stage's figures; those of its parts are added up, as they come one after another."""
    took = stage["seconds"]
    steps = table.figure(stage["steps"])
    if not parts:
        return [steps, table.seconds(took), *[table.NONE] * 7]
    flops, moved = sum(part.flops for part in parts), sum(part.bytes for part in parts)
    bound = sum(part.seconds for part in parts)
    return [
        steps,
        table.seconds(took),
        table.figure(flops / 1e9, 1),
        table.figure(moved / 1e9, 1),
        table.figure(flops / took / 1e9, 1),
        table.figure(moved / took / 1e9, 1),
        table.seconds(bound),
        f"{100 * bound / took:.0f}%",
        ", ".join(f"{part.what} {table.seconds(part.seconds)}" for part in parts),
    ]
