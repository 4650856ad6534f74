"""The examples of translate in README.md and docs/programs.md, with the model that they name: runs/demo of demo.sh. If it is
not there, the test trains it as demo.sh does, which takes about a minute on two cores."""

import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "data" / "grammar"))
import programs
from documented import commands
from test_visitors import words_of_run, words_of_training

SENTENCE = "i do not see the red car"
TRANSLATION = "je ne vois pas la voiture rouge"
LINKS = {"see": "vois", "red": "rouge", "car": "voiture"}


class DocumentedTranslations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        (cls.folder / "runs").mkdir()
        left_by_demo = programs.PROJECT / "runs" / "demo"
        if words_of_run(left_by_demo) == words_of_training():
            shutil.copytree(left_by_demo, cls.folder / "runs" / "demo")
        else:
            programs.succeed("train", "--data", programs.PROJECT / "data" / "toy", "--out", cls.folder / "runs" / "demo")

    def translated(self, page, heading):
        """(the text that goes in, arguments, what is printed) of each pipe into translate --run runs/demo."""
        for words in commands(page, heading):
            if words[:1] != ["echo"] or words[3:6] != ["build/translate", "--run", "runs/demo"]:
                continue
            text, arguments = words[1], words[4:]
            yield text, arguments, programs.succeed("translate", *arguments, stdin=text + "\n", cwd=self.folder)

    def test_the_readme(self):
        found = list(self.translated("README.md", "Use it"))
        self.assertEqual([arguments[-2] for _, arguments, _ in found], ["--alignment", "--out", "--page"])
        for text, arguments, printed in found:
            self.assertEqual(text, SENTENCE)
            self.assertIn(TRANSLATION, " ".join(printed.split()) if "plot" not in arguments else TRANSLATION)
            if arguments[-2] != "--alignment":
                self.assertIn("rouge", (self.folder / arguments[-1]).read_text(encoding="utf-8"))
        record = json.loads(programs.succeed("translate", "--run", "runs/demo", "--beam", "5", "--alignment", "jsonl",
                                             stdin=SENTENCE + "\n", cwd=self.folder))
        self.assertEqual(record["target_sent"], TRANSLATION)
        linked = {(record["source_tokens"][i], record["target_tokens"][j]) for i, j in record["links"]}
        self.assertLessEqual(set(LINKS.items()), linked)

    def test_a_page_of_your_own(self):
        [(text, arguments, printed)] = self.translated("docs/programs.md", "After the demo")
        self.assertEqual((text, arguments[-2]), ("i love you", "--page"))
        self.assertEqual(printed, "je t'aime\n")
        self.assertIn("aime", (self.folder / arguments[-1]).read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
