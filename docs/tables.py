#!/usr/bin/env python3
"""Writes the measured tables into the pages, and docs/experiments.md, from docs/results/*.json.

    docs/tables.py            writes them
    docs/tables.py --check    ends with 1 if a page and its file differ

A page asks for the table NAME (the file NAME.json of docs/results) between two markers. Everything between them is replaced:

    <!-- table: NAME -->
    <!-- /table -->

tests/benchmarks/results.py measures the figures and writes the JSON. A file has "columns", each with a title and, if it shows
a measured figure, the figure's name and its digits; and "rows", each with labels and, for every figure, one number per seed.
Several numbers are shown as their mean ± half their range. "date", "commit" and "machine" stand below the table.
"""
import json
import re
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
RESULTS = PROJECT / "docs" / "results"
EXPERIMENTS = PROJECT / "docs" / "experiments.md"
MARKED = re.compile(r"(<!-- table: ([\w-]+) -->\n).*?(<!-- /table -->)", re.DOTALL)
INTRODUCTION = """# Experiments without a corpus

This page has the results of the small experiments of `build/reproduce`, which generate their own data. It is for readers who
want to check a claim of a paper, or to repeat an experiment in class.

Each experiment trains small models with three seeds and reports which claims hold. Figures are means over the seeds ± half
their range. `build/reproduce NAME --seeds 3` repeats one and writes a report, `runs/reproduce/NAME.html`. `docs/tables.py`
makes this page from the JSON file of each report.
"""


def number(value, digits):
    return f"{value:,.{digits}f}"


def shown(values, digits):
    """One number per seed as a cell."""
    if not values or any(value is None for value in values):
        return "-"
    mean, half = sum(values) / len(values), (max(values) - min(values)) / 2
    if len(values) == 1 or (digits == 0 and half < 0.5):
        return number(mean, digits)
    return f"{number(mean, digits)} ± {number(half, digits)}"


def row_of(cells):
    return f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def grid(titles, rows):
    return "\n".join([row_of(titles), "|" + "---|" * len(titles), *map(row_of, rows)]) + "\n"


def joined(words):
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def measured(result):
    """When, by which build and where, in a sentence."""
    commits = joined([f"`{commit}`" for commit in result["commit"]])
    return f"Measured on {joined(result['date'])} with commit {commits} on {joined(result['machine'])}"


def seeds_of(rows):
    counts = {len(row["seeds"]) for row in rows if row["seeds"] != [None]}
    if not counts:
        return ""
    if counts == {1}:
        return "; one seed"
    most = max(counts)
    rest = "" if len(counts) == 1 else "; rows without ± have one seed" if counts == {1, most} else "; some rows have fewer seeds"
    return f"; mean of {most} seeds ± half their range{rest}"


def table(result):
    """The table of one file, and a line that says where its figures come from."""
    rows = []
    for row in result["rows"]:
        labels = iter(row["label"])
        rows.append([shown(row["figures"][c["figure"]], c["digits"]) if "figure" in c else next(labels) for c in result["columns"]])
    return f"\n{grid([c['title'] for c in result['columns']], rows)}\n*{measured(result)}{seeds_of(result['rows'])}.*\n"


def load(path):
    return json.loads(path.read_text(encoding="utf-8"))


def filled(text, page):
    """The page with each marked table replaced."""
    def one(match):
        path = RESULTS / f"{match[2]}.json"
        if not path.exists():
            raise SystemExit(f"error: {page} asks for the table {match[2]}, but there is no {path.relative_to(PROJECT)}")
        return match[1] + table(load(path)) + "\n" + match[3]
    return MARKED.sub(one, text)


def chapters(study):
    """Links to the chapters that name the study's command."""
    found = []
    for page in sorted((PROJECT / "docs" / "course").glob("[0-9]*.md")):
        if re.search(rf"reproduce {study}\b(?!-)", page.read_text(encoding="utf-8")):
            found.append(f"[{int(page.name[:2])}](course/{page.name})")
    return ", ".join(found)


def experiments():
    """docs/experiments.md, or None without results."""
    studies = sorted((load(path) for path in (RESULTS / "studies").glob("*.json")), key=lambda study: study["study"])
    if not studies:
        return None
    overview = [[f"[`{s['study']}`](#{s['study']})", s["title"],
                 f"{sum(c['held'] for c in s['claims'])} of {len(s['claims'])}", chapters(s["study"])] for s in studies]
    parts = [INTRODUCTION, grid(["experiment", "subject", "claims that hold", "chapter"], overview)]
    for study in studies:
        claims = "".join(f"- **{'Holds' if c['held'] else 'Does not hold'}.** {c['claim']}: {c['figures']}.\n" for c in study["claims"])
        parts += [f"## {study['study']}\n", f"**{study['title']}.** {study['setting']}\n", claims, grid(study["columns"], study["rows"])]
        parts += [f"![{study['study']}: {figure['title']}](experiments/{figure['file']})\n" for figure in study["figures"]]
        parts += [f"*`build/{study['command']}`. {measured(study)}.*\n"]
    return "\n".join(parts)


def pages():
    """page -> what it should be."""
    found = {}
    for page in [PROJECT / "README.md", *sorted((PROJECT / "docs").rglob("*.md"))]:
        text = page.read_text(encoding="utf-8")
        if page != EXPERIMENTS and MARKED.search(text):
            found[page] = filled(text, page.name)
    if (text := experiments()) is not None:
        found[EXPERIMENTS] = text
    return found


def main():
    differ = [page for page, text in pages().items() if not page.exists() or page.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv:
        for page in differ:
            print(f"{page.relative_to(PROJECT)} differs from docs/results: run python3 docs/tables.py")
        return 1 if differ else 0
    for page in differ:
        page.write_text(pages()[page], encoding="utf-8")
        print(f"wrote {page.relative_to(PROJECT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
