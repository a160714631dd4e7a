"""Scores in a file, a line of JSON a row, and cells of tables made from them."""

import json
import statistics
import tempfile
from pathlib import Path

import table
from arguments import wants
from environment import say


def add(path, row):
    """Adds a row to the file."""
    with open(path, "a") as file:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")


def rows(path):
    """The rows of the file, in order."""
    with open(path) as file:
        return [json.loads(line) for line in file]


def each_corpus(options, kinds):
    """(corpus, directory for its store) of those kinds that --only asks for and that are there."""
    for kind in kinds:
        if not wants(options, kind.name):
            continue
        if not kind.is_there(options):
            say(f"{kind.name}: {kind.file} is not there")
            continue
        with tempfile.TemporaryDirectory() as home:
            yield kind, Path(home)


def mean(values, digits):
    """The mean as a cell."""
    return table.figure(statistics.fmean(values), digits)


def mean_and_error(values, digits, sign=""):
    """The mean and, of several values, its standard error."""
    text = sign + mean(values, digits)
    if len(values) < 2:
        return text
    return f"{text} ± {statistics.stdev(values) / len(values) ** 0.5:.{digits}f}"


def difference(values):
    """The mean of differences with its sign, and its standard error."""
    return mean_and_error(values, 3, "+" if statistics.fmean(values) >= 0 else "")
