"""How topics depend on fields of the documents."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

from . import _html, frames
from .errors import Error
from .figure import Figure

if TYPE_CHECKING:
    from .run import Run

#: A topic by its number or its label.
Topic = Union[int, str]
#: Lines that notebooks show.
SHOWN = 60
#: What of an estimate is read first.
FIRST = ("topic", "name", "term", "at", "estimate", "error", "low", "high", "p")
#: The columns of shares in groups, beside the groups.
OF_SHARES = (
    *("topic", "name", "documents", "share", "low", "high"),
    *("difference", "difference_low", "difference_high", "spread"),
)


class Effects:
    """A regression of every topic's share on fields of the documents (`topoi effects`).

    Estimates are differences of shares, from 0 to 1; errors are robust to documents that vary differently, or to
    clusters of them. What is estimated are linear estimates of shares, as in :meth:`Run.by`: a regression of
    :attr:`Run.theta` gives smaller differences. Nothing is kept between calls: every table is made by the program, from
    the same seed.
    """

    def __init__(self, run: Run, formula: str, settings: dict[str, Any]) -> None:
        self._run, self.formula, self._settings = run, formula, settings
        self._report = self._asked({})
        #: What to know of these estimates, such as documents left out.
        self.notes: list[str] = self._report["notes"]
        #: What categories are compared with.
        self.references: dict[str, str] = {each["field"]: each["value"] for each in self._report["references"]}

    def _asked(self, more: dict[str, Any]) -> Any:
        return self._run._program.json("effects", self._run.number, self.formula, settings={**self._settings, **more})

    def _table(self, more: dict[str, Any], topic: Optional[Topic], adjust: str) -> Any:
        if topic is not None:
            more["topic"] = self._run.topic_number(topic)
        report = self._asked({**more, "adjust": adjust})
        return frames.made(report["estimates"], self._run._frames, first=FIRST)

    def summary(self, topic: Optional[Topic] = None, adjust: str = "none") -> Any:
        """The coefficients of a topic, or of all. Columns: ``topic``, ``name``, ``term``, ``estimate``, its ``error``,
        95% interval ``low`` to ``high`` and ``p``, the ``degrees`` of freedom, the ``documents`` that have the term, how
        many the error ``rests_on``, and the ``spread`` it is made from.

        Args:
            adjust: ``holm`` or ``bh`` corrects p-values for as many tests as there are topics.
        """
        return self._table({}, topic, adjust)

    def contrast(
        self,
        values: Optional[Mapping[str, Sequence[Any]]] = None,
        /,
        topic: Optional[Topic] = None,
        adjust: str = "none",
        at: Optional[Mapping[str, Any]] = None,
        **fields: Sequence[Any],
    ) -> Any:
        """The difference of the shares predicted at the first of these values of a field and at each other.

        Args:
            values: the field and its values, such as ``{"topic": ["tech", "sport"]}``, where its name is that of an
                argument.
            at: fields that are held at values, such as ``{"year": [1990, 2000]}``.
            fields: the field and its values, such as ``rating=["Conservative", "Liberal"]``.

        Raises:
            Error: without a field, or with two.
        """
        if values is not None and not isinstance(values, Mapping):
            raise Error(f"a contrast is of a field; give the topic as topic={values!r}")
        chosen = {**(values or {}), **fields}
        if len(chosen) != 1:
            raise Error("a contrast is of one field and its values, such as rating=['Conservative', 'Liberal']")
        return self._table({"contrast": _at(chosen), "at": _at(at)}, topic, adjust)

    def predict(self, at: Mapping[str, Any], topic: Optional[Topic] = None) -> Any:
        """The shares predicted with fields at these values, all others as the documents have them.

        Args:
            at: values by field, such as ``{"rating": ["Conservative", "Liberal"]}``.

        Raises:
            Error: without a field.
        """
        if not at:
            raise Error("a prediction needs values of a field, such as {'rating': ['Conservative', 'Liberal']}")
        return self._table({"at": _at(at)}, topic, "none")

    def marginal(self, *fields: str, topic: Optional[Topic] = None, adjust: str = "none") -> Any:
        """Average marginal effects: of a number the mean slope, of a category the differences from its reference.

        Raises:
            Error: without a field.
        """
        if not fields:
            raise Error("marginal effects are of a field; name one, such as marginal('rating')")
        return self._table({"marginal": ",".join(fields)}, topic, adjust)

    def tests(self) -> Any:
        """For every topic and term of the formula, the test that all of its coefficients are 0."""
        return frames.made(self._report["tests"], self._run._frames, first=FIRST)

    def draws(self) -> Any:
        """Draws of the documents' proportions from their posterior, 25 of each, with all fields: for
        regressions elsewhere whose estimates are then combined (multiple imputation, the method of composition)."""
        return self._run.draws()

    def plot(self, topic: Topic, along: Optional[str] = None, by: Optional[str] = None, **settings: Any) -> Figure:
        """The coefficients of a topic with their intervals, or its share predicted along a field.

        Args:
            along: the field to draw along.
            by: a line for each value of this field.
        """
        drawn = {**self._settings, "effects": self.formula, "topic": self._run.topic_number(topic)}
        return Figure(self._run._program, self._run.number, {**drawn, "along": along, "by": by, **settings})

    def latex(self, topic: Optional[Topic] = None) -> str:
        """The coefficients as a table for LaTeX."""
        more = {"latex": True, "topic": None if topic is None else self._run.topic_number(topic)}
        program = self._run._program
        return program.call("effects", self._run.number, self.formula, settings={**self._settings, **more})

    def save(self, name: str) -> None:
        """Keeps the table in the store under this name, with its command."""
        self._asked({"save": name})

    def __repr__(self) -> str:
        return f"<effects of {self.formula} on the topics of run {self._run.number}>\n{frames.Table(self._rows())!r}"

    def _rows(self) -> list[dict[str, Any]]:
        shown = ("topic", "name", "term", "estimate", "error", "low", "high", "p", "documents")
        return [{name: row.get(name) for name in shown} for row in self._report["estimates"]]

    def _repr_html_(self) -> str:
        rows = self._rows()
        cells = [list(row.values()) for row in rows[:SHOWN]]
        return _html.table(list(rows[0]) if rows else [], cells, len(rows), self.formula, self.notes)


def _assigned(name: str, values: Any) -> str:
    if isinstance(values, (list, tuple)):
        return f"{name}={','.join(str(value) for value in values)}"
    return f"{name}={values}"


def _at(at: Optional[Mapping[str, Any]]) -> list[str]:
    return [_assigned(name, values) for name, values in (at or {}).items()]


class Shares:
    """How much of each topic there is in groups of documents, or over time (`topoi by`): means with 95% intervals."""

    def __init__(self, run: Run, fields: Sequence[str], settings: dict[str, Any]) -> None:
        self._run, self.fields, self._settings = run, list(fields), settings
        several = {"by": ",".join(fields)} if len(fields) > 1 else {}
        words: list[Union[int, str]] = [run.number, *([] if several else fields)]
        options = {**settings, **several}
        self._report = run._program.json("by", *words, settings=options)
        #: The columns of groups: the fields, ``topic_field`` for a field called ``topic``.
        self._groups = [f"{field}_field" if field in OF_SHARES else field for field in fields]
        if self._groups != self.fields:
            # JSON has one value of a name, the topic's number; CSV has the group's before it.
            lines = run._program.call("by", *words, settings={**options, "output": "csv", "raw": True})
            groups = list(csv.reader(io.StringIO(lines)))[1:]
            self._report["shares"] = [
                {**row, **dict(zip(self._groups, group))} for row, group in zip(self._report["shares"], groups)
            ]
        #: What to know of these shares, such as documents without a value.
        self.notes: list[str] = self._report["notes"]

    @property
    def table(self) -> Any:
        """A row for every group and topic. Columns: the fields that make the groups (``topic_field`` for a field that
        is called ``topic`` or as another of these columns), ``topic``, ``name``, ``documents``, ``share`` with its 95%
        interval ``low`` and ``high``, ``difference`` from all other documents with ``difference_low`` and
        ``difference_high``, ``spread`` (``own`` variance of the group, or ``pooled`` over all).

        Shares are linear estimates, unbiased given the topics; means of :attr:`Run.theta` are drawn towards the mean of
        all documents, and differ from them.
        """
        return self._table(self._report["shares"])

    def _table(self, rows: Sequence[Mapping[str, Any]]) -> Any:
        return frames.made(rows, self._run._frames, first=[*self._groups, *OF_SHARES])

    def topic(self, topic: Topic) -> Any:
        """The rows of a topic."""
        number = self._run.topic_number(topic)
        return self._table([row for row in self._report["shares"] if row["topic"] == number])

    def plot(self, topic: Optional[Topic] = None, **settings: Any) -> Figure:
        """A topic in the groups, or all of them; over time as lines with their bands."""
        number = None if topic is None else self._run.topic_number(topic)
        kept = {name: value for name, value in self._settings.items() if name != "topic"}
        drawn = {**kept, "by": ",".join(self.fields), "topic": number, **settings}
        return Figure(self._run._program, self._run.number, drawn)

    def __repr__(self) -> str:
        rows = [{name: row.get(name) for name in self._columns()} for row in self._report["shares"]]
        return f"<shares of topics by {', '.join(self.fields)}>\n{frames.Table(rows)!r}"

    def _columns(self) -> list[str]:
        return [*self._groups, "topic", "name", "documents", "share", "low", "high"]

    def _repr_html_(self) -> str:
        rows, names = self._report["shares"], self._columns()
        cells = [[row.get(name) for name in names] for row in rows[:SHOWN]]
        title = f"Shares of topics by {', '.join(self.fields)}"
        return _html.table(names, cells, len(rows), title, self.notes)
