"""A saved run: its topics, documents and what follows from them."""

from __future__ import annotations

import csv
import json
import tempfile
import warnings
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional, Union

from . import _html, frames
from ._program import outside
from ._progress import Runs, counted
from .effects import Effects, Shares, Topic
from .errors import Error, Remark, counterparts, in_python
from .figure import Figure
from .frames import Keys

if TYPE_CHECKING:
    from .store import Store

#: Words of a topic that notebooks show.
WORDS = 8
#: What is known of a run that is not finished.
NOTHING: dict[str, Any] = {"metrics": {}, "warnings": [], "stages": [], "changes": None}
#: What other libraries call what a run has.
INSTEAD = {
    **dict.fromkeys(("get_topic_info", "get_topics", "print_topics", "show_topics", "topics_"), "topics()"),
    **dict.fromkeys(("get_topic", "show_topic", "get_topic_words"), "words(topic)"),
    **dict.fromkeys(("transform", "predict", "get_document_topics"), "infer(texts)"),
    **dict.fromkeys(("phi", "components_", "topic_word_"), "beta"),
    **dict.fromkeys(("gamma", "doc_topic_", "probabilities_"), "theta"),
    **dict.fromkeys(("get_representative_docs", "find_thoughts"), "quotes(topic)"),
    **dict.fromkeys(("visualize_topics", "visualize_barchart"), "plot()"),
    "topics_over_time": "by(date, per='month')",
    "compare": "store.compare(run, other)",
    "coherence": "metrics['npmi']",
    "save": "there without it: the store keeps every run; store.run(number) opens it",
}
#: What the status is of a run that is not over.
WORKING = ("queued", "running")
#: Columns of documents of a topic, and of documents like one.
OF_DOCUMENTS = ("key", "title", "tokens", "proportion")
OF_SIMILAR = ("key", "title", "tokens", "distance")
#: Columns of the program's table of topics that are about the topic itself.
OF_TOPIC = ("topic", "label", "token_share", "document_share", "anchor")


class Run:
    """A run of a topic model on a corpus. Topics have numbers from 0; a topic with a label can be named by it."""

    def __init__(self, store: Store, run: Union[int, str]) -> None:
        self._store, self._program, self._frames = store, store._program, store._frames
        rows = self._program.rows("runs")
        row = next((row for row in rows if run in (row["run"], row["name"])), None)
        if row is None:
            # By its corpus, or none: the program knows.
            number = self._program.json("watch", run, remarks=None)["run"]
            row = next(row for row in rows if row["run"] == number)
        #: The number of the run in its store.
        self.number: int = row["run"]
        is_finished = row["status"] == "finished"
        # Its warnings are said when it is made, and are there in `warnings`.
        self._report = self._program.json("watch", self.number, remarks=None) if is_finished else NOTHING
        #: The name of the run, if it has one.
        self.name: Optional[str] = row["name"]
        #: The name of the corpus.
        self.corpus: str = row["corpus"]
        #: The number of topics.
        self.k: int = row["k"]
        #: The model, as `topoi run --model` calls it.
        self.model: str = row["model"]
        #: The seed of its random numbers.
        self.seed: int = row["seed"]
        #: ``finished``, or why it is not.
        self.status: str = row["status"]

    if not TYPE_CHECKING:
        __getattr__ = counterparts("a run", INSTEAD)

    @property
    def metrics(self) -> dict[str, float]:
        """The metrics of the run, by name; `docs/reference/metrics.md` defines them."""
        return dict(self._report["metrics"])

    @property
    def warnings(self) -> list[str]:
        """What makes the run, or some of its topics, not to be trusted."""
        return [in_python(warning["text"]) for warning in self._report["warnings"]]

    @property
    def changes(self) -> Optional[dict[str, Any]]:
        """Of a run that continued another: which topics are the same, what is new in the documents, which words rise;
        None for a run of its own."""
        found: Optional[dict[str, Any]] = self._report["changes"]
        return found

    @property
    def stages(self) -> Any:
        """A row a stage: seconds, steps, what it converged to."""
        return frames.made(self._report["stages"], self._frames)

    @cached_property
    def _arrays(self) -> dict[str, Any]:
        try:
            import numpy
        except ImportError:
            raise Error("matrices need numpy; pip install numpy, or use documents(topic=…) and topics()") from None
        if Run(self._store, self.number).status in WORKING:
            raise Error(f"run {self.number} is not finished yet; run = run.wait() waits for it")
        with tempfile.TemporaryDirectory() as folder:
            into = Path(folder) / "run"
            self._program.call("export", self.number, settings={"to": "npy", "into": into, "output": "json"})
            names = {name: json.loads((into / f"{name}.json").read_text("utf-8")) for name in ("words", "documents")}
            arrays = {name: numpy.load(into / f"{name}.npy") for name in ("topic_words", "document_topics")}
        return {**names, **arrays}

    @property
    def theta(self) -> Any:
        """The proportions of topics in documents, a row a document, by its key; rows sum to 1. ``to_numpy()`` and
        ``to_scipy()`` have the numbers alone. With labels as columns it is ``run.theta.rename(columns=run.labels)``.

        These are posterior means, drawn towards the mean of all documents, which describe single documents. Means of
        groups and differences come from :meth:`by` and :meth:`effects`, whose estimates are not drawn there; means of
        ``theta`` differ from them.

        Raises:
            Error: without numpy, and pandas or polars; for a run that is not finished, or was made with
                ``no_documents``.
        """
        found = self._arrays
        return frames.matrix(found["document_topics"], found["documents"], range(self.k), self._frames, "key")

    @property
    def beta(self) -> Any:
        """The probabilities of words in topics, a row a topic; rows sum to 1."""
        found = self._arrays
        return frames.matrix(found["topic_words"], list(range(self.k)), found["words"], self._frames, "topic")

    def topics(self, n: int = 10, rank: str = "probability") -> Any:
        """A row a topic: its label, shares, and `n` words.

        Args:
            rank: what words are ranked by: ``probability``, ``exclusive``, ``relevance`` or ``frex``.
        """
        return frames.made(self._topics(n, rank), self._frames)

    def _topics(self, n: int, rank: str) -> list[dict[str, Any]]:
        rows = []
        for row in self._program.rows("topics", self.number, settings={"words": n, "rank": rank}, remarks=None):
            words = " ".join(word["word"] for word in row["words"])
            rows.append({**{name: row[name] for name in OF_TOPIC}, "words": words})
        return rows

    def words(self, topic: Topic, n: int = 20, rank: str = "probability") -> Any:
        """The words of a topic with their probabilities."""
        number = self.topic_number(topic)
        rows = self._program.rows("topics", self.number, settings={"words": n, "rank": rank}, remarks=None)
        return frames.made(next(row["words"] for row in rows if row["topic"] == number), self._frames)

    @property
    def labels(self) -> dict[int, str]:
        """The labels that topics have."""
        return {row["topic"]: row["label"] for row in self._topics(1, "probability") if row["label"]}

    def topic_number(self, topic: Topic) -> int:
        """The number of a topic that is given by its number or label.

        Raises:
            Error: if there is none.
        """
        if not isinstance(topic, str):
            if 0 <= int(topic) < self.k:
                return int(topic)
            raise Error(f"run {self.number} has no topic {topic}; its topics are 0 to {self.k - 1}")
        labels = self.labels
        found = [number for number, label in labels.items() if label == topic]
        if len(found) == 1:
            return found[0]
        if found:
            raise Error(f"topics {', '.join(map(str, found))} of run {self.number} are labelled {topic!r}; give a number")
        known = ", ".join(repr(label) for label in labels.values()) or "none; run.label({3: 'war'}) gives one"
        raise Error(f"no topic of run {self.number} is labelled {topic!r}; labels are {known}")

    def label(self, labels: Mapping[int, Optional[str]]) -> Run:
        """Names topics, all or none of them; None takes a label away. Two topics of one label are remarked on.

        Raises:
            Error: for a topic that is not there.
        """
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "labels.csv"
            with file.open("w", newline="", encoding="utf-8") as to:
                writer = csv.writer(to)
                writer.writerow(["topic", "label"])
                writer.writerows([self.topic_number(topic), label or ""] for topic, label in labels.items())
            self._program.call("label", self.number, settings={"from_": file, "output": "json"})
        topics: dict[str, list[str]] = {}
        for topic, label in self.labels.items():
            topics.setdefault(label, []).append(str(topic))
        for label, those in topics.items():
            if len(those) > 1 and label in labels.values():
                said = f"topics {' and '.join(those)} are labelled {label!r}; only their numbers distinguish them"
                warnings.warn(said, Remark, stacklevel=outside())
        return self

    def documents(self, topic: Topic, n: int = 10, where: Optional[str] = None) -> Any:
        """The documents with the largest proportions of a topic."""
        return frames.documents_found(self._documents(topic, n, where, False), self._frames, OF_DOCUMENTS)

    def quotes(self, topic: Topic, n: int = 3, where: Optional[str] = None) -> Any:
        """The same with a passage of each: where the topic's words are closest together."""
        rows = self._documents(topic, n, where, True)
        return frames.documents_found(rows, self._frames, (*OF_DOCUMENTS, "passage"))

    def _documents(self, topic: Topic, n: int, where: Optional[str], passages: bool) -> list[dict[str, Any]]:
        chosen = {"run": self.number, "topic": self.topic_number(topic), "limit": n, "where": where}
        return self._program.rows("documents", self.corpus, settings={**chosen, "passages": passages})

    def similar(self, key: str, n: int = 20) -> Any:
        """The documents most like one, by their topics."""
        rows = self._program.rows("similar", self.number, key, settings={"limit": n})
        return frames.documents_found(rows, self._frames, OF_SIMILAR)

    def effects(self, formula: str, cluster: Union[str, None] = None, **settings: Any) -> Effects:
        """How topics' shares depend on fields: a regression for every topic, of the linear estimates that :meth:`by` has
        too. A regression of :attr:`theta` gives smaller differences.

        Args:
            formula: as R has them, such as ``"~ C(rating, ref='Liberal') * s(date, 6)"``.
            cluster: a field whose documents of one value are not independent, or two of them.
            settings: options of `topoi effects`, such as ``absorb``, ``weights``, ``topics_uncertain=True``.

        Raises:
            Error: for fields that are not there, or that follow from each other.
        """
        return Effects(self, formula, {"cluster": cluster, **settings})

    def by(self, *fields: str, per: Optional[str] = None, **settings: Any) -> Shares:
        """How much of each topic there is in the groups that fields make, or over time. These are linear estimates,
        which differ from means of :attr:`theta`.

        Args:
            per: ``decade``, ``year``, ``quarter``, ``month`` or ``week`` for dates.
            settings: options of `topoi by`, such as ``where="fields->>'year' >= 2020"``, ``weight="tokens"``.
        """
        return Shares(self, fields, {"per": per, **settings})

    def draws(self) -> Any:
        """Draws of the documents' proportions from their posterior, 25 of each, with the fields."""
        return self._exported("draws")

    def shares(self) -> Any:
        """The linear estimates of documents' shares that :meth:`effects` regresses, with their variances."""
        return self._exported("shares")

    def _exported(self, form: str) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            file = self.export(form, Path(folder) / "table.csv", raw=True)
            _name_columns(file)
            if self._frames == "pandas":
                import pandas

                return pandas.read_csv(file)
            if self._frames == "polars":
                import polars

                return polars.read_csv(file, infer_schema_length=None)
            with file.open(newline="", encoding="utf-8") as source:
                return frames.Table([{name: _value(cell) for name, cell in row.items()} for row in csv.DictReader(source)])

    def infer(self, data: Any, text: str = "text", id: Keys = None, **settings: Any) -> Any:
        """What new documents are about, a row each: key, tokens, those that the run does not know, and the
        proportion of every topic.

        Args:
            data, text, id: as :meth:`Corpus.add` has them.
        """
        file = frames.path(data)
        if file is not None:
            given = {"text_field": text if text != "text" else None, "id_field": id, **settings}
            found = self._program.rows("infer", self.number, file, settings=given)
        else:
            documents = frames.documents(data, text, id, None, [], is_first=True)
            lines: Iterator[bytes] = counted(documents.lines, documents.count, "reading")
            settings = {"format": "jsonl", **settings}
            found = self._program.rows("infer", self.number, "-", settings=settings, lines=lines)
        rows = []
        for row in found:
            shares = {entry["topic"]: entry["proportion"] for entry in row["topics"]}
            about = {name: row[name] for name in ("key", "tokens", "unknown_tokens")}
            rows.append({**about, **{f"topic_{topic}": shares.get(topic, 0.0) for topic in range(self.k)}})
        return frames.made(rows, self._frames)

    def update(self, **settings: Any) -> Run:
        """Continues the run with what is new, corrected and deleted in its corpus: a new run, whose topics are the same
        ones under the same numbers. The run itself, if nothing has changed."""
        look = Runs(self._store.path, self.corpus)
        try:
            report = self._program.json("update", self.number, settings=settings, look=look.look)
        finally:
            look.close()
        return Run(self._store, report["run"]) if report.get("run") else self

    def resume(self) -> Run:
        """Continues a run that was interrupted, cancelled or failed, after its last finished stage."""
        return self._followed("resume")

    def wait(self) -> Run:
        """Waits until a run that works elsewhere is over, and reads it again: its status says how it ended."""
        try:
            return self._followed("watch")
        except Error:
            ended = Run(self._store, self.number)
            if ended.status in WORKING:
                raise
            return ended

    def cancel(self) -> Run:
        """Stops a run that works elsewhere; :meth:`resume` continues it."""
        return self._followed("cancel")

    def _followed(self, command: str) -> Run:
        look = Runs(self._store.path, self.corpus)
        try:
            self._program.json(command, self.number, look=look.look)
        finally:
            look.close()
        return Run(self._store, self.number)

    def plot(self, **settings: Any) -> Figure:
        """The shares of all topics; with ``correlations=True`` the graph of topics, with other options of `topoi plot`
        what they draw."""
        return Figure(self._program, self.number, settings)

    def export(self, to: str, path: Union[str, Path], force: bool = False, raw: bool = False, **settings: Any) -> Path:
        """Writes the run for other tools.

        Args:
            to: the format, such as ``html``, ``csv``, ``ldavis``, ``documents-csv``.
            path: the file or folder.
            force: replaces what is there.
            raw: leaves cells as they are that a spreadsheet would run as formulas.
        """
        given = {"to": to, "into": path, "force": force, "raw": raw, "output": "json", **settings}
        self._program.call("export", self.number, settings=given)
        return Path(path)

    def verify(self) -> Any:
        """Recomputes the run, and says whether corpus, vocabulary and result are the same to the bit."""
        return frames.made(self._program.rows("verify", self.number), self._frames)

    def methods(self) -> str:
        """The paragraph of a paper that says how the run was made, with what to cite."""
        return self._store.methods(self)

    def script(self, path: Union[str, Path, None] = None) -> str:
        """The shell script that makes the run again; written to `path`, where that is given."""
        return self._store.script(path, self)

    def delete(self) -> None:
        """Deletes the run. It cannot be undone."""
        self._program.json("delete", self.number, settings={"kind": "run", "yes": True})

    def _title(self) -> str:
        npmi = self.metrics.get("npmi")
        coherence = "" if npmi is None else f", NPMI {npmi:.3f}"
        return f"run {self.number} of {self.corpus}: {self.model}, {self.k} topics, seed {self.seed}{coherence}"

    def __repr__(self) -> str:
        if self.status != "finished":
            return f"<{self._title()}: {self.status}>"
        rows = [
            {"topic": row["topic"], "of tokens": f"{row['token_share']:.1%}", "label": row["label"], "words": row["words"]}
            for row in self._topics(WORDS, "probability")
        ]
        table = frames.Table(rows, [name for name in rows[0] if name != "label" or any(row["label"] for row in rows)])
        return "\n".join([f"<{self._title()}>", repr(table), *(f"warning: {text}" for text in self.warnings)])

    def _repr_html_(self) -> str:
        if self.status != "finished":
            return f"<p>{_html.escaped(self._title())}: {_html.escaped(self.status)}</p>"
        rows = self._topics(WORDS, "probability")
        cells = [[row["topic"], f"{row['token_share']:.1%}", row["label"], row["words"]] for row in rows]
        columns = ["topic", "of tokens", "label", "words"]
        return _html.table(columns, cells, 0, self._title(), [f"warning: {text}" for text in self.warnings])


def _name_columns(file: Path) -> None:
    """Keys are in a column ``key``, as everywhere here; a field of the name of another column is called ``…_field``."""
    with file.open(newline="", encoding="utf-8") as source:
        first = source.readline()
        rest = source.read()
    names: list[str] = []
    for name in next(csv.reader([first])):
        name = "key" if name == "document" else name
        names.append(f"{name}_field" if name in names else name)
    with file.open("w", newline="", encoding="utf-8") as to:
        csv.writer(to).writerow(names)
        to.write(rest)


def _value(cell: str) -> Any:
    if cell == "":
        return None
    try:
        return int(cell)
    except ValueError:
        pass
    try:
        return float(cell)
    except ValueError:
        return cell
