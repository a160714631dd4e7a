#!/usr/bin/env python3
"""Makes docs/guide/images/recording.svg, the moving picture of the README, from a real session of the workbench.

    python3 benches/workbench/recording.py TOPOI [--to docs/guide/images/recording.svg]

The session is that of sessions.py, with other keys. The picture moves by CSS alone, so that it plays where pictures may not
have scripts; where nothing may move it shows STILL. It gives the same bytes each time. Needs pyte.
"""
import argparse
import collections
import os
import pathlib
import tempfile

from sessions import HIGH, SMALL, TOP, begun, drawing, framed, named

MOST_BYTES = 400_000
# Seconds that a frame stays: long enough to read, or just one of several keys in a row.
READ, PASS = 3.5, 0.5
STILL = 0

# `shows` is waited for; `seconds` of 0 keeps no frame. The caption is below the screen.
Frame = collections.namedtuple("Frame", "keys caption shows seconds", defaults=(READ,))

FRAMES = [
    Frame("4", "", ["Runs 2"], 0),
    Frame("j", "", ["Runs 2"], 0),
    Frame("Enter", "the topics of a run", ["Topics 8", "(market price?)"]),
    Frame("j", "the topics of a run", ["Topics 8"], PASS),
    Frame("j", "the topics of a run", ["Topics 8"], PASS),
    Frame("j", "the topics of a run", ["Topics 8"], PASS),
    Frame("j", "the topics of a run", ["Topics 8"], 1.5),
    Frame("Enter", "the words of a topic", ["began at anchor future"]),
    Frame("Enter", "its documents", ["Documents most about topic 4", "Exchange rates"]),
    Frame("j", "its documents", ["Documents most"], PASS),
    Frame("j", "its documents", ["Documents most"], PASS),
    Frame("j", "its documents", ["Documents most"], PASS),
    Frame("j", "its documents", ["Documents most"], PASS),
    Frame("Enter", "a text, its words in the colour of their topic", ["The wine harvest and the market"]),
    Frame('F «"the price"»', "a phrase is searched in all texts", ['"the price"'], 1.0),
    Frame("Enter", "a phrase is searched in all texts", ["15 documents"], 2.0),
    Frame("Tab", "every occurrence in its context", ["18 times"], 2.0),
    Frame("o o", "sorted by the words after", ["by the words after"]),
    Frame("f", "occurrences by subject, with intervals", ["by subject", "economics"]),
    Frame("Enter Enter", "one in a text on astronomy: two topics", ["The cost of a great telescope", "70.0%"]),
    Frame("N «a price in money, outside of economics»", "a note with its passage and source", ["Note on a passage"], 2.0),
    Frame("Enter", "a note with its passage and source", ["The cost of a great telescope"], PASS),
    Frame("4 Space k", "", ["Runs 2"], 0),
    Frame("c", "two runs compared, topic by topic", ["8 pairs alike", "has no match"]),
    Frame("j", "two runs compared, topic by topic", ["8 pairs alike"], PASS),
    Frame("j", "two runs compared, topic by topic", ["8 pairs alike"], PASS),
    Frame("Enter", "what a topic lost when another split off", ["5 of run 1", "5 of run 2", "Documents most about it"]),
]
ALT = (
    "The workbench in a terminal: from the topics of a run to the words and documents of one, to a phrase in its contexts, "
    "to a note, and to two runs compared."
)


def recorded(topoi, home):
    """(rows of cells, key, caption, seconds) of each frame that is kept."""
    session, _ = begun(topoi, home)
    try:
        session.wait("start", ["Corpora 1", "subjects"])
        frames = []
        for frame in FRAMES:
            session.press(frame.keys, frame.shows)
            if frame.seconds:
                frames.append((session.rows(None), named(frame.keys).replace("`", ""), frame.caption, frame.seconds))
        return frames
    finally:
        session.end()
        os.chdir(TOP)


def moving(frames):
    """Each frame is shown for its share of the time. Rows that are in several frames are drawn once."""
    classes, names, rows, screens, rules = {}, {}, [], [], []
    columns, lines = SMALL
    whole, at = sum(seconds for *_, seconds in frames), 0.0
    for index, (cells, key, caption, seconds) in enumerate(frames):
        uses = []
        for y, row in enumerate(cells):
            elements = "".join(drawing([row], classes))
            if not elements:
                continue
            if elements not in names:
                names[elements] = f"r{len(names)}"
                rows.append(f'<g id="{names[elements]}">{elements}</g>')
            uses.append(f'<use href="#{names[elements]}" y="{y * HIGH}"/>')
        below = f'<text x="0" y="{(lines + 1) * HIGH + 8}"><tspan class="k">{key}</tspan>  {caption}</text>'
        screens.append(f'<g class="f" id="f{index}">{"".join(uses)}{below}</g>')
        begin, end = (f"{100 * moment / whole:.2f}%" for moment in (at, at + seconds))
        at += seconds
        hidden = f"0%{{visibility:hidden}}{begin}" if index else "0%"
        rules.append(f"@keyframes a{index}{{{hidden}{{visibility:visible}}{end}{{visibility:hidden}}}}")
        rules.append(f"#f{index}{{animation:a{index} {whole:g}s step-end infinite}}")
    # Where nothing moves, in a viewer without animation or for a reader without motion, one frame is shown.
    style = f".f{{visibility:hidden;fill:#e4e4e4}}#f{STILL}{{visibility:visible}}.k{{fill:#e9c46a;font-weight:bold}}"
    style += "".join(rules) + "@media(prefers-reduced-motion:reduce){.f{animation:none!important}}"
    return framed(columns, lines + 2, ALT, classes, ["<defs>", *rows, "</defs>", *screens], style)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("topoi")
    parser.add_argument("--to", type=pathlib.Path, default=TOP / "docs/guide/images/recording.svg")
    options = parser.parse_args()
    topoi, to = os.path.abspath(options.topoi), options.to.resolve()
    with tempfile.TemporaryDirectory() as home:
        frames = recorded(topoi, pathlib.Path(home))
    picture = moving(frames)
    if len(picture.encode()) > MOST_BYTES:
        raise SystemExit(f"{to}: {len(picture.encode()):,} bytes, which is more than {MOST_BYTES:,}: leave frames out")
    to.write_text(picture)
    print(f"{to}: {len(frames)} frames, {sum(frame[-1] for frame in frames):g} s, {len(picture.encode()):,} bytes")


if __name__ == "__main__":
    main()
