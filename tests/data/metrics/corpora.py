"""A file of several corpora, which the scorers score one by one."""


def read(path):
    """The lines of each corpus; a blank line stands between two."""
    with open(path, encoding="utf-8") as file:
        return [corpus.split("\n") for corpus in file.read().removesuffix("\n").split("\n\n")]
