"""Output folders: a program leaves other people's files as they are and does not follow links. If a folder is replaced while
a program writes, the new folder belongs to whoever made it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import programs  # noqa: E402

SMALL = ["--keep-epochs", "2", *programs.TINY]
STRANGERS = {".lock": "x", "notes.tmp99999-1": "y", "config.json.tmp99999-1": "z", "replaced/a.txt": "a",
             "replaced.part/b.txt": "b", ".new/c.tsv": "c", ".new.part/d.tsv": "d"}


def state(folder):
    """Returns every name below the folder with its content. The content of a link is its target."""
    return {str(path.relative_to(folder)): os.readlink(path) if path.is_symlink() else
            path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


class RunFolder(programs.WithRun):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.corpus = programs.tiny_corpus(cls.folder / "few", train=24, valid=6)
        cls.train = ["train", "--data", cls.corpus, *SMALL, "--epochs", "2"]
        cls.kept = cls.folder / "kept"
        programs.succeed(*cls.train, "--out", cls.kept)

    def setUp(self):
        self.out = self.folder / self.id().rsplit(".", maxsplit=1)[-1]

    def strangers(self, folder, names=tuple(STRANGERS)):
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(STRANGERS[name])
        return state(folder)

    def is_refused(self, folder, *arguments, message):
        before = state(folder)
        result = programs.run(*arguments)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn(message, result.stderr)
        self.assertEqual(state(folder), before)

    def test_a_refused_command_changes_nothing(self):
        self.strangers(self.out)
        self.is_refused(self.out, *self.train, "--out", self.out, message="not empty")
        self.is_refused(self.out, "average", "--run", self.kept, "--out", self.out, message="not empty")
        for force in [], ["--force"]:
            self.is_refused(self.out, "make_corpus", "reverse", "--pairs", "5", *force, "--out", self.out,
                            message="already exists and softalign did not write it")

    def test_force_and_resume_leave_what_is_not_ours(self):
        for name in "replaced/a.txt", "replaced.part/b.txt", ".lock":
            with self.subTest(name=name):
                shutil.rmtree(self.out, ignore_errors=True)
                shutil.copytree(self.kept, self.out)
                self.strangers(self.out, [name])
                message = "uses this name for its lock" if name == ".lock" else "already exists and softalign did not write it"
                self.is_refused(self.out, *self.train, "--force", "--out", self.out, message=message)
                self.is_refused(self.out, "average", "--run", self.kept, "--force", "--out", self.out, message=message)
                self.is_refused(self.out, *self.train, "--out", self.out, message="not empty")
                resumed = programs.run("train", "--resume", "--epochs", "3", "--out", self.out)
                self.assertEqual((self.out / name).read_text(), STRANGERS[name])
                self.assertEqual(resumed.returncode, 1 if name == ".lock" else 0, resumed.stderr)

    def test_a_resume_that_is_refused_changes_nothing(self):
        shutil.copytree(self.kept, self.out)
        self.strangers(self.out, ["notes.tmp99999-1", "replaced/a.txt"])
        self.is_refused(self.out, "train", "--resume", "--data", self.folder / "nowhere", "--out", self.out,
                        message="nowhere")

    def test_links_in_a_run_are_not_written_through(self):
        target = self.folder / "target"
        for name in ("timing.jsonl", "metrics.jsonl", "history.jsonl", "last.safetensors", "model.safetensors",
                     "epoch-3.safetensors", "config.json", ".lock", "diverged.safetensors"):
            with self.subTest(name=name):
                shutil.rmtree(self.out, ignore_errors=True)
                shutil.copytree(self.kept, self.out)
                target.write_bytes((self.out / name).read_bytes() if (self.out / name).exists() else b"mine")
                before = target.read_bytes()
                (self.out / name).unlink(missing_ok=True)
                (self.out / name).symlink_to(target)
                self.is_refused(self.out, "train", "--resume", "--epochs", "3", "--out", self.out, message=name)
                self.assertEqual(target.read_bytes(), before)

    def test_links_to_folders_are_not_emptied(self):
        precious = self.folder / "precious"
        precious.mkdir()
        (precious / "config.json").write_bytes((self.kept / "config.json").read_bytes())
        for name in "replaced", "replaced.part", "reverse":
            with self.subTest(name=name):
                shutil.rmtree(self.out, ignore_errors=True)
                shutil.copytree(self.kept, self.out)
                (self.out / name).symlink_to(precious)
                before = state(precious)
                programs.run("train", "--resume", "--data", self.folder / "nowhere", "--out", self.out)
                programs.run("train", "--resume", "--out", self.out)
                self.is_refused(self.out, *self.train, "--force", "--out", self.out, message=name)
                self.is_refused(self.out, *self.train, "--both-directions", "--force", "--out", self.out, message=name)
                self.assertEqual(state(precious), before)

    def test_a_folder_made_anew_is_not_written_to_by_the_old_training(self):
        for attempt in range(5):  # each attempt stops the program at another moment, sometimes while it writes
            with self.subTest(attempt=attempt):
                shutil.rmtree(self.out, ignore_errors=True)
                self.old_training_stops()

    def old_training_stops(self):
        long = ["train", "--data", self.corpus, *SMALL, "--save-every", "1", "--epochs", "100000", "--out", self.out]
        with subprocess.Popen([programs.BUILD / "train", *map(str, long[1:])], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as old:
            while not (self.out / "last.safetensors").exists() and old.poll() is None:
                time.sleep(0.01)
            old.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, old.pid, os.WSTOPPED)
            shutil.rmtree(self.out)
            programs.succeed(*self.train, "--seed", "2", "--out", self.out)
            new = state(self.out)
            old.send_signal(signal.SIGCONT)
            message = old.communicate(timeout=60)[1]
        self.assertEqual(old.returncode, 1, message)
        # The program may have been stopped while it wrote a file.
        self.assertRegex(message, "no longer the folder to which this program was writing|cannot write .*No such file")
        self.assertEqual(state(self.out), new)

    def test_pipes_sockets_and_devices_are_refused_at_once(self):
        """Special files are refused as files of a run, as files of a corpus folder, and as pictures, because reading them
        might never end."""
        def special(path, kind):
            path.unlink(missing_ok=True)
            if kind == "fifo":
                os.mkfifo(path)
            elif kind == "socket":
                with socket.socket(socket.AF_UNIX) as server:
                    where = os.getcwd()
                    os.chdir(path.parent)  # the path of a socket must be short
                    server.bind(path.name)
                    os.chdir(where)
            else:
                path.symlink_to("/dev/zero")

        def refused(*arguments, stdin=""):
            result = subprocess.run([programs.BUILD / arguments[0], *map(str, arguments[1:])], input=stdin, timeout=20,
                                    capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertRegex(result.stderr, "is a (named pipe|socket|device), but a regular file is needed|uses this name for its lock|is a device")
        test = self.corpus / "valid.tsv"
        for kind in "fifo", "socket", "zero":
            for name in "config.json", "source.vocab", "model.safetensors", "last.safetensors", "metrics.jsonl":
                with self.subTest(kind=kind, name=name):
                    shutil.rmtree(self.out, ignore_errors=True)
                    shutil.copytree(self.kept, self.out)
                    special(self.out / name, kind)
                    refused("align", "--run", self.out, "--data", test)
                    refused("average", "--run", self.out, "--out", self.folder / "never")
                    refused("train", "--resume", "--out", self.out) if name != "last.safetensors" or kind != "zero" else None
                    refused("view", "--run", self.out, "--out", self.folder / "never.html")
            for name in "task", "train.tsv":
                with self.subTest(kind=kind, name=name):
                    corpus = shutil.copytree(self.corpus, self.folder / f"{kind}-{name}")
                    special(corpus / name, kind)
                    refused("train", "--data", corpus, *SMALL, "--out", self.folder / "never")
            with self.subTest(kind=kind, name="picture"):
                corpus = self.folder / f"{kind}-pictures"
                corpus.mkdir()
                special(corpus / "p.png", kind)
                for name in "train.tsv", "valid.tsv":
                    programs.write_lines(corpus / name, ["p.png\ta board"])
                refused("train", "--data", corpus, "--task", "captioning", "--out", self.folder / "never")
        refused("train", "--train", "/dev/zero", "--valid", test, "--out", self.folder / "never")
        refused("align", "--run", self.kept, "--data", "/dev/urandom")

    def test_pipes_on_the_command_line_are_read(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        for option, text in (("--train", (self.corpus / "train.tsv").read_bytes()), ("--config", b'{"seed": 3}')):
            with self.subTest(option=option):
                arguments = ["--train", self.corpus / "train.tsv", "--valid", self.corpus / "valid.tsv", *SMALL, "--epochs", "1",
                             "--out", self.folder / f"piped{option}", option, pipe]
                if option == "--train":
                    del arguments[:2]
                with subprocess.Popen([programs.BUILD / "train", *map(str, arguments)], stderr=subprocess.PIPE,
                                      stdout=subprocess.DEVNULL) as train:
                    pipe.write_bytes(text)
                    self.assertEqual(train.wait(60), 0, train.stderr.read())


if __name__ == "__main__":
    unittest.main()
