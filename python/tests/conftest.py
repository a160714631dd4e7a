"""What tests and the examples in docstrings share. The program is the one that TOPOI_PROGRAM names, else the one that was
installed with the module."""

import random

import pytest

import topoi


@pytest.fixture(autouse=True)
def an_empty_home(tmp_path, monkeypatch):
    """Nobody's settings, and nothing of the tests in anybody's home."""
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    for name in ("TOPOI_STORE", "TOPOI_OUTPUT", "TOPOI_QUIET", "TOPOI_LOG"):
        monkeypatch.delenv(name, raising=False)


SUBJECTS = {
    "sea": "ship harbour sailor wave storm anchor captain mast sail tide",
    "farm": "field plough harvest barn cattle wheat hay farmer orchard seed",
    "law": "court judge trial verdict lawyer jury appeal statute witness evidence",
}


def rows(count=90):
    """Documents of three subjects, twelve words each, the same each time."""
    made, chance = [], random.Random(1)
    for at in range(count):
        subject = list(SUBJECTS)[at % 3]
        words = SUBJECTS[subject].split()
        text = " ".join(chance.choice(words) for _ in range(12))
        made.append({"id": f"d{at}", "text": text, "subject": subject, "year": 1990 + at % 10, "size": at % 7, "day": f"2020-01-{at % 28 + 1:02}"})
    return made


@pytest.fixture
def store(tmp_path):
    return topoi.open(tmp_path / "texts.db")


@pytest.fixture
def corpus(store):
    return store.corpus("three").add(rows())


@pytest.fixture
def run(corpus):
    return corpus.run(k=3)
