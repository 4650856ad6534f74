"""The committed corpora are what build/make_corpus draws from their grammars, and drawn ones keep what their heads promise."""
import datetime
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = pathlib.Path(os.environ.get("SOFTALIGN_BUILD", ROOT / "build")) / "make_corpus"
GRAMMAR = str(ROOT / "data/toy/en-fr.grammar")
failures = 0


def check(condition, what):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", what)


def expect(part, *arguments):
    done = subprocess.run([str(PROGRAM), *map(str, arguments)], capture_output=True, text=True, timeout=600)
    check(done.returncode == 0 and part in done.stdout, f"{arguments}: no \"{part}\" in\n{done.stdout}{done.stderr}")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)

    # the committed corpus, by the commands of --help
    expect("train.tsv: 18000 pairs", "--grammar", GRAMMAR, "--split", "train=18000,valid=500,test=500",
           "--min-length", 1, "--out", folder / "toy")
    expect("long.tsv: 600 pairs", "--grammar", GRAMMAR, "--split", "long=600", "--seed", 2, "--min-length", 5,
           "--max-length", 60, "--spread", "--exclude", folder / "toy/train.tsv", "--exclude", folder / "toy/valid.tsv",
           "--exclude", folder / "toy/test.tsv", "--out", folder / "toy")
    for part in ("train", "valid", "test", "long"):
        same = (folder / f"toy/{part}.tsv").read_bytes() == (ROOT / f"data/toy/{part}.tsv").read_bytes()
        check(same, f"{part}.tsv differs from the committed one")

    # the smaller corpora, by the commands at the heads of their grammars
    def as_its_head_says(grammar, folder):
        """Runs the command in the grammar's first comment, which writes to `folder` instead."""
        head = (ROOT / grammar).read_text(encoding="utf-8").split("\n\n")[0]
        comment = " ".join(word for line in head.splitlines() for word in line.rstrip("\\").lstrip("#").split())
        options = re.search(r"make_corpus (--grammar \S+(?: --?[a-z-]+(?: [^ -]\S*)?)*)", comment)[1].split()
        options[options.index("--grammar") + 1] = str(ROOT / grammar)
        options[options.index("--out") + 1] = str(folder)
        expect("test.tsv: 200 pairs", *options)

    def pairs(folder):
        lines = [line for part in ("train", "valid", "test")
                 for line in (folder / f"{part}.tsv").read_text(encoding="utf-8").splitlines()]
        return [[field.split() for field in line.split("\t")[:3]] for line in lines]

    as_its_head_says("data/zh-en/zh-en.grammar", folder / "zh-en")
    for part in ("train", "valid", "test"):
        same = (folder / f"zh-en/{part}.tsv").read_bytes() == (ROOT / f"data/zh-en/{part}.tsv").read_bytes()
        check(same, f"zh-en/{part}.tsv differs from the committed one")

    for order in ("ja-en", "la-en"):
        as_its_head_says(f"data/orders/{order}.grammar", folder / order)
        drawn = pairs(folder / order)
        check(len(drawn) == 6400, f"{len(drawn)} pairs of {order}")
        for side in (0, 1):
            check(len({" ".join(pair[side]) for pair in drawn}) == 6400, f"{order}: a sentence of side {side} stands twice")

    as_its_head_says("data/tasks/reverse.grammar", folder / "reverse")
    reverse = pairs(folder / "reverse")
    check(len(reverse) == 5400, f"{len(reverse)} pairs of reverse")
    for source, target, links in reverse:
        other_diagonal = [f"{i}-{len(source) - 1 - i}" for i in range(len(source))]
        check(target == source[::-1] and links == other_diagonal, f"reverse: {source} {target} {links}")

    as_its_head_says("data/tasks/dates.grammar", folder / "dates")
    dates = pairs(folder / "dates")
    check(len(dates) == 5400, f"{len(dates)} pairs of dates")
    written = set()
    for source, target, links in dates:
        date = datetime.date.fromisoformat("".join(target))  # refuses what the calendar has not
        words = {f"{date:%Y}", str(date.day), f"{date:%B}".lower(), f"{date:%b}".lower()}
        ordinal = {word for word in source if re.fullmatch(r"\d+(st|nd|rd|th)", word)}
        known = words | {word for word in ordinal if re.match(r"\d+", word)[0] == str(date.day)} | {"the", "of", ","}
        check(set(source) <= known, f"dates: {source} {target}")
        position = {int(link.split("-")[1]): source[int(link.split("-")[0])] for link in links if "-" in link}
        check(position.get(0) == f"{date:%Y}" and position[2][:3] == f"{date:%b}".lower(), f"dates: {source} {links}")
        check(re.match(r"\d+", position[4])[0] == str(date.day), f"dates: {source} {links}")
        shape = " ".join(source).replace(f"{date:%B}".lower(), "MONTH").replace(f"{date:%b}".lower(), "MON")
        written.add(re.sub(r"\d+", "9", shape))
    check(len(written) >= 4, f"dates are written so: {written}")

print("committed corpora:", f"{failures} checks failed" if failures else "all checks passed")
sys.exit(failures > 0)
