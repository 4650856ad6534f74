"""train in several processes: the numbers equal those of one process, and a repeated training gives the same bytes. If one
process ends, all end."""

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import time
import unittest
from pathlib import Path

import programs

sys.path.insert(0, str(Path(__file__).resolve().parent))
import processes  # noqa: E402

TINY = [word for word in programs.TINY if word not in ("--threads", "1")]
SMALL = [*TINY, "--save-every", "2"]


def together(ranks, *arguments):
    return processes.together(ranks, "train", *arguments)


def baseline(path):
    """Returns the numbers of looks/baseline in the state of a training."""
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    begin, end = json.loads(data[8:8 + size])["training/looks/baseline"]["data_offsets"]
    return struct.unpack(f"<{(end - begin) // 4}f", data[8 + size + begin:8 + size + end])


@unittest.skipUnless(processes.HAS_MPI, "no mpirun, or a build without MPI")
class Ranks(programs.WithRun):
    def train(self, ranks, name, *arguments, epochs=2):
        """Trains in `ranks` processes with one thread each. Returns the run folder and everything that they printed."""
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
        for name, options in {"plain": [], "accumulated": ["--gradient-accumulation", "3", "--dropout", "0.3", "--ema", "0.9"],
                              "transformer": ["--model", "transformer", "--heads", "2"]}.items():
            with self.subTest(name):
                options = ["--batch", "24", *options]
                many, printed = self.train(2, f"{name}-2", *options)
                one = self.folder / f"{name}-1"
                programs.succeed("train", "--data", self.corpus, "--out", one, *SMALL, "--epochs", "2", "--threads", "2", *options)
                self.near(many, one)
                self.assertEqual({path.name for path in many.iterdir()}, {path.name for path in one.iterdir()})
                self.assertRegex(printed, r"\n2 processes; each process sent \d\.\d\d MB in \d+ messages per step\n")
                self.assertEqual(printed.count("the best model comes from epoch"), 1)

    def test_gradients_that_travel_while_others_are_made(self):
        options = ["--data", self.corpus, "--epochs", "2", "--batch", "24", "--hidden", "120", "--embedding", "60", "--kernels", "composed"]
        out = [self.folder / name for name in ("early-2", "early-1")]
        printed = together(2, *options, "--threads", "1", "--out", out[0]).stdout
        # Gradients are sent in several buckets.
        self.assertGreaterEqual(int(re.search(r"in (\d+) messages per step", printed)[1]), 10)
        programs.succeed("train", *options, "--threads", "2", "--out", out[1])
        self.near(*out)

    def test_validation_that_is_shared_finds_what_one_process_finds(self):
        valid = programs.write_lines(self.folder / "valid.tsv", programs.short_pairs("valid.tsv", 150))
        run, _ = self.train(3, "validated", "--valid", valid, "--track", "3", "--keep-epochs", "2", "--train", self.corpus / "train.tsv")
        scores = [row["valid"] for row in programs.json_lines(run / "metrics.jsonl")]
        for epoch, score in enumerate(scores, 1):
            one = self.folder / f"of-{epoch}"
            shutil.copytree(run, one)
            (run / f"epoch-{epoch}.safetensors").replace(one / "model.safetensors")
            alone = json.loads(programs.succeed("evaluate", "--run", one, "--data", valid, "--threads", "1", "--json"))
            self.assertEqual({name: alone["all"][name] for name in score}, score)

    def test_tables_of_few_rows(self):
        few = ["--max-vocabulary", "12", "--batch", "48"]  # four ranks use more rows than two tables have
        many, _ = self.train(4, "few-4", *few)
        one = self.folder / "few-1"
        programs.succeed("train", "--data", self.corpus, "--out", one, *SMALL, *few, "--epochs", "2", "--threads", "4")
        self.near(many, one)

    def test_hard_attention_has_one_baseline(self):
        pictures = self.folder / "pictures"
        pictures.mkdir()
        programs.halves(pictures)
        options = ["--data", pictures, "--hard-attention", "--epochs", "3", "--dropout", "0", "--word-dropout", "0"]
        out = [self.folder / name for name in ("hard-2", "hard-1")]
        result = together(2, *options, *TINY, "--threads", "1", "--out", out[0])
        self.assertEqual(result.returncode, 0, result.stderr)
        programs.succeed("train", *options, *TINY, "--threads", "2", "--out", out[1])
        baselines = [baseline(run / "last.safetensors") for run in out]
        self.assertGreater(max(map(abs, baselines[0])), 0.1)
        for a, b in zip(*baselines, strict=True):
            self.assertAlmostEqual(a, b, delta=1e-4)

    def test_the_same_bytes_again_and_after_a_rank_was_killed(self):
        for dtype in ("float32", "int8"):
            with self.subTest(dtype):
                self.same_again_and_after_a_kill(dtype)

    def same_again_and_after_a_kill(self, dtype):
        options = ["--gradient-dtype", dtype]
        epochs = 8  # enough epochs that the training is still running when the signal comes
        whole, _ = self.train(3, f"whole-{dtype}", *options, epochs=epochs)
        again, _ = self.train(3, f"again-{dtype}", *options, epochs=epochs)
        self.assertEqual(programs.contents(whole), programs.contents(again))
        killed = self.folder / f"killed-{dtype}"
        arguments = ["--data", self.corpus, "--out", killed, *SMALL, "--epochs", str(epochs), "--threads", "1", *options]
        with subprocess.Popen(processes.command(3, "train", *arguments), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=processes.ENVIRONMENT,
                              stdin=subprocess.DEVNULL, text=True) as job:
            while not (killed / "last.safetensors").exists():
                self.assertIsNone(job.poll(), "it ended before it could be stopped")
                time.sleep(0.001)
            printed = processes.kill_last(job)
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
        self.assertIn("note: batches were split into 2 shards", result.stderr)
        self.assertIn("are now split into 3.", result.stderr)
        self.assertEqual(len(programs.json_lines(run / "metrics.jsonl")), 2)

    def test_half_of_the_bytes(self):
        sent = []
        runs = []
        for wire in ("float32", "bfloat16"):
            run, printed = self.train(2, wire, "--gradient-dtype", wire, "--optimiser", "sgd", "--lr", "0.1")
            runs.append(run)
            sent.append(float(re.search(r"sent (\d+\.\d+) MB", printed)[1]))
        self.near(*runs, delta=0.02)
        self.assertNotEqual(*(run.joinpath("model.safetensors").read_bytes() for run in runs))
        self.assertTrue(0.4 < sent[1] / sent[0] < 0.95, sent)  # rows of tables are sent in full

    def test_8_bits_with_error_feedback(self):
        options = ["--gradient-dtype", "int8", "--optimiser", "sgd", "--lr", "0.1"]
        whole, printed = self.train(3, "int8", *options)
        exact, printed_exact = self.train(3, "exact", *options[2:])
        self.near(whole, exact, delta=0.02)
        sent = [float(re.search(r"sent (\d+\.\d+) MB", text)[1]) for text in (printed, printed_exact)]
        self.assertTrue(0.2 < sent[0] / sent[1] < 0.8, sent)  # rows of tables are sent in 32 bits

    def test_one_process_compresses_nothing(self):
        runs = [self.train(1, f"one-{dtype}", "--gradient-dtype", dtype)[0] for dtype in ("float32", "int8")]
        self.assertEqual(*((run / "metrics.jsonl").read_bytes() for run in runs))

    def test_memory_counts_the_exchange_and_the_others(self):
        options = ["--data", self.corpus, "--hidden", "400", "--threads", "1", "--epochs", "1"]
        units = {"kB": 1e3, "MB": 1e6, "GB": 1e9}
        # Bytes sent and received, and half of them for the sums.
        for wire, bytes_a_number in (("float32", 2.5 * 4), ("bfloat16", 2.5 * 2),
                                     ("int8", 2.5 * 65 / 64 + 2.5 * 4)):  # the exact numbers, half of their sums, and the errors
            with self.subTest(wire):
                said = together(2, *options, "--gradient-dtype", wire, "--dry-run").stdout
                size = {name: float(re.search(rf"{name} ([\d.]+) (\w+)", said)[1]) * units[re.search(rf"{name} ([\d.]+) (\w+)", said)[2]]
                        for name in ("The training needs about", "the exchange of gradients", "1 times the same for other processes on this machine")}
                parameters = int(re.search(r"parameters: ([\d,]+)", said)[1].replace(",", ""))
                self.assertAlmostEqual(size["the exchange of gradients"], bytes_a_number * parameters, delta=1e5)
                self.assertAlmostEqual(size["The training needs about"], 2 * size["1 times the same for other processes on this machine"], delta=2e5)
        with subprocess.Popen(processes.command(2, "train", *options, "--out", self.folder / "measured"), stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, env=processes.ENVIRONMENT) as job:
            _, status, usage = os.wait4(job.pid, 0)  # usage is that of the rank with the most memory
            job.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(job.returncode, 0)
        self.assertTrue(.5 < size["1 times the same for other processes on this machine"] / (usage.ru_maxrss * 1024) < 2, (size, usage.ru_maxrss))

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
        for place in ("first", "second"):
            (self.folder / place).mkdir()
        programs.tiny_corpus(self.folder / "first" / "mine")
        programs.tiny_corpus(self.folder / "second" / "mine", train=48)
        options = f"--out {self.folder / 'mixed'} {' '.join(SMALL)} --data mine"
        result = processes.run(processes.by_place(self.folder, "train", options, self.folder / "first", self.folder / "second"))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn(b"process 1 has different training data than process 0", result.stderr)

    def test_other_options_in_one_rank_are_refused(self):
        options = f"--data {self.corpus} --out {self.folder / 'unlike'} {' '.join(SMALL)}"
        for others in (f"{options} --dry-run", f"{options} --resume", "--help", f"--replay {self.folder / 'none'}"):
            with self.subTest(others=others):
                result = processes.run(processes.by_rank(self.folder, "train", options, others))
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(b"error: the processes have different command lines", result.stderr)
                self.assertFalse((self.folder / "unlike").exists())


if __name__ == "__main__":
    unittest.main()
