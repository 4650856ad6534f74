"""softalign: attention models that you can train, look at and take apart.

>>> import softalign
>>> run = softalign.Run("runs/demo")
>>> t = run.translate("i love you")
>>> t.text, t.links, t.matrix.shape

Run opens a trained model, train() trains one, links() aligns words without a model, records() reads alignment files,
show() draws attention of any program, and softalign.autograd is the engine. Exceptions are in softalign.errors.
"""

from . import autograd, errors
from ._alignments import Records, links, records
from ._figure import Figure, show
from ._run import Alignment, Head, Run, Score, Translation
from ._softalign import version as __version__
from ._training import train
from .errors import (DamagedFileError, DataError, DivergedError, Error, FileAccessError, MissingFileError,
                     OutOfMemoryError, UnsupportedFormatError, UsageError)

__all__ = ["Alignment", "DamagedFileError", "DataError", "DivergedError", "Error", "Figure", "FileAccessError", "Head",
           "MissingFileError", "OutOfMemoryError", "Records", "Run", "Score", "Translation", "UnsupportedFormatError",
           "UsageError", "autograd", "errors", "links", "records", "show", "train"]
