"""A session from a DataFrame to a script, printed as it goes: on the sample texts, or on a table of changelogs.

    python python/session.py
    python python/session.py changelog.csv.gz --text text --id id --category package --date date
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

import topoi

SAMPLES = Path(__file__).resolve().parent.parent / "sample_corpora" / "eight_subjects.jsonl"


def table(options):
    """The documents, with a category and a date: the samples have no dates, and get one each of the days of 2024."""
    if options.file is not None:
        data = pd.read_csv(options.file)
        data[options.date] = pd.to_datetime(data[options.date], errors="coerce", utc=True).dt.tz_localize(None)
        return data
    data = pd.read_json(SAMPLES, lines=True)
    data[options.date] = pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(len(data)) % 366, unit="D")
    return data


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("file", nargs="?", type=Path)
    options.add_argument("--text", default="text")
    options.add_argument("--id", default="id")
    options.add_argument("--category", default="subject")
    options.add_argument("--date", default="date")
    options = options.parse_args()
    begun = time.monotonic()

    def step(name, *found):
        print(f"\n## {name}, {time.monotonic() - begun:.1f} s", *found, sep="\n")

    with tempfile.TemporaryDirectory() as folder:
        data = table(options)
        st = topoi.open(Path(folder) / "posts.topoi")
        half = len(data) // 2
        c = st.corpus("posts").add(data.iloc[:half], text=options.text, id=options.id)
        step("a corpus", c, c.fields)
        X = np.array([[2, 0, 1], [0, 3, 0]])
        counts = st.corpus("counts").add_counts(X, vocabulary=["ship", "sea", "storm"], meta=pd.DataFrame({"id": ["a", "b"]}))
        step("counts", counts.terms())
        v = c.vocabulary(min_documents=3)
        sweep = c.sweep(k=[5, 10, 20], held_out=0.1, vocabulary=v)
        step("numbers of topics", sweep, sweep.plot())
        run = c.run(k=10, vocabulary=v, seed=1)
        step("a run", run)
        step("arrays", run.theta.iloc[:2, :3], run.beta.iloc[:2, :3], run.theta.to_scipy().shape, run.beta.to_numpy().sum(axis=1))
        step("topics", run.topics(n=10, rank="frex"), run.documents(topic=3, n=5), run.quotes(topic=3, n=3))
        run.label({3: "war"})
        values = data.iloc[:half][options.category].value_counts().index[:2].tolist()
        e = run.effects(f"~ C({options.category}, ref='{values[0]}') + s({options.date}, 3)")
        step("effects", e.summary(topic="war", adjust="holm"))
        step("a contrast", e.contrast(topic="war", **{options.category: values}), e.draws().shape)
        step("over time", run.by(options.date, per="month").plot("war"))
        more = data.iloc[half:]
        step("new texts", run.infer(more.head(3), text=options.text, id=options.id))
        c.add(more, text=options.text, id=options.id)
        updated = run.update()
        step("a corpus that has grown", updated.number, updated.labels, updated.metrics["documents_used"])
        step("SQL", st.sql("SELECT topic, word FROM top_word WHERE run_id = 2 AND rank <= 2 LIMIT 4"))
        st.script(Path(folder) / "rerun.sh")
        step("what was done", (Path(folder) / "rerun.sh").read_text(), st.methods(run))
        for name, wrong in [
            ("a column that is not there", lambda: c.add(data, text="nothing")),
            ("a missing text", lambda: c.add(pd.DataFrame({"id": ["x"], "text": [float("nan")]}))),
            ("two keys", lambda: c.add(pd.DataFrame({"id": ["x", "x"], "text": ["one", "two"]}))),
        ]:
            before = len(c)
            try:
                wrong()
            except topoi.Error as error:
                step(name, error)
            else:
                raise AssertionError(f"{name} was accepted")
            assert len(c) == before
    print(f"\n{time.monotonic() - begun:.1f} s in all")


if __name__ == "__main__":
    main()
