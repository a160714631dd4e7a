"""What notebooks show: tables of HTML without scripts."""

from __future__ import annotations

import html
from typing import Any, Optional, Sequence


def escaped(value: Any) -> str:
    """A value as text of HTML."""
    return html.escape(figure(value))


def figure(value: Any) -> str:
    """A value as people read it: numbers with four digits, nothing for what is missing.

    >>> figure(0.123456), figure(12345), figure(None), figure(1.5e-9)
    ('0.1235', '12,345', '', '1.500e-09')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        if value != value:
            return ""
        size = abs(value)
        return f"{value:.3e}" if size and (size < 1e-4 or size >= 1e7) else f"{value:.4g}"
    return str(value)


def table(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], of: int = 0, title: str = "", notes: Sequence[str] = ()
) -> str:
    """A table; `of` is how many rows there are in all."""
    head = "".join(f"<th>{escaped(name)}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(_cell(value) for value in row)}</tr>" for row in rows)
    below = [*notes, *([f"the first {len(rows):,} of {of:,} rows"] if of > len(rows) else [])]
    above = f"<p><b>{escaped(title)}</b></p>" if title else ""
    said = "".join(f"<p><small>{escaped(note)}</small></p>" for note in below)
    return f"<div>{above}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{said}</div>"


def _cell(value: Any) -> str:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    style = ' style="text-align:right"' if is_number else ' style="text-align:left"'
    return f"<td{style}>{escaped(value)}</td>"


def bar(share: Optional[float], said: Optional[str] = None) -> str:
    """A bar of progress; the text alone where the share is not known."""
    if share is None:
        return f"<div>{escaped(said)}</div>"
    percent = max(0.0, min(1.0, share))
    return f'<div><progress value="{percent:.3f}" max="1"></progress> {percent:.0%} {escaped(said)}</div>'
