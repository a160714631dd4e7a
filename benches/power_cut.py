#!/usr/bin/env python3
"""What a power cut leaves of a store.

A series of commands is traced (strace): every write, truncation, removal and sync of the store's files.
Then the power is cut at random moments of that trace: what was synced is kept; of what was written since, a
random part is, whole or torn into sectors, in no order. Each store that is left must open, pass `topoi check`,
and hold what the commands that had printed their result by then had reported.

    python3 benches/power_cut.py PATH/OF/topoi [--moments 1000] [--seed 1] [--keep DIRECTORY]

Ends with code 1 when a store did not. Needs strace, and a kernel that lets it trace. Takes for granted what the
file systems of Linux promise: a sync of a file or its folder makes its name durable too, and a sector of 512
bytes is written whole or not at all.
"""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

SAMPLE = pathlib.Path(__file__).parent.parent / "sample_corpora" / "eight_subjects.jsonl"
SECTOR = 512
ENDINGS = ("", "-wal", "-journal")
CALLS = "openat,pwrite64,write,fsync,fdatasync,ftruncate,unlink,rename"
LINE = re.compile(r"^(\d+) +(?:<\.\.\. (\w+) resumed>(.*)|(\w+)\((.*))$")


def unhex(text):
    return bytes.fromhex(text.replace("\\x", ""))


def events_of(trace, store):
    """(what, file, …) of the store's files in the order in which the kernel was asked."""
    names = {os.fsencode(str(store) + ending): ending for ending in ENDINGS}
    folder = os.fsencode(str(store.parent))
    waiting = {}
    for line in trace:
        match = LINE.match(line.rstrip("\n"))
        if not match:
            continue
        process, resumed, _, call, rest = match.groups()
        if resumed:
            # A sync holds from its end on.
            event = waiting.pop(process, None)
            if event:
                yield event
            continue
        is_unfinished = rest.endswith("<unfinished ...>")
        path = re.match(r"(-?\w+)<([^>]*)>", rest)
        file = unhex(path[2]) if path and path[2].startswith("\\x") else b""
        event = None
        if call == "pwrite64" and file in names:
            data, offset = re.search(r'"([^"]*)", \d+, (\d+)', rest).groups()
            event = ("write", names[file], int(offset), unhex(data))
        elif call == "ftruncate" and file in names:
            event = ("truncate", names[file], int(re.search(r", (\d+)", rest)[1]))
        elif call == "unlink" and unhex(rest.split('"')[1]) in names:
            event = ("remove", names[unhex(rest.split('"')[1])])
        elif call in ("fsync", "fdatasync"):
            if file in names:
                event = ("sync", names[file])
            elif file == folder:
                event = ("sync folder", None)
            if event and is_unfinished:
                waiting[process] = event
                continue
        elif call == "write" and path and path[1] == "1":
            event = ("reported", None)
        if event:
            yield event


class Disk:
    """Files as they are on the disk, and what was written to them since they were synced."""

    def __init__(self):
        self.durable = {}
        self.pending = []

    @staticmethod
    def apply(files, event, torn=None):
        kind, file = event[:2]
        if kind == "remove":
            files.pop(file, None)
            return
        content = files.setdefault(file, bytearray())
        if kind == "truncate":
            size = event[2]
            content[size:] = bytes(max(0, size - len(content)))
            return
        _, _, offset, data = event
        if len(content) < offset + len(data):
            content.extend(bytes(offset + len(data) - len(content)))
        for start in range(0, len(data), SECTOR if torn else len(data) or 1):
            if not torn or torn.random() < 0.5:
                piece = data[start:start + SECTOR] if torn else data
                content[offset + start:offset + start + len(piece)] = piece

    def take(self, event):
        kind, file = event[:2]
        if kind in ("write", "truncate", "remove"):
            self.pending.append(event)
        elif kind == "sync":
            # A removal is the folder's, and comes later; writes behind it are of a new file.
            kept = []
            for other in self.pending:
                if other[1] == file or other[0] == "remove" and any(o[1] == file for o in kept):
                    self.apply(self.durable, other)
                else:
                    kept.append(other)
            self.pending = kept
        elif kind == "sync folder":
            for other in [other for other in self.pending if other[0] == "remove"]:
                # What was written to a file before its removal does not matter any more.
                before = self.pending.index(other)
                self.pending = [o for at, o in enumerate(self.pending) if at > before or o[1] != other[1]]
                self.apply(self.durable, other)

    def after_a_cut(self, chance):
        files = {name: bytearray(content) for name, content in self.durable.items()}
        share = chance.choice([0.0, 0.1, 0.5, 0.9, 1.0])
        for event in self.pending:
            if chance.random() < share:
                torn = chance if event[0] == "write" and chance.random() < 0.3 else None
                self.apply(files, event, torn)
        return files


def commands(topoi, folder):
    """(name, arguments, what holds once it has reported: SQL that gives 1)."""
    lines = SAMPLE.read_text().splitlines(keepends=True)
    (folder / "a.jsonl").write_text("".join(lines[:120]))
    (folder / "b.jsonl").write_text("".join(lines[120:]))
    doomed = json.loads(lines[7])["id"]
    run = ["--terms", "300", "--refine", "3", "--iterations", "3"]
    count = "SELECT count(*) >= {} FROM document WHERE source LIKE '%{}.jsonl'"
    finished = "SELECT count(*) = 1 FROM run WHERE id = {} AND status = 'finished'"
    small = ["--batch-kb", "8"]
    return [
        ("ingest", ["ingest", "c", str(folder / "a.jsonl"), *small], [count.format(119, "a")]),
        ("run", ["run", "c", "-k", "4", *run], [finished.format(1)]),
        ("ingest more", ["ingest", "c", str(folder / "b.jsonl"), *small],
         [count.format(len(lines) - 120, "b")]),
        ("update", ["update", "1"], [finished.format(2)]),
        ("delete documents", ["delete", "documents", "c", "--key", doomed, "--yes"],
         [f"SELECT count(*) = 0 FROM document WHERE key = '{doomed}'"]),
        ("delete run", ["delete", "1", "--yes"], ["SELECT count(*) = 0 FROM run WHERE id = 1"]),
    ]


def record(topoi, series, store, watcher):
    """All events, and at which of them each command has reported."""
    events, reported = [], []
    for name, arguments, _ in series:
        trace = store.parent / "trace"
        done = subprocess.run(
            ["strace", "-f", "-y", "-qq", "-xx", "-s", "100000000", "-e", f"trace={CALLS}", "-e",
             "signal=none", "-o", trace, topoi, "--store", store, *arguments],
            capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{name}: {done.stderr}")
        with open(trace, errors="replace") as lines:
            new = list(events_of(lines, store))
        trace.unlink()
        first = next(at for at, event in enumerate(new) if event[0] == "reported")
        reported.append(len(events) + first)
        events += new
        watcher(name, len(new), len(events))
    return events, reported


def look(topoi, series, done, files, place):
    """What is wrong with a store, in a line; None for nothing."""
    for ending, content in files.items():
        pathlib.Path(str(place) + ending).write_bytes(content)

    def ask(*arguments):
        return subprocess.run([topoi, "--store", place, *arguments], capture_output=True, text=True)

    if not done:
        # Whatever is there, the same command goes on from it.
        again = ask(*series[0][1])
        if again.returncode:
            return again.stderr.strip()
        done = 1
    check = ask("check")
    if check.returncode:
        return (check.stdout + check.stderr).strip()
    # What a later command takes away again, an earlier one's report does not promise.
    for name, _, promises in series[:done]:
        for sql in promises:
            is_gone = "run" in sql and "id = 1 " in sql and done + 1 >= len(series)
            answer = ask("sql", sql, "-o", "csv").stdout.split()
            if not is_gone and answer[-1:] != ["1"]:
                return f"{name} had reported, but not: {sql}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("topoi", type=pathlib.Path)
    parser.add_argument("--moments", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="copy stores that fail to this folder")
    options = parser.parse_args()
    topoi, chance = options.topoi.resolve(), random.Random(options.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        series = commands(topoi, folder)
        (folder / "recorded").mkdir()
        told = lambda name, new, _: print(f"{name}: {new} writes, syncs and removals")
        events, reported = record(topoi, series, folder / "recorded" / "s.db", told)
        moments = sorted(chance.randrange(1, len(events)) for _ in range(options.moments))
        disk, at, failures, lost = Disk(), 0, [], 0
        for number, moment in enumerate(moments):
            while at < moment:
                disk.take(events[at])
                at += 1
            done = sum(end < moment for end in reported)
            lost += bool(disk.pending)
            place = folder / f"cut-{number}"
            place.mkdir()
            problem = look(topoi, series, done, disk.after_a_cut(chance), place / "s.db")
            if problem:
                failures.append(f"moment {moment} of {len(events)}, after {done} reports: {problem}")
                print(failures[-1])
                if options.keep:
                    shutil.copytree(place, options.keep / place.name, dirs_exist_ok=True)
            shutil.rmtree(place)
    print(f"{len(moments)} power cuts, {lost} of them with unsynced writes: {len(failures)} stores damaged "
          "or without what had been reported")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
