"""The kinds of starts. Each function makes a start and its sandbox from random numbers."""

import gzip
import json
import os
import re
import resource
import shutil
import signal
import subprocess

import mutate
import sandbox
from sandbox import FORMATS, SMALL
from starts import SANITIZED, Start, check_gone_on

KINDS = {}
TRANSLATES = ["rnn", "spm", "transformer"]
MT_RUNS = ["rnn", "rnn", "spm", "transformer"]


def kind(name, share):
    def add(function):
        KINDS[name] = (function, share)
        return function
    return add


class Place:
    """The sandbox of one start, with the start's random numbers."""

    def __init__(self, base, folder, random):
        self.base, self.folder, self.random = base, folder, random
        sandbox.copy(base, folder, "hostile.txt", "hostile.tsv")
        shutil.copytree(base / "canary", folder / "canary", copy_function=shutil.copyfile, ignore=lambda *_: ["pipe"])
        os.mkfifo(folder / "canary" / "pipe")

    def bring(self, *parts):
        sandbox.copy(self.base, self.folder, *parts)

    def run(self, name):
        self.bring(f"runs/{name}")
        return f"runs/{name}"

    def mutate(self, path, most=4):
        target = self.folder / path
        target.write_bytes(mutate.mutated(self.random, target.read_bytes(), most))

    def mutate_json_lines(self, path):
        target = self.folder / path
        lines = target.read_text(encoding="utf-8").splitlines()
        at = self.random.randrange(len(lines))
        lines[at] = mutate.mutated_json(self.random, json.loads(lines[at]))
        target.write_text("\n".join(lines) + "\n", encoding="utf-8", errors="surrogatepass")


# ---- options

def options_of(program):
    """Returns the options of --help-all: {name: (placeholder, text)}."""
    said = subprocess.run([sandbox.BUILD / program, "--help-all"], capture_output=True, text=True, check=False).stdout
    found, name = {}, None
    for line in said.splitlines():
        head = re.match(r"  (--?[a-z0-9][\w, -]*?)(?: ([A-Z][A-Za-z,.]*))?(?:  +(.*))?$", line)
        if head and "--" in head.group(1):
            names = [part.strip() for part in head.group(1).split(",")]
            name = next(part for part in names if part.startswith("--"))
            found[name] = [head.group(2), head.group(3) or ""]
        elif name and line.startswith("        "):
            found[name][1] += " " + line.strip()
        else:
            name = None
    return {name: (placeholder, text) for name, (placeholder, text) in found.items()}


OPTIONS = {}
FILES = ["mt/train.tsv", "mt/test.tsv", "src.txt", "tgt.txt", "gold.txt", "table.tsv", "lexicon.tsv", "formats/jsonl", "formats/pharaoh", "absent",
         "canary", "runs/rnn", "/dev/null", "/dev/zero", "", "a\nb", "mt", "hostile.tsv", "runs/rnn/config.json"]
PROGRAMS = {
    "translate": (["--run", "runs/rnn"], "src.txt"), "align": (["--run", "runs/rnn", "--data", "mt/test.tsv"], None),
    "evaluate": (["--run", "runs/rnn", "--data", "mt/test.tsv"], None), "score": (["--run", "runs/rnn", "--data", "mt/test.tsv"], None),
    "view": (["--run", "runs/rnn", "--out", "out"], None), "links": (["--data", "mt/train.tsv", "--out", "out"], None),
    "convert": (["--in", "formats/jsonl", "--from", "jsonl", "--out", "out"], None), "train": (["--data", "mt", *SMALL, "--epochs", "1", "--out", "out"], None),
    "average": (["--run", "runs/rnn", "--out", "out"], None), "make_corpus": (["facts", "--split", "train=9,valid=3", "--out", "out"], None),
    "answer": (["--run", "runs/stories", "story.txt", "where is mary ?"], None),
    "entail": (["--run", "runs/judge", "a dog sleeps", "an animal sleeps"], None),
    "caption": (["--run", "runs/captioner", "small.ppm"], None),
    "reproduce": (["pooling", "--epochs", "1", "--out", "out"], None),
}
NEVER = {"--resume", "--config"}  # other kinds test these more; a config names a folder to write to


def value_of(random, placeholder, text):
    """Returns a random value of an option, following the text of its help."""
    limits = re.search(r"\(([-\d.e]+) to ([-\d.e]+)\)", text)
    if random.random() < 0.05:
        return random.choice(["", " ", "-", "--", "nan", "inf", "-1", "1e400", "0x10", "010", "١", "999999999999999999999", "a" * 2000, "\x1b[31m", "1,2", "\udcff"])
    if limits:
        low, high = limits.groups()
        whole = "." not in low + high and "e" not in low + high and placeholder == "N"
        draw = random.choice(["low", "high", "below", "above", "small", "small", "middle"] + ["small"] * 5)
        if draw in ("low", "high"):
            return low if draw == "low" else high
        if draw == "below":
            return str(int(float(low)) - 1)
        if draw == "above":
            return str(int(float(high)) + 1)
        if whole:
            return str(random.randrange(int(float(low)), min(int(float(high)), 6 if draw == "small" else 1000) + 1)) if float(low) <= 6 else low
        return repr(round(float(low) + random.random() * min(1, float(high) - float(low)), 4))
    if placeholder == "N":
        return str(random.choice([0, 1, 2, 3, 7, 2 ** 31, 2 ** 63]))
    if placeholder == "NAME":
        words = [word for word in re.findall(r"[a-z][a-z0-9-]+", text)]
        return random.choice(words or ["x"])
    if placeholder in ("LIST", "N,N,.."):
        return random.choice(["1", "1,2", "train=3", "train=3,train=4", "a=1,b=2", ",", "=", "x=99999999", "../canary/x=3", "2,1,1"])
    if "folder" in text and random.random() < 0.4:
        return random.choice(["runs/rnn", "runs/spm", "runs/transformer", "out", "mt"])
    return random.choice(FILES)


@kind("random options", 16)
def random_options(place):
    random = place.random
    program = random.choice(list(PROGRAMS) + ["train"] * 6 + ["translate", "align"])
    if program not in OPTIONS:
        OPTIONS[program] = options_of(program)
    arguments, stdin = PROGRAMS[program]
    place.bring("mt", "src.txt", "tgt.txt", "gold.txt", "table.tsv", "lexicon.tsv", "formats", "runs/rnn", "runs/spm", "runs/transformer", "story.txt",
                "small.ppm", "small.pgm", "grammar")
    for name, needs in (("answer", "stories"), ("entail", "judge"), ("caption", "captioner")):
        if program == name:
            place.run(needs)
    arguments = list(arguments)
    names = [name for name in OPTIONS[program] if name not in NEVER and name not in ("--out", "--output", "--replay")]
    for name in random.sample(names, min(len(names), random.choice([1, 1, 2, 3, 5, 8]))):
        placeholder, text = OPTIONS[program][name]
        if name in ("--help", "--help-all", "--version", "--generate") and random.random() < 0.8:
            continue
        at = arguments.index(name) if name in arguments else None
        if at is not None and placeholder:
            if name in ("--run", "--data", "--in") and random.random() < 0.6:
                continue
            arguments[at + 1] = value_of(random, placeholder, text)
        else:
            arguments += [name] + ([value_of(random, placeholder, text)] if placeholder else [])
    if random.random() < 0.05:
        arguments.append(random.choice(arguments))
    return Start(program, [argument.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape") for argument in arguments],
                 outs=["out", "lexicon.out"] + option_outs(arguments), stdin=stdin, long=True, large=True)


def option_outs(arguments):
    """Returns the files that --lexicon, --table, --tokens and --page name as outputs."""
    return [arguments[k + 1] for k in range(len(arguments) - 1) if arguments[k] in ("--lexicon", "--table", "--tokens", "--page") and arguments[k + 1]]


# ---- content

@kind("corpora", 12)
def corpora(place):
    random = place.random
    place.bring("mt", "src.txt", "tgt.txt", "gold.txt")
    path = random.choice(["mt/train.tsv", "mt/valid.tsv", "mt/test.tsv", "src.txt", "gold.txt"])
    for _ in range(random.choice([1, 1, 3])):
        place.mutate(path)
    if random.random() < 0.03:  # one line with very many words
        count = random.choice([1000, 3000, 20000])
        with (place.folder / path).open("ab") as file:
            file.write(b"\n" + b" ".join(b"w%d" % (k % 50) for k in range(count)) + b"\t" + b" ".join(b"v%d" % (k % 50) for k in range(count)) + b"\n")
    if random.random() < 0.02 and path == "mt/train.tsv":  # a small file that is large when unpacked
        (place.folder / path).write_bytes(gzip.compress(random.choice([b"a\tb\n" * 10 ** 5, (b"a" * 4000 + b"\tb\n") * 4000])))
    if random.random() < 0.15:
        data = gzip.compress((place.folder / path).read_bytes())
        (place.folder / path).write_bytes(data if random.random() < 0.3 else mutate.mutated(random, data))
    if path in ("mt/train.tsv", "mt/valid.tsv"):
        if random.random() < 0.3:
            return Start("links", ["--data", path, "--threads", "1", "--out", "out", *random.choice([[], ["--tokenizer", "none"]])], outs=["out"])
        more = random.choice([[], ["--tokenizer", "none"], ["--tokenizer", "characters"], ["--tokenizer", "sentencepiece", "--subwords", "90"],
                              ["--guided-alignment", "0.1"], ["--task", "language-model"], ["--model", "transformer", "--heads", "2"]])
        return Start("train", ["--data", "mt", "--epochs", "1", *SMALL, *more, "--out", "out"], outs=["out"])
    data = ["--data", path] if path == "mt/test.tsv" else ["--source", "src.txt", "--target", "tgt.txt", "--alignment", "gold.txt"]
    if path == "src.txt" and random.random() < 0.3:
        data = ["--source", "src.txt", "--target", "tgt.txt"]
    program = random.choice(["align", "align", "evaluate", "score", "view", "links"])
    run = [] if program == "links" else ["--run", place.run(random.choice(MT_RUNS))]
    form = ["--format", random.choice(FORMATS + ["svg", "plot"])] if program in ("align", "links") else []
    return Start(program, [*run, *data, *form, "--threads", "1", *random.choice([[], ["--one-based"]]), *([] if program in ("evaluate", "score") else ["--out", "out"])],
                 outs=["out"])


@kind("text to translate", 7)
def texts(place):
    random = place.random
    draw = random.choice([0, 0, 0, 1, 2, 2, 3, 3, 3])
    if draw == 0:
        data = mutate.mutated(random, (place.folder / "hostile.txt").read_bytes(), 8)
    elif draw == 1:
        data = bytes(random.choices(range(256), k=random.randrange(1, 2000)))
    elif draw == 2:
        data = " ".join(chr(random.choice([random.randrange(0x20, 0x3000), random.randrange(0x1f000, 0x1faff), random.randrange(0xe000, 0x10ffff), 0x200b]))
                        * random.choice([1, 1, 1, 40]) for _ in range(random.randrange(1, 90))).encode("utf-8", "replace")
    else:
        data = b"\n".join(random.choice([b"", b" ", b"i love you", b"x" * random.choice([10, 100000]), b"i " * random.choice([3, 99, 101, 500]), b"\r", b"...",
                                         "日本".encode() * 50, b"''" * 200]) for _ in range(random.randrange(1, 9)))
    name = random.choice(MT_RUNS + ["lm"])
    options = random.choice([[], ["--beam", "4", "--n-best", "2"], ["--sample", "2"], ["--replace-unknown"], ["--case", "source"], ["--case", "table"],
                             ["--tokenized"], ["--int8"], ["--max-length", "100000"]])
    form = random.choice([[], [], ["--alignment", "hard"], ["--alignment", "soft"], ["--alignment", "jsonl"], ["--alignment", "plot"]])
    return Start("translate", ["--run", place.run(name), *options, *form, "--threads", "1"], stdin=data, long="100000" in options, large="100000" in options)


@kind("alignments of all formats", 10)
def alignments(place):
    random = place.random
    form = random.choice(FORMATS + ["jsonl", "bertviz", "t2t"])
    place.bring("mt", f"formats/{form}")
    path = f"formats/{form}"
    if form in ("jsonl", "bertviz", "t2t") and random.random() < 0.7:
        place.mutate_json_lines(path)
    else:
        place.mutate(path, random.choice([1, 1, 4]))
    needs = ["--data", "mt/test.tsv"] if form in ("pharaoh", "hard", "soft", "fairseq") else []
    if needs and random.random() < 0.2:
        place.mutate("mt/test.tsv")
    more, into = random.choice([[], [], ["--one-based"]]), random.choice(FORMATS + ["svg", "plot"])
    if into in ("pharaoh", "tsv", "hard", "fairseq"):
        more += random.choice([[], ["--rule", "mutual"], ["--shift", "1"], ["--symmetrise", "union", "--reverse", path, "--same-order"]])
    return Start("convert", ["--in", path, "--from", form, "--format", into, *needs, *more, "--out", "out"], outs=["out"])


@kind("records of a page", 8)
def records(place):
    random = place.random
    run = place.run("rnn")
    name = random.choice(["alignments.jsonl", "history.jsonl", "beam.jsonl", "interventions.jsonl", "metrics.jsonl"])
    path = f"{run}/{name}"
    if random.random() < 0.75:
        place.mutate_json_lines(path)
    else:
        place.mutate(path)
    place.bring("mt")
    return Start("view", ["--run", run, *random.choice([[], ["--data", "mt/test.tsv"], ["--compare", run]]), "--threads", "1", "--out", "out"], outs=["out"])


@kind("pictures", 6)
def pictures(place):
    random = place.random
    run = place.run("captioner")
    if random.random() < 0.6:
        place.bring("small.ppm", "small.pgm")
        name = random.choice(["small.ppm", "small.pgm", "small.png"])
        if name == "small.png":
            side = random.choice([1, 4, 30])
            (place.folder / name).write_bytes(sandbox.png([[(random.randrange(256), 0, 9)] * side] * random.choice([1, 4, 30])))
        place.mutate(name)
        if random.random() < 0.04:
            place.bring("bomb.png")
            name = "bomb.png"
        if random.random() < 0.1:
            name = random.choice(["/dev/zero", "/dev/full", "canary", "absent", ""])
        return Start("caption", ["--run", run, name, "--threads", "1", *random.choice([[], ["--alignment", "jsonl"], ["--alignment", "plot"]])])
    place.bring("shapes")
    path = random.choice(["shapes/train.tsv", "shapes/valid.tsv"])
    target = place.folder / path
    if random.random() < 0.6:
        place.mutate(path)
    else:
        lines = target.read_text(encoding="utf-8").split("\n")
        odd = random.choice(["../canary/pipe", "/dev/zero", "/dev/stdin", "..", "", "train-pictures", "a\x1b[31m.png", "x" * 5000])
        lines[0] = "\t".join([odd, *lines[0].split("\t")[1:]])
        target.write_text("\n".join(lines), encoding="utf-8")
    return Start("train", ["--data", "shapes", "--epochs", "1", *SMALL, *random.choice([[], ["--model", "transformer", "--encoder", "picture", "--heads", "2"],
                                                                                      ["--picture-height", "512"]]), "--out", "out"], outs=["out"], large=True, long=True)


@kind("stories and pairs", 6)
def stories(place):
    random = place.random
    if random.random() < 0.5:
        task = random.choice(["facts", "entailment"])
        place.bring(task)
        place.mutate(f"{task}/{random.choice(['train.tsv', 'valid.tsv', 'task'])}")
        return Start("train", ["--data", task, "--epochs", "1", *SMALL, "--out", "out"], outs=["out"])
    hostile = sandbox.HOSTILE.split(" ")
    text = " ".join(random.choice(hostile + ["mary", "went", "the"]) for _ in range(random.randrange(0, 12)))
    more = random.choice([[], ["--alignment", "plot"], ["--alignment", "jsonl"], ["--n-best", "3"]])
    if random.random() < 0.5:
        place.bring("story.txt")
        place.mutate("story.txt")
        return Start("answer", ["--run", place.run("stories"), random.choice(["story.txt", "-"]), text, "--threads", "1",
                                *more], stdin="story.txt", terminal=random.random() < 0.3)
    return Start("entail", ["--run", place.run("judge"), text, random.choice([text, "an animal sleeps", ""]), "--threads", "1", *more], terminal=random.random() < 0.3)


# ---- run folders

ENDS = {"rnn": ["translate", "align", "evaluate", "score", "view", "average", "resume", "config"], "spm": ["translate", "align", "evaluate", "resume"],
        "transformer": ["translate", "align", "view", "resume", "int8"], "lm": ["translate", "score", "resume"], "captioner": ["caption", "resume"],
        "stories": ["answer", "resume"], "judge": ["entail", "resume"]}


def use_of(place, name, use):
    run = f"runs/{name}"
    place.bring("mt", "shapes", "facts", "entailment", "story.txt", "small.ppm", "src.txt")
    table = {
        "translate": Start("translate", ["--run", run, "--threads", "1"], stdin="src.txt"),
        "int8": Start("translate", ["--run", run, "--threads", "1", "--int8"], stdin="src.txt"),
        "align": Start("align", ["--run", run, "--data", "mt/test.tsv", "--threads", "1", "--out", "out"], outs=["out"]),
        "evaluate": Start("evaluate", ["--run", run, "--data", "mt/test.tsv", "--threads", "1"]),
        "score": Start("score", ["--run", run, "--data", "mt/test.tsv", "--threads", "1"]),
        "view": Start("view", ["--run", run, "--data", "mt/test.tsv", "--threads", "1", "--out", "out"], outs=["out"]),
        "average": Start("average", ["--run", run, "--out", "out"], outs=["out"]),
        "resume": Start("train", ["--resume", "--out", run, "--epochs", "3"], outs=[run]),
        "config": Start("train", ["--config", f"{run}/config.json", "--epochs", "1", "--data", "mt", "--out", "out"], outs=["out"], long=True, large=True),
        "caption": Start("caption", ["--run", run, "small.ppm", "--threads", "1"]),
        "answer": Start("answer", ["--run", run, "story.txt", "where is mary ?", "--threads", "1"]),
        "entail": Start("entail", ["--run", run, "a dog sleeps", "an animal sleeps", "--threads", "1"]),
    }
    return table[use]


def forge_checkpoint(random, data):
    """Returns a safetensors file with a changed JSON header and the matching length of the header."""
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + size])
    text = mutate.mutated_json(random, header).encode("utf-8", "surrogatepass")
    return len(text).to_bytes(8, "little") + text + data[8 + size:]


@kind("damaged run folders", 12)
def damaged(place):
    random = place.random
    name = random.choice(list(ENDS))
    run = place.folder / place.run(name)
    files = sorted(path for path in run.iterdir() if path.is_file() and path.name not in ("alignments.jsonl", "beam.jsonl", "interventions.jsonl", "timing.jsonl"))
    # Hostile SentencePiece models are left out (SECURITY.md).
    path = random.choice([path for path in files if not path.name.endswith(".spm")])
    draw = random.random()
    if draw < 0.1:
        path.unlink()
    elif draw < 0.2:
        other = random.choice([other for other in files])
        path.write_bytes(other.read_bytes())
    elif path.suffix == ".json" and draw < 0.8:
        path.write_text(mutate.mutated_json(random, json.loads(path.read_text())), encoding="utf-8", errors="surrogatepass")
    elif path.suffix == ".safetensors" and draw < 0.7:
        path.write_bytes(forge_checkpoint(random, path.read_bytes()))
    else:
        path.write_bytes(mutate.mutated(random, path.read_bytes()))
    start = use_of(place, name, random.choice(ENDS[name]))
    start.long = start.large = path.name == "config.json"  # a training may get other sizes
    return start


@kind("odd files in a run folder", 10)
def odd_files(place):
    random = place.random
    name = random.choice(list(ENDS))
    run = place.folder / place.run(name)
    names = [path.name for path in run.iterdir()] + [".lock", "replaced", "replaced.part", "model.safetensors", "last.safetensors", "timing.jsonl", "metrics.jsonl",
                                                     "history.jsonl", "epoch-3.safetensors", "diverged.safetensors", "task", "reverse"]
    for _ in range(random.choice([1, 1, 2])):
        path = run / random.choice(sorted(set(names)))
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif os.path.lexists(path):  # for example a pipe from an earlier round
            path.unlink()
        draw = random.randrange(6)
        if draw == 0:
            path.symlink_to("../../canary/precious")
        elif draw == 1:
            path.symlink_to("../../canary/folder")
        elif draw == 2:
            path.symlink_to(random.choice(["/dev/zero", "/dev/full", "../../canary/new", path.name, "../../canary/pipe"]))
        elif draw == 3:
            os.mkfifo(path)
        elif draw == 4:
            path.mkdir()
            (path / "a.txt").write_text("foreign\n")
        else:
            original = place.base / "runs" / name / path.name
            if original.is_file():  # a link to a good file elsewhere
                shutil.copyfile(original, place.folder / "canary" / path.name)
                path.symlink_to(f"../../canary/{path.name}")
            else:
                path.write_bytes(b"foreign\n")
    start = use_of(place, name, random.choice(ENDS[name] + ["resume", "resume"]))
    return start


FOREIGN = ["notes.txt", "notes.tmp99999-1", ".lock", "replaced/a.txt", "replaced.part/a.txt", ".new/a.txt", ".new.part/a.txt", "epoch-1.safetensors.bak", "train.tsv",
           "thesis/chapter.tex", "model.safetensors", "last.safetensors", "config.json", "metrics.jsonl", "reverse/notes.txt", "train.tsv.tmp1-1", "source.vocab"]


@kind("foreign files in --out", 8)
def foreign(place):
    random = place.random
    place.bring("mt", "runs/rnn", "grammar")
    out = place.folder / "out"
    if random.random() < 0.3:
        shutil.copytree(place.base / "runs" / "rnn", out)
    names = random.sample(FOREIGN, random.randrange(1, 5))
    kept = []
    for name in names:
        path = out / name
        if path.exists() or (out / name.split("/")[0]).is_file():
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"foreign {name}\n")
        kept.append(f"out/{name}")
    force = random.choice([[], [], ["--force"]])
    start = random.choice([
        Start("train", ["--data", "mt", *SMALL, "--epochs", "1", "--out", "out", *force], outs=["out"]),
        Start("train", ["--resume", "--out", "out"], outs=["out"]),
        Start("average", ["--run", "runs/rnn", "--out", "out", *force], outs=["out"]),
        Start("make_corpus", ["facts", "--split", "train=9,valid=3", "--out", "out", *force], outs=["out"]),
        Start("make_corpus", ["--grammar", "grammar", "--split", "train=9", "--out", "out", *force], outs=["out"]),
        Start("train", ["--data", "mt", *SMALL, "--epochs", "1", "--both-directions", "--out", "out", *force], outs=["out"]),
    ])
    # --force may replace files that have the names of a run's or a corpus's files. It may touch no other file.
    own = {"model.safetensors", "last.safetensors", "config.json", "metrics.jsonl", "source.vocab", "train.tsv", ".lock"}
    start.foreign = [path for path in kept if not force or path.split("/")[-1] not in own]
    return start


# ---- limits, signals, streams, environment, terminals

def anything(place):
    """Returns a start without any fault."""
    random = place.random
    name = random.choice(list(ENDS))
    place.run(name)
    use = random.choice([use for use in ENDS[name] if use not in ("resume", "config")] + ["train", "links"])
    if use == "train":
        place.bring("mt")
        return Start("train", ["--data", "mt", *SMALL[:-2], "--threads", random.choice(["1", "2"]), "--epochs", "1", "--out", "out"], outs=["out"])
    if use == "links":
        place.bring("mt")
        return Start("links", ["--data", "mt/train.tsv", "--out", "out"], outs=["out"])
    start = use_of(place, name, use)
    if "--threads" in start.arguments and random.random() < 0.5:
        start.arguments[start.arguments.index("--threads") + 1] = "2"
    return start


@kind("resource limits", 8)
def limits(place):
    random = place.random
    start = anything(place)
    draw = random.randrange(1 if SANITIZED else 0, 4)  # a sanitizer reserves more addresses than any limit allows
    if draw == 0:
        start.limits[resource.RLIMIT_AS] = random.randrange(40, 700) << 20
    elif draw == 1:
        start.limits[resource.RLIMIT_FSIZE] = random.choice([0, 1, 100, 5000, 50000])
    elif draw == 2:
        start.limits[resource.RLIMIT_NOFILE] = random.randrange(3, 14)
    else:
        start.limits[resource.RLIMIT_STACK] = random.choice([256, 512, 1024]) << 10
    return start


@kind("signals, then resume", 8)
def signals(place):
    random = place.random
    place.bring("mt")
    drawn = [(random.random() * random.choice([0.02, 0.2, 0.6]), random.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGKILL, signal.SIGHUP]))]
    if random.random() < 0.3:
        drawn = sorted(drawn + [(random.random() * 0.3, random.choice([signal.SIGINT, signal.SIGTERM])) for _ in range(random.choice([1, 5]))])
    if random.random() < 0.2:
        at = random.random() * 0.3
        drawn += [(at, signal.SIGSTOP), (at + 0.05, signal.SIGCONT)]
    base = place.base
    return Start("train", ["--data", "mt", *sandbox.SIGNALLED, "--out", "out"], outs=["out"], signals=drawn,
                 then=lambda folder, end: check_gone_on(base, folder, end))


@kind("closed and full streams", 6)
def streams(place):
    random = place.random
    start = anything(place)
    if start.program != "translate" and random.random() < 0.3 and "--out" in start.arguments and start.program not in ("train", "average", "view"):
        at = start.arguments.index("--out")
        del start.arguments[at:at + 2]
    for name in random.sample(["stdin", "stdout", "stderr"], random.choice([1, 1, 2])):
        if name == "stdin":
            start.stdin = random.choice(["closed", b"", b"\0" * 100])
        else:
            setattr(start, name, random.choice(["closed", "full", "pipe", "read-only"]))
    return start


@kind("environment and threads", 7)
def environment(place):
    random = place.random
    start = anything(place)
    odd = ["0", "-1", "1", "2", "64", "99999", "garbage", "", "1,2", "true"]
    for name in random.sample(["OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "OMP_DYNAMIC", "OMP_WAIT_POLICY", "OMP_NESTED", "OMP_PROC_BIND", "OMP_PLACES", "OMP_STACKSIZE",
                               "OMP_MAX_ACTIVE_LEVELS", "OPENBLAS_NUM_THREADS", "LC_ALL", "LANG", "HOME", "COLUMNS", "TERM", "TZ", "TMPDIR", "NO_COLOR",
                               "MALLOC_PERTURB_", "POSIXLY_CORRECT"], random.choice([1, 1, 2, 3])):
        start.environment[name] = {"OMP_DYNAMIC": random.choice(["true", "false", "x"]), "OMP_WAIT_POLICY": random.choice(["active", "passive", "x"]),
                                   "OMP_PROC_BIND": random.choice(["true", "close", "spread", "x"]), "OMP_PLACES": random.choice(["cores", "{0}", "x"]),
                                   "OMP_STACKSIZE": random.choice(["256k", "1G", "x"]), "LC_ALL": random.choice(["C", "tr_TR.UTF-8", "de_DE", "x"]),
                                   "LANG": random.choice(["C", "ar", ""]), "HOME": random.choice([None, "/nowhere", ""]), "TMPDIR": "/nowhere", "TERM": random.choice(["dumb", "", "x"]),
                                   "TZ": random.choice(["x", "UTC+99", ":/dev/zero"]), "OMP_MAX_ACTIVE_LEVELS": random.choice(["0", "3"]),
                                   "OMP_THREAD_LIMIT": random.choice(["1", "2", "3"])}.get(name, random.choice(odd))
    if "--threads" in start.arguments:
        start.arguments[start.arguments.index("--threads") + 1] = random.choice(["0", "1", "2", "3", "8", "32"])
    start.expect = {0} if start.program not in ("average",) else None
    return start


@kind("hostile text on a terminal", 6)
def terminals(place):
    random = place.random
    name = random.choice(MT_RUNS)
    run = place.run(name)
    draw = random.randrange(7)
    if draw == 0:
        form = random.choice(FORMATS + ["plot", "svg"])
        start = Start("align", ["--run", run, "--data", "hostile.tsv", "--threads", "1", "--format", form])
    elif draw == 1:
        form = random.choice(["jsonl", "hard", "soft", "plot"])
        start = Start("translate", ["--run", run, "--threads", "1", *random.choice([[], ["--alignment", form], ["--replace-unknown"], ["--case", "source", "--replace-unknown"]])],
                      stdin="hostile.txt")
    elif draw == 2:
        start = Start("evaluate", ["--run", run, "--data", "hostile.tsv", "--threads", "1", *random.choice([[], ["--json"]])])
    elif draw == 3:
        place.bring("mt", "grammar")
        (place.folder / "mt" / "valid.tsv").write_bytes((place.folder / "hostile.tsv").read_bytes())
        start = Start("train", ["--data", "mt", *SMALL, "--epochs", "1", "--plot-every", "1", *random.choice([[], ["--tokenizer", "none"]]), "--out", "out"], outs=["out"])
    elif draw == 4:
        place.run("judge")
        text = sandbox.HOSTILE.replace("|||", "a")
        start = Start("entail", ["--run", "runs/judge", text, text, "--threads", "1", *random.choice([[], ["--alignment", "plot"], ["--alignment", "jsonl"]])])
    elif draw == 5:
        place.run("stories")
        start = Start("answer", ["--run", "runs/stories", "hostile.txt", sandbox.HOSTILE, "--threads", "1", *random.choice([[], ["--alignment", "plot"], ["--alignment", "jsonl"]])])
    else:
        path = place.folder / random.choice(["no\x1b[31msuch", "no\u202esuch", "no\u009b31m", "no\nerror: such"])
        start = Start(random.choice(["align", "evaluate", "score"]), ["--run", run, "--data", path.name, "--threads", "1"])
        if draw == 6 and random.random() < 0.5:
            path.write_bytes(mutate.mutated(random, (place.folder / "hostile.tsv").read_bytes()))
    start.terminal = True
    return start
