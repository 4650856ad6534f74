"""A model whose encoder and decoder attend to their past states: records show these weights, a resumed training gives the
same bytes, and options are kept."""

import json
import sys
import unittest
from pathlib import Path

import programs

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import schema  # noqa: E402


class AttendingBack(programs.WithRun):
    training = ["--model", "lstmn", "--fusion", "deep", "--lr", "0.02", "--schedule", "constant"]

    def test_records_hold_the_self_attention_of_each_side(self):
        data = self.corpus / "valid.tsv"
        texts = [programs.succeed("align", "--run", self.run_folder, "--data", data),
                 programs.succeed("translate", "--run", self.run_folder, "--beam", "3", "--alignment", "jsonl", stdin="i love you\n")]
        records = [json.loads(line) for text in texts for line in text.splitlines()]
        self.assertGreater(len(records), 10)
        for record in records:
            self.assertEqual(schema.problems(record, schema.load("alignment.json"), "alignment.json"), [])
            S, T = len(record["source_tokens"]), len(record["target_tokens"])
            for row in record["matrix"]:
                self.assertEqual(len(row), S)
                self.assertAlmostEqual(sum(row), 1, delta=1e-4)
            self.assertEqual([(head["kind"], head["head"]) for head in record["heads"]],
                             [("encoder-self", 0), ("encoder-self", 1), ("decoder-self", 0)])
            seen = [range(S), [S - 1 - j for j in range(S)], range(T)]  # the number of positions to which each word can attend
            for head, words in zip(record["heads"], seen, strict=True):
                for n, row in zip(words, head["matrix"], strict=True):
                    self.assertEqual(sum(weight > 0 for weight in row), n)
                    self.assertAlmostEqual(sum(row), 1 if n else 0, delta=1e-4)

    def test_a_training_goes_on_to_the_bytes_of_one_that_was_never_stopped(self):
        whole, halves = self.folder / "whole", programs.train(self.corpus, self.folder / "halves", *self.training)
        programs.succeed("train", "--data", self.corpus, "--out", whole, "--epochs", "4", *programs.TINY, *self.training)
        programs.succeed("train", "--resume", "--epochs", "4", "--out", halves, "--threads", "1")
        self.assertEqual((whole / "last.safetensors").read_bytes(), (halves / "last.safetensors").read_bytes())

    def test_the_fusion_is_kept_and_what_it_cannot_take_is_refused(self):
        config = json.loads((self.run_folder / "config.json").read_text(encoding="utf-8"))
        self.assertEqual((config["model"], config["encoder"], config["fusion"]), ("lstmn", "lstmn", "deep"))
        train = ["train", "--data", self.corpus, "--out", self.folder / "never", "--model", "lstmn"]
        self.refused(2, *train, "--fusion", "deep", "--encoder", "gru", says=["fusion deep needs the memory cells", "encoder gru has none"])
        self.refused(2, *train, "--fusion", "late", says=["late", "shallow, deep"])
        shown = programs.run(*train, "--dry-run", "--task", "language-model")
        self.assertRegex(shown.stdout, "(?m)^model +lstmn-lm$", shown.stderr)


if __name__ == "__main__":
    unittest.main()
