"""What the rankings of a topic's words change: coherence, distinct words, and how well the ten first words find
the documents of their topic.

    run.py rankings --corpora DIRECTORY --program TOPOI --sizes 20,50 --seeds 1,2
    run.py rankings --corpora DIRECTORY --program TOPOI --sizes 20,50 --weights .9,.8,.7,.6,.4

The default run of the corpora of kinds.py. Coherence and distinct words are those of `topoi metrics --rank`.
`found` is the mean average precision of a search for the ten words, after Alokaili, Aletras and Stevenson 2019,
whose measure of ranked words it is; the documents to find are those that the model gives to the topic, which
favours exclusive words by itself. `common` is the share of topics whose first word is in more than a third of
the documents.

With --weights relevance has other λ than 0.6 as well: the 25 first words by λ ln p(w | k) + (1 − λ) ln (p(w | k) / p(w))
come back by `topoi import` in that order, so that the same code scores them.

The table has differences from `probability`, means over the corpora with their standard errors, and how many
corpora rise; of all corpora, of those of LONG tokens a document and more, and of the others.
"""

import json
import statistics

import numpy as np

import kinds
import results
import table
from environment import say
from texts import METRICS, PIECES_OF_MESSAGES, Texts

#: Without the demo, which has documents for 20 topics, the uneven news, which are the BBC's once more, and
#: messages as a whole, which are too few for 50 topics.
LEFT_OUT = ("demo", "uneven news", "messages")
KINDS = [*[kind for kind in kinds.KINDS if kind.name not in LEFT_OUT], PIECES_OF_MESSAGES]
RANKINGS = ["probability", "exclusive", "relevance", "frex"]
#: Mean tokens of a document from which on a corpus counts as long.
LONG = 60
#: Words that an imported topic has: as many as distinct words are counted among.
WORDS = 25
COLUMNS = [*METRICS, "found", "common"]
SHARES = "SELECT document_share FROM topic WHERE run_id = ? ORDER BY topic"
PROBABILITIES = "SELECT probabilities FROM topic_probabilities WHERE run_id = ? ORDER BY topic"


def weighted(weight):
    """What rows call relevance with a λ that is not the program's."""
    return f"relevance, λ = {weight:g}"


def by_relevance(texts, run, weight, home):
    """The first words of the topics by relevance with this λ, and the run that has them in that order."""
    topics = np.array([json.loads(row) for (row,) in texts.rows(PROBABILITIES, run)], float)
    topics /= topics.sum(axis=1, keepdims=True)
    shares = np.array([share for (share,) in texts.rows(SHARES, run)])
    with np.errstate(divide="ignore", invalid="ignore"):
        relevance = np.log(topics) - (1 - weight) * np.log(shares @ topics)
    relevance[topics == 0] = -np.inf
    order = np.argsort(-relevance, axis=1, kind="stable")[:, :WORDS]
    ranked = np.zeros_like(topics)
    np.put_along_axis(ranked, order, 0.9 ** np.arange(WORDS)[None], axis=1)
    np.save(home / "ranked.npy", ranked)
    made = texts.topoi.imported(texts.name, home / "ranked.npy", texts.vocabulary, "--no-documents")
    lists = {topic: [texts.vocabulary[at] for at in row[:10]] for topic, row in enumerate(order)}
    return lists, made.number


def measure(options):
    """Adds a row for each run and ranking to the results."""
    for kind, home in results.each_corpus(options, KINDS):
        texts = Texts(options, kind, home)
        for k in options.sizes:
            for seed in options.seeds:
                run = texts.topoi.run(texts.name, k, "--seed", seed).number
                for row in ranked(texts, run, options.weights, home):
                    results.add(options.results, {"corpus": kind.name, "k": k, "seed": seed, **row})
                texts.delete(run)
                say(f"{kind.name}, K = {k}, seed {seed}")


def ranked(texts, run, weights, home):
    """The scores of a run by each ranking."""
    largest = texts.largest(run)
    tokens = texts.length(largest)
    for ranking in RANKINGS:
        scores = texts.scores(texts.listed(run, ranking), largest)
        yield {"tokens": tokens, "ranking": ranking, **texts.metrics(run, ranking), **scores}
    for weight in weights:
        lists, made = by_relevance(texts, run, weight, home)
        scores = {**texts.metrics(made), **texts.scores(lists, largest)}
        texts.delete(made)
        yield {"tokens": tokens, "ranking": weighted(weight), **scores}


def differences(rows, ranking, other, column):
    """Of each corpus, the mean over the runs that have both rankings."""
    runs = {}
    for row in rows:
        if column in row:
            runs.setdefault((row["corpus"], row["k"], row["seed"]), {})[row["ranking"]] = row[column]
    found = {}
    for (corpus, _, _), values in runs.items():
        if ranking in values and other in values:
            found.setdefault(corpus, []).append(values[ranking] - values[other])
    return [statistics.fmean(values) for values in found.values()]


def cell(values):
    """The mean, its standard error, and how many rise."""
    if not values:
        return table.NONE
    return f"{results.difference(values)} ({sum(value > 0 for value in values)})"


def print_table(path):
    """Prints a table for all corpora, the long ones and the others."""
    rows = results.rows(path)
    pairs = [(name, "probability") for name in dict.fromkeys(row["ranking"] for row in rows)]
    pairs = [*pairs[1:], ("relevance", "exclusive")]
    for title, keep in [
        ("All corpora", lambda tokens: True),
        (f"{LONG} tokens a document and more", lambda tokens: tokens >= LONG),
        ("Shorter documents", lambda tokens: tokens < LONG),
    ]:
        kept = [row for row in rows if keep(row["tokens"])]
        lengths = {row["corpus"]: row["tokens"] for row in kept}
        if not lengths:
            continue
        described = "; ".join(f"{name} {tokens:,.1f}" for name, tokens in lengths.items())
        table.section(f"{title}: {len(lengths)}", f"Tokens a document: {described}.")
        table.head("ranking", *COLUMNS)
        for ranking, other in pairs:
            cells = [cell(differences(kept, ranking, other, column)) for column in COLUMNS]
            table.row(ranking if other == "probability" else f"{ranking}, from {other}", *cells)
