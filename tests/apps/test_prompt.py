"""The prompt of translate on a pseudo-terminal: it edits lines and remembers them, and restores the terminal's settings."""

import os
import subprocess
import tempfile
import termios
import time
import unittest
from pathlib import Path

import programs


class Prompt(programs.WithRun):
    def translate(self, text):
        return programs.succeed("translate", "--run", self.run_folder, stdin=text)

    def converse(self, typed, environment):
        """Returns standard output and the text on the terminal after a person has typed the keys and Ctrl-D."""
        ours, theirs = programs.open_terminal()
        settings = termios.tcgetattr(theirs)
        with subprocess.Popen([programs.BUILD / "translate", "--run", self.run_folder], stdin=theirs, stderr=theirs,
                              stdout=subprocess.PIPE, env={**os.environ, "TERM": "xterm", **environment}) as process:
            shown = b""
            for keys in [*typed, b"\x04"]:
                before = shown.count(b"\n> ")  # counts prompts, but not prompts that are redrawn
                while shown.count(b"\n> ") == before:
                    shown += os.read(ours, 1 << 16)
                while environment.get("TERM") != "dumb" and termios.tcgetattr(theirs)[3] & termios.ICANON:
                    time.sleep(0.01)  # libedit shows the prompt first and reads keys after that
                os.write(ours, keys)
            out = process.stdout.read()
            self.assertEqual(process.wait(timeout=60), 0, shown)
        self.assertEqual(termios.tcgetattr(theirs), settings)  # the settings of the terminal are restored
        os.close(theirs)
        os.close(ours)
        return out.decode(), shown.decode(errors="replace")

    def test_the_prompt_edits_and_remembers(self):
        up, left, home = b"\x1b[A", b"\x1b[D", b"\x01"
        with tempfile.TemporaryDirectory() as name:
            environment = {"XDG_STATE_HOME": name, "HOME": name}
            once = self.translate("i see\n")
            out, _ = self.converse([b"isee" + left * 3 + b" \n"], environment)
            self.assertEqual(out, once)  # the missing space was inserted
            history = Path(name) / "softalign" / "translate_history"
            self.assertEqual(history.read_text(encoding="utf-8"), "i see\n")
            out, _ = self.converse(["été\n".encode(), up + up + home + b"\n"], environment)
            self.assertEqual(out, self.translate("été\ni see\n"))  # the second line comes from an earlier day
            self.assertEqual(history.read_text(encoding="utf-8"), "i see\nété\ni see\n")
            history.unlink()
            history.parent.rmdir()
            history.parent.touch()  # no folder can be made, so nothing is remembered, and there is no error
            self.assertEqual(self.converse([b"i see\n"], environment)[0], once)

    def test_a_person_is_told_how_to_end(self):
        with tempfile.TemporaryDirectory() as name:
            environment = {"XDG_STATE_HOME": name, "TERM": "dumb"}
            out, shown = self.converse([b"i see\n"], environment)
            self.assertIn("type a sentence to translate; Ctrl-D ends\r\n> ", shown)
            self.assertNotIn("looks like a command", shown)
            for typed in (b"quit\n", b" /help \n", b"exit\n", b"help\n"):
                out, shown = self.converse([typed, b"i see\n"], environment)
                self.assertEqual(out, self.translate("i see\n"))
                self.assertIn("note: this line is not translated, because it looks like a command. Ctrl-D ends", shown)
            self.assertEqual(self.translate("quit\n").count("\n"), 1)  # in a pipe, quit is text
            self.assertNotEqual(self.translate("quit\n"), "\n")

    def test_a_dumb_terminal_is_not_edited(self):
        with tempfile.TemporaryDirectory() as name:
            out, shown = self.converse([b"i see\n"], {"XDG_STATE_HOME": name, "TERM": "dumb"})
            self.assertEqual(out, self.translate("i see\n"))
            self.assertNotIn("\x1b", shown)
            self.assertEqual(list(Path(name).iterdir()), [])


if __name__ == "__main__":
    unittest.main()
