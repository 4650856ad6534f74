"""Reads a file of several corpora, which the scorers score one by one."""


def read(path):
    """Returns the lines of each corpus. A blank line separates two corpora."""
    with open(path, encoding="utf-8") as file:
        return [corpus.split("\n") for corpus in file.read().removesuffix("\n").split("\n\n")]
