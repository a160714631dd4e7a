"""Tables in, with their types; without pandas and polars, and with each of them."""

import datetime
import importlib
import importlib.util

import pytest

import topoi
from topoi import frames

from conftest import rows


def kinds(corpus):
    return {row["field"]: row["kind"] for row in corpus._program.rows("fields", corpus.name)}


def test_rows_are_documents_and_known_again(store):
    corpus = store.corpus("a").add(rows())
    assert len(corpus) == 90
    assert corpus.last_ingest["added"] == 90
    changed = rows()
    changed[0]["text"] = "a ship of another name"
    corpus.add(changed + [{"id": "new", "text": "a new document", "subject": "sea"}])
    assert (corpus.last_ingest["added"], corpus.last_ingest["replaced"]) == (1, 1)
    assert len(corpus) == 91


def test_plain_values_say_what_a_field_is(store):
    data = [
        {"id": i, "text": "ship and harbour", "code": str(i % 4), "n": i, "flag": i % 2 == 0, "gap": None if i % 3 else 1.5,
         "on": datetime.date(2020, 1, 1 + i)}
        for i in range(20)
    ]
    corpus = store.corpus("a").add(data)
    found = kinds(corpus)
    # A code that is written as a string is a category, though it looks like a number.
    assert found == {"code": "category", "flag": "category", "gap": "number", "n": "number", "on": "date"}
    fields = {row["field"]: row for row in corpus._program.rows("fields", "a")}
    assert fields["gap"]["without"] == 13
    assert fields["code"]["reference"] == "0"


@pytest.mark.parametrize("texts", [["ship and sea", "sea and storm"], ("a ship", "a storm")])
def test_texts_alone_are_documents(store, texts):
    assert len(store.corpus("a").add(texts)) == 2


@pytest.mark.parametrize(
    "data, said",
    [
        ([{"id": "a", "words": "x"}], "the table has no column 'text'; it has id, words"),
        ([{"id": "a", "text": None}], "1 text is missing in column 'text', the first in row 0; leave those rows out, or put '' there"),
        ([{"id": "a", "text": 3}], "column 'text' has 3 in row 0, which is no text; name the column of texts"),
        ([{"id": "a", "text": "x"}, {"id": "a", "text": "y"}],
         "rows 0 and 1 have the same key 'a' in column 'id'; make keys unique, or leave one row out"),
        ([{"id": None, "text": "x"}], "row 0 has no key in column 'id'; leave those rows out"),
        ([], "there are no documents in the table; nothing was added"),
        (17, "documents are a DataFrame of pandas or polars, a list of dicts or texts, or files, and no builtins.int"),
        ({"text": ["a", "b"], "year": [1]}, "the columns differ in length: text 2, year 1; give each as many values"),
        ([{"id": "a", "text": "x", "counts": 3}],
         "a field cannot be called 'counts', as documents have one of their own; rename the column"),
    ],
)
def test_what_cannot_be_documents_is_refused_and_changes_nothing(store, data, said):
    with pytest.raises(topoi.Error) as error:
        store.corpus("a").add(data)
    assert str(error.value) == said
    assert not store.path.exists()


def test_what_is_no_file_is_not_read(store, run):
    for text in ["a text of a few words", "What is a text?", "x" * 5000]:
        for take in (store.corpus("a").add, store.corpus("a").nightly, run.infer):
            with pytest.raises(topoi.Error, match=r"no such file; a string names .*: for one text give a list, \[text\]"):
                take(text)
    assert [row["name"] for row in store._program.rows("corpora")] == ["three"]


def test_keys_may_be_a_list(store):
    corpus = store.corpus("a").add(["one ship", "two ships"], id=["x", "y"])
    corpus.add(("two ships", "three ships"), id=("y", "z"))
    assert corpus.last_ingest["added"] == 1 and store.corpus("a").last_ingest is None
    assert [row["key"] for row in corpus._program.rows("documents", "a")] == ["x", "y", "z"]
    for keys, said in [(["x"], "id= has 1 keys and the table 2 rows"), (["x", None], "row 1 has no key in id=")]:
        with pytest.raises(topoi.Error, match=said):
            corpus.add(["four", "five"], id=keys)


def test_arrays_and_series_of_texts_are_documents(store):
    numpy = pytest.importorskip("numpy")
    texts = ["one ship", "two ships"]
    assert len(store.corpus("a").add(numpy.array(texts))) == 2
    polars = pytest.importorskip("polars")
    assert len(store.corpus("b").add(polars.Series(texts))) == 2


def test_rows_without_keys_are_not_taken_for_earlier_ones(store):
    corpus = store.corpus("a").add(["one ship", "two ships"])
    with pytest.raises(topoi.Error, match="name the column of keys with id="):
        corpus.add(["three ships"])
    assert len(corpus) == 2


def test_what_is_left_out_is_listed(store):
    corpus = store.corpus("a")
    with pytest.warns(topoi.Remark, match="a: 1 of 2 documents were left out; corpus.left_out\\(\\) says why"):
        corpus.add([{"id": "a", "text": "ship"}, {"id": "b", "text": "12 ."}])
    assert [row["key"] for row in corpus._program.rows("left-out", "a")] == ["b"]
    assert list(corpus.left_out()["key"] if frames.library() != "rows" else corpus.left_out().column("key")) == ["b"]


def test_letters_of_all_scripts_come_back(store):
    texts = [{"id": "ключ", "text": "корабль и море, 東京の海, naïve café", "who": "Žižek, \"S.\"\n"}]
    corpus = store.corpus("a").add(texts)
    row = corpus._program.rows("sql", "SELECT key, fields ->> 'who' AS who FROM document")[0]
    assert row == {"key": "ключ", "who": "Žižek, \"S.\"\n"}


def test_pandas_types_are_kinds(store):
    pandas = pytest.importorskip("pandas")
    data = pandas.DataFrame(
        {
            "post": ["ship and sea", "sea and storm", "storm and ship"] * 10,
            "key": range(100, 130),
            "party": pandas.Categorical([3, 1, None] * 10),
            "year": [1990.0, 1991.0, float("nan")] * 10,
            "when": pandas.to_datetime(["2020-01-01", None, "2021-06-05"] * 10),
            "at": pandas.to_datetime(["2020-01-01 10:00", "2020-01-01 11:30", "2020-01-02 00:00"] * 10),
            "zip": ["02139", "10115", "75001"] * 10,
            "votes": pandas.array([1, None, 5] * 10, dtype="Int64"),
            "is_new": [True, False, True] * 10,
        }
    )
    corpus = store.corpus("a").add(data, text="post", id="key")
    assert kinds(corpus) == {
        "party": "category", "year": "date", "when": "date", "at": "date", "zip": "category", "votes": "number",
        "is_new": "category",
    }
    first, second = corpus._program.rows("sql", "SELECT key, fields FROM document ORDER BY id LIMIT 2")
    assert first["key"] == "100"
    assert '"year":1990' in first["fields"] and '"when":"2020-01-01"' in first["fields"]
    assert '"at":"2020-01-01T10:00:00"' in first["fields"] and '"zip":"02139"' in first["fields"]
    # What is missing is not written.
    assert '"when"' not in second["fields"] and '"votes"' not in second["fields"]


def test_pandas_errors_name_the_remedy(store):
    pandas = pytest.importorskip("pandas")
    data = pandas.DataFrame({"text": ["ship", None, float("nan")], "id": [1, 2, 3]})
    with pytest.raises(topoi.Error) as error:
        store.corpus("a").add(data)
    assert str(error.value).startswith("2 texts are missing in column 'text', the first in row 1; ")
    assert "df.dropna(subset=['text'])" in str(error.value)
    assert len(store.corpus("a").add(data.dropna(subset=["text"]))) == 1


def test_index_of_pandas_is_the_key(store):
    pandas = pytest.importorskip("pandas")
    data = pandas.DataFrame({"text": ["ship", "storm"]}, index=["x", "y"])
    corpus = store.corpus("a").add(data)
    assert [row["key"] for row in corpus._program.rows("documents", "a")] == ["x", "y"]


def test_an_index_with_a_name_is_known_again(store):
    pandas = pytest.importorskip("pandas")
    data = pandas.DataFrame({"post": [7, 8], "text": ["one ship", "two ships"]}).set_index("post")
    corpus = store.corpus("a").add(data)
    corpus.add(data)
    corpus.add(data, id="post")
    assert len(corpus) == 2
    corpus.add(pandas.Series(["three ships"], index=["x"]))
    assert len(corpus) == 3
    # Numbers of rows of another file are no keys.
    with pytest.raises(topoi.Error, match="rows without keys cannot be matched"):
        corpus.add(data.reset_index()[["text"]].iloc[1:])


def test_polars_types_are_kinds(store):
    polars = pytest.importorskip("polars")
    data = polars.DataFrame(
        {
            "id": ["a", "b", "c"],
            "text": ["ship and sea", "sea and storm", "storm and ship"],
            "party": polars.Series(["l", "r", None], dtype=polars.Categorical),
            "when": [datetime.date(2020, 1, 1), None, datetime.date(2021, 1, 1)],
            "zip": ["02139", "10115", "75001"],
            "votes": [1, None, 5],
        }
    )
    corpus = store.corpus("a").add(data)
    assert kinds(corpus) == {"party": "category", "when": "date", "zip": "category", "votes": "number"}
    with pytest.raises(topoi.Error, match=r"df\.drop_nulls\('text'\)"):
        store.corpus("b").add(polars.DataFrame({"id": ["a"], "text": polars.Series([None], dtype=polars.String)}))


def test_counts_are_documents(store):
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_matrix([[2, 0, 1], [0, 3, 0]])
    meta = [{"id": "a", "year": 1990}, {"id": "b", "year": 1991}]
    corpus = store.corpus("a").add_counts(matrix, ["ship", "sea", "storm"], meta=meta)
    terms = {row["term"]: row["total_count"] for row in corpus._program.rows("terms", "a")}
    assert terms == {"ship": 2, "sea": 3, "storm": 1}
    for wrong, said in [
        (sparse.csr_matrix([[0.5, 0, 0]]), "0.5 of 'ship' in row 0"),
        (sparse.csr_matrix([[1, 0]]), "1 × 2, but there are 3 words"),
    ]:
        with pytest.raises(topoi.Error, match=said):
            store.corpus("b").add_counts(wrong, ["ship", "sea", "storm"])


def test_counts_are_rows_of_any_table(store):
    words, plain = ["ship", "sea", "storm"], [[2, 0, 1], [0, 3, 0]]
    tables = [plain]
    for name in ("pandas", "polars"):
        if importlib.util.find_spec(name) and importlib.util.find_spec("numpy"):
            tables.append(importlib.import_module(name).DataFrame(dict(zip(words, zip(*plain)))))
    for at, table in enumerate(tables):
        corpus = store.corpus(str(at)).add_counts(table, words)
        terms = {row["term"]: row["total_count"] for row in corpus._program.rows("terms", corpus.name)}
        assert terms == {"ship": 2, "sea": 3, "storm": 1}
    corpus.add_counts([[0, 0, 1]], words, id=["more"])
    assert len(corpus) == 3
    for wrong, vocabulary, said in [
        (plain, ["ship", "sea", "ship"], "two columns are of the word 'ship'; add their counts"),
        ([[1, 0, 0], [1]], words, "the matrix is 2 × 1, but there are 3 words"),
        ([1, 0, 0], words, "a matrix of counts is .*, and no builtins.list"),
        ("counts", words, "and no builtins.str"),
        ([["1", 0, 0]], words, "'1' of 'ship' in row 0"),
        ([[float("nan"), 0, 0]], words, "nan of 'ship' in row 0"),
    ]:
        with pytest.raises(topoi.Error, match=said):
            store.corpus("b").add_counts(wrong, vocabulary)
    with pytest.raises(topoi.Error, match="which is no text; counts of words are added with add_counts") as error:
        store.corpus("b").add([{"text": {f"word{at}": at for at in range(100)}}])
    assert len(str(error.value)) < 200


@pytest.mark.parametrize("name", frames.LIBRARIES)
def test_tables_come_as_asked(tmp_path, name):
    if name != "rows":
        pytest.importorskip(name)
    store = topoi.open(tmp_path / "x.db", frames=name)
    store.corpus("a").add(rows())
    found = store.corpora
    assert type(found).__module__.split(".")[0] == ("topoi" if name == "rows" else name)
    assert len(found) == 1 and "documents" in list(found.columns)


def test_unknown_libraries_are_refused(tmp_path):
    with pytest.raises(topoi.Error, match="frames is 'excel', but must be one of pandas, polars, rows"):
        topoi.open(tmp_path / "x.db", frames="excel")
