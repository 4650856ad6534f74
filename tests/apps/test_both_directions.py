"""train --both-directions equals two trainings, even if it is stopped. align --symmetrise joins the links of both runs."""

import json
import math
import signal
import subprocess
import sys
import time
import unittest

import programs

JOINED = ("agreement", "forward", "backward", "intersection", "union", "grow-diag-final-and")


class BothDirections(programs.WithRun):
    training = programs.STEEP

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.both = programs.train(cls.corpus, cls.folder / "both", "--both-directions", *cls.training)
        cls.back = programs.train(cls.corpus, cls.folder / "back", "--swap-sides", *cls.training)
        cls.pairs = programs.short_pairs("test.tsv", 12)
        cls.test = programs.write_lines(cls.folder / "test.tsv", cls.pairs)

    def contents(self, run):
        """Returns the contents of both directions."""
        forward = {path.name: path.read_bytes() for path in run.iterdir() if path.is_file() and path.name != "timing.jsonl"}
        return forward, programs.contents(run / "reverse")

    def records(self, run):
        return [json.loads(line) for line in programs.succeed("align", "--run", run, "--data", self.test).splitlines()]

    def test_each_is_the_training_that_it_would_be_alone(self):
        forward, backward = self.contents(self.both)
        self.assertEqual(forward, programs.contents(self.run_folder))
        self.assertEqual(backward, programs.contents(self.back))
        self.assertTrue(json.loads(backward["config.json"])["swap-sides"])

    def test_a_corpus_that_changes_sides_is_one_written_the_other_way_round(self):
        turned = self.folder / "turned"
        turned.mkdir()
        for name in ("train.tsv", "valid.tsv"):
            rows = [line.split("\t") for line in (self.corpus / name).read_text(encoding="utf-8").splitlines()]
            # Positions have one digit, because sentences have fewer than ten words.
            links = [" ".join(link[::-1] for link in row[2].split()) for row in rows]
            programs.write_lines(turned / name, [f"{row[1]}\t{row[0]}\t{link}\t{row[3]}" for row, link in zip(rows, links)])
        run = programs.train(turned, self.folder / "of-turned", *self.training)
        for name in ("metrics.jsonl", "source.vocab", "target.vocab", "history.jsonl"):
            self.assertEqual((run / name).read_bytes(), (self.back / name).read_bytes(), name)

    def test_what_a_reverse_run_reads_changes_sides_too(self):
        for record, line in zip(self.records(self.back), self.pairs, strict=True):
            source, target, gold, _ = line.split("\t")
            self.assertEqual((record["source_sent"], record["target_sent"]), (target, source))
            sure = [f"{t}-{s}" for s, t in record["gold"]["sure"]]
            self.assertEqual(sorted(sure), sorted(link for link in gold.split() if "?" not in link))

    def stopped(self, run, when, arguments):
        """Starts a training, sends Ctrl-C as soon as the file `when` exists, and returns the output of the training."""
        command = [programs.BUILD / "train", "--out", run, *map(str, arguments)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            while not when.exists():
                self.assertIsNone(process.poll(), "it ended before it could be stopped")
                time.sleep(0.001)
            process.send_signal(signal.SIGINT)
            printed = process.stdout.read().decode()
        self.assertEqual(process.returncode, 130)
        self.assertIn("This command continues from there: ", printed)
        self.assertIn(f"train --resume --both-directions --out {run}\n", printed)

    def test_stopped_in_either_direction_it_goes_on_to_the_same_bytes(self):
        arguments = ["--both-directions", "--data", self.corpus, "--epochs", "10", "--batch", "4", *programs.TINY]
        whole = self.folder / "whole"
        programs.succeed("train", "--out", whole, *arguments)
        for name in ("", "reverse"):
            run = self.folder / f"stopped-{name}"
            self.stopped(run, run / name / "last.safetensors", arguments)
            self.assertEqual((run / "reverse").exists(), name == "reverse")
            programs.succeed("train", "--resume", "--both-directions", "--out", run)
            self.assertEqual(self.contents(run), self.contents(whole))
            self.assertEqual(len(programs.json_lines(run / "reverse" / "metrics.jsonl")), 10)

    def test_a_run_that_is_replaced_keeps_no_reverse_of_the_old_one(self):
        run = programs.train(self.corpus, self.folder / "replaced", "--both-directions")
        programs.write_lines(run / "reverse" / "mine", ["a note"])
        programs.train(self.corpus, run, "--force")
        self.assertEqual([path.name for path in (run / "reverse").iterdir()], ["mine"])
        (run / "reverse" / "mine").unlink()
        programs.train(self.corpus, run, "--force", "--both-directions")
        programs.train(self.corpus, run, "--force")
        self.assertFalse((run / "reverse").exists())

    def align(self, *arguments):
        return programs.run("align", "--run", self.both, "--data", self.test, "--format", "pharaoh", *arguments)

    def test_joined_links_are_those_that_convert_joins(self):
        files = {}
        for name, run in [("forward", self.both), ("backward", self.back)]:
            files[name] = self.folder / f"{name}.jsonl"
            programs.succeed("align", "--run", run, "--data", self.test, "--out", files[name])
        distinct = set()
        for rule in JOINED[3:]:
            expected = programs.succeed("convert", "--in", files["forward"], "--reverse", files["backward"], "--from", "jsonl",
                                        "--symmetrise", rule, "--format", "pharaoh")
            for arguments in ([], ["--reverse", self.back]):
                self.assertEqual(self.align("--symmetrise", rule, *arguments).stdout, expected)
            distinct.add(expected)
        self.assertGreater(len(distinct), 1)

    def test_agreement_is_the_root_of_both_weights(self):
        for threshold in ("0.4", "0.15"):
            expected = []
            for forward, backward in zip(self.records(self.both), self.records(self.back), strict=True):
                S, T = len(backward["matrix"]) - 1, len(forward["matrix"]) - 1
                expected.append(" ".join(f"{s}-{t}" for s in range(S) for t in range(T)
                                         if math.sqrt(forward["matrix"][t][s] * backward["matrix"][s][t]) >= float(threshold)))
            found = self.align("--symmetrise", "agreement", "--threshold", threshold).stdout.splitlines()
            self.assertEqual(found, expected)
        self.assertTrue(any(expected))

    def test_every_rule_is_scored_where_there_is_gold(self):
        result = self.align("--symmetrise", "union")
        scores = {row[0]: row[1:] for row in map(str.split, result.stderr.splitlines()) if row and row[0] in JOINED}
        self.assertEqual(tuple(scores), JOINED)
        self.assertIn("\nwritten: union\n", result.stderr)
        scorer = programs.PROJECT / "tests" / "data" / "metrics" / "score_aer.py"
        for rule in JOINED:
            links = self.align("--symmetrise", rule).stdout.splitlines()
            found = programs.write_lines(self.folder / "found", [f"{line}\t{pair.split(chr(9))[2]}" for line, pair in zip(links, self.pairs)])
            scored = subprocess.run([sys.executable, scorer, found], capture_output=True, text=True, check=True).stdout
            self.assertEqual(scores[rule], [f"{100 * float(figure):.1f}" for figure in scored.split()], rule)
        bare = programs.write_lines(self.folder / "bare.tsv", ["\t".join(pair.split("\t")[:2]) for pair in self.pairs])
        shown = programs.run("align", "--run", self.both, "--data", bare, "--format", "pharaoh", "--symmetrise", "union")
        self.assertNotIn("recall", shown.stderr)

    def test_what_does_not_go_together(self):
        align = ["align", "--data", self.test, "--run"]
        self.refused(1, *align, self.back, "--symmetrise", "union", "--format", "pharaoh", says=["back/reverse", "--both-directions"])
        self.refused(1, *align, self.both, "--symmetrise", "union", "--format", "pharaoh", "--reverse", self.run_folder,
                     says=["this run has the same direction"])
        self.refused(2, *align, self.both, "--symmetrise", "union", says=["--format jsonl contains weights"])
        self.refused(2, *align, self.both, "--reverse", self.back, says=["--symmetrise"])
        self.refused(2, *align, self.both, "--symmetrise", "union", "--format", "pharaoh", "--rule", "mutual", says=["--rule"])
        other = programs.train(self.corpus, self.folder / "none", "--swap-sides", "--tokenizer", "none")
        self.refused(1, *align, self.both, "--symmetrise", "union", "--format", "pharaoh", "--reverse", other, says=["--tokenizer none"])
        self.refused(2, "train", "--resume", "--out", self.both, "--swap-sides", says=["--swap-sides was false"])


if __name__ == "__main__":
    unittest.main()
