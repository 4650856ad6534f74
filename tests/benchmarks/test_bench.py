"""bench, micro, compare.py, growth.py and busy.py run, measure the figures of their tables, and refuse options that make no
sense."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom
from pathlib import Path
from unittest import mock

import busy
import compare
import growth
import programs

HERE = Path(__file__).resolve().parent
SMALL = ["--batch", "4", "--length", "3", "--hidden", "16", "--vocabulary", "50", "--threads", "1"]
BRIEF = [*SMALL, "--seconds", "0"]


def last_json(text):
    return json.loads(text.splitlines()[-1])


def bench(*arguments):
    """Returns the output of bench and its JSON."""
    text = programs.succeed("bench", *arguments)
    return text, last_json(text)


def script(path, *arguments, environment=None):
    """Returns the finished Python script."""
    without_peer = {k: v for k, v in os.environ.items() if k != "PEER"}
    return subprocess.run([sys.executable, path, *map(str, arguments)], capture_output=True, text=True, timeout=600,
                          env={**without_peer, **(environment or {})}, check=False)


class Bench(unittest.TestCase):
    def test_training_measures_and_says_where_the_time_goes(self):
        text, result = bench("--what", "train", *BRIEF)
        for key in ["train_step_ms", "train_tok_s", "gflops", "peak_gflops", "share_of_peak", "rss_train_mb", "loss"]:
            self.assertGreater(result[key], 0, key)
        self.assertAlmostEqual(result["train_tok_s"], 4 * 3 / (result["train_step_ms"] / 1e3), delta=1)
        self.assertAlmostEqual(result["share_of_peak"], result["gflops"] / result["peak_gflops"])
        self.assertEqual(set(result["shares"]),
                         {"GEMM", "attention", "pointwise", "softmax", "optimiser", "memory", "rest"})
        self.assertAlmostEqual(sum(result["shares"].values()), 1)
        for text_wanted in ["GFLOP/s", "% of the SGEMM peak", "peak resident memory", "lstm", "optimiser"]:
            self.assertIn(text_wanted, text)

    def test_the_operations_by_formula_are_those_of_the_products(self):
        for arguments in [[], ["--model", "luong"], ["--model", "luong", "--attention", "concat"],
                          ["--attention", "general", "--attention-window", "local-p"], ["--attention", "qkv"],
                          ["--model", "luong", "--attention", "location"], ["--model", "encdec"], ["--model", "transformer"]]:
            result = bench(*arguments, "--seconds", "0", "--threads", "1")[1]
            # Less than 1% of the operations at this size are not products: the score and context of each pair of words.
            self.assertAlmostEqual(result["gemm_gflop_step"] / result["gflop_step"], 1, delta=0.015, msg=arguments)

    def test_the_peers_model_has_as_many_parameters(self):
        result = bench("--what", "start", "--threads", "1")[1]
        count = 925_968 - 3 * 4 * 128  # the number that the peer's program prints, without its second biases
        self.assertEqual((result["params"], result["peer_params"]), (count, count))
        self.assertTrue(result["same_model"])
        # The numbers that the peer prints, and its biases.
        for size, count, biases in [("toy", 1_695_440, 768), ("base", 90_241_328, 9216)]:
            text, result = bench("--model", "transformer", "--size", size, "--what", "start", "--batch", "2", "--length", "3",
                                 "--threads", "1")
            self.assertEqual((result["params"], result["peer_params"]), (count, count))
            self.assertIn(f"{biases} in biases that change nothing", text)

    def test_what_reads_no_sentences_has_as_many_parameters_as_its_peer(self):
        # The numbers that the peer prints.
        for what, count in [("convolution", 34_518), ("captioner", 144_517), ("lstmn", 332_904)]:
            result = last_json(programs.succeed("bench_beyond", "--what", what, "--seconds", "0", "--threads", "1"))
            self.assertEqual(result["params"], count, what)
            self.assertGreater(result["train_per_s"], 0)

    def test_models_that_are_not_the_peers_say_so(self):
        for arguments, says in [(["--model", "luong"], "not the same model"), (["--model", "encdec"], "not the same model"),
                                (["--attention-window", "local-p"], "the peer has no such model")]:
            text, result = bench("--what", "start", *arguments, *BRIEF)
            self.assertIn(says, text)
            self.assertFalse(result.get("same_model", False))

    def test_every_attention_and_scope_trains_and_decodes(self):
        for model, attention in [("rnnsearch", "general"), ("luong", "dot"), ("luong", "concat"), ("luong", "location"),
                                 ("rnnsearch", "qkv")]:
            for scope in ["global", "local-m", "local-p"]:
                result = bench("--model", model, "--attention", attention, "--attention-window", scope, "--what",
                               "train,greedy,beam", *BRIEF)[1]
                for key in ["train_tok_s", "greedy_b1_tok_s", "greedy_b32_tok_s", "beam5_b1_tok_s", "beam5_b32_tok_s",
                            "share_of_bandwidth"]:
                    self.assertGreater(result[key], 0, f"{model} {attention} {scope} {key}")

    def test_the_start_counts_from_the_time_that_the_caller_gives(self):
        arguments = ["--what", "start", *BRIEF]
        seconds = last_json(programs.succeed("bench", *arguments))["start_to_first_step_s"]
        self.assertTrue(0 < seconds < 60)
        given = last_json(programs.succeed("bench", *arguments, environment={"PEER_T0": "0"}))["start_to_first_step_s"]
        self.assertGreater(given, 1e9)

    def test_drift_is_measured_in_ten_parts(self):
        result = bench("--what", "drift", *SMALL, "--seconds", "1")[1]
        self.assertEqual(len(result["drift"]), 10)
        self.assertTrue(all(line["steps_s"] > 0 and line["resident_mb"] > 0 for line in result["drift"]))
        self.assertGreater(result["times_slower"], 0)

    def test_bad_usage(self):
        for program, arguments, says in [
                ("bench", ["--size", "huge"], ["huge", "toy", "paper"]), ("bench", ["--what", "sleep"], ["sleep", "train"]),
                ("bench", ["--attention", "none"], ["encdec"]), ("bench", ["--attention", "flash"], ["flash", "additive"]),
                ("bench", ["--attention-window", "far"], ["far", "local-m"]), ("bench", ["--what", "train,start"], ["start"]),
                ("bench", ["--length", "1"], ["at least 2"]), ("bench", ["--vocabulary", "3"], ["at least 10"]),
                ("bench", ["--seconds", "-1"], ["--seconds"]), ("micro", ["--size", "toy"], ["--size"]),
                ("micro", ["--benchmark_filter=nothing"], ["no benchmark"]),
                ("micro", ["--benchmark_colour=red"], ["benchmark_colour"])]:
            result = programs.run(program, *arguments)
            self.assertEqual(result.returncode, 2, f"{program} {arguments}: {result.stderr}")
            for text in says:
                self.assertIn(text, result.stderr)

    def test_help_and_version(self):
        for program in ["bench", "micro"]:
            self.assertIn(f"{program} --", programs.succeed(program, "--help"))
            self.assertRegex(programs.succeed(program, "--version"), rf"^{program} \(softalign\) \d+\.\d+\.\d+\n$")


class Micro(unittest.TestCase):
    def test_every_fused_op_beside_its_definition_and_its_limit(self):
        text = programs.succeed("micro", "--benchmark_filter=toy", "--benchmark_format=json",
                                "--benchmark_min_time=0.001")
        rows = {row["name"].removesuffix("/real_time"): row for row in json.loads(text)["benchmarks"]}
        ops = {name.split("/")[0] for name in rows}
        header = (programs.PROJECT / "autograd" / "kernels.h").read_text(encoding="utf-8")
        self.assertEqual(ops, set(re.findall(r'"(\w+)"', header.split("fused_op_names")[1].split(";")[0])))
        for op in ops:
            composed, fused = rows[f"{op}/toy/composed"], rows[f"{op}/toy/fused"]
            for row in (composed, fused):
                self.assertGreater(row["percent_of_limit"], 0)
                self.assertIn(row["label"], ["GEMM", "memory", "exp, tanh"])
            self.assertGreater(fused["times_composed"], 0)


PEER = """#!/usr/bin/env python3
import json, os, sys
assert "OPENBLAS_CORETYPE" not in os.environ
print("anything")
print(json.dumps({"train_tok_s": 1.0, "train_tok_s_mean": 0.5, "params": 7, "rss_train_mb": 1e6, "greedy_b1_tok_s": 1.0, "greedy_b32_tok_s": 1e12,
                  "start_to_first_step_s": 1e4, "threads": int(sys.argv[1])}))
"""


class Scripts(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def test_the_table_beside_a_peer(self):
        peer = self.folder / "peer"
        peer.write_text(PEER)
        peer.chmod(0o755)
        out = self.folder / "table.md"
        result = script(HERE / "compare.py", "--build", programs.BUILD, "--rows", "train-toy", "greedy-toy", "start-toy",
                        "--rounds", 1, "--threads", 1, "--seconds", 0, "--out", out,
                        environment={"PEER": str(peer), "OPENBLAS_CORETYPE": "Haswell"})
        self.assertEqual(result.returncode, 0, result.stderr)
        table = out.read_text(encoding="utf-8").splitlines()
        rows = {row.split(" | ")[0]: row for row in table if row.startswith("| ")}
        self.assertEqual(len({row.count("|") for row in table if row.startswith("|")}), 1)
        self.assertNotIn("missed", rows["| TOY greedy, batch 1"])
        self.assertIn(">= 3x, missed", rows["| TOY greedy, batch 32"])
        self.assertIn("of the SGEMM peak", rows["| TOY training, rnnsearch"])
        self.assertIn("1 threads", rows["| start to first training step, TOY"])
        self.assertIn("- train-toy: 924,432 parameters, the peer's 7", "\n".join(table))

    def test_each_side_shows_its_better_setting_and_ratios_point_the_right_way(self):
        rounds = lambda metric, *values: [{metric: value} for value in values]
        for kind, target, ours, theirs, ratio, verdict in [
                ("more", 2, (30, 36), (10, 12), "3.00x (3.00x to 3.00x)", ">= 2x"),
                ("more", 4, (30, 36), (10, 12), "3.00x (3.00x to 3.00x)", ">= 4x, missed"),
                ("sooner", 2, (5, 4), (16, 12), "3.00x (3.00x to 3.00x)", ">= 2x"),
                ("less", 0.6, (55, 50), (120, 100), "0.50x (0.50x to 0.50x)", "<= 0.6x"),
                ("less", 0.4, (55, 50), (120, 100), "0.50x (0.50x to 0.50x)", "<= 0.4x, missed")]:
            row = compare.Row("run", "text", "metric", "unit", kind, target)
            results = {("ours", 1): rounds("metric", *ours[:1] * 3), ("ours", 2): rounds("metric", *ours[1:] * 3),
                       ("peer", 1): rounds("metric", *theirs[:1] * 3), ("peer", 2): rounds("metric", *theirs[1:] * 3)}
            cells = compare.cells(row, results, argparse.Namespace(threads=[1, 2]), "peer")
            best = compare.number(ours[1]) + " unit, 2 threads"
            self.assertEqual(cells[:5], ["text", best, f"{theirs[1]} unit, 2 threads", ratio, verdict])

    def test_the_table_without_a_peer_and_a_peer_that_fails(self):
        arguments = ["--build", programs.BUILD, "--rows", "start-toy", "--rounds", 1, "--threads", 1, "--seconds", 0]
        result = script(HERE / "compare.py", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("| start to first training step, TOY |", result.stdout)
        self.assertNotIn("peer", result.stdout)
        for peer in ["/bin/false", "/bin/true"]:
            failed = script(HERE / "compare.py", *arguments, environment={"PEER": peer})
            self.assertEqual(failed.returncode, 1)
            self.assertIn(f"error: {'the last line of ' if peer == '/bin/true' else ''}{peer}", failed.stderr)
            self.assertNotIn("Traceback", failed.stderr)

    def test_all_threads_beside_one_on_a_busy_machine(self):
        peer = self.folder / "peer"
        peer.write_text(PEER)
        peer.chmod(0o755)
        result = script(HERE / "busy.py", "--build", programs.BUILD, "--beside", 0, 1, "--rounds", 1, "--seconds", 0,
                        environment={"PEER": str(peer)})
        self.assertEqual(result.returncode, 0, result.stderr)
        table = [line.split(" | ") for line in result.stdout.splitlines() if line.startswith("|")]
        self.assertEqual([line[0] for line in table[2:]], ["| 0", "| 1"])
        self.assertEqual({len(line) for line in table if len(line) > 1}, {7})
        for line in table[2:]:
            self.assertEqual(line[4:6], ["0.5", "0.5"])
            self.assertGreater(float(line[6].split("x")[0]), 1)

    def test_a_ratio_is_of_neighbours_in_time_and_the_peers_better_setting_counts(self):
        rates = {("ours", 2): [100, 90, 300], ("ours", 1): [100, 100, 300], ("peer", 2): [10, 10, 20],
                 ("peer", 1): [50, 45, 100]}
        self.assertEqual(busy.row(4, rates, 2), "| 4 | 100 | 100 | 1.00x (0.90x to 1.00x) | 10 | 50 | 2.00x (2.00x to 3.00x) |")
        rates = {("ours", 2): [90, 80, 70], ("ours", 1): [100, 100, 100]}
        self.assertEqual(busy.row(1, rates, 2), "| 1 | 80 | 100 | 0.80x (0.70x to 0.90x), missed |")

    def test_competitors_end_with_what_they_compete_with(self):
        with self.assertRaises(ZeroDivisionError), busy.competitors(2) as started:
            self.assertEqual([process.poll() for process in started], [None, None])
            raise ZeroDivisionError
        self.assertTrue(all(process.returncode is not None for process in started))

    def test_bad_usage_of_the_scripts(self):
        for name in ["compare.py", "growth.py", "busy.py"]:
            self.assertEqual(script(HERE / name, "--threads", 0).returncode, 2)
            missing = script(HERE / name, "--build", self.folder)
            self.assertEqual(missing.returncode, 1)
            self.assertIn("--target bench", missing.stderr)

    def test_a_point_of_growth_is_the_least_of_rounds(self):
        times = iter([9, 9, 9, 9, 1, 2, 3, 4, 2, 3, 4, 5])  # the machine was slow in the first round
        axis = growth.Axis("--batch", "", [8, 16], "")
        options = argparse.Namespace(quick=False, threads=[1, 2], rounds=3)
        with mock.patch.object(growth, "point", lambda axis, value, *_: (value, next(times), 7)):
            self.assertEqual(growth.measure_axis(axis, "bench", options),
                             {1: [(8, 1, 7), (16, 2, 7)], 2: [(8, 3, 7), (16, 4, 7)]})

    def test_growth_is_measured_and_drawn(self):
        self.assertAlmostEqual(growth.slope([1, 2, 4, 8], [9, 3, 12, 48]), 2)
        panels = [{"x": axis.text, "y": "ms a step", "why": axis.why, "slopes": {"1 thread": 1.5},
                   "curves": {"1 thread": [[value, value ** 1.5] for value in axis.values]}} for axis in growth.AXES]
        data = self.folder / "growth.json"
        data.write_text(json.dumps({"machine": "a <machine>", "base": "batch 32", "panels": panels}), encoding="utf-8")
        drawn = script(programs.PROJECT / "docs" / "draw_growth.py", data)
        self.assertEqual(drawn.returncode, 0, drawn.stderr)
        svg = xml.dom.minidom.parseString(drawn.stdout)
        self.assertEqual(len(svg.getElementsByTagName("polyline")), len(panels))
        self.assertEqual(len(svg.getElementsByTagName("circle")), sum(len(axis.values) for axis in growth.AXES))
        self.assertIn("slope 1.50", drawn.stdout)
        self.assertEqual(script(programs.PROJECT / "docs" / "draw_growth.py").returncode, 1)


if __name__ == "__main__":
    unittest.main()
