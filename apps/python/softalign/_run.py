"""Trained models: Run, and what its methods return."""

import json
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union, overload

import numpy as np

from . import _arguments, _softalign
from ._figure import Figure, figure_of
from .errors import DataError

Path = _arguments.Path
Link = Tuple[int, int]


class Head(NamedTuple):
    """The attention of one head. `layer` and `head` count from 0."""
    layer: int
    head: int
    kind: str  #: "cross", "decoder", "encoder-self", "decoder-self" or "self"
    matrix: np.ndarray  #: (T, S), float32


class Score(NamedTuple):
    """How probable a target is, given its source. Probabilities are in nats. </s> counts as a token."""
    log_probability: float  #: ln p(target | source)
    mean: float  #: log_probability per token
    perplexity: float  #: exp(-mean)
    tokens: np.ndarray  #: (T+1,), log-probability of each token, the last one is </s>


class Alignment:
    """A source with S words, a target with T words, and the attention or the links between them.

    In a notebook, an alignment shows its attention matrix.
    """

    __slots__ = ("_found",)

    def __init__(self, found: "_softalign.Found") -> None:
        self._found = found

    @property
    def text(self) -> str:
        """The target as a person reads it."""
        return self._found.text

    @property
    def tokens(self) -> List[str]:
        """The T words of the target, without </s>."""
        return self._found.target

    @property
    def source(self) -> List[str]:
        """The S words of the source, without </s>. A picture has cells, and a story has sentences."""
        return self._found.source

    @property
    def links(self) -> List[Link]:
        """Pairs (source position, target position), from 0."""
        return self._found.links

    @property
    def gold(self) -> Optional[Tuple[List[Link], List[Link]]]:
        """The sure and the possible gold links, or None."""
        return self._found.gold

    @property
    def matrix(self) -> np.ndarray:
        """The attention weights, float32. Row t belongs to target word t, and sums to 1.

        The last row and the last column belong to </s>, so the shape is (T+1, S+1). There are T rows if the model
        reached its length limit, and no rows if it has no attention.
        """
        return self._found.matrix

    @property
    def heads(self) -> List[Head]:
        """The attention of each head, if the model has several."""
        return [Head(*head) for head in self._found.heads]

    @property
    def entropy(self) -> np.ndarray:
        """The entropy of each row of `matrix`, in nats."""
        return self._found.entropy

    @property
    def log_probability(self) -> Optional[float]:
        """ln p(target | source) in nats, or None if it is unknown."""
        return self._found.log_probability

    @property
    def log_probabilities(self) -> np.ndarray:
        """The log-probability of each word of the target and of </s>, in nats."""
        return self._found.log_probabilities

    @property
    def unknown(self) -> List[str]:
        """The source words that are not in the model's vocabulary."""
        return [self._found.source[i] for i in self._found.unknown_source]

    @property
    def question(self) -> Optional[str]:
        """The question that the target answers, or None."""
        return self._found.question

    @property
    def complete(self) -> bool:
        """False if the model reached its length limit before it wrote </s>."""
        return self._found.complete

    def rows(self) -> List[Dict[str, Any]]:
        """One dict per link: id, source_position, source_word, target_position, target_word, weight.

        `weight` is None if the alignment has no matrix.
        """
        found, matrix = self._found, self.matrix
        source, target = found.source, found.target
        return [{"id": found.id, "source_position": s, "source_word": source[s], "target_position": t,
                 "target_word": target[t],
                 "weight": float(matrix[t, s]) if t < matrix.shape[0] and s < matrix.shape[1] else None}
                for s, t in found.links]

    def json(self) -> str:
        """The alignment record, one line of JSON, as the programs write it."""
        return self._found.json()

    def figure(self) -> Figure:
        """The drawing of the attention, with one tab per head if there are several."""
        return figure_of(self)

    def svg(self) -> str:
        """The drawing of `matrix` as an SVG file."""
        return self.figure().svg()

    def _repr_html_(self) -> str:
        return self.figure()._repr_html_()

    def __repr__(self) -> str:
        return f"<softalign.{type(self).__name__} {self.text!r}>"


class Translation(Alignment):
    """What a model wrote: a translation, a caption or an answer."""

    __slots__ = ("alternatives",)

    def __init__(self, found: "_softalign.Found", alternatives: "Sequence[Translation]" = ()) -> None:
        super().__init__(found)
        #: The other results of the search, the best first. There are at most n_best - 1.
        self.alternatives: List[Translation] = list(alternatives)

    @property
    def score(self) -> float:
        """The number by which beam search compares translations. Higher is better."""
        return self._found.score


def _best(found: "List[_softalign.Found]") -> Translation:
    if not found:
        raise DataError("the model found no answer. Ask for more answers with n_best, or train the model longer")
    return Translation(found[0], [Translation(other) for other in found[1:]])


class Run:
    """A trained model, in the folder that `train` wrote.

    >>> run = softalign.Run("runs/demo")
    >>> run.translate("i love you").text
    "je t'aime"

    Several folders make an ensemble. Every method takes the options of the program of the same name as keyword
    arguments, with underscores: beam=5, max_length=50. Several threads may use one Run; the calls then run one after
    the other. Each call uses several cores.

    Raises MissingFileError, DamagedFileError or UnsupportedFormatError if the run cannot be opened.
    """

    def __init__(self, folder: Union[Path, Sequence[Path]], *, alignment_by: Optional[str] = None) -> None:
        """Opens a run. `alignment_by` says where matrices come from after train --align: "layer", "decoder" or "combined"."""
        self._run = _softalign.Run(_arguments.paths(folder, "folder"), {"alignment_by": alignment_by})

    @property
    def folder(self) -> str:
        """The folder of the run, or of the first run of an ensemble."""
        return self._run.folders[0]

    @property
    def model(self) -> str:
        """The name of the model, for example "rnnsearch"."""
        return self._run.model

    @property
    def task(self) -> str:
        """The task that the run was trained for, for example "translation"."""
        return self._run.task

    @property
    def parameters(self) -> int:
        """The number of parameters."""
        return self._run.parameters

    @property
    def options(self) -> Dict[str, Any]:
        """The options of the training (config.json)."""
        return json.loads(self._run.config)

    @overload
    def translate(self, sentence: str, **options: Any) -> Translation: ...
    @overload
    def translate(self, sentence: Sequence[str], **options: Any) -> List[Translation]: ...

    def translate(self, sentence, **options):
        """Translates a sentence, or a list of sentences, which is faster. A language model continues each text.

        Options: beam, n_best (number of translations, the others are `alternatives`), length_penalty, sample,
        temperature, seed, replace_unknown, shortlist, max_length, batch, threads, heads (record self-attention too),
        and the others of `translate --help`. Raises DataError for a sentence that is too long or not UTF-8.
        """
        one = isinstance(sentence, str)
        sentences = [_arguments.text(sentence, "sentence")] if one else _arguments.texts(sentence, "sentence")
        found = [_best(some) for some in self._run.translate(sentences, _arguments.options(options))]
        return found[0] if one else found

    @overload
    def align(self, source: str, target: str, **options: Any) -> Alignment: ...
    @overload
    def align(self, source: Sequence[str], target: Sequence[str], **options: Any) -> List[Alignment]: ...

    def align(self, source, target, **options):
        """Returns the model's attention for a given translation, or for lists of sources and targets.

        Options: max_length, heads (record self-attention too), threads. Raises DataError if a text is blank.
        """
        one = isinstance(source, str)
        sources, targets = _sides(source, target)
        found = [Alignment(each) for each in self._run.align(sources, targets, _arguments.options(options))]
        return found[0] if one else found

    @overload
    def score(self, source: str, target: str, **options: Any) -> Score: ...
    @overload
    def score(self, source: Sequence[str], target: Sequence[str], **options: Any) -> List[Score]: ...

    def score(self, source, target, **options):
        """Returns how probable a target is, given its source. For a language model, the source is "".

        Options: max_length, threads. Raises DataError if a text is blank.
        """
        one = isinstance(source, str)
        sources, targets = _sides(source, target)
        scores = []
        for tokens in self._run.score(sources, targets, _arguments.options(options)):
            total = float(sum(tokens))
            mean = total / len(tokens)
            scores.append(Score(total, mean, float(np.exp(-mean)), np.array(tokens, np.float32)))
        return scores[0] if one else scores

    def evaluate(self, data: Optional[Path] = None, **options: Any) -> Dict[str, Any]:
        """Scores translations and alignments of a corpus, as `evaluate --json` does.

        `data` is a TSV file; or give source, target and alignment files. The result has the keys all, by_length and
        by_tag. For example, result["all"]["bleu"] is in percent. Other options: beam, reference, tokenize, rule,
        threads.
        """
        if data is not None:
            options["data"] = _arguments.path(data, "data")
        _arguments.options(options, [name for name in _arguments.PROGRAM_ONLY if name != "alignment"])
        return json.loads(self._run.evaluate(options))

    @overload
    def caption(self, picture: Path, **options: Any) -> Translation: ...
    @overload
    def caption(self, picture: List[Path], **options: Any) -> List[Translation]: ...

    def caption(self, picture, **options):
        """Describes a picture file (PNG, JPEG or PPM), or a list of them. Options: beam, n_best, batch, threads."""
        pictures = _arguments.paths(picture, "picture")
        found = [_best(some) for some in self._run.caption(pictures, _arguments.options(options))]
        return found if isinstance(picture, (list, tuple)) else found[0]

    def answer(self, story: Union[str, Sequence[str]], question: str, **options: Any) -> Translation:
        """Answers a question about a story with one word.

        `story` is a list of sentences, or a text with one sentence per line. Options: n_best, threads.
        """
        sentences = story.split("\n") if isinstance(story, str) else story
        found = self._run.answer(_arguments.texts(sentences, "story"), _arguments.text(question, "question"),
                                 _arguments.options(options))
        return _best(found)

    def entail(self, premise: str, hypothesis: str, **options: Any) -> Translation:
        """Judges whether a hypothesis follows from a premise. Options: n_best, threads."""
        return _best(self._run.entail(_arguments.text(premise, "premise"), _arguments.text(hypothesis, "hypothesis"),
                                      _arguments.options(options)))

    def close(self) -> None:
        """Frees the memory of the model. Later calls raise UsageError."""
        self._run.close()

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<softalign.Run {self.folder!r}{' (closed)' if self._run.closed else ''}>"


def _sides(source: Any, target: Any) -> Tuple[List[str], List[str]]:
    """Returns source and target as lists, if both are texts or both are lists."""
    if isinstance(source, str) != isinstance(target, str):
        raise TypeError("source and target must both be str, or both be lists of str")
    if isinstance(source, str):
        return [_arguments.text(source, "source")], [_arguments.text(target, "target")]
    return _arguments.texts(source, "source"), _arguments.texts(target, "target")
