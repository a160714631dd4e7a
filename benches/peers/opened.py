"""opened.py TOPOI STORE RUN: exports and the store, opened by the programs they are for; prints what each sees.

    pip install numpy pandas networkx pyLDAvis datasette duckdb gensim scikit-learn plotly tqdm pyyaml requests
    pip install --no-deps bertopic octis
"""
import json, subprocess, sys, tempfile
from pathlib import Path

TOPOI, STORE, RUN = sys.argv[1:4]


def ask(*words):
    done = subprocess.run([TOPOI, "--store", STORE, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr.strip())
    return done.stdout


def rows(query):
    return json.loads(ask("sql", query, "-o", "json"))


K = rows(f"SELECT count(*) AS k FROM topic WHERE run_id = {RUN}")[0]["k"]
M = rows(f"SELECT count(*) AS m FROM document_proportions WHERE run_id = {RUN}")[0]["m"]


def exported(folder, form):
    place = Path(folder) / form
    ask("export", RUN, "--to", form, "-o", place)
    return place


def numpy(folder):
    import numpy as np

    place = exported(folder, "npy")
    theta = np.load(place / "document_topics.npy", mmap_mode="r")
    beta = np.load(place / "topic_words.npy", mmap_mode="r")
    keys, words = (json.loads((place / f"{name}.json").read_text()) for name in ("documents", "words"))
    assert theta.shape == (len(keys), K) and beta.shape == (K, len(words)) and len(keys) == M
    assert abs(theta.sum(axis=1) - 1).max() < 1e-6 and abs(beta.sum(axis=1) - 1).max() < 1e-9
    again = Path(folder) / "again.npy"
    np.save(again, np.asarray(theta))
    same = again.read_bytes() == (place / "document_topics.npy").read_bytes()
    return f"θ {theta.shape} {theta.dtype}, B {beta.shape} {beta.dtype}, memory-mapped; `np.save` writes {'the same' if same else 'other'} bytes"


def networkx(folder):
    import networkx

    place = exported(folder, "gephi")
    topics, words = (networkx.read_gexf(place / f"{name}.gexf") for name in ("topics", "topic_words"))
    kinds = [data["kind"] for _, data in words.nodes(data=True)]
    weights = sum(data["weight"] for _, _, data in words.edges(data=True))
    assert topics.number_of_nodes() == K == kinds.count("topic")
    return (f"{K} topics with {topics.number_of_edges()} edges; {kinds.count('word')} words with {words.number_of_edges()} "
            f"edges, weights of {weights / K:.2f} a topic")


def pyldavis(folder):
    import pandas, pyLDAvis

    d = json.loads(exported(folder, "ldavis").read_text())
    topics = pandas.DataFrame(d["mdsDat"], index=[topic - 1 for topic in d["mdsDat"]["topics"]])
    data = pyLDAvis.PreparedData(topics, pandas.DataFrame(d["tinfo"]), pandas.DataFrame(d["token.table"]),
                                 d["R"], d["lambda.step"], d["plot.opts"], d["topic.order"])
    page = pyLDAvis.prepared_data_to_html(data)
    return f"a page of {len(page) // 1000} kB, {len(data.topic_coordinates)} topics, {len(data.token_table)} rows of terms"


def bertopic(folder):
    import ast, pandas
    from bertopic import BERTopic
    from bertopic.backend import BaseEmbedder
    from bertopic.cluster import BaseCluster
    from bertopic.dimensionality import BaseDimensionalityReduction

    place = exported(folder, "bertopic")
    d, info = (pandas.read_csv(place / f"{name}_info.csv") for name in ("document", "topic"))
    assert all(isinstance(ast.literal_eval(words), list) for words in info.Representation)
    assert info.Count.sum() == len(d) == M
    model = BERTopic(embedding_model=BaseEmbedder(), umap_model=BaseDimensionalityReduction(), hdbscan_model=BaseCluster())
    model.fit_transform(d.Document.tolist(), embeddings=None, y=d.Topic.tolist())
    found = model.get_topic_info()
    # BERTopic numbers classes by their size.
    same = sorted(found.Count) == sorted(info.Count[info.Count > 0])
    model.visualize_barchart()
    return f"a model of {len(found)} topics, of {'the same' if same else 'other'} sizes; largest: {found.Name.iloc[0]}"


def octis(folder):
    from octis.evaluation_metrics.diversity_metrics import TopicDiversity
    from octis.evaluation_metrics.topic_significance_metrics import KL_background, KL_uniform, KL_vacuous
    from octis.models.model import load_model_output

    place = exported(folder, "octis")
    output = load_model_output(place / "output.npz")
    assert output["topic-document-matrix"].shape == (K, M)
    scores = [("TopicDiversity", TopicDiversity(topk=10))]
    scores += [(of.__name__, of()) for of in (KL_uniform, KL_vacuous, KL_background)]
    named = load_model_output(place / "output.npz", place / "vocabulary.json", 10)
    assert [word for word, _ in named["topics"][0]][0] == output["topics"][0][0]
    return ", ".join(f"{name} {score.score(output):.3f}" for name, score in scores)


VIEWS = {
    "topic": f"SELECT count(topic) AS n FROM topic WHERE run_id = {RUN}",
    "top_word": f"SELECT count(word) AS n FROM top_word WHERE run_id = {RUN} AND rank <= 5",
    "document_top_topic": f"SELECT count(topic) AS n FROM document_top_topic WHERE run_id = {RUN}",
}


def datasette(_):
    from urllib.parse import urlencode

    def get(path):
        command = [sys.executable, "-m", "datasette", STORE, "--setting", "sql_time_limit_ms", "60000", "--get", path]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["rows"]

    seen = []
    for name, query in VIEWS.items():
        page = get(f"/{Path(STORE).stem}/{name}.json?_size=3&_nocount=1&run_id={RUN}")
        assert len(page) == 3, page
        found = get(f"/{Path(STORE).stem}.json?{urlencode({'sql': query, '_shape': 'objects'})}")
        seen.append(f"{name} {found[0]['n']:,}")
    return "rows by pages and queries: " + ", ".join(seen)


def duckdb(_):
    import duckdb

    connection = duckdb.connect()
    try:
        connection.execute("INSTALL sqlite")
    except duckdb.IOException:
        # Of the package duckdb-ext-sqlite, where the extension cannot be downloaded.
        import duckdb_ext

        found = next(Path(next(iter(duckdb_ext.__path__))).rglob("sqlite_scanner.duckdb_extension"))
        connection.execute(f"INSTALL '{found}'")
    connection.execute("LOAD sqlite_scanner")
    connection.execute(f"ATTACH '{STORE}' AS store (TYPE sqlite, READ_ONLY)")
    seen = [(name, connection.execute(query.replace("FROM ", "FROM store.")).fetchone()[0]) for name, query in VIEWS.items()]
    return "rows by queries: " + ", ".join(f"{name} {found:,}" for name, found in seen)


PROGRAMS = [("NumPy", "npy", numpy), ("networkx", "gephi", networkx), ("pyLDAvis", "ldavis", pyldavis),
            ("BERTopic", "bertopic", bertopic), ("OCTIS", "octis", octis), ("datasette", "the store", datasette),
            ("DuckDB", "the store", duckdb)]


def main():
    from importlib.metadata import version

    print("| program | opens | sees |\n| --- | --- | --- |", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, what, opened in PROGRAMS:
            try:
                seen = opened(folder)
            except Exception as error:  # Each of the others is still tried.
                seen = f"**failed**: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
            print(f"| {name} {version(name.lower())} | `{what}` | {seen} |", flush=True)


main()
