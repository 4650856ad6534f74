"""The course (docs/course/*.md) is true: its commands run and print the shown output, and the quoted files contain the
quoted lines.

The words after the three backticks give the kind of a block:

    ```cpp layers/recurrent/lstm.h       the file contains these lines one after another; a line "…" skips to a later place
    ```python docs/course/solutions.py   the file contains these lines, as above
    ```sh                      is run, in a folder where build/, data/ and docs/ are the project's
    ```sh long                 is not run, because it takes minutes
    ```text                    the exact output of the ```sh before it; "…" is any text, a line "…" any number of lines
    ```text about              the output, where numbers depend on the processor and may differ by a fifth and ten units of
                               their last digit
    ```text shape              the output with any numbers
    ```text sample             the output of a ```sh long, which is not compared

Every chapter starts with what it teaches, what it needs and how long it takes. It ends with a summary of three sentences, with
exercises of which docs/course/check.py checks at least one, and with the next step.

While you write, SOFTALIGN_BUILD=build python3 tests/test_course.py 02 09 checks only these chapters.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from pages import PROJECT, blocks, fits, problem_of_quote, problems_of_names, quote_stands

BUILD = Path(os.environ["SOFTALIGN_BUILD"]).resolve()
COURSE = PROJECT / "docs" / "course"
failures = []


def fail(chapter, line, message):
    failures.append(f"{chapter.name}:{line}: {message}")


def check(chapter, folder):
    printed = None
    for line, kind, body in blocks(chapter):
        if kind[:1] in (["cpp"], ["python"]):
            if problem := problem_of_quote(kind, body):
                fail(chapter, line, problem)
        elif kind == ["sh"]:
            result = subprocess.run(["bash", "-euo", "pipefail", "-c", "\n".join(body)], cwd=folder, text=True,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600, check=False)
            printed = result.stdout.splitlines()
            if result.returncode != 0:
                fail(chapter, line, f"ended with {result.returncode}:\n{result.stdout}{result.stderr}")
        elif kind[:1] == ["text"] and kind[1:] != ["sample"]:
            numbers = kind[1] if len(kind) > 1 else "exact"
            if printed is None or numbers not in ("exact", "about", "shape"):
                fail(chapter, line, f"{' '.join(kind)}: there is no output to compare it with")
            elif not fits(body, printed, numbers):
                fail(chapter, line, "the output is another:\n" + "\n".join(printed))
            printed = None
        elif kind not in (["sh", "long"], ["text", "sample"]):
            fail(chapter, line, f"```{' '.join(kind)} is no kind of block")
    text = chapter.read_text(encoding="utf-8")
    for problem in problems_of_names(chapter):
        fail(chapter, 0, problem)
    for problem in problems_of_form(text, int(chapter.name[:2])):
        fail(chapter, 0, problem)


def raw_symbols(text):
    """Returns symbols with a subscript, and Greek letters, that are not typeset: h_j, α. Formulas are typeset as $h_j$.
    Code, names and the addresses of links do not count."""
    prose = re.sub(r"```.*?\n```|\$\$.*?\$\$", "", text, flags=re.S)
    prose = re.sub(r"\$[^$\n]+\$|`[^`\n]+`|!?\[[^\]]*\]\([^)\n]*\)|<[^>\n]+>", " ", prose)
    return re.findall(r"(?<![\w.])[A-Za-z]~?_(?:\{[^}\n]*\}|\w{1,3}\b)|[α-ωΣ∂√]", prose)


def problems_of_form(text, number):
    """Returns what a chapter with this number lacks."""
    opening = text.partition("\n## ")[0]
    found = [f"has the symbol {symbol} in plain text; typeset it: $..$" for symbol in raw_symbols(text)]
    found += [f"does not begin with “{part}”" for part in ("**You will learn**", "**You need**", "**Time**") if part not in opening]
    summary = re.search(r"\n## Summary\n\n(.*?)\n\n", text, flags=re.DOTALL)
    sentences = re.split(r"(?<=\.)\s+(?=[A-Z`])", summary[1].strip()) if summary else []
    if len(sentences) != 3:
        found.append(f"has a summary of {len(sentences)} sentences, expected 3")
    exercises = text.partition("\n## Exercises\n")[2]
    if not 1 <= len(re.findall(r"^\d+\. ", exercises, flags=re.MULTILINE)) == exercises.count("<summary>Solution</summary>"):
        found.append("has no exercises, or not as many solutions as exercises")
    if f"python3 docs/course/check.py {number} mine.py" not in exercises:
        found.append("has no programming exercise that check.py tries")
    if "\n## Next step\n" not in exercises:
        found.append("does not end with the next step")
    return found


# The test must notice these faults.
assert quote_stands(["a", "…", "c"], ["a", "b", "c"]) and not quote_stands(["a", "c"], ["a", "b", "c"])
assert fits(["AER 5.9", "…"], ["AER 6.4", "x"], "about") and not fits(["AER 5.9"], ["AER 92.7"], "about")
assert not fits(["y = 2.69"], ["y = 2.70"], "exact") and not fits(["a 1"], ["b 1"], "shape")
GOOD = "# 1\n**You will learn** a.\n**You need** b.\n**Time** c.\n\n## Summary\n\nA. B. C.\n\n## Exercises\n\n1. A?\n" \
    "<summary>Solution</summary>\npython3 docs/course/check.py 1 mine.py\n\n## Next step\n"
assert not problems_of_form(GOOD, 1) and problems_of_form(GOOD, 2) and problems_of_form(GOOD.replace("C.", ""), 1)
assert len(problems_of_form("", 1)) == 7
assert raw_symbols("The h_j, c~_t and y_{i-1} of α_ij, `W_a`, $U_a$ and [x_1](a_b.md)\n```cpp\n// v_a\n```\n") == ["h_j", "c~_t", "y_{i-1}", "α"]
assert fits(["… words/s"], ["31,000 words/s"], "exact") and not fits([], ["more"], "shape")

chapters = sorted(COURSE.glob("[0-9]*.md"))
assert len(chapters) >= 10, chapters
chapters = [chapter for chapter in chapters if len(sys.argv) == 1 or chapter.name[:2] in sys.argv]
with tempfile.TemporaryDirectory() as name:
    for link, target in (("build", BUILD), ("data", PROJECT / "data"), ("docs", PROJECT / "docs")):
        (Path(name) / link).symlink_to(target)
    for chapter in chapters:
        check(chapter, name)
        print("course:", chapter.name, "read")
for failure in failures:
    print("FAILED:", failure)
sys.exit(bool(failures))
