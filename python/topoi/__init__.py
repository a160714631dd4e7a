"""Topic models for large text collections, in one SQLite file: the program `topoi`, at home in notebooks.

>>> import itertools, topoi
>>> subjects = ["ship sail harbour wave sailor tide", "bread flour oven dough baker yeast", "court judge trial jury appeal law"]
>>> texts = [" ".join(words) for each in subjects for words in itertools.permutations(each.split())][::20]
>>> store = topoi.open(folder / "notes.db")
>>> corpus = store.corpus("notes").add(texts)
>>> run = corpus.run(k=3)
>>> run.k, run.model
(3, 'lr-jsmf')

Everything is computed by the program that comes with this module; nothing here needs NumPy, pandas or polars, and what is
there is used.
"""

from typing import TYPE_CHECKING

from ._program import find_program
from .corpus import Corpus, Vocabulary
from .effects import Effects, Shares
from .errors import Error, Remark, counterparts
from .figure import Figure
from .frames import Table
from .run import Run
from .store import Store, open
from .sweep import Sweep

if not TYPE_CHECKING:
    __getattr__ = counterparts("topoi", {"load": "topoi.open(path)", "connect": "topoi.open(path)"})

__version__ = "0.2.0"

__all__ = [
    "Corpus",
    "Effects",
    "Error",
    "Figure",
    "Remark",
    "Run",
    "Shares",
    "Store",
    "Sweep",
    "Table",
    "Vocabulary",
    "find_program",
    "open",
]
