"""The exceptions of softalign. Their messages are those of the programs: what is wrong, and what you can do."""


class Error(Exception):
    """Base class of all exceptions of softalign."""


class DataError(Error, ValueError):
    """A sentence, a line of a file, a matrix or a value of a configuration is not what is expected."""


class UsageError(Error, ValueError):
    """Options do not exist or do not fit together, or the run was trained for another task."""


class MissingFileError(Error, FileNotFoundError):
    """A file or a folder does not exist."""


class DamagedFileError(Error):
    """A file is cut short or was changed, or the files of a run do not belong together."""


class UnsupportedFormatError(Error):
    """The file may be complete, but this version cannot read its format."""


class FileAccessError(Error, OSError):
    """The system refuses to read or write a file: no permission, a full disk, a lock."""


class OutOfMemoryError(Error, MemoryError):
    """The call needs more memory than the process may use."""


class DivergedError(Error, ArithmeticError):
    """The training has diverged: the loss or the gradient became NaN or infinite."""
