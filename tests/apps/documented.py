"""Reads the commands of a document, for tests that run its examples."""

import re
import shlex

import programs


def commands(page, heading):
    """Returns the commands of the first shell block under a heading of a page, where the page is a path from the project. A
    command is a list of words without comments. The character | is a word, too."""
    text = (programs.PROJECT / page).read_text(encoding="utf-8")
    section = text.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    block = re.search(r"```sh\n(.*?)```", section, re.DOTALL).group(1)
    return [shlex.split(part, comments=True) for line in block.splitlines() for part in line.split("&&")]
