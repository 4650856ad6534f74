"""reproduce trains the models that a paper needs, writes a report, and continues where it was stopped."""

import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import programs


class Reproduce(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.corpus = programs.tiny_corpus(self.folder / "corpus", test=20)
        self.out = self.folder / "papers"
        self.command = ["reproduce", "sutskever", "--data", self.corpus, "--out", self.out, "--threads", "1"]

    def test_a_report_its_runs_and_nothing_done_twice(self):
        printed = programs.succeed(*self.command, "--epochs", "1")
        self.assertIn("[1/3] encdec-deep-seed1", printed)
        self.assertRegex(printed, r"[012] of 2 claims of the paper held")
        report = json.loads((self.out / "sutskever.json").read_text(encoding="utf-8"))
        self.assertEqual(list(report["experiments"]),
                         ["encdec-deep", "encdec-deep-reverse", "encdec-shallow-reverse"])
        for name, seeds in report["experiments"].items():
            evaluation = json.loads((self.out / "runs" / f"{name}-seed1" / "evaluation.json").read_text(encoding="utf-8"))
            self.assertEqual(seeds[0]["bleu"], evaluation["all"]["bleu"])
        for claim in report["claims"]:
            self.assertIn(("Held." if claim["held"] else "Did not hold.") + "** " + claim["claim"], printed)
        text = (self.out / "sutskever.md").read_text(encoding="utf-8")
        command = next(line for line in text.splitlines() if line.startswith("build/train ")).removeprefix("build/")
        before = (self.out / "runs" / "encdec-deep-seed1" / "model.safetensors").read_bytes()
        again = programs.succeed(*command.replace(str(self.out / "runs"), str(self.folder / "again")).split())
        self.assertIn("the best model", again)
        self.assertEqual((self.folder / "again" / "encdec-deep-seed1" / "model.safetensors").read_bytes(), before)

        page = (self.out / "sutskever.html").read_text(encoding="utf-8")
        for seeds in report["experiments"].values():  # tests/viewer checks the page itself
            self.assertRegex(page, rf"<td>(<b>)?{seeds[0]['bleu']:.1f}(</b>)?</td>")
        self.assertIn("This model has no attention", page)
        self.assertIn(f"build/reproduce sutskever --seeds 1 --out {self.out} --data {self.corpus} --epochs 1 --threads 1</code>", page)
        self.assertFalse((self.out / "sutskever-alignments.html").exists())

        again = programs.succeed(*self.command, "--epochs", "1")
        self.assertEqual(again.count("done before"), 3)
        self.assertEqual((self.out / "sutskever.html").read_text(encoding="utf-8"), page)
        other = programs.succeed(*self.command, "--epochs", "2")  # another training with the same name
        self.assertEqual(other.count("done before"), 0)
        log = (self.out / "runs" / "encdec-deep-seed1.log").read_text(encoding="utf-8")
        self.assertRegex(log, r"(?m)^ +1 ")  # the training starts from the beginning, not from the weights of the first training

    def test_an_interrupt_stops_it_and_the_same_command_goes_on(self):
        words = [str(programs.BUILD / self.command[0]), *map(str, self.command[1:]), "--epochs", "40"]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                   start_new_session=True)
        log = self.out / "runs" / "encdec-deep-seed1.log"
        while not (log.exists() and len(log.read_text(encoding="utf-8").splitlines()) > 4):
            self.assertIsNone(process.poll())
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)  # a terminal sends this signal, too
        self.assertIn("reproduce has stopped. The same command continues", process.communicate(timeout=120)[0])
        self.assertEqual(process.returncode, 130)
        self.assertFalse((self.out / "sutskever.md").exists())
        epochs = len(programs.json_lines(self.out / "runs" / "encdec-deep-seed1" / "metrics.jsonl"))
        self.assertGreater(epochs, 0)

        programs.succeed(*self.command, "--epochs", "40")
        lines = programs.json_lines(self.out / "runs" / "encdec-deep-seed1" / "metrics.jsonl")
        self.assertEqual([line["epoch"] for line in lines], list(range(1, 41)))
        resumed = log.read_text(encoding="utf-8")
        self.assertNotRegex(resumed, r"(?m)^ +1 ")  # the first epoch was not trained again

    def test_a_training_that_fails_is_named(self):
        (self.corpus / "valid.tsv").write_text("no tab\n", encoding="utf-8")
        result = programs.run(*self.command)
        self.assertEqual(result.returncode, 1)
        self.assertIn("valid.tsv:1", result.stderr)
        self.assertIn("this command failed with status 1: train --data", result.stderr)
        self.assertFalse((self.out / "sutskever.md").exists())

    def test_a_missing_test_set_is_named_before_anything_is_trained(self):
        (self.corpus / "test.tsv").unlink()
        result = programs.run(*self.command)
        self.assertEqual(result.returncode, 1)
        self.assertIn("corpus/test.tsv: there is no such file", result.stderr)
        self.assertFalse(self.out.exists())

    def test_an_unknown_paper_lists_the_known_ones(self):
        result = programs.run("reproduce", "vaswani")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(programs.run(*self.command, "--epochs", "-1").returncode, 2)
        for name in ["vaswani", "bahdanau", "luong", "sutskever", "all"]:
            self.assertIn(name, result.stderr)


class Experiments(unittest.TestCase):
    """Experiments that need no corpus."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.out = Path(temporary.name) / "papers"

    def test_the_same_command_makes_the_same_bytes(self):
        printed = programs.succeed("reproduce", "permutation", "--out", self.out)
        self.assertIn("7 of 7 claims held, 1 seed.", printed)
        names = ("permutation.html", "permutation.md", "permutation.json", "permutation-weights.svg")
        before = [(self.out / name).read_bytes() for name in names]
        programs.succeed("reproduce", "permutation", "--out", self.out)
        self.assertEqual([(self.out / name).read_bytes() for name in names], before)
        rows = json.loads((self.out / "permutation.json").read_text(encoding="utf-8"))["rows"]
        self.assertLess(float(rows[0][1]), 1e-5)
        self.assertGreater(min(float(row[1]) for row in rows[1:]), 1e-3)

    def test_a_corpus_is_not_asked_for_and_changes_nothing(self):
        result = programs.run("reproduce", "pooling", "--out", self.out, "--data", "nowhere", "--epochs", "3",
                              cwd=self.out.parent)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("claims held, 3 seeds.", result.stdout)  # the study draws three samples, although the default is one seed
        self.assertIn(f"\nbuild/reproduce pooling --out {self.out}\n", (self.out / "pooling.md").read_text())
        for option in ("data", "epochs"):
            self.assertIn(f"note: --{option} has no effect, because pooling generates its own data", result.stderr)
        self.assertTrue((self.out / "pooling.svg").read_text(encoding="utf-8").count("<path") >= 4)

    def test_files_that_are_not_reproduces_stay(self):
        self.out.mkdir()
        mine = self.out / "permutation-weights.svg"
        mine.write_text("mine")
        result = programs.run("reproduce", "permutation", "--out", self.out)
        self.assertEqual(result.returncode, 1)
        self.assertIn("reproduce did not write ", result.stderr)
        self.assertEqual(mine.read_text(), "mine")
        mine.unlink()
        (self.out / "runs").mkdir()  # a folder `runs` does not make the page ours
        mine = self.out / "permutation.md"
        mine.write_text("mine")
        self.assertIn("reproduce did not write ", programs.run("reproduce", "permutation", "--out", self.out).stderr)
        mine.unlink()
        outside = self.out.parent / "outside.md"
        outside.write_text("mine")
        mine.symlink_to(outside)
        self.assertIn("is a symbolic link", programs.run("reproduce", "permutation", "--out", self.out).stderr)
        self.assertEqual(outside.read_text(), "mine")


if __name__ == "__main__":
    unittest.main()
