"""ablations.py trains the models that it names, prints medians, trains nothing twice, and refuses options that make no
sense."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import programs
import ablations

SCRIPT = Path(__file__).resolve().parent / "ablations.py"
TINY = programs.TINY[:programs.TINY.index("--threads")]  # the script sets --threads itself


def script(*arguments):
    return subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True, timeout=600,
                          check=False)


class Suspects(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = Path(kept.name)
        for name in ("train.tsv", "valid.tsv", "test.tsv"):
            programs.write_lines(self.folder / name, programs.short_pairs("test.tsv", 30)[:30])

    def test_a_table_of_what_was_trained_and_nothing_is_trained_twice(self):
        arguments = ["--corpus", self.folder, "--ablation", "default,GRU", "--seeds", 2, "--build", programs.BUILD, "--out",
                     self.folder / "out", "--train", " ".join(["--epochs 1", *TINY])]
        first = script(*arguments)
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertEqual(len(first.stderr.splitlines()), 4)
        rows = [line for line in first.stdout.splitlines() if line.startswith("| ")]
        self.assertEqual([row.split(" | ")[0] for row in rows], ["| ablation", "| default", "| GRU"])
        name = self.folder.name
        config = json.loads((self.folder / "out" / "runs" / f"{name}-GRU-2" / "config.json").read_text(encoding="utf-8"))
        self.assertEqual((config["cell"], config["seed"], config["hidden"]), ("gru", 2, 12))
        again = script(*arguments)
        self.assertEqual((again.stdout, again.stderr), (first.stdout, ""))
        script(*arguments[:2], "--ablation", "default", *arguments[4:], "--train", " ".join(["--epochs 2", *TINY]))
        metrics = self.folder / "out" / "runs" / f"{name}-default-1" / "metrics.jsonl"
        self.assertEqual(len(programs.json_lines(metrics)), 2)

    def test_a_grammar_gives_the_corpus_of_its_first_comment(self):
        folder = ablations.folder_of("data/orders/la-en.grammar", programs.BUILD, self.folder)
        self.assertEqual(len((folder / "train.tsv").read_text(encoding="utf-8").splitlines()), 6000)

    def test_medians_and_what_has_no_gold(self):
        of = lambda aer, bleu: {"alignment": {"aer": aer, "recall": .9}, "end_attention": .02, "bleu": bleu}
        self.assertEqual(ablations.row("x", [of(.1, 50), of(.04, 70), of(.05, 60)]), "| x | 5.0 (4.0 to 10.0) | 90.0 | 2.0 | 60.0 |")
        self.assertEqual(ablations.row("x", [{"end_attention": .02, "bleu": 60}]), "| x | - | - | 2.0 | 60.0 |")

    def test_an_unknown_ablation_lists_the_known_ones(self):
        refused = script("--ablation", "gremlins")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("no ablation gremlins; there are: default, ", refused.stderr)


if __name__ == "__main__":
    unittest.main()
