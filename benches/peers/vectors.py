"""vectors.py TOPOI FOLDER CORPORA: topics by clusters of embeddings beside topics of words, and the seconds of k-means.

Embeds texts with the small model that comes inside the package wordllama, so that nothing is downloaded, imports the vectors with TOPOI into a
store in FOLDER, and prints for each corpus (bbc_news.tsv and agnews.jsonl.gz of CORPORA) NPMI, distinct words, and normalised mutual information with
the labels of the default's topics, of a run of clusters, of its clusters themselves and of scikit-learn's KMeans; how many of the five nearest documents have
the label of a document, by vectors and by topics. Then the seconds of k-means for 100,000 made vectors of 384 dimensions.

    pip install numpy scikit-learn faiss-cpu wordllama
"""
import gzip, json, subprocess, sys, time
from pathlib import Path
import numpy as np
import wordllama
from sklearn.cluster import KMeans
from sklearn.metrics import normalized_mutual_info_score as nmi
from sklearn.preprocessing import normalize

TOPOI, FOLDER, CORPORA = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
SEED = 1
NEAREST = 5
FOLDER.mkdir(parents=True, exist_ok=True)


def ask(*words):
    done = subprocess.run([TOPOI, "--store", str(FOLDER / "vectors.db"), *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return done.stdout


def rows(query):
    return json.loads(ask("sql", query, "-o", "json"))


def bbc():
    for number, line in enumerate((CORPORA / "bbc_news.tsv").read_text().splitlines()):
        text, _, label = line.split("\t")[:3]
        yield f"d{number}", text, label


def ag_news():
    with gzip.open(CORPORA / "agnews.jsonl.gz", "rt") as lines:
        for number, line in enumerate(lines):
            record = json.loads(line)
            yield f"d{number}", record["text"], record["label"]


def made(n, d, k):
    """Vectors around k directions."""
    draws = np.random.default_rng(SEED)
    centres = draws.standard_normal((k, d))
    vectors = centres[draws.integers(k, size=n)] + 2.0 * draws.standard_normal((n, d))
    return normalize(vectors).astype(np.float32)


def stage(run, name):
    return rows(f"SELECT seconds FROM run_stage WHERE run_id = {run} AND name = '{name}'")[0]["seconds"]


def scores(name, run, label_of):
    found = rows(f"SELECT name, value FROM metric WHERE run_id = {run} AND topic IS NULL AND name IN ('npmi', 'topic_diversity')")
    metric = {row["name"]: row["value"] for row in found}
    tops = rows(f"SELECT key, topic FROM document_top_topic JOIN document ON document.id = document_id WHERE run_id = {run}")
    agreement = nmi([label_of[row["key"]] for row in tops], [row["topic"] for row in tops])
    print(f"| {name} | {metric['npmi']:.3f} | {metric['topic_diversity']:.2f} | {agreement:.3f} |", flush=True)


def like(vectors, labels):
    """The share of the nearest documents that have the label of a document, by cosine."""
    vectors, labels = normalize(vectors), np.asarray(labels)
    same = []
    for start in range(0, len(vectors), 500):
        near = vectors[start:start + 500] @ vectors.T
        near[np.arange(len(near)), np.arange(start, start + len(near))] = -2.0
        nearest = np.argpartition(-near, NEAREST, axis=1)[:, :NEAREST]
        same.append(labels[nearest] == labels[start:start + 500, None])
    return np.concatenate(same).mean()


def corpus(name, documents):
    records = list(documents())
    keys, texts, labels = zip(*records)
    label_of = dict(zip(keys, labels))
    model = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
    begun = time.perf_counter()
    vectors = model.embed(list(texts)).astype(np.float32)
    print(f"\n{name}: {len(texts):,} documents, {vectors.shape[1]} dimensions, embedded in {time.perf_counter() - begun:.1f} s\n")
    # A text without a known word has no direction.
    is_known = np.linalg.norm(vectors, axis=1) > 0
    source = FOLDER / f"{name}.jsonl"
    source.write_text("".join(json.dumps({"id": key, "text": text, "label": label}) + "\n" for key, text, label in records))
    np.save(FOLDER / f"{name}.npy", vectors[is_known])
    (FOLDER / "keys.txt").write_text("\n".join(np.asarray(keys)[is_known]))
    ask("ingest", name, source)
    print("| topics | NPMI | distinct | NMI |\n| --- | --- | --- | --- |")
    for k in (20, 50):
        run = json.loads(ask("run", name, "-k", k, "--seed", SEED, "-o", "json"))["run"]
        scores(f"words, K = {k}", run, label_of)
        if k == 20:
            theta = rows(f"SELECT document_id, topic, proportion FROM document_topic "
                         f"WHERE run_id = {run}")
            key_of = {row["id"]: row["key"] for row in rows(f"SELECT document.id, key FROM document JOIN corpus ON corpus.id = corpus_id WHERE name = '{name}'")}
            order = {number: at for at, number in enumerate(sorted({row["document_id"] for row in theta}))}
            proportions = np.zeros((len(order), k))
            for row in theta:
                proportions[order[row["document_id"]], row["topic"]] = row["proportion"]
        ask("import", FOLDER / f"{name}.npy", "--corpus", name, "--from", "embeddings", "-k", k, "--seed", SEED)
        clusters = rows("SELECT max(id) AS run FROM run")[0]["run"]
        scores(f"clusters of vectors, K = {k}", clusters, label_of)
        begun = time.perf_counter()
        theirs = KMeans(k, n_init=3, random_state=SEED).fit(normalize(vectors[is_known]))
        seconds = time.perf_counter() - begun
        known = np.asarray(labels)[is_known]
        print(f"| scikit-learn's clusters alone, {seconds:.1f} s (here {stage(clusters, 'clusters'):.1f} s) | | | {nmi(known, theirs.labels_):.3f} |")
    print(f"\nThe nearest {NEAREST} documents have the same label: by vectors {like(vectors[is_known], known):.3f}, ", end="")
    print(f"by proportions of 20 topics {like(np.sqrt(proportions), [label_of[key_of[number]] for number in order]):.3f}")


def seconds_of_clusters(n=100_000, d=384, k=50):
    import faiss

    vectors = made(n, d, k)
    np.save(FOLDER / "made.npy", vectors)
    (FOLDER / "keys.txt").write_text("\n".join(f"m{number}" for number in range(n)))
    source = FOLDER / "made.jsonl"
    draws = np.random.default_rng(SEED)
    words = [f"w{chr(97 + a)}{chr(97 + b)}" for a in range(26) for b in range(26)]
    with source.open("w") as out:
        for number in range(n):
            out.write(json.dumps({"id": f"m{number}", "text": " ".join(draws.choice(words, 8))}) + "\n")
    ask("ingest", "made", source)
    begun = time.perf_counter()
    ask("import", FOLDER / "made.npy", "--corpus", "made", "--from", "embeddings")
    kept = time.perf_counter() - begun
    ask("import", FOLDER / "made.npy", "--corpus", "made", "--from", "embeddings", "-k", k, "--refine", 0, "--seed", SEED)
    run = rows("SELECT max(id) AS run FROM run")[0]["run"]
    print(f"\n{n:,} vectors of {d} dimensions, K = {k}, three starts; the mean cosine with the centre\n")
    print("| program | seconds | cosine |\n| --- | --- | --- |")
    ours = rows(f"SELECT value FROM metric WHERE run_id = {run} AND name = 'cluster_cosine'")[0]["value"]
    print(f"| topoi (import of the vectors {kept:.1f} s) | {stage(run, 'clusters'):.1f} | {ours:.4f} |", flush=True)
    begun = time.perf_counter()
    theirs = KMeans(k, n_init=3, random_state=SEED).fit(vectors)
    seconds = time.perf_counter() - begun
    centres = normalize(theirs.cluster_centers_)
    print(f"| scikit-learn, KMeans | {seconds:.1f} | {np.einsum('ij,ij->i', vectors, centres[theirs.labels_]).mean():.4f} |", flush=True)
    begun = time.perf_counter()
    spherical = faiss.Kmeans(d, k, niter=100, nredo=3, spherical=True, seed=SEED, max_points_per_centroid=n)
    spherical.train(vectors)
    seconds = time.perf_counter() - begun
    cosines, _ = spherical.index.search(vectors, 1)
    print(f"| Faiss, spherical, 100 rounds | {seconds:.1f} | {cosines.mean():.4f} |")


corpus("bbc", bbc)
corpus("ag_news", ag_news)
seconds_of_clusters()
