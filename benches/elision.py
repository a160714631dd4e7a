"""How many terms of texts differ from another only by an elided article, without and with elision.

    python3 benches/elision.py --topoi target/release/topoi --language fr --texts FOLDER

For French (fr), Italian (it), Catalan (ca) and Occitan (oc). Needs nothing but Python.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

ARTICLES = {
    "fr": "l d j m t s n c qu jusqu lorsqu puisqu quoiqu quelqu",
    "it": "l d c n s m t v un gl all dall dell nell sull quest quell",
    "ca": "l d n s m t",
    "oc": "l d n s m t qu",
}


def terms(topoi, language, folder, elision):
    with tempfile.TemporaryDirectory() as stores:
        store = [topoi, "--store", pathlib.Path(stores) / "elision.db"]
        options = ["--stop-words", language, "--elision", elision]
        subprocess.run([*store, "ingest", "c", folder, *options], check=True, capture_output=True)
        rows = subprocess.run([*store, "sql", "SELECT text FROM term", "-o", "json"], check=True, capture_output=True)
        return {row["text"] for row in json.loads(rows.stdout)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topoi", required=True)
    parser.add_argument("--language", required=True, choices=ARTICLES)
    parser.add_argument("--texts", required=True)
    options = parser.parse_args()
    articles = ARTICLES[options.language].split()
    for elision in ["none", options.language]:
        found = terms(options.topoi, options.language, options.texts, elision)
        parts = [term.split("'", 1) for term in found if "'" in term]
        alike = sum(before in articles and rest in found for before, rest in parts)
        print(f"--elision {elision}: {len(found)} terms, {alike} of them another with an article")


if __name__ == "__main__":
    main()
