"""The commands of a document, for tests that run its examples."""

import re
import shlex

import programs


def commands(page, heading):
    """The commands of the first block of shell under a heading of a page (its path from the project), each as its words,
    comments cut off; a | stays a word."""
    text = (programs.PROJECT / page).read_text(encoding="utf-8")
    section = text.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    block = re.search(r"```sh\n(.*?)```", section, re.DOTALL).group(1)
    return [shlex.split(part, comments=True) for line in block.splitlines() for part in line.split("&&")]
