"""Runs and helpers that the tests of the Python package share."""

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SOFTALIGN_BUILD", PROJECT / "build"))
if not (BUILD / "python" / "softalign").is_dir():
    import unittest
    raise unittest.SkipTest(f"{BUILD}/python does not exist. Build it: cmake -B build -DSOFTALIGN_PYTHON=ON")
sys.path[:0] = [str(BUILD / "python"), str(PROJECT / "tests" / "apps")]

import programs  # noqa: E402
import softalign  # noqa: E402

_FOLDER = Path(tempfile.mkdtemp())
atexit.register(shutil.rmtree, _FOLDER, True)

TINY = {"embedding": 8, "hidden": 12, "attention_size": 8, "readout": 8, "threads": 1, "epochs": 2}


def folder(name):
    """Returns a new folder."""
    path = _FOLDER / name
    path.mkdir()
    return path


def corpus():
    """Returns the folder of a small corpus."""
    path = _FOLDER / "corpus"
    return path if path.exists() else programs.tiny_corpus(path)


def run(name="rnnsearch", **options):
    """Returns the folder of a tiny run, which the first call trains."""
    path = _FOLDER / f"run-{name}"
    if not path.exists():
        softalign.train(data=corpus(), out=path, **{**TINY, **options})
    return path


def transformer():
    return run("transformer", model="transformer", hidden=8, heads=2, layers=1)


def encdec():
    return run("encdec", model="encdec")


def captions():
    """Returns the folder of a run that writes captions, and a picture."""
    data = _FOLDER / "pictures"
    if not data.exists():
        data.mkdir()
        programs.halves(data)
        softalign.train(data=data, out=_FOLDER / "run-captions", **TINY)
    return _FOLDER / "run-captions", data / "red-blue.png"


def stories():
    """Returns the folder of a run that answers questions."""
    data = _FOLDER / "stories"
    if not data.exists():
        data.mkdir()
        programs.moves(data)
        softalign.train(data=data, out=_FOLDER / "run-stories", embedding=8, threads=1, epochs=2, restarts=0)
    return _FOLDER / "run-stories"
