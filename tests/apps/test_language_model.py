"""--task language-model: trained on texts, gone on with by translate, scored by score and evaluate."""

import json
import math
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import programs  # noqa: E402
import schema  # noqa: E402

SENTENCES = ["the cat sat on the mat .", "the dog ran .", "the cat ran .", "the dog sat on the mat ."]


class LanguageModel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        cls.texts = programs.write_lines(cls.folder / "texts.txt", [SENTENCES[0], "", *SENTENCES[1:]])
        cls.train("lm", "--model", "rnn-lm", "--epochs", "40", "--lr", "0.02")

    @classmethod
    def train(cls, out, *arguments):
        return programs.succeed("train", "--task", "language-model", "--train", cls.texts, "--valid", cls.texts,
                                "--batch", "2", "--dropout", "0", "--hidden", "16", "--embedding", "16", "--threads",
                                "1", "--out", cls.folder / out, *arguments)

    def call(self, program, *arguments, **more):
        return programs.succeed(program, "--run", self.folder / "lm", *arguments, "--threads", "1", **more)

    def refused(self, status, program, *arguments, says):
        result = programs.run(program, *arguments)
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertIn(says, result.stderr)

    def test_it_goes_on_with_each_line_blank_ones_too(self):
        answers = self.call("translate", stdin="the dog\n\nthe cat sat\n").splitlines()
        self.assertEqual(len(answers), 3)
        self.assertTrue(answers[0].startswith("the dog"), answers)
        self.assertTrue(answers[2].startswith("the cat sat on the mat"), answers)
        for answer in answers[:2]:
            self.assertIn(answer.replace(".", " ."), SENTENCES)

    def test_samples_are_texts_that_begin_so(self):
        lines = self.call("translate", "--sample", "20", stdin="the cat\n").splitlines()
        self.assertEqual(len(lines), 20)
        texts = [line.split(" ||| ")[1] for line in lines]
        self.assertTrue(all(text.startswith("the cat") for text in texts), texts)
        self.assertGreater(len(set(texts)), 1)

    def test_scores_are_of_the_lines_and_their_mean_is_evaluate_s(self):
        lines = self.call("score", "--data", self.texts).splitlines()
        self.assertEqual(lines[1], "")
        scores = [float(line.split("\t")[0]) for line in lines if line]
        words = sum(len(text.split()) + 1 for text in SENTENCES)
        evaluation = json.loads(self.call("evaluate", "--data", self.texts, "--json"))["all"]
        self.assertAlmostEqual(evaluation["loss"], -sum(scores) / words, delta=1e-5)
        self.assertAlmostEqual(evaluation["perplexity"], math.exp(evaluation["loss"]), delta=1e-5)
        self.assertIsNone(evaluation["bleu"])
        self.assertLess(evaluation["perplexity"], 2)

    def test_its_files_keep_to_their_schemas(self):
        run = self.folder / "lm"
        values = [("evaluation", json.loads(self.call("evaluate", "--data", self.texts, "--json"))),
                  ("config", json.loads((run / "config.json").read_text(encoding="utf-8"))),
                  *(("metrics", json.loads(line)) for line in (run / "metrics.jsonl").read_text().splitlines())]
        for name, value in values:
            self.assertEqual(schema.problems(value, schema.load(name + ".json"), name + ".json"), [])

    def test_it_resumes_to_the_same_bytes(self):
        whole, halves = self.folder / "whole", self.folder / "halves"
        common = ["--layers", "2", "--heads", "2", "--schedule", "constant"]
        self.train("whole", "--epochs", "4", *common)
        self.train("halves", "--epochs", "2", *common)
        programs.succeed("train", "--resume", "--epochs", "4", "--out", halves, "--threads", "1")
        self.assertEqual((whole / "model.safetensors").read_bytes(), (halves / "model.safetensors").read_bytes())

    def test_what_it_cannot_do_is_said(self):
        run = self.folder / "lm"
        files = ["--train", self.texts, "--valid", self.texts, "--out", self.folder / "none"]
        train = ["train", "--task", "language-model", *files]
        self.refused(1, "align", "--run", run, "--data", programs.TOY / "test.tsv", says="no attention")
        self.refused(2, *train, "--model", "luong", says="--model luong does not go with --task language-model")
        self.refused(2, "train", *files, "--task", "translation", "--model", "rnn-lm", says="--task translation does not")
        self.refused(2, *train, "--both-directions", says="is of translation")
        self.refused(2, *train, "--source", self.texts, "--target", self.texts, says="reads --train and --valid")
        self.refused(1, *train, "--keep", "bleu", says="translates nothing")
        self.refused(1, *train, "--guided-alignment", "1", says="has no attention")


if __name__ == "__main__":
    unittest.main()
