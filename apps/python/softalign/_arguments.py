"""Checks arguments before they reach the C++ code, and says what was expected."""

import os
from typing import Any, List, Sequence, Union

from .errors import UsageError

Path = Union[str, "os.PathLike[str]"]

PROGRAM_ONLY = ("help", "help_all", "version", "generate", "config", "alignment", "color", "out", "page", "over", "tokens")


def text(value: Any, name: str) -> str:
    """Returns the value if it is a str. Raises TypeError otherwise."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str, not {type(value).__name__}")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as problem:
        raise UsageError(f"{name} has a lone surrogate at position {problem.start}, which is no character. "
                         "Decode the text with errors='replace'") from None
    return value


def texts(values: Any, name: str) -> List[str]:
    """Returns the values as a list of str. Raises TypeError for anything else, also for one str."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise TypeError(f"{name} must be a list of str, not {type(values).__name__}")
    return [text(value, f"{name}[{i}]") for i, value in enumerate(values)]


def path(value: Any, name: str) -> str:
    """Returns a str or os.PathLike as a str."""
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{name} must be a path (str or os.PathLike), not {type(value).__name__}")
    found = os.fspath(value)
    if isinstance(found, bytes):
        found = os.fsdecode(found)
    if not found:
        raise UsageError(f"{name} is empty. Name a file or a folder")
    if "\0" in found:
        raise UsageError(f"{name} has a NUL character, which no file name has")
    return found


def paths(value: Any, name: str) -> List[str]:
    """Returns one path or several as a list of str."""
    if isinstance(value, (list, tuple)):
        return [path(one, f"{name}[{i}]") for i, one in enumerate(value)]
    return [path(value, name)]


def options(given: dict, without: Sequence[str] = PROGRAM_ONLY) -> dict:
    """Returns the options of a call. Raises UsageError for options that have an effect only in a terminal."""
    for name in given:
        if name in without:
            raise UsageError(f"the option {name} belongs to the programs and has no meaning in Python. Remove it")
    return given
