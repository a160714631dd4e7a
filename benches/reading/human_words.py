#!/usr/bin/env python3
"""Which measures go with what people say, on the same topics, and do people prefer words that few topics have?

    python3 benches/reading/human_words.py human_judgements.json.gz

needs numpy, scipy and wordfreq; the file is that of judgements.py. Two tables:

1. Spearman's correlation of a measure with the mean of people's answers within a set (mean over the sets), and
   the difference from that of NPMI. Measures are compared on the same topics: those of which every measure is
   there, of all models and of MALLET alone; then all topics, by the measures that all of them have.
2. Within each set everything is ranked and standardised, and people's mean answer is regressed on NPMI, on how
   few other topics of the model have the ten first words among their twenty (−mean ln(1 + n)), and on how common
   the words are in English (mean Zipf frequency of wordfreq).

Intervals are the 2.5% and 97.5% quantiles over 2,000 resamples of the topics of each set.
"""

import gzip
import json
import sys

import numpy as np
from scipy.stats import rankdata
from wordfreq import zipf_frequency

from judgements import COHERENCE, PEOPLE, RESAMPLES, cell

NPMI, OTHER = "NPMI", "NPMI of the other corpus"
#: What tables call the measures, and their names in `COHERENCE`.
MEASURES = {
    NPMI: "`npmi@octis`",
    "C_V": "C_V as gensim, top 10",
    "C_UCI": "C_UCI as gensim, top 10",
    "UMass": "UMass as gensim, top 10",
    OTHER: "the same, of the other corpus",
    "C_V of the other corpus": "C_V as gensim, of the other corpus",
}
OF_ALL = [name for name in MEASURES if "other" not in name]
UNSHARED, COMMON = "words of few other topics", "words common in English"
#: Sets with fewer topics have no correlation worth averaging.
FEWEST = 10
MODELS = {"all": None, "MALLET": "mallet", "ETM": "etm", "Dirichlet VAE": "dvae"}


def described(judged):
    """For each set, its model and a row a topic: measures, properties of its words, people's answers."""
    for corpus, models in judged.items():
        other = next(name for name in judged if name != corpus)
        for model, of_model in models.items():
            saved, lists = of_model["metrics"], of_model["topics"]
            nothing = [None] * len(lists)
            columns = {
                name: saved.get(COHERENCE[key].format(other=other), nothing)
                for name, key in MEASURES.items()
            }
            columns[UNSHARED] = [unshared(lists, topic) for topic in range(len(lists))]
            columns[COMMON] = [common(words[:10]) for words in lists]
            columns.update({name: saved[key] for name, key in PEOPLE.items()})
            yield model, [dict(zip(columns, row)) for row in zip(*columns.values())]


def unshared(lists, topic):
    """How few of the other topics have a topic's ten first words."""
    others = [set(words) for at, words in enumerate(lists) if at != topic]
    shared = [sum(word in words for words in others) for word in lists[topic][:10]]
    return -np.mean(np.log1p(shared))


def common(words):
    """Mean Zipf frequency of words, and of the parts of those that are phrases."""
    return np.mean([np.mean([zipf_frequency(part, "en") for part in word.split("_")]) for word in words])


def tables(sets, columns, needed, model=None):
    """For each set of the model (None: of all) these columns of the topics that have all that is needed."""
    found = []
    for of_model, topics in sets:
        kept = [topic for topic in topics if all(topic[name] is not None for name in needed)]
        if model in (None, of_model) and len(kept) >= FEWEST:
            found.append(np.array([[topic[name] for name in columns] for topic in kept], float))
    return found


def standardised(table):
    """The ranks of the columns, with mean 0 and deviation 1."""
    ranks = np.apply_along_axis(rankdata, 0, table)
    ranks -= ranks.mean(axis=0)
    deviation = ranks.std(axis=0)
    return ranks / np.where(deviation == 0, 1, deviation)


def correlations(parts):
    """Of every column with the last, the mean over the sets."""
    ranks = [standardised(part) for part in parts]
    return np.mean([(part[:, :-1] * part[:, -1:]).mean(axis=0) for part in ranks], axis=0)


def regression(parts):
    """Coefficients of the columns for the last, over all sets."""
    ranks = np.concatenate([standardised(part) for part in parts])
    return np.linalg.lstsq(ranks[:, :-1], ranks[:, -1], rcond=None)[0]


def resampled(parts, estimate):
    """The estimate over resamples of the topics of each set."""
    draw = np.random.default_rng(1)
    return np.array(
        [
            estimate([part[draw.integers(len(part), size=len(part))] for part in parts])
            for _ in range(RESAMPLES)
        ]
    )


def with_interval(value, draws):
    return cell(value, *np.quantile(draws, [0.025, 0.975]))


def print_correlations(title, sets, measures, model=None):
    """A row for each measure."""
    cells = {name: [] for name in measures}
    for people in PEOPLE:
        parts = tables(sets, [*measures, people], measures, model)
        values, draws = correlations(parts), resampled(parts, correlations)
        for at, name in enumerate(measures):
            cells[name].append(with_interval(values[at], draws[:, at]))
            apart = draws[:, at] - draws[:, 0]
            cells[name].append(with_interval(values[at] - values[0], apart))
    print(f"\n{title}: {sum(map(len, parts))} topics\n")
    print("| measure | intrusion | from NPMI | rating | from NPMI |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name in measures:
        print(f"| {name} | " + " | ".join(cells[name]) + " |", flush=True)


def print_regressions(sets):
    """A row for each kind of answer, model and NPMI."""
    print("\nStandardised ranks, regressed within sets\n")
    print(f"| topics | answer | NPMI | {UNSHARED} | {COMMON} |")
    print("| --- | --- | ---: | ---: | ---: |")
    for title, model in MODELS.items():
        for people in PEOPLE:
            for npmi in (NPMI, OTHER):
                parts = tables(sets, [npmi, UNSHARED, COMMON, people], [npmi], model)
                values, draws = regression(parts), resampled(parts, regression)
                cells = [with_interval(value, draws[:, at]) for at, value in enumerate(values)]
                topics = f"{title}, {sum(map(len, parts))}, {npmi}"
                print(f"| {topics} | {people} | " + " | ".join(cells) + " |", flush=True)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: human_words.py human_judgements.json.gz")
    with gzip.open(sys.argv[1], "rt") as file:
        sets = list(described(json.load(file)))
    print_correlations("Topics of which every measure is there", sets, list(MEASURES))
    print_correlations("MALLET's of these", sets, list(MEASURES), "mallet")
    print_correlations("All topics", sets, OF_ALL)
    print_regressions(sets)


if __name__ == "__main__":
    main()
