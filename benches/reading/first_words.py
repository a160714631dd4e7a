"""How many topics begin with a word that is in more than a third of the documents, and do suggested stop words
change it?

    run.py first_words --corpora DIRECTORY --program TOPOI --sizes 20,50 --seeds 1,2,3,4,5

Speeches and books, where such words are; books_and_speeches.py makes most of the corpora. For each corpus, K and
seed there are the default run, one with --sweeps 0, and one with the words that `topoi stop-words --suggest`
prints after the default run as its --stop-list, all of them, unread. No third run where nothing is suggested.

The table has the share of topics with such a first word (mean ± standard deviation over seeds); what stop words
change is of those seeds alone that have suggestions.
"""

import statistics

import kinds
import results
import table
from environment import say
from kinds import Kind
from texts import PIECES_OF_MESSAGES, Texts

RANKINGS = ["probability", "relevance", "exclusive"]
KINDS = [
    *[kind for kind in kinds.KINDS if kind.name == "speeches (es)"],
    PIECES_OF_MESSAGES,
    Kind("Bundestag", "bundestag.jsonl", arguments=("--stop-words", "de")),
    Kind("Austen", "austen.jsonl"),
    Kind("German novels", "novels_de.jsonl", arguments=("--stop-words", "de")),
    Kind("French novels", "novels_fr.jsonl", arguments=("--stop-words", "fr")),
]
DEFAULT, WITHOUT_SWEEPS, STOPPED = "default", "--sweeps 0", "--stop-list"


def measure(options):
    """Adds a row for each run to the results."""
    for kind, home in results.each_corpus(options, KINDS):
        texts = Texts(options, kind, home)
        for k in options.sizes:
            for seed in options.seeds:
                for row in runs(texts, k, seed, home):
                    results.add(options.results, {"corpus": kind.name, "k": k, "seed": seed, **row})
                say(f"{kind.name}, K = {k}, seed {seed}")


def runs(texts, k, seed, home):
    """The scores of the default run, of one without sweeps, and of one without the suggested words."""
    run = texts.topoi.run(texts.name, k, "--seed", seed).number
    # Words are suggested from the newest run.
    suggested = texts.topoi.call("stop-words", "--suggest", texts.name).split()
    yield {"way": DEFAULT, "suggested": suggested, **scores(texts, run)}
    ways = [(WITHOUT_SWEEPS, ["--sweeps", 0])]
    if suggested:
        stop_list = home / "stop.txt"
        stop_list.write_text("\n".join(suggested) + "\n")
        ways.append((STOPPED, ["--stop-list", stop_list]))
    for way, arguments in ways:
        run = texts.topoi.run(texts.name, k, "--seed", seed, *arguments).number
        yield {"way": way, **scores(texts, run)}


def scores(texts, run):
    """Of a run, which is deleted."""
    largest = texts.largest(run)
    common = {
        ranking: texts.scores(texts.listed(run, ranking), largest)["common"] for ranking in RANKINGS
    }
    metrics = texts.metrics(run)
    texts.delete(run)
    return {"common": common, "npmi": metrics["npmi"], "cv": metrics["cv"]}


def deviation(values):
    """The mean, and the standard deviation over seeds."""
    mean = results.mean(values, 2)
    return f"{mean} ± {statistics.stdev(values):.2f}" if len(values) > 1 else mean


def print_table(path):
    """Prints the table."""
    cells = {}
    for row in results.rows(path):
        ways = cells.setdefault((row["corpus"], row["k"]), {})
        ways.setdefault(row["way"], {})[row["seed"]] = row
    stopped = ["with suggested stop words (how many)", "NPMI, before → after", "C_V"]
    table.head("corpus, K", "seeds", *RANKINGS, f"`{WITHOUT_SWEEPS}`", *stopped)
    for (corpus, k), ways in cells.items():
        first = ways[DEFAULT]
        by = {name: [row["common"][name] for row in first.values()] for name in RANKINGS}
        swept = [row["common"]["probability"] for row in ways.get(WITHOUT_SWEEPS, {}).values()]
        figures = [deviation(by["probability"])]
        figures += [results.mean(by[name], 2) for name in RANKINGS[1:]]
        figures.append(results.mean(swept, 2) if swept else table.NONE)
        figures += without_suggested(first, ways.get(STOPPED, {}))
        table.row(f"{corpus}, {k}", len(first), *figures)


def without_suggested(first, stopped):
    """The cells of what stop words change, over the seeds that have both runs."""
    if not stopped:
        return [table.NONE] * 3
    common = results.mean([row["common"]["probability"] for row in stopped.values()], 2)
    words = results.mean([len(first[seed]["suggested"]) for seed in stopped], 0)
    seeds = "" if len(stopped) == len(first) else f"; {len(stopped)} of {len(first)} seeds"
    changed = []
    for name in ("npmi", "cv"):
        before = results.mean([first[seed][name] for seed in stopped], 3)
        after = results.mean([row[name] for row in stopped.values()], 3)
        changed.append(f"{before} → {after}")
    return [f"{common} ({words}{seeds})", *changed]
