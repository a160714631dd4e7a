#!/usr/bin/env python3
"""Which measures of topics go with what people say of them?

    python3 benches/peers/judgements.py human_judgements.json.gz

needs numpy and scipy. The file is that of Hoyle et al. 2021, "Is automated topic model evaluation
broken?" (github.com/ahoho/topics, data): topics of three models (MALLET, a Dirichlet VAE, ETM) on two
corpora (Wikitext, New York Times), 50 each, their 20 first words, what 26 people found of intruded
words and 15 rated from 1 to 3, and gensim's coherence of the ten first words over each corpus.

Spearman's correlation of a measure with the mean of people's answers, twice: over all topics, and
within the six sets of 50, averaged, where it cannot come from one model being better than another.
The intervals are the 2.5% and 97.5% quantiles over 2,000 resamples of the topics of each set; those of
people's answers are taken as given. Topics whose measure is missing are left out of its row.

The texts are not in the file, so what it does not have of coherence cannot be computed: other windows,
smoothing that is not gensim's, repeated words counted right (`…@exact`). It has no probabilities
either: exclusivity, FREX and the rankings by exclusive, relevance and frex need p(word | topic).
From the words alone there is how many of them other topics of the model have.
"""

import gzip
import json
import sys

import numpy as np
from scipy.stats import rankdata

RESAMPLES = 2000
PEOPLE = {"intrusion": "intrusion_scores_avg", "rating": "ratings_scores_avg"}
#: The measure, and what the file calls it. A set lacks some; "other" is the other corpus.
COHERENCE = {
    "`npmi@octis`": "c_npmi_10_full",
    "the same, of the other corpus": "c_npmi_10_{other}_full",
    "the same, top 5": "c_npmi_10_full_top5",
    "the same, top 15": "c_npmi_10_full_top15",
    "C_UCI as gensim, top 10": "c_uci_full",
    "C_V as gensim, top 10": "c_v_full",
    "C_V as gensim, of the other corpus": "c_v_{other}_full",
    "UMass as gensim, top 10": "u_mass_full",
}


def alone(topics, words):
    """How many of a topic's first words are among no other topic's."""
    lists = [set(topic[:words]) for topic in topics]
    return [
        len(own - set().union(*(other for at, other in enumerate(lists) if at != here)))
        for here, own in enumerate(lists)
    ]


def sets(judged):
    """For each corpus and model: the measures, and people's answers."""
    for corpus, models in judged.items():
        other = next(name for name in judged if name != corpus)
        for of_model in models.values():
            saved, topics = of_model["metrics"], of_model["topics"]
            nothing = [None] * len(topics)
            measures = {
                name: saved.get(key.format(other=other), nothing) for name, key in COHERENCE.items()
            }
            measures["words of the top 20 of no other topic (`dissimilarity`)"] = alone(topics, 20)
            measures["words of the top 10 of no other topic"] = alone(topics, 10)
            people = {name: saved[key] for name, key in PEOPLE.items()}
            yield measures, people


def spearman(one, other):
    one, other = rankdata(one), rankdata(other)
    if one.std() == 0 or other.std() == 0:
        return np.nan
    return float(np.corrcoef(one, other)[0, 1])


def both(parts):
    """Spearman's correlation over all topics, and the mean of those within the parts."""
    together = [np.concatenate(column) for column in zip(*parts)]
    return spearman(*together), float(np.nanmean([spearman(*part) for part in parts]))


def correlations(parts, draw):
    """Both correlations, each with its interval."""
    found = both(parts)
    resampled = []
    for _ in range(RESAMPLES):
        picks = [draw.integers(len(one), size=len(one)) for one, _ in parts]
        resampled.append(both([(x[at], y[at]) for (x, y), at in zip(parts, picks)]))
    ends = np.nanquantile(resampled, [0.025, 0.975], axis=0)
    return [(value, *ends[:, at]) for at, value in enumerate(found)]


def cell(value, least, most):
    """A correlation and its interval."""
    text = f"{value:.2f} ({least:.2f} to {most:.2f})"
    return text.replace("-", "−").replace("0.", ".")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: judgements.py human_judgements.json.gz")
    with gzip.open(sys.argv[1], "rt") as file:
        judged = list(sets(json.load(file)))
    ways = [f"{name}, {how}" for name in PEOPLE for how in ("all", "within a model")]
    print("| measure | topics | " + " | ".join(ways) + " |")
    print("| --- | ---: |" + " ---: |" * len(ways))
    for measure in judged[0][0]:
        cells, topics = [], 0
        for name in PEOPLE:
            parts = []
            for measures, people in judged:
                pairs = [
                    (x, y) for x, y in zip(measures[measure], people[name]) if x is not None
                ]
                # A handful of topics has no rank correlation worth averaging.
                if len(pairs) >= 10:
                    parts.append(tuple(np.array(column) for column in zip(*pairs)))
            topics = sum(len(one) for one, _ in parts)
            cells += [cell(*found) for found in correlations(parts, np.random.default_rng(1))]
        print(f"| {measure} | {topics} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
