"""Topics of other programs, by their real models where these are installed."""

import pytest

import topoi

from conftest import SUBJECTS, rows
from test_runs import plain


def texts():
    return [row["text"].split() for row in rows()]


def subjects_of(run):
    """The subject that the five first words of each topic are of; None for a topic of several."""
    found = []
    for topic in plain(run.topics(n=5)):
        words = set(topic["words"].split())
        found.append(next((name for name, own in SUBJECTS.items() if words <= set(own.split())), None))
    return found


def test_an_array_is_a_run_with_its_topics(corpus):
    numpy = pytest.importorskip("numpy")
    words = [word for own in SUBJECTS.values() for word in own.split()]
    array = numpy.array([[5.0 if word in own.split() else 0.0 for word in words] for own in SUBJECTS.values()])
    run = corpus.import_model(array, vocabulary=words)
    assert run.model == "imported" and subjects_of(run) == list(SUBJECTS)
    assert all(word["probability"] == pytest.approx(0.1, abs=1e-6) for word in plain(run.words(0, n=10)))
    assert run.metrics["documents_used"] == 90
    for wrong, vocabulary, said in [
        (array, None, "the model does not know its words"),
        (array, words[:-1], "the topics have 30 words, but 29 are named"),
        (-array, words, "topics have weights below 0"),
        ("lda", words, "builtins.str is no model that can be imported"),
    ]:
        with pytest.raises(topoi.Error, match=said):
            corpus.import_model(wrong, vocabulary=vocabulary)


@pytest.mark.filterwarnings("ignore")
def test_a_model_of_scikit_learn(corpus):
    decomposition = pytest.importorskip("sklearn.decomposition")
    text = pytest.importorskip("sklearn.feature_extraction.text")
    vectorizer = text.CountVectorizer()
    counts = vectorizer.fit_transform(row["text"] for row in rows())
    model = decomposition.NMF(3, random_state=1, init="nndsvda").fit(counts)
    run = corpus.import_model(model, vectorizer.get_feature_names_out())
    assert sorted(subjects_of(run)) == sorted(SUBJECTS)


@pytest.mark.filterwarnings("ignore")
def test_a_model_of_tomotopy(corpus):
    tomotopy = pytest.importorskip("tomotopy")
    model = tomotopy.LDAModel(k=3, seed=1)
    for words in texts():
        model.add_doc(words)
    model.train(200, workers=1)
    run = corpus.import_model(model)
    assert sorted(subjects_of(run)) == sorted(SUBJECTS)
    first = dict(model.get_topic_words(0, top_n=3))
    ours = {word["word"]: word["probability"] for word in plain(run.words(0, n=10))}
    assert all(ours[word] == pytest.approx(share, rel=1e-3) for word, share in first.items())


@pytest.mark.filterwarnings("ignore")
def test_a_model_of_gensim(corpus):
    gensim = pytest.importorskip("gensim")
    dictionary = gensim.corpora.Dictionary(texts())
    bags = [dictionary.doc2bow(words) for words in texts()]
    model = gensim.models.LdaModel(bags, id2word=dictionary, num_topics=3, passes=20, random_state=1)
    run = corpus.import_model(model)
    assert sum(subject is not None for subject in subjects_of(run)) >= 2


def test_topics_of_documents_as_bertopic_has_them(corpus):
    """A model with the two attributes of a fitted BERTopic that are read; benches/peers/imports.py has the real one."""

    class Clustered:
        topics_ = [at % 3 for at in range(90)]

        def get_topic_info(self):
            raise AssertionError("not needed")

    run = corpus.import_model(Clustered())
    assert subjects_of(run) == list(SUBJECTS)
    Clustered.topics_ = [0, 1]
    with pytest.raises(topoi.Error, match="the model has 2 documents and corpus three 90"):
        corpus.import_model(Clustered())


def test_vectors_find_documents_and_make_clusters(corpus, tmp_path):
    numpy = pytest.importorskip("numpy")
    # Three directions, and a little of others.
    chance = numpy.random.default_rng(1)
    vectors = numpy.eye(8)[numpy.arange(90) % 3] + 0.05 * chance.standard_normal((90, 8))
    backwards = [row["id"] for row in rows()][::-1]
    corpus.add_vectors(vectors[::-1], keys=backwards)
    found = plain(corpus.similar("d0", n=5, by="vectors"))
    assert len(found) == 5 and all(int(row["key"][1:]) % 3 == 0 for row in found)
    assert len(plain(corpus.similar("d0", n=5))) == 5
    run = corpus.clusters(vectors, k=3)
    assert sorted(subjects_of(run)) == sorted(SUBJECTS)
    assert run.plot(map=True).svg.startswith("<svg")
    with pytest.raises(topoi.Error, match="nobody"):
        corpus.add_vectors(vectors[:1], keys=["nobody"])
    vectors[3] = 0
    with pytest.raises(topoi.Error, match="row 3"):
        corpus.add_vectors(vectors)
