"""Corpora made from others: headlines, news as uneven as real collections can be, lines with labels beside them."""

import csv
import gzip
import json
import random

#: Words of a headline.
WORDS = 7
#: What four of five uneven documents begin with.
BOILERPLATE = (
    "Copyright notice: this text is published by the news service for personal use; reproduction in "
    "whole or part without written permission is prohibited. Contact the editor for licence terms."
)


def headlines(source, into):
    """The first seven words of each text of AG News, with its label."""
    with gzip.open(source, "rt") as file, open(into, "w") as to:
        for line in file:
            document = json.loads(line)
            text = " ".join(document["text"].split()[:WORDS])
            to.write(json.dumps({"text": text, "label": document["label"]}) + "\n")


def uneven(source, into):
    """BBC news with the faults of real collections, the same each time: four fifths begin with the
    same boilerplate, a fifth is there three times with some words changed, a third is cut to its first
    2 to 12 words, and all sport is there once more as a single document.
    """
    chance = random.Random(1)
    with open(source, newline="") as file:
        rows = [(row[0], row[2]) for row in csv.reader(file, delimiter="\t")]
    with open(into, "w") as to:

        def write(text, label):
            to.write(json.dumps({"text": text, "label": label}) + "\n")

        for text, label in rows:
            words = text.split()
            if chance.random() < 1 / 3:
                words = words[: chance.randint(2, 12)]
            copies = 3 if chance.random() < 0.2 else 1
            for _ in range(copies):
                kept = [word for word in words if copies == 1 or chance.random() < 0.97]
                start = [BOILERPLATE] if chance.random() < 0.8 else []
                write(" ".join(start + kept), label)
        write(" ".join(text for text, label in rows if label == "sport"), "sport")


def labelled_lines(source, into):
    """A text a line, whose label is in the same line of the file NAME_LABEL.txt."""
    labels = source.with_name(f"{source.stem}_LABEL.txt")
    with open(source) as texts, open(labels) as of_texts, open(into, "w") as to:
        for text, label in zip(texts, of_texts, strict=True):
            to.write(json.dumps({"text": text.strip(), "label": label.strip()}) + "\n")
