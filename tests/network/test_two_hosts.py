"""Two processes on two hosts with a cable between them: they write the same bytes, one process or a host dies, or the cable is
cut. Afterwards, no process and no network namespace stays."""

import os
import re
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
# The page recommends parameters of Open MPI with which mpirun notices that a host is silent.
KEEPALIVE = dict(re.findall(r"--mca\s+(oob_tcp_keepalive_\w+)\s+(\d+)", (programs.PROJECT / "docs/several-machines.md").read_text()))
OPTIONS = [*programs.TINY, "--epochs", "6", "--batch", "16", "--save-every", "2"]


def log_of(out):
    """Returns the file with everything that the training prints."""
    return Path(f"{out}.log")


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
    def command(cls, out, *arguments, network=None, **more):
        arguments = arguments or ["--data", cls.corpus, *OPTIONS]
        return (network or cls.network).command(programs.BUILD / "train", *arguments, "--out", out, **more)

    @staticmethod
    def run_to_end(command):
        return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, stdin=subprocess.DEVNULL,
                              env=processes.ENVIRONMENT)

    def setUp(self):
        self.network.mend()
        self.network.limit("1gbit")

    def under_way(self, out, network=None, **more):
        """Starts a training on a slow cable and waits until it has saved a state. Its output goes to a file."""
        (network or self.network).limit(SLOW)
        with log_of(out).open("w") as log:
            job = subprocess.Popen(self.command(out, network=network, **more), stdout=log, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL, env=processes.ENVIRONMENT)
        self.addCleanup(job.wait)
        self.addCleanup(lambda: job.poll() is None and job.kill())
        end = time.monotonic() + 120
        while not (out / "last.safetensors").exists():
            self.assertIsNone(job.poll(), "it ended before it had saved a state")
            self.assertLess(time.monotonic(), end, "it has not saved a state")
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
        self.assertNotEqual(job.wait(timeout=60), 0)
        self.assertRegex(log_of(out).read_text(), r"rank 1.*signal 9")
        self.goes_on(out)

    def says_how_to_go_on(self, out):
        """Checks the note after mpirun has ended process 0, because mpirun does not know how a training continues."""
        self.assertRegex(log_of(out).read_text(),
                         rf"(?s)note: mpirun .* SIGTERM .* another process or its machine has failed.* --resume .*{out.name}")

    def test_a_host_that_dies_ends_all(self):
        out = self.folder / "dead"
        job = self.under_way(out)
        self.network.kill("b")
        self.assertNotEqual(job.wait(timeout=60), 0)
        self.says_how_to_go_on(out)
        self.assertEqual(self.network.processes("a", "train"), [])
        self.goes_on(out)

    def test_a_cable_that_is_cut_ends_all_within_a_minute(self):
        """Two trainings at the same time on cables of their own: mpirun has its default parameters or those that the page
        recommends."""
        self.assertEqual(len(KEEPALIVE), 3)
        out, watched = self.folder / "cut", self.folder / "watched"
        with hosts.Hosts() as other:
            job, its_job = self.under_way(out), self.under_way(watched, other, **KEEPALIVE)
            end = time.monotonic() + 60
            for network in (self.network, other):
                network.cut()
            while any(network.processes(host, "train") for network in (self.network, other) for host in "ab"):
                self.assertLess(time.monotonic(), end, "a process did not end")
                time.sleep(0.1)
            # With the recommended parameters, mpirun ends though the cable stays cut.
            self.assertNotEqual(its_job.wait(timeout=max(0, end - time.monotonic())), 0)
        self.assertIn("process 1 on the machine host-b has not answered for 45 seconds", " ".join(log_of(out).read_text().split()))
        self.says_how_to_go_on(watched)
        self.network.mend()  # otherwise mpirun waits for its own connection for minutes
        self.assertNotEqual(job.wait(timeout=120), 0)
        self.goes_on(out)
        self.goes_on(watched)

    def test_a_short_cut_does_no_harm(self):
        out = self.folder / "short"
        job = self.under_way(out)
        self.network.cut()
        time.sleep(5)
        self.network.mend()
        self.network.limit("1gbit")
        self.assertEqual(job.wait(timeout=120), 0, log_of(out).read_text())
        self.assertEqual(programs.contents(out), programs.contents(self.whole))


@unittest.skipIf(hosts.missing(), hosts.missing())
class Removal(unittest.TestCase):
    """A script makes two hosts, starts a program on one of them, and ends in the middle of the `with` block."""

    def end_in_the_middle(self, last_line):
        """Returns the script's process id and the id of the program that it started."""
        script = ("import os, subprocess, sys, time\n"
                  f"sys.path.insert(0, {str(Path(hosts.__file__).parent)!r})\n"
                  "import hosts\n"
                  "with hosts.Hosts() as network:\n"
                  "    sleeper = subprocess.Popen(network.on('b', 'sleep', '1000'), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
                  "    while hosts.name_of(sleeper.pid) != 'sleep':\n"
                  "        time.sleep(0.01)\n"
                  "    print(os.getpid(), sleeper.pid, flush=True)\n"
                  f"    {last_line}\n")
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as job:
            return [int(word) for word in job.communicate(timeout=60)[0].split()]

    def nothing_stays(self, owner, program):
        self.assertNotIn(f"softalign-{owner}-", subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True).stdout)
        end = time.monotonic() + 10
        while hosts.name_of(program):  # the system needs time to remove a killed process
            self.assertLess(time.monotonic(), end, "a program still runs")
            time.sleep(0.01)

    def test_after_an_exception(self):
        self.nothing_stays(*self.end_in_the_middle("raise OSError"))

    def test_after_a_kill_by_the_next_script(self):
        killed = self.end_in_the_middle("os.kill(os.getpid(), 9)")
        self.assertEqual(hosts.name_of(killed[1]), "sleep")
        self.end_in_the_middle("pass")
        self.nothing_stays(*killed)


if __name__ == "__main__":
    unittest.main()
