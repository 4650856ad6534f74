#!/usr/bin/env python3
"""Draws 60 passages of the project at random, for readers who judge whether they understand each at first reading.

    tests/docs/passages.py                     # seed 20261126
    tests/docs/passages.py --seed 7 --errors errors.txt > passages.txt

A passage has at least twelve words, or six in help. It is a paragraph, list item or table row of a page, a comment of a
header, the help of an option, an error message or the subject of a commit. README gives 8, docs 12, the course 12,
headers 10, help 8, messages 5 and commits 5. SOFTALIGN_BUILD names the build whose programs print their help.

A reader understands a passage without a second reading. Every sentence has an actor and a verb (table cells need none).
Every pronoun refers to something near it, and no word is private to the project.

--errors names a file with one message per line, "error: ..." or "note: ...". Without it the messages come from the
programs' sources, where values are still missing.
"""
import argparse
import os
import random
import re
import subprocess
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
COUNTS = {"README": 8, "docs": 12, "course": 12, "headers": 10, "help": 8, "messages": 5, "commits": 5}
PROGRAMS = ["train", "translate", "align", "evaluate", "view"]


def git(*arguments):
    return subprocess.run(["git", "-C", PROJECT, *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def long_enough(text, least=12):
    return len(re.findall(r"[A-Za-z]{2,}", text)) >= least


def paragraphs(name):
    """Returns (place, text) of each paragraph, list item and table row of a page, without code, formulas, headings and
    pictures."""
    found, fence, buffer, start = [], False, [], 0

    def close():
        if buffer:
            found.append((start, " ".join(buffer)))
            buffer.clear()
    for number, line in enumerate((PROJECT / name).read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```") or (line.startswith("$$") and line.count("$$") == 1):
            fence = not fence
            close()
        elif fence or (line.startswith("    ") and not buffer):
            continue
        elif not line.strip() or line.startswith(("#", "|--", "![", "<", "$$")):
            close()
        else:
            if line.startswith("|") or re.match(r"\s*[-*] |\d+\. ", line):
                close()
            if not buffer:
                start = number
            buffer.append(line.strip())
    close()
    return [(f"{name}:{line}", text) for line, text in found if long_enough(text)]


def comments(name):
    """Returns (place, text) of each block of // lines."""
    found, buffer, start = [], [], 0
    for number, line in enumerate([*(PROJECT / name).read_text(encoding="utf-8").splitlines(), ""], 1):
        if match := re.match(r"\s*//\s?(.*)", line):
            start = start if buffer else number
            buffer.append(match[1].strip())
        elif buffer:
            found.append((f"{name}:{start}", " ".join(buffer)))
            buffer = []
    return [(place, text) for place, text in found if long_enough(text)]


def help_texts():
    """Returns (program and option, text) of the output of --help-all, each text once."""
    found = {}
    for program in PROGRAMS:
        path = Path(os.environ.get("SOFTALIGN_BUILD", PROJECT / "build")) / program
        option = None
        for line in subprocess.run([path, "--help-all"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
            if match := re.match(r"  (--\S.*?)(?:\s{2,}(.*))?$", line):
                option = f"{program} {match[1].strip()}"
                found[option] = match[2] or ""
            elif line.startswith(" " * 20) and option:
                found[option] += " " + line.strip()
            else:
                option = None
    return [(option, text) for text, option in {text: option for option, text in reversed(found.items())}.items()
            if long_enough(text, 6)]


def messages(path):
    """Returns (place, text) of error messages and notes."""
    if path:
        return [(f"{path.name}:{number}", line) for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
                if line.startswith(("error:", "note:"))]
    found = []
    for name in git("ls-files", "*.cpp"):
        if not name.startswith("tests/"):
            source = (PROJECT / name).read_text(encoding="utf-8")
            for match in re.finditer(r"(?:Error|fail|refuse|note)\(\s*((?:[^();]|\([^()]*\))*)", source):
                text = " ".join(re.findall(r'"((?:[^"\\]|\\.)*)"', match[1]))
                if long_enough(text, 6):
                    found.append((f"{name}:{source[:match.start()].count(chr(10)) + 1}", text))
    return found


def pools(errors):
    pages = git("ls-files", "docs/*.md")
    return {
        "README": paragraphs("README.md"),
        "docs": [each for name in pages if not name.startswith("docs/course/") and name != "docs/equations.md" for each in paragraphs(name)],
        "course": [each for name in pages if name.startswith("docs/course/") for each in paragraphs(name)],
        "headers": [each for name in git("ls-files", "*.h") if not name.startswith("tests/") for each in comments(name)],
        "help": help_texts(),
        "messages": messages(errors),
        "commits": [tuple(line.split(" ", 1)) for line in git("log", "--format=%h %s", "-150")],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=20261126)
    parser.add_argument("--errors", type=Path)
    arguments = parser.parse_args()
    draw, number = random.Random(arguments.seed), 0
    for kind, pool in pools(arguments.errors).items():
        count = min(COUNTS[kind], len(pool))  # a shallow clone has few commits
        print(f"===== {kind}: {count} of {len(pool)}")
        for place, text in sorted(draw.sample(pool, count)):
            number += 1
            print(f"[{number}] {place}\n    {text}\n")


if __name__ == "__main__":
    main()
