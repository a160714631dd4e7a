"""Real subjects that come: which labels of a corpus become a topic when they come with an update.

    python3 benches/subjects.py --topoi target/release/topoi --texts 20ng_counts.jsonl.gz [--share 0.05] [--topics 30]

For each label of JSON lines with `text` or `counts` and `label`: a run on four fifths of the documents of all other labels, and an
update with the last fifth and, as --share of these, documents of the label. Prints whether a topic was added, its words, and how many of
the label's documents have it as their largest topic. The last row has no new label. Needs nothing but Python.
"""

import argparse
import gzip
import json
import random
import sqlite3
import subprocess
import tempfile
from pathlib import Path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topoi", required=True)
    parser.add_argument("--texts", required=True, type=Path)
    parser.add_argument("--share", type=float, default=0.05)
    parser.add_argument("--topics", default="30")
    options = parser.parse_args()
    opened = gzip.open if options.texts.suffix == ".gz" else open
    with opened(options.texts, "rt") as lines:
        records = [json.loads(line) for line in lines]
    print("| label | its documents | topics added | of the label's documents | words |")
    print("| --- | ---: | ---: | ---: | --- |")
    for label in [*sorted({record["label"] for record in records}), None]:
        with tempfile.TemporaryDirectory() as directory:
            print(row(options, records, label, Path(directory)), flush=True)


def row(options, records, label, directory):
    draw = random.Random(3)
    own = [record for record in records if record["label"] == label]
    rest = [record for record in records if record["label"] != label]
    draw.shuffle(own)
    draw.shuffle(rest)
    cut = len(rest) * 4 // 5
    own = own[: int(options.share * (len(rest) - cut))]
    store = directory / "store.db"

    def topoi(*arguments):
        command = [options.topoi, "--store", str(store), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode:
            raise SystemExit(f"{' '.join(arguments)}: {done.stderr.strip()}")

    for name, part in (("first", rest[:cut]), ("second", rest[cut:] + own)):
        path = directory / f"{name}.jsonl"
        path.write_text("".join(json.dumps({**record, "id": f"{name}-{at}"}) + "\n" for at, record in enumerate(part)))
    topoi("ingest", "c", str(directory / "first.jsonl"))
    topoi("run", "c", "-k", options.topics)
    topoi("ingest", "c", str(directory / "second.jsonl"))
    topoi("update", "1")
    connection = sqlite3.connect(store)
    added = [topic for (topic,) in connection.execute("SELECT topic FROM topic_birth")]
    words = connection.execute("SELECT topic, words FROM topic_history WHERE revision = 1").fetchall()
    words = "; ".join(" ".join(found.split()[:5]) for topic, found in words if topic in added)
    of_label = (
        "SELECT count(*), sum(topic IN (SELECT topic FROM topic_birth)) FROM document_top_topic "
        "JOIN document ON document.id = document_id WHERE run_id = 2 AND document.fields ->> 'label' = ?"
    )
    documents, has = connection.execute(of_label, (label,)).fetchone()
    connection.close()
    return f"| {label if label is not None else 'none'} | {documents} | {len(added)} | {has or 0} | {words} |"


if __name__ == "__main__":
    main()
