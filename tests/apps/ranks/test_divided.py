"""translate, align and evaluate write the same bytes in several processes as in one. An error is reported once."""

import re
import shutil
import subprocess
import sys
import time
import unittest
from pathlib import Path

import programs

sys.path.insert(0, str(Path(__file__).resolve().parent))
import processes  # noqa: E402


def spoken(text):
    """Returns standard error without the line about the machine."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("softalign "))


def without_mpirun(text):
    """Returns the text without mpirun's messages. mpirun prints blocks between dashes. When all processes end, its help may
    be missing, and mpirun prints lines that start with the host and the process."""
    return re.sub(r"^-{20,}\n(?s:.*?)^-{20,}\n|^\[\S+:\d+\] .*\n", "", text, flags=re.MULTILINE)


def taken(files):
    """Returns the contents of these files, None for missing ones, and removes the files."""
    held = [path.read_bytes() if path.exists() else None for path in files]
    for path in files:
        path.unlink(missing_ok=True)
    return held


@unittest.skipUnless(processes.HAS_MPI, "no mpirun, or a build without MPI")
class Divided(programs.WithRun):
    training = programs.STEEP

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        lines = [line.split("\t")[0] for line in programs.short_pairs("test.tsv", 40)]
        lines[3:3] = ["", "zyzzyva i", ""]
        lines[17] = "flurb " + lines[17]
        cls.lines = "".join(line + "\n" for line in lines).encode()
        cls.pairs = programs.write_lines(cls.folder / "pairs.tsv", programs.short_pairs("test.tsv", 150))
        cls.few = programs.write_lines(cls.folder / "few.tsv", programs.short_pairs("test.tsv", 7, words=6))

    def same(self, ranks, program, *arguments, stdin=b"", files=()):
        """Requires that one process and `ranks` processes write the same bytes to all streams and files. Returns the
        finished process."""
        words = [program, "--run", self.run_folder, "--threads", "1", *arguments]
        one = programs.run(*words, stdin=stdin)
        written = taken(files)
        many = processes.together(ranks, *words, stdin=stdin)
        self.assertEqual(many.stdout, one.stdout)
        self.assertEqual(spoken(without_mpirun(many.stderr)), spoken(one.stderr))
        self.assertEqual(many.returncode, one.returncode, many.stderr)
        self.assertEqual(taken(files), written)
        return one

    def test_translate(self):
        for ranks, *options in ((2, "--batch", "4"), (3, "--batch", "4"), (3, "--batch", "5", "--beam", "3", "--n-best", "2"),
                                (2, "--batch", "3", "--alignment", "jsonl"), (3, "--batch", "6", "--sample", "2"),
                                (2, "--batch", "4", "--int8"), (3, "--batch", "100")):
            with self.subTest(ranks=ranks, options=options):
                one = self.same(ranks, "translate", *options, stdin=self.lines)
                self.assertRegex(one.stderr, "note: \"zyzzyva\" is not in the vocabulary, .*\n(note: .*\n)*note: [0-9]+ more words are not in the vocabulary\n")
        self.same(2, "translate", stdin=b"")

    def test_a_line_that_is_bad_is_named_and_all_others_are_there(self):
        lines = self.lines.splitlines(keepends=True)
        for bad, says in ((b"word " * 200, "standard input:19: the line has 200 words"), (b"\xff\xfe", "standard input:19: ")):
            with self.subTest(bad=bad[:4]):
                one = self.same(3, "translate", "--batch", "4", stdin=b"".join([*lines[:18], bad + b"\n", *lines[18:]]))
                self.assertEqual(one.returncode, 1)
                answers = one.stdout.splitlines()
                self.assertEqual((len(answers), answers[18]), (len(lines) + 1, ""))
                self.assertIn(says, one.stderr)

    def test_lines_are_answered_as_they_come(self):
        words = processes.command(2, "translate", "--run", self.run_folder, "--threads", "1")
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env=processes.ENVIRONMENT) as job:
            for line in (b"i know\n", b"you know\n"):
                job.stdin.write(line)
                job.stdin.flush()
                self.assertTrue(job.stdout.readline().strip())  # without a translation, readline would wait for ever
            job.stdin.close()
            self.assertEqual(job.wait(60), 0)

    def test_evaluate(self):
        for options in (["--json"], ["--beam", "2", "--bucket", "3"]):
            with self.subTest(options=options):
                self.same(3, "evaluate", "--data", self.pairs, *options)

    def test_align(self):
        out, lexicon = self.folder / "alignments", self.folder / "lexicon.tsv"
        for options in (["--out", out], ["--scores"], ["--format", "svg", "--out", out], ["--out", out, "--lexicon", lexicon],
                        ["--format", "hard", "--rule", "mutual"]):
            with self.subTest(options=options):
                self.same(2, "align", "--data", self.pairs, *options, files=[out, lexicon])
        self.same(3, "align", "--data", self.few, "--intervene", "all", "--scores")

    def test_what_cannot_be_done_is_said_once(self):
        out = self.folder / "none"
        for status, program, *options in ((2, "align", "--data", self.pairs, "--shift", "1", "--out", out),
                                          (1, "evaluate", "--data", self.folder / "nothing.tsv"),
                                          (1, "align", "--data", self.few, "--intervene", "force", "--on", "5", "--out", out),
                                          (1, "align", "--data", self.few, "--intervene", "force", "--on", "5"),
                                          (2, "translate", "--beams", "3")):
            with self.subTest(program=program, options=options):
                self.assertEqual(self.same(2, program, *options, files=[out]).returncode, status)
                self.assertFalse(out.exists())

    def test_other_pairs_in_one_rank_are_refused(self):
        folders = [self.folder / "first", self.folder / "second"]
        for folder, pairs in zip(folders, (self.pairs, self.few)):
            folder.mkdir()
            shutil.copy(pairs, folder / "test.tsv")
        options = f"--run {self.run_folder} --threads 1 --data test.tsv"
        result = processes.run(processes.by_place(self.folder, "evaluate", options, *folders))
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"process 1 has different pairs than process 0", result.stderr)
        self.assertEqual(result.stdout, b"")

    def test_other_options_in_one_rank_are_refused(self):
        """A rank with other options would wait for messages that never come, or would print a part of the lines."""
        run = f"--run {self.run_folder} --threads 1"
        for program, first, others in (("translate", f"{run} --batch 4", f"{run} --batch 32"), ("translate", run, "--help"),
                                       ("align", f"{run} --data {self.pairs}", f"{run} --data {self.pairs} --scores"),
                                       ("evaluate", f"{run} --data {self.pairs} --json", f"{run} --data {self.pairs}")):
            with self.subTest(program=program, others=others):
                result = processes.run(processes.by_rank(self.folder, program, first, others), self.lines)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(b"error: the processes have different command lines", result.stderr)
                self.assertIn(f"\n  process 1: {program} {others}".encode()[:100], result.stderr)
                self.assertEqual(result.stdout, b"")

    def test_the_death_of_one_ends_all(self):
        out = self.folder / "never"
        pairs = programs.write_lines(self.folder / "many.tsv", programs.short_pairs("train.tsv", 4000))
        with subprocess.Popen(processes.command(3, "align", "--run", self.run_folder, "--data", pairs, "--scores", "--threads", "1", "--out", out),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=processes.ENVIRONMENT, stdin=subprocess.DEVNULL,
                              text=True) as job:
            while not list(self.folder.glob("never.tmp*")):
                self.assertIsNone(job.poll(), "it ended before it could be stopped")
                time.sleep(0.001)
            printed = processes.kill_last(job)
        self.assertNotEqual(job.returncode, 0)
        self.assertRegex(printed, r"rank \d.*signal 9")
        self.assertFalse(out.exists())


if __name__ == "__main__":
    unittest.main()
