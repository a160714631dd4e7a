#!/usr/bin/env python3
"""Ingest side by side with scikit-learn, gensim and tomotopy, on the same text.

    python3 -m venv /tmp/peers
    /tmp/peers/bin/pip install scikit-learn==1.9.1 gensim==4.4.0 tomotopy==0.14.0
    cargo build --release
    /tmp/peers/bin/python benches/ingest.py TEXT [--megabytes 40] [--rounds 5]
                          [--uci DOCWORD --vocab VOCAB] [--memory-megabytes 1000]

TEXT is real text, a document a line; it is repeated and its lines shuffled (seed 1) up to the size
asked for. Every round runs each program once, in turn, in a process of its own; its own start and
imports are not counted for the peers, and are for topica. Medians of the rounds are printed. All
take words as scikit-learn's default does (two or more letters or digits, lower case, no stop
words); tomotopy, which takes words ready made, is also shown with Python's str.split alone, which
is no such rule. topica leaves a store on disk (texts, triples, blocks), gensim a Matrix Market file;
the others keep theirs in memory. Peak memory is that of a separate run.
"""

import argparse
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.join(os.path.dirname(__file__), "..", "target", "release", "topica")
WORDS = re.compile(r"(?u)\b\w\w+\b")
SAME_WORDS = ["--stop-words", "none", "--min-length", "2", "--max-length", "200", "--characters", "any"]


def made_text(source, megabytes, path):
    lines = open(source, encoding="utf-8").read().splitlines()
    rng = random.Random(1)
    size = 0
    with open(path, "w", encoding="utf-8") as file:
        while size < megabytes * 1_000_000:
            rng.shuffle(lines)
            for line in lines:
                file.write(line + "\n")
                size += len(line) + 1
    return size


def now():
    return time.perf_counter(), time.process_time()


def since(begun):
    """Seconds of the clock and of the processors."""
    return time.perf_counter() - begun[0], time.process_time() - begun[1]


def lines_of(path):
    return open(path, encoding="utf-8").read().splitlines()


def sklearn(path, _):
    from sklearn.feature_extraction.text import CountVectorizer
    begun = now()
    CountVectorizer().fit_transform(lines_of(path))
    return since(begun)


def gensim(path, directory):
    from gensim.corpora import Dictionary, MmCorpus
    begun = now()
    dictionary = Dictionary()
    bags = (dictionary.doc2bow(WORDS.findall(line.lower()), allow_update=True) for line in lines_of(path))
    MmCorpus.serialize(os.path.join(directory, "corpus.mm"), bags)
    dictionary.save(os.path.join(directory, "dictionary"))
    return since(begun)


def tomotopy(path, _):
    import tomotopy as tp
    begun = now()
    model = tp.LDAModel(k=2)
    for line in lines_of(path):
        model.add_doc(WORDS.findall(line.lower()))
    return since(begun)


def tomotopy_split(path, _):
    import tomotopy as tp
    begun = now()
    model = tp.LDAModel(k=2)
    for line in lines_of(path):
        model.add_doc(line.split())
    return since(begun)


PEERS = {"sklearn": sklearn, "gensim": gensim, "tomotopy": tomotopy, "tomotopy, str.split": tomotopy_split}


def in_process(peer, path, directory):
    line = [sys.executable, __file__, "--peer", peer, path, directory]
    return tuple(map(float, subprocess.run(line, check=True, capture_output=True, text=True).stdout.split()))


def topica(arguments, directory):
    store = os.path.join(directory, "store.db")
    line = [PROGRAM, "--store", store, "ingest", "c", *arguments]
    begun = time.perf_counter()
    child = subprocess.Popen(line, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    assert status == 0, line
    wall = time.perf_counter() - begun
    return (wall, usage.ru_utime + usage.ru_stime), usage.ru_maxrss / 1e3


def medians(times):
    return [statistics.median(column) for column in zip(*times)]


def main():
    if sys.argv[1:2] == ["--peer"]:
        print(*PEERS[sys.argv[2]](*sys.argv[3:]))
        return
    parser = argparse.ArgumentParser()
    parser.add_argument("text")
    parser.add_argument("--megabytes", type=float, default=40)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--uci")
    parser.add_argument("--vocab")
    parser.add_argument("--memory-megabytes", type=float)
    args = parser.parse_args()
    seconds = {name: [] for name in ["topica", *PEERS]}
    with tempfile.TemporaryDirectory() as home:
        path = os.path.join(home, "text.txt")
        size = made_text(args.text, args.megabytes, path)
        for _ in range(args.rounds):
            with tempfile.TemporaryDirectory(dir=home) as directory:
                seconds["topica"].append(topica([path, "--format", "lines", *SAME_WORDS], directory)[0])
            for name in PEERS:
                with tempfile.TemporaryDirectory(dir=home) as directory:
                    seconds[name].append(in_process(name, path, directory))
        print(f"{size / 1e6:.0f} MB of text, medians of {args.rounds}; load {os.getloadavg()[0]:.1f}")
        ours = medians(seconds["topica"])
        print(f"{'':22} {'wall s':>8} {'ratio':>6} {'cpu s':>8} {'ratio':>6}")
        for name, times in seconds.items():
            wall, cpu = medians(times)
            print(f"{name:22} {wall:8.2f} {wall / ours[0]:6.2f} {cpu:8.2f} {cpu / ours[1]:6.2f}")
        if args.uci:
            times = []
            for _ in range(args.rounds):
                with tempfile.TemporaryDirectory(dir=home) as directory:
                    times.append(topica([args.uci, *(["--vocab", args.vocab] if args.vocab else [])], directory)[0])
            print("UCI: {:.2f} s wall, {:.2f} s cpu".format(*medians(times)))
        if args.memory_megabytes:
            size = made_text(args.text, args.memory_megabytes, path)
            took, peak = topica([path, "--format", "lines"], home)
            print(f"{size / 1e6:.0f} MB of text: {took[0]:.1f} s, {peak:.0f} MB of memory at most")


main()
