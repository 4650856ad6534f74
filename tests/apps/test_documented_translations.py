"""Runs the examples of translate in README.md and docs/translate.md with the model that they name: runs/demo of demo.sh."""

import json
import re
import shutil
import tempfile
import unittest
from pathlib import Path

import programs
from documented import commands

SENTENCE = "i see the red car"
TRANSLATION = "je vois la voiture rouge"
LINKS = {"see": "vois", "red": "rouge", "car": "voiture"}


class DocumentedTranslations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        (cls.folder / "runs").mkdir()
        shutil.copytree(programs.demo_run(), cls.folder / "runs" / "demo")

    def translated(self, *arguments, **more):
        return programs.succeed("translate", *arguments, cwd=self.folder, **more)

    def test_the_readme(self):
        page = (programs.PROJECT / "README.md").read_text(encoding="utf-8")
        found = re.findall(r'^echo "([^"]+)" \| build/translate (--run runs/demo .*)$', page, re.M)
        self.assertEqual([arguments.split()[2] for _, arguments in found], ["--alignment", "--page"])
        for text, arguments in found:
            self.assertEqual(text, SENTENCE)
            printed = self.translated(*arguments.split(), stdin=text + "\n")
            self.assertIn(TRANSLATION, printed)
        self.assertIn("rouge", (self.folder / found[1][1].split()[3]).read_text(encoding="utf-8"))
        record = json.loads(self.translated("--run", "runs/demo", "--beam", "5", "--alignment", "jsonl",
                                            stdin=SENTENCE + "\n"))
        self.assertEqual(record["target_sent"], TRANSLATION)
        linked = {(record["source_tokens"][i], record["target_tokens"][j]) for i, j in record["links"]}
        self.assertLessEqual(set(LINKS.items()), linked)

    def test_the_first_example_of_the_how_to_page(self):
        name, *arguments = commands("docs/translate.md", "Translate text")[0]
        self.assertEqual((name, arguments[-1]), ("build/translate", "i love you"))
        self.assertEqual(self.translated(*arguments), "je t'aime\n")


if __name__ == "__main__":
    unittest.main()
