"""The examples of answer and entail in docs/other-tasks.md: the documented commands run with three seeds and fewer
epochs."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import programs  # noqa: E402
from documented import commands  # noqa: E402

SEEDS = (1, 2, 3)


class DocumentedExamples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)

    def results(self, heading, program, *more):
        """Yields the output of the program's commands for each seed. `more` has options that shorten the trainings."""
        for seed in SEEDS:
            folder = self.folder / f"{heading}-{seed}".replace(" ", "-")
            folder.mkdir()
            (folder / "data").symlink_to(programs.PROJECT / "data")
            found = []
            for name, *arguments in commands("docs/other-tasks.md", heading):
                self.assertTrue(name.startswith("build/"), name)
                name = name.removeprefix("build/")
                if name == "train":
                    arguments += ["--seed", str(seed), "--threads", "1", *more]
                printed = programs.succeed(name, *arguments, cwd=folder)
                if name == program:
                    as_record = ["jsonl" if argument == "plot" else argument for argument in arguments]
                    found.append((arguments, printed, json.loads(programs.succeed(name, *as_record, cwd=folder))))
            yield seed, found

    def test_what_is_good_for_image_processing(self):
        for seed, found in self.results("Facts: which sentence answers", "answer", "--epochs", "15"):
            with self.subTest(seed=seed):
                self.assertEqual(len(found), 3)  # in English, and in Chinese without and with spaces
                for arguments, printed, record in found:
                    answer = "convolutional_neural_networks" if "en.txt" in arguments[2] else "卷积神经网络"
                    self.assertEqual(printed.splitlines()[0], answer, arguments)
                    # The link leads to the last sentence.
                    self.assertEqual((record["target_tokens"], record["links"]), ([answer], [[3, 0]]))

    def test_an_animal_sleeps(self):
        for seed, found in self.results("Pairs of sentences", "entail", "--epochs", "8"):
            with self.subTest(seed=seed):
                [(arguments, printed, record)] = found
                self.assertEqual(record["target_tokens"], ["entailment"])
                self.assertEqual(arguments[2:4], ["a red dog sleeps", "an animal sleeps"])
                self.assertEqual(printed.splitlines()[0], "entailment")


if __name__ == "__main__":
    unittest.main()
