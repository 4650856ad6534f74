"""docs/equations.md equals the output of docs/equations.py for the current citations, and every citation has a test. Two
equations of a paper must not show the same formula of the same function."""

import re
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1] / "docs"
status = subprocess.run([sys.executable, DOCS / "equations.py", "--check"], check=False).returncode


def repeated(page):
    """Returns [(paper, place, place)] of equations that show the same formula and function."""
    found = []
    for chapter in page.split("\n## ")[1:]:
        rows = re.findall(r"^\| (eq\. [\w.-]+) \| (`.*`) \| (.*?) \|", chapter, re.M)
        found += [(chapter.split("\n")[0], one[0], other[0]) for i, one in enumerate(rows) for other in rows[:i] if one[1:] == other[1:]]
    return found


ROW = "\n## Cho et al. 2014\n| eq. 5 | `n = 1` | [`f`](f.h) | t |\n| eq. {} | `{}` | [`f`](f.h) | t |\n"
assert repeated(ROW.format(8, "n = 1")) == [("Cho et al. 2014", "eq. 8", "eq. 5")] and not repeated(ROW.format(8, "m = 1"))
for paper, place, other in repeated((DOCS / "equations.md").read_text(encoding="utf-8")):
    print(f"{paper}: {place} shows the formula of {other}: cite each on the line of its own formula")
    status = 1
for name, file in set(re.findall(r"\[`(\w*Options)`\]\(\.\./([\w/.]+)\)", (DOCS / "equations.md").read_text(encoding="utf-8"))):
    print(f"{file}: a citation leads to {name}, which computes nothing: cite the paper above the function that computes it")
    status = 1
sys.exit(status)
