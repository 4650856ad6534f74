"""train --task questions, answer, align, evaluate, view: a user's own stories, from the first line to their records."""

import json
import math
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import programs  # noqa: E402
import schema  # noqa: E402

ALIGNMENT = (schema.load("alignment.json"), "alignment.json")
STORY = "Mary went to the kitchen\n\nJohn went to the office\n"


class Questions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        cls.data = cls.folder / "moves"
        cls.data.mkdir()
        cls.lines = programs.moves(cls.data)
        cls.story = cls.folder / "story.txt"
        cls.story.write_text(STORY)
        cls.run_folder = cls.folder / "run"
        cls.said = cls.train(cls.run_folder, "--epochs", "40")

    @classmethod
    def train(cls, out, *arguments):
        return programs.succeed("train", "--data", cls.data, "--batch", "4", "--threads", "1", "--out", out, *arguments)

    def answered(self, *arguments, run=None, **more):
        return programs.succeed("answer", "--run", run or self.run_folder, *arguments, **more)

    def test_the_folder_says_what_is_learnt(self):
        self.assertIn("108 stories to train on, 15 to validate", self.said)
        self.assertRegex(self.said, r"ans\. +hit")
        config = json.loads((self.run_folder / "config.json").read_text())
        self.assertEqual([config[name] for name in ("task", "model", "tie", "hops")], ["questions", "memory-network", "all", 4])
        self.assertEqual((self.run_folder / "source.vocab").read_text(), (self.run_folder / "target.vocab").read_text())

    def test_answers(self):
        self.assertEqual(self.answered(self.story, "Where is John?"), "office\n")
        self.assertEqual(self.answered("-", "where is mary ?", stdin=STORY), "kitchen\n")
        best = self.answered(self.story, "where is mary ?", "--n-best", "3").splitlines()
        self.assertEqual([line.split(" ||| ")[0] for line in best][0], "kitchen")
        scores = [float(line.split(" ||| ")[1]) for line in best]
        self.assertEqual(scores, sorted(scores, reverse=True))
        self.assertLess(scores[1], -1)
        every = [line.split(" ||| ") for line in self.answered(self.story, "where is mary ?", "--n-best", "99").splitlines()]
        self.assertAlmostEqual(sum(math.exp(float(score)) for _, score in every), 1, delta=0.01)  # the scores are log p
        self.assertFalse({"", "<unk>"} & {word for word, _ in every})

    def test_it_is_shown_to_which_sentences_the_model_attends(self):
        shown = self.answered(self.story, "where is john ?", "--alignment", "plot", "--color", "never").splitlines()
        self.assertEqual(shown[0], "office")
        self.assertEqual(shown.count("office"), 1)  # the answer is not repeated below the sentences
        self.assertIn("where is john ?", shown)
        self.assertIn("hop 2", "".join(shown))
        self.assertTrue(any(line.endswith("Mary went to the kitchen") and line.startswith("  1 ") for line in shown), shown)
        record = json.loads(self.answered(self.story, "where is john ?", "--alignment", "jsonl"))
        self.assertEqual(schema.problems(record, *ALIGNMENT), [])
        self.assertEqual((record["source_tokens"], record["question"], record["target_tokens"], record["mode"]),
                         (["Mary went to the kitchen", "John went to the office"], "where is john ?", ["office"], "greedy"))
        self.assertEqual(max(head["matrix"][0][1] for head in record["heads"]) > 0.9, True)

    def test_records_have_sentences_for_places_and_a_head_a_hop(self):
        text = programs.succeed("align", "--run", self.run_folder, "--data", self.data / "valid.tsv", "--scores")
        for line, record in zip(self.lines, map(json.loads, text.splitlines()), strict=True):
            self.assertEqual(schema.problems(record, *ALIGNMENT), [])
            story, question, answer, gold, tag = line.split("\t")
            self.assertEqual((record["source_kind"], record["source_sent"], record["question"]), ("sentences", story, question))
            self.assertEqual((record["target_tokens"], record["eos"], record["tags"]), ([answer], {"source": False, "target": False}, [tag]))
            self.assertEqual(record["gold"]["sure"], [[int(gold), 0]])
            self.assertEqual([(head["layer"], head["kind"]) for head in record["heads"]], [(hop, "cross") for hop in range(4)])
            for s in range(2):
                self.assertAlmostEqual(record["matrix"][0][s], sum(head["matrix"][0][s] for head in record["heads"]) / 4, delta=1e-6)
            for head in record["heads"]:
                [weights] = programs.softmax(head["scores"])
                self.assertAlmostEqual(weights[0], head["matrix"][0][0], delta=1e-5)

    def test_evaluate_and_score_know_stories(self):
        scores = json.loads(programs.succeed("evaluate", "--run", self.run_folder, "--data", self.data / "valid.tsv", "--json"))
        self.assertEqual(scores["all"]["exact_match"], 100)
        text = programs.succeed("align", "--run", self.run_folder, "--data", self.data / "valid.tsv")
        records = [json.loads(line) for line in text.splitlines()]
        tops = [{row.index(max(row)) for head in record["heads"] for row in head["matrix"]} for record in records]
        found = [record["gold"]["sure"][0][0] in top for record, top in zip(records, tops)]
        self.assertEqual(scores["all"]["supported"], sum(found) / len(found))
        rows = [(record["matrix"][0], record["gold"]["sure"][0][0]) for record in records]
        self.assertAlmostEqual(scores["all"]["mass_in_gold"], sum(row[gold] for row, gold in rows) / len(rows), delta=1e-5)
        self.assertEqual(scores["all"]["attention_accuracy"], sum(row.index(max(row)) == gold for row, gold in rows) / len(rows))
        self.assertGreater(scores["all"]["mass_in_gold"], 0.6)
        table = programs.succeed("evaluate", "--run", self.run_folder, "--data", self.data / "valid.tsv", "--details")
        self.assertIn("with gold, each gold sentence has the largest weight of some hop", " ".join(table.split()))
        self.assertEqual(len(programs.succeed("score", "--run", self.run_folder, "--data", self.data / "valid.tsv").splitlines()), 15)

    def test_the_attentive_reader_answers_too(self):
        out = self.folder / "reader"
        self.train(out, "--model", "attentive-reader", "--epochs", "20")
        self.assertEqual(json.loads((out / "config.json").read_text())["cell"], "gru")
        self.assertEqual(self.answered(self.story, "where is john ?", run=out), "office\n")
        scores = json.loads(programs.succeed("evaluate", "--run", out, "--data", self.data / "valid.tsv", "--json"))
        self.assertGreater(scores["all"]["exact_match"], 90)
        record = json.loads(self.answered(self.story, "where is john ?", "--alignment", "jsonl", run=out))
        self.assertEqual((len(record["matrix"]), "heads" in record), (1, False))

    def test_gold_sentences_can_guide_attention_and_answers_have_interventions(self):
        out = self.folder / "guided"
        self.train(out, "--guided-alignment", "0.1", "--epochs", "8", "--hops", "1")
        scores = json.loads(programs.succeed("evaluate", "--run", out, "--data", self.data / "valid.tsv", "--json"))
        self.assertGreater(scores["all"]["attention_accuracy"], 0.95)
        few = programs.write_lines(self.folder / "few.tsv", self.lines[:2])
        text = programs.succeed("align", "--run", self.run_folder, "--data", few, "--intervene", "all", "--scores")
        records = [json.loads(line) for line in text.splitlines()]
        self.assertEqual([record["intervention"]["kind"] for record in records[:5]], ["none", "force", "ablate", "shuffle", "word"])
        for record in records:
            self.assertEqual(schema.problems(record, *ALIGNMENT), [])
        result = programs.run("align", "--run", self.run_folder, "--data", few, "--intervene", "word", "--step", "2")
        self.assertIn("--step 2 does not exist, because the translation has 1 steps", result.stderr)

    def test_the_viewer_and_an_ensemble_take_stories(self):
        page = self.folder / "page.html"
        programs.succeed("view", "--run", self.run_folder, "--data", self.data / "valid.tsv", "--out", page)
        text = page.read_text(encoding="utf-8")
        self.assertIn("where is mary ?", text)
        # BLEU of a single word is always 0, so it is left out.
        self.assertEqual(set(re.findall('"bleu":([^,}]*)', text)), {"null"})
        self.assertEqual(set(re.findall('"aer":([^,}]*)', text)), {"null"})  # the attention accuracy is shown instead
        self.assertNotIn("null", re.findall('"accuracy":([^,}]*)', text))
        own = self.folder / "own.html"
        programs.succeed("view", "--run", self.run_folder, "--out", own)  # the run's own records suffice
        self.assertIn("where is mary ?", own.read_text(encoding="utf-8"))
        both = programs.succeed("evaluate", "--run", self.run_folder, "--run", self.run_folder, "--data", self.data / "valid.tsv", "--details")
        self.assertNotIn("of some hop", both)  # only the mean of the hops is shown
        two = self.answered("--run", self.run_folder, self.story, "where is john ?", "--alignment", "jsonl")
        self.assertEqual(json.loads(two)["mode"], "ensemble")

    def test_a_training_goes_on_to_the_bytes_of_one_that_was_never_stopped(self):
        for model in ("memory-network", "attentive-reader"):
            whole, cut = self.folder / f"whole-{model}", self.folder / f"cut-{model}"
            self.train(whole, "--epochs", "3", "--schedule", "constant", "--model", model, "--dropout", "0.2")
            self.train(cut, "--epochs", "2", "--schedule", "constant", "--model", model, "--dropout", "0.2")
            programs.succeed("train", "--resume", "--out", cut, "--epochs", "3")
            self.assertEqual((cut / "last.safetensors").read_bytes(), (whole / "last.safetensors").read_bytes())

    def refused(self, status, program, *arguments, says, **more):
        result = programs.run(program, *arguments, **more)
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertIn(says, result.stderr)

    def test_what_does_not_go_with_stories_is_refused(self):
        train = ["train", "--data", self.data, "--out", self.folder / "never"]
        self.refused(2, *train, "--model", "rnnsearch", says=f"{self.data} contains stories with questions. The models for this task are "
                                                             "memory-network, attentive-reader. rnnsearch translates sentences")
        self.refused(2, *train, "--swap-sides", says="answers of one word, which cannot be swapped")
        self.refused(2, *train, "--tokenizer", "sentencepiece", says="an answer is one word")
        self.refused(2, *train, "--tie", "target", says="Use --tie all, which shares one table between the last hop and the answers")
        self.refused(2, *train, "--model", "attentive-reader", "--tie", "all", says="cannot share an embedding table")
        self.refused(2, *train, "--attention", "additive", says="memory-network supports only attention dot, not additive")
        self.refused(2, "train", "--model", "memory-network", "--task", "translation", "--out", self.folder / "never",
                     says="--model memory-network cannot learn --task translation")
        self.refused(2, *train, "--keep", "bleu", says="--keep bleu: BLEU is always 0 for answers of one word. Use --keep loss")
        self.refused(2, "evaluate", "--run", self.run_folder, "--source", self.story, "--target", self.story, says="not trained on sentence pairs. Use --data FILE")
        self.refused(1, "answer", "--run", self.run_folder, self.folder / "none.txt", "who?", says="none.txt")
        self.refused(1, "answer", "--run", self.run_folder, "-", "who?", stdin="\n\n", says="standard input: a story without a sentence")
        self.refused(1, "answer", "--run", self.run_folder, self.story, " ", says="the question has no words")
        self.refused(2, "answer", "--run", self.run_folder, self.story, says="QUESTION is missing")
        self.refused(1, "translate", "--run", self.run_folder, stdin="a\n", says="trained for the task questions and cannot translate")
        self.assertFalse((self.folder / "never").exists())

    def test_restarts_end_when_the_answers_are_learnt_and_resume_to_the_same_bytes(self):
        config = json.loads((self.run_folder / "config.json").read_text())
        self.assertEqual([config[name] for name in ("linear-start", "time-noise", "restarts")], [0.2, 0.1, 2])
        self.assertNotIn("Restart", self.said)  # the model learns without a restart
        hopeless = ["--epochs", "2", "--lr", "0", "--schedule", "constant"]
        out = self.folder / "restarted"
        said = self.train(out, *hopeless, "--restarts", "2")
        self.assertIn("fewer than 97% of the validation answers are right. Restart 2 of 2", said)
        epochs = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
        self.assertEqual([epoch["epoch"] for epoch in epochs], [1, 2, 3, 4, 5, 6])
        losses = [epoch["valid"]["loss"] for epoch in epochs]
        self.assertEqual(losses[::2], losses[1::2])  # at rate 0, only a restart changes the weights
        self.assertEqual(len(set(losses)), 3)
        self.assertEqual([epoch["best"] for epoch in epochs], [i % 2 == 0 and losses[i] < min(losses[:i], default=99) for i in range(6)])
        whole, cut = self.folder / "restarts-whole", self.folder / "restarts-cut"
        slow = ["--lr", "1e-4", "--schedule", "constant", "--linear-start", "0.5"]
        self.train(whole, "--epochs", "2", "--restarts", "1", *slow)
        arguments = ["train", "--data", self.data, "--batch", "4", "--threads", "1", "--out", cut, "--epochs", "2", "--restarts", "1", *slow]
        self.interrupt_after_epochs(3, cut, arguments)
        programs.succeed("train", "--resume", "--out", cut)
        self.assertEqual((cut / "last.safetensors").read_bytes(), (whole / "last.safetensors").read_bytes())

    def test_a_training_of_an_earlier_build_goes_on_without_what_that_build_did_not_know(self):
        off = {"linear-start": 0, "time-noise": 0, "restarts": 0}
        whole, old = self.folder / "old-whole", self.folder / "old-cut"
        arguments = [word for name, value in off.items() for word in (f"--{name}", value)] + ["--schedule", "constant"]
        self.train(whole, "--epochs", "3", *arguments)
        self.train(old, "--epochs", "2", *arguments)
        config = json.loads((old / "config.json").read_text())
        (old / "config.json").write_text(json.dumps({name: value for name, value in config.items() if name not in off and name not in ("hop-tying", "hop-relu")}))
        programs.succeed("train", "--resume", "--epochs", "3", "--out", old)
        config = json.loads((old / "config.json").read_text())
        self.assertEqual({name: config[name] for name in off}, off)
        self.assertEqual((old / "model.safetensors").read_bytes()[-1000:], (whole / "model.safetensors").read_bytes()[-1000:])

    def interrupt_after_epochs(self, epochs, out, arguments):
        """Starts a training and sends Ctrl-C when `epochs` epochs are done."""
        process = subprocess.Popen([programs.BUILD / arguments[0], *map(str, arguments[1:])], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        metrics = out / "metrics.jsonl"
        while process.poll() is None and not (metrics.exists() and metrics.read_text().count("\n") >= epochs):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        process.wait()

    def test_options_of_memory_networks_are_refused_elsewhere(self):
        train = ["train", "--data", self.data, "--out", self.folder / "never", "--model", "attentive-reader"]
        self.refused(2, *train, "--linear-start", "0.1", says="--linear-start needs --model memory-network, and the model attentive-reader has no hops")
        self.refused(2, *train, "--time-noise", "0.1", says="--time-noise needs --model memory-network")
        self.refused(2, "train", "--restarts", "1", "--out", self.folder / "never", says="--restarts counts right answers")
        out = self.folder / "layer-wise"
        self.train(out, "--hop-tying", "layer-wise", "--epochs", "2")
        self.assertEqual(json.loads((out / "config.json").read_text())["hop-tying"], "layer-wise")
        self.answered(self.story, "where is john ?", run=out)

    def test_unknown_words_are_noted(self):
        result = programs.run("answer", "--run", self.run_folder, self.story, "where is zyzzyva ?")
        self.assertEqual(result.returncode, 0)
        self.assertIn("note: these words are not in the vocabulary: zyzzyva", result.stderr)


if __name__ == "__main__":
    unittest.main()
