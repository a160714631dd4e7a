"""Topics of other programs, and lists of words, as files that the program reads."""

from __future__ import annotations

import contextlib
import csv
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Optional, Sequence

from .errors import Error

if TYPE_CHECKING:
    from .corpus import Corpus

#: Rules of a vocabulary that are files of words.
WORD_FILES = ("stop_list", "keep_list")


@contextlib.contextmanager
def word_files(rules: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The rules of a vocabulary, with lists of words as files."""
    with tempfile.TemporaryDirectory() as folder:
        given = dict(rules)
        for rule in WORD_FILES:
            words = given.get(rule)
            if isinstance(words, (list, tuple, set)):
                file = Path(folder) / f"{rule}.txt"
                file.write_text("".join(f"{word}\n" for word in words), encoding="utf-8")
                given[rule] = file
        yield given


@contextlib.contextmanager
def topics_file(model: Any, vocabulary: Optional[Sequence[str]], corpus: Corpus) -> Iterator[tuple[Path, str]]:
    """A file of a model's topics, and what `topoi import --from` calls it.

    Raises:
        Error: for a model of another kind, or without its words.
    """
    with tempfile.TemporaryDirectory() as folder:
        if hasattr(model, "topics_") and hasattr(model, "get_topic_info"):
            file = Path(folder) / "topics.csv"
            _write_document_topics(file, model.topics_, corpus)
            yield file, "document-topics-csv"
            return
        weights, words = _weights(model, vocabulary)
        yield _write_arrays(Path(folder) / "topics", weights, words), "npy"


@contextlib.contextmanager
def vectors_file(vectors: Any, keys: Optional[Sequence[str]]) -> Iterator[tuple[Path, Optional[Path]]]:
    """A file of vectors, and one of their keys, where there are some."""
    with tempfile.TemporaryDirectory() as folder:
        names = None
        if keys is not None:
            names = Path(folder) / "keys.json"
            names.write_text(json.dumps([str(key) for key in keys], ensure_ascii=False), encoding="utf-8")
        if isinstance(vectors, (str, Path)):
            yield Path(vectors), names
            return
        import numpy

        file = Path(folder) / "vectors.npy"
        numpy.save(file, numpy.ascontiguousarray(vectors))
        yield file, names


def _weights(model: Any, vocabulary: Optional[Sequence[str]]) -> tuple[Any, list[str]]:
    """Topics × words, and the words."""
    import numpy

    if hasattr(model, "get_topic_word_dist"):
        weights = numpy.array([model.get_topic_word_dist(topic) for topic in range(model.k)])
        words = list(model.used_vocabs)
    elif hasattr(model, "get_topics") and hasattr(model, "id2word"):
        weights = numpy.asarray(model.get_topics())
        words = [model.id2word[at] for at in range(weights.shape[1])]
    elif hasattr(model, "components_"):
        weights = numpy.asarray(model.components_)
        words = _named(vocabulary, "the vectorizer's get_feature_names_out()")
    elif getattr(model, "ndim", None) == 2:
        weights = numpy.asarray(model)
        words = _named(vocabulary, "the words of the columns")
    else:
        kind = f"{type(model).__module__}.{type(model).__qualname__}"
        known = "gensim, scikit-learn, tomotopy or BERTopic, or an array of topics × words"
        raise Error(f"{kind} is no model that can be imported; give one of {known}")
    if weights.shape[1] != len(words):
        raise Error(f"the topics have {weights.shape[1]:,} words, but {len(words):,} are named; name each")
    if weights.size and float(weights.min()) < 0:
        raise Error("topics have weights below 0, which are no probabilities; give a model whose topics have none")
    return weights, words


def _named(vocabulary: Optional[Sequence[str]], which: str) -> list[str]:
    if vocabulary is None:
        raise Error(f"the model does not know its words; give vocabulary= {which}")
    return [str(word) for word in vocabulary]


def _write_arrays(folder: Path, weights: Any, words: Sequence[str]) -> Path:
    """As `topoi export --to npy` writes them."""
    import numpy

    folder.mkdir()
    sums = weights.sum(axis=1, keepdims=True)
    numpy.save(folder / "topic_words.npy", numpy.ascontiguousarray(weights / numpy.where(sums > 0, sums, 1)))
    (folder / "words.json").write_text(json.dumps(list(words), ensure_ascii=False), encoding="utf-8")
    return folder


def _write_document_topics(file: Path, topics: Sequence[Any], corpus: Corpus) -> None:
    keys = [row["key"] for row in corpus._program.rows("documents", corpus.name)]
    if len(keys) != len(topics):
        raise Error(
            f"the model has {len(topics):,} documents and corpus {corpus.name} {len(keys):,}; "
            "fit it on the corpus's documents, in their order"
        )
    with file.open("w", newline="", encoding="utf-8") as to:
        writer = csv.writer(to)
        writer.writerow(["document", "topic"])
        writer.writerows(zip(keys, topics))
