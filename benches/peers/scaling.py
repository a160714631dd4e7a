"""Made corpora up to the size of New York Times: 300,000 documents of 215 tokens, 15,000 words, 62
million triples, drawn from LDA.

Of topoi ingest, and `lr-jsmf` with and without `--no-documents` stage by stage as the store has it,
with peak memory. Below it programs that go over the counts again and again, topoi's too, each at
the sizes that it can be expected to end at within --limit seconds. Growth is seconds over those of
the size before, divided by triples over those of the size before: 1 is linear.
"""

import os

import corpora
import table
from arguments import wants
from fit import fit
from made_runs import PEERS, Limited, stored
from peers import Order, title

#: topoi's models that iterate, with iterations, iterations of --quick, and what one is called.
ITERATED = [("lda-gibbs", 100, 10, "sweeps"), ("nmf-kl", 20, 2, "iterations")]


def print_table(options):
    """Prints the tables."""
    every = [stored(options, documents, options.work) for documents in options.documents]
    runs = {"": [], "--no-documents": []}
    for each in every:
        for label, found in runs.items():
            found.append(each.run(*label.split()))
    first = every[0].made
    load = table.figure(os.getloadavg()[0], 1)
    sizes = [f"{each.made.documents:,} documents" for each in every]
    table.section(
        "Growth",
        f"Corpora drawn from LDA: documents of {corpora.TOKENS} tokens, {first.words:,} words, "
        f"{first.topics} topics. `lr-jsmf -k {first.topics} --terms {first.words}`, "
        f"{options.threads} threads, one run each; load {load}.",
    )
    table.head("seconds", *sizes)
    table.row("million triples", *(table.figure(each.made.triples / 1e6, 1) for each in every))
    ours(every, runs)
    table.section(
        "Growth beside peers",
        f"The same corpora and K: seconds of fitting (of topoi the whole run with its metrics), "
        f"millions of bytes at most, growth; at most {options.limit} s each; load {load}.",
    )
    table.head("system", *sizes)
    beside_peers(options, every, runs)


def ours(every, runs):
    """Ingest, and each stage of the runs."""
    table.row("ingest", *(table.seconds(each.ingest.wall) for each in every))
    rates = (each.made.triples / each.ingest.wall / 1e6 for each in every)
    table.row("ingest, million triples/s", *(table.figure(rate, 1) for rate in rates))
    table.row("ingest, peak MB", *(table.megabytes(each.ingest.peak) for each in every))
    stages = [dict(run.stages) for run in runs[""]]
    for name in stages[0]:
        table.row(f"`{name}`", *(table.seconds(of_run.get(name)) for of_run in stages))
    for label, found in runs.items():
        suffix = f" with `{label}`" if label else ""
        table.row(f"the whole run{suffix}", *(table.seconds(run.seconds) for run in found))
        table.row(f"peak MB{suffix}", *(table.megabytes(run.peak) for run in found))


def beside_peers(options, every, runs):
    """topoi's runs, its models that iterate, and the peers."""
    for label, found in runs.items():
        name = f"lr-jsmf {label}".strip()
        if wants(options, name):
            line(options, f"`{name}`", every, lambda each: found[every.index(each)])
    for model, rounds, quick, unit in ITERATED:
        rounds = quick if options.quick else rounds
        arguments = ["--model", model, "--iterations", rounds, "--no-documents", "--memory", 64]
        if wants(options, model):
            name = f"`{model} --no-documents`, {rounds} {unit}"
            line(options, name, every, lambda each: each.run(*arguments, limit=options.limit))
    for peer, rounds, quick in PEERS:
        rounds = quick if options.quick else rounds
        name = title(peer, rounds)
        if wants(options, name):
            line(options, name, every, lambda each: theirs(options, peer, rounds, each))


def line(options, name, every, work):
    """A program at all sizes."""
    limited = Limited(options.limit)
    cells = []
    for each in every:
        done, told = limited.attempt(each.made.triples, lambda each=each: work(each))
        if done is None:
            cells.append(told)
            continue
        growth = f", × {told:.2f}" if told else ""
        cells.append(f"{table.seconds(done.seconds)} s, {table.megabytes(done.peak)} MB{growth}")
    table.row(name, *cells)


def theirs(options, peer, rounds, each):
    """A peer on a made corpus."""
    counts = options.work / f"counts.{each.made.name}.npz"
    corpora.counts_of_file(each.made.files.docword, counts)
    order = Order(each.made.topics, rounds, options.threads)
    return fit(peer, counts, order, limit=options.limit)
