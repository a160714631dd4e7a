"""The corpora of the tables: NIPS, news texts, and corpora drawn from LDA."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import process
from environment import HERE, say

#: Words and topics of a made corpus, and tokens of each of its documents; --quick makes smaller ones.
WORDS, TOPICS, TOKENS = 15_000, 100, 215
QUICK_WORDS, QUICK_TOPICS = 3_000, 20


@dataclass(frozen=True)
class Files:
    """A corpus in UCI's format."""

    docword: Path
    vocab: Path


def file_of(options, name):
    """The path of a file in the directory of the corpora."""
    path = options.corpora / name
    if not path.exists():
        raise SystemExit(f"error: {path} is not there; give the directory that has it as --corpora")
    return path


def nips(options):
    """The papers of NIPS: 2,483 documents."""
    return Files(file_of(options, "docword.nips.txt.gz"), file_of(options, "vocab.nips.txt"))


def news(options):
    """2,225 texts of BBC news, one a line."""
    return file_of(options, "bbc_news.tsv")


@dataclass(frozen=True)
class Made:
    """A corpus drawn from LDA."""

    name: str
    documents: int
    words: int
    topics: int
    files: Files
    #: (document, word) pairs.
    triples: int


def made(options, topoi, documents):
    """A corpus of so many documents, drawn now or earlier: the seed is always the same."""
    words, topics = (QUICK_WORDS, QUICK_TOPICS) if options.quick else (WORDS, TOPICS)
    name = f"lda-{documents}-{words}-{topics}"
    description = options.work / f"truth.{name}.json"
    if not description.exists():
        say(f"drawing {documents:,} documents")
        sizes = ["--documents", documents, "--words", words, "-k", topics, "--tokens", TOKENS]
        into = ["--name", name, "--into", options.work]
        topoi.call("synth", "lda", *sizes, "--beta", 0.02, *into)
    drawn = json.loads(description.read_text())["nonzeros"]
    files = Files(options.work / f"docword.{name}.txt", options.work / f"vocab.{name}.txt")
    return Made(name, documents, words, topics, files, drawn)


def counts_of_run(topoi, run, path):
    """Writes the counts that a run was made from to `path`; the words, one for each column."""
    command = [sys.executable, HERE / "counts.py", "run", topoi.store, run, path]
    return json.loads(process.run(command).output)


def counts_of_file(docword, path):
    """Writes the counts of a UCI file to `path`, unless they are there already."""
    if not path.exists():
        process.run([sys.executable, HERE / "counts.py", "uci", docword, path])
