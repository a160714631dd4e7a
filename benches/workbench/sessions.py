#!/usr/bin/env python3
"""Makes docs/guide/reading-session.md and its pictures from a real session of the workbench.

    python3 benches/workbench/sessions.py TOPOI [--to docs/guide]

It adds a sample corpus to a store in an empty home, fits two runs, starts TOPOI in a pseudo-terminal, types the keys of
STEPS, and keeps what is on the screen as SVG or as text. Each step waits for the words that its sentence speaks of, and
the script ends with an error if they do not come: then the page, or the program, has to be changed. Needs pyte.

The script gives the same bytes each time: steps show no times and no folders, and days are written as 2026-01-01.
"""
import argparse
import base64
import collections
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import types
from html import escape

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "benches"))
from slow_line import CTRL, ENTER, ESCAPE, TAB, Line  # noqa: E402

SMALL, LARGE = (80, 24), (100, 30)
QUIET, PATIENCE = 0.4, 30.0
DAY, ANY_DAY = re.compile(r"\d{4}-\d\d-\d\d"), "2026-01-01"
NAMED = {"Enter": ENTER, "Tab": TAB, "Esc": ESCAPE, "Space": " ", "Ctrl-U": CTRL("U")}

# What is done before, as the page says it.
BEFORE = """topoi ingest subjects sample_corpora/eight_subjects.jsonl
topoi terms subjects --min-documents 3 --max-documents 40% --save core
topoi run subjects -k 8 --vocabulary core --seed 1
topoi run subjects -k 10 --vocabulary core --seed 1"""

Shot = collections.namedtuple("Shot", "name alt rows size", defaults=(None, SMALL))
Text = collections.namedtuple("Text", "rows")
# Keys are as the help names them; what is typed is in «». `shows` is waited for. `then` is what the page has of it:
# a Shot, a Text of these rows of the screen, or "clipboard" or "notes.md".
Step = collections.namedtuple("Step", "keys why shows then", defaults=(None,))

HEAD = """# A reading session

From a collection that you do not know to a passage that is quoted with its source: the keys, why each is pressed, and
what the workbench then shows. The screens are from one real session, in a terminal of 80 columns and 24 rows; some
pictures have 100 and 30. [Reading topics](reading-topics.md) explains the same in general, and
[the workbench](../reference/workbench.md) has the keys of all jobs.

The texts are the 256 short ones in `sample_corpora/eight_subjects.jsonl`, on eight subjects. To follow, in the folder of
the repository:

```sh
{before}
```

That is a corpus with the field `subject`, a vocabulary of 1,169 terms, and two runs, with 8 and with 10 topics. Now start
`topoi`. Keys that follow one another are in a row below, and text that you type is in « ».
"""

TAIL = """## What is left

`topoi notes --markdown` prints the same notes without the workbench, and `topoi export 1 --to html` makes a page of the run
that can be sent. `q` leads back, and from the first screen out of the workbench, which opens again where you left it.

These texts have no dates. Where texts have some, `f` has a row for each year and a line, and two topics side by side have
their shares over time. [Fields](../reference/fields.md) says what is read as a date.

This page and its pictures are made by `benches/workbench/sessions.py`, which writes all days as 2026-01-01.

Next: [how many topics, and which to trust](choosing-k.md).
"""

STEPS = [
    "The topics of a run",
    Step(
        "4 j Enter",
        "`4` lists the runs, `j` goes down to run 1, and Enter opens it. Read all topics before any of them: the words "
        "say what the collection is about. A name in brackets with `?` is a proposal.",
        ["Topics 8", "(market price?)", "(orchestra plays?)"],
        Shot("topics", "The 8 topics of run 1: share of the tokens, proposed name, first words.", None, LARGE),
    ),
    Step(
        "j j j j Enter",
        "Topic 4 seems to be about prices. Its words, with their probabilities, show whether that holds beyond the "
        "first three.",
        ["topic 4 (market price?)", "began at anchor future"],
        Text(range(2, 14)),
    ),
    "Its documents, and a passage",
    Step(
        "Enter",
        "Words alone mislead, so look at the documents with most of the topic. Under each title is text around words "
        "of the topic.",
        ["Documents most about topic 4", "Exchange rates"],
        Shot("documents", "The documents of topic 4: share, title, key, and a line of text below."),
    ),
    Step(
        "j j j j Enter",
        "Read one whose title could belong elsewhere. Words have the colour of the topic that they most probably come "
        "from, here topic 4 alone, which is reversed as you came from it; words without colour are not terms of the "
        "run.",
        ["The wine harvest and the market", "100.0%"],
        Shot("passage", "A document with the words of topic 4 on a coloured ground."),
    ),
    "A phrase, and its contexts",
    Step(
        'F «"the price"» Enter',
        "Is a price always one in money? A search reads all texts, not only those of one topic. Quotation marks make "
        "it a phrase.",
        ["15 documents"],
        Text(range(1, 9)),
    ),
    Step(
        "Tab o o",
        "Tab lists every occurrence, centred, and `o` sorts them by the words before, then by the words after. What is "
        "used alike is now side by side: “the price of” a thing, and one that is paid “as one pays a bill”.",
        ["by the words after", "18 times"],
        Shot("contexts", "18 occurrences of “the price” in their contexts, by the words after.", None, LARGE),
    ),
    Step(
        "f",
        "Which subjects have the phrase? The numbers are occurrences in a million tokens, with a 95% interval where "
        "there are enough documents.",
        ["by subject", "economics"],
        Shot("by_field", "The 8 subjects with occurrences and intervals; economics has 15 of the 18.", range(0, 13)),
    ),
    "From an occurrence to a note",
    Step(
        "Enter Enter",
        "Enter on a group shows its occurrences, here the only one in astronomy; Enter on that reads its document "
        "there. It is on two topics.",
        ["The cost of a great telescope", "70.0%", "30.0%"],
        Shot("found", "A document in the colours of two topics, 70.0% and 30.0%, the phrase underlined."),
    ),
    Step(
        "N «a price in money, outside of economics»",
        "`N` notes something of the passage around the phrase; Enter saves it. A note keeps the quote and its source.",
        ["Note on a passage", "outside of economics"],
        Text(range(16, 24)),
    ),
    Step(
        "Enter y",
        "`y` copies the passage with its source to the clipboard of your own terminal, for a text that you are "
        "writing. This is what it then holds:",
        ["copied"],
        "clipboard",
    ),
    "The words beside a word",
    Step(
        "F Ctrl-U «price» Enter Tab w",
        "The phrase is too rare for counts of its neighbours; the word alone has 43 occurrences. These are the words "
        "within five words of it, those first that are there most beyond chance (G²).",
        ["within 5 of its 43", "economists"],
        Text(range(1, 9)),
    ),
    "The notes as a file",
    Step(
        "g b",
        "All notes, with the quote and the source of the one under the cursor. Enter leads back to the passage.",
        ["Notes 1", "The cost of a great telescope"],
        Shot("notes", "The list of notes; below it the note, the quoted passage and its source."),
    ),
    Step(
        "Q",
        "`Q` writes them as `notes.md` into the folder in which you started `topoi`:",
        ["1 row written"],
        "notes.md",
    ),
    "A name for the topic",
    Step(
        "5 t L",
        "`5` is the run that you opened, and `t` its topics, with the cursor on topic 4. `L` proposes a name; Tab "
        "proposes the next, and typing replaces it. Here the first is good enough.",
        ["proposed name, 1 of"],
        Text([2, 3, 8, 22, 23]),
    ),
    Step(
        "Enter",
        "From now on the topic has this name on all screens and in exports.",
        ['is called "market price"'],
        Text([2, 3, 8, 22]),
    ),
    "Two runs compared",
    Step(
        "4 Space k c",
        "Would 10 topics have said more? Space marks run 1, `k` goes up to run 2, and `c` compares them. What differs "
        "is first: two topics of run 2 have no match, and those on patients and on stars, from which they were split "
        "off, are less alike than the rest.",
        ["8 pairs alike", "has no match"],
        Shot("compared", "The topics of run 1 beside those of run 2, with the cosine of each pair.", None, LARGE),
    ),
    Step(
        "j j Enter",
        "Enter on a pair shows the two topics side by side. Words that the other has not among its first 40 are bold: "
        "the topic of run 2 has lost cells, pressure and sleep, which are in its topic 9. The documents of both are below: "
        "judge the split by words and texts, not by the cosine alone.",
        ["5 of run 1", "5 of run 2", "cells", "Documents most about it"],
        Shot("side_by_side", "Topic 5 of run 1 beside topic 5 of run 2: words, probabilities, documents.", None, LARGE),
    ),
]

# The terminal's own 16 colours, where the program uses them, and the two that it starts from.
COLOURS = {
    "black": "2e3436", "red": "ef6b6b", "green": "8ae234", "brown": "e9c46a", "blue": "8ab4f8", "magenta": "d7a1e0",
    "cyan": "6fd3d3", "white": "d3d7cf", "brightblack": "8a8f94", "brightred": "ff8f8f", "brightgreen": "b5f07a",
    "brightbrown": "ffe08a", "brightblue": "b0ccff", "brightmagenta": "ecc4f2", "brightcyan": "a5ecec",
    "brightwhite": "ffffff",
}
INK, PAPER = "e4e4e4", "181818"
WIDE, HIGH, EDGE = 8, 17, 10
LEFT, RIGHT, UP, DOWN = 1, 2, 4, 8
LINES = dict(zip("─│┌┐└┘├┤┬┴┼", (3, 12, 10, 9, 6, 5, 14, 13, 11, 7, 15)))


def looks(cell):
    """Colour of the letter, of its ground, and how it is set."""
    ink, paper = COLOURS.get(cell.fg, cell.fg), COLOURS.get(cell.bg, cell.bg)
    ink, paper = INK if ink == "default" else ink, PAPER if paper == "default" else paper
    if cell.reverse:
        ink, paper = paper, ink
    return ink, paper, cell.bold, cell.italics, cell.underscore


def drawn(letter, column, row):
    """Blocks and lines as (x, y, width, height), which fonts do not join; None for letters."""
    x, y = column * WIDE, row * HIGH
    if "▁" <= letter <= "█":
        height = HIGH * (ord(letter) - 0x2580) / 8
        return [(x, y + HIGH - height, WIDE, height)] if letter != "█" else [(x, y + 2, WIDE, HIGH - 4)]
    if "▉" <= letter <= "▏":
        return [(x, y + 2, WIDE * (0x2590 - ord(letter)) / 8, HIGH - 4)]
    if letter not in LINES:
        return None
    arms, half, middle = LINES[letter], WIDE / 2, (HIGH - 1) / 2
    left, up = (half if arms & LEFT else 0), (middle if arms & UP else 0)
    across = (x + half - left, y + middle, left + (half if arms & RIGHT else 0), 1)
    down = (x + half - 0.5, y + middle - up, 1, up + (HIGH - middle if arms & DOWN else 0))
    return [part for part in (across, down) if part[2] and part[3]]


def number(value):
    return f"{value:.2f}".rstrip("0").rstrip(".")


def continues(cell, style):
    """Whether a cell is set like what is before it. The ink of a space is not seen, and differs with how it was drawn."""
    style_here = looks(cell)
    if cell.data == " " and not style_here[4] and not style[4]:
        return style_here[1] == style[1]
    return style_here == style


def drawing(rows, classes):
    """Elements for these rows of cells, from (0, 0) on; styles of letters are added to `classes` with their names."""
    boxes, letters = [], []

    def box(x, y, wide, high, colour):
        last = boxes[-1] if boxes else None
        if last and last[1:2] + last[3:] == [y, high, colour] and last[0] + last[2] == x:
            last[2] += wide
        else:
            boxes.append([x, y, wide, high, colour])

    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            if looks(cell)[1] != PAPER:
                box(x * WIDE, y * HIGH, WIDE, HIGH, looks(cell)[1])
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            parts, style = drawn(row[x].data, x, y), looks(row[x])
            for part in parts or []:
                box(*part, style[0])
            end = x + 1
            if parts is None:
                while end < len(row) and continues(row[end], style) and drawn(row[end].data, end, y) is None:
                    end += 1
                text = "".join(cell.data for cell in row[x:end])
                # Far apart are apart, so that a font of another width does not shift them.
                for piece in re.finditer(r"\S+(?: \S+)*" if not style[4] else r".+", text):
                    letters.append((x + piece.start(), y, piece.group(), style))
            x = end
    elements = [
        '<rect x="{}" y="{}" width="{}" height="{}" fill="#{}"/>'.format(*map(number, sizes), colour)
        for *sizes, colour in boxes
    ]
    for x, y, text, style in letters:
        name = classes.setdefault(style[:1] + style[2:], f"c{len(classes)}")
        place = f'x="{x * WIDE}" y="{y * HIGH + 13}" textLength="{len(text) * WIDE}"'
        elements.append(f'<text class="{name}" {place}>{escape(text, False)}</text>')
    return elements


def framed(columns, lines, alt, classes, elements, more_style=""):
    """A picture of `columns` × `lines` cells, with a ground of its own."""
    width, height = columns * WIDE + 2 * EDGE, lines * HIGH + 2 * EDGE
    rules = "".join(
        f".{name}{{fill:#{ink}" + ";font-weight:bold" * bold + ";font-style:italic" * italic
        + ";text-decoration:underline" * line + "}" for (ink, bold, italic, line), name in classes.items()
    )
    sizes = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    fonts = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" {sizes} role="img">',
        f"<title>{escape(alt, False)}</title>",
        f"<style>text{{font:13.3px {fonts};white-space:pre}}{rules}{more_style}</style>",
        f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="6" fill="#{PAPER}" stroke="#6b6b6b"/>',
        f'<g transform="translate({EDGE} {EDGE})">', *elements, "</g>", "</svg>", "",
    ])


def svg(rows, alt):
    """A picture of these rows of cells."""
    classes = {}
    return framed(len(rows[0]), len(rows), alt, classes, drawing(rows, classes))


class Session:
    """The workbench, and what is on its screen."""

    def __init__(self, command, environment):
        options = types.SimpleNamespace(buffer=65536, rate=0, delay=0.0, background="dark")
        self.line = Line(command, environment, SMALL, options)

    def press(self, keys, shows):
        for key in re.findall(r"«.*?»|\S+", keys):
            self.line.type(NAMED.get(key, key.strip("«»")))
            self.line.settle(QUIET / 2, time.monotonic())
        self.wait(keys, shows)

    def wait(self, keys, shows):
        """Until these words are there and nothing changes any more."""
        began = time.monotonic()
        while True:
            self.line.settle(QUIET, time.monotonic())
            missing = [words for words in shows if words not in self.line.text()]
            if not missing:
                return
            if time.monotonic() - began > PATIENCE or not self.line.is_alive():
                raise SystemExit(f"{keys}: {missing} are not on the screen:\n{self.line.text()}")

    def resize(self, size, shows):
        if self.line.size != size:
            self.line.resize(*size)
            self.wait("another size", shows)

    def rows(self, which):
        """Cells, with any day in them replaced."""
        rows = self.line.cells()[0]
        for row in rows:
            for found in DAY.finditer("".join(cell.data for cell in row)):
                for at, letter in enumerate(ANY_DAY, found.start()):
                    row[at] = row[at]._replace(data=letter)
        return [rows[at] for at in which] if which is not None else rows

    def clipboard(self):
        """What was copied last, by OSC 52."""
        data = b"".join(data for _, data in self.line.arrived)
        return base64.b64decode(re.findall(rb"\x1b\]52;c;([A-Za-z0-9+/=]*)", data)[-1]).decode()

    def end(self):
        if self.line.is_alive():
            os.kill(self.line.pid, signal.SIGKILL)
            os.waitpid(self.line.pid, 0)


def named(keys):
    """Keys as the page has them."""
    return " ".join(key if key in NAMED or key[0] == "«" else f"`{key}`" for key in re.findall(r"«.*?»|\S+", keys))


def block(text):
    lines = text.splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    return "```text\n" + "\n".join(line.rstrip() for line in lines) + "\n```\n"


def kept(session, step, folder, pictures):
    """The part of the page that shows what a step has led to; pictures are added."""
    then = step.then
    if isinstance(then, Shot):
        session.resize(then.size, step.shows)
        picture = svg(session.rows(then.rows), then.alt)
        session.resize(SMALL, [])
        name = f"session_{then.name}.svg"
        pictures[name] = picture
        return f"![{then.alt}](images/{name})\n"
    if isinstance(then, Text):
        return block("\n".join("".join(cell.data for cell in row) for row in session.rows(then.rows)))
    text = session.clipboard() if then == "clipboard" else DAY.sub(ANY_DAY, (folder / then).read_text())
    return block(text)


def begun(topoi, home):
    """The workbench on the store of BEFORE, and the folder it is started in."""
    folder = home / "reading"
    folder.mkdir()
    environment = {"HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": os.environ["PATH"]}
    for command in BEFORE.splitlines():
        subprocess.run([topoi, *command.split()[1:]], cwd=TOP, env=environment, capture_output=True, check=True)
    os.chdir(folder)
    return Session([topoi], environment), folder


def page_and_pictures(topoi, home):
    """The page, and the pictures by name."""
    session, folder = begun(topoi, home)
    parts, pictures = [HEAD.format(before=BEFORE)], {}
    try:
        session.wait("start", ["Corpora 1", "subjects"])
        for step in STEPS:
            if isinstance(step, str):
                parts.append(f"## {step}\n")
                continue
            session.press(step.keys, step.shows)
            parts.append(textwrap.fill(f"**{named(step.keys)}**: {step.why}", 130, break_long_words=False) + "\n")
            parts.append(kept(session, step, folder, pictures))
    finally:
        session.end()
        os.chdir(TOP)
    return "\n".join([*parts, TAIL]), pictures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("topoi")
    parser.add_argument("--to", type=pathlib.Path, default=TOP / "docs/guide", help="folder of the page")
    options = parser.parse_args()
    topoi, to = os.path.abspath(options.topoi), options.to.resolve()
    with tempfile.TemporaryDirectory() as home:
        page, pictures = page_and_pictures(topoi, pathlib.Path(home))
    (to / "images").mkdir(parents=True, exist_ok=True)
    for name, picture in pictures.items():
        (to / "images" / name).write_text(picture)
        print(f"{to / 'images' / name}: {len(picture.encode()):,} bytes")
    (to / "reading-session.md").write_text(page)
    print(f"{to / 'reading-session.md'}: {len(page.encode()):,} bytes")


if __name__ == "__main__":
    main()
