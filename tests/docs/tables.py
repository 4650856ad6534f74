#!/usr/bin/env python3
"""Writes the tables of the pages from the measurements in docs/measured.

    tests/docs/tables.py            # prints the tables that differ from their file; exit status 1 if there are any
    tests/docs/tables.py --write    # brings the pages up to date

A comment before a table says where it comes from: <!-- table: measured/pytorch.json summary -->. The file has the
figures once, by name; a table has columns and rows, and a cell that is the name of a figure shows that figure. A line
below the table says when the figures were measured, and with which commit. README.md has no such line.
"""
import argparse
import json
import re
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
MARK = re.compile(r"^<!-- table: (\S+) (\S+) -->\n((?:\|.*\n)*)(?:\n<sub>Measured .*</sub>\n)?", re.M)
MEASURED = ("date", "machine", "commit", "command")  # each measurement must have these keys


def pages():
    return [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]


def shown(value):
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else str(value)


def table(measurements, name):
    figures, wanted = measurements["figures"], measurements["tables"][name]
    rows = [[shown(figures.get(cell, cell) if isinstance(cell, str) else cell) for cell in row] for row in wanted["rows"]]
    return "".join("| " + " | ".join(row) + " |\n" for row in [wanted["columns"], *rows]).replace(
        "\n", "\n|" + "---|" * len(wanted["columns"]) + "\n", 1).replace("|  |", "| |")


def source(measurements):
    several = "commits" if "," in measurements["commit"] else "commit"
    return f"\n<sub>Measured on {measurements['date']} with {several} {measurements['commit']}.</sub>\n"


def updated(text, dated=True):
    def written(match):
        measurements = json.loads((PROJECT / "docs" / match[1]).read_text(encoding="utf-8"))
        return f"<!-- table: {match[1]} {match[2]} -->\n" + table(measurements, match[2]) + (source(measurements) if dated else "")

    return MARK.sub(written, text)


def is_dated(page):
    return page.name != "README.md"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    stale = 0
    for page in pages():
        text = page.read_text(encoding="utf-8")
        new = updated(text, is_dated(page))
        if new != text:
            if arguments.write:
                page.write_text(new, encoding="utf-8")
            else:
                print(f"{page.relative_to(PROJECT)}: a table differs from its file; run tests/docs/tables.py --write")
                stale += 1
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
