"""Runs the built programs as a user does: on tiny corpora, in a temporary folder, for a few seconds."""

import fcntl
import hashlib
import json
import math
import os
import pty
import re
import shutil
import struct
import subprocess
import tempfile
import termios
import unittest
import zlib
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SOFTALIGN_BUILD", PROJECT / "build"))
TOY = PROJECT / "data" / "toy"
SLOW = "SOFTALIGN_SLOW" in os.environ  # the sanitizers' build, in which trainings take ten times as long

# With these options, a model trains in a second.
TINY = ["--embedding", "8", "--hidden", "12", "--attention-size", "8", "--readout", "8", "--threads", "1"]
# With these options, attention is no longer uniform after two epochs.
STEEP = ["--lr", "0.02", "--initialiser", "default", "--no-query-word", "--word-dropout", "0"]


def run(program, *arguments, stdin="", cwd=None, environment=None, timeout=600):
    """Returns the finished process. stdin and both outputs are text."""
    data = stdin if isinstance(stdin, bytes) else stdin.encode()
    result = subprocess.run([BUILD / program, *map(str, arguments)], input=data, capture_output=True, cwd=cwd,
                            env={**os.environ, **(environment or {})}, timeout=timeout, check=False)
    result.stdout = result.stdout.decode()
    result.stderr = result.stderr.decode()
    return result


def succeed(program, *arguments, **more):
    """Returns the output of the program. Raises AssertionError with the program's messages if it fails."""
    result = run(program, *arguments, **more)
    assert result.returncode == 0, f"{program} {arguments} ended with {result.returncode}:\n{result.stderr}"
    return result.stdout


def demo_run():
    """The folder of the model that demo.sh trains: the default model on data/toy. Several tests use it, and the first of them
    trains it into the build folder, which takes about a minute on two cores. Its name has a hash of the program and the
    corpus, so a change of either trains it again."""
    key = hashlib.sha256()
    for file in (BUILD / "train", TOY / "train.tsv", TOY / "valid.tsv"):
        key.update(file.read_bytes())
    folder = BUILD / "tests" / "demo" / key.hexdigest()[:16]
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.parent / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run at the same time
        if not folder.exists():
            for old in folder.parent.glob("*/"):
                shutil.rmtree(old)
            with tempfile.TemporaryDirectory(dir=folder.parent) as unfinished:
                succeed("train", "--data", TOY, "--out", Path(unfinished) / "run", timeout=3000)
                os.rename(Path(unfinished) / "run", folder)
    return folder


def open_terminal(columns=100):
    """Opens both ends of a pseudo-terminal. Skips the test if the system has no pseudo-terminal, as in some containers."""
    try:
        ours, its = pty.openpty()
    except OSError as error:
        raise unittest.SkipTest(f"no pseudo-terminal: {error}") from error
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    return ours, its


def read_terminal(ours):
    """Returns everything that was written to the other end, after that end was closed, and closes this end."""
    shown = b""
    try:
        while part := os.read(ours, 1 << 16):
            shown += part
    except OSError:  # Linux: the other end is closed
        pass
    os.close(ours)
    return shown.decode()


def on_terminal(program, *arguments, environment, columns=100):
    """Returns what a program shows on a pseudo-terminal, with both of its outputs in their order. The program must
    succeed."""
    ours, its = open_terminal(columns)
    with subprocess.Popen([BUILD / program, *map(str, arguments)], stdout=its, stderr=its, stdin=subprocess.DEVNULL,
                          env={**os.environ, **environment}) as process:
        os.close(its)
        shown = read_terminal(ours)
    assert process.returncode == 0, shown
    return shown.replace("\r\n", "\n")


def stripped(shown):
    """Removes colours, and the line that is rewritten in place."""
    return re.sub(r"\x1b\[[0-9;]*m", "", re.sub(r"\r[^\n]*\x1b\[K", "", shown))


def softmax(scores):
    """Returns the softmax of each row. A score of null means that the step may not attend to the position."""
    powers = [[0 if e is None else math.exp(e) for e in row] for row in scores]
    return [[x / sum(row) for x in row] for row in powers]


def short_pairs(name, count, words=9):
    """Returns the first pairs with at most `words` words per side, as lines of TSV. Up to 200 pairs come from an earlier toy
    corpus, so that the results of tiny models do not depend on the current corpus. More pairs come from the current
    corpus."""
    folder = Path(__file__).resolve().parent / "pairs" if count <= 200 else TOY
    lines = (folder / name).read_text(encoding="utf-8").splitlines()
    short = [line for line in lines if all(len(side.split()) <= words for side in line.split("\t")[:2])]
    assert len(short) >= count
    return short[:count]


def write_lines(path, lines):
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def tiny_corpus(folder, train=96, valid=20, test=0):
    """Makes a folder with train.tsv and valid.tsv, and with test.tsv if it has pairs."""
    folder.mkdir()
    write_lines(folder / "train.tsv", short_pairs("train.tsv", train))
    write_lines(folder / "valid.tsv", short_pairs("valid.tsv", valid))
    if test:
        write_lines(folder / "test.tsv", short_pairs("test.tsv", test))
    return folder


def train(corpus, out, *arguments):
    """Trains a tiny model, for two epochs unless the arguments say otherwise. Returns the run folder."""
    epochs = [] if "--epochs" in arguments else ["--epochs", "2"]
    succeed("train", "--data", corpus, "--out", out, *epochs, *TINY, *arguments)
    return out


def contents(run):
    """Returns every file by name, except the one with wall-clock times."""
    return {path.name: path.read_bytes() for path in run.iterdir() if path.name != "timing.jsonl"}


def files_below(folder):
    """Returns every file by its path below the folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def png(rows):
    """Returns a PNG of these rows of (red, green, blue)."""
    pixels = b"".join(b"\0" + bytes(value for pixel in row for value in pixel) for row in rows)
    return png_of(len(rows[0]), len(rows), pixels)


def png_of(width, height, pixels):
    """Returns a PNG from the bytes of its rows. Each row starts with a byte 0."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")


def halves(folder):
    """Makes a corpus of pictures of 8 x 4 pixels. Each half is red or blue, and the caption is like "red then blue". Returns
    its lines."""
    colours = {"red": (255, 0, 0), "blue": (0, 0, 255)}
    lines = []
    for left in colours:
        for right in colours:
            (folder / f"{left}-{right}.png").write_bytes(png([[colours[left]] * 4 + [colours[right]] * 4] * 4))
            lines.append(f"{left}-{right}.png\t{left} then {right}\t0,0,4,4-0 4,0,4,4-2\t{left}")
    write_lines(folder / "train.tsv", lines * 8)
    write_lines(folder / "valid.tsv", lines)
    (folder / "task").write_text("captioning\n")
    return lines


def moves(folder):
    """Makes a corpus of 108 stories with gold links. Two people go to rooms, and the question asks where one of them is."""
    people, rooms = ["mary", "john", "sandra"], ["kitchen", "garden", "office"]
    lines = [f"{a} went to the {x} | {b} went to the {y}\twhere is {who} ?\t{room}\t{gold}\t{who}"
             for a in people for b in people if a != b for x in rooms for y in rooms
             for who, room, gold in [(a, x, 0), (b, y, 1)]]
    write_lines(folder / "train.tsv", lines)
    write_lines(folder / "valid.tsv", lines[5::7])
    (folder / "task").write_text("questions\n")
    return lines[5::7]


def json_lines(path):
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


class Refusals(unittest.TestCase):
    """A test case that can require error messages."""

    def refused(self, status, *arguments, says, stdin=""):
        """Requires that the program ends with this status and one error message that contains these texts. Returns the
        finished process."""
        result = run(*arguments, stdin=stdin)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        errors = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
        self.assertEqual(len(errors), 1, result.stderr)
        for text in says:
            self.assertIn(str(text), result.stderr)
        return result


class WithRun(Refusals):
    """A test case with a folder that all of its tests share. The folder has a corpus and a run trained on this corpus with
    the options in `training`."""

    training = []

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = Path(cls.temporary.name)
        cls.corpus = tiny_corpus(cls.folder / "corpus")
        cls.run_folder = train(cls.corpus, cls.folder / "run", *cls.training)
