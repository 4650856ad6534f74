"""Standard streams that are closed, full, endless or the user's own files: nothing of the user's is overwritten, and no
program is aborted."""

import fcntl
import os
import subprocess
import time
import unittest

import programs


class Streams(programs.WithRun):
    def shell(self, command):
        """Returns the finished process of a shell command with $B, $RUN, $CORPUS and $T, a folder for its files."""
        names = {"B": programs.BUILD, "RUN": self.run_folder, "CORPUS": self.corpus, "T": self.folder}
        return subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=600, check=False,
                              env={**os.environ, **{name: str(path) for name, path in names.items()}})

    def test_closed_output_goes_into_no_file_of_ours(self):
        tiny = " ".join(programs.TINY)
        for streams in [">&-", "<&- >&-"]:  # the lock and the journals are the first files that are open at the same time
            result = self.shell(f"$B/train --data $CORPUS --out $T/closed --force --epochs 2 {tiny} {streams}")
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn("standard output could not be written", result.stderr)
            self.assertEqual(len(programs.json_lines(self.folder / "closed" / "metrics.jsonl")), 2)
            self.assertEqual((self.folder / "closed" / "model.safetensors").read_bytes(),
                             (self.run_folder / "model.safetensors").read_bytes())

    def test_a_training_goes_on_whose_table_cannot_be_written(self):
        few, out = programs.tiny_corpus(self.folder / "few", train=8, valid=2), self.folder / "unseen"
        tiny = " ".join(programs.TINY)
        for stream in [" /dev/full", "&-"]:
            result = self.shell(f"$B/train --data {few} --out {out} --epochs 70 --track 0 --force {tiny} >{stream}")
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertEqual(result.stderr.count("error: "), 1)
            self.assertEqual(len(programs.json_lines(out / "metrics.jsonl")), 70)  # the table of epochs is longer than any buffer

    def test_messages_that_nobody_can_read_stop_nothing(self):
        whole = self.shell("$B/align --run $RUN --data $CORPUS/valid.tsv").stdout
        for name, streams in [("full", "2>/dev/full"), ("none", "2>&-"), ("two", ">&- 2>&-"), ("all", "<&- >&- 2>&-")]:
            with self.subTest(streams):
                result = self.shell(f"$B/align --run $RUN --data $CORPUS/valid.tsv --out $T/{name}.jsonl {streams}")
                self.assertEqual((self.folder / f"{name}.jsonl").read_text(encoding="utf-8"), whole)
                self.assertIn(result.returncode, [0, 1])
        for streams in ["2>/dev/full", "2>&-", ">/dev/full 2>&1"]:
            self.assertEqual(self.shell(f"$B/align --run nowhere --data x {streams}").returncode, 1)

    def test_descriptions_that_cannot_be_written(self):
        for command in ["train --help", "train --help-all", "view --version", "align --generate man", "softalign --help",
                        "softalign --version", "softalign --generate bash"]:
            result = self.shell(f"$B/{command} > /dev/full")
            self.assertEqual(result.returncode, 1, command)
            self.assertIn("error: ", result.stderr)

    def test_output_by_the_name_of_a_stream_is_added_to_what_is_there(self):
        whole = self.shell("$B/align --run $RUN --data $CORPUS/valid.tsv --format pharaoh").stdout
        align = "$B/align --run $RUN --data $CORPUS/valid.tsv --format pharaoh --out"
        for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]:
            with self.subTest(path):
                appended = self.folder / "appended"
                appended.write_text("header\n")
                self.assertEqual(self.shell(f"{align} {path} >> $T/appended").returncode, 0)
                self.assertEqual(appended.read_text(), "header\n" + whole)
                self.shell(f"(echo first; {align} {path}; echo last) > $T/appended")
                self.assertEqual(appended.read_text(), "first\n" + whole + "last\n")

    def test_a_link_to_a_file_that_is_not_there_yet_is_followed(self):
        self.shell("ln -s real.jsonl $T/link.jsonl; $B/align --run $RUN --data $CORPUS/valid.tsv --out $T/link.jsonl")
        self.assertTrue((self.folder / "link.jsonl").is_symlink())
        self.assertEqual(len(programs.json_lines(self.folder / "real.jsonl")), 20)

    def test_a_line_without_end_is_refused_after_the_limit(self):
        for source in ["/dev/zero", "<(head -c 40000000 /dev/zero | tr '\\0' a)"]:
            result = self.shell(f"$B/translate --run $RUN < {source}")
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn("standard input:1: the line has more than 16 MB", result.stderr)
        result = self.shell("(cat $CORPUS/valid.tsv; head -c 20000000 /dev/zero | tr '\\0' a) > $T/long.tsv;"
                            "$B/align --run $RUN --data $T/long.tsv")
        self.assertIn("long.tsv:21: the line has more than 16 MB", result.stderr)

    def test_input_that_somebody_made_non_blocking_is_waited_for(self):
        ours, its = os.pipe()
        os.set_blocking(ours, False)
        with subprocess.Popen([programs.BUILD / "translate", "--run", self.run_folder], stdin=ours, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            os.close(ours)
            for _ in range(2):
                time.sleep(0.3)
                os.write(its, b"i see\n")
            os.close(its)
            out, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        self.assertEqual(out.count("\n"), 2)

    def test_what_stands_around_a_bad_line_is_translated(self):
        good = ["i see"] * 5
        for bad in ["cat " * 500, b"\xff"]:
            lines = b"".join(line.encode() + b"\n" for line in good)
            bad = bad if isinstance(bad, bytes) else bad.encode()
            result = self.refused(1, "translate", "--run", self.run_folder, stdin=lines + bad + b"\ni see\n",
                                  says=["standard input:6: "])
            lines = result.stdout.splitlines()
            self.assertEqual((len(lines), lines[5], lines[6]), (7, "", lines[0]))

    def test_one_training_at_a_time(self):
        out = self.folder / "busy"
        out.mkdir()
        with open(out / ".lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            lock.write("process 42, since 2020-01-01 00:00:00")
            lock.flush()
            for arguments in [["--force"], []]:
                self.refused(1, "train", "--data", self.corpus, "--out", out, *programs.TINY, *arguments,
                             says=["process 42, since 2020-01-01 00:00:00"])
        programs.train(self.corpus, out)
        self.assertFalse((out / ".lock").exists())


if __name__ == "__main__":
    unittest.main()
