"""The nights of nights.py with gensim's LdaModel.update: what people do today.

    python3 benches/nights_gensim.py --topoi target/release/topoi --texts a.jsonl b.jsonl.gz [--nights 30] [--seeds 7 8 9]

The first night is fitted in ten passes, every other night is an update with gensim's settings (one pass, decay 0.5, offset 1). Its
vocabulary is that of the first night; corrections are added as new documents and deletions ignored, as it has neither. Prints a row
for each seed, as nights.py does. Needs gensim (benches/peers/requirements.txt) and topoi for its stop words.
"""

import math
import re
import subprocess
import time
from collections import Counter
from pathlib import Path

from gensim.corpora import Dictionary
from gensim.models import LdaModel
from nights import SUBJECT, arguments, nights_of, texts_of


def agreement(pairs):
    """Normalised mutual information of pairs of labels, by the arithmetic mean of the entropies."""
    total, both = len(pairs), Counter(pairs)
    left, right = (Counter(pair[side] for pair in pairs) for side in (0, 1))
    entropy = lambda counts: -sum(n / total * math.log(n / total) for n in counts.values())
    mutual = sum(n / total * math.log(n * total / (left[a] * right[b])) for (a, b), n in both.items())
    return 2 * mutual / (entropy(left) + entropy(right))


def measure(options, texts, stop, seed):
    words = lambda text: [word for word in re.findall(r"[^\W\d_]{2,}", text.lower()) if word not in stop]
    model, before, broken, took, clean_since, known = None, None, 0, [], None, {}
    for night, (added, corrected, gone) in enumerate(nights_of(texts, options, seed), 1):
        known.update({record["id"]: record for record in added + corrected})
        for key in gone:
            del known[key]
        documents = [words(record["text"]) for record in added + corrected]
        began = time.process_time()
        if model is None:
            names = Dictionary(documents)
            names.filter_extremes(no_below=5, no_above=0.5, keep_n=None)
            model = LdaModel([names.doc2bow(d) for d in documents], options.topics, names, passes=10, random_state=seed)
        else:
            model.update([names.doc2bow(document) for document in documents])
        took.append(time.process_time() - began)
        topics = model.get_topics()
        if before is not None:
            lengths = (topics**2).sum(1) ** 0.5 * (before**2).sum(1) ** 0.5
            broken += int(((topics * before).sum(1) / lengths < 0.8).sum())
        before = topics
        first = [[names[word] for word in row.argsort()[-10:]] for row in topics]
        is_clean = any(set(SUBJECT).issuperset(ten) for ten in first)
        clean_since = (clean_since or night) if is_clean else None
    pairs = []
    for record in known.values():
        theta = model.get_document_topics(names.doc2bow(words(record["text"])), minimum_probability=0)
        pairs.append((max(theta, key=lambda entry: entry[1])[0], record["label"]))
    last = sorted(took[-6:])
    unknown = sum(word not in names.token2id for word in SUBJECT)
    return (last[2] + last[3]) / 2, broken, clean_since, unknown, agreement(pairs)


def main():
    options = arguments(__doc__).parse_args()
    texts = texts_of(options.texts)
    stop = set(subprocess.run([options.topoi, "stop-words", "en"], capture_output=True, text=True, check=True).stdout.split())
    print("| seed | last updates, processor s | other topics | subject clean since | its words without a place | NMI |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for seed in options.seeds:
        last, broken, clean, unknown, nmi = measure(options, texts, stop, seed)
        nights = (options.nights - 1) * options.topics
        print(f"| {seed} | {last:.2f} | {broken} of {nights} | {clean or 'never'} | {unknown} of {len(SUBJECT)} | {nmi:.3f} |", flush=True)


if __name__ == "__main__":
    main()
