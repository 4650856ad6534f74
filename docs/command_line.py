#!/usr/bin/env python3
"""Writes docs/command-line.md: the output of --help-all of each program.

    docs/command_line.py            writes it
    docs/command_line.py --check    ends with 1 if it is out of date

SOFTALIGN_BUILD names the folder of the programs. The default is build.
"""
import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
PAGE = PROJECT / "docs" / "command-line.md"
BUILD = Path(os.environ.get("SOFTALIGN_BUILD", PROJECT / "build"))
PROGRAMS = ["train", "translate", "align", "evaluate", "score", "view", "average", "links", "convert", "answer", "caption",
            "entail", "reproduce", "make_corpus"]
INTRODUCTION = """# Command line

This page lists all programs and their options, as `build/PROGRAM --help-all` prints them. You need it when you know the
program and search for an option. The [how-to pages](README.md#how-to) explain what you can do with the programs.

Every program also has `--help`, which lists only the most common options. The script `docs/command_line.py` makes this
page from the output of the programs.
"""


def help_of(program):
    """Returns the output of build/PROGRAM --help-all without trailing spaces. The output does not depend on the folder of
    the build."""
    shown = subprocess.run([f"build/{program}", "--help-all"], executable=BUILD / program, stdout=subprocess.PIPE, text=True,
                           check=True).stdout
    return "\n".join(line.rstrip() for line in shown.rstrip("\n").split("\n"))


def page():
    contents = "".join(f"- [{program}](#{program})\n" for program in PROGRAMS)
    return "\n".join([INTRODUCTION, contents, *(f"## {program}\n\n```text\n{help_of(program)}\n```\n" for program in PROGRAMS)])


def main():
    text = page()
    if "--check" not in sys.argv:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        print("docs/command-line.md is out of date: run python3 docs/command_line.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
