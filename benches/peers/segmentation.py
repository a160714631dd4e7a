"""Words of Chinese and Japanese beside jieba and MeCab (fugashi, UniDic).

Of a handbook in each language (--corpora has handbook-zh-CN.jsonl.gz and handbook-ja-JP.jsonl.gz) every run
of characters without blanks or punctuation between them is cut by both. F1 of words counts words that begin
and end at the same characters, F1 of boundaries the places between two characters at which both cut. The
peers are no truth: they differ from each other, and from people, by as much. Speed is that of a whole
ingest of the same text, and for the peers of cutting alone.
"""

import gzip
import json
import re
import tempfile
import time
from pathlib import Path

import corpora
import table
from program import Topoi

RUN = re.compile("[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\u3040-\u30fa\u30fc-\u30ff]{2,}")
ALL_WORDS = ["--stop-words", "none", "--min-length", 1, "--max-length", 1000, "--characters", "any"]


def runs_of(options, name):
    """The runs of characters of a handbook, in their order."""
    with gzip.open(corpora.file_of(options, name), "rt", encoding="utf-8") as file:
        texts = [json.loads(line)["text"] for line in file]
    return [run for text in texts for run in RUN.findall(text)]


def jieba_words(runs):
    import jieba

    jieba.setLogLevel(60)
    jieba.initialize()
    begun = time.process_time()
    return [list(jieba.cut(run)) for run in runs], time.process_time() - begun


def mecab_words(runs):
    import fugashi

    tagger = fugashi.Tagger()
    begun = time.process_time()
    return [[word.surface for word in tagger(run)] for run in runs], time.process_time() - begun


def our_words(options, home, runs):
    """The words of every run, and the processor's seconds of ingesting them."""
    source = Path(home) / "runs.jsonl"
    source.write_text(json.dumps({"id": "all", "text": "\n".join(runs)}), encoding="utf-8")
    topoi = Topoi(options.program, Path(home) / "store.db", options.threads)
    dry = topoi.call("ingest", "c", source, *ALL_WORDS, "--dry-run", "--output", "json")
    tokens = iter(json.loads(dry)[0]["tokens"])
    words = []
    for run in runs:
        found = []
        while sum(map(len, found)) < len(run):
            found.append(next(tokens))
        words.append(found)
    return words, topoi.ingest("c", source, *ALL_WORDS).processor


def spans(words):
    """The words by where they begin and end."""
    ends = [0]
    for word in words:
        ends.append(ends[-1] + len(word))
    return set(zip(ends, ends[1:]))


def f1(pairs):
    """F1 of the second of each pair of sets, the first taken for true."""
    both = sum(len(true & found) for true, found in pairs)
    return 2 * both / sum(len(true) + len(found) for true, found in pairs)


def print_table(options):
    """Prints the table."""
    table.section("Words without blanks between them", "topoi held against the peer.")
    table.head("language", "peer", "characters", "F1 words", "F1 boundaries", "peer MB/s", "topoi MB/s")
    for language, name, peer, cut in [
        ("Chinese", "handbook-zh-CN.jsonl.gz", "jieba", jieba_words),
        ("Japanese", "handbook-ja-JP.jsonl.gz", "MeCab, UniDic", mecab_words),
    ]:
        runs = runs_of(options, name)
        if options.quick:
            runs = runs[:500]
        theirs, their_seconds = cut(runs)
        with tempfile.TemporaryDirectory() as home:
            ours, our_seconds = our_words(options, home, runs)
        words = [(spans(true), spans(found)) for true, found in zip(theirs, ours)]
        ends = [({end for _, end in a}, {end for _, end in b}) for a, b in words]
        inner = [(a - {max(a)}, b - {max(b)}) for a, b in ends]
        size = sum(len(run.encode()) for run in runs) / 1e6
        table.row(
            language,
            peer,
            table.figure(sum(map(len, runs))),
            table.figure(f1(words), 3),
            table.figure(f1(inner), 3),
            table.figure(size / their_seconds, 2),
            table.figure(size / our_seconds, 2),
        )
