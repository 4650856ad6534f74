"""Programs are killed at any call that changes a file, or the disk fails at such a call. No existing file is lost, and a
stopped training continues to the same bytes.

A sample of the calls is tried. SOFTALIGN_FAULTS=all tries every call, which takes an hour on two cores."""

import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "apps"))
import programs  # noqa: E402

PRELOAD = programs.BUILD / "tests" / "libsoftalign_faults.so"
ALL = os.environ.get("SOFTALIGN_FAULTS") == "all"
KILLED = -signal.SIGKILL
SMALL = ["--epochs", "2", "--batch", "8", "--save-every", "2", "--keep-epochs", "1", "--track", "1", *programs.TINY]


def sample(total, most):
    """Returns evenly spaced calls from the first to the last, or all calls."""
    count = total if ALL else min(total, most)
    return sorted({1 + i * (total - 1) // max(1, count - 1) for i in range(count)})


def under(arguments, **fault):
    """Returns the finished program. Its messages are text."""
    names = {f"FAULT_{name.upper()}" if name != "fault" else "FAULT": str(value) for name, value in fault.items()}
    return subprocess.run([programs.BUILD / arguments[0], *map(str, arguments[1:])], capture_output=True, text=True, timeout=600,
                          check=False, env={**os.environ, "LD_PRELOAD": str(PRELOAD), **names})


def models(study):
    return {path.parent.name: path.read_bytes() for path in study.glob("runs/*/model.safetensors")}


def drawn(folder):
    """Returns the files without the marks of softalign's folders and temporary files."""
    return {name: text for name, text in programs.files_below(folder).items()
            if name != ".lock" and not name.endswith("/.softalign") and ".tmp-softalign-" not in name}


def is_whole(run, model):
    return (run / "evaluation.json").exists() and (run / "model.safetensors").read_bytes() == model


class Faults(programs.WithRun):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.few = programs.tiny_corpus(cls.folder / "few", train=24, valid=6)
        cls.out = cls.folder / "out"
        cls.train = ["train", "--data", cls.few, *SMALL, "--out", cls.out]
        cls.replace = [*cls.train, "--seed", "2", "--force"]
        start = time.monotonic()
        cls.old, cls.whole = cls.outcome("old", cls.train)
        cls.seconds = time.monotonic() - start
        _, cls.new = cls.outcome("new", cls.replace)

    @classmethod
    def outcome(cls, name, arguments):
        """Returns a copy of the --out that an undisturbed program leaves, and its files."""
        shutil.rmtree(cls.out, ignore_errors=True)
        programs.succeed(*arguments)
        return shutil.copytree(cls.out, cls.folder / name), programs.contents(cls.out)

    def lay(self, folder=None):
        """Makes --out a copy of this folder, or removes it."""
        shutil.rmtree(self.out, ignore_errors=True)
        if folder:
            shutil.copytree(folder, self.out)

    def calls(self, arguments, **fault):
        count = self.folder / "count"
        result = under(arguments, count=count, **fault)
        self.assertEqual(result.returncode, 0, result.stderr)
        return int(count.read_text())

    def killed_twice(self, arguments, at, first=(KILLED,), **fault):
        """Kills the program at the call `at`, then kills it once more while it continues."""
        result = under(arguments, at=at, fault="kill", **fault)
        self.assertIn(result.returncode, first, result.stderr)
        again = under(arguments, at=1 + at // 2, fault="kill", **fault)
        self.assertIn(again.returncode, [0, KILLED, *first], again.stderr)

    def go_on(self, train=None):
        """Continues as a person would: resumes, or starts again if nothing was saved. Returns the files."""
        saved = (self.out / "last.safetensors").exists()
        programs.succeed(*(["train", "--resume", "--out", self.out] if saved else [*(train or self.train), "--force"]))
        return programs.contents(self.out)

    def is_killed_and_goes_on(self, train, whole, most):
        """Kills this training at some calls, and once more after it is resumed. In the end, the files must equal those of an
        undisturbed training."""
        self.lay()
        for at in sample(self.calls(train), most):
            with self.subTest(at=at):
                self.lay()
                self.assertEqual(under(train, at=at, fault="kill").returncode, KILLED)
                if (self.out / "last.safetensors").exists():
                    again = under(["train", "--resume", "--out", self.out], at=1 + at // 2, fault="kill")
                    self.assertIn(again.returncode, [0, KILLED], again.stderr)
                self.assertEqual(self.go_on(train), whole)

    def test_a_training_is_killed(self):
        self.is_killed_and_goes_on(self.train, self.whole, 12)

    def test_a_training_over_pictures_or_stories_is_killed(self):
        for task, model in ("shapes", "show-attend-tell"), ("facts", "memory-network"):
            with self.subTest(task=task):
                drawn = self.folder / task
                programs.succeed("make_corpus", task, "--split", "train=24,valid=4", "--out", drawn)
                train = ["train", "--data", drawn, *SMALL, "--out", self.out]
                _, whole = self.outcome(f"{task}-whole", train)
                self.assertEqual(json.loads(whole["config.json"])["model"], model)
                self.is_killed_and_goes_on(train, whole, 6)

    def test_a_training_is_killed_at_any_moment(self):
        moments = random.Random(1)
        for _ in range(200 if ALL else 4):
            self.lay()
            with subprocess.Popen([programs.BUILD / "train", *map(str, self.train[1:])], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as process:
                time.sleep(moments.uniform(0, self.seconds))
                process.kill()
            self.assertEqual(self.go_on(), self.whole)

    def test_a_training_that_replaces_another_is_killed(self):
        self.lay(self.old)
        seen = set()
        for at in sample(self.calls(self.replace), 12):
            with self.subTest(at=at):
                self.lay(self.old)
                self.assertEqual(under(self.replace, at=at, fault="kill").returncode, KILLED)
                programs.succeed("train", "--resume", "--out", self.out)  # either the old or the new run is there
                found = programs.contents(self.out)
                self.assertIn(found, [self.whole, self.new])
                seen.add(found == self.whole)
        self.assertEqual(seen, {True, False})

    def test_an_average_is_killed(self):
        kept = programs.train(self.few, self.folder / "kept", "--keep-epochs", "2")
        average = ["average", "--run", kept, "--out", self.out, "--force"]
        _, mean = self.outcome("mean", average)
        self.lay(self.old)
        for at in sample(self.calls(average), 6):
            with self.subTest(at=at):
                self.lay(self.old)
                self.killed_twice(average, at)
                programs.succeed(*average)
                self.assertEqual(programs.contents(self.out), mean)

    def test_a_file_is_the_old_one_or_the_new_one(self):
        folder = self.folder / "files"
        folder.mkdir()
        file = folder / "alignments.jsonl"
        align = ["align", "--run", self.run_folder, "--data", self.few / "valid.tsv", "--out", file, "--threads", "1"]
        total = self.calls(align)
        new = file.read_bytes()
        for fault in ["kill", errno.ENOSPC, errno.EIO]:
            for at in range(1, total + 1):
                with self.subTest(fault=fault, at=at):
                    file.write_bytes(b"old")
                    result = under(align, at=at, fault=fault)
                    left = [path for path in folder.iterdir() if path != file]
                    if fault == "kill":
                        self.assertEqual(result.returncode, KILLED)
                        self.assertIn(file.read_bytes(), [b"old", new])
                        if left and (at % 3 == 0 or ALL):
                            programs.succeed(*align)
                            self.assertEqual(list(folder.iterdir()), [file])
                        for path in left:
                            path.unlink(missing_ok=True)
                    else:
                        self.assertIn(result.returncode, [0, 1])
                        self.assertEqual(file.read_bytes(), b"old" if result.returncode else new)
                        self.assertEqual(left, [])

    def is_replaced_whole(self, folder, source, most):
        """Replaces a corpus by one of another seed, while the program is killed once or twice, or the disk fails."""
        draw = ["make_corpus", *source, "--out", folder, "--force", "--seed"]
        programs.succeed(*draw, "1")
        old = drawn(folder)
        total = self.calls([*draw, "2"])
        new = drawn(folder)
        self.assertNotEqual(old, new)
        for fault in ["kill", errno.ENOSPC]:
            for at in sample(total, most):
                with self.subTest(fault=fault, at=at):
                    programs.succeed(*draw, "1")
                    result = under([*draw, "2"], at=at, fault=fault)
                    self.assertIn(result.returncode, [KILLED] if fault == "kill" else [0, 1], result.stderr)
                    left = drawn(folder)
                    waiting = {name[5:]: text for name, text in left.items() if name.startswith(".new/")}
                    whole = {name: text for name, text in left.items() if not name.startswith(".new")}
                    self.assertIn({**whole, **waiting}, [old, new])
                    if fault == "kill":
                        self.killed_twice([*draw, "2"], 1 + at // 2, first=(0, KILLED))
                    else:  # complete files may wait; incomplete files are removed
                        self.assertEqual([name for name in left if name.startswith(".new.part")], [])
                    programs.succeed(*draw, "2")
                    self.assertTrue(drawn(folder) == new)

    def test_a_corpus_that_replaces_another_is_killed(self):
        grammar = programs.TOY / "en-fr.grammar"
        self.is_replaced_whole(self.folder / "drawn", ["--grammar", grammar, "--split", "train=9,valid=3"], 8)

    def test_a_corpus_of_pictures_that_replaces_another_is_killed(self):
        self.is_replaced_whole(self.folder / "redrawn", ["shapes", "--split", "train=3,valid=2"], 4)

    def test_a_corpus_of_pictures_is_killed(self):
        """Generating again either finds nothing and generates, or finds the complete corpus and is refused."""
        folder = self.folder / "pictures"
        draw = ["make_corpus", "shapes", "--split", "train=3,valid=2", "--out", folder]
        total = self.calls(draw)
        whole = programs.files_below(folder)
        self.assertEqual(sum(name.endswith(".png") for name in whole), 5)
        for at in sample(total, 8):
            with self.subTest(at=at):
                shutil.rmtree(folder)
                self.killed_twice(draw, at, first=(KILLED, 1))
                again = programs.run(*draw)
                self.assertIn(again.returncode, [0, 1], again.stderr)
                if again.returncode:
                    self.assertIn("already exists. Choose another --out", again.stderr)
                left = programs.files_below(folder)
                left.pop(".lock", None)  # the lock belongs to a process that has ended
                self.assertEqual(sorted(left), sorted(whole))
                self.assertTrue(left == whole)

    def test_a_study_is_killed(self):
        """The study is also killed while it replaces an older one. The older runs come back when they are needed again."""
        corpus, out = shutil.copytree(self.few, self.folder / "studied"), self.folder / "papers"
        shutil.copy(corpus / "valid.tsv", corpus / "test.tsv")
        study = ["reproduce", "sutskever", "--data", corpus, "--out", out, "--threads", "1", "--epochs"]
        programs.succeed(*study, "1")
        first = models(out)
        old = shutil.copytree(out, self.folder / "papers-before")
        total = self.calls([*study, "2"], program="reproduce")
        second = models(out)
        for number, at in enumerate(sample(total, total) if ALL else [total // 3]):
            with self.subTest(at=at):
                shutil.rmtree(out)
                shutil.copytree(old, out)
                program = "train" if number % 4 == 3 else "reproduce"
                self.killed_twice([*study, "2"], at, first=(KILLED, 1), program=program)
                done = [is_whole(out / "runs" / name, model) for name, model in second.items()]
                kept = [not new and any(is_whole(out / "runs" / f"{name}{place}", model)
                                        for place in ("", ".replaced/run", ".replaced.part/run"))
                        for (name, model), new in zip(first.items(), done)]
                self.assertEqual([not new for new in done], kept)  # for each run, either the old model or the new model is there
                if number % 2:
                    programs.succeed(*study, "2")
                    self.assertEqual(models(out), second)
                else:
                    self.assertEqual(programs.succeed(*study, "1").count("done before"), sum(kept))
                    self.assertEqual(models(out), first)
                self.assertEqual([*out.rglob("*.replaced*"), *out.rglob("*.tmp*"), *out.rglob(".lock")], [])

    def test_a_training_whose_disk_fails(self):
        self.lay()
        for number, at in enumerate(sample(self.calls(self.train), 12)):
            fault, stays = (errno.ENOSPC, 1) if number % 2 else (errno.EIO, 0)
            with self.subTest(at=at, fault=fault):
                self.lay()
                result = under(self.train, at=at, fault=fault, stays=stays)
                if result.returncode != 0:
                    self.assertEqual(result.returncode, 1, result.stderr)
                    self.assertRegex(result.stderr, f"error: .*{self.out}.*{os.strerror(fault)}")
                self.assertEqual(list(self.folder.glob("out/*.tmp*")), [])
                self.assertEqual(self.go_on(), self.whole)

    def test_a_disk_that_fails_under_a_training_that_replaces_another(self):
        self.lay(self.old)
        for number, at in enumerate(sample(self.calls(self.replace), 8)):
            with self.subTest(at=at):
                self.lay(self.old)
                result = under(self.replace, at=at, fault=errno.ENOSPC, stays=number % 2)
                self.assertIn(result.returncode, [0, 1], result.stderr)
                programs.succeed("train", "--resume", "--out", self.out)
                self.assertIn(programs.contents(self.out), [self.whole, self.new])


if __name__ == "__main__":
    unittest.main()
