"""translate: a line out for each line in, whatever the line; n-best lists and alignments."""

import json
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import programs

LINES = ["i see the cat", "", "the red car .", "   ", "xyzzy plugh", "i love you", "a", "\u3000", "do you see it ?"]


class Translate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        folder = Path(cls.temporary.name)
        cls.run_folder = programs.train(programs.tiny_corpus(folder / "corpus"), folder / "run", "--lr", "0.02")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def translate(self, text, *arguments, **more):
        return programs.succeed("translate", "--run", self.run_folder, *arguments, stdin=text, **more)

    def test_one_line_out_for_each_line_in(self):
        out = self.translate("\n".join(LINES) + "\n")
        self.assertEqual(out.count("\n"), len(LINES))
        for source, target in zip(LINES, out.split("\n")):
            if not source.strip():
                self.assertEqual(target, "")

    def test_order_does_not_depend_on_the_batch(self):
        text = "\n".join(LINES * 5) + "\n"
        together, alone = self.translate(text), self.translate(text, "--batch", "1")
        self.assertEqual(together, alone)
        self.assertEqual(together, "".join(self.translate(line + "\n") for line in LINES) * 5)

    def test_ends_of_lines_and_of_the_input(self):
        expected = self.translate("i see\n\ni love you\n")
        self.assertEqual(self.translate("i see\n\ni love you"), expected)
        self.assertEqual(self.translate("\ufeffi see\r\n\r\ni love you\r\n"), expected)
        self.assertEqual(self.translate(""), "")
        self.assertEqual(self.translate("\n"), "\n")

    def test_each_line_is_answered_before_the_next_is_read(self):
        with subprocess.Popen([programs.BUILD / "translate", "--run", self.run_folder], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            for _ in range(3):
                process.stdin.write(b"i love you\n")
                process.stdin.flush()
                self.assertTrue(process.stdout.readline().endswith(b"\n"))  # hangs, and times out, if it waits for more
            process.stdin.close()
            self.assertEqual(process.stdout.read(), b"")

    def test_tokenised_by_the_run(self):
        self.assertEqual(self.translate("I LOVE you.\n"), self.translate("i love you .\n"))
        tokens = self.translate("i love you\n", "--tokenized").split()
        vocabulary = (self.run_folder / "target.vocab").read_text(encoding="utf-8").splitlines()
        self.assertTrue(tokens)
        self.assertLessEqual(set(tokens), set(vocabulary))

    def test_n_best(self):
        lines = self.translate("i see the cat\n\nthe car\n", "--beam", "4", "--n-best", "3").splitlines()
        self.assertEqual(lines[3], "")
        del lines[3]
        fields = [line.split(" ||| ") for line in lines]
        self.assertEqual([int(f[0]) for f in fields], [0, 0, 0, 2, 2, 2])
        for group in (fields[:3], fields[3:]):
            scores = [float(f[2]) for f in group]
            self.assertEqual(scores, sorted(scores, reverse=True))
            self.assertEqual(len({f[1] for f in group}), 3)
        best = self.translate("i see the cat\n", "--beam", "4").strip()
        self.assertEqual(fields[0][1], best)

    def test_alignment_records(self):
        lines = self.translate("i see the cat\n\nxyzzy\n", "--alignment", "jsonl").split("\n")
        self.assertEqual((len(lines), lines[1]), (4, ""))
        for number, line in ((0, lines[0]), (2, lines[2])):
            record = json.loads(line)
            self.assertEqual((record["id"], record["mode"], record["rank"]), (number, "greedy", 0))
            self.assertNotIn("gold", {k for k, v in record.items() if v is not None})
            self.assertEqual(len(record["matrix"]), len(record["target_tokens"]))
            for row in record["matrix"]:
                self.assertEqual(len(row), len(record["source_tokens"]))
                self.assertAlmostEqual(sum(row), 1, delta=1e-5)

    def test_marian_alignments_agree_with_the_record(self):
        text = "the red car\n"
        record = json.loads(self.translate(text, "--alignment", "jsonl"))
        words, links = self.translate(text, "--alignment", "hard").rstrip("\n").split(" ||| ")
        self.assertEqual(words, record["target_sent"])
        self.assertEqual(links, " ".join(f"{s}-{t}" for s, t in sorted(record["links"])))
        words, soft = self.translate(text, "--alignment", "soft").rstrip("\n").split(" ||| ")
        matrix = [[float(weight) for weight in step.split(",")] for step in soft.split(" ")]
        self.assertEqual([len(row) for row in matrix], [len(row) for row in record["matrix"]])
        for ours, theirs in zip(matrix, record["matrix"]):
            for a, b in zip(ours, theirs):
                self.assertAlmostEqual(a, b, delta=2e-6)

    def test_plot_has_colours_only_where_they_are_wanted(self):
        plain = self.translate("i love you\n", "--alignment", "plot")
        self.assertNotIn("\x1b", plain)  # a pipe
        self.assertIn("love", plain)
        for depth, code in (("truecolor", "48;2;"), ("", "48;5;")):
            coloured = self.translate("i love you\n", "--alignment", "plot", "--color", "always",
                                      environment={"COLORTERM": depth})
            self.assertIn(code, coloured)
            self.assertEqual(re.sub(r"\x1b\[[0-9;]*m", "", coloured), plain)


if __name__ == "__main__":
    unittest.main()
