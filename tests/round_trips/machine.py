"""Runs a chain of programs on many lines at once, and finds out the outcome of each line."""

import gzip
import os
import re
import shlex
import shutil
import subprocess
import time
from collections import Counter
from pathlib import Path

BUILD = Path(os.environ.get("SOFTALIGN_BUILD", Path(__file__).resolve().parents[2] / "build"))
SECONDS = 120  # limit of one start
MOST_REFUSED = 60  # limit of refused lines per batch


class Refused(Exception):
    """A program ended with 1 or 2 and a message."""

    def __init__(self, message):
        super().__init__(message)
        self.message = message


class Wrong(Exception):
    """A program broke a promise. `item` is the line at fault, or None if it is not known."""

    def __init__(self, text, item=None):
        super().__init__(text)
        self.item = item


class NothingLeft(Exception):
    """All lines of a batch were refused."""

    def __init__(self, batch):
        super().__init__("every line of the batch was refused")
        self.batch = batch


class Machine:
    """A folder in which programs run. Each start is recorded as the command that repeats it."""

    def __init__(self, folder, runs, random):
        self.folder, self.runs, self.random = Path(folder), runs, random
        self.folder.mkdir(parents=True, exist_ok=True)
        self.commands, self.starts = [], 0

    def path(self, name):
        return self.folder / name

    def write(self, name, lines, end="\n", last=True, mark=False, compress=False):
        """Writes a text file of these lines, by default with Unix line ends. If the first word starts with U+FEFF, the
        file's own byte order mark comes before it."""
        text = end.join(lines) + (end if last and lines else "")
        mark = mark or text.startswith("\ufeff")
        data = (b"\xef\xbb\xbf" if mark else b"") + text.encode("utf-8", "surrogatepass")
        self.path(name).write_bytes(gzip.compress(data, mtime=0) if compress else data)
        return name

    def run(self, program, *arguments, stdin=None):
        """Returns the output of the program. Raises Refused with its message, or Wrong if the program ends in another
        way."""
        arguments = [str(argument) for argument in arguments]
        shown = shlex.join([program, *arguments]) + (f" < {stdin}" if stdin else "")
        self.commands.append(shown)
        self.starts += 1
        source = open(self.path(stdin), "rb") if stdin else subprocess.DEVNULL
        try:
            done = subprocess.run([BUILD / program, *arguments], stdin=source, capture_output=True, timeout=SECONDS, cwd=self.folder,
                                  check=False, env={**os.environ, "OMP_NUM_THREADS": "1"})
        except subprocess.TimeoutExpired:
            raise Wrong(f"{shown}: did not end in {SECONDS} s") from None
        finally:
            if stdin:
                source.close()
        says = done.stderr.decode("utf-8", "replace")
        if done.returncode == 0:
            try:
                return done.stdout.decode("utf-8")
            except UnicodeDecodeError as error:
                raise Wrong(f"{shown}: output that is not UTF-8: {error}") from None
        errors = [line for line in says.splitlines() if line.startswith("error: ")]
        if done.returncode not in (1, 2) or len(errors) != 1:
            raise Wrong(f"{shown}: ended with {done.returncode} and {len(errors)} errors: {says[-600:]!r}")
        if len(says) > 20000:
            raise Wrong(f"{shown}: a message of {len(says)} bytes")
        raise Refused(errors[0])


def place_of(message, files):
    """Returns the number of the line that a refusal names, counted from 1: FILE:LINE of one of these files, or sentence,
    record or pair N."""
    for name in files:
        found = re.search(re.escape(str(name)) + r":(\d+)\b", message)
        if found:
            return int(found.group(1))
    found = re.search(r"\b(?:sentence|record|pair|alignment|line) (\d+)\b", message)
    return int(found.group(1)) if found else None


class Batch:
    """Lines that go through a chain together. Refused lines are removed, and the other lines continue."""

    def __init__(self, machine, items):
        self.machine, self.items = machine, list(items)
        self.refused = []  # (item, message)

    def go(self, attempt, files, may_refuse):
        """Repeats attempt(items) until no line is refused, and returns its result. may_refuse(item, message) tells whether
        the refusal is right."""
        while True:
            try:
                return attempt(self.items)
            except Refused as error:
                number = place_of(error.message, files)
                if number is None or not 1 <= number <= len(self.items):
                    raise Wrong(f"a refusal that names no line: {error.message[:400]}") from None
                item = self.items[number - 1]
                if not may_refuse(item, error.message):
                    raise Wrong(f"a line is refused without a reason that holds: {error.message[:400]}", item) from None
                if len(self.refused) >= MOST_REFUSED:
                    raise Wrong(f"more than {MOST_REFUSED} lines of a batch are refused: {error.message[:400]}", item) from None
                self.refused.append((item, error.message))
                del self.items[number - 1]
                if not self.items:
                    raise NothingLeft(self) from None


class Report:
    """Counts outcomes by chain, and collects the failures."""

    def __init__(self, keep):
        self.counts, self.kinds, self.failures, self.keep = {}, Counter(), [], keep
        self.starts, self.begin = 0, time.monotonic()

    def add(self, chain, same, refused):
        count = self.counts.setdefault(chain, Counter())
        count["same"] += same
        count["refused"] += len(refused)
        for _, message in refused:
            self.kinds[kind_of(message)] += 1

    def fail(self, chain, machine, text, repeat, lost):
        self.counts.setdefault(chain, Counter())["failed"] += lost
        kept = self.keep / f"{len(self.failures) + 1}-{re.sub('[^a-z0-9]+', '-', chain)}"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(machine.folder, kept)
        script = f"cd {kept}\n" + "\n".join(f"{BUILD}/{command}" for command in machine.commands) + "\n"
        (kept / "commands.sh").write_text(script, encoding="utf-8")
        self.failures.append((chain, text))
        print(f"\nFAILED {chain}: {text}\n  again: {repeat}\n  files and commands: {kept}/commands.sh", flush=True)

    def show(self):
        print(f"\n{'chain':44}{'same':>8}{'refused':>9}{'failed':>8}")
        total = Counter()
        for chain, count in sorted(self.counts.items()):
            total.update(count)
            print(f"{chain:44}{count['same']:8}{count['refused']:9}{count['failed']:8}")
        print(f"{'all':44}{total['same']:8}{total['refused']:9}{total['failed']:8}")
        if self.kinds:
            print("refused because: " + ", ".join(f"{kind} {count}" for kind, count in self.kinds.most_common()))
        seconds = time.monotonic() - self.begin
        print(f"{sum(total.values())} inputs, {self.starts} starts of programs, {seconds:.0f} s")


REASONS = {"carriage return": r"carriage return", "|||": r"\|\|\|", "</s>": r"</s>", "unknown token": r"<unk>|<s>|<pad>",
           "gold": r"gold|link", "no words": r"empty|blank|no words|without words|without a word|no token",
           "white space": r"white space|spaces?\b|separat", "byte order mark": r"byte order mark|BOM", "long": r"words|tokens|long"}


def kind_of(message):
    return next((kind for kind, pattern in REASONS.items() if re.search(pattern, message)), "other")
