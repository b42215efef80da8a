"""Exceptions of ravi: "it did not run". What was learned from a run is a finding instead."""


class Error(Exception):
    """The base of both."""

    __module__ = "ravi"


class UsageError(Error, ValueError):
    """The request cannot be honored as it stands: an option, a name, the data."""

    __module__ = "ravi"


class EnvironmentError(Error, RuntimeError):  # noqa: A001 - the name it has in C++
    """The surroundings failed: a file cannot be written, a program cannot be compiled."""

    __module__ = "ravi"


def valid_text(text: str, what: str) -> str:
    """The same text. A half of a surrogate pair, which Python lets into one, has no UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{what} {text!a} is not valid Unicode") from None
    return text


def a_type(value: object) -> str:
    """What something is, for messages: "an int", "a dict"."""
    name = type(value).__name__
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"
