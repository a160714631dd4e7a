#!/usr/bin/env python3
"""The workbench over a slow line: bytes of each step, and when they arrive at the far end.

    benches/slow_line.py TOPOI STORE [--size 80x24] [--rate 20000] [--delay 0.1] [--model-run CORPUS]

The program runs in a pseudo-terminal, as under sshd. Its output and its keys go through two TCP connections on the
loopback and a relay between them, which delays each chunk (100 ms each way) and paces the output (20 kB/s); what the
line has not taken waits in socket buffers of --buffer bytes, and then in the program. The default pushes back early;
ssh and the kernel may hold much more (--buffer 262144). New sizes of the window travel with the keys, as in ssh.

Of each step it prints the bytes the program wrote, in how many reads, the cells of the screen that differ
afterwards, the seconds until the first and the last byte had arrived, counted from the first key; and whether the
screen is the same as after a fresh repaint (SIGCONT, which changes no state). Screens need pyte; without it the columns
hold dashes. Then come the bounds. With --model-run a run of that corpus is started, and its ticks are counted.

The store needs a corpus with runs of several K, as `topoi ingest` and `topoi run` make it. HOME is an empty folder.
"""
import argparse
import collections
import fcntl
import os
import pty
import queue
import random
import re
import signal
import socket
import sqlite3
import struct
import subprocess
import tempfile
import termios
import threading
import time

try:
    import pyte
except ImportError:
    pyte = None

MOST_QUIET = 60.0
# Chunks between the ends of the line.
MOST_IN_FLIGHT = 32
DOWN, RIGHT = "\x1b[B", "\x1b[C"
PAGE_UP, PAGE_DOWN = "\x1b[5~", "\x1b[6~"
ESCAPE, ENTER, TAB, CTRL = "\x1b", "\r", "\t", lambda letter: chr(ord(letter) & 31)
QUESTIONS = {
    b"\x1b]11;?\x1b\\": {"dark": b"\x1b]11;rgb:0000/0000/0000\x1b\\", "light": b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\"},
    b"\x1b[c": {"dark": b"\x1b[?62;22c", "light": b"\x1b[?62;22c", "none": b"\x1b[?62;22c"},
}
# Every frame ends with the cursor hidden or shown.


def connection(buffer):
    """Both ends of a TCP connection on the loopback."""
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    server.bind(("127.0.0.1", 0))
    server.listen(1)
    near = socket.socket()
    near.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer)
    near.connect(server.getsockname())
    far, _ = server.accept()
    server.close()
    for end in (near, far):
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return near, far


def received(end, count):
    """Exactly so many bytes, or less at the end."""
    data = b""
    while len(data) < count:
        part = end.recv(count - len(data))
        if not part:
            break
        data += part
    return data


def thread(work):
    def run():
        try:
            work()
        except OSError:
            pass

    threading.Thread(target=run, daemon=True).start()


class Line:
    """A program in a pseudo-terminal at the near end of the line; keys, sizes and what has arrived at the far end."""

    def __init__(self, command, environment, size, options):
        self.options, self.size = options, size
        self.sent, self.arrived = [], []  # (when, bytes) at the program, at the far end
        self.reading = threading.Event()
        self.reading.set()
        self.lock, self.sending = threading.Lock(), threading.Lock()
        self.screen = Clipping(*size) if pyte else None
        self.stream = pyte.ByteStream(self.screen) if pyte else None
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
            os.execvpe(command[0], command, environment)
        self.status = None
        self.near, relay_near = connection(options.buffer)
        relay_far, self.far = connection(options.buffer)
        for work in (
            self.from_program, self.to_program, self.show,
            lambda: self.relay(relay_near, relay_far, options.rate), lambda: self.relay(relay_far, relay_near, 0),
        ):
            thread(work)

    def from_program(self):
        while data := os.read(self.master, 65536):
            self.sent.append((time.monotonic(), data))
            self.near.sendall(data)

    def to_program(self):
        """Frames of the far end: k and keys, or w and a size."""
        while head := received(self.near, 3):
            kind, length = head[:1], int.from_bytes(head[1:], "big")
            data = received(self.near, length)
            if kind == b"w":
                fcntl.ioctl(self.master, termios.TIOCSWINSZ, data + bytes(4))
            else:
                os.write(self.master, data)

    def relay(self, source, target, rate):
        """Passes on with the delay, and at this rate; reads no faster than that."""
        due = queue.Queue(MOST_IN_FLIGHT)

        def deliver():
            while True:
                when, data = due.get()
                time.sleep(max(when - time.monotonic(), 0))
                target.sendall(data)

        thread(deliver)
        free = 0.0
        while data := source.recv(1460):
            now = time.monotonic()
            if rate:
                free = max(free, now) + len(data) / rate
                time.sleep(max(free - now, 0))
            due.put((time.monotonic() + self.options.delay, data))

    def show(self):
        """The terminal: shows what arrives and answers what is asked."""
        tail = b""
        while True:
            self.reading.wait()
            data = self.far.recv(65536)
            if not data:
                return
            with self.lock:
                self.arrived.append((time.monotonic(), data))
                if self.stream:
                    self.stream.feed(data)
            tail = (tail + data)[-64:]
            for question, answers in QUESTIONS.items():
                if question in tail:
                    tail = tail.replace(question, b"")
                    if answer := answers.get(self.options.background):
                        self.up(b"k", answer)

    def up(self, kind, data):
        with self.sending:
            try:
                self.far.sendall(kind + len(data).to_bytes(2, "big") + data)
            except OSError:
                pass  # the program has ended

    def type(self, keys):
        self.up(b"k", keys.encode())

    def resize(self, width, height):
        with self.lock:
            if self.screen:
                self.screen.resize(height, width)
        self.size = (width, height)
        self.up(b"w", struct.pack("HH", height, width))

    def counts(self):
        return sum(len(data) for _, data in list(self.sent)), sum(len(data) for _, data in list(self.arrived))

    def settle(self, quiet, since):
        """Waits until nothing was written for so long, counted from when the keys have come, and all has arrived."""
        began = time.monotonic()
        while time.monotonic() - began < MOST_QUIET and self.is_alive():
            time.sleep(0.02)
            written, arrived = self.counts()
            last = max(since + self.options.delay, self.sent[-1][0] if self.sent else 0)
            if written == arrived and time.monotonic() - last > quiet:
                break

    def is_alive(self):
        if self.status is None:
            done, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = os.waitstatus_to_exitcode(status) if done else None
        return self.status is None

    def cells(self):
        """The screen: all cells with their looks, and the cursor."""
        if not self.screen:
            return None
        with self.lock:
            screen, (width, height) = self.screen, self.size
            rows = [[screen.buffer[y][x] for x in range(width)] for y in range(height)]
            cursor = None if screen.cursor.hidden else (screen.cursor.x, screen.cursor.y)
            return rows, cursor

    def text(self):
        return "\n".join("".join(cell.data for cell in row).rstrip() for row in self.cells()[0]) if self.screen else ""

    def memory(self):
        for line in open(f"/proc/{self.pid}/status"):
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1000
        return 0.0


if pyte:

    class Clipping(pyte.Screen):
        """As xterm's alternate screen, a smaller window cuts lines off below; what is cut off is gone."""

        def resize(self, lines, columns):
            for y in list(self.buffer):
                if y >= lines:
                    del self.buffer[y]
                    continue
                for x in [x for x in self.buffer[y] if x >= columns]:
                    del self.buffer[y][x]
            self.lines, self.columns = lines, columns
            self.set_margins()
            self.cursor.x, self.cursor.y = min(self.cursor.x, columns - 1), min(self.cursor.y, lines - 1)

        # pyte takes `CSI > … m` and others for SGR.
        def select_graphic_rendition(self, *attributes, private=False):
            if not private:
                super().select_graphic_rendition(*attributes)


def seen(cell):
    """What is seen of a cell: of a blank its ground, unless it is reversed or has a line through or under it."""
    if cell.data == " " and not (cell.reverse or cell.underscore or cell.strikethrough):
        return cell.bg
    return cell


def difference(before, after):
    """Cells that are seen to differ, of the rows both have."""
    if before is None or after is None:
        return None
    if len(before[0]) != len(after[0]) or len(before[0][0]) != len(after[0][0]):
        return len(after[0]) * len(after[0][0])
    return sum(seen(a) != seen(b) for x, y in zip(before[0], after[0]) for a, b in zip(x, y))


Step = collections.namedtuple("Step", "name bytes reads cells first last lag stale")


class Bench:
    def __init__(self, line, options):
        self.line, self.options, self.steps = line, options, []

    def step(self, name, act, quiet=None):
        """Does it, waits, and says what it cost. `act` is keys, or a function."""
        line = self.line
        before, written, arrived = line.cells(), len(line.sent), len(line.arrived)
        began = time.monotonic()
        line.type(act) if isinstance(act, str) else act()
        ended = time.monotonic()
        line.settle(quiet or self.options.quiet, ended)
        sent, came = line.sent[written:], line.arrived[arrived:]
        data = b"".join(data for _, data in sent)
        after = line.cells()
        first, last = (came[0][0] - began, came[-1][0] - began) if came else (None, None)
        lag = came[-1][0] - ended if came else None
        step = Step(name, len(data), len(sent), difference(before, after), first, last, lag, None)
        if line.is_alive() and after:
            step = step._replace(stale=self.stale())
        self.steps.append(step)
        self.keep(name, data)
        self.say(step)
        return step

    def stale(self):
        """Cells that a fresh repaint changes."""
        line = self.line
        before = line.cells()
        os.kill(line.pid, signal.SIGCONT)
        line.settle(0.3, time.monotonic())
        after = line.cells()
        return difference(before, after) + (before[1] != after[1])

    def keep(self, name, data):
        if self.options.raw:
            with open(self.options.raw, "ab") as file:
                file.write(f"\n=== {name}\n".encode() + repr(data).encode() + b"\n")

    def say(self, step):
        number = lambda value, form: "-" if value is None else format(value, form)
        print(
            f"| {step.name} | {step.bytes:,} | {step.reads} | {number(step.cells, ',')} |"
            f" {number(step.first, '.2f')} | {number(step.last, '.2f')} | {number(step.stale, ',')} |",
            flush=True,
        )

    def letters(self, text):
        def act():
            for letter in text:
                self.line.type(letter)
                time.sleep(0.1)

        return act

    def repeat(self, key, times, per_second=30):
        def act():
            for _ in range(times):
                self.line.type(key)
                time.sleep(1 / per_second)

        return act


JOURNEY = [
    ("corpora: down", "j"), ("corpora: up", "k"), ("corpora: up at the top", "k"),
    ("corpora: a key without use", "Z"), ("the same again", "Z"), ("first key of a sequence", "g"),
    ("its second: g g at the top", "g"), ("corpus opens", ENTER), ("documents: down", "j"),
    ("documents: page down", PAGE_DOWN), ("documents: end", "G"), ("documents: down at the end", "j"),
    ("documents: top", "gg"), ("filter opens", "/"), ("filter: a", "a"), ("filter: an", "n"), ("filter: an1", "1"),
    ("filter cleared", ESCAPE), ("terms", TAB), ("terms: down", "j"), ("terms: page down", PAGE_DOWN),
    ("terms: sort", "s"), ("word opens", ENTER), ("word: next view", TAB), ("word: by field", "f"),
    ("word: down", "j"), ("back to the corpus", "q"), ("documents", TAB), ("document opens", ENTER),
    ("document: page down", PAGE_DOWN), ("document: page up", PAGE_UP), ("document: next", "]"),
    ("document: its words", "w"), ("document: its text", "w"), ("document: topic", "t"), ("document: marks", "#"),
    ("document: next word", "l"), ("back", "q"), ("search opens", "F"), ("search: one letter", "s"),
    ("search: the rest", "tar"), ("search: looks", ENTER), ("search: down", "j"), ("search: page down", PAGE_DOWN),
    ("found document opens", ENTER), ("back", "q"), ("runs open", "4"), ("runs: down", "j"), ("runs: up", "k"),
    ("run opens", ENTER), ("topics: down", "j"), ("topics: page down", PAGE_DOWN), ("topics: λ", "<"),
    ("topics: order", "o"), ("topic in full", "w"), ("topic: next", "]"), ("topic: down", "j"),
    ("topic's documents", "d"), ("its documents: down", "j"), ("correlations", "B"), ("correlations: down", "j"),
    ("map", "m"), ("map: to the right", RIGHT), ("map: zoom", "+"), ("facts", "I"), ("facts: page down", PAGE_DOWN),
    ("topics again", "t"), ("compare opens", "6"), ("compare: down", "j"), ("compare: metrics", "I"),
    ("choose K opens", "7"), ("choose K: metrics", "]"), ("choose K: bounds", "]"), ("launch opens", "3"),
    ("launch: next field", TAB), ("SQL opens", "8"), ("SQL: to the query", TAB), ("SQL: one letter", "s"),
    ("SQL: erased", "\x7f"), ("SQL: to the rows", ESCAPE), ("help", "?"), ("help: page down", PAGE_DOWN),
    ("help: glossary", "?"), ("glossary closes", ESCAPE), ("corpora", "1"), ("palette", ":"), ("palette: t", "t"),
    ("palette: to", "o"), ("palette: down", DOWN), ("palette closes", ESCAPE), ("Ctrl-L", CTRL("L")),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("topoi")
    parser.add_argument("store")
    parser.add_argument("--size", default="80x24")
    parser.add_argument("--delay", type=float, default=0.1, help="seconds each way")
    parser.add_argument("--rate", type=float, default=20_000, help="bytes per second of output")
    parser.add_argument("--buffer", type=int, default=8192, help="of each socket, in bytes; the kernel doubles it")
    parser.add_argument("--quiet", type=float, default=2.0, help="seconds without output that end a step")
    parser.add_argument("--background", choices=["dark", "light", "none"], default="dark", help="the terminal's answer")
    parser.add_argument("--local", action="store_true", help="without SSH_CONNECTION")
    parser.add_argument("--only", default="journey,repeat,sizes,idle,job,blocked,end", help="parts, with commas")
    parser.add_argument("--model-run", metavar="CORPUS", help="start a run of it, by Gibbs sampling")
    parser.add_argument("--sweeps", default="10000", help="of that run, so that it lasts a minute")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--raw", help="file for the bytes of each step")
    options = parser.parse_args()
    size = tuple(int(part) for part in options.size.split("x"))
    parts = options.only.split(",")
    with tempfile.TemporaryDirectory() as home:
        environment = {"HOME": home, "TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": os.environ["PATH"]}
        if not options.local:
            environment["SSH_CONNECTION"] = "203.0.113.7 50000 203.0.113.8 22"
        topoi = os.path.abspath(options.topoi)
        line = Line([topoi, "--store", os.path.abspath(options.store)], environment, size, options)
        bench = Bench(line, options)
        print("| step | bytes | reads | cells | first byte, s | last byte, s | stale cells |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)
        bench.step("start", "", quiet=1.5)
        said = []
        if "journey" in parts:
            for name, keys in JOURNEY:
                bench.step(name, keys)
        journey = list(bench.steps[1:])
        if "repeat" in parts:
            said += repeats(bench)
        if "sizes" in parts:
            said += sizes(bench, size, random.Random(options.seed))
        if "idle" in parts:
            line.type("1")
            time.sleep(2)
            step = bench.step("idle for 10 s", lambda: time.sleep(10))
            said.append(f"idle without a job: {step.bytes} bytes in 10 s")
        if "job" in parts and options.model_run:
            said += job(bench, topoi, options, environment)
        if "blocked" in parts:
            said += blocked(bench)
        said.append(f"survived: {'yes' if line.is_alive() else f'no, exit {line.status}'}")
        if "end" in parts and line.is_alive():
            said += end(bench)
        bounds(journey, bench.steps, said)
        if line.is_alive():
            os.kill(line.pid, signal.SIGKILL)


def behind(step, last):
    """What many keys or sizes cost, and how far the line is behind at their end."""
    lag = step.lag or 0
    return f"{step.name}: {step.bytes:,} bytes, last byte {lag:.2f} s after the last {last}"


def repeats(bench):
    said = []
    bench.line.type("2")
    time.sleep(1.5)
    bench.line.type("gg/")
    bench.line.settle(0.8, time.monotonic())
    step = bench.step("filter: 12 letters at 10/s", bench.letters("united state"))
    said.append(behind(step, "key"))
    step = bench.step("Esc and 1 in one packet", ESCAPE + "1")
    said.append(f"Esc and 1 in one packet: {'taken' if step.cells else 'neither is taken'}")
    bench.line.type(ESCAPE)
    time.sleep(1)
    for name, go, key in (
        ("topics", "4ggj" + ENTER + "tgg", "j"), ("documents of a corpus", "2gg", "j"), ("runs", "4gg", "j"),
        ("document, paging", "2gg" + ENTER, PAGE_DOWN), ("next document", "2gg" + ENTER, "]"),
        ("documents, paging", "q2gg", PAGE_DOWN), ("views of a run", "4" + ENTER + "t", TAB),
    ):
        for letter in re.findall("\x1b\\[6~|.|\r", go):
            bench.line.type(letter)
            time.sleep(0.7)
        bench.line.settle(0.8, time.monotonic())
        step = bench.step(f"{name}: 50 times {key!r} at 30/s", bench.repeat(key, 50))
        said.append(behind(step, "key"))
    return said


def sizes(bench, size, chance):
    line, said = bench.line, []
    bench.step("larger by 20x6", lambda: line.resize(size[0] + 20, size[1] + 6))
    bench.step("back", lambda: line.resize(*size))

    def there_and_back():
        line.resize(70, 18)
        time.sleep(0.005)
        line.resize(*size)

    def between_frames():
        line.type("j")
        time.sleep(0.005)
        there_and_back()

    step = bench.step("70x18 and back within 5 ms", there_and_back)
    said.append(f"a size and back within 5 ms: {step.bytes} bytes, {step.stale} stale cells")
    step = bench.step("the same just after a key", between_frames)
    said.append(f"a size and back, between two frames: {step.bytes} bytes, {step.stale} stale cells")
    for width, height in ((1, 1), (2, 1), (1, 60), (200, 1), (59, 14), (60, 15)):
        bench.step(f"{width}x{height}", lambda width=width, height=height: line.resize(width, height))
        bench.step(f"{width}x{height}: j", "j")
    bench.step("back", lambda: line.resize(*size))

    def storm():
        for _ in range(199):
            line.resize(chance.randint(1, 200), chance.randint(1, 60))
            time.sleep(0.01)
        line.resize(*size)

    step = bench.step("storm of 200 sizes in 2 s", storm)
    said.append(f"{behind(step, 'size')}, {step.stale} stale cells")
    return said


def job(bench, topoi, options, environment):
    said = []
    command = [topoi, "--store", options.store, "run", options.model_run, "-k", "60", "--model", "lda-gibbs"]
    command += ["--iterations", options.sweeps, "--seed", str(time.time_ns() % 10**6)]
    worker = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for name, keys in (
            ("runs", "4gg"), ("its log", "O"), ("the run itself", "q" + ENTER), ("corpora", "1"),
            ("topics of a finished run", "4ggj" + ENTER + "t"),
        ):
            for key in keys:
                bench.line.type(key)
                time.sleep(0.7)
            time.sleep(2)
            written = len(bench.line.sent)
            time.sleep(10)
            data = b"".join(data for _, data in bench.line.sent[written:])
            over = "" if worker.poll() is None else ", the run is over"
            said.append(f"a run at work, {name}: {len(data) / 10:.0f} bytes/s{over}")
            bench.keep(f"job, {name}", data)
    finally:
        # The command ends at a signal, and its run goes on.
        database = sqlite3.connect(f"file:{options.store}?mode=ro", uri=True, timeout=10)
        run = database.execute("SELECT max(id) FROM run").fetchone()[0]
        subprocess.run([*command[:3], "cancel", str(run)], env=environment, stdout=subprocess.DEVNULL)
        worker.wait()
    return said


def show_run(line):
    for key in ("4", ENTER, "t"):
        line.type(key)
        time.sleep(1)


def blocked(bench):
    """The terminal reads nothing for a while, as when its laptop sleeps, and keys come all the same."""
    line, before = bench.line, bench.line.memory()
    show_run(line)

    def act():
        line.reading.clear()
        for _ in range(600):
            line.type(TAB)
            time.sleep(1 / 60)
        line.reading.set()

    step = bench.step("not read for 10 s, 600 keys", act)
    grown = line.memory() - before
    return [f"{behind(step, 'key')}, {grown:.1f} MB more, {step.stale} stale cells"]


def end(bench):
    """SIGTERM while nothing is read: the terminal cannot be restored, and the program must end all the same."""
    line = bench.line
    show_run(line)
    line.reading.clear()
    for _ in range(200):
        line.type(TAB)
        time.sleep(1 / 60)
    began = time.monotonic()
    os.kill(line.pid, signal.SIGTERM)
    while line.is_alive() and time.monotonic() - began < 10:
        time.sleep(0.01)
    line.reading.set()
    return [f"SIGTERM while not read: exit {line.status} after {time.monotonic() - began:.2f} s"]


def bounds(journey, steps, said):
    print()
    print("| bound | value |")
    print("| --- | --- |")
    still = [step for step in journey if step.cells == 0 and step.name != "Ctrl-L"]
    moved = [step for step in journey if step.cells]
    of = lambda step: f"{step.bytes:,} bytes, {step.name}"
    if still:
        print(f"| most of a key that changes no cell | {of(max(still, key=lambda step: step.bytes))} |")
    if moved:
        print(f"| most of a key that changes cells | {of(max(moved, key=lambda step: step.bytes))} |")
        print(f"| slowest last byte of a key | {max(step.last or 0 for step in moved):.2f} s |")
        dear = max((step for step in moved if step.bytes > 300), key=lambda step: step.bytes / step.cells, default=None)
        if dear:
            print(f"| most bytes for a changed cell (above 300 bytes) | {dear.bytes / dear.cells:.1f}, {dear.name} |")
    stale = ", ".join(step.name for step in steps if step.stale)
    if journey:
        written = sum(step.bytes for step in journey)
        print(f"| the journey of {len(journey)} steps | {written:,} bytes |")
    print(f"| steps whose screen a repaint changes | {stale or 'none'} |")
    for line in said:
        name, _, value = line.rpartition(": ")
        print(f"| {name} | {value} |")


if __name__ == "__main__":
    main()
