"""The pinned peers in a virtual environment, and topoi's release program. Standard library alone."""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
REQUIREMENTS = HERE / "requirements.txt"
#: The oldest Python that the pinned versions know.
OLDEST_PYTHON = (3, 11)


def say(text):
    """To standard error: standard output is for tables."""
    print(text, file=sys.stderr, flush=True)


def python_with_peers(directory):
    """The interpreter of the environment in `directory`, which is made when it is not there or was
    made from other pins."""
    directory = Path(directory).resolve()
    python = directory / "bin" / "python"
    made_from = directory / "made_from.txt"
    wanted = REQUIREMENTS.read_text()
    if python.exists() and made_from.exists() and made_from.read_text() == wanted:
        return python
    if sys.version_info < OLDEST_PYTHON:
        oldest = ".".join(map(str, OLDEST_PYTHON))
        raise SystemExit(f"error: the pinned peers need Python {oldest} or newer; run this with one")
    if directory.exists() and not (directory / "pyvenv.cfg").exists():
        raise SystemExit(f"error: {directory} is no virtual environment; name another directory")
    say(f"making {directory}")
    venv.EnvBuilder(with_pip=True, clear=True).create(directory)
    pip = [str(python), "-m", "pip", "--disable-pip-version-check"]
    # Without their own wishes, so that nothing is installed that is not pinned; the check holds
    # the pins to be all that is needed.
    install = [*pip, "install", "--quiet", "--no-deps", "--requirement", str(REQUIREMENTS)]
    subprocess.run(install, check=True)
    subprocess.run([*pip, "check"], check=True, stdout=sys.stderr)
    made_from.write_text(wanted)
    return python


def enter(directory):
    """Goes on as the same command with the interpreter of the environment, unless it is that already."""
    python = python_with_peers(directory)
    if Path(sys.prefix).resolve() != python.parent.parent:
        os.execv(python, [str(python), *sys.argv])


def release_program():
    """Builds topoi for release and returns the path of the program."""
    say("building topoi")
    metadata = ["cargo", "metadata", "--format-version", "1", "--no-deps"]
    subprocess.run(["cargo", "build", "--release", "--locked"], check=True, cwd=ROOT)
    found = subprocess.run(metadata, check=True, cwd=ROOT, capture_output=True, text=True)
    return Path(json.loads(found.stdout)["target_directory"]) / "release" / "topoi"
