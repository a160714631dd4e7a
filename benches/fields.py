#!/usr/bin/env python3
"""Topics by field over many documents: seconds by the clock and of the processor, medians of three.

    benches/fields.py TOPOI [--documents 1000000] [--store FILE]

Makes documents of 20 words drawn from a few of 50 subjects, with the fields `section` (4 values), `year` (33) and
`author` (400), ingests them, makes one run with K = 50, and asks for its topics by one field, by two and by three
crossed. A store that is there already is asked only. Prints a Markdown table.
"""
import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import tempfile
import time

ASKED = [
    ["fields", "made"],
    ["by", "1", "section"],
    ["by", "1", "year"],
    ["by", "1", "--by", "section,year"],
    ["by", "1", "--by", "section,author"],
    ["by", "1", "--by", "section,year,author", "--per", "decade"],
    ["keywords", "made", "--by", "section"],
]


def documents(count):
    """Documents as JSON Lines."""
    draw = random.Random(1)
    for number in range(count):
        subjects = draw.choices(range(50), k=3)
        words = [f"s{draw.choice(subjects)}w{int(99 * draw.random() ** 2)}" for _ in range(20)]
        section = "abcd"[subjects[0] % 4]
        fields = {"section": section, "year": 1990 + number % 33, "author": f"author {draw.randrange(400)}"}
        yield json.dumps({"id": f"d{number}", "text": " ".join(words), **fields})


def spent():
    """Seconds of the processor that programs started from here have taken."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("topoi")
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--store")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        store = options.store or os.path.join(directory, "fields.db")
        call = [options.topoi, f"--store={store}"]
        if not os.path.exists(store):
            file = os.path.join(directory, "made.jsonl")
            with open(file, "w", encoding="utf-8") as made:
                made.writelines(line + "\n" for line in documents(options.documents))
            for work in [["ingest", "made", file], ["run", "made", "-k", "50"]]:
                subprocess.run([*call, *work], check=True, stdout=subprocess.DEVNULL)
        print("| command | seconds | of the processor |\n| --- | ---: | ---: |", flush=True)
        for asked in ASKED:
            taken = []
            for _ in range(3):
                before, began = spent(), time.monotonic()
                subprocess.run([*call, *asked], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                taken.append((time.monotonic() - began, spent() - before))
            clock, processor = (statistics.median(column) for column in zip(*taken))
            print(f"| `{' '.join(asked)}` | {clock:.2f} | {processor:.2f} |", flush=True)


if __name__ == "__main__":
    main()
