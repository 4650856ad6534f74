"""The examples of docs/adding.md compile where the page puts them. The words after the three backticks give the position:

    ```cpp new FILE                 the block is that file
    ```cpp in FILE                  the block comes last in the file's namespace
    ```cpp in FILE after WORDS      the block follows the first line that contains the words; "before WORDS" is similar
    ```cpp in FILE instead of WORDS the block replaces that line"""

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
    """Returns the file's lines with the block at its position."""
    words = " ".join(kind[3:])
    if not words:
        at = next(i for i in reversed(range(len(lines))) if lines[i].startswith("}  // namespace"))
        return lines[:at] + body + [""] + lines[at:]
    how = next(how for how in ("after ", "before ", "instead of ") if words.startswith(how))
    at = next(i for i, line in enumerate(lines) if words[len(how):] in line)
    return lines[:at + (how == "after ")] + body + lines[at + (how != "before "):]


def edited():
    """Returns {file: its lines after all edits of the page}."""
    files = {}
    for _, kind, body in pages.blocks(PAGE):
        if kind[:2] == ["cpp", "new"]:
            files[kind[2]] = body
        elif kind[:2] == ["cpp", "in"]:
            before = files.get(kind[2]) or (pages.PROJECT / kind[2]).read_text(encoding="utf-8").splitlines()
            files[kind[2]] = put(kind, body, before)
    return files


def flags_of(file):
    """Returns the build's flags for this file, without file and output. A new file gets the flags of its neighbour. In a
    build by folder, a file gets the flags of a unit of its module."""
    entries = json.loads((BUILD / "compile_commands.json").read_text(encoding="utf-8"))
    path = pages.PROJECT / file
    module = Path(file).parts[0]
    entry = next((e for e in entries if Path(e["file"]) == path), None) or \
        next((e for e in entries if Path(e["file"]).is_relative_to(path.parent)), None) or \
        next(e for e in entries if f"/{module}/CMakeFiles/softalign_{module}.dir/Unity/" in e["file"])
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
