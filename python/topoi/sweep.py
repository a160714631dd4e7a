"""Runs of several numbers of topics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict

from . import _html, frames
from .errors import counterparts
from .figure import Figure

if TYPE_CHECKING:
    from .corpus import Corpus
    from .run import Run

#: The metrics that are shown of every run.
SHOWN = ("npmi", "topic_diversity", "held_out_log_probability", "relative_approximation")


class Bounds(Dict[str, Any]):
    """Bounds on the number of topics, before any model is run; a dict of what the program found, `topoi bounds`."""

    @property
    def sentence(self) -> str:
        """The bounds in a sentence."""
        lower, upper = self["lower"], self["upper"]
        least = f"at least {lower:,} {'topic' if lower == 1 else 'topics'} (probability {self['lower_probability']:.2g})"
        most = "no upper bound" if upper is None else f"at most {upper:,} (probability {self['upper_probability']:.2g})"
        return f"{least}, {most}; they hold for {self['holds_for']}, and are a hint for real texts"

    def __repr__(self) -> str:
        return f"<bounds on K of {self['corpus']}: {self.sentence}>"


class Sweep:
    """Runs of a corpus with several numbers of topics, and which of them the program recommends."""

    def __init__(self, corpus: Corpus, report: dict[str, Any]) -> None:
        self._corpus, self._report = corpus, report
        recommended = report.get("recommendation") or {}
        #: The number of topics that is recommended; None where no run is better than the others.
        self.k: int | None = recommended.get("k")
        #: Why.
        self.reasons: list[str] = recommended.get("reasons", [])
        #: The recommendation in a sentence.
        self.sentence: str = recommended.get("sentence", "")

    if not TYPE_CHECKING:
        __getattr__ = counterparts("a sweep", {"best_k": "k", "best_run": "best", "metrics": "table"})

    @property
    def table(self) -> Any:
        """A row a run: number, K, seed, seconds, metrics."""
        return frames.made(self._rows(all_metrics=True), self._corpus._frames)

    @property
    def runs(self) -> list[Run]:
        """The runs, by K."""
        return [self._corpus._store.run(row["run"]) for row in self._report["runs"]]

    @property
    def best(self) -> Run | None:
        """The recommended run."""
        recommended = self._report.get("recommendation") or {}
        return self._corpus._store.run(recommended["run"]) if recommended.get("run") else None

    def plot(self, metric: str = "npmi") -> Figure:
        """A metric by the number of topics."""
        return Figure(self._corpus._program, self._report["runs"][0]["run"], {"by_k": metric})

    def _rows(self, all_metrics: bool) -> list[dict[str, Any]]:
        rows = []
        for run in self._report["runs"]:
            metrics = run["metrics"]
            shown = sorted(metrics) if all_metrics else [name for name in SHOWN if name in metrics]
            row = {name: run[name] for name in (("run", "k", "seed", "seconds") if all_metrics else ("run", "k"))}
            rows.append({**row, **{name: metrics[name] for name in shown}})
        return rows

    def __repr__(self) -> str:
        return f"<sweep of {self._corpus.name}>\n{frames.Table(self._rows(False))!r}\n{self.sentence}"

    def _repr_html_(self) -> str:
        rows = self._rows(False)
        notes = [self.sentence, *self.reasons] if self.sentence else []
        title = f"Numbers of topics of {self._corpus.name}"
        return _html.table(list(rows[0]) if rows else [], [list(row.values()) for row in rows], 0, title, notes)
