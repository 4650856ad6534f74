"""reproduce alignment-on-real-text trains its models on the user's pairs and compares their attention with gold links."""

import json
import tempfile
import unittest
from pathlib import Path

import programs


def fail(status, *command):
    """Returns the messages of a command that must end with this status."""
    done = programs.run(*command)
    assert done.returncode == status, (done.returncode, done.stderr)
    return done.stderr


class RealText(unittest.TestCase):
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
        programs.succeed(*self.command, "--gold", self.gold, "--epochs", "1")
        report = json.loads((self.out / "alignment-on-real-text.json").read_text(encoding="utf-8"))
        self.assertEqual(report["columns"], ["links from", "BLEU", "held-out pairs", "joined pairs", "unknown words", "gold"])
        self.assertEqual([row[0] for row in report["rows"]][-2:], ["the diagonal", "links"])
        self.assertEqual([len(row) for row in report["rows"]], [6] * 7)
        self.assertEqual(len(report["claims"]), 8)
        self.assertEqual(report["command"], f"build/reproduce alignment-on-real-text --data {self.corpus} --gold {self.gold} --epochs 1 "
                                            f"--out {self.out}")

        # The figures are those of the programs that a user would call.
        run = self.out / "runs" / "alignment-no-query-word-seed1"
        links = programs.succeed("align", "--run", run, "--data", self.gold, "--format", "pharaoh")
        (self.folder / "links.txt").write_text(links, encoding="utf-8")
        scores = programs.succeed("evaluate", "--links", self.folder / "links.txt", "--data", self.gold, "--json")
        aer = json.loads(scores)
        while "aer" not in aer:
            aer = next(value for value in aer.values() if isinstance(value, dict))
        self.assertEqual(report["rows"][1][5], f"{100 * aer['aer']:.1f}")
        self.assertIs(json.loads((run / "config.json").read_text(encoding="utf-8"))["query-word"], False)

        joined = (self.out / "data" / "real-text" / "joined" / "train.tsv").read_text(encoding="utf-8").splitlines()
        pairs = len((self.corpus / "train.tsv").read_text(encoding="utf-8").splitlines())
        self.assertEqual(len(joined), pairs + pairs // 3)

        before = (run / "model.safetensors").stat().st_mtime_ns
        programs.succeed(*self.command, "--gold", self.gold, "--epochs", "1")
        self.assertEqual((run / "model.safetensors").stat().st_mtime_ns, before)

    def test_it_says_which_files_are_missing(self):
        for words in ([*self.command], ["reproduce", "alignment-on-real-text", "--gold", self.gold, "--out", self.out]):
            self.assertIn("Give --data FOLDER, with train.tsv, valid.tsv and test.tsv", fail(2, *words))
        self.assertIn("missing.tsv: there is no such file", fail(1, *self.command, "--gold", self.folder / "missing.tsv"))
        (self.corpus / "test.tsv").unlink()
        self.assertIn("test.tsv: there is no such file", fail(1, *self.command, "--gold", self.gold))
        self.assertFalse(self.out.exists())

    def test_gold_files_need_links(self):
        lines = self.gold.read_text(encoding="utf-8").splitlines()
        lines[2] = "\t".join(lines[2].split("\t")[:2])
        programs.write_lines(self.gold, lines)
        self.assertIn(f"{self.gold}:3: the pair has no gold links", fail(1, *self.command, "--gold", self.gold))


if __name__ == "__main__":
    unittest.main()
