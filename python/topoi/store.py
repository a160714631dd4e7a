"""The store: one SQLite file with corpora, runs, and all that was found."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Optional, Sequence, Union

from . import _html, frames
from ._program import Program
from .corpus import Corpus
from .errors import Error
from .run import Run


def open(path: Union[str, Path], frames: Optional[str] = None, program: Optional[Union[str, Path]] = None) -> Store:
    """Opens a store; it is made when the first documents are added.

    Args:
        path: the file.
        frames: what tables come as, ``pandas``, ``polars`` or ``rows``; otherwise whichever is installed.
        program: the program topoi to call, in place of the one that came with this module.

    Raises:
        Error: if the file is there and no store.

    >>> store = open(folder / "texts.db")
    >>> store
    <store ...texts.db: no file there yet>
    """
    return Store(Path(path), frames, Path(program) if program is not None else None)


class Store:
    """One SQLite file. Every call starts the program (10 ms), which reads and writes it; other programs may use the
    file at the same time."""

    def __init__(self, path: Path, frames_of: Optional[str], program: Optional[Path]) -> None:
        self.path = path.expanduser()
        self._frames = frames.library(frames_of)
        self._program = Program(self.path, program)
        if self.path.exists():
            self.topoi("corpora")

    def corpus(self, name: str) -> Corpus:
        """The corpus of this name, also one that has no documents yet."""
        return Corpus(self, name)

    def run(self, run: Union[int, str]) -> Run:
        """A saved run, by its number, its name, or as ``CORPUS@latest``.

        Raises:
            Error: if there is none.
        """
        return Run(self, run)

    @property
    def corpora(self) -> Any:
        """A row a corpus: documents, tokens, terms, runs."""
        return self._listed("corpora", ("name", "documents", "tokens", "terms", "runs"))

    @property
    def runs(self) -> Any:
        """A row a run, of all corpora."""
        return self._listed("runs", ("run", "corpus", "model", "k", "status"))

    def _listed(self, command: str, columns: Sequence[str]) -> Any:
        return frames.made(self._program.rows(command) if self.path.exists() else [], self._frames, first=columns)

    def sql(self, query: str, limit_seconds: int = 60) -> Any:
        """What a query finds, as a table; nothing is changed. ``SELECT name, sql FROM sqlite_schema``
        lists the tables with their columns; ``schema/README.md`` in the project's repository describes them, and the
        functions beyond SQLite's own.

        Raises:
            Error: for a query that SQLite refuses, or that takes longer.

        >>> corpus = store.corpus("notes").add(["war and peace"])
        >>> store.sql("SELECT 1 AS one, 'x' AS letter", limit_seconds=5)
        one  letter
        1    x
        """
        return frames.made(self._program.rows("sql", query, settings={"limit_seconds": limit_seconds}), self._frames)

    def compare(self, *runs: Union[Run, int, str]) -> Any:
        """A row for each topic of the first run with its counterpart in each of the others, and their cosine; one without
        a counterpart, as in a run with fewer topics, has none of these.

        Raises:
            Error: for fewer than two runs.
        """
        numbers = [run.number if isinstance(run, Run) else run for run in runs]
        report = self._program.json("compare", *numbers)
        k = len(report["runs"][0]["topics"])
        words = [
            {topic["topic"]: " ".join(word["word"] for word in topic["words"][:5]) for topic in each["topics"]}
            for each in report["runs"]
        ]
        rows = []
        for other, alignment in zip(report["runs"][1:], report["alignments"]):
            of = words[report["runs"].index(other)]
            pairs = {mine: (theirs, cosine) for mine, theirs, cosine in alignment["pairs"]}
            for mine in range(k):
                theirs, cosine = pairs.get(mine, (None, None))
                found = {"topic": mine, "words": words[0].get(mine), "run": other["run"]["id"]}
                rows.append({**found, "its_topic": theirs, "its_words": of.get(theirs), "cosine": cosine})
        return frames.made(rows, self._frames)

    def script(self, path: Union[str, Path, None] = None, run: Union[Run, int, str, None] = None) -> str:
        """The shell script that makes a run again, with its labels and the results that were kept.

        Args:
            path: a file to write it to.
            run: the run; otherwise the newest one.

        Raises:
            Error: where there is no run, or the file cannot be written.
        """
        script = self._program.call("script", self._number(run))
        if path is not None:
            try:
                Path(path).write_text(script, encoding="utf-8")
            except OSError as error:
                raise Error(f"{path} cannot be written: {error.strerror}") from None
        return script

    def methods(self, run: Union[Run, int, str, None] = None) -> str:
        """The paragraph of a paper that says how a run was made, with what to cite; of the newest run without `run`."""
        return self._program.call("methods", self._number(run))

    def _number(self, run: Union[Run, int, str, None]) -> Union[int, str]:
        if isinstance(run, Run):
            return run.number
        if run is not None:
            return run
        runs = self._program.rows("runs")
        if not runs:
            raise Error(f"{self.path} has no run; make one with store.corpus(name).run(k=20)")
        return max(int(row["run"]) for row in runs)

    def topoi(self, *words: Any, **settings: Any) -> Any:
        """Any command of the program, with options as keyword arguments; what it prints as Python values.

        >>> corpus = store.corpus("notes").add(["war and peace"])
        >>> store.topoi("terms", "notes", min_count=1)[0]["total_count"]
        1
        """
        return self._program.json(*words, settings=settings)

    def __repr__(self) -> str:
        corpora = self._program.rows("corpora") if self.path.exists() else []
        names = ", ".join(f"{row['name']} ({row['documents']:,} documents)" for row in corpora)
        return f"<store {self.path}: {names or ('no corpora' if self.path.exists() else 'no file there yet')}>"

    def _repr_html_(self) -> str:
        corpora: Sequence[dict[str, Any]] = self._program.rows("corpora") if self.path.exists() else []
        names = ("name", "documents", "tokens", "terms", "runs")
        return _html.table(names, [[row[name] for name in names] for row in corpora], 0, str(self.path))
