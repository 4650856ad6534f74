"""train: what it writes, that the same seed gives the same bytes, and that it stops and continues as documented."""

import json
import math
import os
import re
import signal
import subprocess
import time
import struct
import zlib
import shutil
import unittest
from pathlib import Path

import programs

ALL = {"config.json", "source.vocab", "target.vocab", "model.safetensors", "last.safetensors", "metrics.jsonl", "provenance.json",
       "timing.jsonl", "history.jsonl", "README.md"}


class Train(programs.WithRun):
    def same(self, ours, theirs):
        self.assertEqual([name for name in ours if ours[name] != theirs.get(name)], [])
        self.assertEqual(set(ours), set(theirs))

    def train(self, name, *arguments):
        return programs.train(self.corpus, self.folder / name, *arguments)

    def stop(self, how, arguments, run):
        """Sends the signal to a training as soon as it has saved a state. Returns its exit status and output."""
        command = [programs.BUILD / "train", *map(str, arguments), "--out", run]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            while not (run / "last.safetensors").exists():
                self.assertIsNone(process.poll(), "it ended before it could be stopped")
                time.sleep(0.001)
            process.send_signal(how)
            printed = process.stdout.read().decode()
        return process.returncode, printed

    def test_the_run_folder(self):
        self.assertEqual({path.name for path in self.run_folder.iterdir()}, ALL)
        config = json.loads((self.run_folder / "config.json").read_text())
        self.assertEqual((config["hidden"], config["data"], config["tokenizer"]), (12, str(self.corpus), "words"))
        self.assertNotIn(str(self.run_folder), (self.run_folder / "config.json").read_text())
        metrics = programs.json_lines(self.run_folder / "metrics.jsonl")
        self.assertEqual([row["epoch"] for row in metrics], [1, 2])
        self.assertEqual([row["steps"] for row in metrics], [3, 6])
        for row in metrics:
            self.assertAlmostEqual(row["train_perplexity"], math.exp(row["train_loss"]))
            self.assertTrue(0 <= row["valid"]["alignment"]["aer"] <= 1)
            self.assertGreater(row["gradient_norm"], 0)
        self.assertLess(metrics[1]["train_loss"], metrics[0]["train_loss"])
        self.assertEqual([set(row) for row in programs.json_lines(self.run_folder / "timing.jsonl")],
                         [{"epoch", "train_seconds", "seconds", "words_per_second"}] * 2)

    def test_without_out_the_first_lines_say_where_it_writes(self):
        folder = self.folder / "elsewhere"
        folder.mkdir()
        arguments = ["train", "--data", self.corpus, "--epochs", "1", *programs.TINY]
        printed = programs.succeed(*arguments, cwd=folder)
        self.assertEqual(printed.splitlines()[1], "writing to runs/toy")
        self.assertTrue((folder / "runs" / "toy" / "model.safetensors").exists())
        # The user named the folder, nothing is written, or it was printed before.
        for more in (["--out", "named"], ["--dry-run"], ["--both-directions", "--force"]):
            self.assertNotIn("writing to", programs.succeed(*arguments, *more, cwd=folder))

    def test_history_follows_the_first_validation_pairs(self):
        history = programs.json_lines(self.run_folder / "history.jsonl")
        self.assertEqual([(row["epoch"], row["id"]) for row in history], [(e, i) for e in (1, 2) for i in range(8)])
        valid = (self.corpus / "valid.tsv").read_text(encoding="utf-8").splitlines()
        for row in history:
            self.assertEqual(row["source_sent"], valid[row["id"]].split("\t")[0])
        # The last epoch was the best, so its records equal the records that align writes now.
        out = programs.succeed("align", "--run", self.run_folder, "--data", self.corpus / "valid.tsv").splitlines()
        for row, line in zip(history[8:], out):
            for ours, theirs in zip(row["matrix"], json.loads(line)["matrix"], strict=True):
                for a, b in zip(ours, theirs, strict=True):
                    self.assertAlmostEqual(a, b, delta=2e-5)

    def test_evaluate_agrees_with_the_validation(self):
        score = json.loads(programs.succeed("evaluate", "--run", self.run_folder, "--data", self.corpus / "valid.tsv", "--json"))
        valid = programs.json_lines(self.run_folder / "metrics.jsonl")[1]["valid"]
        for name in ("loss", "bleu", "chrf", "entropy", "end_attention"):
            self.assertAlmostEqual(score["all"][name], valid[name], delta=1e-5)
        self.assertEqual(score["all"]["alignment"], valid["alignment"])

    def test_a_note_on_attention_to_the_end_of_sentence(self):
        printed = {}  # both models learn almost nothing, so their attention is uniform over the source and </s>
        for option in ("--no-query-word", "--query-word"):
            run = self.folder / f"evenly{option}"
            printed[option] = programs.succeed("train", "--data", self.corpus, "--out", run, "--epochs", "1", "--lr", "1e-9",
                                               option, *programs.TINY)
            self.assertGreater(programs.json_lines(run / "metrics.jsonl")[0]["valid"]["end_attention"], 0.1)
        self.assertRegex(printed["--no-query-word"], r"\nnote: at steps that write words, 1\d% of the attention is on </s>.* --query-word often improves this\n$")
        self.assertNotIn("</s>", printed["--query-word"])
        for text in printed.values():
            self.assertRegex(text, r"\nnote: the attention is nearly uniform \(entropy 1\.8\d of at most 1\.8\d nats\)")

    def test_same_seed_same_bytes(self):
        again = self.train("again")
        self.same(programs.contents(again), programs.contents(self.run_folder))
        other = self.train("other-seed", "--seed", "2")
        self.assertNotEqual((other / "model.safetensors").read_bytes(), (self.run_folder / "model.safetensors").read_bytes())

    def test_composed_and_fused_kernels_give_the_same_losses(self):
        rows = {}
        for kernels in ("fused", "composed"):
            run = self.folder / kernels
            programs.succeed("train", "--data", self.corpus, "--out", run, "--epochs", "1", "--batch", "5", "--dropout",
                             "0", "--kernels", kernels, *programs.TINY)
            (rows[kernels],) = programs.json_lines(run / "metrics.jsonl")
        self.assertEqual(rows["fused"]["steps"], 20)
        for name in ("train_loss", "gradient_norm"):
            self.assertAlmostEqual(rows["fused"][name] / rows["composed"][name], 1, delta=1e-4)
        self.assertAlmostEqual(rows["fused"]["valid"]["loss"] / rows["composed"]["valid"]["loss"], 1, delta=1e-4)

    def test_threads_that_are_not_granted(self):
        """OpenBLAS waits for every thread that it was promised. A training would never end if a promised thread did not
        exist."""
        said = {}
        for variable in ("OMP_THREAD_LIMIT=1", "OMP_DYNAMIC=true", "OMP_MAX_ACTIVE_LEVELS=0", "OPENBLAS_NUM_THREADS=1"):
            out = self.folder / variable
            result = subprocess.run([programs.BUILD / "train", "--data", self.corpus, "--epochs", "1", "--hidden", "128", "--threads", "2", "--out", out],
                                    env={**os.environ, **dict([variable.split("=")])}, capture_output=True, text=True, check=False, timeout=100)
            self.assertEqual(result.returncode, 0, result.stderr)
            said[variable] = result.stderr
            self.assertEqual((out / "model.safetensors").read_bytes(), (self.folder / "OMP_THREAD_LIMIT=1" / "model.safetensors").read_bytes())
        if (os.cpu_count() or 1) > 1:
            self.assertIn("warning: 2 threads are asked for, of which 1 can work at once here (OMP_THREAD_LIMIT)", said["OMP_THREAD_LIMIT=1"])

    def test_the_number_of_threads_follows_from_the_work(self):
        """Without --threads, or with 0, train uses as many threads as have work, and prints the number. The files are those
        of this number of threads."""
        note = "note: using 3 of 7 threads: batches of 6 pairs have work for 3\n"
        size = programs.TINY[:programs.TINY.index("--threads")]
        of_seven_cores = {**os.environ, "OMP_NUM_THREADS": "7"}
        for name, threads in {"given": ["--threads", "3"], "chosen": []}.items():
            result = subprocess.run([programs.BUILD / "train", "--data", self.corpus, "--epochs", "1", "--batch", "6", *size, *threads,
                                     "--out", self.folder / name],
                                    env=of_seven_cores, capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(note in result.stderr, name == "chosen", result.stderr)
        for file in ("config.json", "model.safetensors", "last.safetensors", "metrics.jsonl"):
            self.assertEqual((self.folder / "given" / file).read_bytes(), (self.folder / "chosen" / file).read_bytes(), file)
        more = subprocess.run([programs.BUILD / "train", "--data", self.corpus, "--epochs", "1", "--batch", "6", *size, "--threads", "7",
                               "--out", self.folder / "more"], capture_output=True, text=True, check=False)
        self.assertIn(note, more.stderr)
        self.assertEqual(json.loads((self.folder / "more" / "config.json").read_text())["threads"], 7)

    def test_a_signal_ends_a_step_that_does_not_end(self):
        """SIGSTOP stops the process in the middle of its steps. This simulates a step that does not end while time
        passes."""
        out = self.folder / "endless"
        command = [programs.BUILD / "train", "--data", self.corpus, "--epochs", "10000", *programs.TINY, "--out", out]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            while not (out / "last.safetensors").exists():
                time.sleep(0.01)
            process.send_signal(signal.SIGSTOP)
            process.send_signal(signal.SIGTERM)
            time.sleep(0.5)
            process.send_signal(signal.SIGALRM)  # the alarm goes off 30 seconds after SIGTERM
            process.send_signal(signal.SIGCONT)
            said = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 130)
        self.assertIn("error: the step did not end in time after the signal", said)

    def test_resume_after_an_interrupt_is_as_if_it_had_not_happened(self):
        arguments = ["--data", self.corpus, "--epochs", "15", "--batch", "4", *programs.TINY]
        whole, stopped = self.folder / "whole", self.folder / "stopped"
        programs.succeed("train", *arguments, "--out", whole)
        status, printed = self.stop(signal.SIGINT, arguments, stopped)
        self.assertEqual(status, 130)
        self.assertIn(f"train --resume --out {stopped}", printed)
        self.assertLess(len(programs.json_lines(stopped / "metrics.jsonl")), 15)
        programs.succeed("train", "--resume", "--out", stopped)
        self.same(programs.contents(stopped), programs.contents(whole))
        self.assertEqual(len(programs.json_lines(stopped / "timing.jsonl")), 15)

    def test_resume_after_a_kill_in_the_middle_of_an_epoch(self):
        arguments = ["--data", self.corpus, "--epochs", "2", "--batch", "1", "--save-every", "7", *programs.TINY]
        whole, killed = self.folder / "whole-2", self.folder / "killed"
        programs.succeed("train", *arguments, "--out", whole)
        self.stop(signal.SIGKILL, arguments, killed)
        self.assertEqual((killed / "metrics.jsonl").read_text(), "")  # no epoch has ended yet
        programs.succeed("train", "--resume", "--out", killed)
        self.same(programs.contents(killed), programs.contents(whole))

    def test_resume_takes_back_what_was_written_after_the_saved_state(self):
        copy = self.train("torn", "--save-every", "2")
        before = programs.contents(copy)
        with open(copy / "metrics.jsonl", "a", encoding="utf-8") as journal:
            journal.write('{"torn": ')
        programs.succeed("train", "--resume", "--out", copy)
        self.same(programs.contents(copy), before)

    def test_resume_can_go_on_for_more_epochs_and_change_nothing_else(self):
        run = self.train("longer", "--schedule", "constant")
        programs.succeed("train", "--resume", "--out", run, "--epochs", "3")
        longer = programs.contents(run)
        programs.succeed("train", "--data", self.corpus, "--out", self.folder / "straight", "--epochs", "3",
                         "--schedule", "constant", *programs.TINY)
        straight = programs.contents(self.folder / "straight")
        config, other = (json.loads(files.pop("config.json")) for files in (longer, straight))
        cards = [files.pop("README.md").decode() for files in (longer, straight)]
        self.assertEqual(*(re.sub(r"\n.* `config.json` has all options.\n", "", card) for card in cards))
        self.same(longer, straight)
        steps = (96 + 31) // 32 * 2
        self.assertEqual(config.pop("resumed"),
                         [{"epoch": 3, "steps": steps, "changed": {"epochs": {"was": 2, "is": 3}}}])
        self.assertEqual(config, other)
        longer = programs.contents(run)
        result = programs.run("train", "--resume", "--out", run, "--hidden", "13")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--hidden was 12", result.stderr)
        self.same(programs.contents(run), longer)

    def test_a_resume_with_other_options_is_recorded_and_said(self):
        run = self.train("recorded")
        result = programs.run("train", "--resume", "--out", run, "--epochs", "3", "--patience", "9")
        self.assertIn("note: from epoch 3 on, --epochs was 2 and is 3, --patience was 0 and is 9; config.json records this change",
                      result.stderr)
        programs.succeed("train", "--resume", "--out", run, "--epochs", "4")
        changes = [change["changed"] for change in json.loads((run / "config.json").read_text())["resumed"]]
        self.assertEqual(changes, [{"epochs": {"was": 2, "is": 3}, "patience": {"was": 0, "is": 9}},
                                   {"epochs": {"was": 3, "is": 4}}])
        before = programs.contents(run)
        self.assertNotIn("note: from epoch", programs.run("train", "--resume", "--out", run).stderr)
        self.same(programs.contents(run), before)
        new = self.folder / "of-recorded"
        programs.succeed("train", "--config", run / "config.json", "--out", new)
        self.assertNotIn("resumed", json.loads((new / "config.json").read_text()))

    def test_a_resume_without_the_best_model_is_refused_or_tells_the_truth(self):
        def resumed(name, change, *arguments):
            run = shutil.copytree(self.run_folder, self.folder / name)
            change(run)
            before = programs.contents(run)
            result = programs.run("train", "--resume", "--out", run, *arguments)
            self.assertEqual(result.returncode, 1, result.stdout)
            return before == programs.contents(run), result.stderr
        other = self.train("model-of-another-seed", "--seed", "2")
        tests = {"missing": (lambda run: (run / "model.safetensors").unlink(), "does not exist. It contains the best model so far"),
                 "cut": (lambda run: os.truncate(run / "model.safetensors", 1000), "model.safetensors"),
                 "other": (lambda run: shutil.copy(other / "model.safetensors", run), "but .* was trained with 2")}
        for name, (change, message) in tests.items():
            with self.subTest(name=name):
                unchanged, stderr = resumed(f"best-{name}", change, "--epochs", "3")
                self.assertTrue(unchanged)
                self.assertRegex(stderr, message)
        run = self.train("one-epoch-more", "--keep-epochs", "2")
        worse = 1 if (run / "model.safetensors").read_bytes() == (run / "epoch-2.safetensors").read_bytes() else 2
        shutil.copy(run / f"epoch-{worse}.safetensors", run / "model.safetensors")
        result = programs.run("train", "--resume", "--out", run)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "no epoch was better than epoch [12], and .* does not contain the weights of that epoch")

    def test_resume_finds_its_corpus_from_another_folder(self):
        (self.folder / "here").mkdir()
        shutil.copytree(self.corpus, self.folder / "here" / "c")
        run = self.folder / "relative"
        programs.succeed("train", "--data", "c", "--out", run, "--epochs", "1", *programs.TINY, cwd=self.folder / "here")
        programs.succeed("train", "--resume", "--epochs", "2", "--out", run, cwd=self.folder)
        self.assertEqual(json.loads((run / "config.json").read_text())["data"], "c")

    def test_forged_states_are_refused(self):
        def forged(**counters):
            """Returns the state with other counters and a matching checksum."""
            data = bytearray((self.run_folder / "last.safetensors").read_bytes())
            length = int.from_bytes(data[:8], "little")
            header = json.loads(data[8:8 + length])
            for name, value in counters.items():
                begin, end = (8 + length + offset for offset in header[f"training/{name}"]["data_offsets"])
                if header[f"training/{name}"]["dtype"] == "F32":
                    data[begin:begin + 4] = struct.pack("<f", value)
                else:
                    data[begin:end] = struct.pack("<d" if isinstance(value, float) else "<q", value)
            at = data.index(header["__metadata__"]["checksum"].encode())
            data[at:at + 8] = b"0" * 8
            data[at:at + 8] = f"{zlib.crc32(data):08x}".encode()
            return bytes(data)
        run = shutil.copytree(self.run_folder, self.folder / "forged")
        length = int.from_bytes((run / "last.safetensors").read_bytes()[:8], "little")
        names = [name[9:] for name in json.loads((run / "last.safetensors").read_bytes()[8:8 + length])
                 if name.startswith("training/adam")]
        infinite = [{name: float("inf")} for name in (names[0], names[-1])]
        for change in [*({name: value} for name in ("epoch", "steps", "batches", "words", "best_epoch", "waited", "optimiser_steps",
                                                    "schedule_waited", "schedule_halvings", "metrics_bytes", "timing_bytes",
                                                    "history_bytes", "parts", "random_position") for value in (-1, 2**62 + 1)),
                       {"epoch": 0}, {"steps": 1}, {"words": 7}, {"waited": 5}, {"best_score": float("nan")},
                       {"loss_sum": float("inf")}, {"norm_sum": -1.0}, {"schedule_best": float("nan")}, *infinite]:
            with self.subTest(change=change):
                (run / "last.safetensors").write_bytes(forged(**change))
                result = programs.run("train", "--resume", "--epochs", "3", "--out", run)
                self.assertEqual(result.returncode, 1, result.stdout)
                self.assertRegex(result.stderr, "error: .*(last.safetensors|jsonl)")
        (run / "last.safetensors").write_bytes(forged())
        programs.succeed("train", "--resume", "--epochs", "3", "--out", run)

    def test_resume_notices_another_corpus(self):
        corpus = programs.tiny_corpus(self.folder / "corpus-2", train=90)
        result = programs.run("train", "--resume", "--out", self.run_folder, "--data", corpus, "--epochs", "3")
        self.assertEqual(result.returncode, 1)
        self.assertIn("the training pairs have changed since this training started", result.stderr)
        moved = self.folder / "corpus-3"  # the same pairs in another folder are the same corpus
        moved.mkdir()
        for name in ("train.tsv", "valid.tsv"):
            (moved / name).write_bytes((self.corpus / name).read_bytes())
        run = self.train("moved")
        programs.succeed("train", "--resume", "--out", run, "--train", moved / "train.tsv", "--valid", moved / "valid.tsv")

    # Every option whose state must survive a stop, and that is off by default.
    ALL_STATE = ["--gradient-accumulation", "3", "--ema", "0.9", "--scheduled-sampling", "inverse-sigmoid", "--sampling-k", "20",
                 "--keep-epochs", "2", "--guided-alignment", "0.5", "--coverage", "--coverage-loss", "0.2", "--keep", "aer",
                 "--optimiser", "adamw", "--weight-decay", "0.01", "--schedule", "plateau", "--plateau-patience", "1"]

    def test_resume_with_accumulation_averages_and_sampled_words(self):
        arguments = ["--data", self.corpus, "--epochs", "12", "--batch", "2", *self.ALL_STATE, *programs.TINY]
        whole, stopped = self.folder / "whole-3", self.folder / "stopped-3"
        programs.succeed("train", *arguments, "--out", whole)
        self.assertEqual(self.stop(signal.SIGTERM, arguments, stopped)[0], 130)
        programs.succeed("train", "--resume", "--out", stopped)
        self.same(programs.contents(stopped), programs.contents(whole))
        self.assertEqual({p.name for p in whole.glob("epoch-*")}, {"epoch-11.safetensors", "epoch-12.safetensors"})
        rows = programs.json_lines(whole / "metrics.jsonl")
        self.assertEqual(rows[0]["steps"], 16)  # groups of three, from 48 batches
        self.assertLess(rows[-1]["train_guided_alignment"], rows[0]["train_guided_alignment"])
        self.assertGreater(rows[0]["train_coverage"], 0)
        best = [row["valid"]["alignment"]["aer"] for row in rows if row["best"]]
        self.assertEqual(best, sorted(best, reverse=True))
        self.assertEqual(best[-1], min(row["valid"]["alignment"]["aer"] for row in rows))

    def test_the_moving_average_is_what_is_measured_and_kept(self):
        run = self.train("ema", "--ema", "0.9")
        self.assertNotEqual((run / "model.safetensors").read_bytes(), (self.run_folder / "model.safetensors").read_bytes())
        rows, plain = (programs.json_lines(r / "metrics.jsonl") for r in (run, self.run_folder))
        self.assertEqual(rows[0]["train_loss"], plain[0]["train_loss"])  # the training itself does not change
        self.assertNotEqual(rows[0]["valid"]["loss"], plain[0]["valid"]["loss"])
        score = json.loads(programs.succeed("evaluate", "--run", run, "--data", self.corpus / "valid.tsv", "--json"))
        self.assertAlmostEqual(score["all"]["loss"], rows[1]["valid"]["loss"], delta=1e-5)

    def test_wrong_usage_of_the_options_of_training(self):
        for says, *arguments in (("--coverage-loss needs --coverage", "--coverage-loss", "1"),
                                 ("--guided-alignment", "--guided-alignment", "-1"),
                                 ("--scheduled-sampling", "--scheduled-sampling", "cosine"),
                                 ("less than 1", "--scheduled-sampling", "exponential", "--sampling-k", "2"),
                                 ("at least 1", "--scheduled-sampling", "inverse-sigmoid", "--sampling-k", "0.5"),
                                 ("--sampling-floor", "--sampling-floor", "1.5"),
                                 ("--sampling-slope", "--sampling-slope", "-1"),
                                 ("--gradient-accumulation", "--gradient-accumulation", "0"),
                                 ("--ema", "--ema", "1"),
                                 *((option, option, "-1") for option in ("--keep-epochs", "--patience", "--save-every",
                                                                         "--batch-tokens", "--warmup", "--halve-after")),
                                 ("--keep", "--keep", "wer")):
            out = self.folder / "never"
            result = programs.run("train", "--data", self.corpus, "--out", out, *arguments, *programs.TINY)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(says, result.stderr)
            self.assertFalse(out.exists())

    def test_links_that_are_asked_for_but_not_there(self):
        corpus = self.folder / "unlinked"
        corpus.mkdir()
        for name in ("train.tsv", "valid.tsv"):
            lines = (self.corpus / name).read_text(encoding="utf-8").splitlines()
            programs.write_lines(corpus / name, ["\t".join(line.split("\t")[:2]) for line in lines])
        for says, *arguments in (("no training pair has a sure link", "--guided-alignment", "1"),
                                 ("no validation pair has gold links", "--keep", "aer"),
                                 ("--model encdec has no attention", "--guided-alignment", "1", "--model", "encdec")):
            out = self.folder / "never"
            result = programs.run("train", "--data", corpus, "--out", out, *arguments, *programs.TINY)
            self.assertEqual(result.returncode, 2 if "encdec" in arguments else 1, arguments)
            self.assertIn(says, result.stderr)
            self.assertFalse(out.exists())

    def test_align_is_guided_by_the_links_of_the_aligner(self):
        corpora = {name: self.folder / f"align-{name}" for name in ("plain", "taught", "misled")}
        pairs = {name: [line.split("\t")[:2] for line in (self.corpus / name).read_text(encoding="utf-8").splitlines()]
                 for name in ("train.tsv", "valid.tsv")}
        for corpus in corpora.values():
            corpus.mkdir()
            for name, lines in pairs.items():
                programs.write_lines(corpus / name, ["\t".join(line) for line in lines])
        programs.succeed("links", "--data", corpora["plain"] / "train.tsv", "--tokenizer", "none", "--format", "tsv", "--out",
                         corpora["taught"] / "train.tsv")
        # These gold links are wrong, but --align does not use them.
        programs.write_lines(corpora["misled"] / "train.tsv", ["\t".join([*line, "0-0"]) for line in pairs["train.tsv"]])
        losses = {}
        for name, corpus in corpora.items():
            out = self.folder / f"align-{name}-run"
            options = ["--guided-alignment", "0.1", *(["--align"] if name != "taught" else [])]
            result = programs.run("train", "--data", corpus, "--out", out, *options, "--tokenizer", "none", *programs.TINY)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual("training pairs learnt by EM" in result.stderr, name != "taught")
            losses[name] = [(row["train_loss"], row["train_guided_alignment"]) for row in programs.json_lines(out / "metrics.jsonl")]
        self.assertEqual(losses["plain"], losses["taught"])
        self.assertEqual(losses["plain"], losses["misled"])
        layers = [(self.folder / f"align-{name}-run" / "alignment.safetensors").read_bytes() for name in ("plain", "misled")]
        self.assertEqual(*layers)
        result = programs.run("train", "--task", "language-model", "--train", corpora["plain"] / "train.tsv", "--valid",
                              corpora["plain"] / "valid.tsv", "--align", "--out", self.folder / "never")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--align learns word links, and only --task translation has pairs with word links", result.stderr)

    def test_help_tells_the_exit_statuses(self):
        self.assertIn("130", programs.succeed("train", "--help"))

    def test_early_stop_by_patience(self):
        # With a learning rate of 0, no epoch is better than the first one.
        run = self.folder / "patient"
        printed = programs.succeed("train", "--data", self.corpus, "--out", run, "--epochs", "9", "--patience", "2", "--lr",
                                   "0", *programs.TINY)
        self.assertEqual([row["best"] for row in programs.json_lines(run / "metrics.jsonl")], [True, False, False])
        self.assertIn("train has stopped early, because no epoch was better", printed)

    def diverge(self, run, *arguments):
        result = programs.run("train", "--data", self.corpus, "--out", run, "--optimiser", "sgd", "--clip", "0",
                              "--schedule", "constant", *arguments, *programs.TINY)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertRegex(result.stderr, r"error: step \d+ \(epoch \d\): the (loss|norm of the gradient) is -?(nan|inf)")
        self.assertRegex(result.stderr, r"first parameter with NaN or Inf: \S+ \(|single parameter and gradient is finite")
        self.assertRegex(result.stderr, r"\n    line \d+: \w+")
        return result.stderr

    def test_divergence_names_step_sentences_and_parameter(self):
        message = self.diverge(self.folder / "diverged", "--lr", "1000", "--momentum", "0.9999", "--batch", "1")
        self.assertIn("No epoch has ended", message)
        self.assertFalse((self.folder / "diverged" / "model.safetensors").exists())

    def test_divergence_keeps_the_last_good_model(self):
        # The warm-up lasts many steps, so the first epoch does not diverge.
        run = self.folder / "diverged-later"
        message = self.diverge(run, "--lr", "1000", "--momentum", "0.9999", "--batch", "4", "--warmup", "100000",
                               "--epochs", "2000")
        self.assertRegex(message, r"model\.safetensors is the best model, of epoch \d+")
        self.assertTrue(programs.succeed("translate", "--run", run, stdin="i see\n"))

    def test_dry_run_writes_nothing(self):
        out = self.folder / "dry"
        printed = programs.succeed("train", "--data", self.corpus, "--out", out, "--dry-run", *programs.TINY)
        self.assertFalse(out.exists())
        self.assertIn("The training needs about", printed)
        header = (self.run_folder / "model.safetensors").read_bytes()
        names = json.loads(header[8:8 + int.from_bytes(header[:8], "little")])
        for name in names:
            if name != "__metadata__":
                self.assertIn(f"\n{name} ", printed)

    def test_dry_run_names_the_options_that_the_model_uses(self):
        arguments = ["train", "--data", self.corpus, "--out", self.folder / "dry", "--dry-run", *programs.TINY]
        result = programs.run(*arguments, "--input-feeding")
        for line in ("attention +additive", "embedding +8", "query-word +true"):
            self.assertRegex(result.stdout, f"(?m)^{line}$")
        self.assertNotRegex(result.stdout, "(?m)^input-feeding ")
        self.assertIn("note: --input-feeding has no effect on the model rnnsearch", result.stderr)
        result = programs.run(*arguments, "--model", "luong", "--encoder", "unidirectional")
        self.assertRegex(result.stdout, "(?m)^unidirectional +true$")
        self.assertNotIn("--encoder", result.stderr)
        self.assertIn("note: --readout has no effect on the model luong", result.stderr)

    def test_parallel_files_train_like_the_tsv(self):
        arguments = []
        for prefix, name in (("", "train.tsv"), ("valid-", "valid.tsv")):
            lines = (self.corpus / name).read_text(encoding="utf-8").splitlines()
            for column, side in enumerate(("source", "target", "alignment")):
                path = programs.write_lines(self.folder / f"{prefix}{side}", [l.split("\t")[column] for l in lines])
                arguments += [f"--{prefix}{side}", path]
        out = self.folder / "parallel"
        programs.succeed("train", *arguments, "--out", out, "--epochs", "2", *programs.TINY)
        for name in ("source.vocab", "target.vocab", "metrics.jsonl"):
            self.assertEqual((out / name).read_bytes(), (self.run_folder / name).read_bytes(), name)
        history = programs.json_lines(self.run_folder / "history.jsonl")
        for record in history:
            record.pop("tags", None)  # plain files have no tags
        self.assertEqual(programs.json_lines(out / "history.jsonl"), history)


if __name__ == "__main__":
    unittest.main()
