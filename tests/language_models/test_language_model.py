"""--task language-model trains on texts. translate continues texts, and score and evaluate score them."""

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

    def test_blank_texts_at_the_end_have_a_line_too(self):
        texts = programs.write_lines(self.folder / "blank.txt", ["", SENTENCES[0], "", SENTENCES[1], "", " ", ""])
        lines = self.call("score", "--data", texts).split("\n")
        self.assertEqual([i for i, line in enumerate(lines) if line], [1, 3])
        self.assertEqual(len(lines), 8)

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

    def test_where_its_words_attend_is_recorded_and_shown(self):
        for model in ("lstmn-lm", "transformer-lm"):
            run = self.folder / model
            self.train(model, "--model", model, "--epochs", "1", "--layers", "2")
            self.refused(1, "translate", "--run", run, "--alignment", "plot", says="attends only to its own text")
            texts = programs.succeed("align", "--run", run, "--data", self.texts)
            records = [json.loads(line) for line in texts.splitlines()]
            self.assertEqual([record["target_sent"] for record in records], [SENTENCES[0], "", *SENTENCES[1:]])
            blank = records.pop(1)
            self.assertEqual(schema.problems(blank, schema.load("alignment.json"), "alignment.json"), [])
            self.assertEqual((blank["id"], blank["target_tokens"], blank["matrix"]), (1, [], []))
            for record in records:
                self.assertEqual(schema.problems(record, schema.load("alignment.json"), "alignment.json"), [])
                T = len(record["target_tokens"])
                self.assertEqual((record["source_tokens"], record["matrix"]), (["</s>"], [[1]] * T))
                self.assertLessEqual({(0, "decoder-self"), (1, "decoder-self")},
                                     {(head["layer"], head["kind"]) for head in record["heads"]})
                for head in record["heads"]:
                    for t, row in enumerate(head["matrix"]):
                        seen = t if model == "lstmn-lm" else t + 1  # an LSTM attends before its new state exists
                        self.assertEqual(row[seen:], [0] * (T - seen))
                        self.assertAlmostEqual(sum(row), 1 if seen > 0 else 0, delta=1e-5)
            page = self.folder / f"{model}.html"
            self.assertIn("4 sentences", programs.succeed("view", "--run", run, "--data", self.texts, "--out", page))
            self.refused(1, "align", "--run", run, "--data", self.texts, "--format", "pharaoh", says="only to its own text")
            self.refused(2, "align", "--run", run, "--data", self.texts, "--scores", says="need a translation model")

    def test_one_with_attention_to_its_past_resumes_and_continues_texts(self):
        whole, halves = self.folder / "whole-lstmn", self.folder / "halves-lstmn"
        common = ["--model", "cheng", "--layers", "2", "--lr", "0.02", "--schedule", "constant"]
        self.train("whole-lstmn", "--epochs", "40", *common)
        self.train("halves-lstmn", "--epochs", "20", *common)
        programs.succeed("train", "--resume", "--epochs", "40", "--out", halves, "--threads", "1")
        self.assertEqual((whole / "model.safetensors").read_bytes(), (halves / "model.safetensors").read_bytes())
        found = programs.succeed("translate", "--run", whole, "--beam", "3", "--threads", "1", stdin="the cat sat\n")
        self.assertTrue(found.startswith("the cat sat on the mat"), found)

    def test_texts_that_repeat_themselves_are_drawn_and_known_for_what_they_are(self):
        folder, other = self.folder / "repeats", self.folder / "others"
        drawn = ["make_corpus", "repeats", "--split", "train=60,valid=20", "--out"]
        programs.succeed(*drawn, folder)
        programs.succeed(*drawn, other)
        for name in ("train.tsv", "valid.tsv", "task"):
            self.assertEqual((folder / name).read_bytes(), (other / name).read_bytes())
        self.assertEqual((folder / "task").read_text(), "language-model\n")
        lines = [(folder / name).read_text().splitlines() for name in ("train.tsv", "valid.tsv")]
        self.assertEqual(len(set(lines[0] + lines[1])), 80)
        run = self.folder / "of-repeats"
        programs.succeed("train", "--data", folder, "--epochs", "4", "--lr", "0.02", "--model", "lstmn-lm", "--hidden", "8",
                         "--out", run)
        config = json.loads((run / "config.json").read_text(encoding="utf-8"))
        self.assertEqual((config["task"], config["model"]), ("language-model", "lstmn-lm"))
        found = json.loads(programs.succeed("evaluate", "--run", run, "--data", folder / "valid.tsv", "--json"))
        self.assertEqual(schema.problems(found, schema.load("evaluation.json"), "evaluation.json"), [])
        self.assertAlmostEqual(found["all"]["attention_accuracy"], self.attention_accuracy(run, folder / "valid.tsv"), delta=1e-6)
        self.assertAlmostEqual(found["all"]["greedy_match"], self.greedy_match(run, folder / "valid.tsv"), delta=1e-6)
        table = programs.succeed("evaluate", "--run", run, "--data", folder / "valid.tsv", "--details")
        self.assertIn(f"greedy match: the model finds {100 * found['all']['greedy_match']:.1f}% of", table)

    @staticmethod
    def greedy_match(run, data):
        """Computes the greedy match from translate: it continues the words before each word with a gold link."""
        texts = [line.split("\t") for line in data.read_text().splitlines()]
        places = [(text.split(), int(link.split("-")[1])) for text, _, links in texts for link in links.split()]
        begun = "".join(" ".join(words[:place]) + "\n" for words, place in places)
        written = programs.succeed("translate", "--run", run, stdin=begun).replace(".", " . ").splitlines()
        return sum(line.split()[place:place + 1] == [words[place]]
                   for line, (words, place) in zip(written, places, strict=True)) / len(places)

    @staticmethod
    def attention_accuracy(run, data):
        """Computes the attention accuracy from the records: how often the largest weight is on the earlier mention, one
        column to its right."""
        records = map(json.loads, programs.succeed("align", "--run", run, "--data", data).splitlines())
        hits = []
        for record, line in zip(records, data.read_text().splitlines(), strict=True):
            for link in line.split("\t")[2].split():
                said, again = map(int, link.split("-"))
                row = record["heads"][0]["matrix"][again]
                hits.append(row.index(max(row)) == said + 1)
        return sum(hits) / len(hits)

    def test_what_it_cannot_do_is_said(self):
        run = self.folder / "lm"
        files = ["--train", self.texts, "--valid", self.texts, "--out", self.folder / "none"]
        train = ["train", "--task", "language-model", *files]
        self.refused(1, "align", "--run", run, "--data", programs.TOY / "test.tsv", says="no attention")
        self.refused(2, *train, "--model", "luong", says="--model luong is not possible with --task language-model")
        self.refused(1, "train", *files, "--model", "luong", says=f"{self.texts}:1: the line has no tab; the form must be source<TAB>target")
        self.refused(2, "train", *files, "--task", "translation", "--model", "rnn-lm", says="cannot learn --task translation")
        self.refused(2, *train, "--both-directions", says="--both-directions needs --task translation")
        self.refused(2, *train, "--source", self.texts, "--target", self.texts, says="use --train FILE and --valid FILE")
        self.refused(2, *train, "--keep", "bleu", says="translates nothing")
        self.refused(2, *train, "--guided-alignment", "1", says="has no attention")
        self.refused(1, "translate", "--run", run, "--alignment", "jsonl", says="has no attention")
        self.refused(2, "evaluate", "--run", run, "--source", self.texts, "--target", self.texts, "--alignment", self.texts,
                     says="third column of the --data file")


if __name__ == "__main__":
    unittest.main()
