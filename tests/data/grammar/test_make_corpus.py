"""build/make_corpus as a user sees it: files, messages, exit status."""
import os
import pathlib
import shutil
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


def run(*arguments):
    done = subprocess.run([str(PROGRAM), *map(str, arguments)], capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout, done.stderr


def expect(status, part, *arguments):
    code, out, err = run(*arguments)
    check(code == status, f"{arguments}: exit status {code}, expected {status}\n{err}")
    check(part in out + err, f"{arguments}: no \"{part}\" in\n{out}{err}")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    expect(0, "Examples:", "--help")
    expect(0, "softalign", "--version")

    # Lengths, the single file, and replacing a corpus.
    small = ("--grammar", GRAMMAR, "--pairs", 50, "--out", folder / "small")
    expect(0, "pairs.tsv: 50 pairs", *small, "--min-length", 4, "--max-length", 9)
    first = (folder / "small/pairs.tsv").read_text(encoding="utf-8")
    for line in first.splitlines():
        source, target, links, *tags = line.split("\t")
        check(all(4 <= len(side.split()) <= 9 for side in (source, target)), f"length of {line}")
    expect(1, "pairs.tsv already exists. Choose another --out, or add --force", *small)
    check((folder / "small/pairs.tsv").read_text(encoding="utf-8") == first, "a refused run changed the file")
    expect(0, "50 pairs", *small, "--force")
    check((folder / "small/pairs.tsv").read_text(encoding="utf-8") != first, "--force replaced nothing")

    # A sequence task.
    reverse = ("reverse", "--pairs", 50, "--out", folder / "reverse")
    expect(0, "pairs.tsv: 50 pairs", *reverse, "--max-length", 9)
    for line in (folder / "reverse/pairs.tsv").read_text(encoding="utf-8").splitlines():
        source, target, links = line.split("\t")
        check(source.split()[::-1] == target.split(), f"not reversed: {line}")
        n = len(source.split())
        check(links.split() == [f"{i}-{n - 1 - i}" for i in range(n)], f"links of {line}")
    expect(2, "reverse", "sort", "--pairs", 5, "--out", folder / "none")
    expect(2, "a task or --grammar FILE", "--grammar", GRAMMAR, *reverse)
    expect(2, "a task or --grammar FILE", "--pairs", 5, "--out", folder / "none")
    expect(2, "--spread needs --grammar", *reverse, "--spread")

    # Pictures with captions.
    shapes = ("shapes", "--split", "train=30,test=20", "--out")
    expect(0, "train.tsv: 30 examples of shapes", *shapes, folder / "shapes", "--seed", 3)
    expect(0, "test.tsv: 20 examples", *shapes, folder / "again", "--seed", 3)
    check(sorted(path.name for path in (folder / "shapes").iterdir() if not path.name.startswith("."))
          == ["task", "test-pictures", "test.tsv", "train-pictures", "train.tsv"], "files of shapes")
    check((folder / "shapes/task").read_text() == "captioning\n", "the task of shapes")
    lines = [(folder / f"shapes/{part}.tsv").read_text().splitlines() for part in ("train", "test")]
    check([len(part) for part in lines] == [30, 20], "lines of shapes")
    check(len({line.split("\t", 1)[1] for part in lines for line in part}) == 50, "a content twice")
    for line in lines[0] + lines[1]:
        picture = line.split("\t")[0]
        check((folder / "shapes" / picture).read_bytes() == (folder / "again" / picture).read_bytes(), f"{picture} differs")
    expect(1, "already exists. Choose another --out", *shapes, folder / "shapes")
    expect(1, "already exists. Choose another --out", "shapes", "--split", "more=3", "--out", folder / "shapes")
    for option in (("--min-length", 3), ("--exclude", folder / "small/pairs.tsv")):
        expect(2, f"{option[0]} needs pairs of words", *shapes, folder / "none", *option)

    # A new corpus replaces the old one completely. Files that do not belong to this program are kept.
    fewer = ("shapes", "--split", "train=3", "--seed", 4, "--force", "--out")
    expect(0, "train.tsv: 3 examples", *fewer, folder / "shapes")
    check(len((folder / "shapes/train.tsv").read_text().splitlines()) == 3, "lines drawn anew")
    check(sorted(path.name for path in (folder / "shapes/train-pictures").iterdir())
          == [f"{i:06}.png" for i in (1, 2, 3)], "pictures of before are left")
    check(len(list((folder / "shapes/test-pictures").iterdir())) == 20, "another part was touched")
    for path, says in [("train-pictures/mine.png", "train-pictures holds 4 files for 3 lines"),
                       ("train-pictures/000002.png", "train-pictures/000002.png is not there"),
                       ("train.tsv", "line 1 is not of train-pictures/000001.png"), ("task", "its file task does not say captioning")]:
        place = folder / "again" / path
        expect(0, "3 examples", *fewer, folder / "again")
        if path.endswith("2.png"):
            place.unlink()
        else:
            place.write_text("mine\n")
        held = {p: p.read_bytes() for p in (folder / "again").rglob("*.*") if p.is_file()}
        expect(1, f"({says})", *fewer, folder / "again")
        check({p: p.read_bytes() for p in (folder / "again").rglob("*.*") if p.is_file()} == held, f"{path}: something changed")
        shutil.rmtree(folder / "again")
    expect(1, "its file task does not say questions", "one", "--split", "other=3", "--force", "--out", folder / "shapes")

    # Stories and sentence pairs.
    for name, task in [("facts", "questions"), ("facts-zh", "questions"), ("one", "questions"), ("two", "questions"), ("stories", "questions"),
                       ("entailment", "entailment")]:
        texts = (name, "--split", "train=30,test=20", "--seed", 3, "--out")
        expect(0, f"train.tsv: 30 examples of {name}", *texts, folder / name)
        expect(0, "test.tsv: 20 examples", *texts, folder / f"{name}-again")
        check((folder / name / "task").read_text() == task + "\n", f"the task of {name}")
        parts = [(folder / name / f"{part}.tsv").read_text(encoding="utf-8") for part in ("train", "test")]
        check(len(set("".join(parts).splitlines())) == 50, f"{name}: a line twice")
        check(parts == [(folder / f"{name}-again" / f"{part}.tsv").read_text(encoding="utf-8") for part in ("train", "test")],
              f"{name}: the same seed drew others")
        expect(0, "train.tsv: 3 examples", name, "--split", "train=3", "--force", "--out", folder / name)
        check(len((folder / name / "train.tsv").read_text(encoding="utf-8").splitlines()) == 3, f"{name}: drawn anew")
        expect(1, "already exists. Choose another --out, or add --force", *texts, folder / name)
        (folder / name / "train.tsv").write_text("a | b\tc\td\n" if task == "questions" else "a\tb\n", encoding="utf-8")
        expect(1, "make_corpus did not write", *texts, folder / name, "--force")

    # Stories with options.
    stories = ("stories", "--split", "train=20", "--people", 12, "--idle", 12, "--containers", 4, "--facts", 3, "--out")
    expect(0, "train.tsv: 20 examples of stories", *stories, folder / "many")
    for line in (folder / "many/train.tsv").read_text().splitlines():
        check(len(line.split("\t")[3].split()) == 3, f"not three facts: {line}")
    expect(0, "5 examples", "stories", "--question", "yes-no", "--split", "train=5", "--out", folder / "yes-no")
    check({line.split("\t")[2] for line in (folder / "yes-no/train.tsv").read_text().splitlines()} <= {"yes", "no"}, "yes or no")
    for says, *options in [("--facts 3 needs --containers 2", "--facts", 3), ("is larger than --max-sentences 4", "--max-sentences", 4),
                           ("why", "--question", "why"),
                           ("people is 13", "--people", 13), ("containers is 5", "--containers", 5)]:
        expect(2, says, "stories", *options, "--out", folder / "none")
    expect(2, "--people has an effect only on the task stories", "two", "--people", 3, "--out", folder / "none")
    expect(2, "--question has an effect only on the task stories", "split", "x.tsv", "--question", "count", "--out", folder / "none")

    # Wrong usage ends with 2, wrong input with 1.
    out = ("--out", folder / "none")
    expect(2, "grammar", "--pairs", 5, *out)
    expect(2, "--pairs N or --split", "--grammar", GRAMMAR, *out)
    expect(2, "does not have the form NAME=PAIRS", "--grammar", GRAMMAR, "--split", "train", *out)
    expect(2, "does not have the form NAME=PAIRS", "--grammar", GRAMMAR, "--split", "a=5,a=6", *out)
    expect(2, "does not have the form NAME=PAIRS", "--grammar", GRAMMAR, "--split", "../a=5", *out)
    expect(2, "add up to 11", "--grammar", GRAMMAR, "--pairs", 5, "--split", "a=5,b=6", *out)
    expect(2, "is larger than", "--grammar", GRAMMAR, "--pairs", 5, "--min-length", 9, "--max-length", 8, *out)
    expect(2, "bogus", "--grammar", GRAMMAR, "--pairs", 5, "--bogus", *out)
    expect(1, "no-such", "--grammar", folder / "no-such", "--pairs", 5, *out)
    expect(1, "train.tsv:1: ", "--grammar", ROOT / "data/toy/train.tsv", "--pairs", 5, *out)
    expect(1, "no new pair of 1 source words", "--grammar", GRAMMAR, "--pairs", 5000, "--min-length", 1, "--max-length", 1,
           "--spread", *out)
    expect(1, "no-such.tsv", "--grammar", GRAMMAR, "--pairs", 5, "--exclude", folder / "no-such.tsv", *out)
    check(not (folder / "none").exists(), "a failed run left a folder")
    (folder / "file").write_text("x")
    expect(1, "this is a file, and a folder is needed", "--grammar", GRAMMAR, "--pairs", 5, "--out", folder / "file")

print("make_corpus:", f"{failures} checks failed" if failures else "all checks passed")
sys.exit(failures > 0)
