#!/usr/bin/env python3
"""Which lines and branches do the tests reach? A table of the rooms' folders, then every place that none reaches.

    tests/coverage/coverage.py                     # autograd, layers and data: half an hour, most of it building
    tests/coverage/coverage.py data --no-build     # counts what the tests have left in build-coverage/ until now

The C++ tests, in both precisions, and those that run the programs go through a build of their own (the preset coverage); gcov
counts. The tests are compiled there too: the linker keeps their copies of what headers define. A branch is a way that a condition, a loop or a
choice can take; ways out through an exception that nobody throws here are none, nor are those of lines that decide nothing,
where the compiler cleans up behind one. What cannot be reached, or not by a test, has its reason in explained.tsv: file,
line without its indentation, why. Ends with 1 if something else is not reached.
"""
import argparse
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
BUILD = PROJECT / "build-coverage"


TESTS = ["test_autograd", "test_autograd_f64", "test_layers", "test_layers_f64", "test_data", "test_models", "test_models_f64", "test_apps"]
# They hold pages, the tree, installs and time, or take minutes where nothing is optimised; what they reach others reach.
WITHOUT = "viewer|bench|suspects|package|subproject|format|tour|readme|memory|reproduce|equations|arrows"


def build_and_run():
    subprocess.run(["cmake", "--preset", "coverage"], cwd=PROJECT, check=True)
    for left in BUILD.rglob("*.gcda"):
        left.unlink()
    subprocess.run(["cmake", "--build", BUILD, "-j", "2"], check=True)
    for test in TESTS:
        subprocess.run([BUILD / "tests" / test], cwd=PROJECT, check=True)
    subprocess.run(["ctest", "-R", "^python:", "-E", WITHOUT, "--output-on-failure", "-j", "2"], cwd=BUILD, check=True)


def choices(branches):
    """How often each way was taken, without calls that might throw: a way back, and one out."""
    kept = []
    for branch in branches:
        if not branch["throw"]:
            kept.append(branch)
        elif kept and kept[-1]["fallthrough"]:
            kept.pop()
    return [branch["count"] for branch in kept]


def counted(rooms):
    """file -> line -> [how often it ran, how often each of its branches], over all copies that the compiler made."""
    lines = defaultdict(lambda: defaultdict(lambda: [0, []]))
    for folder in [*rooms, "tests"]:  # where headers' functions are the tests' copies
        for data in sorted((BUILD / folder).rglob("*.gcda")):
            report = subprocess.check_output(["gcov", "--json-format", "--stdout", "--branch-probabilities", data], cwd=BUILD)
            for file in (file for part in report.splitlines() for file in json.loads(part)["files"]):
                path = (BUILD / file["file"]).resolve()
                if not path.is_relative_to(PROJECT) or path.relative_to(PROJECT).parts[0] not in rooms:
                    continue
                for line in file["lines"]:
                    entry = lines[str(path.relative_to(PROJECT))][line["line_number"]]
                    entry[0] += line["count"]
                    entry[1].append(choices(line["branches"]))
    return {file: {number: (runs, merged(copies)) for number, (runs, copies) in sorted(numbers.items())}
            for file, numbers in sorted(lines.items())}


def merged(copies):
    """The branches of the copies that have the most of them, added up: others were simplified."""
    most = max(map(len, copies))
    return [sum(ways) for ways in zip(*(copy for copy in copies if len(copy) == most))]


def decides(line):
    return re.search(r"\b(if|for|while|case|switch)\b|&&|\|\||\?", line)


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
    explained, used = {tuple(row.split("\t")[:2]) for row in table}, set()
    folders, missed = defaultdict(lambda: [0, 0, 0, 0]), []
    for file, lines in counted(arguments.rooms).items():
        text = (PROJECT / file).read_text(encoding="utf-8").split("\n")
        totals = folders[re.sub(r"/internal$", "", str(Path(file).parent))]
        for number, (runs, branches) in lines.items():
            place = file, text[number - 1].strip()
            if not re.search(r"\w", place[1]):
                continue
            if not decides(place[1]):
                branches = []
            known = place in explained
            used |= {place} & explained
            taken = sum(way > 0 for way in branches)
            for i, count in enumerate((runs > 0 or known, 1, len(branches) if known else taken, len(branches))):
                totals[i] += count
            if not known and (runs == 0 or taken < len(branches)):
                says = f"{taken} of {len(branches)} branches" if runs else "never runs"
                missed.append(f"{file}:{number}  {says}\n    {place[1]}")
    print("\n".join(missed))
    print(f"\n{'':24}{'lines':22}branches")
    for folder, (ran, lines, taken, branches) in [*folders.items(), ("all", map(sum, zip(*folders.values())))]:
        print(f"{folder:24}{share(ran, lines)}  {share(taken, branches)}")
    for file, line in sorted(explained - used):
        print(f"explained.tsv: {file} has no such line, or the tests reach it: {line}")
    print(f"{len(missed)} places that no test reaches, and {len(used)} more that are explained")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
