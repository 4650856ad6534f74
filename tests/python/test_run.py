"""softalign.Run gives the results of the programs."""

import json
import subprocess
import sys
import unittest

import fixtures
import numpy as np
import programs
import softalign

SENTENCES = ["i see the red car", "you love me", "", "the old man reads"]


def program(name, run, *arguments, stdin=""):
    return programs.succeed(name, "--run", run, "--threads", "1", *arguments, stdin=stdin)


def records(text):
    return [json.loads(line) for line in text.splitlines()]


class Translate(unittest.TestCase):
    def setUp(self):
        self.folder = fixtures.run()
        self.run_ = softalign.Run(self.folder)

    def test_texts_are_those_of_the_program(self):
        for options, words in [({}, []), ({"beam": 5}, ["--beam", "5"]),
                               ({"beam": 4, "length_penalty": 0.5, "max_length": 9}, ["--beam", "4", "--length-penalty", "0.5", "--max-length", "9"])]:
            with self.subTest(options):
                ours = [t.text for t in self.run_.translate(SENTENCES, threads=1, **options)]
                its = program("translate", self.folder, *words, stdin="\n".join(SENTENCES) + "\n").split("\n")[:-1]
                self.assertEqual(ours, its)

    def test_records_are_those_of_the_program(self):
        its = records(program("translate", self.folder, "--beam", "3", "--alignment", "jsonl", stdin="\n".join(SENTENCES) + "\n"))
        ours = [json.loads(t.json()) for t in self.run_.translate(SENTENCES, beam=3, threads=1)]
        self.assertEqual(ours, its)

    def test_a_translation_has_matrix_links_and_log_probability(self):
        t = self.run_.translate("i see the red car")
        self.assertEqual(t.source, ["i", "see", "the", "red", "car"])
        self.assertEqual(t.matrix.shape[1], 6)
        self.assertEqual(t.matrix.shape[0], len(t.tokens) + t.complete)
        np.testing.assert_allclose(t.matrix.sum(axis=1), 1, atol=1e-5)
        for s, target in t.links:
            self.assertEqual(t.matrix[target].argmax(), s)
        self.assertAlmostEqual(t.log_probability, float(t.log_probabilities.sum()), places=4)
        self.assertEqual(t.alternatives, [])

    def test_alternatives_are_the_n_best_list(self):
        t = self.run_.translate("i see the red car", beam=4, n_best=4, threads=1)
        its = program("translate", self.folder, "--beam", "4", "--n-best", "4", stdin="i see the red car\n")
        self.assertEqual([one.text for one in [t, *t.alternatives]], [line.split(" ||| ")[1] for line in its.splitlines()])
        self.assertEqual(sorted((one.score for one in [t, *t.alternatives]), reverse=True), [one.score for one in [t, *t.alternatives]])

    def test_samples_are_those_of_the_program(self):
        t = self.run_.translate("i see the red car", sample=3, temperature=2, seed=7, threads=1)
        its = program("translate", self.folder, "--sample", "3", "--temperature", "2", "--seed", "7", stdin="i see the red car\n")
        self.assertEqual([one.text for one in [t, *t.alternatives]], [line.split(" ||| ")[1] for line in its.splitlines()])

    def test_unknown_words_are_named(self):
        self.assertEqual(self.run_.translate("i see the zyzzyva").unknown, ["zyzzyva"])

    def test_heads_of_a_transformer(self):
        run = softalign.Run(fixtures.transformer())
        self.assertEqual([(h.layer, h.head, h.kind) for h in run.translate("i see the car").heads], [(0, 0, "cross"), (0, 1, "cross")])
        its = records(program("translate", fixtures.transformer(), "--alignment", "jsonl", stdin="i see the car\n"))
        self.assertEqual([json.loads(run.translate("i see the car", heads=True, threads=1).json())], its)

    def test_a_model_without_attention_has_no_rows(self):
        t = softalign.Run(fixtures.encdec()).translate("i see the car")
        self.assertEqual(t.matrix.shape[0], 0)
        self.assertIn(t.text.split("'")[0], t._repr_html_())

    def test_an_ensemble(self):
        both = softalign.Run([self.folder, self.folder])
        self.assertEqual(both.translate("you love me").text, self.run_.translate("you love me").text)


class Given(unittest.TestCase):
    def setUp(self):
        self.folder = fixtures.run()
        self.run_ = softalign.Run(self.folder)
        self.file = fixtures.corpus() / "valid.tsv"
        self.pairs = [line.split("\t") for line in self.file.read_text(encoding="utf-8").splitlines()]
        self.sources, self.targets = [pair[0] for pair in self.pairs], [pair[1] for pair in self.pairs]

    def test_align(self):
        its = records(program("align", self.folder, "--data", self.file))
        for ours, one in zip(self.run_.align(self.sources, self.targets, threads=1), its, strict=True):
            np.testing.assert_allclose(ours.matrix, one["matrix"], atol=1e-6)
            np.testing.assert_allclose(ours.log_probabilities, one["logprob"], atol=1e-6)
            self.assertEqual(" ".join(ours.tokens), one["target_sent"])

    def test_score(self):
        its = [line.split("\t") for line in program("score", self.folder, "--data", self.file).splitlines()]
        for ours, (total, mean, perplexity) in zip(self.run_.score(self.sources, self.targets, threads=1), its, strict=True):
            self.assertAlmostEqual(ours.log_probability, float(total), places=4)
            self.assertAlmostEqual(ours.mean, float(mean), places=4)
            self.assertAlmostEqual(ours.perplexity, float(perplexity), delta=1e-3 * ours.perplexity)
        one = self.run_.score(self.sources[0], self.targets[0])
        self.assertAlmostEqual(one.log_probability, float(its[0][0]), places=3)

    def test_evaluate(self):
        its = json.loads(program("evaluate", self.folder, "--data", self.file, "--beam", "3", "--json"))
        self.assertEqual(self.run_.evaluate(self.file, beam=3, threads=1), its)


class OtherTasks(unittest.TestCase):
    def test_caption(self):
        folder, picture = fixtures.captions()
        t = softalign.Run(folder).caption(picture, beam=2, threads=1)
        self.assertEqual(t.text, program("caption", folder, "--beam", "2", picture).strip())
        self.assertEqual(t.matrix.shape[0], len(t.tokens) + t.complete)

    def test_answer(self):
        folder = fixtures.stories()
        story = ["mary went to the kitchen", "john went to the garden"]
        t = softalign.Run(folder).answer(story, "where is mary ?", n_best=3, threads=1)
        its = program("answer", folder, "--n-best", "3", "-", "where is mary ?", stdin="\n".join(story))
        self.assertEqual([one.text for one in [t, *t.alternatives]], [line.split(" ||| ")[0] for line in its.splitlines()])
        self.assertEqual(softalign.Run(folder).answer("\n".join(story), "where is mary ?").text, t.text)


class Process(unittest.TestCase):
    def test_denormals_of_the_caller_stay(self):
        run = softalign.Run(fixtures.run())
        run.translate("you love me")
        tiny = np.float32(1e-40)
        self.assertGreater(float(tiny * np.float32(0.5)), 0)

    def test_the_package_uses_its_own_blas(self):
        code = "import numpy, sys; numpy.ones((64, 64)) @ numpy.ones((64, 64)); import softalign; print(softalign._softalign.describe_blas())"
        its = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                             env={"PYTHONPATH": str(fixtures.BUILD / "python"), "PATH": "/usr/bin:/bin"}).stdout
        self.assertIn("OpenMP", its)

    def test_notes_go_to_logging(self):
        with self.assertLogs("softalign", "INFO") as logged:
            softalign.links([("a b", "c d")] * 3)
        self.assertTrue(any("perplexity" in line for line in logged.output))


if __name__ == "__main__":
    unittest.main()
