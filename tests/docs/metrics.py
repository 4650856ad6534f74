#!/usr/bin/env python3
"""Measures how a page reads: sentence length, and semicolons, address and connections per 1,000 words of prose.

    tests/docs/metrics.py                      # README, docs and the course, page by page and in total
    tests/docs/metrics.py docs/formats.md      # these pages only
    tests/docs/metrics.py --check              # exit status 1 if README, docs and the course together miss a target

Code, tables, headings, mathematics and generated pages are left out. The targets of the project's style are at most 17 words
per sentence and at most 15 semicolons or colons. There must be at least 12 times "you" or "we", and at least 4 connections.
"""
import argparse
import re
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
GENERATED = {"equations.md", "experiments.md", "command-line.md"}
COUNTED = {
    "; :": r"[;:](?=\s)",
    "you": r"\b(?:you|your|yours|we|our|us|let's)\b",
    "because": r"\b(?:because|so|for example|for instance|therefore|thus|hence|however)\b",
    "what": r"(?<!\?)\bwhat\b",
    "look, hold": r"\b(?:looks?|looked|rests?|holds?|held|stands?|stood|tells?|told|hears?|heard|asks?|asked|says?|said)\b",
}
TARGETS = {"length": (None, 17), "; :": (None, 15), "you": (12, None), "because": (4, None)}


def paragraphs(text):
    """Returns the prose of a Markdown page: one string per paragraph or list item, without code, tables, headings and
    formulas."""
    text = re.sub(r"```.*?```", "\n\n", text, flags=re.S)
    text = re.sub(r"^ {4,}.*$", "", text, flags=re.M)
    text = re.sub(r"^\s*\|.*$", "\n", text, flags=re.M)
    text = re.sub(r"^#.*$", "\n", text, flags=re.M)
    text = re.sub(r"<!--.*?-->", "\n", text, flags=re.S)
    text = re.sub(r"\$\$.*?\$\$", " X ", text, flags=re.S)
    text = re.sub(r"\$[^$\n]+\$", "X", text)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"``?[^`]+``?", "CODE", text)
    text = re.sub(r"<[^>]+>", "", text)
    text = re.sub(r"https?://\S+", "URL", text)
    text = text.replace("*", "")
    found = []
    for part in re.split(r"\n\s*\n", text):
        items = re.sub(r"(^|\n)\s*(?:[-*]|\d+\.) ", "\n\n", re.sub(r"^\s*[-*] ", "\n\n- ", part, flags=re.M)).split("\n\n")
        found += [" ".join(item.split()) for item in items if item.split()]
    return found


def sentences(found):
    """Returns the sentences of at least three words, so that numbers and labels do not count."""
    result = []
    for text in found:
        text = re.sub(r"\b(?:et al|e\.g|i\.e|eq|Fig|vs|cf|etc)\.", lambda match: match[0].replace(".", "_"), text)
        text = re.sub(r"(\d)\.(\d)", r"\1_\2", text)
        text = re.sub(r"(^|\s)\.(\d)", r"\1_\2", text)
        result += [part for part in re.split(r"(?<=[.!?])\s+(?=[A-Z\"'(])", text) if len(re.findall(r"[A-Za-z]+", part)) >= 3]
    return result


def measure(texts):
    """Returns {"words", "length", and a count per 1,000 words for each pattern}."""
    found = [paragraph for text in texts for paragraph in paragraphs(text)]
    prose = " ".join(found)
    words = len(re.findall(r"[A-Za-z][A-Za-z'’-]*", prose))
    lengths = [len(re.findall(r"[A-Za-z0-9_.'-]+", sentence)) for sentence in sentences(found)]
    counts = {name: 1000 * len(re.findall(pattern, prose, flags=re.I)) / max(words, 1) for name, pattern in COUNTED.items()}
    return {"words": words, "length": sum(lengths) / max(len(lengths), 1), **counts}


def missed(counts):
    """Returns the targets that the counts do not reach, as sentences."""
    return [f"{name} is {counts[name]:.1f}, {'at least' if least is not None else 'at most'} {least if least is not None else most} is the target"
            for name, (least, most) in TARGETS.items()
            if (least is not None and counts[name] < least) or (most is not None and counts[name] > most)]


def pages():
    """Returns the pages that people write: {"README": [...], "docs": [...], "course": [...]}."""
    docs = PROJECT / "docs"
    return {"README": [PROJECT / "README.md"],
            "docs": sorted(page for page in docs.glob("*.md") if page.name not in GENERATED),
            "course": sorted((docs / "course").glob("*.md"))}


def line(name, counts):
    return f"{name:44}" + "".join(f"{value:12.0f}" if key == "words" else f"{value:12.1f}" for key, value in counts.items())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", nargs="*", type=Path)
    parser.add_argument("--check", action="store_true", help="fail if README, docs and the course together miss a target")
    arguments = parser.parse_args()
    groups = {"pages": arguments.page} if arguments.page else pages()
    print(f"{'':44}" + "".join(f"{name:>12}" for name in measure([])))
    everything = []
    for group, members in groups.items():
        texts = [page.read_text(encoding="utf-8") for page in members]
        everything += texts
        for page, text in zip(members, texts):
            print(line(str(page.resolve().relative_to(PROJECT)), measure([text])))
        print(line(f"{group}, together", measure(texts)))
    total = measure(everything)
    print(line("everything", total))
    problems = missed(total) if arguments.check else []
    print("\n".join(problems), end="\n" if problems else "")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
