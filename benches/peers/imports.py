"""imports.py TOPOI FOLDER [CLASSPATH]: topics of other programs, imported by the files that people have of them.

Fits each program to the sample texts, saves what its pages say to save, imports that with TOPOI into a store in FOLDER and prints how far
the run's topics are from the program's, over the words that both have: the largest difference of a probability. CLASSPATH is that of MALLET.

    pip install gensim scikit-learn tomotopy pandas plotly tqdm pyyaml && pip install --no-deps bertopic
"""
import json, re, subprocess, sys
from pathlib import Path
import numpy as np
import pandas as pd

TOPOI, FOLDER = sys.argv[1], Path(sys.argv[2])
MALLET = sys.argv[3] if len(sys.argv) > 3 else None
SAMPLE = Path(__file__).resolve().parents[2] / "sample_corpora" / "eight_subjects.jsonl"
K = 8
FOLDER.mkdir(parents=True, exist_ok=True)
records = [json.loads(line) for line in SAMPLE.open()]
docs = [record["text"] for record in records]
tokens = [re.findall(r"[a-z]{3,}", doc.lower()) for doc in docs]


def ask(*words):
    command = [TOPOI, "--store", str(FOLDER / "imports.db"), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return done


def rows(query):
    return json.loads(ask("sql", query, "-o", "json").stdout)


def imported(file, of, *more):
    """The run's number, and what the import said."""
    done = ask("import", file, "--corpus", "sample", "--from", of, "--refine", 0, *more, "-o", "json")
    return json.loads(done.stdout)["run"], done.stderr.strip()


def topics_of(run):
    """Topic by word."""
    found = pd.DataFrame(rows(f"SELECT topic, word, probability AS p FROM topic_word WHERE run_id = {run}"))
    return found.pivot(index="topic", columns="word", values="p").fillna(0.0)


def difference(run, theirs, words):
    """The largest one of probabilities, theirs over the words of the run alone."""
    ours = topics_of(run)
    theirs = pd.DataFrame(np.asarray(theirs), columns=list(words)).reindex(columns=ours.columns, fill_value=0.0)
    theirs = theirs.div(theirs.sum(axis=1), axis=0)
    return float(np.abs(ours.to_numpy() - theirs.to_numpy()).max())


def report(name, file, run, miss):
    outside = rows(f"SELECT value FROM metric WHERE run_id = {run} AND name = 'outside_vocabulary' AND topic IS NULL")
    outside = f"{outside[0]['value']:.3f}" if outside else ""
    k = rows(f"SELECT count(*) AS k FROM topic WHERE run_id = {run}")[0]["k"]
    print(f"| {name} | `{file}` | {k} | {outside} | {miss:.0e} |", flush=True)


def array(name, topics, words, file):
    np.save(FOLDER / file, topics)
    (FOLDER / "features.txt").write_text("\n".join(words))
    run, _ = imported(FOLDER / file, "npy", "--vocab", FOLDER / "features.txt")
    report(name, file, run, difference(run, topics, words))


def gensim():
    import gensim
    from gensim.corpora import Dictionary
    from gensim.models import LdaModel, Nmf

    dictionary = Dictionary(tokens)
    corpus = [dictionary.doc2bow(words) for words in tokens]
    words = [dictionary[number] for number in range(len(dictionary))]
    for model in (LdaModel, Nmf):
        fitted = model(corpus, id2word=dictionary, num_topics=K, passes=5, random_state=1)
        array(f"gensim {gensim.__version__} {model.__name__}", fitted.get_topics(), words, f"gensim-{model.__name__}.npy")


def scikit_learn():
    import sklearn
    from sklearn.decomposition import NMF, LatentDirichletAllocation
    from sklearn.feature_extraction.text import CountVectorizer

    vectorizer = CountVectorizer(stop_words="english")
    x = vectorizer.fit_transform(docs)
    for model in (LatentDirichletAllocation(K, random_state=1), NMF(K, random_state=1)):
        fitted = model.fit(x)
        name = type(model).__name__
        words = vectorizer.get_feature_names_out()
        array(f"scikit-learn {sklearn.__version__} {name}", fitted.components_, words, f"sklearn-{name}.npy")


def tomotopy():
    import tomotopy

    model = tomotopy.LDAModel(k=K, seed=1)
    for words in tokens:
        model.add_doc(words)
    model.train(200, workers=1)
    topics = np.array([model.get_topic_word_dist(topic) for topic in range(model.k)])
    array(f"tomotopy {tomotopy.__version__} LDA", topics, list(model.used_vocabs), "tomotopy.npy")


def bertopic():
    import bertopic
    from bertopic.backend import BaseEmbedder
    from bertopic.dimensionality import BaseDimensionalityReduction
    from sklearn.cluster import HDBSCAN, KMeans
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.preprocessing import normalize

    x = TfidfVectorizer(stop_words="english", min_df=2).fit_transform(docs)
    vectors = normalize(TruncatedSVD(10, random_state=1).fit_transform(x))
    for cluster in (KMeans(K, random_state=1, n_init=3), HDBSCAN(min_cluster_size=8)):
        model = bertopic.BERTopic(
            embedding_model=BaseEmbedder(),
            umap_model=BaseDimensionalityReduction(),
            hdbscan_model=cluster,
        )
        model.fit(docs, embeddings=vectors)
        name = type(cluster).__name__
        file = FOLDER / f"bertopic-{name}.csv"
        model.get_document_info(docs).to_csv(file)
        run, said = imported(file, "document-topics-csv")
        print(f"{name}: {said.splitlines()[0]}", file=sys.stderr)
        # What is counted in the documents of a class, and β.
        ours = topics_of(run)
        counts = pd.DataFrame(rows(
            "SELECT document.key AS key, coalesce(form, term.text) AS word, triple.count AS n FROM triple "
            "JOIN document ON document.id = triple.document_id JOIN term ON term.id = triple.term_id"
        ))
        outliers = max(model.topics_) + 1
        topic_of = {record["id"]: topic if topic >= 0 else outliers for record, topic in zip(records, model.topics_)}
        counts["topic"] = counts.key.map(topic_of)
        theirs = counts.pivot_table(index="topic", columns="word", values="n", aggfunc="sum").reindex(columns=ours.columns)
        theirs = theirs.fillna(0.0) + 0.01
        theirs = theirs.div(theirs.sum(axis=1), axis=0)
        miss = float(np.abs(ours.to_numpy() - theirs.to_numpy()).max())
        report(f"BERTopic {bertopic.__version__}, {name}", file.name, run, miss)
        # Its own words of a topic are among the run's: those of a class, ranked by tf·idf.
        own = [len({w for w, _ in model.get_topic(t)} & set(ours.loc[t].nlargest(30).index)) for t in range(outliers)]
        print(f"{name}: of 10 words of BERTopic, {min(own)} to {max(own)} are among a topic's 30", file=sys.stderr)


def mallet():
    def java(tool, **options):
        words = [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", str(value))]
        subprocess.run(["java", "-cp", MALLET, f"cc.mallet.{tool}", *words], check=True, capture_output=True)

    lines = "".join(f"{record['id']}\tx\t{' '.join(record['text'].split())}\n" for record in records)
    (FOLDER / "mallet.txt").write_text(lines)
    at = {name: FOLDER / f"mallet-{name}" for name in ("docs", "state.gz", "weights.txt", "keys.txt", "doc-topics.txt")}
    java("classify.tui.Csv2Vectors", input=FOLDER / "mallet.txt", output=at["docs"], keep_sequence="TRUE")
    java(
        "topics.tui.TopicTrainer",
        input=at["docs"],
        num_topics=K,
        num_iterations=300,
        random_seed=1,
        output_state=at["state.gz"],
        topic_word_weights_file=at["weights.txt"],
        output_topic_keys=at["keys.txt"],
        output_doc_topics=at["doc-topics.txt"],
    )
    weights = pd.read_csv(at["weights.txt"], sep="\t", names=["topic", "word", "weight"], keep_default_na=False)
    weights = weights.pivot(index="topic", columns="word", values="weight").fillna(0.0)
    for name, of in (("state.gz", "mallet-state"), ("weights.txt", "mallet-weights")):
        run, _ = imported(at[name], of)
        report("MALLET 2.1.1", at[name].name, run, difference(run, weights.to_numpy(), weights.columns))
    for name in ("keys.txt", "doc-topics.txt"):
        command = [TOPOI, "--store", FOLDER / "imports.db", "import", at[name], "--corpus", "sample", "--from", "mallet-weights"]
        print(subprocess.run(command, capture_output=True, text=True).stderr.strip(), file=sys.stderr)


ask("ingest", "sample", SAMPLE)
print("| program | file | topics | outside the vocabulary | largest difference |")
print("| --- | --- | ---: | ---: | ---: |", flush=True)
for program in (gensim, scikit_learn, tomotopy, bertopic, *([mallet] if MALLET else [])):
    program()
