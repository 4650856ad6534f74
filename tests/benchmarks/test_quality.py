"""quality.py measures the cost of decoding with 8 bits and with a shortlist."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import programs
import quality

HERE = Path(__file__).resolve().parent


class Quality(unittest.TestCase):
    def test_the_table_begins_with_what_evaluate_finds(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        folder = Path(temporary.name)
        corpus, run, table = programs.tiny_corpus(folder / "corpus"), folder / "run", folder / "table.tsv"
        pairs = corpus / "train.tsv"
        programs.succeed("train", "--data", corpus, "--out", run, "--epochs", "6", "--hidden", "64", "--embedding", "32", "--batch", "8",
                         "--dropout", "0", "--threads", "1", *programs.STEEP)
        programs.succeed("links", "--data", corpus / "valid.tsv", "--table", table)  # a table of few words
        result = subprocess.run([sys.executable, HERE / "quality.py", "--build", programs.BUILD, "--run", run, "--data", pairs,
                                 "--shortlist", table], capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in result.stdout.splitlines() if line.startswith("| ")]
        self.assertEqual([row[0] for row in rows], ["", "as they are", "--int8", "--shortlist", "both"])
        for beam, place in (("1", 1), ("5", 2)):
            scores = json.loads(programs.succeed("evaluate", "--run", run, "--data", pairs, "--beam", beam, "--json"))
            self.assertGreater(scores["all"]["bleu"], 10)
            self.assertAlmostEqual(float(rows[1][place]), scores["all"]["bleu"], delta=0.006)
        count = len(pairs.read_text(encoding="utf-8").splitlines())
        self.assertEqual(rows[1][4], f"{count} of {count}")
        self.assertNotEqual(rows[3][1:], rows[1][1:])
        self.assertNotEqual(rows[1][1], rows[1][2])

    def test_aer_is_that_of_its_definition(self):
        found = [{"links": [[0, 0], [1, 2]]}, {"links": [[2, 1]]}]
        gold = [{"gold": {"sure": [[0, 0]], "possible": [[1, 1]]}}, {"gold": {"sure": [[2, 2]], "possible": [[2, 1]]}}]
        self.assertAlmostEqual(quality.aer(found, gold), 1 - (1 + 2) / (3 + 2))


if __name__ == "__main__":
    unittest.main()
