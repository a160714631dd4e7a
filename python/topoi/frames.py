"""Tables in and out: pandas, polars, or rows of plain Python."""

from __future__ import annotations

import datetime
import decimal
import glob
import importlib.util
import json
import math
import numbers
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator, Mapping, Optional, Sequence, Union, overload

from . import _html
from .errors import Error

#: What names documents: a column or index, or the keys themselves.
Keys = Union[str, Sequence[Any], None]
#: Names of the libraries that tables can be of; ``rows`` is :class:`Table`, which needs none.
LIBRARIES = ("pandas", "polars", "rows")
#: Rows that a :class:`Table` shows.
SHOWN = 20


class Table(Sequence[Mapping[str, Any]]):
    """Rows of named values, where neither pandas nor polars is there.

    >>> table = Table([{"word": "war", "share": 0.25}, {"word": "peace", "share": 0.5}])
    >>> table.columns
    ['word', 'share']
    >>> table[1]["word"], len(table), table.column("share")
    ('peace', 2, [0.25, 0.5])
    """

    def __init__(self, rows: Sequence[Mapping[str, Any]], columns: Optional[Sequence[str]] = None) -> None:
        self._rows = list(rows)
        #: The names of all columns.
        self.columns: list[str] = list(columns) if columns is not None else _names(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Mapping[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> Table: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Mapping[str, Any], Table]:
        if isinstance(index, slice):
            return Table(self._rows[index], self.columns)
        return self._rows[index]

    def column(self, name: str) -> list[Any]:
        """The values of a column, None where a row has none."""
        if name not in self.columns:
            raise Error(f"there is no column {name!r}; there are {', '.join(self.columns)}")
        return [row.get(name) for row in self._rows]

    def __repr__(self) -> str:
        cells = [self.columns, *([_html.figure(row.get(name)) for name in self.columns] for row in self._rows[:SHOWN])]
        widths = [max(len(line[at]) for line in cells) for at in range(len(self.columns))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in cells]
        if len(self) > SHOWN:
            lines.append(f"… {len(self):,} rows")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        shown = [[row.get(name) for name in self.columns] for row in self._rows[:SHOWN]]
        return _html.table(self.columns, shown, of=len(self))


def library(name: Optional[str] = None) -> str:
    """The library that tables are of: the one named, else pandas, else polars, whichever is installed; where only
    polars has been imported, polars.

    Raises:
        Error: for another name, or a library that is not installed.
    """
    if name is not None:
        if name not in LIBRARIES:
            raise Error(f"frames is {name!r}, but must be one of {', '.join(LIBRARIES)}")
        if name != "rows" and importlib.util.find_spec(name) is None:
            raise Error(f"{name} is not installed; pip install {name}, or leave frames out")
        return name
    if "polars" in sys.modules and "pandas" not in sys.modules:
        return "polars"
    for each in ("pandas", "polars"):
        if importlib.util.find_spec(each) is not None:
            return each
    return "rows"


def made(
    rows: Sequence[Mapping[str, Any]], of: str, columns: Optional[Sequence[str]] = None, first: Sequence[str] = ()
) -> Any:
    """A table of these rows: of these columns, or of all, with `first` before the others; without rows it has the
    columns of `first`, so that what reads them goes through."""
    names = list(columns) if columns is not None else _names(rows) or list(first)
    names = [*(name for name in first if name in names), *(name for name in names if name not in first)]
    if of == "pandas":
        import pandas

        return pandas.DataFrame(list(rows), columns=names)
    if of == "polars":
        import polars

        data = {name: [row.get(name) for row in rows] for name in names}
        return polars.DataFrame(data, strict=False)
    return Table(rows, names)


def documents_found(rows: Sequence[Mapping[str, Any]], of: str, first: Sequence[str]) -> Any:
    """A table of documents, which are known by their keys; ids are numbers inside of the store."""
    return passages(made([{name: value for name, value in row.items() if name != "id"} for row in rows], of, first=first))


def passages(table: Any) -> Any:
    """A table whose texts a notebook shows whole: pandas cuts them after 50 characters."""
    if "pandas" not in sys.modules or not hasattr(table, "iloc"):
        return table
    import pandas

    class Passages(pandas.DataFrame):
        """A table of passages."""

        @property
        def _constructor(self) -> Any:
            return pandas.DataFrame

        def _repr_html_(self) -> Any:
            with pandas.option_context("display.max_colwidth", None):
                return super()._repr_html_()

    return Passages(table)


def _names(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    names: dict[str, None] = {}
    for row in rows:
        names.update(dict.fromkeys(row))
    return list(names)


def matrix(values: Any, rows: Sequence[Any], columns: Sequence[Any], of: str, axis: str) -> Any:
    """A table of a matrix, with ``to_numpy`` and ``to_scipy``: of pandas with the rows' names as index, of polars
    with a first column of them called `axis`.

    Raises:
        Error: without pandas and polars.
    """
    if of == "pandas":
        import pandas

        class Matrix(pandas.DataFrame):
            """A matrix with names."""

            @property
            def _constructor(self) -> Any:
                return pandas.DataFrame

            def to_scipy(self) -> Any:
                """The matrix as scipy's compressed sparse rows."""
                return _sparse(self.to_numpy())

        return Matrix(values, index=pandas.Index(rows, name=axis), columns=list(columns), copy=False)
    if of == "polars":
        import polars

        class NamedMatrix(polars.DataFrame):
            """A matrix with names."""

            def to_numpy(self, **_: Any) -> Any:
                """The numbers, without the names of the rows."""
                return values

            def to_scipy(self) -> Any:
                """The matrix as scipy's compressed sparse rows."""
                return _sparse(values)

        series = [polars.Series(axis, rows)]
        series += [polars.Series(str(name), values[:, at]) for at, name in enumerate(columns)]
        return NamedMatrix(series)
    raise Error("this is a table of pandas or polars; pip install pandas, or polars, with numpy")


def _sparse(values: Any) -> Any:
    try:
        from scipy import sparse
    except ImportError:
        raise Error("to_scipy needs scipy; pip install scipy") from None
    return sparse.csr_matrix(values)


@dataclass(frozen=True)
class Column:
    """A column that is read."""

    name: str
    #: The kind of field its type says: ``category``, ``number`` or ``date``; ``string`` for text that may be any.
    kind: str
    values: Sequence[Any]


@dataclass(frozen=True)
class Frame:
    """A table that is read."""

    columns: Sequence[Column]
    #: What names the rows, where the table has such a thing, and what that is called.
    index: Optional[Sequence[Any]]
    index_name: Optional[str]
    #: Whether the index names documents, and does not only count rows: it has a name, or texts.
    has_keys: bool
    #: How the user leaves rows out in which a column is missing.
    without: str

    def __len__(self) -> int:
        return len(self.columns[0].values) if self.columns else 0

    def column(self, name: str) -> Column:
        """
        Raises:
            Error: if there is none of this name.
        """
        for column in self.columns:
            if column.name == name:
                return column
        names = ", ".join(column.name for column in self.columns)
        raise Error(f"the table has no column {name!r}; it has {names or 'none'}")


def frame(data: Any) -> Frame:
    """What `data` holds: a table of pandas or polars, a list of dicts or of texts, a dict of lists.

    Raises:
        Error: for anything else.
    """
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    if pandas is not None and isinstance(data, pandas.DataFrame):
        return _of_pandas(pandas, data)
    if pandas is not None and isinstance(data, pandas.Series):
        return _of_pandas(pandas, data.to_frame("text"))
    if polars is not None and isinstance(data, polars.LazyFrame):
        data = data.collect()
    if polars is not None and isinstance(data, polars.DataFrame):
        return _of_polars(polars, data)
    if isinstance(data, Table):
        data = list(data)
    if isinstance(data, Mapping):
        columns = [_of_values(str(name), list(values)) for name, values in data.items()]
        if len({len(column.values) for column in columns}) > 1:
            lengths = ", ".join(f"{column.name} {len(column.values)}" for column in columns)
            raise Error(f"the columns differ in length: {lengths}; give each as many values")
        return _frame(columns, "leave those rows out")
    if not isinstance(data, (list, tuple)) and callable(getattr(data, "__len__", None)):
        # An array of NumPy, an index of pandas, a series of polars.
        plain = getattr(data, "tolist", None) or getattr(data, "to_list", None)
        data = plain() if callable(plain) and getattr(data, "ndim", 1) == 1 else data
    if isinstance(data, (list, tuple)):
        if all(isinstance(each, str) or _is_missing(each) for each in data):
            return _frame([_of_values("text", data)], "leave those texts out")
        if all(isinstance(each, Mapping) for each in data):
            names = _names(data)
            columns = [_of_values(name, [row.get(name) for row in data]) for name in names]
            return _frame(columns, "leave those rows out")
    kind = f"{type(data).__module__}.{type(data).__qualname__}"
    raise Error(f"documents are a DataFrame of pandas or polars, a list of dicts or texts, or files, and no {kind}")


def _frame(columns: Sequence[Column], without: str) -> Frame:
    return Frame(columns, None, None, False, without)


def _of_pandas(pandas: Any, data: Any) -> Frame:
    types = pandas.api.types
    columns = []
    for at, name in enumerate(data.columns):
        series = data.iloc[:, at]
        dtype = series.dtype
        values = [None if _is_missing(value) else value for value in series.tolist()]
        if isinstance(dtype, pandas.CategoricalDtype):
            columns.append(Column(str(name), "category", [_plain(value) for value in values]))
        elif types.is_bool_dtype(dtype):
            columns.append(Column(str(name), "category", values))
        elif types.is_datetime64_any_dtype(dtype) or isinstance(dtype, pandas.PeriodDtype):
            columns.append(Column(str(name), "date", _dates(values)))
        elif types.is_numeric_dtype(dtype):
            columns.append(Column(str(name), "number", _numbers(values)))
        else:
            columns.append(_of_values(str(name), values))
    _require_own_names(columns)
    index, name = data.index.tolist(), data.index.name
    # Numbers without a name count the rows of one file, and another file has the same.
    has_keys = name is not None or any(isinstance(key, str) for key in index)
    without = "leave those rows out with df.dropna(subset=[{0!r}])"
    return Frame(columns, index, None if name is None else str(name), has_keys, without)


def _of_polars(polars: Any, data: Any) -> Frame:
    columns = []
    for series in data.get_columns():
        dtype, values = series.dtype, series.to_list()
        if dtype == polars.Boolean or dtype == polars.Categorical or dtype == polars.Enum:
            columns.append(Column(series.name, "category", values))
        elif dtype.is_temporal():
            columns.append(Column(series.name, "date", _dates(values)))
        elif dtype.is_numeric():
            columns.append(Column(series.name, "number", _numbers(values)))
        else:
            columns.append(_of_values(series.name, values))
    return _frame(columns, "leave those rows out with df.drop_nulls({0!r})")


def _require_own_names(columns: Sequence[Column]) -> None:
    names = [column.name for column in columns]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise Error(f"two columns are called {twice!r}; rename one")


def _of_values(name: str, values: Sequence[Any]) -> Column:
    """A column whose kind its values say."""
    known = [value for value in values if not _is_missing(value)]
    if known and all(isinstance(value, bool) for value in known):
        return Column(name, "category", [None if _is_missing(value) else value for value in values])
    if known and all(_is_number(value) for value in known):
        return Column(name, "number", _numbers([None if _is_missing(value) else value for value in values]))
    if known and all(isinstance(value, (datetime.date, datetime.datetime)) for value in known):
        return Column(name, "date", _dates([None if _is_missing(value) else value for value in values]))
    return Column(name, "string", [_plain(value) for value in values])


def _is_number(value: Any) -> bool:
    return isinstance(value, (numbers.Real, decimal.Decimal)) and not isinstance(value, bool)


def _is_missing(value: Any) -> bool:
    """None, NaN, NaT and pandas' NA."""
    if value is None:
        return True
    if isinstance(value, (str, bytes, list, tuple, dict)):
        return False
    if isinstance(value, float):
        return math.isnan(value)
    return type(value).__name__ in ("NAType", "NaTType")


def _numbers(values: Sequence[Any]) -> list[Any]:
    """Whole numbers are written as such where all are: a column of years with a gap is one of floats in pandas."""
    plain = [None if value is None else _number(value) for value in values]
    plain = [None if isinstance(value, float) and not math.isfinite(value) else value for value in plain]
    if all(value is None or float(value).is_integer() for value in plain):
        return [None if value is None else int(value) for value in plain]
    return plain


def _number(value: Any) -> Union[int, float]:
    return int(value) if isinstance(value, numbers.Integral) else float(value)


def _dates(values: Sequence[Any]) -> list[Optional[str]]:
    """As ISO 8601, without a time where all are at midnight."""
    written = [None if _is_missing(value) else _date(value) for value in values]
    if all(value is None or value.endswith("T00:00:00") for value in written):
        return [None if value is None else value[: -len("T00:00:00")] for value in written]
    return written


def _date(value: Any) -> str:
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    if isinstance(value, datetime.date):
        return value.isoformat() + "T00:00:00"
    # A period of pandas: its first day.
    start = getattr(value, "start_time", None)
    return _date(start) if start is not None else str(value)


def _plain(value: Any) -> Any:
    """A value that JSON has."""
    if _is_missing(value):
        return None
    if isinstance(value, (str, bool, int, float)):
        return value if not isinstance(value, float) or math.isfinite(value) else None
    if isinstance(value, (list, tuple, set)):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, bytes):
        raise Error(f"{value[:20]!r} is bytes and no text; decode it, such as with .decode('utf-8')")
    item = getattr(value, "item", None)
    return _plain(item()) if callable(item) else str(value)


@dataclass(frozen=True)
class Documents:
    """Rows of a table as documents."""

    count: int
    #: A JSON object a document.
    lines: Iterator[bytes]
    #: The kinds that fields have by the table's types.
    kinds: Mapping[str, str]


#: Keys that a document has beside its fields.
OWN = ("id", "text", "title", "counts", "tokens")


def documents(
    data: Any,
    text: Optional[str],
    id: Keys,
    title: Optional[str],
    fields: Optional[Sequence[str]],
    counts: Optional[Sequence[Mapping[str, int]]] = None,
    is_first: bool = True,
) -> Documents:
    """The documents of a table, looked at before the first is written.

    Args:
        text: the column of the texts; None with `counts`.
        id: the column or index of the documents' keys, or the keys; None for a column ``id``, else the table's index or
            the rows' numbers.
        title: the column of titles; None for a column ``title``, if there is one.
        fields: the columns to keep as fields; None for all others.
        is_first: whether the corpus has no documents: rows without keys of their own would be taken for those of an
            earlier table.

    Raises:
        Error: for columns that are not there, missing texts or keys, keys that two rows have.
    """
    table = frame(data)
    names = [column.name for column in table.columns]
    own: dict[str, Sequence[Any]] = {}
    if counts is not None:
        own["counts"] = counts
    elif text is not None:
        own["text"] = _texts(table, text)
    id = id if id is not None else ("id" if "id" in names else None)
    title = title if title is not None else ("title" if "title" in names else None)
    own["id"] = _keys(table, id, is_first)
    id = id if isinstance(id, str) else None
    if title is not None:
        own["title"] = [None if value is None else str(value) for value in table.column(title).values]
    used = {text, id, title}
    kept = [table.column(name) for name in fields] if fields is not None else list(table.columns)
    kept = [column for column in kept if column.name not in used]
    clash = next((column.name for column in kept if column.name in own or column.name in ("counts", "text")), None)
    if clash is not None:
        raise Error(f"a field cannot be called {clash!r}, as documents have one of their own; rename the column")
    columns = [*own.items(), *((column.name, column.values) for column in kept)]
    labels = [name for name, _ in columns]

    def lines() -> Iterator[bytes]:
        for row in zip(*(values for _, values in columns)):
            document = {name: value for name, value in zip(labels, row) if value is not None}
            yield _line(document)

    return Documents(len(own["id"]), lines(), {column.name: column.kind for column in kept})


def _line(document: Mapping[str, Any]) -> bytes:
    try:
        return (json.dumps(document, ensure_ascii=False) + "\n").encode()
    except UnicodeEncodeError:
        # Half of a character: the program says what becomes of it.
        return (json.dumps(document) + "\n").encode()


def _texts(table: Frame, name: str) -> Sequence[Any]:
    values = table.column(name).values
    missing = [at for at, value in enumerate(values) if value is None]
    if missing:
        what = "1 text is missing" if len(missing) == 1 else f"{len(missing):,} texts are missing"
        remedy = table.without.format(name)
        raise Error(f"{what} in column {name!r}, the first in row {missing[0]}; {remedy}, or put '' there")
    other = next((at for at, value in enumerate(values) if not isinstance(value, str)), None)
    if other is not None:
        what, said = values[other], shortened(repr(values[other]))
        remedy = "counts of words are added with add_counts" if isinstance(what, dict) else "name the column of texts"
        raise Error(f"column {name!r} has {said} in row {other}, which is no text; {remedy}")
    return values


def _keys(table: Frame, given: Keys, is_first: bool) -> Sequence[str]:
    values, where = _named_keys(table, given, is_first)
    missing = next((at for at, value in enumerate(values) if _is_missing(value) or value == ""), None)
    if missing is not None:
        remedy = table.without.format(given) if isinstance(given, str) else "give it one"
        raise Error(f"row {missing} has no key in {where}; {remedy}")
    keys = [str(value) for value in values]
    seen: dict[str, int] = {}
    for at, key in enumerate(keys):
        if key in seen:
            remedy = "make keys unique, or leave one row out"
            raise Error(f"rows {seen[key]} and {at} have the same key {key!r} in {where}; {remedy}")
        seen[key] = at
    return keys


def _named_keys(table: Frame, given: Keys, is_first: bool) -> tuple[Sequence[Any], str]:
    """The keys, and where they are."""
    if isinstance(given, str):
        if given == table.index_name and table.index is not None:
            return table.index, f"index {given!r}"
        return table.column(given).values, f"column {given!r}"
    if given is not None:
        values = list(given)
        if len(values) != len(table):
            raise Error(f"id= has {len(values):,} keys and the table {len(table):,} rows; give one for each")
        return values, "id="
    if not is_first and not table.has_keys:
        raise Error(
            "the corpus has documents already, and rows without keys cannot be matched with them; "
            "name the column of keys with id=, or give a list of keys"
        )
    return (table.index, "the table's index") if table.index is not None else (range(len(table)), "the rows")


def shortened(text: str) -> str:
    """The beginning of a long text."""
    return text if len(text) <= 60 else text[:59] + "…"


def path(data: Any) -> Optional[str]:
    """The file, folder or pattern that `data` names; None if it is no path.

    Raises:
        Error: for a string that names nothing, such as a text.
    """
    if not isinstance(data, (str, Path)):
        return None
    file = os.path.expanduser(data)
    if not os.path.exists(file) and "{" not in file and not glob.glob(file, recursive=True):
        remedy = "" if isinstance(data, Path) else "; a string names a file, folder or pattern: for one text give a list, [text]"
        raise Error(f"{shortened(file)}: no such file{remedy}")
    return file
