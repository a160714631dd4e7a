"""Figures of the program, as notebooks show and papers print them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from ._program import Program
from .errors import counterparts


class Figure:
    """A figure as SVG, which notebooks show; light or dark as the page is."""

    def __init__(self, program: Program, run: int, settings: dict[str, Any]) -> None:
        self._program, self._run, self._settings = program, run, settings
        #: The figure as SVG.
        self.svg: str = program.call("plot", run, settings={**settings, "into": "-"})

    if not TYPE_CHECKING:
        saved = dict.fromkeys(("savefig", "write_image", "write_html"), "save(path)")
        __getattr__ = counterparts("a figure", {"show": "the last line of a cell, which shows it", **saved})

    def save(self, path: Union[str, Path], force: bool = False) -> Path:
        """Writes it as SVG, PDF or PNG, by the ending of `path`; a file that is there is replaced with `force` alone.

        Raises:
            Error: for another ending, or a file that is there.
        """
        self._program.call("plot", self._run, settings={**self._settings, "into": path, "force": force})
        return Path(path)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"image/svg+xml": self.svg, "text/plain": repr(self)}

    def __repr__(self) -> str:
        start, end = self.svg.find("<title>"), self.svg.find("</title>")
        return f"<figure: {self.svg[start + 7 : end]}>" if 0 <= start < end else "<figure>"
