"""The sandbox of every start: a copy of small corpora, pictures, runs and records, and a canary folder that no program may
change."""

import hashlib
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "apps"))
from programs import png, png_of  # noqa: E402, F401

BUILD = Path(os.environ.get("SOFTALIGN_BUILD", Path(__file__).resolve().parents[2] / "build"))
PROJECT = Path(__file__).resolve().parents[2]
SMALL = ["--embedding", "16", "--hidden", "16", "--attention-size", "16", "--readout", "16", "--threads", "1"]
TRAININGS = {
    "rnn": ("mt", ["--keep-epochs", "2"]),
    "spm": ("mt", ["--tokenizer", "sentencepiece", "--subwords", "90"]),
    "transformer": ("mt", ["--model", "transformer", "--heads", "2", "--feed-forward", "16"]),
    "lm": ("mt", ["--task", "language-model"]),
    "captioner": ("shapes", []),
    "stories": ("facts", []),
    "judge": ("entailment", []),
}
FORMATS = ["jsonl", "pharaoh", "tsv", "soft", "hard", "nematus", "sockeye", "fairseq", "bertviz", "t2t"]
HOSTILE = "don't </s> <s> <unk> \u2581 @@ ||| oui\u00a0! \u3000 \u200b \u202eabc\u202c e\u0301 \x1b[31mred\x1b[0m \x1b]0;t\x07 \u009b31m \x07 👩\u200d👧 \u2028"


def call(folder, program, *arguments):
    done = subprocess.run([BUILD / program, *map(str, arguments)], cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise SystemExit(f"the audit's own preparation failed: {program} {arguments}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def bomb(side):
    """Returns a picture of few bytes and many pixels."""
    return png_of(side, side, bytes((3 * side + 1) * side))


def prepare(base):
    """Makes the folder that is copied for every start. It takes some seconds."""
    base.mkdir(parents=True)
    (base / "mt").mkdir()
    toy = (PROJECT / "data" / "toy" / "train.tsv").read_text(encoding="utf-8").splitlines()
    (base / "mt" / "train.tsv").write_text("\n".join(toy[:60]) + "\n", encoding="utf-8")
    (base / "mt" / "valid.tsv").write_text("\n".join(toy[60:70]) + "\n", encoding="utf-8")
    (base / "mt" / "test.tsv").write_text("\n".join(toy[70:78]) + "\n", encoding="utf-8")
    pairs = [line.split("\t") for line in toy[70:78]]
    (base / "src.txt").write_text("".join(p[0] + "\n" for p in pairs), encoding="utf-8")
    (base / "tgt.txt").write_text("".join(p[1] + "\n" for p in pairs), encoding="utf-8")
    (base / "gold.txt").write_text("".join(p[2] + "\n" for p in pairs), encoding="utf-8")
    (base / "story.txt").write_text("mary went to the kitchen\njohn took the apple\n", encoding="utf-8")
    (base / "hostile.txt").write_text(HOSTILE + "\n\ni love you\n", encoding="utf-8")
    (base / "hostile.tsv").write_text(f"{HOSTILE}\t{HOSTILE}\t0-0 1-1\t\x1b[31mtag\u202e\ni love you\tje t' aime\t0-0\tb\n", encoding="utf-8")
    for task in ("shapes", "facts", "entailment"):
        call(base, "make_corpus", task, "--split", "train=24,valid=6,test=4", "--out", task)
    (base / "grammar").write_bytes((PROJECT / "data" / "toy" / "en-fr.grammar").read_bytes())
    (base / "small.ppm").write_bytes(b"P6 4 4 255\n" + bytes(range(48)))
    (base / "small.pgm").write_bytes(b"P5 4 4 255\n" + bytes(range(16)))
    (base / "bomb.png").write_bytes(bomb(8000))
    (base / "runs").mkdir()
    for name, (corpus, options) in TRAININGS.items():
        call(base, "train", "--data", corpus, "--out", f"runs/{name}", "--epochs", "2", "--batch", "16", "--track", "2", *SMALL, *options)
    rnn = base / "runs" / "rnn"
    call(base, "align", "--run", rnn, "--data", "mt/test.tsv", "--out", rnn / "alignments.jsonl")
    (base / "few.tsv").write_text("\n".join(toy[70:71]) + "\n", encoding="utf-8")
    call(base, "align", "--run", rnn, "--data", "few.tsv", "--intervene", "all", "--out", rnn / "interventions.jsonl")
    call(base, "links", "--data", "mt/train.tsv", "--table", "table.tsv", "--lexicon", "lexicon.tsv", "--out", "links.txt")
    (base / "formats").mkdir()
    for form in FORMATS:
        call(base, "align", "--run", rnn, "--data", "mt/test.tsv", "--format", form, "--out", f"formats/{form}")
    with (rnn / "beam.jsonl").open("wb") as out:
        done = subprocess.run([BUILD / "translate", "--run", rnn, "--beam", "3", "--n-best", "2", "--alignment", "jsonl"], stdout=out,
                              stdin=(base / "src.txt").open("rb"), stderr=subprocess.DEVNULL, check=False)
        assert done.returncode == 0
    call(base, "train", "--data", "mt", "--out", "undisturbed", *SIGNALLED)
    canary = base / "canary"
    (canary / "folder" / "deep").mkdir(parents=True)
    for name in ("precious", "folder/a.txt", "folder/deep/b.txt"):
        (canary / name).write_text(f"do not touch {name}\n", encoding="utf-8")
    os.mkfifo(canary / "pipe")
    return base


# A training that is stopped at random moments and resumed.
SIGNALLED = ["--epochs", "6", "--batch", "4", "--save-every", "3", "--keep-epochs", "1", "--track", "1", *SMALL]


def snapshot(folder):
    """Returns every path below the folder with its content: the hash of a file, or the target of a link."""
    found = {}
    for root, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(root, name)
            status = os.lstat(path)
            key = os.path.relpath(path, folder)
            if stat.S_ISLNK(status.st_mode):
                found[key] = "link to " + os.readlink(path)
            elif stat.S_ISREG(status.st_mode):
                try:
                    with open(path, "rb") as file:
                        found[key] = hashlib.md5(file.read()).hexdigest()
                except OSError as error:
                    found[key] = str(error)
            else:
                found[key] = f"mode {stat.S_IFMT(status.st_mode):o}"
    return found


def copy(base, into, *parts):
    """Copies these parts of the base into a sandbox, and the canary folder next to it."""
    for part in parts:
        source, target = base / part, into / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            continue
        if source.is_dir():
            shutil.copytree(source, target, symlinks=True)
        else:
            shutil.copyfile(source, target)
