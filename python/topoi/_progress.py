"""Progress of a command, on a terminal or in a notebook."""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any, Iterable, Iterator, Optional
from urllib.parse import quote

from . import _html

#: Seconds before the first line is shown.
PATIENCE = 1.0
#: Seconds between two.
INTERVAL = 0.25


class Bar:
    """A line that is written anew; nothing where nobody looks, or ``TOPOI_QUIET`` is set."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._shown_at = 0.0
        self._handle = _notebook()
        self._is_open = False

    def show(self, share: Optional[float], said: str) -> None:
        """Shows how far it is (0 to 1; None if that is not known), at most four times a second."""
        now = time.monotonic()
        is_early = now - self._begun < PATIENCE or now - self._shown_at < INTERVAL
        if is_early or os.environ.get("TOPOI_QUIET"):
            return
        self._shown_at = now
        if self._handle is not None:
            self._handle.show(_html.bar(share, said))
        elif sys.stderr.isatty():
            percent = "" if share is None else f" {share:4.0%}"
            sys.stderr.write(f"\r\x1b[K{said[:70]}{percent}")
            sys.stderr.flush()
        self._is_open = True

    def close(self) -> None:
        """Takes the line away."""
        if not self._is_open:
            return
        if self._handle is not None:
            self._handle.show("")
        elif sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


class _Notebook:
    """A place in a notebook's cell."""

    def __init__(self, display: Any, kind: Any) -> None:
        self._display, self._kind, self._handle = display, kind, None

    def show(self, html: str) -> None:
        if self._handle is None:
            self._handle = self._display(self._kind(html), display_id=True)
        else:
            self._handle.update(self._kind(html))


def _notebook() -> Optional[_Notebook]:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import HTML, display

    return _Notebook(display, HTML)


class Working:
    """How long a command has worked whose progress is not known, or has waited for the store."""

    def __init__(self, title: str) -> None:
        self._title, self._bar, self._begun = title, Bar(), time.monotonic()

    def look(self) -> None:
        """Shows the seconds."""
        self._bar.show(None, f"{self._title}: {_time(time.monotonic() - self._begun)}")

    def close(self) -> None:
        """Takes the line away."""
        self._bar.close()


class Runs:
    """The progress of the runs that a command works on."""

    def __init__(self, store: Path, title: str) -> None:
        self._store, self._title, self._bar = store, title, Bar()
        self._since, self._begun = time.time(), time.monotonic()

    def look(self) -> None:
        """Shows where the run is that is worked on now."""
        rows = self._rows()
        if not rows:
            self._bar.show(None, f"{self._title}: {_time(time.monotonic() - self._begun)}")
        for run, stage, share, left in rows:
            rest = "" if left is None else f", {_time(left)} left"
            self._bar.show(share, f"{self._title}: run {run}, {stage}{rest}")

    def close(self) -> None:
        """Takes the line away."""
        self._bar.close()

    def _rows(self) -> list[tuple[int, str, Optional[float], Optional[float]]]:
        uri = f"file:{quote(str(self._store.resolve()))}?mode=ro"
        sql = (
            "SELECT run_id, stage, share, seconds_left FROM run_progress JOIN run ON run.id = run_id "
            "WHERE status = 'running' AND updated_at >= ? ORDER BY updated_at DESC LIMIT 1"
        )
        try:
            connection = sqlite3.connect(uri, uri=True, timeout=0.1)
        except sqlite3.Error:
            return []
        try:
            return connection.execute(sql, (self._since,)).fetchall()
        except sqlite3.Error:
            # The store is being made, or busy: the next look will do.
            return []
        finally:
            connection.close()


def counted(lines: Iterable[bytes], count: int, title: str) -> Iterator[bytes]:
    """The same lines, with a bar of how many have been taken."""
    bar = Bar()
    try:
        for at, line in enumerate(lines):
            if at % 100 == 0:
                bar.show(at / max(count, 1), f"{title}: {at:,} of {count:,} documents")
            yield line
    finally:
        bar.close()


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
