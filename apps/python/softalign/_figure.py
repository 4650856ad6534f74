"""Drawings of attention for notebooks, pages and papers. They load nothing from a network."""

import base64
import html
import itertools
import os
import re
import tempfile
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _arguments, _softalign
from .errors import DataError, UsageError

Link = Tuple[int, int]
Tab = Tuple[str, str]  # a name and an SVG drawing
MOST_TABS = 400

_numbers = itertools.count()
_session = base64.b32encode(os.urandom(5)).decode().lower()  # notebooks keep the outputs of earlier sessions


def _inline(svg: str, scope: str) -> str:
    """Returns a drawing for a page. Its style applies to the drawing alone."""
    svg = re.sub(r"^<\?xml[^>]*>\n", "", svg)
    svg = re.sub(r' id="figure-\d+"', "", svg)
    def scoped(match):
        rules = (f".{scope} {line}" for line in match[1].split("\n") if line)
        return "<style>" + "\n".join(rules) + "</style>"
    return re.sub(r"<style>(.*?)</style>", scoped, svg, count=1, flags=re.S)


class Figure:
    """Attention matrices, one per tab. A notebook displays it."""

    def __init__(self, title: str, tabs: "Dict[str, List[Tab]]") -> None:
        self._title = title
        self._tabs = tabs  # group -> its drawings

    def svg(self, name: Optional[str] = None) -> str:
        """Returns the drawing of a tab (by default the first one) as an SVG file.

        The name of a tab is "head 1", or "layer 1, head 1" if there are several layers. See `tabs`.
        """
        drawings = self._drawings()
        if name is None:
            return next(iter(drawings.values()))
        if name not in drawings:
            raise UsageError(f"the figure has no tab {name!r}; the tabs are {', '.join(map(repr, drawings))}")
        return drawings[name]

    @property
    def tabs(self) -> List[str]:
        """The names of the tabs."""
        return list(self._drawings())

    def _drawings(self) -> Dict[str, str]:
        return {", ".join(filter(None, (group, name))): svg
                for group, tabs in self._tabs.items() for name, svg in tabs}

    def _html(self) -> str:
        scope = f"softalign-{_session}-{next(_numbers)}"
        rules = [f".{scope}{{background:#fff;color:#222;padding:6px;overflow-x:auto;font-family:sans-serif;font-size:13px}}",
                 f".{scope} input{{position:absolute;opacity:0}}",
                 f".{scope} label{{display:inline-block;padding:2px 8px;margin:2px;border:1px solid #bbb;border-radius:4px;"
                 "cursor:pointer}",
                 f".{scope} .tab{{display:none}}"]
        body = self._group(scope, [(group, self._group(f"{scope}-{i}", [(name, _inline(svg, scope)) for name, svg in tabs],
                                                       rules))
                                   for i, (group, tabs) in enumerate(self._tabs.items())], rules)
        title = f"<div>{html.escape(self._title)}</div>" if self._title else ""
        return f'<div class="{scope}"><style>{chr(10).join(rules)}</style>{title}{body}</div>'

    @staticmethod
    def _group(name: str, parts: Sequence[Tab], rules: List[str]) -> str:
        """Returns parts as tabs. One part needs no tab. The browser switches them without a script."""
        if len(parts) == 1:
            return parts[0][1]
        inputs, panels = [], []
        for i, (label, content) in enumerate(parts):
            key = f"{name}-tab{i}"
            inputs.append(f'<input type="radio" name="{name}" id="{key}"{" checked" if i == 0 else ""}>'
                          f'<label for="{key}">{html.escape(label)}</label>')
            panels.append(f'<div class="tab" id="{key}-panel">{content}</div>')
            rules.append(f"#{key}:checked~#{key}-panel{{display:block}}")
            rules.append(f"#{key}:checked+label{{background:#ddd}}")
            rules.append(f"#{key}:focus-visible+label{{outline:2px solid #26c}}")
        return f'<div>{"".join(inputs)}{"".join(panels)}</div>'

    def _repr_html_(self) -> str:
        return self._html()

    def html(self) -> str:
        """Returns a complete HTML page. Its content security policy forbids scripts and every network access."""
        title = html.escape(self._title or "attention")
        return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
                f"<title>{title}</title></head><body>\n{self._html()}\n</body></html>\n")

    def save(self, path: _arguments.Path) -> None:
        """Writes the figure to a file that ends in .html or .svg. The file is complete, or does not change."""
        name = _arguments.path(path, "path")
        if name.endswith((".html", ".htm")):
            content = self.html()
        elif name.endswith(".svg"):
            content = self.svg()
        else:
            raise UsageError(f"{name}: a figure is written as .html or .svg. Choose one of these endings")
        _write(name, content)

    def __repr__(self) -> str:
        return f"<softalign.Figure {self._title!r}, {len(self.tabs)} tab{'s' if len(self.tabs) != 1 else ''}>"


def _write(name: str, content: str) -> None:
    folder = os.path.dirname(os.path.abspath(name))
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".softalign-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(content)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, name)
    except BaseException:
        os.unlink(temporary)
        raise


def _numbers_of(value: Any, name: str) -> np.ndarray:
    """Returns an array of float32, from numpy, lists, or a tensor of PyTorch, TensorFlow or JAX."""
    for step in ("detach", "cpu"):
        if hasattr(value, step):
            value = getattr(value, step)()
    if hasattr(value, "dtype") and str(value.dtype) == "torch.bfloat16":
        value = value.float()
    if value is None or isinstance(value, (str, bytes, dict, set)):
        raise TypeError(f"{name} must be a matrix of numbers, not {type(value).__name__}")
    try:
        array = np.asarray(value)
        if array.dtype == object or array.dtype.kind not in "fiub":
            raise ValueError
        return array.astype(np.float32)
    except (ValueError, TypeError):
        raise DataError(f"{name} is no matrix of numbers. Every row must have the same number of weights") from None


def _check(matrix: np.ndarray, name: str, source: List[str], target: List[str]) -> np.ndarray:
    rows, columns = matrix.shape
    for axis, count, words, side in ((0, rows, target, "target"), (1, columns, source, "source")):
        if count not in (len(words), len(words) + 1):
            what = "rows" if axis == 0 else "columns"
            raise DataError(f"{name} has {count} {what}, and {side} has {len(words)} words. Give one of the {what} per "
                            f"{side} word, and one more for </s> if the model has it. Is the matrix transposed?")
    if not np.isfinite(matrix).all():
        row, column = np.argwhere(~np.isfinite(matrix))[0]
        raise DataError(f"{name}: the weight in row {row}, column {column} is {matrix[row, column]}. Give finite weights")
    if matrix.size and (matrix.min() < 0 or matrix.max() > 1.001):
        row, column = np.argwhere((matrix < 0) | (matrix > 1.001))[0]
        raise DataError(f"{name}: the weight in row {row}, column {column} is {matrix[row, column]:g}. Weights are "
                        "between 0 and 1. Give the weights after the softmax")
    return matrix


def _words(value: Any, name: str) -> List[str]:
    """Returns words. A str is split at white space."""
    return _arguments.text(value, name).split() if isinstance(value, str) else _arguments.texts(value, name)


def _gold(value: Any, source: List[str], target: List[str]) -> Optional[List[Link]]:
    """Returns gold links from [(0, 0), (1, 2)] or "0-0 1-2", which are (source, target) positions."""
    if value is None:
        return None
    if isinstance(value, str):
        value = [tuple(link.split("-")) for link in value.split()]
    links: List[Link] = []
    for link in value:
        try:
            s, t = (int(one) for one in link)
        except (TypeError, ValueError):
            raise DataError(f"gold: {link!r} is no link. Write (source, target) positions, or a text such as 0-0 1-2") from None
        if not (0 <= s < len(source) and 0 <= t < len(target)):
            raise DataError(f"gold: the link {s}-{t} is outside of the {len(source)} source and {len(target)} target words. "
                            "Positions count from 0")
        links.append((s, t))
    return links


def _without_batch(value: Any) -> Any:
    """Returns the attention of one layer without the axis of the batch, if the batch has one sentence."""
    array = _numbers_of(value, "matrix")
    return array[0] if array.ndim == 4 and array.shape[0] == 1 else array


def _layers(matrix: Any) -> List[Tuple[str, List[Tuple[str, np.ndarray]]]]:
    """Returns [(layer, [(head, matrix)])]."""
    if isinstance(matrix, (list, tuple)) and matrix and any(getattr(one, "ndim", 0) >= 2 for one in matrix):
        layers = [_without_batch(one) for one in matrix]  # as transformers returns attentions: one tensor per layer
    else:
        array = _numbers_of(matrix, "matrix")
        if array.ndim == 5 and array.shape[1] == 1:
            array = array[:, 0]
        if array.ndim not in (2, 3, 4):
            raise DataError(f"matrix has {array.ndim} axes. Give (T, S), (heads, T, S) or (layers, heads, T, S)")
        layers = list(array) if array.ndim == 4 else [array]
    several = len(layers) > 1
    found = []
    for i, layer in enumerate(layers):
        if layer.ndim not in (2, 3):
            raise DataError(f"layer {i + 1} of matrix has {layer.ndim} axes. Give (T, S) or (heads, T, S)")
        heads = [("", layer)] if layer.ndim == 2 else [(f"head {k + 1}", head) for k, head in enumerate(layer)]
        if len(heads) > 1:
            heads.insert(0, ("mean", layer.mean(axis=0)))
        found.append((f"layer {i + 1}" if several else "", heads))
    return found


def show(matrix: Any, source: Union[str, Sequence[str]], target: Union[str, Sequence[str]], gold: Any = None,
         title: str = "") -> Figure:
    """Draws attention weights of any program. A notebook displays the result.

    `matrix` has the weights between 0 and 1, as a numpy array, nested lists or a tensor: (T, S), (heads, T, S),
    (layers, heads, T, S), or a list with one array per layer. Several heads and layers become tabs. Row t belongs to
    target word t. There may be one more row and column for </s>. `source` and `target` are lists of words, or texts
    whose words are separated by spaces. `gold` has links [(source position, target position)] or "0-0 1-2"; they get
    an outline.

    >>> softalign.show(outputs.cross_attentions, source_tokens, target_tokens).save("page.html")

    Raises DataError for NaN, ragged or transposed matrices and for weights outside of 0..1.
    """
    sources, targets = _words(source, "source"), _words(target, "target")
    layers = _layers(matrix)
    count = sum(len(heads) for _, heads in layers)
    if count == 0 or not layers:
        raise DataError("matrix is empty. Give at least one head")
    if count > MOST_TABS:
        raise DataError(f"matrix has {count} heads, and a figure has at most {MOST_TABS}. Choose some of the layers")
    links = _gold(gold, sources, targets)
    tabs: Dict[str, List[Tab]] = {}
    for layer, heads in layers:
        for head, weights in heads:
            where = ", ".join(filter(None, (layer, head))) or "matrix"
            record = _softalign.record_of(sources, targets, _check(weights, where, sources, targets), links)
            tabs.setdefault(layer, []).append((head, _softalign.drawing([record])))
    return Figure(_arguments.text(title, "title"), tabs)


def figure_of(alignment: Any) -> Figure:
    """Returns the figure of an alignment, with one tab per head that attends to the source."""
    matrix = alignment.matrix
    if matrix.size == 0:
        return Figure(alignment.text, {"": [("", "")]})
    tabs = [("attention", _softalign.drawing([alignment._found]))]
    gold = alignment.gold[0] if alignment.gold else None
    for head in alignment.heads:
        if head.kind in ("cross", "decoder") and head.matrix.size:
            record = _softalign.record_of(alignment.source, alignment.tokens, head.matrix, gold)
            tabs.append((f"layer {head.layer + 1}, head {head.head + 1}", _softalign.drawing([record])))
    return Figure(alignment.text, {"": tabs})
