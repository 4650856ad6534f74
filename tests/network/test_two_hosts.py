"""Two processes on two hosts with a cable between them: they write the same bytes, one process dies, or the cable is cut."""

import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

import programs

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "apps" / "ranks"))
import hosts  # noqa: E402
import processes  # noqa: E402

REASON = hosts.missing() or ("" if processes.HAS_MPI else "a build without MPI")
SLOW = "1mbit"  # an epoch of the corpus takes seconds, so the training is still running when the test disturbs it
OPTIONS = [*programs.TINY, "--epochs", "6", "--batch", "16", "--save-every", "2"]


@unittest.skipIf(REASON, REASON)
class TwoHosts(programs.WithRun):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.network = hosts.Hosts()
        cls.network.__enter__()
        cls.addClassCleanup(cls.network.__exit__)
        cls.whole = cls.folder / "whole"
        finished = cls.run_to_end(cls.command(cls.whole))
        assert finished.returncode == 0, finished.stdout + finished.stderr

    @classmethod
    def command(cls, out, *arguments):
        return cls.network.command(programs.BUILD / "train", *(arguments or ["--data", cls.corpus, *OPTIONS]), "--out", out)

    @staticmethod
    def run_to_end(command):
        return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, stdin=subprocess.DEVNULL,
                              env=processes.ENVIRONMENT)

    def setUp(self):
        self.network.mend()
        self.network.limit("1gbit")

    def under_way(self, out):
        """Starts a training on a slow cable and waits until it has saved a state. Its output goes to a file."""
        self.network.limit(SLOW)
        self.log = Path(f"{out}.log")
        with self.log.open("w") as log:
            job = subprocess.Popen(self.command(out), stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                   env=processes.ENVIRONMENT)
        self.addCleanup(job.wait)
        self.addCleanup(lambda: job.poll() is None and job.kill())
        while not (out / "last.safetensors").exists():
            self.assertIsNone(job.poll(), "it ended before it had saved a state")
            time.sleep(0.01)
        return job

    def goes_on(self, out):
        """Resumes the training. Its files must equal those of an undisturbed training."""
        self.network.mend()
        self.network.limit("1gbit")
        time.sleep(1)  # the kernel needs time to announce the cable
        self.assertFalse(list(out.glob("*.tmp*")), "a part of a file stayed")
        resumed = self.run_to_end(self.command(out, "--resume"))
        self.assertEqual(resumed.returncode, 0, resumed.stdout + resumed.stderr)
        self.assertEqual(programs.contents(out), programs.contents(self.whole))

    def test_the_bytes_of_two_processes_on_one_machine(self):
        here = self.folder / "here"
        self.assertEqual(processes.together(2, "train", "--data", self.corpus, *OPTIONS, "--out", here).returncode, 0)
        self.assertEqual(programs.contents(here), programs.contents(self.whole))

    def test_a_process_that_is_killed_ends_all(self):
        out = self.folder / "killed"
        job = self.under_way(out)
        os.kill(self.network.processes("b", "train")[0], signal.SIGKILL)
        job.wait(timeout=60)
        printed = self.log.read_text()
        self.assertNotEqual(job.returncode, 0)
        self.assertRegex(printed, r"rank 1.*signal 9")
        self.goes_on(out)

    def test_a_cable_that_is_cut_ends_all_within_a_minute(self):
        out = self.folder / "cut"
        job = self.under_way(out)
        self.network.cut()
        end = time.monotonic() + 60
        while self.network.processes("a", "train") or self.network.processes("b", "train"):
            self.assertLess(time.monotonic(), end, "a process did not end")
            time.sleep(0.1)
        self.assertIn("process 1 on the machine host-b has not answered for 45 seconds", " ".join(self.log.read_text().split()))
        self.network.mend()  # mpirun waits for its own connection
        self.assertNotEqual(job.wait(timeout=120), 0)
        self.goes_on(out)

    def test_a_short_cut_does_no_harm(self):
        out = self.folder / "short"
        job = self.under_way(out)
        self.network.cut()
        time.sleep(5)
        self.network.mend()
        self.network.limit("1gbit")
        self.assertEqual(job.wait(timeout=120), 0, self.log.read_text())
        self.assertEqual(programs.contents(out), programs.contents(self.whole))


if __name__ == "__main__":
    unittest.main()
