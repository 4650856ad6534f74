#!/usr/bin/env python3
"""Measures how good the tests are: makes small mistakes (mutants) in the sources, one at a time, and counts how many the
tests notice.

    tests/mutants/mutants.py                             # 200 mutants: an hour of one processor
    tests/mutants/mutants.py --only search --count 50
    tests/mutants/mutants.py --only ops/loss.cpp:47      # every mutant of one line

The script needs a release build by Ninja (build/) with up-to-date tests. It does not change the build or the sources. A mutant
is compiled by the command of its source into a temporary object, which is linked before the libraries. The linker then leaves
out the library's version. The tests of the same group run until one fails; the tests nearest to the source run first. The same
seed gives the same mutants. A change that compiles to the same bytes is not counted, nor is a change that equivalent.tsv
explains. Outcomes are kept in mutants.tsv of the build. If the script is stopped and started again, it continues, and tries
only the survivors again. It ends with 1 if fewer mutants are caught than --least.
"""
import argparse
import functools
import json
import os
import random
import re
import resource
import shlex
import subprocess
import sys
import tempfile
from collections import Counter, namedtuple
from pathlib import Path

import rules

PROJECT = Path(__file__).resolve().parents[2]
# The sources of a group, and the tests that must notice mutants: test executables, each with a folder of its tests, or ""
# for all tests.
Room = namedtuple("Room", "name sources tests")
ROOMS = [
    Room("ops", ["autograd/ops/*.cpp", "autograd/gradient.cpp", "autograd/var.cpp", "autograd/ops/matrix.cpp", "autograd/kernels/products.cpp"],
         [("test_autograd_f64", "ops"), ("test_autograd_f64", ""), ("test_autograd", ""), ("test_layers_f64", "")]),
    Room("attention", ["layers/attention/*.cpp", "layers/attention/*.h", "autograd/kernels/fused/scores.cpp"],
         [("test_layers_f64", "attention"), ("test_layers_f64", "fused"), ("test_layers_f64", ""), ("test_layers", ""),
          ("test_models", "search"), ("test_models", "")]),
    Room("search", ["models/search/*.cpp"], [("test_models", "search"), ("test_models", "")]),
    Room("metrics", ["data/metrics/*.cpp"], [("test_data", "metrics")]),
    Room("checkpoint", ["models/checkpoint.cpp", "data/io/safetensors.cpp"],
         [("test_models", "."), ("test_data", "io"), ("test_models", "")]),
    Room("pictures", ["data/pictures/picture_file.cpp"],
         [("test_data", "pictures"), ("test_data", "")]),
    Room("corpora", ["data/pictures/captions.cpp", "data/corpus/columns.cpp", "data/stories/story_corpus.cpp",
                     "data/sentence_pairs/sentence_pairs.cpp", "data/corpus/pharaoh.cpp", "data/text/tokenizer.cpp",
                     "data/alignment/word_level.cpp"],
         [("test_data", "corpus"), ("test_data", "text"), ("test_data", "alignment"), ("test_data", "")]),
]
MEMORY = 8 << 30  # bytes that the tests of a mutant may use
PASSIVE = {**os.environ, "OMP_WAIT_POLICY": "passive"}  # waiting threads use no CPU time
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


@functools.cache
def includes(file):
    return set(re.findall(r'^#include "([^"]+)"', (PROJECT / file).read_text(encoding="utf-8"), re.M))


def reads(file, header, seen):
    """Returns whether a source includes one of our headers, directly or indirectly."""
    new = {f for f in includes(file) if (PROJECT / f).is_file()} - seen
    seen |= new
    return header in new or any(reads(f, header, seen) for f in new)


class Build:
    """Repeats commands of the build for one source, in a folder of its own."""

    def __init__(self, folder, work):
        self.folder, self.work = folder, work
        self.commands = {}
        for entry in json.loads((folder / "compile_commands.json").read_text(encoding="utf-8")):
            words = [word for word in shlex.split(entry["command"]) if word != "-Werror"]
            words = words[1:] if "ccache" in words[0] else words
            self.commands[words[words.index("-o") + 1]] = (Path(entry["file"]), words)

    @functools.cache
    def link(self, test):
        """Returns the words of the command that links this test."""
        commands = subprocess.check_output(["ninja", "-C", self.folder, "-t", "commands", test], text=True)
        return shlex.split(commands.splitlines()[-1].split(" && ")[1])

    @functools.cache
    def objects(self, file, test):
        """Returns the objects in the test's libraries that are made of this file. For a header, returns the objects of
        sources in its group that include it."""
        archives = [re.fullmatch(r"(\w+/)lib(softalign_\w+)\.a", word) for word in self.link(test)]
        folders = tuple(f"{archive[1]}CMakeFiles/{archive[2]}.dir/" for archive in archives if archive)
        own = {name: str(source.relative_to(PROJECT)) for name, (source, _) in self.commands.items() if name.startswith(folders)}
        return [name for name, source in own.items()
                if source == file or (file.endswith(".h") and Path(source).parts[0] == Path(file).parts[0]
                                      and reads(source, file, set()))]

    def compile(self, name, overlay):
        """Returns the object that is compiled with the files of the folder `overlay` instead of ours. Returns None if it
        does not compile."""
        source, words = self.commands[name]
        there = overlay / source.relative_to(PROJECT)
        made = self.work / name.replace("/", "-")
        names = {name: str(made), str(source): str(there if there.exists() else source)}
        command = [words[0], "-w", f"-I{overlay}", *(names.get(word, word) for word in words[1:])]
        return made if subprocess.run(command, cwd=self.folder, check=False, **QUIET).returncode == 0 else None

    def linked(self, test, objects):
        words, executable = list(self.link(test)), self.work / test
        words[words.index("-o") + 1] = str(executable)
        first = next(i for i, word in enumerate(words) if word.endswith(".o"))
        words[first:first] = map(str, objects)
        subprocess.run(words, cwd=self.folder, check=True)
        return executable

    def started(self, test, folder, executable, seconds):
        """Returns whether these tests pass within `seconds` CPU seconds."""
        room = PROJECT / "tests" / re.sub(r"^test_|_f64$", "", test)
        tags = [f"[#{path.stem}]" for path in sorted((room / folder).glob("*.cpp"))] if folder else []

        def restrict():
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            return subprocess.run([executable, "--abort", "-#", *filter(None, [",".join(tags)])], cwd=self.folder, env=PASSIVE,
                                  preexec_fn=restrict, timeout=100 * seconds, check=False, **QUIET).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    @functools.cache
    def most_seconds(self, test, folder):
        """Returns five times the time that the tests take without a mutant."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        if not self.started(test, folder, self.folder / "tests" / test, 1000):
            sys.exit(f"{test} fails without any mutant")
        return 5 * (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before) + 5

    def runs(self, test, folder, executable):
        return self.started(test, folder, executable, self.most_seconds(test, folder))


class Hunt:
    def __init__(self, build, work):
        self.build, self.overlay = build, work / "overlay"
        table = (Path(__file__).parent / "equivalent.tsv").read_text(encoding="utf-8")
        self.equivalent = {tuple(line.split("\t")[:2]) for line in table.splitlines()}
        self.journal = build.folder / "mutants.tsv"
        kept = self.journal.read_text(encoding="utf-8").splitlines() if self.journal.exists() else []
        self.decided = {tuple(key): caught for *key, caught in (line.split("\t") for line in kept)}

    def lay(self, file, text):
        path = self.overlay / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def changed_objects(self, file, test):
        """Returns the objects that differ from the build's. Returns None if a source does not compile."""
        made = {name: self.build.compile(name, self.overlay) for name in self.build.objects(file, test)}
        if None in made.values():
            return None
        return [path for name, path in made.items() if path.read_bytes() != (self.build.folder / name).read_bytes()]

    def caught_by(self, room, file, text):
        """Returns the test that notices, or SURVIVED if none does. Returns "no mutant" if nothing has changed or it does not
        compile."""
        executables = {}
        self.lay(file, text)
        for test, folder in room.tests:
            if test not in executables:
                objects = self.changed_objects(file, test)
                executables[test] = self.build.linked(test, objects) if objects else None
            if executables[test] is None and len(executables) == 1:
                return "no mutant"
            if executables[test] and not self.build.runs(test, folder, executables[test]):
                return f"{test} {folder}".strip()
        return "SURVIVED"

    def try_one(self, room, file, mutant):
        """Tries one mutant, prints and saves the outcome, and returns it."""
        text = (PROJECT / file).read_text(encoding="utf-8")
        changed = rules.applied(text, mutant)
        was, now = (t.split("\n")[mutant.line - 1].strip() for t in (text, changed))
        if (file, now) in self.equivalent:
            return "no mutant"
        key = file, str(mutant.line), was, now
        if self.decided.get(key, "SURVIVED") == "SURVIVED":
            self.decided[key] = self.caught_by(room, file, changed)
            (self.overlay / file).unlink()  # otherwise a later source might include the mutant
            with self.journal.open("a", encoding="utf-8") as journal:
                journal.write("\t".join([*key, self.decided[key]]) + "\n")
        if self.decided[key] != "no mutant":
            print(f"{self.decided[key]:30} {file}:{mutant.line}  {mutant.rule}\n    {was}\n    {now}", flush=True)
        return self.decided[key]


def drawn(only, seed):
    """Yields the mutants of all groups in turn. Within each group, the order is random."""
    queues = []
    for room in ROOMS:
        files = sorted({str(path.relative_to(PROJECT)) for pattern in room.sources for path in PROJECT.glob(pattern)})
        all_mutants = [(room, file, mutant) for file in files
                       for mutant in rules.mutants((PROJECT / file).read_text(encoding="utf-8"))
                       if only in f"{room.name} {file}:{mutant.line} "]
        random.Random(f"{seed} {room.name}").shuffle(all_mutants)
        queues.append(all_mutants)
    while any(queues):
        for queue in queues:
            if queue:
                yield queue.pop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=PROJECT / "build", help="folder of the build")
    parser.add_argument("--count", type=int, default=200, help="so many mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="those of a room, or whose file:line has this in it")
    parser.add_argument("--least", type=float, default=.95, help="the share that has to be caught")
    arguments = parser.parse_args()
    outcomes = {room.name: Counter() for room in ROOMS}
    with tempfile.TemporaryDirectory() as folder:
        hunt = Hunt(Build(arguments.build.resolve(), Path(folder)), Path(folder))
        only = arguments.only + " " if re.search(r":\d+$", arguments.only) else arguments.only
        for room, file, mutant in drawn(only, arguments.seed):
            outcome = hunt.try_one(room, file, mutant)
            outcomes[room.name][outcome if outcome in ("SURVIVED", "no mutant") else "caught"] += 1
            if sum(counts["caught"] + counts["SURVIVED"] for counts in outcomes.values()) == arguments.count:
                break
    for name, counts in outcomes.items():
        print(f"{name:12} {counts['caught']:4} caught {counts['SURVIVED']:4} survived {counts['no mutant']:4} no mutants")
    total = sum(outcomes.values(), Counter())
    tried = total["caught"] + total["SURVIVED"]
    share = total["caught"] / max(1, tried)
    print(f"{share:.1%} of {tried} caught")
    sys.exit(share < arguments.least)


if __name__ == "__main__":
    main()
