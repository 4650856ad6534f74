#!/usr/bin/env python3
"""Runs notebooks without Jupyter and writes their outputs into them.

    PYTHONPATH=build-python/python docs/notebooks/write_outputs.py                     # all notebooks of this folder
    PYTHONPATH=build-python/python docs/notebooks/write_outputs.py own.ipynb           # these notebooks only

tests/python/test_notebooks.py runs the notebooks in the same way and compares the outputs with the written ones.
"""

import ast
import contextlib
import io
import json
import re
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def run_cell(code, names, number, scope):
    """Runs the code of a cell and returns its outputs in Jupyter's format. `names` are the variables of the notebook."""
    tree = ast.parse(code)
    last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"<cell {number}>", "exec"), names)
        if last is not None:
            value = eval(compile(last, f"<cell {number}>", "eval"), names)
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(keepends=True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if hasattr(value, "_repr_html_"):
            # The names of figures are random. Here they are fixed, so that the file only changes if the figure changes.
            drawn = re.sub(r"softalign-[a-z2-7]{8}-\d+", f"softalign-{scope}-{number}", value._repr_html_())
            data = {"text/html": drawn.splitlines(keepends=True), **data}
        outputs.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return outputs


def run(notebook, scope):
    """Runs a notebook, which is the content of its file. Returns it with new outputs."""
    names, number, cells = {"__name__": "__main__"}, 0, []
    with tempfile.TemporaryDirectory() as temporary:
        before, tempfile.tempdir = tempfile.tempdir, temporary
        try:
            for cell in notebook["cells"]:
                if cell["cell_type"] == "code":
                    number += 1
                    cell = {**cell, "execution_count": number,
                            "outputs": run_cell("".join(cell["source"]), names, number, scope)}
                cells.append(cell)
        finally:
            tempfile.tempdir = before
    return {**notebook, "cells": cells}


def main(paths):
    for path in paths:
        notebook = run(json.loads(path.read_text(encoding="utf-8")), path.stem)
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]] or sorted(FOLDER.glob("*.ipynb")))
