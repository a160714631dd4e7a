"""The work of each stage of a run of `lr-jsmf` or `palm`: flops done and bytes moved, derived from the code.

papers/roofline.md has the formulas and where they come from. Everything that a run decides (passes,
iterations, sweeps, how many documents and words it used) is read from what it saved; what the code
decides is a constant here, named as there.
"""

import json
from dataclasses import dataclass
from math import ceil

#: Columns of a pass of "factorise", and pairs beyond K (src/model/jsmf/mod.rs).
BLOCK, OVERSAMPLING = 32, 10
#: The basis is cut back at so many times K + 10 columns (src/linalg/block_krylov.rs).
GROWTH = 8
#: Stripes are half as wide from so many words on (src/stream/product.rs).
WIDE = 8192
#: Entries of a panel of rows of C, panels that are enough, triples added together
#: (src/stream/cooccurrence/row_panels.rs).
PANEL_ENTRIES, ENOUGH_PANELS, TOGETHER = (1 << 21, 1 << 23), 48, 1 << 20
#: Numbers in a row of B are a multiple of this (src/model/documents/single_lanes.rs).
LANES = 16
#: Columns of a sketch of C: random ones, and those of the subspace (src/metric/co_occurrence/sketch.rs).
SUBSPACE, RANDOM = 6, 26
#: Of the finish: triples of the largest corpus that comes in turns, steps of its passes and sweeps over a document;
#: triples of a mini-batch of larger ones, and sweeps (src/model/refine/deal.rs).
WHOLE, TURNS, TURN_SWEEPS = 2_000_000, 4, 3
MINI_BATCH, BATCH_SWEEPS = 250_000, 5


@dataclass(frozen=True)
class Part:
    """Some of a stage's work, and what it would take at the machine's rates."""

    what: str
    flops: float = 0
    bytes: float = 0
    #: The longest of its flops, bytes and other counts, each at its rate: they overlap.
    seconds: float = 0


@dataclass(frozen=True)
class Saved:
    """What a run tells of itself."""

    model: str
    words: int
    documents: float
    triples: float
    topics: int
    #: l, the rows that are corrected.
    large: int
    #: Bytes of the corpus's blocks.
    packed: float
    #: Weights above 0 of words on anchors.
    weights: float
    #: Sweeps over a document, in the mean.
    sweeps: float
    #: Whether metrics of all rows of C are estimated.
    is_sketched: bool
    #: Stages in order: name, seconds, steps.
    stages: list

    @classmethod
    def of(cls, topoi, number):
        """Run `number` of a store."""
        run = topoi.sql(
            "SELECT run.corpus_id, model, k, run.settings, vocabulary.terms FROM run JOIN vocabulary "
            f"ON vocabulary.id = vocabulary_id WHERE run.id = {number}"
        )[0]
        metrics = topoi.sql(
            f"SELECT name, value FROM metric WHERE run_id = {number} AND topic IS NULL"
        )
        metrics = {row["name"]: row["value"] for row in metrics}
        packed = topoi.value(
            "SELECT sum(length(data)) AS bytes FROM block WHERE retired = 0 "
            f"AND corpus_id = {run['corpus_id']}"
        )
        sketched = topoi.value(
            f"SELECT count(*) AS n FROM metric WHERE run_id = {number} "
            "AND json_extract(settings, '$.projections') IS NOT NULL"
        )
        weights = topoi.value(f"SELECT count(*) AS n FROM topic_term WHERE run_id = {number}")
        stages = topoi.sql(
            f"SELECT name, seconds, steps FROM run_stage WHERE run_id = {number} ORDER BY position"
        )
        large = json.loads(run["settings"]).get("rows") or 10 * run["k"] + 1000
        return cls(
            model=run["model"],
            words=run["terms"],
            documents=metrics["documents_used"],
            triples=metrics["nonzeros_used"],
            topics=run["k"],
            large=min(large, run["terms"]),
            packed=packed,
            weights=weights,
            sweeps=metrics.get("document_topics_sweeps", 0),
            is_sketched=sketched > 0,
            stages=stages,
        )


class Work:
    """The parts of each stage of a run, for a machine's rates."""

    def __init__(self, saved, rates):
        self.saved = saved
        self.rates = rates

    def parts(self, stage):
        """The parts of a stage; none where it is not counted."""
        name, steps = stage["name"], stage["steps"] or 0
        counted = {
            "prepare": lambda: [self.blocks(1)],
            "factorise": lambda: self.factorise(steps),
            "rectify": lambda: self.rectify(steps),
            "topics": self.find_topics,
            "refine": lambda: self.refine(steps),
            "documents": self.find_documents,
            "measure": self.measure,
            "coherence": lambda: [self.blocks(1)],
        }
        return counted[name]() if name in counted else []

    def blocks(self, passes):
        """Blocks read, unpacked and seen through the vocabulary."""
        seconds = passes * self.saved.triples / self.rates["decode"]
        return Part("reading blocks", 0, passes * self.saved.packed, seconds)

    def plain(self, flops):
        """Seconds of flops without fused multiply-add: half as many a second."""
        return flops / (self.rates["f64"] / 2)

    def product(self, columns):
        """C·V with so many columns in all: rows of V gathered, rows of the product added to."""
        width = 8 if self.saved.words > WIDE else 16
        is_cached = 2 * 8 * width * self.saved.words <= self.rates["cache_bytes"]
        rate = self.rates[f"gather_{width}_cached" if is_cached else f"gather_{width}"]
        columns = width * ceil(columns / width)
        flops, moved = 4 * self.saved.triples * columns, 3 * 8 * self.saved.triples * columns
        where = "cache" if is_cached else "beyond the cache"
        what = f"rows of {width} f64, {where}"
        return Part(what, flops, moved, max(moved / rate, self.plain(flops)))

    def dense(self, flops, moved=0):
        """Products of matrices in f64."""
        seconds = max(flops / self.rates["f64"], moved / self.rates["copy"])
        return Part("f64 products", flops, moved, seconds)

    def factorise(self, passes):
        words, kept = self.saved.words, self.saved.topics + OVERSAMPLING
        columns, flops = BLOCK, 0
        for _ in range(passes):
            flops += 8 * words * columns * BLOCK + 4 * words * BLOCK**2
            columns += BLOCK
            if columns > GROWTH * kept:
                flops += 2 * words * columns * kept
                columns = kept + BLOCK
        flops += 2 * words * columns * kept
        return [self.blocks(passes), self.product(BLOCK * passes), self.dense(flops)]

    def rectify(self, iterations):
        if self.saved.model == "palm":
            return self.palm(iterations)
        words, k, large = self.saved.words, self.saved.topics, self.saved.large
        p = k + OVERSAMPLING
        narrow = (iterations + 1) * 2 * large * words * k
        tiles = Part("f32 products", narrow, 0, narrow / self.rates["f32"])
        flops = iterations * (8 * words * k * p + 8 * words * p**2 + 9 * p**3)
        moved = iterations * 8 * words * (5 * k + 13 * p)
        return [tiles, self.dense(flops, moved)]

    def palm(self, iterations):
        """Two products of C with K columns an iteration, and one to begin with."""
        words, k, passes = self.saved.words, self.saved.topics, 2 * iterations + 1
        dense = self.dense(16 * words * k**2 * iterations)
        return [self.blocks(passes), self.product(k * passes), dense]

    def find_topics(self):
        words, k = self.saved.words, self.saved.topics
        flops = 20 * words * k**2
        far = 6 * words * k**2
        moved = 24 * words * k**2
        rate = self.rates["copy" if 8 * words * k > self.rates["cache_bytes"] else "cached"]
        anchors = Part("anchors", far, moved, max(moved / rate, self.plain(far)))
        each = self.saved.weights / words
        solved = 10 * words * (each**3 / 3 + 2 * k * each)
        mixtures = Part("mixtures of anchors", solved, 0, self.plain(solved))
        return [self.dense(flops), anchors, mixtures]

    def sweeps_over(self, triples, sweeps):
        """Rows of B and of what tokens are about, in f32: B from memory at first, then all from the cache."""
        row = 4 * LANES * ceil(self.saved.topics / LANES)
        touched, again = row * triples, 3 * row * triples * sweeps
        flops = 7 * row / 4 * triples * sweeps
        first = Part("rows of B at first", 0, touched, touched / self.rates["read"])
        seconds = max(again / self.rates["cached"], flops / (self.rates["f32"] / 2))
        return [first, Part("rows of f32, cache", flops, again, seconds)]

    def refine(self, steps):
        triples = self.saved.triples
        in_turns = triples <= WHOLE
        passes = steps if in_turns else steps / ceil(triples / MINI_BATCH)
        sweeps = TURN_SWEEPS if in_turns else BATCH_SWEEPS
        width = LANES * ceil(self.saved.topics / LANES)
        added = 16 * width * triples * passes
        counts = Part("counts added up", 2 * width * triples * passes, added, added / self.rates["copy"])
        # Matrices of f64 a step: eight lanes cleared and added up (8 + 10), a step of the counts (3),
        # B made of them, in single precision too (2.5).
        matrices = (TURNS * steps if in_turns else steps) * 23.5 * 8 * self.saved.words * width
        topics = Part("topics made of counts", 0, matrices, matrices / self.rates["copy"])
        return [self.blocks(passes), *self.sweeps_over(triples * passes, sweeps), counts, topics]

    def find_documents(self):
        return [self.blocks(2), *self.sweeps_over(self.saved.triples, self.saved.sweeps)]

    def measure(self):
        words, k = self.saved.words, self.saved.topics
        if self.saved.is_sketched:
            columns = SUBSPACE + RANDOM
            dense = 2 * words * k**2 + 6 * words * k * columns + 8 * words * SUBSPACE * columns
            # The factorisation of lr-jsmf has multiplied by the random columns.
            own = 0 if self.saved.model == "lr-jsmf" else 1
            product = self.product(own * columns + SUBSPACE + 2)
            return [self.blocks(3 + own), product, self.dense(dense)]
        triples = self.saved.triples
        least, most = PANEL_ENTRIES
        rows = max(1, min(max(words**2 // ENOUGH_PANELS, least), most) // words)
        panels, batches = ceil(words / rows), ceil(triples / TOGETHER)
        copied = 16 * panels * triples
        gathered = Part("triples gathered", 0, copied, copied / self.rates["copy"])
        additions = triples**2 / (2 * self.saved.documents)
        moved = 12 * additions + min(8 * words**2 * batches, 128 * additions)
        seconds = max(moved / self.rates["copy"], additions / self.rates["add"])
        norms = Part("rows of C", 2 * additions, moved, seconds)
        return [self.blocks(panels + 5), gathered, norms, self.product(2 * k + 2)]
