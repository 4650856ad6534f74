"""Words with control characters: no program sends these characters to a terminal, whatever the format. In a file or a pipe,
every program keeps all of their bytes."""

import os
import re
import shutil
import subprocess
import unittest

import programs

# An escape sequence that sets the title, C1's CSI, DEL, a character that reorders text, a line separator, and a sequence
# that clears the screen.
HOSTILE = ["a\x1b]0;x\x07", "b\x9b31m", "c\x7f", "d\u202e", "e\u2028f", "g\x1b[2J"]
COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def on_terminal(*arguments, stdin=b"", status=0):
    """Returns what the program shows on a terminal. The exit status must be `status`."""
    ours, its = programs.open_terminal(200)
    with subprocess.Popen([programs.BUILD / arguments[0], *map(str, arguments[1:])], stdin=subprocess.PIPE, stdout=its,
                          stderr=its, env={**os.environ, "TERM": "xterm"}) as process:
        os.close(its)
        process.stdin.write(stdin)
        process.stdin.close()
        shown = programs.read_terminal(ours)
    assert process.returncode == status, shown
    return shown.replace("\r\n", "\n")


class HostileWords(programs.WithRun):
    training = ["--tokenizer", "none", *programs.STEEP]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        words = " ".join(HOSTILE)
        cls.pairs = [f"{words} i see\tje vois {words}\t0-2 1-3 2-4\t{HOSTILE[0]},{HOSTILE[3]}"] * 3
        corpus = cls.folder / "hostile"
        corpus.mkdir()
        cls.test = programs.write_lines(corpus / "train.tsv", cls.pairs)
        shutil.copy(cls.test, corpus / "valid.tsv")
        cls.hostile = cls.folder / "hostile-run"
        programs.succeed("train", "--data", corpus, "--out", cls.hostile, *programs.TINY, *cls.training, "--epochs", "60",
                         "--batch", "1")
        cls.hostile_corpus = corpus

    def check(self, *arguments, stdin=b"", status=0, words=True):
        shown = on_terminal(*arguments, stdin=stdin, status=status)
        ours = programs.stripped(shown)  # removes the colours of drawings; no hostile word has one
        self.assertIsNone(COMMANDS.search(ours), (arguments, ascii(ours)))
        if words:
            self.assertRegex(ours, "\\\\u001b\\]0;x\\\\u0007|\ufffd\\]0;x", arguments)
        return ours

    def test_align_links_and_convert_in_every_format(self):
        run = ["--run", self.hostile, "--data", self.test]
        jsonl = self.folder / "hostile.jsonl"
        programs.succeed("align", *run, "--out", jsonl)
        self.assertIn(HOSTILE[1], jsonl.read_text(encoding="utf-8"))
        with_words = ["jsonl", "nematus", "sockeye", "tsv", "hard", "soft", "bertviz", "t2t", "plot", "svg"]
        for form in [*with_words, "pharaoh", "fairseq"]:
            for command in (["align", *run], ["convert", "--in", jsonl, "--from", "jsonl"]):
                self.check(*command, "--format", form, words=False)
        for form in ["tsv", "hard", "jsonl"]:
            shown = self.check("align", *run, "--format", form)
            piped = programs.succeed("align", *run, "--format", form)
            self.assertNotEqual(shown, piped)
            self.assertTrue(COMMANDS.search(piped), form)
            self.check("links", "--data", self.test, "--tokenizer", "none", "--format", form)
        self.check("align", *run, "--format", "plot", "--color", "always")

    def test_translate_score_and_evaluate(self):
        source = (self.pairs[0].split("\t")[0] + "\n").encode()
        for more in ([], ["--alignment", "hard"], ["--alignment", "soft"], ["--alignment", "plot"], ["--alignment", "jsonl"],
                     ["--beam", "3", "--n-best", "3"], ["--tokenized"]):
            self.check("translate", "--run", self.hostile, *more, stdin=source)
        self.check("score", "--run", self.hostile, "--data", self.test, words=False)
        self.check("evaluate", "--run", self.hostile, "--data", self.test, "--details")
        self.check("evaluate", "--run", self.hostile, "--data", self.test, "--json", words=False)
        # A note names the words that are not in the vocabulary.
        self.check("translate", "--run", self.run_folder, stdin=source)

    def test_train_replay_and_view(self):
        diverged = ["--lr", "1000", "--momentum", "0.9999", "--batch", "1", "--clip", "0", "--optimiser", "sgd",
                    "--schedule", "constant", *programs.TINY, "--tokenizer", "none"]
        folder = self.folder / HOSTILE[0]
        shutil.copytree(self.hostile_corpus, folder)
        self.check("train", "--data", folder, "--out", self.folder / "bad", *diverged, status=1)
        self.check("train", "--replay", self.folder / "bad" / "diverged.safetensors")
        run = shutil.copytree(self.hostile, folder / "run")
        self.check("train", "--data", folder, "--out", folder / "second", "--epochs", "1", *programs.TINY,
                   "--tokenizer", "none")
        self.check("view", "--run", run, "--data", self.test, "--out", folder / "page.html")

    def test_questions_and_pairs_of_sentences(self):
        data = self.folder / "moves"
        data.mkdir()
        programs.moves(data)
        for name in ("train.tsv", "valid.tsv"):
            text = (data / name).read_text().replace("kitchen", HOSTILE[0]).replace("office", HOSTILE[0])
            (data / name).write_text(text)
        run = self.folder / "asked"
        programs.succeed("train", "--data", data, "--batch", "4", "--threads", "1", "--epochs", "8", "--tokenizer", "none",
                         "--out", run)
        story = programs.write_lines(self.folder / "story", [f"mary went to the {HOSTILE[0]}"])
        for more in ([], ["--n-best", "9"], ["--alignment", "plot"], ["--alignment", "jsonl"]):
            self.check("answer", "--run", run, story, "where is mary ?", *more, words=more != [])
        data = self.folder / "judged"
        data.mkdir()
        lines = [f"a {word} dog\ta red dog\t{label}\t0-0" for word, label in (("red", "yes"), ("old", HOSTILE[0])) for _ in range(8)]
        programs.write_lines(data / "train.tsv", lines)
        programs.write_lines(data / "valid.tsv", lines[:2] + lines[-2:])
        (data / "task").write_text("entailment\n")
        run = self.folder / "judge"
        programs.succeed("train", "--data", data, "--batch", "4", "--threads", "1", "--epochs", "2", "--tokenizer", "none",
                         "--out", run)
        for more in (["--n-best", "2"], ["--n-best", "2", "--alignment", "jsonl"]):
            self.check("entail", "--run", run, f"a {HOSTILE[0]} dog", "a red dog", *more)


if __name__ == "__main__":
    unittest.main()
