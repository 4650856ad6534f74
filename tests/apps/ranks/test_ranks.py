"""train in several processes: to the same numbers as in one, the same bytes again, and an end of one is the end of all."""

import json
import os
import re
import shutil
import signal
import struct
import subprocess
import time
import unittest

import programs

# As root, on fewer cores than ranks; what MPI's own libraries leave behind is no leak of ours.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "ASAN_OPTIONS": "detect_leaks=0"}
HAS_MPI = bool(shutil.which("mpirun")) and b"MPI_Init" in (programs.BUILD / "train").read_bytes()
TINY = [word for word in programs.TINY if word not in ("--threads", "1")]
SMALL = [*TINY, "--save-every", "2"]


def command(ranks, *arguments):
    return ["mpirun", "-n", str(ranks), programs.BUILD / "train", *map(str, arguments)]


def together(ranks, *arguments):
    return subprocess.run(command(ranks, *arguments), capture_output=True, text=True, timeout=600, check=False, env=ENVIRONMENT,
                          stdin=subprocess.DEVNULL)


def baseline(path):
    """The numbers of looks/baseline in a training's state."""
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    begin, end = json.loads(data[8:8 + size])["training/looks/baseline"]["data_offsets"]
    return struct.unpack(f"<{(end - begin) // 4}f", data[8 + size + begin:8 + size + end])


@unittest.skipUnless(HAS_MPI, "no mpirun, or a build without MPI")
class Ranks(programs.WithRun):
    def train(self, ranks, name, *arguments, epochs=2):
        """A run of so many processes with a thread each, and what they printed."""
        out = self.folder / name
        result = together(ranks, "--data", self.corpus, "--out", out, *SMALL, "--epochs", epochs, "--threads", "1", *arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return out, result.stdout + result.stderr

    def near(self, ours, theirs, delta=1e-4):
        rows = [programs.json_lines(run / "metrics.jsonl") for run in (ours, theirs)]
        self.assertEqual(len(rows[0]), 2)
        for a, b in zip(*rows, strict=True):
            self.assertEqual(a["steps"], b["steps"])
            self.assertAlmostEqual(a["train_loss"], b["train_loss"], delta=delta)
            self.assertAlmostEqual(a["valid"]["loss"], b["valid"]["loss"], delta=delta)

    def test_as_one_process_with_as_many_threads(self):
        for name, options in {"plain": [], "accumulated": ["--accumulate", "3", "--dropout", "0.3", "--ema", "0.9"],
                              "transformer": ["--model", "transformer", "--heads", "2"]}.items():
            with self.subTest(name):
                options = ["--batch", "24", *options]
                many, printed = self.train(2, f"{name}-2", *options)
                one = self.folder / f"{name}-1"
                programs.succeed("train", "--data", self.corpus, "--out", one, *SMALL, "--epochs", "2", "--threads", "2", *options)
                self.near(many, one)
                self.assertEqual({path.name for path in many.iterdir()}, {path.name for path in one.iterdir()})
                self.assertRegex(printed, r"\n2 processes; each sent the others \d\.\d\d MB in \d+ messages a step\n")
                self.assertEqual(printed.count("the best model, of epoch"), 1)

    def test_tables_of_few_rows(self):
        few = ["--max-vocabulary", "12", "--batch", "48"]  # which four ranks touch more often than two tables have rows
        many, _ = self.train(4, "few-4", *few)
        one = self.folder / "few-1"
        programs.succeed("train", "--data", self.corpus, "--out", one, *SMALL, *few, "--epochs", "2", "--threads", "4")
        self.near(many, one)

    def test_hard_looks_have_one_baseline(self):
        pictures = self.folder / "pictures"
        pictures.mkdir()
        programs.halves(pictures)
        options = ["--data", pictures, "--look", "hard", "--epochs", "3", "--dropout", "0", "--word-dropout", "0"]
        out = [self.folder / name for name in ("hard-2", "hard-1")]
        result = together(2, *options, *TINY, "--threads", "1", "--out", out[0])
        self.assertEqual(result.returncode, 0, result.stderr)
        programs.succeed("train", *options, *TINY, "--threads", "2", "--out", out[1])
        baselines = [baseline(run / "last.safetensors") for run in out]
        self.assertGreater(max(map(abs, baselines[0])), 0.1)
        for a, b in zip(*baselines, strict=True):
            self.assertAlmostEqual(a, b, delta=1e-4)

    def test_the_same_bytes_again_and_after_a_rank_was_killed(self):
        whole, _ = self.train(3, "whole")
        again, _ = self.train(3, "again")
        self.assertEqual(programs.contents(whole), programs.contents(again))
        killed = self.folder / "killed"
        arguments = ["--data", self.corpus, "--out", killed, *SMALL, "--epochs", "2", "--threads", "1"]
        with subprocess.Popen(command(3, *arguments), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=ENVIRONMENT,
                              stdin=subprocess.DEVNULL, text=True) as job:
            while not (killed / "last.safetensors").exists():
                self.assertIsNone(job.poll(), "it ended before it could be stopped")
                time.sleep(0.001)
            ranks = subprocess.check_output(["pgrep", "-P", str(job.pid)], text=True).split()
            os.kill(int(ranks[-1]), signal.SIGKILL)
            printed = job.communicate(timeout=60)[0]
        self.assertNotEqual(job.returncode, 0)
        self.assertRegex(printed, r"rank \d.*signal 9")
        resumed = together(3, "--resume", "--out", killed)
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        self.assertEqual(programs.contents(killed), programs.contents(whole))

    def test_another_number_of_ranks_goes_on_and_says_so(self):
        run, _ = self.train(2, "two", epochs=1)
        config = json.loads((run / "config.json").read_text())
        (run / "config.json").write_text(json.dumps({**config, "epochs": 2}))
        result = together(3, "--resume", "--out", run)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("note: batches were cut into 2 parts", result.stderr)
        self.assertIn("into 3 now", result.stderr)
        self.assertEqual(len(programs.json_lines(run / "metrics.jsonl")), 2)

    def test_half_of_the_bytes(self):
        sent = []
        runs = []
        for wire in ("float32", "bfloat16"):
            run, printed = self.train(2, wire, "--wire", wire, "--optimiser", "sgd", "--lr", "0.1")
            runs.append(run)
            sent.append(float(re.search(r"others (\d+\.\d+) MB", printed)[1]))
        self.near(*runs, delta=0.02)
        self.assertNotEqual(*(run.joinpath("model.safetensors").read_bytes() for run in runs))
        self.assertTrue(0.4 < sent[1] / sent[0] < 0.95, sent)  # rows of tables travel whole

    def test_numbers_that_are_not_finite_end_all(self):
        result = together(2, "--data", self.corpus, "--out", self.folder / "diverged", *programs.TINY, "--optimiser", "sgd", "--clip", "0",
                          "--schedule", "constant", "--lr", "1000", "--momentum", "0.9999", "--batch", "2")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(len(re.findall(r"error: step \d+", result.stderr)), 1, result.stderr)
        self.assertTrue((self.folder / "diverged" / "diverged.safetensors").exists())

    def test_what_is_wrong_is_said_once(self):
        for status, options, text in ((2, ["--epoch", "3"], "did you mean --epochs?"),
                                      (1, ["--data", self.folder / "nothing"], "train.tsv")):
            with self.subTest(options=options):
                result = together(2, *options, "--out", self.folder / "none")
                self.assertEqual(result.returncode, status, result.stderr)
                self.assertEqual(result.stderr.count("error: "), 1, result.stderr)
                self.assertIn(text, result.stderr)
        self.assertFalse((self.folder / "none").exists())

    def test_what_is_wrong_in_one_rank_is_said_by_its_name(self):
        other = programs.tiny_corpus(self.folder / "other", train=48)
        script = self.folder / "by-rank.sh"
        script.write_text(f'#!/bin/sh\n[ "$OMPI_COMM_WORLD_RANK" = 1 ] && data={other} || data={self.corpus}\n'
                          f'exec {programs.BUILD / "train"} --data "$data" --out {self.folder / "mixed"} {" ".join(SMALL)}\n')
        script.chmod(0o755)
        result = subprocess.run(["mpirun", "-n", "2", script], capture_output=True, text=True, timeout=600, check=False, env=ENVIRONMENT,
                                stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("rank 1 has other training data than rank 0", result.stderr)


if __name__ == "__main__":
    unittest.main()
