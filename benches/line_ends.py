"""How many words that hyphens part at line ends `--join-hyphens` joins, and how many compounds it leaves.

    python3 benches/line_ends.py --topoi target/release/topoi --language de --texts handbook-de-DE.jsonl.gz

Texts (JSON lines with `text`) are set in lines of 60 characters: a word that does not fit is parted with a hyphen at a random
place, a compound such as full-text at its own. What is still apart in the store is counted. Needs nothing but Python.
"""

import argparse
import collections
import gzip
import json
import pathlib
import random
import re
import subprocess
import tempfile

WIDTH = 60
MOST_TEXTS = 3000
LETTER = r"[^\W\d_]"


def in_lines(text, split, compounds):
    """The text in lines; adds the parts of words and of compounds to the lists."""
    lines, line = [], ""
    for word in text.split():
        room = WIDTH - len(line) - 2
        compound = re.fullmatch(rf"({LETTER}{{2,}})-({LETTER}{{2,}})", word)
        if len(line) + len(word) < WIDTH:
            line = f"{line} {word}" if line else word
        elif compound and len(compound[1]) <= room:
            compounds.append(compound.groups())
            lines.append(f"{line} {compound[1]}-")
            line = compound[2]
        elif re.fullmatch(rf"{LETTER}{{5,}}", word) and room >= 2 and word.islower():
            at = random.randint(2, min(room, len(word) - 2))
            split.append((word[:at], word[at:]))
            lines.append(f"{line} {word[:at]}-")
            line = word[at:]
        else:
            lines.append(line)
            line = word
    return "\n".join([*lines, line])


def measure(topoi, language, path):
    random.seed(3)
    split, compounds = [], []
    with tempfile.TemporaryDirectory() as folder, gzip.open(path, "rt") as lines:
        folder = pathlib.Path(folder)
        (folder / "texts").mkdir()
        texts = [json.loads(line).get("text") or "" for _, line in zip(range(MOST_TEXTS), lines)]
        for number, text in enumerate(texts):
            (folder / "texts" / f"{number:05}.txt").write_text(in_lines(text, split, compounds))
        store = [topoi, "--store", folder / "line_ends.db"]
        options = ["--language", language, "--stem", "none", "--join-hyphens"]
        subprocess.run([*store, "ingest", "c", folder / "texts", *options], check=True, capture_output=True)
        rows = subprocess.run([*store, "sql", "SELECT text FROM document_text", "-o", "json"], check=True, capture_output=True)
        apart = collections.Counter()
        for row in json.loads(rows.stdout):
            apart.update(re.findall(rf"({LETTER}+)-\s+({LETTER}+)", row["text"]))
    joined = 1 - sum(apart[pair] > 0 for pair in split) / max(1, len(split))
    kept = sum(apart[pair] > 0 for pair in compounds)
    print(f"{path}: {len(split)} words parted, {joined:.1%} joined; of {len(compounds)} compounds {kept} left")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topoi", required=True)
    parser.add_argument("--language", required=True)
    parser.add_argument("--texts", required=True, nargs="+")
    options = parser.parse_args()
    for path in options.texts:
        measure(options.topoi, options.language, path)


if __name__ == "__main__":
    main()
