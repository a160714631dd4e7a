"""Runs: topics, documents, effects, updates; and what a notebook shows of them."""

import html.parser
import signal
import subprocess
import sys
import time

import pytest

import topoi

from conftest import SUBJECTS, rows


def plain(table):
    """The rows of a table of any library."""
    if isinstance(table, topoi.Table):
        return [dict(row) for row in table]
    return table.to_dict("records") if hasattr(table, "iloc") else table.to_dicts()


def test_topics_are_the_subjects(run):
    found = plain(run.topics(n=10))
    assert [row["topic"] for row in found] == [0, 1, 2]
    assert {frozenset(row["words"].split()) for row in found} == {frozenset(words.split()) for words in SUBJECTS.values()}
    assert sum(row["token_share"] for row in found) == pytest.approx(1)
    assert run.status == "finished" and run.k == 3 and run.seed == 1
    assert run.metrics["documents_used"] == 90


def test_the_same_seed_gives_the_same_topics(corpus, run):
    again = corpus.run(k=3)
    assert again.number != run.number
    assert plain(again.words(0)) == plain(run.words(0))
    assert all(row["saved"] == row["recomputed"] for row in plain(run.verify()))


def test_labels_name_topics(run):
    run.label({0: "first", 2: "third"})
    assert run.labels == {0: "first", 2: "third"}
    assert plain(run.words("third")) == plain(run.words(2))
    run.label({0: None})
    assert run.labels == {2: "third"}
    for topic, said in [("first", "no topic of run 1 is labelled 'first'; labels are 'third'"), (3, "its topics are 0 to 2")]:
        with pytest.raises(topoi.Error, match=said):
            run.words(topic)
    with pytest.raises(topoi.Error, match="its topics are 0 to 2"):
        run.label({7: "none"})


def test_documents_and_quotes_are_of_the_topic(run):
    words = set(plain(run.topics())[1]["words"].split())
    found = plain(run.documents(topic=1, n=5))
    assert len(found) == 5 and found[0]["proportion"] > 0.5
    quotes = plain(run.quotes(topic=1, n=3, where="fields ->> 'year' >= 1995"))
    assert len(quotes) == 3
    assert all(set(row["passage"].split()) <= words for row in quotes)


def test_matrices_have_names_and_sums(store, corpus, run):
    numpy = pytest.importorskip("numpy")
    if isinstance(store.corpora, topoi.Table):
        with pytest.raises(topoi.Error, match="pip install pandas"):
            run.theta
        return
    theta, beta = run.theta, run.beta
    assert theta.to_numpy().shape == (90, 3) and beta.to_numpy().shape == (3, 30)
    assert numpy.allclose(theta.to_numpy().sum(axis=1), 1, atol=1e-5)
    assert numpy.allclose(beta.to_numpy().sum(axis=1), 1, atol=1e-5)
    key = plain(run.documents(topic=1, n=1))[0]
    row = list(theta.index).index(key["key"]) if hasattr(theta, "index") else theta["document"].to_list().index(key["key"])
    assert theta.to_numpy()[row, 1] == pytest.approx(key["proportion"], abs=1e-6)
    if hasattr(theta, "loc"):
        assert theta.loc[key["key"], 1] == pytest.approx(key["proportion"], abs=1e-6)
    pytest.importorskip("scipy")
    assert theta.to_scipy().shape == (90, 3)


def test_effects_agree_with_the_program(run):
    effects = run.effects("~ subject")
    found = plain(effects.summary(topic=0))
    assert [row["term"] for row in found] == ["(constant)", "subject=law", "subject=sea"]
    assert effects.references == {"subject": "farm"}
    subject = next(name for name, words in SUBJECTS.items() if plain(run.words(0))[0]["word"] in words)
    shares = {row["subject"]: row["share"] for row in plain(run.by("subject").topic(0))}
    assert shares[subject] > 0.9
    contrast = plain(effects.contrast(topic=0, subject=["sea", "law"]))
    assert len(contrast) == 1
    assert contrast[0]["estimate"] == pytest.approx(shares["sea"] - shares["law"], abs=1e-9)
    assert len(plain(effects.tests())) == 3
    assert effects.latex(topic=0).count("&") > 3
    with pytest.raises(topoi.Error, match='corpus "three" has no field "sex"'):
        run.effects("~ sex")


def test_draws_are_of_every_document(run):
    found = plain(run.effects("~ year").draws())
    assert len(found) == 25 * 90
    assert sum(found[0][f"topic_{topic}"] for topic in range(3)) == pytest.approx(1, abs=1e-6)


def test_figures_are_shown_and_written(run, tmp_path):
    figure = run.by("day", per="week").plot(0)
    shown = figure._repr_mimebundle_()
    assert shown["image/svg+xml"].startswith("<svg")
    file = figure.save(tmp_path / "figure.pdf")
    assert file.read_bytes().startswith(b"%PDF")
    with pytest.raises(topoi.Error, match="figure.pdf"):
        figure.save(file)
    figure.save(file, force=True)


def test_new_documents_are_inferred(run):
    number = next(row["topic"] for row in plain(run.topics()) if "ship" in row["words"].split())
    found = plain(run.infer([{"id": "x", "text": "ship harbour sailor wave storm unheard"}]))
    assert found[0]["key"] == "x" and found[0]["unknown_tokens"] == 1
    assert max(range(3), key=lambda topic: found[0][f"topic_{topic}"]) == number


def test_a_growing_corpus_keeps_its_topics(corpus, run):
    run.label({0: "kept"})
    assert run.update().number == run.number
    more = [{**row, "id": f"new{row['id']}"} for row in rows(30)]
    corpus.add(more)
    updated = run.update()
    assert updated.number != run.number and updated.labels == {0: "kept"}
    assert updated.metrics["documents_used"] == 120
    nightly = corpus.nightly([{"id": "last", "text": "ship harbour sailor wave storm anchor", "subject": "sea"}])
    assert nightly.labels == {0: "kept"} and nightly.metrics["documents_used"] == 121
    assert corpus.nightly([{"id": "last", "text": "ship harbour sailor wave storm anchor", "subject": "sea"}]).number == nightly.number


# That runs with too many topics are remarked on is not what this is about.
@pytest.mark.filterwarnings("ignore::topoi.Remark")
def test_several_k_are_compared(store, corpus):
    sweep = corpus.sweep(k=[3, 4, 5])
    assert [run.k for run in sweep.runs] == [3, 4, 5]
    assert len(plain(sweep.table)) == 3
    assert sweep.plot().svg.startswith("<svg")
    matched = plain(store.compare(sweep.runs[0], sweep.runs[1]))
    assert len(matched) == 3 and all(0 <= row["cosine"] <= 1 + 1e-9 for row in matched)
    fewer = plain(store.compare(sweep.runs[2], sweep.runs[0]))
    assert [row["topic"] for row in fewer] == [0, 1, 2, 3, 4]
    assert sum(row["its_words"] is not None and row["its_words"] == row["its_words"] for row in fewer) == 3
    assert [run.k for run in corpus.sweep(k=3.0).runs] == [3] and corpus.run(k=3.0).k == 3


def test_vocabularies_are_saved(corpus):
    vocabulary = corpus.vocabulary(min_documents=5, stop_list=["ship"])
    assert vocabulary.terms == 29
    assert corpus.vocabulary(min_documents=5, stop_list=["ship"]) == vocabulary
    run = corpus.run(k=3, vocabulary=vocabulary)
    assert "ship" not in " ".join(row["words"] for row in plain(run.topics()))


def test_search_finds_texts(corpus):
    having = [row["id"] for row in rows() if "ship" in row["text"].split()]
    found = plain(corpus.search("ship NOT cattle", n=100))
    assert sorted(row["key"] for row in found) == sorted(having) and len(having) > 5
    assert plain(corpus.kwic("captain", n=1))[0]["hit"] == "captain"


def test_what_was_done_is_written_down(store, run, tmp_path):
    script = store.script(tmp_path / "again.sh")
    assert "topoi run three --k 3" in script and (tmp_path / "again.sh").read_text() == script
    assert store.methods(run) == run.methods() and "3 topics were estimated" in run.methods()


def test_settings_that_do_not_fit_are_refused(store, corpus):
    for settings, said in [
        ({"k": 0}, "k is 0, but must be from 2"),
        ({"k": 3, "model": "nope"}, "nope"),
        ({"k": 3, "no_such_option": 1}, "there is no option no_such_option=; `topoi run --help` lists them"),
        ({"k": float("nan")}, "invalid value 'nan' for 'k='"),
        ({"random_state": 1}, "there is no option random_state=; it is seed= here"),
        ({"vocabulari": "x"}, "there is no option vocabulari=; it is vocabulary= here"),
        ({"k": 3, "vocabulary": ["ship"]}, r"make it with corpus.vocabulary\(keep_list="),
    ]:
        with pytest.raises(topoi.Error, match=said):
            corpus.run(**settings)
    with pytest.raises(topoi.Error, match="there are: three"):
        store.corpus("nothing").run(k=3)
    with pytest.raises(topoi.Error):
        store.run(99)
    assert len(plain(store.runs)) == 0


def test_what_is_deleted_is_gone(store, corpus, run):
    corpus.run(k=3).delete()
    assert [row["run"] for row in plain(store.runs)] == [run.number]
    numbered = store.corpus("1").add(rows(9))
    numbered.delete()
    corpus.delete()
    assert len(store.corpora) == 0 and len(store.runs) == 0
    # Tables without rows have their columns.
    assert "documents" in list(store.corpora.columns) and "status" in list(store.runs.columns)


def test_fields_may_be_called_as_columns_and_arguments_are(store):
    data = [{**row, "topic": ["tech", "sport"][at % 2], "share": at % 3} for at, row in enumerate(rows())]
    run = store.corpus("named").add(data).run(k=3)
    shares = run.by("topic")
    assert {(row["topic_field"], row["topic"]) for row in plain(shares.table)} == {
        (value, topic) for value in ("tech", "sport") for topic in range(3)
    }
    assert {row["topic_field"] for row in plain(shares.topic(1))} == {"tech", "sport"}
    assert "topic_field" in repr(shares)
    both = plain(run.by("subject", "topic").table)
    assert {row["topic_field"] for row in both} == {"tech", "sport"} and {row["subject"] for row in both} == set(SUBJECTS)
    effects = run.effects("~ topic")
    assert plain(effects.contrast({"topic": ["tech", "sport"]}, topic=0))[0]["topic"] == 0
    for asked, said in [
        (lambda: effects.contrast(topic=0), "a contrast is of one field"),
        (lambda: effects.contrast(0, at=["tech"]), "give the topic as topic=0"),
        (lambda: effects.predict({}), "a prediction needs values"),
        (lambda: effects.marginal(), "marginal effects are of a field"),
    ]:
        with pytest.raises(topoi.Error, match=said):
            asked()


def test_columns_of_exports_have_names_of_their_own(store):
    data = [{**row, "document": "a,\n\"b\"", "draw": at} for at, row in enumerate(rows(30))]
    run = store.corpus("named").add(data).run(k=2)
    first = plain(run.draws())[0]
    assert (first["key"], first["draw"], first["draw_field"]) == ("d0", 1, 0) and first["document_field"] == data[0]["document"]


def test_documents_are_known_by_their_keys_alone(corpus, run):
    for table in [
        corpus.documents(n=2), corpus.search("ship", n=2), corpus.kwic("ship", n=2), corpus.similar("d0", n=2),
        run.documents(0, n=2), run.quotes(0, n=2), run.similar("d0", n=2), run.draws(), run.shares(),
    ]:
        columns = list(table.columns)
        assert "key" in columns and "id" not in columns and "document" not in columns
        assert len(table) >= 2
    assert {"key", "snippet"} <= set(corpus.search("nothingness").columns)
    assert {"key", "hit"} <= set(corpus.kwic("nothingness").columns)


def test_passages_are_shown_whole(store):
    pytest.importorskip("pandas")
    data = [{**row, "text": " ".join([row["text"]] * 3)} for row in rows()]
    run = store.corpus("long").add(data).run(k=3)
    quotes = run.quotes(0, n=2)
    if hasattr(quotes, "iloc"):
        assert all(row["passage"] in quotes._repr_html_() for row in plain(quotes))
        assert type(quotes.head(1)).__name__ == "DataFrame"


def test_bounds_say_what_they_found(corpus):
    found = corpus.bounds()
    assert repr(found).startswith("<bounds on K of three: at least 1 topic (probability 0.9), no upper bound; ")
    assert found["lower"] == 1 and "spectrum" in found


def test_two_topics_of_one_label_are_remarked_on(run):
    run.label({0: "sea"})
    with pytest.warns(topoi.Remark, match="topics 0 and 1 are labelled 'sea'"):
        run.label({1: "sea"})
    run.label({1: "law"})


def test_a_run_that_works_elsewhere_is_stopped_and_continued(tmp_path):
    store = topoi.open(tmp_path / "x.db")
    store.corpus("three").add(rows(3000))
    store.topoi("run", "three", k=3, model="lda-gibbs", iterations=10000, detach=True)
    running = store.run(1)
    if not isinstance(store.corpora, topoi.Table):
        with pytest.raises(topoi.Error, match=r"run 1 is not finished yet; run = run.wait\(\)"):
            running.theta
    assert running.cancel().wait().status == "cancelled"
    with pytest.raises(topoi.Error, match=r"not finished.*store.run\(1\).resume\(\)"):
        store.run(1).update()
    with pytest.raises(topoi.Error, match="is finished"):
        store.corpus("few").add(rows(30)).run(k=2).resume()


def test_a_store_that_is_none_is_refused(tmp_path):
    (tmp_path / "x.db").write_text("this is no store" * 100)
    with pytest.raises(topoi.Error, match="x.db"):
        topoi.open(tmp_path / "x.db")


def test_a_store_in_use_is_named(corpus):
    """Another program holds the store's write lock: what waits for it gives up with a line, and nothing is changed."""
    import sqlite3

    other = sqlite3.connect(corpus._store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(topoi.Error) as error:
            corpus.add([{"id": "late", "text": "a late document"}])
        assert str(corpus._store.path) in str(error.value) or "store" in str(error.value)
        assert "\n" not in str(error.value)
    finally:
        other.execute("ROLLBACK")
        other.close()
    assert len(corpus) == 90
    assert len(corpus.add([{"id": "late", "text": "a late ship"}])) == 91


def test_an_interrupt_stops_the_run(tmp_path):
    code = (
        "import topoi, sys, random\n"
        "sys.path.insert(0, sys.argv[2])\n"
        "import conftest\n"
        "store = topoi.open(sys.argv[1])\n"
        "corpus = store.corpus('three').add(conftest.rows(3000))\n"
        "print('ready', flush=True)\n"
        "try:\n"
        "    corpus.run(k=3, model='lda-gibbs', iterations=10000)\n"
        "except KeyboardInterrupt:\n"
        "    print(store.run(1).status, flush=True)\n"
    )
    here = __file__.rsplit("/", 1)[0]
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "x.db"), here], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "cancelled\n"


class Tags(html.parser.HTMLParser):
    """Every tag is closed, and none is a script."""

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], set()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


# That runs with too many topics are remarked on is not what this is about.
@pytest.mark.filterwarnings("ignore::topoi.Remark")
def test_notebooks_show_tables_without_scripts(store, corpus, run):
    run.label({0: "<script>alert(1)</script>"})
    for shown in [store, corpus, run, run.effects("~ subject"), run.by("subject"), corpus.sweep(k=[3, 4])]:
        tags = Tags()
        tags.feed(shown._repr_html_())
        assert tags.open == [] and "table" in tags.seen and "script" not in tags.seen
        assert repr(shown).startswith("<")
    assert "ship" in repr(run)


def test_remarks_are_warnings(store):
    text = "ship harbour sailor wave storm anchor captain mast sail tide and more of it"
    with pytest.warns(topoi.Remark, match=r"the text of another under another key, .*; df.drop_duplicates\('text'\) leaves them out"):
        store.corpus("a").add([{"id": at, "text": text} for at in range(30)])


def test_names_of_other_libraries_are_answered(corpus, run):
    for there, name, here in [
        (run, "get_topic_info", r"a run has no attribute 'get_topic_info'; here it is topics\(\)"),
        (run, "compare", "store.compare"),
        (run, "nothing_of_it", "a run has no attribute 'nothing_of_it'$"),
        (run.plot(), "savefig", r"save\(path\)"),
        (topoi, "load", "topoi.open"),
    ]:
        assert not hasattr(there, name)
        with pytest.raises(AttributeError, match=here):
            getattr(there, name)


def test_lines_name_what_is_called_here(corpus, run, tmp_path):
    file = run.plot().save(tmp_path / "figure.svg")
    for asked, said in [
        (lambda: run.plot().save(file), "give into= another name, or force= to replace it"),
        (lambda: corpus.similar("d0", by="vectors"), r"with store.corpus\('three'\).add_vectors\(vectors\)"),
        (lambda: corpus._store.run(99), "store.runs lists them"),
        (lambda: corpus._store.sql("DELETE FROM run"), r"store.topoi\('sql', query, write=True\) allows it"),
        (lambda: run.by("subject", where="year = 1990"), "a field of documents is fields->>'year'"),
        (lambda: run.plot(kind="x"), "there is no option kind=; `topoi plot --help` lists them"),
    ]:
        with pytest.raises(topoi.Error, match=said):
            asked()


def test_warnings_are_said_once(corpus):
    with pytest.warns(topoi.Remark, match="use fewer topics") as said:
        run = corpus.run(k=12)
    assert len(said) == 1 and "use fewer topics" in repr(run)
    run.topics(), run.words(0), run._repr_html_(), corpus.latest()


def test_the_module_is_the_program():
    said = subprocess.run([sys.executable, "-m", "topoi", "--version"], capture_output=True, text=True)
    assert said.returncode == 0 and said.stdout == f"topoi {topoi.__version__}\n"


def test_the_program_of_the_wheel_says_how_to_get_one_for_parts(run):
    with pytest.raises(topoi.Error, match="built with MPI: `cargo install"):
        run._program.json("by", run.number, "subject", settings={"parts": "part-{rank}.db"})
