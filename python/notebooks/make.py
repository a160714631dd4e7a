"""Runs the notebooks, and writes them with their outputs and as pages of the guide.

    python python/notebooks/make.py            # in an environment with topoi, pandas and requirements.txt
    python python/notebooks/make.py --check    # are those that are saved what comes out?

A notebook is a file of Python with cells that begin with `# %%`, text in those that begin with `# %% [markdown]`.
"""

import argparse
import html.parser
import os
import re
import sys
import tempfile
from pathlib import Path

import nbclient
import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

HERE = Path(__file__).resolve().parent
GUIDE = HERE.parent.parent / "docs" / "guide"
#: The notebooks, and the pages they become.
PAGES = {"first_topics": "first-notebook.md", "growing_corpus": "growing-corpus-notebook.md"}
CELL = re.compile(r"^# %%(.*)$", re.MULTILINE)


def cells(source):
    """(is_text, its lines) for each cell."""
    parts = CELL.split(source)[1:]
    for kind, body in zip(parts[::2], parts[1::2]):
        body = body.strip("\n")
        if "[markdown]" in kind:
            yield True, "\n".join(line[2:] if line != "#" else "" for line in body.split("\n"))
        else:
            yield False, body


def made(name):
    """The notebook with its outputs, which are the same each time."""
    notebook = new_notebook()
    for at, (is_text, body) in enumerate(cells((HERE / f"{name}.py").read_text())):
        cell = new_markdown_cell(body) if is_text else new_code_cell(body)
        cell.id = f"cell-{at}"
        notebook.cells.append(cell)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    with tempfile.TemporaryDirectory() as home:
        # Stores are made in a directory of their own, from which paths lead to the sample texts as from here.
        work = Path(home) / "python" / "notebooks"
        work.mkdir(parents=True)
        (Path(home) / "sample_corpora").symlink_to(HERE.parent.parent / "sample_corpora")
        os.environ["HOME"] = home
        os.environ["IPYTHONDIR"] = home
        # Who labels a topic.
        os.environ["USER"] = os.environ["LOGNAME"] = "me"
        # A bar of progress is there or not, by how fast the machine is.
        os.environ["TOPOI_QUIET"] = "1"
        client = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(work)}})
        client.execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            assert output.output_type != "error"
    notebook.metadata.pop("language_info", None)
    return notebook


class Rows(html.parser.HTMLParser):
    """The cells of the first table of a page."""

    def __init__(self):
        super().__init__()
        self.title, self.rows, self.notes, self._into = "", [], [], None

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self._into = "cell"
        elif tag in ("b", "small"):
            self._into = tag
            if tag == "small":
                self.notes.append("")

    def handle_endtag(self, tag):
        if tag in ("td", "th", "b", "small"):
            self._into = None

    def handle_data(self, text):
        if self._into == "cell":
            self.rows[-1][-1] += text.strip().replace("|", "\\|")
        elif self._into == "b":
            self.title += text
        elif self._into == "small":
            self.notes[-1] += text


def page(name, notebook):
    """The notebook as a page of the guide, and the figures that it shows by their names."""
    parts, figures = [], {}
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
            continue
        parts.append(f"```python\n{cell.source}\n```")
        for output in cell.outputs:
            data = output.get("data", {})
            if "image/svg+xml" in data:
                file = f"{name.replace('_', '-')}-{len(figures) + 1}.svg"
                figures[file] = data["image/svg+xml"]
                title = re.search("<title>(.*?)</title>", data["image/svg+xml"]).group(1)
                parts.append(f"![{title}](images/{file})")
            elif "text/html" in data:
                parts.append(as_table(data["text/html"]))
            else:
                parts.append(f"```text\n{(output.get('text') or data['text/plain']).rstrip()}\n```")
    source = f"`python/notebooks/{name}.py`"
    where = f"This page is a notebook that was run: [{name}.ipynb](../../python/notebooks/{name}.ipynb), made of {source}."
    first, rest = parts[0].split("\n", 1)
    return f"{first}\n\n{where}\n{rest}\n\n" + "\n\n".join(parts[1:]) + "\n", figures


def as_table(text):
    """A table of HTML as one of Markdown."""
    rows = Rows()
    rows.feed(text)
    lines = [f"**{rows.title}**", ""] if rows.title else []
    if rows.rows:
        head, *body = rows.rows
        lines += [f"| {' | '.join(head)} |", "|" + " --- |" * len(head)]
        lines += [f"| {' | '.join(row)} |" for row in body]
    return "\n".join([*lines, *[f"\n{note}" for note in rows.notes]])


def files():
    """What is made: the bytes of each file."""
    made_files = {}
    for name, to in PAGES.items():
        notebook = made(name)
        made_files[HERE / f"{name}.ipynb"] = nbformat.writes(notebook, indent=1) + "\n"
        text, figures = page(name, notebook)
        made_files[GUIDE / to] = text
        for file, svg in figures.items():
            made_files[GUIDE / "images" / file] = svg
    return made_files


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--check", action="store_true", help="write nothing; fail if a file differs")
    check = options.parse_args().check
    differ = []
    for file, text in files().items():
        if check and (not file.exists() or file.read_text() != text):
            differ.append(str(file))
        elif not check:
            file.write_text(text)
    if differ:
        sys.exit(f"differ from what comes out (run python/notebooks/make.py): {', '.join(differ)}")


if __name__ == "__main__":
    main()
