"""Bars of progress: in a terminal, in a notebook, and where nobody looks."""

import os
import pty
import re
import sqlite3
import subprocess
import sys
import threading
import types

import topoi
from topoi import _progress

from conftest import rows

RUN = """
import sys
sys.path.insert(0, sys.argv[2])
import conftest, topoi
store = topoi.open(sys.argv[1])
corpus = store.corpus("three").add(conftest.rows(3000))
corpus.run(k=3, model="lda-gibbs", iterations=4000)
"""


def test_a_terminal_shows_a_line_and_takes_it_away(tmp_path, monkeypatch):
    monkeypatch.delenv("TOPOI_QUIET", raising=False)
    master, slave = pty.openpty()
    here = os.path.dirname(__file__)
    process = subprocess.Popen([sys.executable, "-c", RUN, str(tmp_path / "x.db"), here], stderr=slave)
    os.close(slave)
    shown = b""
    while True:
        try:
            read = os.read(master, 4096)
        except OSError:
            break
        if not read:
            break
        shown += read
    os.close(master)
    assert process.wait() == 0, shown
    lines = shown.decode().split("\r")
    assert any(re.search(r"three: run 1, \w+.* \d+%", line) for line in lines), lines
    assert lines[-1] == "\x1b[K"


def test_a_notebook_shows_one_place_that_changes(monkeypatch):
    monkeypatch.delenv("TOPOI_QUIET", raising=False)
    shown = []

    class Handle:
        def update(self, html):
            shown.append(html)

    def display(html, display_id):
        assert display_id
        shown.append(html)
        return Handle()

    shell = types.SimpleNamespace(kernel=None)
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", types.SimpleNamespace(HTML=str, display=display))
    monkeypatch.setattr(_progress, "PATIENCE", -1.0)
    monkeypatch.setattr(_progress, "INTERVAL", -1.0)
    bar = _progress.Bar()
    bar.show(0.25, "<reading>")
    bar.show(0.5, "reading")
    bar.show(None, "waiting")
    bar.close()
    assert "<progress" not in shown.pop(2)
    assert len(shown) == 3 and 'value="0.250"' in shown[0] and "&lt;reading&gt;" in shown[0]
    assert shown[-1] == ""


def test_a_command_without_progress_shows_its_seconds(tmp_path, monkeypatch):
    shown = []
    monkeypatch.setattr(_progress.Bar, "show", lambda bar, share, said: shown.append((share, said)))
    corpus = topoi.open(tmp_path / "x.db").corpus("a").add(rows(3000))
    shown.clear()
    run = corpus.run(k=3)
    other = sqlite3.connect(corpus._store.path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    released = threading.Timer(1.5, other.execute, ["ROLLBACK"])
    released.start()
    run.label({0: "waited for the store"})
    released.join()
    assert (None, "label: 1 s") in shown


def test_nothing_is_shown_to_nobody(tmp_path, capfd):
    topoi.open(tmp_path / "x.db").corpus("a").add(rows(30)).run(k=3)
    out, err = capfd.readouterr()
    assert (out, err) == ("", "")
