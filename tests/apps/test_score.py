"""score: log-probabilities of given pairs; align's records and evaluate's perplexity come of the same numbers."""

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
