"""Reads Markdown pages of the project, for the tests that check their statements."""

import re
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]


def blocks(page):
    """Yields (line, words after the backticks, lines of the block). Raises ValueError for a block without an end."""
    start, kind, body = 0, None, []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            if kind is None:
                start, kind, body = number, line[3:].split(), []
            else:
                yield start, kind, body
                kind = None
        elif kind is not None:
            body.append(line)
    if kind is not None:
        raise ValueError(f"{page}:{start}: the block has no end")


def quote_stands(quoted, source):
    """Returns whether the source contains the lines one after another. A line "…" skips to a later place."""
    at = 0
    for part in "\n".join(quoted).split("\n…\n"):
        lines = [line.rstrip() for line in part.split("\n")]
        found = next((i for i in range(at, len(source) - len(lines) + 1) if source[i:i + len(lines)] == lines), None)
        if found is None:
            return False
        at = found + len(lines)
    return True


def problem_of_quote(kind, body):
    """Describes what is wrong with a block ```cpp FILE, which quotes that file; "" if nothing is."""
    path = PROJECT / kind[1] if len(kind) == 2 else None
    if not path or not path.exists():
        return "a quotation names the file that it is from: ```cpp layers/recurrent/lstm.h"
    lines = [text.rstrip() for text in path.read_text(encoding="utf-8").splitlines()]
    return "" if quote_stands(body, lines) else f"these lines do not stand so in {kind[1]}"


def problems_of_names(page):
    """Returns the missing files that the page names between backticks or links to."""
    text = page.read_text(encoding="utf-8")
    found = [f"there is no {name}"
             for name in set(re.findall(r"`((?:\w+/)+[\w-]+\.(?:h|cpp|py|md|tsv|json|grammar))`", text))
             if not name.startswith("runs/") and not (PROJECT / name).exists()]
    prose = re.sub(r"```.*?\n```", "", text, flags=re.DOTALL)
    return found + [f"a link leads nowhere: {name}" for name in set(re.findall(r"\]\(([^)#:]+)\)", prose))
                    if not (page.parent / name).exists()]
