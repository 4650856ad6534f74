"""Run folders of earlier builds can be opened. An earlier build wrote old_run/run and was stopped in the middle of its tenth
epoch. old_run/expected has the output of that build's programs. Numbers must agree except for rounding."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path

import programs

OLD = Path(__file__).resolve().parent / "old_run"


class OldRun(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(shutil.copytree(OLD, Path(temporary.name) / "old"))
        self.source = (OLD / "expected/source.txt").read_text(encoding="utf-8")

    def succeed(self, program, *arguments, **more):
        return programs.succeed(program, *arguments, "--threads", "1", cwd=self.folder, **more)

    def expected(self, name):
        return (OLD / "expected" / name).read_text(encoding="utf-8")

    def assert_alike(self, now, then, where="record"):
        """Requires the same keys, texts and lengths. Numbers may differ by rounding, because sums may have another order."""
        self.assertEqual(type(now), type(then), where)
        if isinstance(then, dict):
            self.assertEqual(list(now), list(then), where)
            for key, value in then.items():
                self.assert_alike(now[key], value, f"{where}.{key}")
        elif isinstance(then, list):
            self.assertEqual(len(now), len(then), where)
            for i, value in enumerate(then):
                self.assert_alike(now[i], value, f"{where}[{i}]")
        elif isinstance(then, float):
            self.assertAlmostEqual(now, then, delta=1e-4 * max(1, abs(then)), msg=where)
        else:
            self.assertEqual(now, then, where)

    def assert_lines_alike(self, now, then):
        self.assert_alike([json.loads(line) for line in now.splitlines()],
                          [json.loads(line) for line in then.splitlines()])

    def assert_records_alike(self, now, then):
        """Compares what the earlier build wrote about each sentence. One key has another name today."""
        now, then = ([json.loads(line) for line in lines.splitlines()] for lines in (now, then))
        for record in then:
            record["total_logprob"] = record.pop("prob")
        known = [{key: record[key] for key in old} for record, old in zip(now, then, strict=True)]
        self.assert_alike(known, then)

    def test_it_translates(self):
        self.assertEqual(self.succeed("translate", "--run", "run", stdin=self.source), self.expected("greedy.txt"))
        records = self.succeed("translate", "--run", "run", "--beam", "3", "--alignment", "jsonl", stdin=self.source)
        self.assert_records_alike(records, self.expected("beam.jsonl"))

    def test_it_aligns(self):
        records = self.succeed("align", "--run", "run", "--data", "corpus/valid.tsv")
        self.assert_records_alike(records, self.expected("align.jsonl"))

    def test_its_training_goes_on(self):
        config = json.loads((self.folder / "run/config.json").read_text())
        self.succeed("train", "--resume", "--out", "run")
        self.assert_lines_alike((self.folder / "run/metrics.jsonl").read_text(), self.expected("metrics.jsonl"))
        now = json.loads((self.folder / "run/config.json").read_text())
        added = {"task": "translation", "swap-sides": False, "word-dropout": 0.0,  # the earlier build did not have these options
                 "feed-forward": 512, "norm": "pre", "positions": "sinusoidal", "self-attention": "softmax",
                 "alignment-by": "norms", "unidirectional": False, "doubly-stochastic": 0.0, "picture-height": 24, "picture-width": 24,
                 "fusion": "shallow", "hops": 2, "intra-sentence": False, "hard-attention": False, "gradient-dtype": "float32",
                 "hop-tying": "adjacent", "hop-relu": False, "linear-start": 0.0, "time-noise": 0.0, "restarts": 0, "align": False,
                 "source-bridging": False, "state-dropout": False}
        renamed = {"scope": "attention-window", "start": "initial-state", "pieces": "subwords", "piece-model": "subword-model",
                   "accumulate": "gradient-accumulation"}
        self.assertLessEqual(set(renamed), set(config))
        config = {renamed.get(key, key): value for key, value in config.items()}
        self.assertEqual((config.pop("encoder"), now.pop("encoder")), ("bidirectional", "lstm"))  # the value names the cell now
        self.assertEqual({key: now.pop(key) for key in added}, added)
        self.assertEqual(list(now.items()), list(config.items()))

    def test_a_change_is_reported_under_current_names(self):
        result = programs.run("train", "--resume", "--out", "run", "--encoder", "gru", cwd=self.folder)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn('--encoder was "lstm" when this training began and is "gru" now', result.stderr)
        result = programs.run("train", "--resume", "--out", "run", "--scope", "local-m", cwd=self.folder)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn('--attention-window was "global" when this training began and is "local-m" now', result.stderr)


if __name__ == "__main__":
    unittest.main()
