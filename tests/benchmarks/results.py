#!/usr/bin/env python3
"""Measures the figures of docs/results.md and docs/experiments.md, one cell at a time.

    tests/benchmarks/results.py list                           # the commands of all cells, one per line
    tests/benchmarks/results.py list family translation        # ... of two tables
    tests/benchmarks/results.py measure CELL --out FOLDER      # one training, alignment or study: FOLDER/CELL.json
    tests/benchmarks/results.py collect FOLDER                 # the cells of FOLDER into docs/measured
    tests/docs/tables.py --write; docs/experiments.py          # docs/measured into the pages

A cell is one training with one seed, one run of `links`, or one study of `reproduce`. TABLES says which cells a table has;
cells with the same options are measured once. Each cell records its date, commit, command and machine. Cells need one core
and a few minutes, so they can run in parallel: tests/benchmarks/results.py list | xargs -P 8 -I{} sh -c '{}'
"""
import argparse
import datetime
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import runs

ROOT = Path(__file__).resolve().parents[2]
MEASURED = ROOT / "docs" / "measured"
SEEDS = (1, 2, 3)

# Corpora. A grammar or a task of make_corpus is generated first.
CORPORA = {
    "toy": "data/toy",
    "zh-en": "data/zh-en",
    "ja-en": "data/orders/ja-en.grammar",
    "la-en": "data/orders/la-en.grammar",
    "dates": "data/tasks/dates.grammar",
    "reverse": "data/tasks/reverse.grammar",
    "shapes": "shapes",
    "scenes": "scenes",
    "entailment": "entailment",
    "repeats": "repeats",
    "two-facts": "stories --people 9 --idle 12 --containers 3 --things 6 --rooms 7",
    "one-fact": "stories --people 12 --idle 12 --containers 4 --facts 1",
    "three-facts": "stories --people 7 --idle 5 --containers 3 --facts 3",
    "counting": "stories --people 10 --idle 2 --question count",
    "yes-no": "stories --people 6 --idle 7 --containers 3 --question yes-no",
}


class Training:
    """train with these options and a seed, then evaluate on the test pairs."""

    def __init__(self, corpus, options=""):
        self.corpus, self.options = corpus, options

    def cells(self):
        name = re.sub(r"[^a-z0-9.]+", "-", self.options.lower()).strip("-") or "defaults"
        return {f"{self.corpus}.{name}.{seed}": (self, seed) for seed in SEEDS}

    def measure(self, seed, build, work):
        data = corpus_folder(self.corpus, build, work)
        run = work / "run"
        train = [build / "train", "--data", data, *shlex.split(self.options), "--seed", seed, "--threads", 1, "--out", run]
        runs.output(train, cwd=ROOT)
        scores = {}
        for test in ("test", "long"):
            if (ROOT / data / f"{test}.tsv").exists():
                evaluate = [build / "evaluate", "--run", run, "--data", Path(data) / f"{test}.tsv", "--threads", 1, "--json"]
                scores[test] = json.loads(runs.output(evaluate, cwd=ROOT))
        shown = f"train --data {shown_corpus(self.corpus)} {self.options} --seed {seed} --threads 1"
        return re.sub(" +", " ", shown), figures_of(run, scores)


class Links:
    """links with these options; AER of the sentences with gold links."""

    def __init__(self, corpus, options="", seen=False):
        self.corpus, self.options, self.seen = corpus, options, seen

    def cells(self):
        name = re.sub(r"[^a-z0-9.]+", "-", self.options.lower()).strip("-") or "defaults"
        return {f"links.{self.corpus}.{'seen' if self.seen else 'unseen'}.{name}": (self, None)}

    def measure(self, _, build, work):
        if self.corpus in CORPORA:
            data = Path(corpus_folder(self.corpus, build, work))
            files, shown = ["--data", data / "train.tsv", "--align", data / "test.tsv"], f"--data {shown_corpus(self.corpus)}"
        else:  # pairs.tsv and the sentences with gold links are in the folder of --texts
            pairs, gold = TEXTS["folder"] / "pairs.tsv", TEXTS["folder"] / f"{self.corpus}.tsv"
            shown = f"--data pairs.tsv --align {self.corpus}.tsv --tokenizer none"
            files = ["--data", pairs, "--align", gold, "--tokenizer", "none"]
            if self.seen:
                both = work / "seen.tsv"
                both.write_text(pairs.read_text(encoding="utf-8") + gold.read_text(encoding="utf-8"), encoding="utf-8")
                files, shown = ["--data", both, "--tokenizer", "none"], f"--data pairs-and-{self.corpus}.tsv --tokenizer none"
        command = [build / "links", *files, *shlex.split(self.options), "--threads", 1, "--out", work / "links.txt"]
        done = subprocess.run(list(map(str, command)), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
        table = re.findall(r"^(agreement|forward|backward|intersection|union|grow-diag-final-and) +(\S+) +(\S+) +(\S+)$", done.stdout,
                           re.MULTILINE)
        return f"links {shown} {self.options}".strip(), {
            f"{rule} {name}".replace("-", "_").replace(" ", "_"): float(value)
            for rule, *values in table for name, value in zip(("aer", "precision", "recall"), values)}


class Study:
    """reproduce, with three seeds: the claims, the table and the figures that it writes."""

    def __init__(self, name):
        self.name = name

    def cells(self):
        return {f"study.{self.name}": (self, None)}

    def measure(self, _, build, work):
        files = self.files()
        named = [word for option, file in files for word in (option, TEXTS["folder"] / file)]
        runs.output([build / "reproduce", self.name, "--seeds", len(SEEDS), "--threads", 1, *named, "--out", work / "reports"], cwd=ROOT)
        result = json.loads((work / "reports" / f"{self.name}.json").read_text(encoding="utf-8"))
        for figure in result["figures"]:
            figure["svg"] = (work / "reports" / figure["file"]).read_text(encoding="utf-8")
        result["command"] = " ".join(["reproduce", self.name, *(word for pair in files for word in pair), f"--seeds {len(SEEDS)}"])
        return f"{result['command']} --threads 1", result

    def files(self):
        """Returns the options that name files in the folder of --texts. Only one study needs such files."""
        return [("--data", "pairs"), ("--gold", "graca100.tsv"), ("--gold", "trial37.tsv")] if self.name == "alignment-on-real-text" else []


TEXTS = {}  # "folder": the folder of files that are not part of the project, from --texts


def shown_corpus(corpus):
    return CORPORA[corpus] if CORPORA[corpus].startswith("data/") else corpus


def corpus_folder(corpus, build, work):
    """Returns the folder of a corpus. data/toy and data/zh-en exist; the others are generated."""
    how = CORPORA[corpus]
    if how.startswith("data/") and not how.endswith(".grammar"):
        return how
    folder = work / "data"
    options = shlex.split(how)
    if how.endswith(".grammar"):  # the grammar's first comment has the command
        head = (ROOT / how).read_text(encoding="utf-8").split("\n\n")[0]
        words = [word for line in head.splitlines() for word in line.lstrip("#").split() if word != "\\"]
        options = words[words.index("make_corpus") + 1:]
        del options[options.index("--out"):options.index("--out") + 2]
    runs.output([build / "make_corpus", *options, "--out", folder], cwd=ROOT)
    return folder


def parameters(model):
    data = model.read_bytes()
    header = json.loads(data[8:8 + int.from_bytes(data[:8], "little")])
    return sum((t["data_offsets"][1] - t["data_offsets"][0]) // 4 for name, t in header.items()
               if name != "__metadata__" and t["dtype"] == "F32")


def percent(value):
    return None if value is None else round(100 * value, 2)


def figures_of(run, scores):
    """Returns the figures of one training for the tables. Shares are in percent."""
    all_pairs = scores["test"]["all"]
    found = {name: all_pairs.get(name) for name in ("bleu", "exact_match", "perplexity", "entropy")}
    for name in ("end_attention", "attention_accuracy", "attention_accuracy_within_one_cell", "mass_in_gold", "supported", "greedy_match"):
        found[name] = percent(all_pairs.get(name))
    for prefix, links in (("", "alignment"), ("em_", "alignment_of_em")):
        for name in ("aer", "precision", "recall"):
            found[prefix + name] = percent((all_pairs.get(links) or {}).get(name))
    timing = [json.loads(line) for line in (run / "timing.jsonl").read_text(encoding="utf-8").splitlines()]
    found["seconds"] = sum(epoch["seconds"] for epoch in timing)
    found["words_per_second"] = sum(epoch["words_per_second"] for epoch in timing) / len(timing)
    found["parameters"] = parameters(run / "model.safetensors")
    for name, part in scores.get("long", {}).get("by_length", {}).items():
        found[f"bleu {name}"] = part["bleu"]
    return {name: round(value, 3) for name, value in found.items() if value is not None}


# ---------------------------------------------------------------------------------------------------------- tables

def column(title, figure, digits=1):
    return {"title": title, "figure": figure, "digits": digits}


BLEU, AER, EXACT = column("BLEU", "bleu"), column("AER, %", "aer"), column("exact match, %", "exact_match")
PERPLEXITY, SIZE = column("perplexity", "perplexity", 2), column("parameters", "parameters", 0)
SECONDS, END = column("seconds", "seconds", 0), column("attention on `</s>`, %", "end_attention")
PAPER = "--initialiser default --no-query-word"
TRANSFORMER = "--model transformer"

FAMILY = [
    ("encoder-decoder", "Sutskever et al. 2014, eq. 1", "--model encdec"),
    ("encoder-decoder, reversed source", "Sutskever et al. 2014, section 3.3", "--model encdec --reverse-source"),
    ("encoder-decoder, GRU", "Cho et al. 2014, eq. 2", "--model encdec --summary every-step --cell gru"),
    ("RNNsearch", "Bahdanau et al. 2015, eq. 4-6; the query has the previous word", ""),
    ("RNNsearch, query as in the paper", "Bahdanau et al. 2015, eq. 4-6", "--no-query-word"),
    ("RNNsearch, query and initialisation as in the paper", "Bahdanau et al. 2015", PAPER),
    ("RNNsearch, GRU", "Bahdanau et al. 2015, appendix A.1", "--cell gru"),
    ("RNNsearch, coverage", "Tu et al. 2016, eq. 8; See et al. 2017, eq. 11-12", "--coverage --coverage-loss 0.1"),
    ("RNNsearch, supervised attention", "Mi et al. 2016; Chen et al. 2016", "--guided-alignment 0.05"),
    ("RNNsearch, query-key-value score", "Vaswani et al. 2017, eq. 1", "--attention qkv"),
    ("RNNsearch, four heads", "Vaswani et al. 2017, section 3.2.2", "--attention qkv --heads 4"),
    ("Luong, dot", "Luong et al. 2015, eq. 8", "--model luong --attention dot"),
    ("Luong, general", "Luong et al. 2015, eq. 8", "--model luong --no-scale"),
    ("Luong, concat", "Luong et al. 2015, eq. 8", "--model luong --attention concat"),
    ("Luong, location", "Luong et al. 2015, eq. 9", "--model luong --attention location"),
    ("Luong, scaled dot", "score divided by the root of the hidden size", "--model luong --attention dot --scale"),
    ("Luong, scaled general", "score divided by the root of the hidden size", "--model luong"),
    ("Luong, local-m", "Luong et al. 2015, section 3.2", "--model luong --attention-window local-m --window 3"),
    ("Luong, local-p", "Luong et al. 2015, eq. 10-11", "--model luong --attention-window local-p --window 3"),
    ("LSTMN, shallow fusion", "Cheng et al. 2016, section 4", "--model lstmn"),
    ("LSTMN, deep fusion", "Cheng et al. 2016, eq. 10-15", "--model lstmn --fusion deep"),
    ("Transformer", "Vaswani et al. 2017", TRANSFORMER),
]
LENGTHS = ["1-10", "11-20", "21-30", "31-40", "41-50", "51-60"]
NAMES = {"toy": "English-French, 30,000 pairs", "zh-en": "Chinese-English, 3,000 pairs", "ja-en": "Japanese-English, 6,000 pairs",
         "la-en": "Latin-English, 6,000 pairs", "dates": "dates, 5,000 pairs", "reverse": "reversal, 5,000 pairs"}


def options(text):
    return f"`{text}`" if text else "the defaults"


def table(columns, rows):
    return {"columns": columns, "rows": rows}


TABLES = {
    "translation": table(
        ["corpus", "model", BLEU, EXACT, AER, column("AER of `links`, %", "em_aer"), END],
        [([NAMES[corpus], model], Training(corpus, given))
         for corpus in ("toy", "zh-en", "ja-en", "la-en")
         for model, given in (("RNNsearch, the defaults", ""), ("RNNsearch, query and initialisation as in the paper", PAPER),
                              ("Transformer", TRANSFORMER))] +
        [([NAMES[corpus], "RNNsearch, `--embedding 32 --hidden 64`"], Training(corpus, "--embedding 32 --hidden 64"))
         for corpus in ("dates", "reverse")]),
    "family": table(["model", "paper", "options of `train`", SIZE, PERPLEXITY, BLEU, AER, SECONDS],
                    [([name, paper, options(given)], Training("toy", given)) for name, paper, given in FAMILY]),
    "lengths": table(["model"] + [column(f"{low} words", f"bleu {low}") for low in LENGTHS],
                     [([f"{name} ({options(given)})" if given else name], Training("toy", given)) for name, given in
                      (("encoder-decoder", "--model encdec"), ("RNNsearch", ""), ("Luong, scaled general", "--model luong"),
                       ("Transformer", TRANSFORMER), ("one head", f"{TRANSFORMER} --heads 1"),
                       ("no positions", f"{TRANSFORMER} --positions none"),
                       ("sinusoidal positions", f"{TRANSFORMER} --positions sinusoidal"),
                       ("no warm-up", f"{TRANSFORMER} --warmup 0"), ("post-norm", f"{TRANSFORMER} --norm post"),
                       ("post-norm, no warm-up", f"{TRANSFORMER} --norm post --warmup 0"))]),
    "self-attention": table(["self-attention", "state per layer and head after n words", BLEU, EXACT, AER],
                            [([f"`{name}`: {what}", kept], Training("toy", f"{TRANSFORMER} --self-attention {name}" if more else TRANSFORMER))
                             for name, what, kept, more in (
                                 ("softmax", "scaled dot products (Vaswani et al. 2017)", "n keys, n values", False),
                                 ("linear", "feature maps, elu + 1 (Katharopoulos et al. 2020)", "one matrix", True),
                                 ("delta", "fast weights with the delta rule (Schlag et al. 2021)", "one matrix", True),
                                 ("positional", "one learned weight per pair of positions", "n values", True),
                                 ("factorized", "one weight per pair of positions, as a matrix of rank 8", "n values", True))]),
    "encoders": table(["encoder", "decoder", "options of `train`", BLEU, AER],
                      [([encoder_name, decoder_name, options(given)], Training("zh-en", given))
                       for decoder, decoder_name in (("rnnsearch", "RNNsearch"), ("luong", "Luong"), ("transformer", "Transformer"))
                       for encoder, encoder_name in (("lstm", "bidirectional LSTM"), ("convolution", "convolution"), ("transformer", "Transformer"))
                       for given in [f"--encoder {encoder} --decoder {decoder}"]]),
    "captions": table(["pictures", "attention", column("captions, exact match, %", "exact_match"),
                       column("largest weight on the object, %", "attention_accuracy")],
                      [([f"`{corpus}`", name], Training(corpus, given)) for corpus in ("shapes", "scenes")
                       for name, given in (("soft", ""), ("hard, one cell per word", "--hard-attention"))]),
    "stories": table(["questions", "model", column("right, %", "exact_match"), column("every supporting sentence found, %", "supported")],
                     [([kind, name], Training(corpus, given)) for kind, corpus, name, given in (
                         ("one fact", "one-fact", "memory network", ""), ("two facts", "two-facts", "memory network", ""),
                         ("two facts", "two-facts", "attentive reader", "--model attentive-reader"),
                         ("three facts", "three-facts", "memory network", ""), ("counting", "counting", "memory network", ""),
                         ("yes or no, two facts", "yes-no", "memory network", ""),
                         ("yes or no, two facts", "yes-no", "attentive reader", "--model attentive-reader"))]),
    "entailment": table(["model", column("right, %", "exact_match"), column("largest weight on the source word, %", "attention_accuracy")],
                        [([name], Training("entailment", given)) for name, given in
                         (("decomposable attention", ""), ("with intra-sentence attention", "--intra-sentence"))]),
    "language-models": table(["model", "options of `train`", SIZE, PERPLEXITY],
                             [([name, options(given)], Training("toy", f"--task language-model {given}".strip())) for name, given in
                              (("Transformer", ""), ("linear attention", "--self-attention linear"), ("delta rule", "--self-attention delta"),
                               ("positional attention", "--self-attention positional"), ("recurrent", "--model rnn-lm"),
                               ("LSTM with intra-attention", "--model lstmn-lm"))]),
    "repeats": table(["model", column("right thing predicted, %", "greedy_match"),
                      column("largest weight on its last mention, %", "attention_accuracy"), PERPLEXITY],
                     [([name], Training("repeats", given)) for name, given in
                      (("`lstmn-lm`", "--model lstmn-lm"),
                       ("`rnn-lm`, trained in the same way", "--model rnn-lm --embedding 24 --hidden 48 --epochs 24 --lr .005 --dropout 0 "
                                                            "--word-dropout 0 --label-smoothing 0"))]),
    "links": table(["corpus", column("AER, %", "agreement_aer"), column("precision, %", "agreement_precision"),
                    column("recall, %", "agreement_recall")],
                   [([NAMES[corpus]], Links(corpus)) for corpus in ("toy", "zh-en", "ja-en", "la-en")]),
    "links-gold": table(["test set", "sentences", "options of `links`", column("AER, %", "agreement_aer"),
                         column("precision, %", "agreement_precision"), column("recall, %", "agreement_recall")],
                        [([gold, "seen" if seen else "unseen", options(given)], Links(gold, given, seen))
                         for gold in ("graca100", "trial37") for given in
                         ("", "--no-agreement", "--identity 0", "--prefix 0", "--jump-rounds 0") for seen in ((True, False) if not given else (True,))]),
}
STUDIES = ["pooling", "permutation", "positions", "three-ways", "fast-weights", "flash", "induction", "circuits", "gaps", "n-grams",
           "modular-addition", "pervasive-attention", "captioning", "cnn-attention", "gates", "saliency", "memory-network", "entailment",
           "intra-attention", "turing-machine", "dnc", "alignment-on-real-text"]


def cells_of(names):
    """Returns {id: (what, seed)} of the cells of these tables, in their order. Without names, it returns all cells and the
    studies."""
    found = {}
    for name in names or [*TABLES, *STUDIES]:
        whats = [what for _, what in TABLES[name]["rows"]] if name in TABLES else []
        if name in STUDIES and (name not in TABLES or not names):
            whats.append(Study(name))
        for what in whats:
            found.update(what.cells())
    return found


def measure(cell, arguments):
    what, seed = cells_of([])[cell]
    with tempfile.TemporaryDirectory(prefix="softalign-cell-") as name:
        command, figures = what.measure(seed, arguments.build.resolve(), Path(name))
    machine, _, date = runs.machine().rpartition(", ")
    commit = runs.output(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT).strip() if arguments.commit is None else arguments.commit
    result = {"cell": cell, "command": command, "date": date, "commit": commit, "machine": machine.rpartition(", ")[0], "figures": figures}
    if seed is not None:
        result["seed"] = seed
    arguments.out.mkdir(parents=True, exist_ok=True)
    runs.write_whole(arguments.out / f"{cell}.json", json.dumps(result, indent=1, ensure_ascii=False) + "\n")


def number(value, digits):
    return f"{value:,.{digits}f}"


def shown(values, digits):
    """One number per seed as a cell: the number, or their mean ± half their range."""
    if not values or any(value is None for value in values):
        return "-"
    mean, half = sum(values) / len(values), (max(values) - min(values)) / 2
    if len(values) == 1 or (digits == 0 and half < 0.5):
        return number(mean, digits)
    return f"{number(mean, digits)} ± {number(half, digits)}"


def provenance(cells):
    """Returns the dates, machines and commits of the cells, each once."""
    return {key: ", ".join(sorted({cell[key] for cell in cells})) for key in ("date", "machine", "commit")}


def table_file(name, cells, partial):
    """The file of a table, or None if a row is not measured; partial leaves such rows out."""
    spec, used, commands, seeds, figures, rows = TABLES[name], [], [], {}, {}, []
    columns = [c if isinstance(c, dict) else {"title": c} for c in spec["columns"]]
    for label, what in spec["rows"]:
        found = {cell: cells[cell] for cell in what.cells() if cell in cells}
        if not found:
            if partial:
                continue
            return None
        used += found.values()
        row = re.sub(r"\.\d$", "", next(iter(found)))
        commands.append(re.sub(r" --seed \d+", " --seed N", next(iter(found.values()))["command"]))
        texts, line = iter(label), []
        for one in columns:
            if "figure" not in one:
                line.append(next(texts))
                continue
            key = f"{row} {one['figure']}"
            seeds[key] = [cell["figures"].get(one["figure"]) for cell in found.values()]
            figures[key] = shown(seeds[key], one["digits"])
            line.append(key)
        rows.append(line)
    if not rows:
        return None
    wanted = {"columns": [one["title"] for one in columns], "rows": rows}
    return {**provenance(used), "command": "; ".join(dict.fromkeys(commands)), "seeds": seeds, "figures": figures, "tables": {name: wanted}}


def collect(folder, partial=False):
    """Writes the file of every table whose rows are measured, and of every study, into docs/measured."""
    cells = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}
    for name in TABLES:
        found = table_file(name, cells, partial)
        if found:
            write(MEASURED / f"{name}.json", found)
        else:
            print(f"{name}: not every row is measured, so its file is left as it is")
    for name in STUDIES:
        cell = cells.get(f"study.{name}")
        if not cell:
            print(f"study {name} is not measured, so its file is left as it is")
            continue
        study = cell["figures"]
        for figure in study["figures"]:
            (ROOT / "docs" / "experiments" / figure["file"]).write_text(figure.pop("svg"), encoding="utf-8")
        write(MEASURED / "studies" / f"{name}.json", {**provenance([cell]), **study})


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    runs.write_whole(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")
    print(f"wrote {path.relative_to(ROOT)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["list", "measure", "collect"])
    parser.add_argument("names", nargs="*", help="list: tables and studies; measure: cells; collect: one folder of cells")
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="folder of the programs")
    parser.add_argument("--out", type=Path, default=ROOT / "runs" / "results", help="folder of the cells")
    parser.add_argument("--commit", help="of the build, where there is no git")
    parser.add_argument("--partial", action="store_true", help="collect: leave out the rows that are not measured")
    parser.add_argument("--texts", type=Path, help="folder with graca100.tsv and trial37.tsv, and pairs.tsv for links-gold, or a folder pairs/ with train.tsv, "
                                                    "valid.tsv and test.tsv for alignment-on-real-text")
    arguments = parser.parse_args()
    if arguments.action == "collect":
        return collect(Path(arguments.names[0]) if arguments.names else arguments.out, arguments.partial)
    if arguments.action == "list":
        for cell in cells_of(arguments.names):
            print(f"tests/benchmarks/results.py measure {cell}")
        return None
    TEXTS["folder"] = arguments.texts
    for cell in arguments.names:
        measure(cell, arguments)
    return None


if __name__ == "__main__":
    sys.exit(main())
