#!/usr/bin/env python3
"""Draws the figures of the course.

    docs/course/figures/draw.py            writes them into this folder
    docs/course/figures/draw.py --check    ends with 1 if a file differs from its figure

Each figure is a function. The function's name is the name of the file, and its docstring is the title. Numbers in a figure
are computed where possible.
"""
import inspect
import sys
from pathlib import Path

import beyond
import recurrent
import small_worlds
import unrolled

HERE = Path(__file__).resolve().parent


def pictures():
    """Returns {file name: SVG}."""
    drawn = {}
    for module in (recurrent, unrolled, beyond, small_worlds):
        for name, draw in inspect.getmembers(module, inspect.isfunction):
            if draw.__module__ == module.__name__ and draw.__doc__ and not inspect.signature(draw).parameters:
                drawn[f"{name}.svg"] = draw().svg(draw.__doc__.strip())
    return drawn


def main():
    wrong = []
    for name, svg in pictures().items():
        path = HERE / name
        if "--check" not in sys.argv:
            path.write_text(svg, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != svg:
            wrong.append(f"{name} is not what docs/course/figures/draw.py draws: run it")
    wrong += [f"nothing draws {path.name}" for path in HERE.glob("*.svg") if path.name not in pictures()]
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
