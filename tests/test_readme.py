"""README.md and docs/adding.md say what is so: the commands run, on tiny corpora and models; the options in the table of
models go together; quoted lines stand in the files that are named; files and links are there.

Left out are ./demo.sh and ./test.sh, which install and build, cmake --install (test_package.py), and build/reproduce
(tests/apps/reproduction/test_reproduce.py), which takes hours.
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import pages

sys.path.insert(0, str(pages.PROJECT / "tests" / "apps"))
import programs  # pylint: disable=wrong-import-position

README = pages.PROJECT / "README.md"
ELSEWHERE = ("./demo.sh", "./test.sh", "cmake --install", "build/reproduce")
SMALL = "--epochs 1 --embedding 8 --hidden 12 --threads 1"


def commands():
    """(line, command) of every command of the README, in order."""
    found = [(line + 1 + number, command) for line, kind, body in pages.blocks(README) if kind == ["sh"]
             for number, command in enumerate(body)]
    text = README.read_text(encoding="utf-8")
    prose = re.search(r"\n## What to look at next\n.*?\n## ", text, re.DOTALL)
    found += [(text.count("\n", 0, prose.start() + inline.start()) + 1, inline.group(1))
              for inline in re.finditer(r"`(build/[^`]+)`", prose.group())]
    return [(line, command) for line, command in sorted(found) if not command.startswith(ELSEWHERE)]


class Readme(unittest.TestCase):
    def shell(self, command, folder, where):
        result = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False)
        self.assertEqual(result.returncode, 0, f"{where}: {command}\n{result.stdout[-2000:]}{result.stderr}")

    def prepare(self, folder):
        """What the commands find: a corpus of the user's own in all its forms, and the run that demo.sh leaves."""
        (folder / "build").symlink_to(programs.BUILD.resolve())
        (folder / "data").mkdir()
        toy = programs.tiny_corpus(folder / "data" / "toy")
        for name in ("test.tsv", "long.tsv"):
            lines = (programs.TOY / name).read_text(encoding="utf-8").splitlines()
            programs.write_lines(toy / name, lines[:12])
        (folder / "my").mkdir()
        programs.tiny_corpus(folder / "my" / "corpus")
        for name in ("train", "valid"):
            pairs = [line.split("\t") for line in (toy / f"{name}.tsv").read_text(encoding="utf-8").splitlines()]
            programs.write_lines(folder / f"{name}.en", [pair[0] for pair in pairs])
            programs.write_lines(folder / f"{name}.fr", [pair[1] for pair in pairs])
        programs.write_lines(folder / "input.en", programs.short_pairs("test.tsv", 4))
        programs.write_lines(folder / "pairs.tsv", programs.short_pairs("test.tsv", 4))
        self.shell(f"build/train --out runs/demo {SMALL}", folder, "demo.sh")

    def test_the_commands_in_their_order(self):
        self.assertGreater(len(commands()), 20)
        with tempfile.TemporaryDirectory() as name:
            self.prepare(Path(name))
            for line, command in commands():
                if command.startswith("build/train ") and "--help" not in command:
                    command = command.replace("build/train", f"build/train {SMALL}")
                self.shell(command.replace("less -R", "cat"), name, f"README.md:{line}")

    def test_the_options_of_the_table_of_models(self):
        rows = re.findall(r"^\| .*? \| .*? \| (?:`(--[^`]+)`|the defaults) \|", README.read_text(encoding="utf-8"), re.MULTILINE)
        self.assertGreater(len(rows), 15)
        with tempfile.TemporaryDirectory() as name:
            self.prepare(Path(name))
            for options in rows:
                self.shell(f"build/train {options} {SMALL} --dry-run", name, "the table of models")

    def test_quotations_names_and_links(self):
        problems = []
        for page in (README, pages.PROJECT / "docs" / "adding.md"):
            problems += [f"{page.name}: {problem}" for problem in pages.problems_of_names(page)
                         if "layers/glu.h" not in problem]  # the reader is to write it
            for line, kind, body in pages.blocks(page):
                if kind[:1] == ["cpp"] and len(kind) > 1 and (problem := pages.problem_of_quote(kind, body)):
                    problems.append(f"{page.name}:{line}: {problem}")
        self.assertEqual(problems, [])


if __name__ == "__main__":
    unittest.main()
