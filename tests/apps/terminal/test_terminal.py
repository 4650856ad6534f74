"""The programs on a terminal: train's line in place, its table of epochs with the curve, the attention as it forms; the
heatmaps of align and translate."""

import json
import os
import re
import subprocess
import time
import unittest

import programs


COLOURS = {"TERM": "xterm", "COLORTERM": "truecolor", "NO_COLOR": ""}


class TrainOnATerminal(programs.WithRun):
    def heatmaps(self, shown):
        """The drawings by sentence and epoch."""
        found = re.findall(r"^(sentence (\d+)   epoch (\d+), forced\n(?:.+\n)+)", shown, re.MULTILINE)
        return {(int(sentence), int(epoch)): text for text, sentence, epoch in found}

    def test_a_terminal_sees_attention_form_and_the_run_does_not_depend_on_it(self):
        arguments = ["--data", self.corpus, "--epochs", "5", *programs.TINY]
        seen, unseen = self.folder / "seen", self.folder / "unseen"
        shown = programs.on_terminal("train", *arguments, "--out", seen, environment=COLOURS)
        piped = programs.succeed("train", *arguments, "--out", unseen)
        self.assertEqual(programs.contents(seen), programs.contents(unseen))
        drawn = self.heatmaps(programs.stripped(shown))
        sentence = min(drawn)[0]
        self.assertEqual(list(drawn), [(sentence, 1), (sentence, 4)])
        self.assertEqual(self.heatmaps(piped), {})
        self.assertIn("\x1b[48;2;", shown)
        # the same from the run's own records, and where a pipe asks for them
        history = (seen / "history.jsonl").read_text(encoding="utf-8").splitlines()
        records = programs.write_lines(self.folder / "drawn.jsonl", [
            line for line in history if json.loads(line)["epoch"] in (1, 4) and json.loads(line)["id"] == sentence])
        from_records = programs.succeed("convert", "--in", records, "--from", "jsonl", "--format", "plot",
                                        environment={"COLUMNS": "100"})
        self.assertEqual(self.heatmaps(from_records), drawn)
        asked = programs.succeed("train", *arguments, "--out", unseen, "--force", "--plot-every", "4",
                                 environment={"COLUMNS": "100"})
        self.assertEqual(self.heatmaps(asked), drawn)
        self.assertNotIn("\x1b", asked)

    def test_the_curve_of_the_losses(self):
        shown = programs.on_terminal("train", "--data", self.corpus, "--out", self.folder / "curve", "--epochs", "3", "--lr",
                                     "0", *programs.TINY, environment=COLOURS, columns=80)
        rows = re.findall(r"^ +\d .+$", programs.stripped(shown), re.MULTILINE)
        self.assertEqual([row[70:] for row in rows], ["* █", "  ██", "  ███"])  # no loss is better than the first
        self.assertIn("\x1b[1m*\x1b[0m", shown)

    def test_a_narrow_terminal_breaks_notes_between_words_and_a_pipe_does_not(self):
        arguments = ["--data", self.corpus, "--epochs", "1", *programs.TINY]
        shown = programs.stripped(programs.on_terminal("train", *arguments, "--out", self.folder / "narrow",
                                                        environment={}, columns=60))
        piped = programs.succeed("train", *arguments, "--out", self.folder / "wide")
        said = next(line for line in piped.splitlines() if "to validate" in line)
        self.assertGreater(len(said), 60)
        lines = shown.splitlines()
        first = next(i for i, line in enumerate(lines) if "pairs to train on" in line)
        self.assertEqual(" ".join(lines[first:first + 2]), said)
        self.assertLessEqual(max(map(len, lines[first:first + 2])), 60)

    def test_a_resumed_curve_goes_on(self):
        run = programs.train(self.corpus, self.folder / "curve-resumed")
        printed = programs.succeed("train", "--resume", "--out", run, "--epochs", "3")
        self.assertRegex(printed, r"\n    3 .{64}\* █[▁▂▃▄▅▆▇]▁\n")

    def test_terminals_without_escape_sequences_get_none(self):
        for name, environment in (("no-colour", {"NO_COLOR": "1", "TERM": "xterm"}), ("dumb", {"TERM": "dumb"})):
            shown = programs.on_terminal("train", "--data", self.corpus, "--out", self.folder / name, "--epochs", "1",
                                         *programs.TINY, environment=environment)
            self.assertEqual(len(self.heatmaps(programs.stripped(shown))), 1)
            self.assertNotRegex(shown, r"\x1b\[[0-9;]*m")
            self.assertEqual("\x1b" in shown, name == "no-colour")  # the line in place is no colour
            self.assertEqual("ETA" in shown, name == "no-colour")

    def test_plots_of_sentences_that_are_not_tracked(self):
        self.refused(2, "train", "--data", self.corpus, "--out", self.folder / "never", "--track", "0", "--plot-every", "1",
                     says=["--plot-every draws a tracked sentence"])
        printed = programs.succeed("train", "--data", self.corpus, "--out", self.folder / "no-attention", "--epochs", "1",
                                   "--model", "encdec", "--plot-every", "1", *programs.TINY)
        self.assertEqual(self.heatmaps(printed), {})

    def test_the_line_in_place_is_rewritten_ten_times_a_second_at_most(self):
        began = time.monotonic()
        shown = programs.on_terminal("train", "--data", self.corpus, "--out", self.folder / "rate", "--epochs", "40",
                                     "--batch", "2", *programs.TINY, environment=COLOURS)
        most = 10 * (time.monotonic() - began) + 1
        self.assertTrue(3 < shown.count("ETA") <= most, (shown.count("ETA"), most))

    def test_a_terminal_sees_progress(self):
        terminal, other_end = programs.open_terminal(columns=62)
        command = [programs.BUILD / "train", "--data", self.corpus, "--out", self.folder / "shown", *programs.TINY]
        with subprocess.Popen([*map(str, command), "--epochs", "2"], stdout=subprocess.PIPE, stderr=other_end) as process:
            rows = process.stdout.read().decode()
        os.close(other_end)
        shown = programs.read_terminal(terminal)
        self.assertRegex(shown, r"\repoch 1/2 \[=*> *\] +\d+%  loss \d+\.\d\d  [\d.]+k? tok/s  ETA \d+:\d\d\x1b\[K")
        self.assertTrue(shown.endswith("\r\x1b[K"))  # nothing stays of it
        self.assertLess(max(map(len, re.findall(r"epoch [^\r\x1b]+", shown))), 62)  # that terminal's width, not stdout's
        self.assertNotIn("\x1b", rows)

    def test_a_pipe_gets_rows_only(self):
        out = self.folder / "piped"
        result = programs.run("train", "--data", self.corpus, "--out", out, "--epochs", "2", *programs.TINY)
        self.assertNotIn("\r", result.stdout + result.stderr)
        self.assertNotIn("\x1b", result.stdout + result.stderr)
        self.assertNotIn("ETA", result.stdout + result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1)  # the program and its BLAS


class HeatmapsOnATerminal(programs.WithRun):
    def align(self, *arguments):
        return ["align", "--run", self.run_folder, "--data", self.corpus / "valid.tsv", "--format", "plot", *arguments]

    def test_colours_add_nothing_and_hide_nothing(self):
        for columns in (60, 80, 100):
            plain = programs.succeed(*self.align(), environment={"COLUMNS": str(columns)})
            for colorterm, paper in (("truecolor", "\x1b[48;2;"), ("", "\x1b[48;5;")):
                environment = {**COLOURS, "COLORTERM": colorterm}
                shown = programs.on_terminal(*self.align(), environment=environment, columns=columns)
                self.assertIn(paper, shown)
                self.assertTrue(programs.stripped(shown).endswith(plain))  # after the line about BLAS
        self.assertIn("\x1b[48;2;", programs.succeed(*self.align("--color", "always"), environment=COLOURS))
        shown = programs.on_terminal(*self.align("--color=never"), environment=COLOURS)
        self.assertNotIn("\x1b", shown)

    def test_translate_draws_what_align_draws(self):
        line = (self.corpus / "valid.tsv").read_text(encoding="utf-8").split("\t")[0] + "\n"
        written = programs.succeed("translate", "--run", self.run_folder, "--tokenized", stdin=line).strip()
        pair = programs.write_lines(self.folder / "written.tsv", [line.strip() + "\t" + written])
        forced = programs.succeed("align", "--run", self.run_folder, "--data", pair, "--format", "plot")
        greedy = programs.succeed("translate", "--run", self.run_folder, "--alignment", "plot", stdin=line)
        self.assertEqual(greedy.splitlines()[1], "sentence 0   greedy")
        rows = greedy.splitlines()[2:-2]  # without the legend; such a model goes on to the longest length, without </s>
        self.assertGreater(len(rows), 3)
        drawn = forced.splitlines()[1:1 + len(rows)]  # with </s> below, to whose width its words are indented
        self.assertEqual([row.lstrip() for row in rows], [row.lstrip() for row in drawn])


if __name__ == "__main__":
    unittest.main()
