"""``python -m topoi`` is the program."""

import os
import subprocess
import sys

from ._program import find_program
from .errors import Error


def main() -> None:
    """Becomes the program, with the same arguments."""
    try:
        program = str(find_program())
    except Error as error:
        sys.exit(f"error: {error}")
    if os.name == "nt":
        sys.exit(subprocess.run([program, *sys.argv[1:]]).returncode)
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
