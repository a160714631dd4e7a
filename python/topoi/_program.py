"""The program `topoi`: where it is, and how it is called."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import warnings
from pathlib import Path
from typing import Any, Callable, Iterable, Optional, Union

from . import _progress
from .errors import Error, Remark, in_python

#: Names a program to call in place of the one that came with this module.
VARIABLE = "TOPOI_PROGRAM"
#: Seconds between two looks at the progress of a command.
LOOK = 0.1
#: Seconds that an interrupted command may take to end.
ENDING = 30.0

Word = Union[str, int, float, Path]


def find_program() -> Path:
    """The program: the one that ``TOPOI_PROGRAM`` names, else the one that was installed with this
    module, else the first in ``PATH``.

    Raises:
        Error: if there is none.
    """
    name = "topoi.exe" if os.name == "nt" else "topoi"
    named = os.environ.get(VARIABLE)
    if named:
        if Path(named).is_file():
            return Path(named)
        raise Error(f"{VARIABLE} is {named!r}, which is no file; name the program topoi, or unset it")
    here = Path(__file__).resolve().parent.parent
    places = [
        Path(sysconfig.get_path("scripts")),
        # pip install --user; pip install --target.
        Path(sysconfig.get_path("scripts", f"{os.name}_user")),
        here / "bin",
    ]
    for place in places:
        if (place / name).is_file():
            return place / name
    found = shutil.which("topoi")
    if found:
        return Path(found)
    raise Error(f"the program topoi is not installed beside this module; pip install topoi, or set {VARIABLE}")


def flags(settings: dict[str, Any]) -> list[str]:
    """Options of a command from keyword arguments: ``min_documents=5`` is ``--min-documents 5``, True
    a flag alone, a list the option once for each of its values; None and False leave it out.

    >>> flags({"min_documents": 5, "exact_norms": True, "topic": [1, 2], "name": None})
    ['--min-documents=5', '--exact-norms', '--topic=1', '--topic=2']
    """
    words: list[str] = []
    for name, value in settings.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
        elif isinstance(value, (list, tuple)):
            words.extend(f"{flag}={each}" for each in value)
        else:
            words.append(f"{flag}={value}")
    return words


class Program:
    """Calls the program on one store."""

    def __init__(self, store: Path, program: Optional[Path] = None) -> None:
        self.store = store
        self.path = program or find_program()

    def call(
        self,
        *words: Word,
        settings: Optional[dict[str, Any]] = None,
        lines: Optional[Iterable[bytes]] = None,
        look: Optional[Callable[[], None]] = None,
        remarks: Optional[bool] = False,
    ) -> str:
        """What a command prints.

        Args:
            words: the command and what it is about.
            settings: its options, see :func:`flags`.
            lines: what it reads from its standard input.
            look: called from time to time while it works; otherwise a line says how long it has worked.
            remarks: whether all that it says is passed on, or only its warnings; None for nothing.

        Raises:
            Error: with the program's line, if it fails.
            KeyboardInterrupt: after the command has been interrupted too.
        """
        # What begins with a dash is an argument all the same.
        given = [str(word) for word in words[1:]]
        command = [str(self.path), str(words[0]), *flags(settings or {}), "--store", str(self.store)]
        command += [*([] if remarks else ["--quiet"]), "--", *given]
        bar = _progress.Working(str(words[0]))
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE if lines is not None else subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                # Ctrl-C comes to it from here, once.
                start_new_session=True,
            )
            try:
                if lines is not None:
                    _feed(process, lines)
                _wait(process, look or bar.look)
            except BaseException:
                _interrupt(process)
                raise
            finally:
                bar.close()
            out.seek(0)
            err.seek(0)
            printed = out.read().decode("utf-8", "replace")
            said = err.read().decode("utf-8", "replace").splitlines()
        if process.returncode != 0:
            raise Error(_reason(said, process.returncode))
        for line in said if remarks is not None else []:
            if line.strip():
                warnings.warn(in_python(_without(line, "warning: ")), Remark, stacklevel=outside())
        return printed

    def json(self, *words: Word, **more: Any) -> Any:
        """What a command prints, as Python values."""
        settings = {**(more.pop("settings", None) or {}), "output": "json"}
        return json.loads(self.call(*words, settings=settings, **more))

    def rows(self, *words: Word, **more: Any) -> list[dict[str, Any]]:
        """What a command prints as a list, a dict a row."""
        settings = {**(more.pop("settings", None) or {}), "output": "jsonl"}
        return [json.loads(line) for line in self.call(*words, settings=settings, **more).splitlines()]


def _feed(process: subprocess.Popen[bytes], lines: Iterable[bytes]) -> None:
    assert process.stdin is not None
    try:
        for line in lines:
            process.stdin.write(line)
        process.stdin.close()
    except BrokenPipeError:
        # It ended before it had read all, and says why.
        pass


def _wait(process: subprocess.Popen[bytes], look: Callable[[], None]) -> None:
    while True:
        try:
            process.wait(timeout=LOOK)
            return
        except subprocess.TimeoutExpired:
            look()


def _interrupt(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=ENDING)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if process.stdin is not None:
        try:
            process.stdin.close()
        except BrokenPipeError:
            pass


def _reason(said: list[str], code: int) -> str:
    errors = [_without(line, "error: ") for line in said if line.startswith("error: ")]
    if errors:
        return "\n".join(map(in_python, errors))
    if code < 0:
        return f"topoi was ended by signal {-code}; what it had saved is there"
    return "\n".join(said) or f"topoi ended with {code}"


def _without(line: str, prefix: str) -> str:
    return line[len(prefix) :] if line.startswith(prefix) else line


def outside() -> int:
    """How many frames up the first one outside of this module is, as `warnings.warn` counts them."""
    here, level = str(Path(__file__).parent), 1
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(here):
        frame, level = frame.f_back, level + 1
    return level
