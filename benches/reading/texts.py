"""A corpus in a store, with the counts of all its words: what scores of word lists need beside coherence."""

import json
import sqlite3

import numpy as np
import scipy.sparse

from kinds import Corpus, Kind

#: Messages of presidents, cut up by books_and_speeches.py; in kinds.py they are whole, 233 texts.
PIECES_OF_MESSAGES = Kind("pieces of messages", "messages.jsonl")

#: Metrics of a run, as `topoi metrics` names them.
METRICS = ["npmi", "npmi@octis", "cv", "topic_diversity", "topic_diversity_10"]
#: Of BM25.
K1, B = 1.2, 0.75
TERMS = "SELECT id, text FROM term WHERE corpus_id = (SELECT id FROM corpus WHERE name = ?)"
DOCUMENTS = (
    "SELECT id, counts FROM document JOIN document_counts ON document_id = id "
    "WHERE corpus_id = (SELECT id FROM corpus WHERE name = ?) ORDER BY id"
)
LARGEST = "SELECT document_id, topic FROM document_top_topic WHERE run_id = ?"


class Texts:
    """A corpus of `kinds` in a store of its own."""

    def __init__(self, options, kind, home):
        corpus = Corpus(options, kind, home)
        self.topoi, self.name = corpus.topoi, corpus.name
        #: Words of the vocabulary that its runs have, by position.
        self.vocabulary = corpus.words
        terms = self.rows(TERMS, self.name)
        row = {str(term): at for at, (term, _) in enumerate(terms)}
        #: Rows of the counts by word.
        self.row = {text: at for at, (_, text) in enumerate(terms)}
        self.documents, ends, rows, counts = [], [0], [], []
        for document, of_document in self.rows(DOCUMENTS, self.name):
            self.documents.append(document)
            for term, count in json.loads(of_document).items():
                rows.append(row[term])
                counts.append(count)
            ends.append(len(rows))
        shape = (len(row), len(self.documents))
        table = scipy.sparse.csc_matrix((np.array(counts, float), rows, ends), shape=shape).tocsr()
        self.tokens = np.asarray(table.sum(axis=0)).ravel()
        #: Documents that have the word.
        self.frequency = np.asarray((table > 0).sum(axis=1)).ravel()
        self.weights = bm25(table, self.tokens, self.frequency)

    def rows(self, query, *parameters):
        """The rows of a query of the store."""
        uri = f"file:{self.topoi.store}?mode=ro"
        connection = sqlite3.connect(uri, uri=True)
        try:
            return connection.execute(query, parameters).fetchall()
        finally:
            connection.close()

    def largest(self, run):
        """The largest topic of each document, −1 of those that the run did not use."""
        largest = dict(self.rows(LARGEST, run))
        return np.array([largest.get(document, -1) for document in self.documents])

    def listed(self, run, ranking, words=10):
        """The first words of the topics by a ranking, by topic."""
        asked = ["topics", run, "--rank", ranking, "--words", words, "--output", "json"]
        topics = json.loads(self.topoi.call(*asked))
        return {topic["topic"]: [word["word"] for word in topic["words"]] for topic in topics}

    def metrics(self, run, ranking="probability"):
        """Coherence and distinct words by a ranking."""
        asked, behind = [], ""
        if ranking != "probability":
            asked, behind = ["--rank", ranking], f"@{ranking}"
        asked = ["metrics", run, *asked, "--variants", "npmi@octis", "--output", "json"]
        found = {metric["name"]: metric["value"] for metric in json.loads(self.topoi.call(*asked))}
        return {name: found[name + behind] for name in METRICS}

    def scores(self, lists, largest):
        """Of the topics' first words: `common`, the share of topics whose first word is in more than a third of
        the documents, and `found`, the mean average precision of a search for the words of topic k (BM25), where
        the documents to find are those whose largest topic is k.
        """
        used = largest >= 0
        common, found = [], []
        for topic, words in lists.items():
            rows = [self.row[word] for word in words]
            common.append(self.frequency[rows[0]] > used.sum() / 3)
            score = np.asarray(self.weights[rows].sum(axis=0)).ravel()[used]
            precision = average_precision(score, largest[used] == topic)
            if precision is not None:
                found.append(precision)
        return {"common": float(np.mean(common)), "found": float(np.mean(found))}

    def length(self, largest):
        """Mean tokens of the documents that a run used."""
        return float(self.tokens[largest >= 0].mean())

    def delete(self, run):
        self.topoi.call("delete", run, "--kind", "run", "--yes")


def bm25(table, tokens, frequency):
    """The weights of words (rows) in documents (columns)."""
    part = K1 * (1 - B + B * tokens / tokens.mean())
    entries = table.tocoo()
    rarity = np.log(1 + (table.shape[1] - frequency + 0.5) / (frequency + 0.5))
    weights = rarity[entries.row] * entries.data * (K1 + 1) / (entries.data + part[entries.col])
    return scipy.sparse.csr_matrix((weights, (entries.row, entries.col)), shape=table.shape)


def average_precision(score, is_relevant):
    """Of documents by falling score; None where none is relevant."""
    ranks = np.flatnonzero(is_relevant[np.argsort(-score, kind="stable")]) + 1
    if not len(ranks):
        return None
    return float(np.mean(np.arange(1, len(ranks) + 1) / ranks))
