"""Writes docs/equations.md: every equation that the code cites, the function that computes it, and its tests.

    docs/equations.py            writes it
    docs/equations.py --check    ends with 1 if it is out of date, or if a citation has no test

A citation is "Bahdanau et al. 2015, eq. 6" in a comment. A comment in a header cites what the code computes. A comment right
above a TEST_CASE cites what the test checks. A line with only "eq. 5" refers to the last paper that was named. Equations
without numbers are cited by the title of their section: Graves et al. 2016, Methods, "Write weighting".
"""

import re
import sys
from collections import defaultdict
from itertools import takewhile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
PAGE = PROJECT / "docs" / "equations.md"
MODULES = ("autograd", "layers", "models", "data")
NAME = r"[A-Z]\w+(?:-[A-Z]\w+)?"
PAPER = re.compile(rf"({NAME})(?:, {NAME})*(?: & {NAME}| et al\.)? (?:19|20)\d\d")
NUMBERS = r"(?:[A-Z]\.)?\d+(?:\.\d+)*(?:(?:-|, | and )\d+(?:\.\d+)*)*"
PLACE = re.compile(rf'(eq\.|equations?|sections?|appendix|algorithm) ({NUMBERS})|(Methods), "([^"]+)"')


def short(paper):
    """ Returns the short name of a paper: "Luong, Pham & Manning 2015" and "Luong et al. 2015" are one paper. Two authors
    keep both names. """
    words = re.findall(NAME, paper)
    year = paper[-4:]
    if len(words) == 1 and "et al." not in paper:
        return f"{words[0]} {year}"
    joined = "{}, {} et al. {}" if "et al." in paper else "{} & {} {}"
    return joined.format(*words, year) if len(words) == 2 else f"{words[0]} et al. {year}"


def places(kind, numbers):
    """ "equations", "5-8" -> eq. 5, eq. 6, eq. 7, eq. 8 """
    if kind == "Methods":
        yield f'{kind}, "{numbers}"'
        return
    kind = "eq." if kind.startswith("eq") else kind.rstrip("s")
    for part in re.split(", | and ", numbers):
        first, _, last = part.partition("-")
        for number in range(int(first), int(last) + 1) if last else [part]:
            yield f"{kind} {number}"


def citations(comment, paper):
    """Returns [(paper, place)] of one line of a comment, and the last paper of the line. A place follows its paper."""
    found = []
    marks = [(m.start(), m) for m in PAPER.finditer(comment)] + [(m.start(), m) for m in PLACE.finditer(comment)]
    for _, match in sorted(marks, key=lambda mark: mark[0]):
        if match.re is PAPER:
            paper = short(match[0])
        elif paper:
            found += [(paper, place) for place in places(*filter(None, match.groups()))]
    return found, paper


def comment_of(line):
    return line.split("//", 1)[1].strip() if "//" in line else ""


def declared(code, within=""):
    """Returns the name that a line of code declares. An operator gets the name of its class, `within`."""
    operator = re.search(r"\boperator\S+?(?=\()", code)
    if operator:
        return f"{within}::{operator[0]}" if within and code.startswith(" ") else operator[0]
    match = re.search(r"\b(?:class|struct)\s+(\w+)", code) or re.search(r"(\w+|operator\S+?)\(", code) or \
        re.search(r"(\w+)\s*(?:=|;)", code)
    return match[1] if match else ""


def cited_in_code():
    """Returns {(paper, place): [(file, declaration, formulas)]}, and {paper: files that name it without a place}."""
    where, whole, enumeration = defaultdict(list), defaultdict(set), re.compile("enum class ")
    for path in sorted(p for module in MODULES for p in (PROJECT / module).rglob("*.h")):
        file, paper = str(path.relative_to(PROJECT)), None
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            text = comment_of(line)
            found, paper = citations(text, paper)
            for match in PAPER.finditer(text):
                whole[short(match[0])].add(file)
            if not found:
                continue
            after = (code for code in lines[number if line.split("//")[0].strip() else number + 1:]
                     if not re.match(r"\s*($|//|#|namespace|using|enum|constexpr auto names_of|return (?:\w+::)?names<|\{\x22|\}|public:|private:|const \w+ \w+;)", code))
            # The formula stands before its citation on the same line, on the line above a citation, or below a citation that
            # ends with a colon.
            beside = -1 if PAPER.match(text) else 1 if text.endswith(":") else 0
            formula = re.sub(r"^(\S+)\s+= ", r"\1 = ", comment_of(lines[number + beside]))
            parts = [formula] if beside == 1 else re.split(r"\s{3,}", re.split(rf";? {PAPER.pattern}", formula)[0].strip())
            parts[0] = re.sub(r"^[\w -]+: +", "", parts[0])
            several = [part.strip() for part in takewhile(re.compile(r"\S+( \S+){0,2} = ").match, parts)]
            within = next((m[1] for l in reversed(lines[:number]) if (m := re.match(r"(?:class|struct) (\w+)[^;]*$", l))), "")
            name = declared(next(after, ""), within) or declared(next(filter(enumeration.match, lines[number:]), ""))
            for citation in found:
                where[citation].append((file, name, several))
    return where, whole


def cited_in_tests():
    """Returns {(paper, place): [(file, name of the test)]}."""
    tests = defaultdict(list)
    for path in sorted((PROJECT / "tests").rglob("*.cpp")):
        file, paper, pending = str(path.relative_to(PROJECT)), None, []
        text = re.sub(r"TEST_CASE\(\n\s+", "TEST_CASE(", path.read_text(encoding="utf-8"))
        for line in text.splitlines():
            case = re.match(r'TEST_CASE\("([^"]+)"', line)
            if case:
                for citation in pending:
                    tests[citation].append((file, case[1]))
            if line.startswith("//"):
                found, paper = citations(comment_of(line), paper)
                pending += found
            else:
                pending = []
    return tests


def order(citation):
    """Returns the sort key of a citation: year, paper, equations before other places, numbers by value."""
    paper, place = citation
    kind = ("eq.", "algorithm", "section", "appendix", "Methods,").index(place.split()[0])
    return paper[-4:], paper, kind, [int(n) for n in re.findall(r"\d+", place)], place


def together(rows):
    """Returns [(place, cells)], where neighbours with the same formula, code and tests become one row: eq. 4-6."""
    joined = []  # [kind, numbers, cells]
    for place, cells in rows:
        kind, _, number = place.partition(" ")
        if joined and cells[0] and joined[-1][0] == kind and joined[-1][2] == cells:
            joined[-1][1].append(number)
        else:
            joined.append([kind, [number], cells])
    for kind, numbers, cells in joined:
        whole = len(numbers) > 1 and all(number.isdigit() for number in numbers)
        yield f"{kind} {numbers[0]}-{numbers[-1]}" if whole else f"{kind} {', '.join(numbers)}", cells


def links_to(file, name, formulas):
    """Returns a link to the header that declares the function. If a comment in the .cpp file has the formula or its right
    side, it adds a link to this file."""
    links, code = [f"[`{name}`](../{file})"], PROJECT / file.replace(".h", ".cpp")
    comments = [comment_of(line) for line in code.read_text(encoding="utf-8").splitlines()] if code.exists() else []
    if {side for formula in formulas for side in (formula, formula.split(" = ", 1)[-1])} & set(comments):
        links.append(f"[`{code.name}`](../{code.relative_to(PROJECT)})")
    return links


def page(where, whole, tests):
    lines = ["# Equations, functions, tests", "",
             "This page lists every equation of a paper that the code cites. You need it when you compare the code with a",
             "paper, or when you look for a test. A row names the function that computes the equation, and the test that",
             "compares its numbers with PyTorch, with a calculation by hand, or with finite differences. A second link, to a",
             "`.cpp` file, leads to the lines that compute the formula. To find them, search the file for a comment with the",
             "formula or with the part after its equals sign. For example, a comment with `softmax(Q K' / sqrt(d_k) + M) V` is",
             "directly above the code that computes scaled dot-product attention. The script `docs/equations.py` makes this",
             "page from the comments in headers and tests.",
             ""]
    for paper in sorted({paper for paper, _ in where}, key=lambda p: (p[-4:], p)):
        lines += [f"## {paper}", "", "| | formula | code | test |", "|---|---|---|---|"]
        rows = []
        for citation in sorted((c for c in where if c[0] == paper), key=order):
            formulas = list(dict.fromkeys(formula for _, _, several in where[citation] for formula in several))
            code = dict.fromkeys(link for place in where[citation] for link in links_to(*place))
            test = dict.fromkeys(f"[{name}](../{file})" for file, name in tests[citation])
            cells = ["<br>".join("`" + formula.replace("|", "\\|") + "`" for formula in formulas), "<br>".join(code),
                     "<br>".join(test)]
            rows.append((citation[1], cells))
        lines += [f"| {place} | {' | '.join(cells)} |" for place, cells in together(rows)]
        lines.append("")
    others = sorted((p for p in whole if all(p != paper for paper, _ in where)), key=lambda p: (p[-4:], p))
    lines += ["## Cited as a whole", "", "| paper | code |", "|---|---|"]
    lines += [f"| {p} | {', '.join(f'[{file}](../{file})' for file in sorted(whole[p]))} |" for p in others]
    return "\n".join(lines) + "\n"


def main():
    (where, whole), tests = cited_in_code(), cited_in_tests()
    untested = sorted((c for c in where if c not in tests), key=order)
    for paper, place in untested:
        print(f"{paper}, {place} has no test: cite it above a TEST_CASE. It stands in", where[paper, place][0][0])
    for paper, place in sorted((c for c in tests if c not in where), key=order):
        print(f"{paper}, {place} is tested in {tests[paper, place][0][0]}, but no header cites it")
        untested.append((paper, place))
    text = page(where, whole, tests)
    if "--check" not in sys.argv:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        print("docs/equations.md is out of date: run python3 docs/equations.py")
        return 1
    return 1 if untested else 0


if __name__ == "__main__":
    sys.exit(main())
