"""Links without a model, and files of alignments."""

from typing import Any, Dict, Iterable, List, Optional, Tuple, Union

from . import _arguments, _softalign
from ._run import Alignment
from .errors import DataError, UsageError


class Records(List[Alignment]):
    """A list of alignments."""

    def rows(self) -> List[Dict[str, Any]]:
        """One dict per link of all alignments (Alignment.rows)."""
        return [row for record in self for row in record.rows()]

    def to_dataframe(self):
        """Returns a pandas.DataFrame with one row per link. Needs pandas, which nothing else here needs."""
        import pandas  # only here

        columns = ["id", "source_position", "source_word", "target_position", "target_word", "weight"]
        return pandas.DataFrame(self.rows(), columns=columns)


Side = Union[str, List[str]]


def _side(value: Any, name: str) -> str:
    if isinstance(value, str):
        return _arguments.text(value, name)
    words = _arguments.texts(value, name)
    for word in words:
        if not word or word.split() != [word]:
            raise DataError(f"{name} has the word {word!r}. A word must not be empty or contain white space")
    return " ".join(words)


def links(pairs: Iterable[Tuple[Side, Side]], **options: Any) -> Records:
    """Finds links between the words of sentence pairs by expectation maximisation (EM), without a trained model.

    `pairs` are (source, target): sentences, or lists of words. The options are those of the program `links`:
    rule="grow-diag-final-and", threshold, diagonal_rounds, jump_rounds, tokenizer ("words" or "none"), lowercase,
    max_length, threads. The result has one alignment per pair. `links` comes from the rule, and `matrix` (T, S+1) has
    the posteriors of the forward direction; the last column is the empty word.

    >>> [pair.links for pair in softalign.links([("the house", "das haus"), ("the book", "das buch")])]

    Raises DataError if there is no pair to learn from.
    """
    if isinstance(pairs, (str, bytes)) or not hasattr(pairs, "__iter__"):
        raise TypeError("pairs must be a list of (source, target); softalign.links reads no files")
    sources, targets = [], []
    for i, pair in enumerate(pairs):
        if isinstance(pair, (str, bytes)) or not hasattr(pair, "__len__") or len(pair) != 2:
            raise TypeError(f"pairs[{i}] must be a pair (source, target)")
        sources.append(_side(pair[0], f"the source of pair {i}"))
        targets.append(_side(pair[1], f"the target of pair {i}"))
    if not sources:
        raise DataError("there is no pair to learn from. Give at least one pair")
    return Records(Alignment(found) for found in _softalign.links(sources, targets, _arguments.options(options)))


def records(path: _arguments.Path, from_: Optional[str] = None, **options: Any) -> Records:
    """Reads a file of alignments in any format that the program `convert` knows.

    The formats are jsonl, pharaoh, tsv, soft, hard, nematus, sockeye, fairseq, bertviz and t2t. Without `from_`, the
    name or the content of the file shows the format. Formats without words need the sentences: data=TSV, or source=
    and target=. one_based=True means that links count words from 1. Raises MissingFileError, DataError with file and
    line, or UsageError if the format is unknown.
    """
    given = dict(_arguments.options(options))
    if "in" in given or "in_" in given:
        raise UsageError("the file is given twice. Remove the option in_")
    return Records(Alignment(found) for found in _softalign.records(
        {"in": _arguments.path(path, "path"), "from": from_, **given}))
