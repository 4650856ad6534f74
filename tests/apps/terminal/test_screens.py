"""Output of the programs on terminals of 60, 80 and 200 columns, dark, light and without colours, and in a pipe. A terminal
emulator reads the output (pyte, Debian's python3-pyte). Without it, these tests are skipped."""

import os
import subprocess
import sys
import unittest

import programs

sys.path.append("/usr/lib/python3/dist-packages")  # Debian's packages, also for another Python than Debian's
try:
    import pyte
except ImportError:
    pyte = None

COLUMNS = (60, 80, 200)
DARK = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "", "COLORFGBG": "15;0"}
LIGHT = {**DARK, "COLORFGBG": "0;15"}
FEW = {**DARK, "COLORTERM": ""}
PLAIN = {**DARK, "NO_COLOR": "1"}
SCHEMES = {"dark": DARK, "light": LIGHT, "256 colours": FEW, "no colours": PLAIN}
PROGRAMS = ("make_corpus", "train", "translate", "caption", "entail", "answer", "align", "links", "convert", "evaluate", "score",
            "average", "view", "reproduce", "softalign")
WIDE = 4 * max(COLUMNS)  # the emulator wraps no line, so lines that are too wide can be found


def screen_of(text):
    """Returns the emulator's screen. Its attribute `widest` is the last column that was ever used, even if only for a
    moment."""
    class Screen(pyte.Screen):
        widest = 0

        def draw(self, data):
            super().draw(data)
            self.widest = max(self.widest, self.cursor.x)
    screen = Screen(WIDE, text.count("\n") + 2)
    pyte.Stream(screen).feed(text.replace("\n", "\r\n"))
    return screen


def lines_of(screen):
    """Returns the lines of the screen. (Its attribute .display is the same, but takes seconds for such a wide screen.)"""
    rows = [screen.buffer[y] for y in range(screen.lines)]
    return ["".join(row[x].data for x in range(max(row, default=-1) + 1)).rstrip() for row in rows]


def too_wide(screen, columns):
    """Returns the lines that reach beyond the terminal's last column. A single word that is too long, such as a path, cannot
    be broken and is allowed."""
    lines = lines_of(screen)
    if screen.widest > max(map(len, lines)):  # a line in place was wider, and has been erased
        return [screen.widest] if screen.widest > columns else []
    return [line for line in lines if len(line) > columns >= max(map(len, line.split())) + 8]


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@unittest.skipIf(pyte is None, "pyte is not installed (Debian: python3-pyte)")
class Screens(programs.WithRun):
    training = [*programs.STEEP]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.data = cls.corpus / "valid.tsv"
        cls.records = cls.folder / "records.jsonl"
        programs.succeed("align", "--run", cls.run_folder, "--data", cls.data, "--out", cls.records)
        cls.kept = programs.train(cls.corpus, cls.folder / "kept", "--keep-epochs", "2")
        cls.resumed = programs.train(cls.corpus, cls.folder / "resumed", *cls.training)
        run, data, out = ["--run", cls.run_folder], ["--data", cls.data], cls.folder / "out"
        cls.commands = [
            ["evaluate", *run, *data], ["evaluate", *run, *data, "--details"],
            ["translate", *run, "--alignment", "plot", "i see the old man"], ["translate", *run, "i sse zyzzyva"],
            ["align", *run, *data, "--format", "plot"], ["align", *run, *data, "--out", out],
            ["links", *data, "--out", out], ["links", *data, "--format", "plot"],
            ["convert", cls.records, "--format", "plot"],
            ["train", "--data", cls.corpus, "--out", cls.folder / "new", "--force", "--epochs", "2", *programs.TINY],
            ["train", "--resume", "--out", cls.resumed],
            ["make_corpus", "split", cls.corpus / "train.tsv", "--valid", "9", "--test", "9", "--out", cls.folder / "parts", "--force"],
            ["make_corpus", "copy", "--split", "train=50,valid=9", "--out", cls.folder / "drawn", "--force"],
            ["average", "--run", cls.kept, "--out", cls.folder / "mean", "--force"],
            ["view", *run, *data, "--out", out], ["softalign"]]

    def test_nothing_is_wider_than_the_terminal_and_all_of_it_can_be_read(self):
        for command in self.commands:
            for columns in COLUMNS:
                for scheme, environment in SCHEMES.items():
                    with self.subTest(program=command[0], columns=columns, scheme=scheme):
                        screen = screen_of(programs.on_terminal(*command, environment=environment, columns=columns))
                        self.assertGreater(len("".join(lines_of(screen))), 60)
                        self.assertEqual(too_wide(screen, columns), [])
                        self.check_colours(screen, scheme)

    def check_colours(self, screen, scheme):
        paper = "ffffff" if scheme == "light" else "000000"
        for line in screen.buffer.values():
            for cell in line.values():
                if scheme == "no colours":
                    self.assertEqual((cell.fg, cell.bg, cell.bold), ("default", "default", False))
                elif (cell.fg, cell.bg) != ("default", "default") and cell.data != " ":
                    ink = paper.translate(str.maketrans("0f", "f0")) if cell.fg == "default" else cell.fg
                    below = paper if cell.bg == "default" else cell.bg
                    self.assertGreaterEqual(contrast(ink, below), 3, cell)

    def test_help_of_all_programs(self):
        for program in PROGRAMS:
            for form in ("--help", "--help-all"):
                for columns in COLUMNS:
                    with self.subTest(program=program, form=form, columns=columns):
                        screen = screen_of(programs.on_terminal(program, form, environment=DARK, columns=columns))
                        self.assertEqual(too_wide(screen, columns), [])
                        self.assertIn("Usage: ", "\n".join(lines_of(screen)))

    def test_help_of_a_program_in_a_deep_folder(self):
        deep = self.folder / "a-folder-whose-name-is-longer-than-a-terminal-of-sixty-columns-is-wide"
        deep.mkdir()
        (deep / "train").symlink_to(programs.BUILD.resolve() / "train")
        screen = screen_of(programs.on_terminal(deep / "train", "--help", environment=DARK, columns=min(COLUMNS)))
        self.assertEqual([line for line in lines_of(screen) if "more options" in line and str(deep) in line], [])
        self.assertEqual(too_wide(screen, min(COLUMNS)), [])

    def test_a_mistake(self):
        mistakes = [["links", "--symmetrise", "grow-diag"], ["train", "--vocab", "file"], ["translate", "--run", "nowhere"],
                    ["train", "--data", "nowhere", "--out", "out"], ["convert", self.data, "--from", "svg"], ["reproduce", "vaswani"]]
        for command in mistakes:
            for columns in COLUMNS:
                with self.subTest(command=command, columns=columns):
                    ours, its = programs.open_terminal(columns)
                    with subprocess.Popen([programs.BUILD / command[0], *map(str, command[1:])], stdin=subprocess.DEVNULL, stdout=its,
                                          stderr=its, env={**os.environ, **DARK}) as process:
                        os.close(its)
                        screen = screen_of(programs.read_terminal(ours).replace("\r\n", "\n"))
                    self.assertIn(process.returncode, (1, 2))
                    self.assertEqual(too_wide(screen, columns), [])
                    self.assertIn("error: ", "\n".join(lines_of(screen)))

    def test_a_pipe_gets_neither_colours_nor_lines_that_are_rewritten(self):
        for command in self.commands:
            with self.subTest(program=command[0]):
                result = programs.run(*command, environment={**DARK, "COLUMNS": "80"})
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertNotRegex(result.stdout + result.stderr, "[\x1b\r]")
                if command[0] in ("evaluate", "links") or "plot" in command:
                    lines = result.stdout.splitlines()
                    self.assertLessEqual(max(map(len, lines), default=0), 80, lines)
        for program in PROGRAMS:
            shown = programs.succeed(program, "--help", environment=DARK)
            self.assertLessEqual(max(map(len, shown.splitlines())), 80)
            self.assertNotIn("\x1b", shown)


if __name__ == "__main__":
    unittest.main()
