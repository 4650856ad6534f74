#!/usr/bin/env python3
"""Prints which lines and branches the tests reach: a table of folders, then every place that no test reaches.

    tests/coverage/coverage.py                     # autograd, layers and data: half an hour
    tests/coverage/coverage.py data --no-build     # uses the counts that earlier tests left in build-coverage/

The C++ tests in both precisions, and the tests that run the programs, use a separate build (the preset coverage). It needs
clang (`apt-get install clang llvm libomp-dev`), which counts in terms of the source. A branch is one outcome of a condition, a
loop or a case. explained.tsv has the reason for each place that cannot be reached: file, line without its indentation,
reason. The script ends with 1 if any other place is not reached. It also names the rows of explained.tsv that are not needed,
unless their reason starts with "another machine": such a place is reached on some machines.
"""
import argparse
import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
BUILD = PROJECT / "build-coverage"
COUNTS = BUILD / "counts"
TESTS = ["test_autograd", "test_autograd_f64", "test_layers", "test_layers_f64", "test_data", "test_models", "test_models_f64", "test_apps"]
# These tests check pages, the tree, installs or time, or take minutes in a build with little optimisation. Other tests reach
# the same code.
WITHOUT = ("viewer|bench|ablations|package|subproject|format|course|readme|memory|reproduce|equations|test_includes|documented|visitors|"
           "without_kernels|site")


def build_and_run():
    subprocess.run(["cmake", "--preset", "coverage"], cwd=PROJECT, check=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPENBLAS_")}
    # The build runs programs, too. Their counts are not needed.
    subprocess.run(["cmake", "--build", BUILD, "-j", "2"], check=True, env={**environment, "LLVM_PROFILE_FILE": "/dev/null"})
    environment["LLVM_PROFILE_FILE"] = f"{COUNTS}/%m.profraw"
    for left in COUNTS.glob("*"):
        left.unlink()
    # A test that fails still counts. It may fail because another compiler rounds differently, or because a busy machine is
    # slow.
    for test in TESTS:
        subprocess.run([BUILD / "tests" / test], cwd=PROJECT, check=False, env=environment)
    subprocess.run(["ctest", "-R", "^python:", "-E", WITHOUT, "--output-on-failure", "-j", "2"], cwd=BUILD, check=False, env=environment)


def functions():
    """Yields all compiled functions, including each instance of a template, with the counts of all runs."""
    merged = COUNTS / "all.profdata"
    subprocess.run(["llvm-profdata", "merge", "-o", merged, *COUNTS.glob("*.profraw")], check=True)
    built = [file for file in [*(BUILD / "tests").glob("test_*"), *BUILD.iterdir()] if file.is_file() and os.access(file, os.X_OK)]
    for double in (False, True):  # llvm-cov reports one function per name, so each precision is exported separately
        objects = [word for file in built if file.name.endswith("_f64") == double for word in ("-object", file)]
        exported = subprocess.check_output(["llvm-cov", "export", "-instr-profile", merged, "-skip-expansions", *objects[1:]])
        yield from json.loads(exported)["data"][0]["functions"]


def lines_of(function, text):
    """Returns {line: number of executions}. A line counts as the innermost region in which it starts, or as the most
    frequent region that starts on it."""
    inside, begun = {}, Counter()
    # Code of the file itself, not of macros.
    stretches = [region for region in function["regions"] if region[5] == 0 and region[7] == 0]
    for first, column, last, end, count, *_ in sorted(stretches, key=lambda region: (region[:2], [-place for place in region[2:4]])):
        begun[first] = max(begun[first], count)
        inside.setdefault(first, count)
        for line in range(first, last + 1):
            word = re.search(r"\w", text[line - 1])
            if word and not re.match(r" *(//|#)", text[line - 1]) and (first, column) <= (line, word.end()) < (last, end):
                inside[line] = count
    return {line: max(count, begun[line]) for line, count in inside.items()}


def counted(rooms):
    """Yields (file, line, text, number of executions, conditions) of each line. `conditions` maps the place of a condition
    to [how often it was true, how often false]."""
    files = defaultdict(lambda: defaultdict(lambda: [0, defaultdict(lambda: [0, 0])]))
    texts = {}
    for function in functions():
        path = Path(os.path.normpath(function["filenames"][0]))  # ccache may have made the path relative to the build
        if not path.is_relative_to(PROJECT) or path.relative_to(PROJECT).parts[0] not in rooms:
            continue
        file = str(path.relative_to(PROJECT))
        text = texts.setdefault(file, path.read_text(encoding="utf-8").split("\n"))
        for line, count in lines_of(function, text).items():
            files[file][line][0] += count
        for line, column, last, end, held, not_held, source, *_ in function["branches"]:
            # A switch has a branch for values that are no case of the enum.
            if source == 0 and not text[line - 1][:column - 1].endswith("switch ("):
                ways = files[file][line][1][(column - 1, end - 1 if last == line else None)]
                ways[0] += held
                ways[1] += not_held
    return [(file, line, texts[file][line - 1], *lines[line]) for file, lines in sorted(files.items()) for line in sorted(lines)]


def share(part, whole):
    return f"{part:5} of {whole:5}  {100 * part / whole if whole else 100:5.1f}%"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rooms", nargs="*", default=["autograd", "layers", "data"])
    parser.add_argument("--no-build", action="store_true", help="only count")
    arguments = parser.parse_args()
    if not arguments.no_build:
        build_and_run()
    table = (Path(__file__).parent / "explained.tsv").read_text(encoding="utf-8").splitlines()
    explained, used = {(file, line): reason for file, line, reason in (row.split("\t") for row in table)}, set()
    folders, missed = defaultdict(lambda: [0, 0, 0, 0]), []
    for file, number, text, runs, conditions in counted(arguments.rooms):
        # A condition that was neither true nor false is constant, or an earlier condition always decided before it.
        ways = {where: both for where, both in conditions.items() if any(both) or not runs}
        taken = sum(count > 0 for both in ways.values() for count in both)
        known = (file, text.strip()) in explained
        totals = folders[re.sub(r"/internal$", "", str(Path(file).parent))]
        for i, count in enumerate((runs > 0 or known, 1, 2 * len(ways) if known else taken, 2 * len(ways))):
            totals[i] += count
        if runs and taken == 2 * len(ways):
            continue
        if known:
            used.add((file, text.strip()))
            continue
        never = [f"\n    never {'false' if held else 'true'}: {text[slice(*where)]}"
                 for where, (held, not_held) in ways.items() if not (held and not_held)]
        missed.append(f"{file}:{number}  {text.strip()}" + ("".join(never) if runs else "\n    never runs"))
    print("\n".join(missed))
    print(f"\n{'':24}{'lines':22}branches")
    for folder, (ran, lines, taken, branches) in [*folders.items(), ("all", map(sum, zip(*folders.values())))]:
        print(f"{folder:24}{share(ran, lines)}  {share(taken, branches)}")
    for file, line in sorted(explained.keys() - used):
        if not explained[file, line].startswith("another machine"):
            print(f"explained.tsv: {file} has no such line, or the tests reach it: {line}")
    print(f"{len(missed)} places that no test reaches, and {len(used)} more that are explained")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
