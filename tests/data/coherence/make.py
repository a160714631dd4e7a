"""Makes corpus.txt, topics.txt and tools.json: what other tools say of some topics of a corpus.

    python make.py SEMANTIC_COHERENCE_R EVALUATE_METRICS_M

needs gensim and tomotopy, Rscript with the package slam, and octave-cli. The arguments are
R/semanticCoherence.R of github.com/bstewart/stm (commit 0097848) and
codes/+evaluation/evaluateMetrics.m of github.com/moontae/JSMF (commit 2b94caa), whose functions
`semCoh1beta` and `clusterCoherence` are called as they are.

corpus.txt has a document a line: the eight subjects' words of four letters or more, eight texts
to a document, so that documents are longer than C_V's 110 tokens and words repeat in windows;
then texts by themselves and the first words of some, shorter than the windows. The topics are the
most frequent words of five subjects: they share words, which matters to stm.
"""

import collections
import json
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import gensim
import numpy as np
import tomotopy
from gensim.corpora import Dictionary
from gensim.models import CoherenceModel

HERE = Path(__file__).parent
SUBJECTS = ["sailing", "gardening", "medicine", "music", "economics"]
TOP = 20
# OCTIS's `Coherence(measure="c_npmi")` is gensim's with so many words.
OCTIS_TOP = 10


def write_corpus():
    lines = (HERE / "../../../sample_corpora/eight_subjects.jsonl").read_text().splitlines()
    of_subject = collections.defaultdict(list)
    for document in sorted(map(json.loads, lines), key=lambda document: document["id"]):
        words = re.findall("[a-z]{4,}", document["text"].lower())
        of_subject[document["subject"]].append(words)
    documents = []
    for texts in of_subject.values():
        documents += [sum(texts[first : first + 8], []) for first in range(0, 24, 8)]
        documents += texts[24:30]
        documents += [text[:length] for text, length in zip(texts[30:], (3, 9))]
    topics = []
    for subject in SUBJECTS:
        counts = collections.Counter(sum(of_subject[subject], []))
        ranked = sorted(counts, key=lambda word: (-counts[word], word))
        topics.append(ranked[:TOP])
    for name, lists in ("corpus.txt", documents), ("topics.txt", topics):
        (HERE / name).write_text("".join(" ".join(words) + "\n" for words in lists))
    return documents, topics


def of_gensim(documents, topics, measure, processes, top=TOP):
    dictionary = Dictionary(documents)
    corpus = [dictionary.doc2bow(document) for document in documents]
    model = CoherenceModel(
        topics=topics, texts=documents, corpus=corpus, dictionary=dictionary,
        coherence=measure, topn=top, processes=processes,
    )
    per_topic = model.get_coherence_per_topic()
    return {"topics": [float(x) for x in per_topic], "run": float(model.get_coherence())}


def of_tomotopy(documents, topics, measure):
    corpus = tomotopy.utils.Corpus()
    for document in documents:
        corpus.add_doc(document)
    measure = tomotopy.coherence.Coherence(
        corpus, coherence=measure, top_n=TOP, targets=sorted(set(sum(topics, []))),
    )
    per_topic = [float(measure.get_score(words=words)) for words in topics]
    return {"topics": per_topic, "run": float(np.mean(per_topic))}


def matrices(documents, topics):
    """Counts (documents × words) and B (words × topics) that falls with the rank."""
    words = sorted(set(sum(documents, [])))
    number = {word: n for n, word in enumerate(words)}
    counts = np.zeros((len(documents), len(words)), dtype=int)
    for row, document in zip(counts, documents):
        for word in document:
            row[number[word]] += 1
    b = np.zeros((len(words), len(topics)))
    for column, topic in enumerate(topics):
        for rank, word in enumerate(topic):
            b[number[word], column] = TOP - rank
    return counts, b


STM = """
source(commandArgs(TRUE)[1])
folder <- commandArgs(TRUE)[2]
counts <- as.matrix(read.csv(file.path(folder, "counts.csv"), header = FALSE))
b <- as.matrix(read.csv(file.path(folder, "b.csv"), header = FALSE))
scores <- semCoh1beta(slam::as.simple_triplet_matrix(counts), 10, t(b))
cat(sprintf("%.17g", scores), sep = "\\n")
"""

JSMF = """
counts = csvread([argv(){1} "/counts.csv"]) > 0;
B = csvread([argv(){1} "/b.csv"]);
D2 = double(counts') * double(counts);
D1 = diag(D2);
for k = 1:columns(B)
    printf("%.17g\\n", clusterCoherence(B(:, k), D1, D2, 20));
end
"""


def of_programs(documents, topics, stm_source, jsmf_source):
    counts, b = matrices(documents, topics)
    function = re.search(
        r"function \[value, stdev\] = clusterCoherence.*?\nend\n", Path(jsmf_source).read_text(), re.S
    ).group()
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(f"{folder}/counts.csv", counts, fmt="%d", delimiter=",")
        np.savetxt(f"{folder}/b.csv", b, fmt="%g", delimiter=",")
        Path(f"{folder}/stm.R").write_text(STM)
        Path(f"{folder}/jsmf.m").write_text("1;\n" + function + JSMF)
        commands = {
            "stm": ["Rscript", f"{folder}/stm.R", stm_source, folder],
            "jsmf": ["octave-cli", "--quiet", f"{folder}/jsmf.m", folder],
        }
        for name, command in commands.items():
            output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            scores = [float(line) for line in output.split()]
            yield name, {"topics": scores, "run": float(np.mean(scores))}


def version_of(*command):
    output = subprocess.run(command, check=True, capture_output=True, text=True)
    return (output.stdout + output.stderr).splitlines()[0]


def main():
    documents, topics = write_corpus()
    scores = {}
    names = {"umass": "u_mass", "uci": "c_uci", "npmi": "c_npmi", "cv": "c_v"}
    for name, measure in names.items():
        scores[f"{name}@gensim"] = of_gensim(documents, topics, measure, processes=1)
        parallel = of_gensim(documents, topics, measure, processes=2)
        assert np.allclose(parallel["topics"], scores[f"{name}@gensim"]["topics"], atol=1e-12)
        scores[f"{name}, tomotopy"] = of_tomotopy(documents, topics, measure)
    scores["npmi@octis"] = of_gensim(documents, topics, "c_npmi", processes=1, top=OCTIS_TOP)
    for name, values in of_programs(documents, topics, *sys.argv[1:3]):
        scores[f"umass@{name}"] = values
    made_with = {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "gensim": gensim.__version__,
        "tomotopy": tomotopy.__version__,
        "R": version_of("Rscript", "--version"),
        "octave": version_of("octave-cli", "--version"),
        "stm": "semCoh1beta of bstewart/stm 00978483b714221bd3df863611eb288dab203939",
        "jsmf": "clusterCoherence of moontae/JSMF 2b94caa12e8c5feeb66ffe79724d2a6e933ab11a",
    }
    record = {"made_with": made_with, "scores": scores}
    (HERE / "tools.json").write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
