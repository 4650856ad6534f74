"""reproduce alignment-on-real-text trains its models on the user's pairs and compares their attention with gold links."""

import json
import math
import tempfile
import unittest
from pathlib import Path

import programs

CLAIMS = 21  # with several seeds


class RealText(programs.Refusals):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.corpus = programs.tiny_corpus(self.folder / "corpus", test=20)
        self.gold = self.folder / "gold.tsv"
        programs.write_lines(self.gold, programs.short_pairs("valid.tsv", 10))
        self.out = self.folder / "reports"
        self.command = ["reproduce", "alignment-on-real-text", "--data", self.corpus, "--out", self.out, "--threads", "1"]

    def test_a_table_with_claims_and_nothing_trained_twice(self):
        programs.succeed(*self.command, "--gold", self.gold, "--epochs", "1", "--seeds", "2")
        report = json.loads((self.out / "alignment-on-real-text.json").read_text(encoding="utf-8"))
        self.assertEqual(report["columns"], ["links from", "BLEU", "held-out pairs", "joined pairs", "unknown words", "gold"])
        self.assertEqual([row[0] for row in report["rows"]][-2:], ["the diagonal", "links"])
        self.assertEqual([len(row) for row in report["rows"]], [6] * 13)
        self.assertEqual(len(report["claims"]), CLAIMS)
        self.assertEqual(report["command"], f"build/reproduce alignment-on-real-text --data {self.corpus} --gold {self.gold} --epochs 1 "
                                            f"--seeds 2 --out {self.out}")

        # The figures are those of the programs that a user would call.
        runs = self.out / "runs"
        run = runs / "alignment-no-query-word-seed1"
        aers = [self.aer(run), self.aer(runs / "alignment-no-query-word-seed2")]
        diagonal = float(report["rows"][-2][5])
        mean = sum(aers) / 2
        self.assertEqual(report["rows"][1][5], f"{mean:.1f} ± {abs(aers[0] - aers[1]) / 2:.1f} ({mean - diagonal:+.1f})")
        self.assertIs(json.loads((run / "config.json").read_text(encoding="utf-8"))["query-word"], False)

        joined = (self.out / "data" / "real-text" / "joined" / "train.tsv").read_text(encoding="utf-8").splitlines()
        pairs = len((self.corpus / "train.tsv").read_text(encoding="utf-8").splitlines())
        self.assertEqual(len(joined), pairs + math.ceil(pairs / 3))
        # Joined pairs do not make more words known, and a model without joined pairs can train as long.
        for one, other in (("base", "joined"), ("unknown", "joined-unknown")):
            for side in ("source.vocab", "target.vocab"):
                self.assertEqual((runs / f"alignment-{one}-seed1" / side).read_bytes(), (runs / f"alignment-{other}-seed1" / side).read_bytes())
        self.assertEqual(len((runs / "alignment-longer-seed1" / "metrics.jsonl").read_text(encoding="utf-8").splitlines()), 2)

        before = (run / "model.safetensors").stat().st_mtime_ns
        programs.succeed(*self.command, "--gold", self.gold, "--epochs", "1", "--seeds", "2")
        self.assertEqual((run / "model.safetensors").stat().st_mtime_ns, before)

    def test_one_seed_cannot_agree(self):
        programs.succeed(*self.command, "--gold", self.gold, "--epochs", "1")
        report = json.loads((self.out / "alignment-on-real-text.json").read_text(encoding="utf-8"))
        self.assertEqual(len(report["claims"]), CLAIMS - 1)

    def aer(self, run):
        """Returns the AER of the run's attention on the gold file, in percent."""
        links = programs.succeed("align", "--run", run, "--data", self.gold, "--format", "pharaoh")
        (self.folder / "links.txt").write_text(links, encoding="utf-8")
        scores = json.loads(programs.succeed("evaluate", "--links", self.folder / "links.txt", "--data", self.gold, "--json"))
        while "aer" not in scores:
            scores = next(value for value in scores.values() if isinstance(value, dict))
        return 100 * scores["aer"]

    def test_it_says_which_files_are_missing(self):
        for words in ([*self.command], ["reproduce", "alignment-on-real-text", "--gold", self.gold, "--out", self.out]):
            self.refused(2, *words, says=["Give --data FOLDER, with train.tsv, valid.tsv and test.tsv"])
        self.refused(1, *self.command, "--gold", self.folder / "missing.tsv", says=["missing.tsv: there is no such file"])
        (self.corpus / "test.tsv").unlink()
        self.refused(1, *self.command, "--gold", self.gold, says=["test.tsv: there is no such file"])
        self.assertFalse(self.out.exists())

    def test_gold_files_need_links(self):
        lines = self.gold.read_text(encoding="utf-8").splitlines()
        lines[2] = "\t".join(lines[2].split("\t")[:2])
        programs.write_lines(self.gold, lines)
        self.refused(1, *self.command, "--gold", self.gold, says=[f"{self.gold}:3: the pair has no gold links"])


if __name__ == "__main__":
    unittest.main()
