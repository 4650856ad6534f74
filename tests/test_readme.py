"""README.md and the pages of docs/ say what is so: the commands run, on tiny corpora and models; the options in the
table of models go together; samples of files are read; quoted lines stand in the files that are named; files and links
are there; the map of the README has a line for each folder, and is short.

Left out are ./demo.sh, ./test.sh and cmake, which install and build (test_package.py), and build/reproduce
(tests/apps/reproduction/test_reproduce.py), which takes hours.
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import pages
import test_arrows

sys.path.insert(0, str(pages.PROJECT / "tests" / "apps"))
import programs  # pylint: disable=wrong-import-position

README = pages.PROJECT / "README.md"
DOCS = {page.stem: page for page in sorted((pages.PROJECT / "docs").glob("*.md"))}
PAGES = [README, *DOCS.values()]
ELSEWHERE = ("./demo.sh", "./test.sh", "cmake --preset", "cmake --install", "cmake --build build-deb",
             "build/reproduce")
SMALL = "--epochs 1 --embedding 8 --hidden 12 --threads 1"


def commands(page):
    """(line, command) of every command of the page, in order."""
    return [(line + 1 + number, command) for line, kind, body in pages.blocks(page) if kind == ["sh"]
            for number, command in enumerate(body) if not command.startswith(ELSEWHERE)]


def samples(page, kind):
    return ["\n".join(body) for _, words, body in pages.blocks(page) if words == [kind]]


class Commands(unittest.TestCase):
    def shell(self, command, folder, where):
        result = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False)
        self.assertEqual(result.returncode, 0, f"{where}: {command}\n{result.stdout[-2000:]}{result.stderr}")
        return result.stdout

    def prepare(self, folder):
        """What the commands find: a corpus of the user's own in all its forms, and the run that demo.sh leaves."""
        (folder / "build").symlink_to(programs.BUILD.resolve())
        (folder / "data").mkdir()
        toy = programs.tiny_corpus(folder / "data" / "toy")
        for name in ("test.tsv", "long.tsv"):
            lines = (programs.TOY / name).read_text(encoding="utf-8").splitlines()
            programs.write_lines(toy / name, lines[:12])
        (folder / "data" / "facts").symlink_to(programs.PROJECT / "data" / "facts")
        (folder / "my").mkdir()
        programs.tiny_corpus(folder / "my" / "corpus")
        for name in ("train", "valid"):
            pairs = [line.split("\t") for line in (toy / f"{name}.tsv").read_text(encoding="utf-8").splitlines()]
            programs.write_lines(folder / f"{name}.en", [pair[0] for pair in pairs])
            programs.write_lines(folder / f"{name}.fr", [pair[1] for pair in pairs])
        (folder / "my" / "pictures").mkdir()
        lines = programs.halves(folder / "my" / "pictures")
        for name in ("a.tsv", "b.tsv"):
            programs.write_lines(folder / name, [f"my/pictures/{line}" for line in lines])
        (folder / "picture.png").write_bytes((folder / "my" / "pictures" / "red-blue.png").read_bytes())
        programs.write_lines(folder / "input.en", [pair.split("\t")[0] for pair in programs.short_pairs("test.tsv", 4)])
        programs.write_lines(folder / "pairs.tsv", programs.short_pairs("test.tsv", 4))
        self.shell(f"build/train --out runs/demo {SMALL}", folder, "demo.sh")

    def test_demo_builds_the_programs_that_the_readme_calls(self):
        target = re.search(r"--target ([\w ]+)", (pages.PROJECT / "demo.sh").read_text(encoding="utf-8"))
        called = {name for _, command in commands(README) for name in re.findall(r"\bbuild/(\w+)", command)}
        self.assertIn("links", called)
        self.assertLessEqual(called, set(target[1].split()))

    def test_the_commands_of_a_page_in_their_order(self):
        self.assertGreater(len(commands(README)), 3)
        self.assertGreater(len(commands(DOCS["programs"])), 20)
        for page in (page for page in PAGES if commands(page)):
            with self.subTest(page=page.name), tempfile.TemporaryDirectory() as name:
                self.prepare(Path(name))
                for line, command in commands(page):
                    if command.startswith("build/train ") and "--help" not in command:
                        command = command.replace("build/train", f"build/train {SMALL}")
                    self.shell(command.replace("less -R", "cat"), name, f"{page.name}:{line}")

    def test_the_options_of_the_table_of_models(self):
        rows = re.findall(r"^\| .*? \| .*? \| (?:`(--[^`]+)`|the defaults) \|", DOCS["results"].read_text(encoding="utf-8"),
                          re.MULTILINE)
        self.assertGreater(len(rows), 15)
        with tempfile.TemporaryDirectory() as name:
            self.prepare(Path(name))
            for options in rows:
                self.shell(f"build/train {options} {SMALL} --dry-run", name, "the table of models")

    def test_the_samples_of_files_are_read(self):
        [record], [pair] = samples(DOCS["formats"], "json"), samples(DOCS["formats"], "text")
        with tempfile.TemporaryDirectory() as name:
            self.prepare(Path(name))
            programs.write_lines(Path(name) / "sample.jsonl", [record.replace("\n", "")])
            programs.write_lines(Path(name) / "sample.tsv", [pair])
            self.assertEqual(self.shell("build/convert --in sample.jsonl --from jsonl --format pharaoh", name, "formats.md"),
                             "0-0 1-1 2-1\n")  # t’aime is one word of the line
            [aligned] = self.shell("build/align --run runs/demo --data sample.tsv", name, "formats.md").splitlines()
            self.assertIn('"gold":{"sure":[[0,0],[1,2],[2,1]]', aligned)


class Words(unittest.TestCase):
    maxDiff = None

    def test_quotations_names_and_links(self):
        problems = []
        for page in PAGES:
            problems += [f"{page.name}: {problem}" for problem in pages.problems_of_names(page)
                         if not re.search(r"/(glu|activated)\.h", problem)]  # the reader is to write them
            for line, kind, body in pages.blocks(page):
                if kind[:1] == ["cpp"] and len(kind) == 2 and (problem := pages.problem_of_quote(kind, body)):
                    problems.append(f"{page.name}:{line}: {problem}")
        self.assertEqual(problems, [])

    def test_the_readme_is_short_and_maps_every_folder(self):
        text = README.read_text(encoding="utf-8")
        self.assertLessEqual(len(text.splitlines()), 200)
        mapped, problems = set(), []
        for row in re.findall(r"^\|.*\]\(.*", text, re.MULTILINE):
            folders = re.findall(r"\]\(([\w/-]+)\)", row)
            mapped |= set(folders)
            problems += [f"none of {folders} has {name}" for name in re.findall(r"`([\w-]+\.\w+)`", row)
                         if not any((pages.PROJECT / folder / name).exists() for folder in folders)]
        self.assertEqual(problems, [])
        self.assertEqual(set(test_arrows.table()) - mapped, set(), "folders that the map does not name")


if __name__ == "__main__":
    unittest.main()
