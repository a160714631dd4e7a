"""What can go wrong."""


class Error(Exception):
    """What the program refused or could not do: one line that says what, where, and what to do."""


class Remark(UserWarning):
    """What the program remarked on while it did what it was asked to do."""
