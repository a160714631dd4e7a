#!/usr/bin/env python3
"""Which measures of topics go with what people say of them?

    python3 benches/reading/judgements.py human_judgements.json.gz
    python3 benches/reading/judgements.py human_judgements.json.gz --people

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

With --people, what `topoi judgements` makes of the same answers (docs/reference/judgements.md), from the definitions: the
score of each set, the mean over its topics with t's interval; how wide a topic's interval is; Krippendorff's
alpha; and the correlation, within a set, of the means of two random halves of the people (mean of 200 halvings),
stepped up to all of them by Spearman and Brown's formula: what no measure can be expected to go beyond. Of
intrusion the file has only whether the intruder was found, not what was chosen instead.
"""

import gzip
import json
import sys

import numpy as np
from scipy.stats import rankdata, t

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


def alpha(units, values, ordinal):
    """Krippendorff's alpha of answers, a row a topic, by the mean disagreement of pairs."""
    pool = units.ravel()
    counts = np.array([(pool == value).sum() for value in values])
    apart = np.zeros((len(values), len(values)))
    for low in range(len(values)):
        for high in range(low + 1, len(values)):
            between = counts[low : high + 1].sum() - (counts[low] + counts[high]) / 2
            apart[low, high] = apart[high, low] = between**2 if ordinal else 1
    observed = 0.0
    for unit in units:
        own = np.array([(unit == value).sum() for value in values])
        pairs = np.outer(own, own) - np.diag(own)
        observed += (pairs * apart).sum() / (len(unit) - 1)
    expected = ((np.outer(counts, counts) - np.diag(counts)) * apart).sum() / (len(pool) - 1)
    return 1 - observed / expected


def wilson(found, many):
    """Half the width of Wilson's interval of a proportion."""
    share, square = found / many, 1.959963985**2
    spread = np.sqrt(share * (1 - share) / many + square / (4 * many**2))
    return np.sqrt(square) * spread / (1 + square / many)


def halves(answers, draw):
    """Spearman's correlation of the topics' means by two halves of the people, stepped up to all."""
    found = []
    for _ in range(200):
        people = draw.permutation(answers.shape[1])
        middle = len(people) // 2
        one, other = answers[:, people[:middle]], answers[:, people[middle:]]
        found.append(spearman(one.mean(axis=1), other.mean(axis=1)))
    half = np.nanmean(found)
    return 2 * half / (1 + half)


def print_people(judged):
    """The scores of each set, how sure they are, and how far people agree."""
    columns = ["set", "task", "score", "a topic's interval", "alpha", "two halves of people", "as published"]
    print("| " + " | ".join(columns) + " |")
    print("| --- | --- | ---: | ---: | ---: | ---: | --- |")
    for corpus, models in judged.items():
        for model, of_model in models.items():
            for task, values in (("intrusion", [0, 1]), ("ratings", [1, 2, 3])):
                saved = of_model["metrics"]
                answers = np.array(saved[f"{task}_scores_raw"], dtype=float)
                topics, many = answers.shape
                means = answers.mean(axis=1)
                error = t.ppf(0.975, topics - 1) * means.std(ddof=1) / np.sqrt(topics)
                if task == "intrusion":
                    half = np.mean([wilson(row.sum(), many) for row in answers])
                else:
                    half = np.mean(t.ppf(0.975, many - 1) * answers.std(axis=1, ddof=1) / np.sqrt(many))
                cells = [
                    f"{corpus}, {model}",
                    task,
                    f"{means.mean():.2f} ± {error:.2f}",
                    f"± {half:.2f}",
                    f"{alpha(answers, values, task == 'ratings'):.2f}",
                    f"{halves(answers, np.random.default_rng(1)):.2f}",
                    f"to {np.abs(means - saved[f'{task}_scores_avg']).max():.0e}",
                ]
                print("| " + " | ".join(cells) + " |", flush=True)


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--people"]):
        sys.exit("usage: judgements.py human_judgements.json.gz [--people]")
    with gzip.open(sys.argv[1], "rt") as file:
        judged = json.load(file)
    if sys.argv[2:]:
        print_people(judged)
        return
    judged = list(sets(judged))
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
