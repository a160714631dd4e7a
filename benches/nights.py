"""Nights of a corpus that grows: what an update costs, which topics stay, and what a fresh run comes to.

    python3 benches/nights.py --topoi target/release/topoi --texts a.jsonl b.jsonl.gz [--nights 30] [--seeds 7 8 9]

Draws --documents texts a night from JSON lines with `text` (or `counts`) and perhaps `label`; each night a hundred of the
older ones are corrected (half of their words) and thirty deleted; from two thirds of the nights on, 150 a night are about a
made subject of 25 words, with --quiet none. Runs K topics on the first night, updates every other night, and at the end runs anew
with as many topics. With --refit updates are `update --refit`. Prints a row for each seed. Needs nothing but Python.
"""

import argparse
import gzip
import json
import random
import sqlite3
import subprocess
import tempfile
from pathlib import Path

SUBJECT = [a + b for a in ("zar", "quo", "vel", "bro", "kri") for b in ("tane", "mix", "lith", "dex", "phyn")]


def texts_of(paths):
    found = []
    for path in paths:
        opened = gzip.open(path, "rt") if path.suffix == ".gz" else open(path)
        with opened as lines:
            for line in lines:
                record = json.loads(line)
                counts = record.get("counts", {})
                words = record["text"].split() if "text" in record else [w for w, n in counts.items() for _ in range(n)]
                if len(words) >= 8:
                    found.append((words, str(record.get("label", record.get("section", "")))))
    return found


def nights_of(texts, options, seed):
    """(added, corrected, deleted keys) of each night."""
    draw, known = random.Random(seed), []
    for night in range(1, options.nights + 1):
        added = []
        for number in range(options.documents):
            words, label = draw.choice(texts)
            if not options.quiet and night > options.nights * 2 // 3 and number < 150:
                words, label = draw.choices(SUBJECT, k=24) + draw.sample(words, min(len(words), 12)), "made"
            added.append({"id": f"{night}-{number}", "text": " ".join(words), "label": label})
        old = draw.sample(known, min(len(known), 130))
        for record in old[:100]:
            words = record["text"].split()
            record["text"] = " ".join(draw.sample(words, max(1, len(words) // 2)))
        gone = {record["id"] for record in old[100:]}
        known = [record for record in known if record["id"] not in gone] + added
        yield added, old[:100], sorted(gone)


class Store:
    def __init__(self, topoi, path):
        self.topoi, self.path = topoi, path

    def run(self, *arguments):
        command = [self.topoi, "--store", str(self.path), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode:
            raise SystemExit(f"{' '.join(arguments)}: {done.stderr.strip()}")

    def ask(self, sql, *values):
        connection = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)
        rows = connection.execute(sql, values).fetchall()
        connection.close()
        return rows

    def newest(self):
        return self.ask("SELECT max(id) FROM run WHERE status = 'finished'")[0][0]

    def seconds(self, run):
        return self.ask("SELECT sum(seconds) FROM run_stage WHERE run_id = ?", run)[0][0]

    def topics(self, run):
        topics = {}
        for topic, term, share in self.ask("SELECT topic, term_id, probability FROM topic_term WHERE run_id = ?", run):
            topics.setdefault(topic, {})[term] = share
        return topics

    def metric(self, run, name):
        return self.ask("SELECT value FROM metric WHERE run_id = ? AND topic IS NULL AND name = ?", run, name)[0][0]


def cosine(a, b):
    dot = sum(share * b.get(term, 0) for term, share in a.items())
    return dot / (sum(s * s for s in a.values()) * sum(s * s for s in b.values())) ** 0.5


def measure(options, texts, seed, directory):
    store = Store(options.topoi, directory / f"{seed}.db")
    before, broken, took, clean_since, births = None, 0, [], None, []
    subject = f"SELECT id FROM term WHERE text IN ({','.join('?' * len(SUBJECT))})"
    for night, (added, corrected, gone) in enumerate(nights_of(texts, options, seed), 1):
        for name, records in (("added", added), ("corrected", corrected)):
            path = directory / f"{name}.jsonl"
            path.write_text("".join(json.dumps(record) + "\n" for record in records))
            if records:
                store.run("ingest", "news", str(path))
        if gone:
            store.run("delete", "documents", "news", "--yes", *(word for key in gone for word in ("--key", key)))
        if before is None:
            store.run("run", "news", "-k", str(options.topics))
        else:
            store.run("update", str(store.newest()), *(["--refit"] if options.refit else []))
        run = store.newest()
        topics = store.topics(run)
        if before is not None:
            broken += sum(cosine(topics[topic], before[topic]) < 0.8 for topic in topics if topic in before)
            births += [str(night)] * (len(topics) - len(before))
        before = topics
        took.append(store.seconds(run))
        words = {row[0] for row in store.ask(subject, *SUBJECT)}
        first = [sorted(shares, key=shares.get)[-10:] for shares in topics.values()]
        is_clean = any(words.issuperset(ten) for ten in first)
        clean_since = (clean_since or night) if is_clean else None
    size = sum(path.stat().st_size for path in directory.glob(f"{seed}.db*") if path.is_file()) / 1e6
    store.run("run", "news", "-k", str(len(before)))
    runs = (run, store.newest())
    for number in runs:
        store.run("metrics", str(number), "--recompute")
        store.run("metrics", str(number), "--against", "label")
    last = sorted(took[-6:])
    found = [(store.metric(number, "npmi"), store.metric(number, "nmi@label")) for number in runs]
    return (last[2] + last[3]) / 2, store.seconds(runs[1]), broken, births, clean_since, size, *found


def arguments(description):
    """The options of a measurement over nights."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topoi", required=True)
    parser.add_argument("--texts", nargs="+", type=Path, required=True)
    parser.add_argument("--nights", type=int, default=30)
    parser.add_argument("--documents", type=int, default=3334)
    parser.add_argument("--topics", type=int, default=30)
    parser.add_argument("--seeds", nargs="+", type=int, default=[7, 8, 9])
    parser.add_argument("--quiet", action="store_true")
    return parser


def main():
    parser = arguments(__doc__)
    parser.add_argument("--refit", action="store_true")
    options = parser.parse_args()
    texts = texts_of(options.texts)
    print("| seed | last updates, s | fresh run, s | other topics | new topics in nights | subject clean since | MB | NPMI, NMI | fresh |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for seed in options.seeds:
        with tempfile.TemporaryDirectory() as directory:
            last, fresh, broken, births, clean, size, ours, anew = measure(options, texts, seed, Path(directory))
        pairs = [f"{npmi:.3f}, {nmi:.3f}" for npmi, nmi in (ours, anew)]
        nights = (options.nights - 1) * options.topics
        print(f"| {seed} | {last:.2f} | {fresh:.2f} | {broken} of {nights} | {', '.join(births) or 'none'} | {clean or 'never'} | {size:.0f} | {' | '.join(pairs)} |", flush=True)


if __name__ == "__main__":
    main()
