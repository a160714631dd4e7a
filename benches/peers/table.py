"""Tables in Markdown, ready for papers/benchmarks.md."""

import statistics

#: What stands for a figure that there is none of.
NONE = "–"


def section(title, *paragraphs):
    """A heading with what a reader needs to know about the table below it."""
    print(f"\n## {title}\n")
    for paragraph in paragraphs:
        print(f"{paragraph}\n", flush=True)


def head(first, *columns):
    """The first two lines of a table: its first column is text, the others are figures."""
    row(first, *columns)
    print("| --- |" + " ---: |" * len(columns), flush=True)


def row(*cells):
    """A line of a table, printed at once so that long tables can be watched."""
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def figure(value, digits=0):
    """A number for a cell, thousands apart, with a true minus; `NONE` where there is none."""
    if value is None:
        return NONE
    return f"{value:,.{digits}f}".replace("-", "−")


def seconds(value):
    """Seconds with as many digits as they deserve."""
    if value is None:
        return NONE
    return figure(value, 2 if value < 10 else 1 if value < 1000 else 0)


def megabytes(value):
    """Bytes as millions of them."""
    return NONE if value is None else figure(value / 1e6)


def medians(rounds):
    """The medians of the columns of `rounds`."""
    return [statistics.median(column) for column in zip(*rounds)]
