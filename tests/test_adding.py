"""docs/adding.md's examples compile where the page puts them. Behind the three backticks of a block stands where:

    ```cpp new FILE                 the block is that file
    ```cpp in FILE                  it comes last in the file's namespace
    ```cpp in FILE after WORDS      it comes after the first line that holds the words; likewise before WORDS, and
    ```cpp in FILE instead of WORDS in that line's place
"""

import json
import os
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path

import pages

BUILD = Path(os.environ["SOFTALIGN_BUILD"])
PAGE = pages.PROJECT / "docs" / "adding.md"


def put(kind, body, lines):
    """The file's lines with the block in its place."""
    words = " ".join(kind[3:])
    if not words:
        at = next(i for i in reversed(range(len(lines))) if lines[i].startswith("}  // namespace"))
        return lines[:at] + body + [""] + lines[at:]
    how = next(how for how in ("after ", "before ", "instead of ") if words.startswith(how))
    at = next(i for i, line in enumerate(lines) if words[len(how):] in line)
    return lines[:at + (how == "after ")] + body + lines[at + (how != "before "):]


def edited():
    """file -> its lines after all edits of the page."""
    files = {}
    for _, kind, body in pages.blocks(PAGE):
        if kind[:2] == ["cpp", "new"]:
            files[kind[2]] = body
        elif kind[:2] == ["cpp", "in"]:
            before = files.get(kind[2]) or (pages.PROJECT / kind[2]).read_text(encoding="utf-8").splitlines()
            files[kind[2]] = put(kind, body, before)
    return files


def flags_of(file):
    """The build's command for this file, or for its neighbour if the page makes it new, without file and output."""
    entries = json.loads((BUILD / "compile_commands.json").read_text(encoding="utf-8"))
    path = pages.PROJECT / file
    entry = next((e for e in entries if Path(e["file"]) == path), None) or \
        next(e for e in entries if Path(e["file"]).is_relative_to(path.parent))
    words = shlex.split(entry["command"])
    end = words.index("-o")
    return words[:end], entry["directory"]


class Adding(unittest.TestCase):
    def test_the_examples_compile(self):
        files = edited()
        self.assertGreaterEqual(len(files), 5)
        with tempfile.TemporaryDirectory() as name:
            for file, lines in files.items():
                (Path(name) / file).parent.mkdir(parents=True, exist_ok=True)
                (Path(name) / file).write_text("\n".join(lines) + "\n", encoding="utf-8")
            for file in (file for file in files if file.endswith(".cpp")):
                command, folder = flags_of(file)
                done = subprocess.run([*command, "-iquote", name, "-fsyntax-only", f"{name}/{file}"], cwd=folder, text=True,
                                      stderr=subprocess.PIPE, timeout=600, check=False)
                self.assertEqual(done.returncode, 0, f"{file}:\n{done.stderr[:4000]}")


if __name__ == "__main__":
    unittest.main()
