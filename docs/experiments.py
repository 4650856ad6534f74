#!/usr/bin/env python3
"""Writes docs/experiments.md from docs/measured/studies: the claims, tables and figures of reproduce without a corpus.
docs/claims.py words the claims.

    docs/experiments.py            writes it
    docs/experiments.py --check    ends with 1 if it is out of date

tests/benchmarks/results.py measures the studies and writes their files.
"""
import json
import re
import sys
from pathlib import Path

from claims import heads, setting, worded

PROJECT = Path(__file__).resolve().parents[1]
STUDIES = PROJECT / "docs" / "measured" / "studies"
PAGE = PROJECT / "docs" / "experiments.md"
INTRODUCTION = """# Experiments without a corpus

This page lists the results of the small experiments of `build/reproduce`, which generate their own data. Only `alignment-on-real-text` needs files of yours. You need it when you want to
check a claim of a paper, or to repeat an experiment in class.

Each experiment trains small models and checks claims of papers. A figure such as 95.0 ± 2.1 is the mean over several random seeds, ± half of
the range. The line below an experiment has its command, with the number of seeds. `build/reproduce NAME` repeats an experiment and
writes a report, `runs/reproduce/NAME.html`. The script `docs/experiments.py` makes this page from the JSON files of the reports.
"""


def row_of(cells):
    return f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def grid(titles, rows):
    return "\n".join([row_of(titles), "|" + "---|" * len(titles), *map(row_of, rows)]) + "\n"


def chapters(study):
    """Returns links to the chapters that name the study's command."""
    found = []
    for page in sorted((PROJECT / "docs" / "course").glob("[0-9]*.md")):
        if re.search(rf"reproduce {study}\b(?!-)", page.read_text(encoding="utf-8")):
            found.append(f"[{int(page.name[:2])}](course/{page.name})")
    return ", ".join(found)


def section(study):
    claims = "".join(f"- {worded(study['study'], claim)}\n" for claim in study["claims"])
    figures = [f"![{study['study']}: {figure['title']}](experiments/{figure['file']})\n" for figure in study["figures"]]
    source = f"*We ran `build/{study['command']}` on {study['date']}, with commit `{study['commit']}`. The processor was {study['machine']}.*\n"
    return [f"## {study['study']}\n", f"**{study['title']}.** {setting(study['study'], study['setting'])}\n", claims, grid(heads(study["study"], study["columns"]), study["rows"]), *figures,
            source]


def page():
    studies = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(STUDIES.glob("*.json"))]
    overview = [[f"[`{s['study']}`](#{s['study']})", s["title"], f"{sum(c['held'] for c in s['claims'])} of {len(s['claims'])}",
                 chapters(s["study"])] for s in studies]
    parts = [INTRODUCTION, grid(["experiment", "subject", "claims that hold", "chapter"], overview)]
    return "\n".join(parts + [part for study in studies for part in section(study)])


def main():
    text = page()
    if "--check" not in sys.argv:
        PAGE.write_text(text, encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != text:
        print("docs/experiments.md is out of date: run python3 docs/experiments.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
