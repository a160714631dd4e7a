"""Programs run one at a time in processes of their own: their time, their memory, and an end."""

import os
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

#: Seconds between two looks at how much memory a program takes.
LOOK = 0.25


class Failed(Exception):
    """A program that ended with an error, with the last line it said."""


class TookTooLong(Exception):
    """A program that had not ended within its limit and was ended."""


@dataclass(frozen=True)
class Ran:
    """What a program printed and took."""

    output: str
    #: Seconds of the clock.
    wall: float
    #: Seconds of the processors, of itself and the children it waited for.
    processor: float
    #: The most resident memory in bytes: of itself, or of it and its workers together.
    peak: int


def run(command, limit=None):
    """Runs `command` to its end.

    Memory is the kernel's record of the process itself, or, where it has workers, the most that all
    of them took at a look, pages that they share counted once.
    """
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        begun = time.perf_counter()
        child = subprocess.Popen(
            [str(part) for part in command], stdout=output, stderr=errors
        )
        watch = Watch(child.pid, limit)
        watch.start()
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - begun
        child.returncode = os.waitstatus_to_exitcode(status)
        watch.done.set()
        watch.join()
        if watch.ended_it:
            raise TookTooLong(f"not done in {limit:.0f} s")
        if child.returncode != 0:
            errors.seek(0)
            lines = errors.read().decode(errors="replace").strip().splitlines()
            raise Failed(lines[-1] if lines else f"ended with {child.returncode}")
        output.seek(0)
        peak = max(usage.ru_maxrss * 1024, watch.peak)
        return Ran(output.read().decode(), wall, usage.ru_utime + usage.ru_stime, peak)


class Watch(threading.Thread):
    """Looks at the memory of a program and its workers while it works, and ends it at its limit."""

    def __init__(self, leader, limit):
        super().__init__(daemon=True)
        self.leader = leader
        self.limit = limit
        self.peak = 0
        self.ended_it = False
        self.done = threading.Event()

    def run(self):
        begun = time.perf_counter()
        while not self.done.wait(LOOK):
            members = family(self.leader)
            # The kernel's own record of a process without workers is better than a look at it.
            if len(members) > 1:
                self.peak = max(self.peak, sum(map(share_of_memory, members)))
            if self.limit is not None and time.perf_counter() - begun > self.limit:
                self.ended_it = True
                end(members)
                return


def end(processes):
    """Ends processes, those that are not over already."""
    for pid in processes:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


def family(process):
    """A process and its descendants; itself alone where the system does not tell."""
    found = [process]
    for parent in found:
        for children in Path(f"/proc/{parent}/task").glob("*/children"):
            try:
                found.extend(map(int, children.read_text().split()))
            except OSError:
                continue
    return found


def share_of_memory(pid):
    """Bytes resident in a process, pages that others have too divided among them."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
