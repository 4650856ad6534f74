"""Training."""

from typing import Any, Callable, Dict, Optional

from . import _arguments, _softalign
from ._run import Run

Callback = Callable[[Dict[str, Any]], Any]


def train(*, callback: Optional[Callback] = None, **options: Any) -> Optional[Run]:
    """Trains a model and returns its Run. The run folder has the same bytes as one of the program `train`.

    The options are those of the program: data="my/corpus", model="transformer", out="runs/mine", epochs, hidden,
    batch, lr, seed, threads, resume, force, align and so on (`train --help-all`). By default, `data` is data/toy and
    `out` is runs/toy.

    After each epoch, callback(metrics) gets a dict: the line of metrics.jsonl, with best (bool), seconds and
    words_per_second. Ctrl-C (KeyboardInterrupt), or an exception of the callback, stops the training after the
    current step. The state is saved before, so train(resume=True, out=...) continues. With dry_run=True, nothing is
    written and the result is None.

    Notes and the table of epochs go to the logger "softalign". Raises UsageError for options that do not exist or do
    not fit, DataError for a corpus with errors, and DivergedError if the loss becomes NaN or infinite.
    """
    if callback is not None and not callable(callback):
        raise TypeError(f"callback must be a function, not {type(callback).__name__}")
    for name in ("help", "help_all", "version", "generate", "color", "plot_every"):
        if name in options:
            raise _arguments.UsageError(f"the option {name} belongs to the program and has no meaning in Python. Remove it")
    _softalign.train(options, callback)
    if options.get("dry_run") or options.get("replay"):
        return None
    return Run(options.get("out") or "runs/toy")
