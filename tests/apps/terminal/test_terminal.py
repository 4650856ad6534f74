"""The programs on a terminal: train shows a line in place, a table of epochs with a curve, and the attention as it forms.
align and translate show heatmaps."""

import json
import os
import pty
import re
import subprocess
import time
import unittest

import programs


COLOURS = {"TERM": "xterm", "COLORTERM": "truecolor", "NO_COLOR": "", "COLORFGBG": ""}


class TrainOnATerminal(programs.WithRun):
    def heatmaps(self, shown):
        """Returns the drawings by (id of the sentence from 0, epoch)."""
        found = re.findall(r"^(sentence (\d+)   epoch (\d+), forced\n(?:.+\n)+)", shown, re.MULTILINE)
        return {(int(sentence) - 1, int(epoch)): text for text, sentence, epoch in found}

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
        # The run's records give the same drawing, and so does a pipe with --color always.
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
        self.assertEqual([row[70:] for row in rows], ["* █", "  ██", "  ███"])  # no loss is lower than the first one
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

    def test_a_note_is_wrapped_by_the_terminal_only(self):
        for source in sorted(path for folder in ("apps", "data", "models") for path in (programs.PROJECT / folder).rglob("*.cpp")):
            for literal in re.findall(r'"note: (?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', source.read_text(encoding="utf-8")):
                text = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', literal))
                self.assertNotRegex(text, r"[^:\\]\\n.", source)  # only a command after a colon may have a line of its own

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
            self.assertEqual("\x1b" in shown, name == "no-colour")  # the line in place does not count as a colour
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
        self.assertTrue(shown.endswith("\r\x1b[K"))  # the line is erased in the end
        self.assertLess(max(map(len, re.findall(r"epoch [^\r\x1b]+", shown))), 62)  # the width of this terminal, not of stdout's
        self.assertNotIn("\x1b", rows)

    def test_a_pipe_gets_rows_only(self):
        out = self.folder / "piped"
        result = programs.run("train", "--data", self.corpus, "--out", out, "--epochs", "2", *programs.TINY)
        self.assertNotIn("\r", result.stdout + result.stderr)
        self.assertNotIn("\x1b", result.stdout + result.stderr)
        self.assertNotIn("ETA", result.stdout + result.stderr)
        # Standard error has a line about the program and its BLAS, and a note why the training loss may be above the
        # validation loss.
        self.assertRegex(result.stderr, r"\A.+\nnote: only the training loss includes label smoothing(, dropout)? .+\n\Z")


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
                self.assertTrue(plain in programs.stripped(shown))  # it follows a line about BLAS and precedes a note
        self.assertIn("\x1b[48;2;", programs.succeed(*self.align("--color", "always"), environment=COLOURS))
        shown = programs.on_terminal(*self.align("--color=never"), environment=COLOURS)
        self.assertNotIn("\x1b", shown)

    def ask(self, answer, typed=b"", environment=None):
        """Returns the output of align on a pseudo-terminal that answers the query for its background colour with
        `answer`."""
        command = [str(programs.BUILD / "align"), *map(str, self.align()[1:])]
        child, terminal = pty.fork()
        if child == 0:
            os.environ.update({**COLOURS, **(environment or {})})
            os.execv(command[0], command)
        if typed:
            os.write(terminal, typed)
        shown = b""
        while True:
            try:
                part = os.read(terminal, 65536)
            except OSError:  # Linux reports in this way that the other end is closed
                break
            if not part:
                break
            if b"\x1b]11;?" in part:
                os.write(terminal, answer)
            shown += part
        os.close(terminal)
        self.assertEqual(os.waitpid(child, 0)[1], 0, shown)
        return shown

    def test_the_background_of_the_terminal_decides_the_palette(self):
        """Cells of small weight are light on a light terminal and dark on a dark one."""
        kind = b"\x1b[?62;c"
        for answer, light in ((b"\x1b]11;rgb:ffff/fcfc/cccc\x1b\\" + kind, True),
                              (b"\x1b]11;rgb:1e/1e/2c\x07" + kind, False), (kind, False), (b"", False)):
            shown = self.ask(answer)
            self.assertIn(b"\x1b]11;?", shown)
            self.assertEqual(self.is_light(shown), light, answer)
        for background, light in (("0;15", True), ("15;0", False), ("0;default;15", True), ("15;default", False)):
            told = self.ask(b"", environment={"COLORFGBG": background})
            self.assertEqual(self.is_light(told), light, background)
            self.assertEqual(b"]11;?" in told, background == "15;default")

    def is_light(self, shown):
        """Whether cells of small weight are light. In this model all cells have a small weight, so they have the same
        colour."""
        reds = {int(red) > 128 for red in re.findall(rb"\x1b\[48;2;(\d+);", shown)}
        self.assertEqual(len(reds), 1)
        return reds.pop()

    def test_what_is_typed_ahead_is_not_taken_for_an_answer(self):
        shown = self.ask(b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;c", typed=b"ls\n")
        self.assertNotIn(b"]11;?", shown)
        self.assertFalse(self.is_light(shown))

    def test_light_and_dark_are_options(self):
        environment = {"COLORTERM": "truecolor", "COLORFGBG": "0;15"}
        for choice in ("light", "dark"):
            shown = programs.succeed(*self.align("--color", choice), environment=environment)
            self.assertEqual(self.is_light(shown.encode()), choice == "light")

    def test_nothing_is_wider_than_the_terminal(self):
        """Heatmaps, epochs and figures fit on narrow and wide terminals. Colours take no columns."""
        for columns in (60, 80, 200):
            for colours in (COLOURS, {"TERM": "xterm", "NO_COLOR": "1"}):
                environment = {**colours, "COLORFGBG": "15;0"}
                for command in (self.align(), ["evaluate", *self.align()[1:5]], ["evaluate", *self.align()[1:5], "--details"],
                                ["train", "--data", self.corpus, "--out", self.folder / "wide", "--force", "--epochs", "1",
                                 *programs.TINY]):
                    shown = programs.stripped(programs.on_terminal(*command, environment=environment, columns=columns))
                    widest = max(shown.splitlines(), key=len)
                    self.assertLessEqual(len(widest), columns, f"{command[0]}: {widest}")
                    self.assertGreater(len(shown.splitlines()), 4)

    def test_translate_draws_what_align_draws(self):
        line = (self.corpus / "valid.tsv").read_text(encoding="utf-8").split("\t")[0] + "\n"
        written = programs.succeed("translate", "--run", self.run_folder, "--tokenized", stdin=line).strip()
        pair = programs.write_lines(self.folder / "written.tsv", [line.strip() + "\t" + written])
        forced = programs.succeed("align", "--run", self.run_folder, "--data", pair, "--format", "plot")
        greedy = programs.succeed("translate", "--run", self.run_folder, "--alignment", "plot", stdin=line)
        self.assertEqual(greedy.splitlines()[1], "sentence 1   greedy")
        rows = greedy.splitlines()[2:-2]  # without the legend; this model writes no </s> before the length limit
        self.assertGreater(len(rows), 3)
        drawn = forced.splitlines()[1:1 + len(rows)]  # here </s> follows, and the words are indented to its width
        self.assertEqual([row.lstrip() for row in rows], [row.lstrip() for row in drawn])


if __name__ == "__main__":
    unittest.main()
