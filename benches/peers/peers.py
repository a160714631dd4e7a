"""What the peers are called with. Each function fits one of them to counts (documents x words) and
returns its topics (K x words, any scale), the seconds of the call that fits, and what else it tells.
"""

import json
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from environment import HERE


@dataclass(frozen=True)
class Order:
    """What to fit."""

    topics: int
    #: Passes, sweeps or updates.
    rounds: int
    threads: int
    seed: int = 1


def timed(work):
    """Seconds that `work` takes, and what it returns."""
    begun = time.perf_counter()
    result = work()
    return time.perf_counter() - begun, result


def factorised(x, order, loss, start):
    from sklearn.decomposition import NMF

    model = NMF(
        order.topics,
        init=start,
        solver="cd" if loss == "frobenius" else "mu",
        beta_loss=loss,
        max_iter=order.rounds,
        tol=0,
        random_state=order.seed,
    )
    seconds, _ = timed(lambda: model.fit(x.astype(float)))
    # What it calls the error is the root of twice the divergence.
    return model.components_, seconds, {"divergence": float(model.reconstruction_err_**2 / 2)}


def sklearn_nmf(x, order):
    return factorised(x, order, "frobenius", "nndsvda")


def sklearn_nmf_kl(x, order):
    return factorised(x, order, "kullback-leibler", "nndsvda")


def sklearn_nmf_kl_random(x, order):
    return factorised(x, order, "kullback-leibler", "random")


def has_fasttopics():
    """Whether R is there with fastTopics."""
    loads = ["Rscript", "-e", "library(fastTopics)"]
    try:
        return subprocess.run(loads, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def fasttopics(x, order, method):
    with tempfile.TemporaryDirectory() as home:
        parts = {"indptr": x.indptr, "indices": x.indices, "shape": x.shape}
        for name, numbers in parts.items():
            (Path(home) / name).write_bytes(as_bytes(numbers, "<i4"))
        (Path(home) / "data").write_bytes(as_bytes(x.data, "<f8"))
        settings = [order.topics, order.rounds, order.threads, order.seed, method]
        command = ["Rscript", HERE / "fasttopics.R", home, *settings]
        done = subprocess.run([str(part) for part in command], capture_output=True, check=True)
    told = json.loads(done.stdout.splitlines()[-1])
    return None, told["seconds"], {"divergence": told["divergence"]}


def as_bytes(numbers, kind):
    """The bytes of numbers of a kind of numpy's."""
    import numpy as np

    return np.asarray(numbers, dtype=kind).tobytes()


def fasttopics_scd(x, order):
    return fasttopics(x, order, "scd")


def fasttopics_em(x, order):
    return fasttopics(x, order, "em")


def variational(x, order, method):
    from sklearn.decomposition import LatentDirichletAllocation

    model = LatentDirichletAllocation(
        order.topics,
        learning_method=method,
        max_iter=order.rounds,
        n_jobs=order.threads,
        random_state=order.seed,
    )
    seconds, _ = timed(lambda: model.fit(x))
    return model.components_, seconds, {}


def sklearn_lda_batch(x, order):
    return variational(x, order, "batch")


def sklearn_lda_online(x, order):
    return variational(x, order, "online")


def bags(x):
    """Counts as gensim takes them, and names for the words."""
    from gensim.matutils import Sparse2Corpus

    names = {word: str(word) for word in range(x.shape[1])}
    return list(Sparse2Corpus(x, documents_columns=False)), names


def gensim_lda(x, order):
    from gensim.models import LdaModel

    corpus, names = bags(x)
    settings = {"passes": order.rounds, "random_state": order.seed}
    seconds, model = timed(lambda: LdaModel(corpus, order.topics, names, **settings))
    return model.get_topics(), seconds, {}


def gensim_lda_multicore(x, order):
    from gensim.models import LdaMulticore

    corpus, names = bags(x)
    settings = {"passes": order.rounds, "random_state": order.seed, "workers": order.threads}
    seconds, model = timed(lambda: LdaMulticore(corpus, order.topics, names, **settings))
    return model.get_topics(), seconds, {}


def gensim_nmf(x, order):
    from gensim.models import Nmf

    corpus, names = bags(x)
    settings = {"passes": order.rounds, "random_state": order.seed}
    seconds, model = timed(lambda: Nmf(corpus, order.topics, names, **settings))
    return model.get_topics(), seconds, {}


def tomotopy_lda(x, order, beta=0.01, averaged=1):
    """Topics of the last sweep, or the mean of the last `averaged` ones, as lda-gibbs has them."""
    import numpy as np
    import tomotopy

    model = tomotopy.LDAModel(k=order.topics, seed=order.seed, eta=beta)
    for row in range(x.shape[0]):
        words = slice(x.indptr[row], x.indptr[row + 1])
        model.add_doc(np.repeat(x.indices[words], x.data[words]).astype(str).tolist())
    model.train(0, workers=order.threads)
    places = [int(word) for word in model.used_vocabs]
    topics = np.zeros((order.topics, x.shape[1]))

    def train():
        model.train(order.rounds - averaged, workers=order.threads)
        for _ in range(averaged):
            model.train(1, workers=order.threads)
            for topic in range(order.topics):
                topics[topic, places] += model.get_topic_word_dist(topic) / averaged

    seconds, _ = timed(train)
    return topics, seconds, {"log_likelihood": float(model.ll_per_word)}


def tomotopy_lda_averaged(x, order):
    return tomotopy_lda(x, order, averaged=max(1, order.rounds // 10))


def tomotopy_lda_05(x, order):
    return tomotopy_lda(x, order, beta=0.05)


def anchortopics_otfr(x, order):
    from anchortopics import OTFR

    model = OTFR(n_topics=order.topics, max_iter=order.rounds, random_state=order.seed)
    seconds, _ = timed(lambda: model.fit(x.astype(float)))
    return model.components_, seconds, {}


#: By name: the function, what tables call it, and what a round of it is.
PEERS = {
    "sklearn-nmf": (sklearn_nmf, "scikit-learn NMF", "update"),
    "sklearn-nmf-kl": (sklearn_nmf_kl, "scikit-learn NMF KL", "update"),
    "sklearn-nmf-kl-random": (sklearn_nmf_kl_random, "scikit-learn NMF KL, random start", "update"),
    "fasttopics-scd": (fasttopics_scd, "fastTopics SCD, random start", "update"),
    "fasttopics-em": (fasttopics_em, "fastTopics EM, random start", "update"),
    "sklearn-lda-batch": (sklearn_lda_batch, "scikit-learn LDA batch", "pass"),
    "sklearn-lda-online": (sklearn_lda_online, "scikit-learn LDA online", "pass"),
    "gensim-lda": (gensim_lda, "gensim LdaModel", "pass"),
    "gensim-lda-multicore": (gensim_lda_multicore, "gensim LdaMulticore", "pass"),
    "gensim-nmf": (gensim_nmf, "gensim Nmf", "pass"),
    "anchortopics": (anchortopics_otfr, "anchortopics OTFR", "iteration"),
    "tomotopy-lda": (tomotopy_lda, "tomotopy LDA", "sweep"),
    "tomotopy-lda-averaged": (tomotopy_lda_averaged, "tomotopy LDA averaged", "sweep"),
    "tomotopy-lda-05": (tomotopy_lda_05, "tomotopy LDA, β = .05", "sweep"),
}


def title(peer, rounds):
    """What tables call a peer with so many rounds."""
    _, name, unit = PEERS[peer]
    several = "es" if unit.endswith("s") else "s"
    return f"{name}, {rounds} {unit}{several if rounds > 1 else ''}"
