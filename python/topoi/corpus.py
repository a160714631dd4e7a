"""A corpus: documents, their fields and words, and the runs on it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, Optional, Sequence, Union

from . import _html, frames, models
from ._program import outside
from ._progress import Runs, counted
from .errors import Error, Remark
from .frames import Keys
from .run import OF_SIMILAR, Run
from .sweep import Bounds, Sweep

if TYPE_CHECKING:
    from .store import Store

#: Columns of documents, of places in them, and of documents that were not added.
OF_DOCUMENTS = ("key", "title", "tokens", "source")
OF_HITS = ("key", "title", "author", "date", "start", "left", "hit", "right", "source")
OF_LEFT_OUT = ("key", "kind", "reason", "place")


@dataclass(frozen=True)
class Vocabulary:
    """Terms of a corpus that were saved under a name, for :meth:`Corpus.run`."""

    name: str
    terms: int
    #: What is kept and dropped, as the program says it.
    rules: str


class Corpus:
    """The documents of this name in a store. It is made when the first are added."""

    def __init__(self, store: Store, name: str) -> None:
        self._store, self.name = store, name
        self._program, self._frames = store._program, store._frames
        self._last_ingest: Optional[dict[str, Any]] = None

    def add(
        self,
        data: Any,
        text: str = "text",
        id: Keys = None,
        title: Optional[str] = None,
        fields: Optional[Sequence[str]] = None,
        **settings: Any,
    ) -> Corpus:
        """Adds documents: a row of a table is one. A document that is there is skipped, one that has changed replaces
        its old version.

        NaN and None are missing. What a column's type says is the field's kind: numbers, dates, categories (also
        strings that look like numbers). Whole numbers that are all years are dates. Another kind is set with
        ``store.topoi("fields", "posts", set="year=number")``.

        Args:
            data: a DataFrame of pandas or polars, a list of dicts or of texts, a Series or array of texts; or the name of
                a file, folder or pattern, which the program reads itself.
            text: the column of texts.
            id: the column or index of keys, by which a document is known again, or a list of keys; otherwise a column
                ``id``, else an index that has a name or texts, and at first also numbers of rows.
            title: the column of titles; otherwise a column ``title``.
            fields: the columns to keep as fields; otherwise all others.
            settings: options of `topoi ingest`, such as ``language="de"``, ``exactly=True``.

        Raises:
            Error: for columns that are not there, missing texts, keys that two rows have; then nothing is changed.

        >>> corpus = store.corpus("notes").add([{"id": "a", "text": "war and peace"}, {"id": "b", "text": "peace talks"}])
        >>> len(corpus)
        2
        """
        file = frames.path(data)
        if file is not None:
            given: dict[str, Any] = {"text_field": text if text != "text" else None, "id_field": id}
            given.update(title_field=title, fields=",".join(fields) if fields is not None else None)
            settings = {**given, **settings}
            self._report(self._program.json("ingest", self.name, file, settings=settings, remarks=True))
            return self
        self._add(frames.documents(data, text, id, title, fields, is_first=not self._exists()), settings)
        return self

    def add_counts(
        self,
        matrix: Any,
        vocabulary: Sequence[str],
        meta: Any = None,
        id: Keys = None,
        title: Optional[str] = None,
        **settings: Any,
    ) -> Corpus:
        """Adds documents that are counts of words.

        Args:
            matrix: documents by words: a sparse matrix of scipy, an array of NumPy, a DataFrame, a list of lists.
            vocabulary: the words of the columns, as scikit-learn's ``get_feature_names_out()`` has them.
            meta: a table with a row for each document: its fields, and keys.
            id: keys, as in :meth:`add`, of `meta` or as a list.
            title: a column of `meta`.

        Raises:
            Error: for a matrix whose shape is not that of words and documents, with counts that are no whole numbers
                from 0, or with two columns of one word.

        >>> len(store.corpus("counts").add_counts([[2, 0, 1], [0, 3, 0]], ["ship", "sea", "storm"]))
        2
        """
        words = [str(word) for word in vocabulary]
        if len(set(words)) < len(words):
            twice = next(word for at, word in enumerate(words) if word in words[:at])
            raise Error(f"two columns are of the word {twice!r}; add their counts, and give it once")
        counts = _counts(matrix, words)
        table = meta if meta is not None else {"row": list(range(len(counts)))}
        fields: Optional[list[str]] = [] if meta is None else None
        documents = frames.documents(table, None, id, title, fields, counts, is_first=not self._exists())
        if documents.count != len(counts):
            raise Error(f"meta has {documents.count:,} rows and the matrix {len(counts):,}; give one for each document")
        self._add(documents, settings)
        return self

    def _add(self, documents: frames.Documents, settings: dict[str, Any]) -> None:
        if documents.count == 0:
            raise Error("there are no documents in the table; nothing was added")
        lines = counted(documents.lines, documents.count, f"{self.name}: reading")
        settings = {"format": "jsonl", **settings}
        report = self._program.json("ingest", self.name, "-", settings=settings, lines=lines, remarks=True)
        self._set_kinds(documents.kinds)
        self._report(report)

    def _report(self, report: dict[str, Any]) -> None:
        self._last_ingest = counts = report["counts"]
        if counts["left_out"]:
            given = sum(counts[name] for name in ("added", "replaced", "skipped", "left_out"))
            said = f"{self.name}: {counts['left_out']:,} of {given:,} documents were left out; corpus.left_out() says why"
            warnings.warn(said, Remark, stacklevel=outside())

    @property
    def last_ingest(self) -> Optional[dict[str, Any]]:
        """What the last :meth:`add` did: how many documents were ``added``, ``replaced``, ``deleted``, ``skipped`` as they
        were there already, and ``left_out``; None before the first since the corpus was opened."""
        return self._last_ingest

    def _set_kinds(self, kinds: Mapping[str, str]) -> None:
        """Says what fields are where their values look like something else."""
        if not kinds or not self._program.json("corpora"):
            return
        wrong = []
        for field in self._program.rows("fields", self.name):
            kind, given = field["kind"], kinds.get(field["field"])
            if given is None or field["set"]:
                continue
            if given == "string":
                # A code that is written as a string is no number, though it looks like one.
                given = "category" if kind == "number" else kind
            if given != kind and not kind.startswith("date"):
                wrong.append(f"{field['field']}={given}")
        if wrong:
            self._program.json("fields", self.name, settings={"set": wrong})

    def _exists(self) -> bool:
        return self._store.path.exists() and any(row["name"] == self.name for row in self._program.rows("corpora"))

    def __len__(self) -> int:
        """Documents."""
        rows = self._program.rows("corpora") if self._store.path.exists() else []
        return next((int(row["documents"]) for row in rows if row["name"] == self.name), 0)

    @property
    def fields(self) -> Any:
        """A row a field: its kind, documents without a value, different values, the one that others are compared with."""
        first = ("field", "kind", "without", "values", "reference", "documents", "commonest")
        return frames.made(self._program.rows("fields", self.name), self._frames, first=first)

    def documents(self, where: Optional[str] = None, search: Optional[str] = None, n: Optional[int] = None) -> Any:
        """The documents: key, title, tokens, source.

        Args:
            where: a condition of SQL, such as ``"fields->>'year' < 1990"``.
            search: a query, as :meth:`search` takes it.
            n: how many at most.
        """
        settings = {"where": where, "search": search, "limit": n}
        return frames.documents_found(self._program.rows("documents", self.name, settings=settings), self._frames, OF_DOCUMENTS)

    def left_out(self) -> Any:
        """The documents that were not added, and why."""
        return frames.made(self._program.rows("left-out", self.name), self._frames, OF_LEFT_OUT)

    def terms(self, n: Optional[int] = None, **rules: Any) -> Any:
        """The words, most frequent first; with rules such as ``min_documents=5`` what a vocabulary keeps of them."""
        with models.word_files(rules) as given:
            rows = self._program.rows("terms", self.name, settings={"limit": n, **given})
        return frames.made(rows, self._frames, first=("id", "term", "total_count", "document_frequency"))

    def vocabulary(self, name: Optional[str] = None, **rules: Any) -> Vocabulary:
        """Saves terms under a name, for :meth:`run`.

        Args:
            name: otherwise the rules' words.
            rules: ``terms=5000``, ``min_documents=5``, ``max_documents=0.5``, ``min_count``, ``matching``,
                ``stop_list`` and ``keep_list`` (files, or lists of words), ``by``.
        """
        if name is None:
            said = [f"{rule.replace('_', '-')} {_said(value)}" for rule, value in sorted(rules.items())]
            name = ", ".join(said) or "all terms"
        with models.word_files(rules) as given:
            saved = [row["name"] for row in self._program.rows("vocabularies", self.name)]
            if name not in saved:
                self._program.call("terms", self.name, settings={**given, "save": name, "limit": 1, "output": "json"})
        row = next(row for row in self._program.rows("vocabularies", self.name) if row["name"] == name)
        return Vocabulary(name, row["terms"], row["rules"])

    def search(self, query: str, n: int = 20) -> Any:
        """Documents by the words of their texts and by their fields, with a snippet: words, "phrases", AND, OR, NOT,
        begin*, oil NEAR/5 price, field:value, year:1815..1816."""
        rows = self._program.rows("search", self.name, query, settings={"limit": n})
        return frames.documents_found(rows, self._frames, ("key", "title", "snippet"))

    def kwic(self, query: str, n: int = 100) -> Any:
        """Every occurrence in its context."""
        rows = self._program.rows("search", self.name, query, settings={"limit": n, "kwic": True})
        return frames.documents_found(rows, self._frames, OF_HITS)

    def keywords(self, by: str, **settings: Any) -> Any:
        """The words that distinguish the groups that a field makes."""
        return frames.made(self._program.rows("keywords", self.name, settings={"by": by, **settings}), self._frames)

    def bounds(self, **settings: Any) -> Bounds:
        """Bounds on the number of topics, before any model is run: a sentence, and a dict of what it is made from."""
        with models.word_files(settings) as given:
            return Bounds(self._program.json("bounds", self.name, settings=given))

    def run(
        self,
        k: Optional[int] = None,
        vocabulary: Union[Vocabulary, str, None] = None,
        seed: Optional[int] = 1,
        model: Optional[str] = None,
        **settings: Any,
    ) -> Run:
        """Runs a topic model and saves the run. An interrupt (Ctrl-C, the stop button) stops it.

        Args:
            k: the number of topics; otherwise as many as collections of this size usually have.
            vocabulary: of :meth:`vocabulary`; otherwise the 5,000 best terms.
            seed: the same seed gives the same topics, bit for bit; None is 1.
            model: ``lr-jsmf`` (the default), ``lda-gibbs``, ``nmf-kl`` or another of `topoi run --help`.
            settings: other options of `topoi run`, such as ``name="final"``, ``held_out=0.1``, ``sweeps=100``.

        Raises:
            Error: for settings that do not fit the corpus.
        """
        given = {"k": _whole(k), "seed": seed, "model": model, "vocabulary": _vocabulary(vocabulary), **settings}
        return self._followed("run", given)

    def sweep(
        self,
        k: Union[int, Sequence[int]],
        vocabulary: Union[Vocabulary, str, None] = None,
        seed: Optional[int] = 1,
        **settings: Any,
    ) -> Sweep:
        """Runs a model for several numbers of topics.

        Args:
            k: the numbers, or one, for runs of it with several seeds.
            settings: ``seeds=3`` runs for every K, ``held_out=0.1``, ``model``, and other options of `topoi run`.
        """
        each = k if hasattr(k, "__iter__") else [k]
        given = {"k": ",".join(str(_whole(one)) for one in each), "seed": seed, "vocabulary": _vocabulary(vocabulary), **settings}
        look = Runs(self._store.path, f"{self.name}, K = {given['k']}")
        try:
            with models.word_files(given) as read:
                return Sweep(self, self._program.json("sweep", self.name, settings=read, look=look.look))
        finally:
            look.close()

    def _followed(self, command: str, given: dict[str, Any], *words: Any) -> Run:
        look = Runs(self._store.path, self.name)
        subject = words or (self.name,)
        try:
            with models.word_files(given) as read:
                report = self._program.json(command, *subject, settings=read, look=look.look)
        finally:
            look.close()
        return Run(self._store, report["run"])

    def import_model(self, model: Any, vocabulary: Optional[Sequence[str]] = None, **settings: Any) -> Run:
        """Makes a run of the topics that another program found, to browse and compare them here: a fitted model of
        gensim, scikit-learn (with its words), tomotopy or BERTopic (fitted on this corpus's documents in their order),
        or topics × words as an array.

        Args:
            vocabulary: the words of the columns, for scikit-learn and arrays.
            settings: options of `topoi import`, such as ``name``.

        Raises:
            Error: for a model of another kind.
        """
        with models.topics_file(model, vocabulary, self) as (file, form):
            return self._followed("import", {"corpus": self.name, "from": form, **settings}, file)

    def add_vectors(self, vectors: Any, keys: Optional[Sequence[str]] = None) -> Corpus:
        """Keeps vectors of the documents that another program made, such as embeddings of their texts, for
        :meth:`similar`, ``run.plot(map=True)`` and :meth:`clusters`.

        Args:
            vectors: documents × numbers, as an array of NumPy; or a file of it.
            keys: the documents' keys, a row each; otherwise the rows are all documents in their order.

        Raises:
            Error: for rows without a direction, numbers that are not finite, keys that no document has.
        """
        with models.vectors_file(vectors, keys) as (file, names):
            settings = {"corpus": self.name, "from": "embeddings", "keys": names}
            self._program.json("import", file, settings=settings)
        return self

    def clusters(self, vectors: Any, k: int, keys: Optional[Sequence[str]] = None, **settings: Any) -> Run:
        """Makes a run of K clusters of such vectors: a topic is the words of a cluster's documents.

        Args:
            settings: options of `topoi import`, such as ``seed``.
        """
        with models.vectors_file(vectors, keys) as (file, names):
            given = {"corpus": self.name, "from": "embeddings", "keys": names, "k": k, **settings}
            return self._followed("import", given, file)

    def similar(self, key: str, n: int = 20, by: str = "words") -> Any:
        """The documents most like one, ``by`` their ``words`` or the ``vectors`` of :meth:`add_vectors`; of a run, by
        their topics: :meth:`Run.similar`."""
        settings = {"limit": n, by: True}
        return frames.documents_found(self._program.rows("similar", self.name, key, settings=settings), self._frames, OF_SIMILAR)

    @property
    def runs(self) -> Any:
        """A row a run of this corpus."""
        rows = [row for row in self._program.rows("runs") if row["corpus"] == self.name]
        return frames.made(rows, self._frames)

    def latest(self) -> Run:
        """The newest finished run.

        Raises:
            Error: if there is none.
        """
        return Run(self._store, f"{self.name}@latest")

    def nightly(self, data: Any, text: str = "text", id: Keys = None, **settings: Any) -> Run:
        """Adds documents and updates the topics of the newest run, at a cost that follows what has changed. Without
        anything new it is the newest run itself.

        Args:
            data, text, id: as in :meth:`add`.
            settings: options of `topoi nightly`, such as ``keep="7,4w,12m"``, ``exactly=True``.
        """
        file = frames.path(data)
        look = Runs(self._store.path, self.name)
        try:
            if file is not None:
                given = {"text_field": text if text != "text" else None, "id_field": id, **settings}
                report = self._program.json("nightly", self.name, file, settings=given, look=look.look)
            else:
                documents = frames.documents(data, text, id, None, None, is_first=False)
                given = {"format": "jsonl", **settings}
                lines = documents.lines
                report = self._program.json("nightly", self.name, "-", settings=given, lines=lines, look=look.look)
        finally:
            look.close()
        return Run(self._store, report["run"]) if report.get("run") else self.latest()

    def delete(self) -> None:
        """Deletes the corpus with its runs. It cannot be undone."""
        self._program.json("delete", self.name, settings={"kind": "corpus", "yes": True})

    def __repr__(self) -> str:
        return f"<corpus {self.name}: {len(self):,} documents>"

    def _repr_html_(self) -> str:
        count = len(self)
        rows = self._program.rows("fields", self.name) if count else []
        names = ("field", "kind", "documents", "without", "values", "commonest")
        title = f"{self.name}: {count:,} documents"
        return _html.table(names, [[row[name] for name in names] for row in rows], 0, title)


def _whole(k: Any) -> Any:
    """A number of topics without a decimal point, as arithmetic on a DataFrame gives it one."""
    return int(k) if isinstance(k, float) and k.is_integer() else k


def _vocabulary(vocabulary: Union[Vocabulary, str, None]) -> Optional[str]:
    if vocabulary is not None and not isinstance(vocabulary, (Vocabulary, str)):
        raise Error("vocabulary= is one that is saved; make it with corpus.vocabulary(keep_list=[…]) of your words")
    return vocabulary.name if isinstance(vocabulary, Vocabulary) else vocabulary


def _said(value: Any) -> str:
    if isinstance(value, (list, tuple, set)):
        return f"{len(value)} words"
    return Path(value).name if isinstance(value, Path) else str(value)


def _counts(matrix: Any, words: Sequence[str]) -> list[dict[str, int]]:
    """The counts of each row by word.

    Raises:
        Error: for what is no matrix, or one of another shape or with other values.
    """
    rows: list[dict[str, int]] = []
    for at, row in enumerate(_matrix_rows(matrix, len(words))):
        counts: dict[str, int] = {}
        for column, value in row:
            if value == 0:
                continue
            if not isinstance(value, (int, float)) or value < 0 or not float(value).is_integer():
                what = f"{value!r} of {words[column]!r} in row {at}"
                raise Error(f"the matrix has {what}, but counts are whole numbers from 0; give counts, not weights")
            counts[words[column]] = counts.get(words[column], 0) + int(value)
        rows.append(counts)
    return rows


def _matrix_rows(matrix: Any, width: int) -> Iterator[Iterable[tuple[int, Any]]]:
    """(column, value) of each row."""
    if hasattr(matrix, "tocsr"):
        sparse = matrix.tocsr()
        _require_width(sparse.shape, width)
        starts, columns, values = sparse.indptr.tolist(), sparse.indices.tolist(), sparse.data.tolist()
        return (zip(columns[begin:end], values[begin:end]) for begin, end in zip(starts, starts[1:]))
    if hasattr(matrix, "to_numpy"):
        matrix = matrix.to_numpy()
    if hasattr(matrix, "tolist"):
        matrix = matrix.tolist()
    if not isinstance(matrix, (list, tuple)) or not all(isinstance(row, (list, tuple)) for row in matrix):
        kind = f"{type(matrix).__module__}.{type(matrix).__qualname__}"
        known = "a sparse matrix of scipy, an array of NumPy, a DataFrame or a list of lists"
        raise Error(f"a matrix of counts is {known}, and no {kind} of that shape")
    for row in matrix:
        _require_width((len(matrix), len(row)), width)
    return (enumerate(row) for row in matrix)


def _require_width(shape: Sequence[int], width: int) -> None:
    if len(shape) != 2 or shape[1] != width:
        found = " × ".join(map(str, shape))
        raise Error(f"the matrix is {found}, but there are {width:,} words; give documents × words")
