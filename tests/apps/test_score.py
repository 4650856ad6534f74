"""score prints log-probabilities of given pairs. align's records and evaluate's perplexity come from the same numbers."""

import json
import math
import tempfile
import unittest
from pathlib import Path

import programs


class Score(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        folder = Path(cls.temporary.name)
        corpus = programs.tiny_corpus(folder / "corpus")
        cls.runs = [programs.train(corpus, folder / "a", "--lr", "0.02"),
                    programs.train(corpus, folder / "b", "--lr", "0.02", "--seed", "2", "--model", "luong")]
        cls.test = programs.write_lines(folder / "test.tsv", programs.short_pairs("test.tsv", 30))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def call(self, program, runs, *arguments):
        return programs.succeed(program, *(a for run in runs for a in ("--run", run)), "--data", self.test, *arguments)

    def test_scores_are_those_of_align_and_evaluate(self):
        for runs in (self.runs[:1], self.runs):
            rows = [[float(x) for x in line.split("\t")] for line in self.call("score", runs).splitlines()]
            records = [json.loads(line) for line in self.call("align", runs).splitlines()]
            self.assertEqual(len(rows), len(records))
            for (log_prob, mean, perplexity), record in zip(rows, records):
                self.assertAlmostEqual(log_prob, sum(record["logprob"]), delta=1e-3)
                self.assertAlmostEqual(mean, log_prob / len(record["target_tokens"]), delta=1e-5)
                self.assertAlmostEqual(perplexity, math.exp(-mean), delta=1e-3 * perplexity)
                self.assertEqual((record["mode"], record["rank"]), ("forced" if len(runs) == 1 else "ensemble", 0))
            words = sum(len(record["target_tokens"]) for record in records)
            loss = json.loads(self.call("evaluate", runs, "--json"))["all"]["loss"]
            self.assertAlmostEqual(-sum(row[0] for row in rows) / words, loss, delta=1e-4)

    def test_every_line_is_answered_blank_ones_too(self):
        pairs = self.test.read_text(encoding="utf-8").splitlines()[:3]
        texts = [pairs[0], "", " \t", pairs[1], "we see\t", "\tje vois", pairs[2], "", ""]
        blank = [i for i, text in enumerate(texts) if not all(text.split("\t")[:1] + text.split("\t")[1:2]) or not text.strip()]
        self.assertEqual(blank, [1, 2, 4, 5, 7, 8])
        with tempfile.TemporaryDirectory() as name:
            mixed = programs.write_lines(Path(name) / "mixed.tsv", texts)
            whole = programs.write_lines(Path(name) / "whole.tsv", pairs)
            for program, arguments in (("score", []), ("align", ["--format", "pharaoh"])):
                call = [program, "--run", self.runs[0], *arguments, "--data"]
                given = programs.succeed(*call, mixed).split("\n")
                self.assertEqual(len(given), len(texts) + 1)
                self.assertEqual([given[i] for i in blank], [""] * len(blank))
                self.assertEqual([given[i] for i in (0, 3, 6)], programs.succeed(*call, whole).split("\n")[:-1])
            joined = programs.run("links", "--data", mixed, "--format", "pharaoh")
            self.assertEqual(joined.stdout.count("\n"), len(texts), joined.stderr)
            self.assertIn("3 pairs (6 with a blank side left out)", joined.stderr)
            trained = programs.succeed("train", "--train", mixed, "--valid", mixed, "--epochs", "1", *programs.TINY, "--out", Path(name) / "run")
            self.assertIn("3 pairs to train on, 3 to validate", trained)
            self.assertIn("pairs with a side without words, which are left out: 12, 6 of them for validation\n", trained)
            refused = programs.run("evaluate", "--run", self.runs[0], "--data", mixed)
            self.assertEqual(refused.returncode, 1)
            self.assertIn("mixed.tsv:2: the line is blank", refused.stderr)

    def test_an_ensemble_has_the_mean_probability_and_attention_of_each_word(self):
        one, two, both = ([json.loads(line) for line in self.call("align", runs).splitlines()]
                          for runs in (self.runs[:1], self.runs[1:], self.runs))
        for a, b, mean in zip(one, two, both):
            for x, y, z in zip(a["logprob"], b["logprob"], mean["logprob"]):
                self.assertAlmostEqual((math.exp(x) + math.exp(y)) / 2, math.exp(z), delta=1e-5)
            for x, y, z in zip(a["matrix"], b["matrix"], mean["matrix"]):
                for weight, other, middle in zip(x, y, z):
                    self.assertAlmostEqual((weight + other) / 2, middle, delta=3e-6)


if __name__ == "__main__":
    unittest.main()
