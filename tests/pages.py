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


# --- the output that a page shows, compared with the printed output ---

NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?")


def close(shown, printed):
    """Returns whether two numbers differ by at most a fifth and ten units of the last digit shown."""
    digits = len(shown.partition("e")[0].partition(".")[2])
    unit = 10.0 ** -digits * 10.0 ** int(shown.partition("e")[2] or 0)
    return abs(float(shown) - float(printed)) <= 0.2 * abs(float(shown)) + 10 * unit


def line_fits(shown, printed, numbers):
    if numbers == "exact":
        return bool(re.fullmatch(".*".join(re.escape(part) for part in shown.rstrip().split("…")), printed.rstrip()))
    blank = [" ".join(NUMBER.sub("#", text).split()) for text in (shown, printed)]
    if not re.fullmatch(".*".join(re.escape(part) for part in blank[0].split("…")), blank[1]):
        return False
    pairs = zip(NUMBER.findall(shown), NUMBER.findall(printed))
    return numbers == "shape" or "…" in shown or all(close(*pair) for pair in pairs)


def fits(shown, printed, numbers):
    """Returns whether the printed lines match the shown lines. A shown line "…" matches any number of lines."""
    if not shown:
        return not printed
    if shown[0].strip() == "…":
        return any(fits(shown[1:], printed[i:], numbers) for i in range(len(printed) + 1))
    return bool(printed) and line_fits(shown[0], printed[0], numbers) and fits(shown[1:], printed[1:], numbers)
