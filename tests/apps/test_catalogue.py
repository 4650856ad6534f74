"""A catalogue of bad input: every program that reads a corpus gets every kind of bad file. Every number of every option is
set out of its range. Runs and names are damaged, too. Each command ends with its status and a message that says where the
fault is and what is wrong. No command leaves a file."""

import re
import shutil
import unittest

import programs

# Files that are no corpus: name, bytes, and the text of the message.
CORPORA = [
    ("empty.tsv", b"", "empty.tsv is empty"),
    ("one-column.tsv", b"a cat\tun chat\na dog\n", "one-column.tsv:2: "),
    ("five.tsv", b"a\tb\t0-0\tx\ty\n", "five.tsv:1: "),
    ("latin.tsv", b"a\tb\ncaf\xe9\tb\n", "latin.tsv:2: the line is not valid UTF-8 (byte 0xe9 at column 4)"),
    ("surrogate.tsv", b"\xed\xa0\x80\tb\n", "surrogate.tsv:1: the line is not valid UTF-8"),
    ("utf16.tsv", "a\tb\n".encode("utf-16"), "utf16.tsv:1: "),
    ("zeros.tsv", b"a\0\tb\n", "zeros.tsv:1: the line has a NUL byte"),
    ("outside.tsv", b"a cat\tun chat\t0-0 1-2\n", "outside.tsv:1: "),
    ("twice.tsv", b"a\tb\t0-0 0-0\n", "twice.tsv:1: "),
    ("minus.tsv", b"a\tb\t0--1\n", "minus.tsv:1: "),
    ("huge.tsv", b"a\tb\t0-18446744073709551616\n", "huge.tsv:1: "),
    ("words.tsv", b"a\tb\tzero-0\n", "words.tsv:1: "),
    ("tag.tsv", b"a\tb\t0-0\tx,,y\n", "tag.tsv:1: "),
    ("cut.gz", b"\x1f\x8b\x08\x00", "cut.gz: "),
    ("nowhere.tsv", None, "cannot read nowhere.tsv: No such file"),
    (".", None, "cannot read .: it is a folder"),
]
READERS = {
    "train": "--train {} --valid good.tsv --out out",
    "train, to validate": "--train good.tsv --valid {} --out out",
    "align": "--run run --data {} --out out",
    "evaluate": "--run run --data {}",
    "score": "--run run --data {}",
    "view": "--run run --data {} --out out",
    "links": "--data {} --out out",
}

# Runs with one changed file: name, bytes, and the text of the message.
RUNS = [
    ("config.json", b"", "config.json"),
    ("config.json", b"[]", "config.json"),
    ("config.json", b'{"hidden": "12"}', "config.json"),
    ("config.json", b'{"hidden": -1}', "config.json"),
    ("config.json", b'{"hidden": 1e30}', "config.json"),
    ("config.json", b'{"hiden": 12}', "config.json"),
    ("config.json", b'{"model": "bert"}', "config.json"),
    ("config.json", b'{"lr": [[[1]]]}', "config.json"),
    ("config.json", b"{\"a\": \"\xff\"}", "config.json"),
    ("source.vocab", b"", "source.vocab"),
    ("source.vocab", b"cat\ndog\n", "source.vocab:1"),
    ("source.vocab", b"<pad>\n<unk>\n<s>\n</s>\ncat\ncat\n", "source.vocab"),
    ("target.vocab", b"<pad>\n<unk>\n<s>\n</s>\nc t\n", "target.vocab"),
    ("target.vocab", b"<pad>\n<unk>\n<s>\n</s>\nchat\n", "target"),
    ("model.safetensors", b"", "model.safetensors"),
    ("model.safetensors", b"\xff" * 8, "model.safetensors"),
    ("model.safetensors", b"\x02\0\0\0\0\0\0\0{}", "model.safetensors"),
]

# Exit status | text of the message | command.
OTHERS = """
2 | --out has an empty value | align --run run --data good.tsv --out ''
2 | "other" belongs to no option | align --data good.tsv --run run other
2 | --source FILE and --target FILE | view --run run --alignment good.tsv --out out
2 | Remove --data, --source and --target | convert --in good.tsv --from jsonl --format plot --target good.tsv
2 | --split: "a=0" | make_corpus --grammar good.grammar --split a=0 --out out
2 | --split: "a=9223372036854775807" | make_corpus --grammar good.grammar --split a=9223372036854775807,b=9223372036854775809 --out out
2 | --split: "../a=3" | make_corpus --grammar good.grammar --split ../a=3 --out out
1 | not enough memory: a corpus of 1000000000 pairs needs about | make_corpus --grammar good.grammar --pairs 1000000000 --min-length 200 --max-length 200 --out out
1 | pixels, also as PNG | make_corpus shapes --pairs 1000000000 --out out
1 | bad.grammar:1: | make_corpus --grammar bad.grammar --pairs 3 --out out
1 | more than 50 rules in a row | make_corpus --grammar chain.grammar --pairs 3 --out out
1 | standard input:2: the line is not valid UTF-8 | translate --run run < latin.txt
1 | standard input:1: the line has a NUL byte | translate --run run < zeros.txt
1 | standard input:2: the line has 500 words | translate --run run < long.txt
1 | no such folder | translate --run nowhere
1 | good.tsv is a file, and --run needs the folder that train has written | translate --run good.tsv
1 | no model.safetensors | translate --run none
1 | their source vocabularies differ | align --run run --run other --data good.tsv --out out
1 | --resume | train --train good.tsv --valid good.tsv --out run
2 | pairs contains pairs of a sentence and its translation. The models for this task are rnnsearch, luong, encdec, lstmn, transformer. memory-network answers questions about stories | train --data pairs --model memory-network --out out
2 | . decomposable says whether a sentence follows from another | train --data pairs --model decomposable --out out
2 | . xu says what pictures show | train --data pairs --model xu --out out
2 | . rnnsearch with --encoder picture says what pictures show | train --data pairs --encoder picture --out out
2 | . memory-network answers questions | train --train good.tsv --valid good.tsv --model memory-network --out out
2 | stories.tsv contains stories with questions. The models for this task are memory-network, attentive-reader. rnnsearch translates | train --train stories.tsv --valid stories.tsv --out out
2 | . transformer-lm continues texts | train --train stories.tsv --valid stories.tsv --model transformer-lm --out out
2 | . decomposable says | train --train stories.tsv --valid stories.tsv --model decomposable --out out
2 | judged.tsv contains pairs of sentences with a label. The models for this task are decomposable. rnnsearch translates | train --train judged.tsv --valid judged.tsv --out out
2 | . attentive-reader answers questions | train --train judged.tsv --valid judged.tsv --model attentive-reader --out out
2 | pictures.tsv contains pictures with captions. The models for this task are rnnsearch, luong, lstmn, transformer, show-attend-tell. transformer-lm continues | train --train pictures.tsv --valid pictures.tsv --model transformer-lm --out out
1 | texts.txt:1: the line has no tab; the form must be source<TAB>target | train --train texts.txt --valid texts.txt --model luong --out out
2 | told contains stories with questions. The models for this task are memory-network, attentive-reader. transformer-lm continues | train --data told --model transformer-lm --out out
1 | not enough memory: the model needs about | train --train good.tsv --valid good.tsv --hidden 100000 --embedding 100000 --out out
1 | this is a file | train --train good.tsv --valid good.tsv --out good.tsv
1 | the folder cannot be created | train --train good.tsv --valid good.tsv --out good.tsv/out
1 | does not belong to a run of softalign | train --train good.tsv --valid good.tsv --out foreign --force
1 | does not belong to a run of softalign | average --run kept --out foreign --force
1 | nowhere/config.json | train --resume --out nowhere
2 | --resume | train --resume --force --out run
1 | This run has kept the epochs | average --run kept --epochs 9 --out out
1 | this run has kept no epochs | average --run run --out out
1 | No such file or directory | align --run run --data good.tsv --out nowhere/out
1 | it is a folder | align --run run --data good.tsv --out none
1 | lexicon.tsv:1: | translate --run run --replace-unknown --lexicon lexicon.tsv
1 | lexicon.tsv:1: "2" is not a probability | translate --run run --shortlist lexicon.tsv < texts.txt
1 | good.tsv:1: the line has 4 columns | translate --run run --int8 --shortlist good.tsv < texts.txt
1 | strange.tsv: no line has a source word and a translation from the vocabularies of the run | translate --run run --shortlist strange.tsv < texts.txt
2 | --shortlist belongs to beam search | translate --run run --shortlist strange.tsv --sample 2 < texts.txt
2 | --from: unknown value 'xml' | convert --in good.tsv --from xml --format jsonl --out out
1 | good.tsv:1: | convert --in good.tsv --from jsonl --format pharaoh --out out
1 | good.tsv:1: | convert --in good.tsv --from bertviz --format pharaoh --out out
1 | good.tsv:1: | convert --in good.tsv --from t2t --format pharaoh --out out
1 | good.tsv:1: | convert --in good.tsv --from nematus --format pharaoh --out out
1 | good.tsv:1: | convert --in good.tsv --from sockeye --format pharaoh --out out
1 | good.tsv:1: | convert --in good.tsv --from pharaoh --data good.tsv --format pharaoh --out out
1 | good.tsv:1: | convert --in good.tsv --from fairseq --data good.tsv --format pharaoh --out out
1 | good.tsv:1: | convert --in good.tsv --from hard --data good.tsv --format pharaoh --out out
1 | good.tsv:1: | convert --in good.tsv --from soft --data good.tsv --format pharaoh --out out
"""

CHAIN = "languages en fr\nstart C0\n" + "".join(f"category C{i}[]\n" for i in range(100)) + "".join(
    f"C{i}[]\n  en C{i + 1}~1\n  fr C{i + 1}~1\n" for i in range(99)) + "C99[]\n  en a~1\n  fr b~1\n"
FILES = {
    "bad.grammar": b"nonsense here\n", "chain.grammar": CHAIN.encode(), "latin.txt": b"i see\n\xe9\n", "zeros.txt": b"\0\n",
    "long.txt": b"i see\n" + b"cat " * 500 + b"\n", "lexicon.tsv": b"a\tb\t2\n",
    "strange.tsv": b"xyzzy\tplugh\t1\n", "stories.tsv": b"a b | c d\twhere ?\tb\n", "judged.tsv": b"a b\tb\tyes\t1-0\n", "pictures.tsv": b"a.png\ta cat\n", "texts.txt": b"i see\n",
}


class Catalogue(programs.WithRun):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.place = cls.folder / "place"
        cls.place.mkdir()
        programs.write_lines(cls.place / "good.tsv", programs.short_pairs("train.tsv", 5))
        shutil.copy(programs.PROJECT / "data/tasks/reverse.grammar", cls.place / "good.grammar")
        shutil.copytree(cls.run_folder, cls.place / "run")
        programs.train(cls.place / "..", cls.place / "other", "--train", cls.place / "good.tsv", "--valid", cls.place / "good.tsv")
        programs.train(cls.corpus, cls.place / "kept", "--keep-epochs", "1")
        (cls.place / "none").mkdir()
        for folder, task in {"pairs": "", "told": "questions\n"}.items():
            (cls.place / folder).mkdir()
            for name in ["train.tsv", "valid.tsv", *(["task"] if task else [])]:
                (cls.place / folder / name).write_bytes(task.encode() if name == "task" else (cls.place / "good.tsv").read_bytes())
        (cls.place / "foreign").mkdir()
        (cls.place / "foreign" / "config.json").write_text('{"architectures": ["Bert"]}')
        for name, data in [*FILES.items(), *((name, data) for name, data, _ in CORPORA if data is not None)]:
            (cls.place / name).write_bytes(data)

    def listing(self):
        return {str(path.relative_to(self.place)): path.stat().st_size for path in self.place.rglob("*")}

    def bad(self, status, says, arguments, stdin=b""):
        before = self.listing()
        with self.subTest(" ".join(arguments)):
            result = programs.run(*arguments, stdin=stdin, cwd=self.place)
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertEqual(len(re.findall("(?m)^error: ", result.stderr)), 1, result.stderr)
            self.assertIn(says, result.stderr)
            self.assertNotRegex(result.stderr, r"json\.exception|what\(\)|std::|terminate")
            self.assertEqual(self.listing(), before)

    def test_corpora(self):
        for name, _, says in CORPORA:
            for reader, arguments in READERS.items():
                self.bad(1, says, [reader.split(",")[0], *arguments.replace("{}", name).split()])

    def test_runs(self):
        for name, data, says in RUNS:
            whole = (self.place / "run" / name).read_bytes()
            (self.place / "run" / name).write_bytes(data)
            for program in ["translate", "align --data good.tsv", "evaluate --data good.tsv", "score --data good.tsv"]:
                self.bad(1, says, [*program.split(), "--run", "run"])
            (self.place / "run" / name).write_bytes(whole)

    def test_others(self):
        for row in OTHERS.strip().split("\n"):
            status, says, command = row.split(" | ")
            command, _, stdin = command.partition(" < ")
            data = (self.place / stdin).read_bytes() if stdin else b""
            self.bad(int(status), says, [word.strip("'") for word in command.split()], data)

    def test_numbers(self):
        rows = 0
        for program in ["train", "translate", "align", "evaluate", "score", "view", "links", "average", "make_corpus", "reproduce"]:
            shown = re.sub(r"\n {4,}(?!--)", " ", programs.succeed(program, "--help-all", environment={"COLUMNS": "110"}))
            for name, ranges in re.findall(r"(?m)^  --([\w-]+)(?:, --[\w-]+)* [NX] .*\(([^()]* to [^()]*)\)", shown):
                lowest, highest = (float(bound.replace(",", "")) for bound in re.fullmatch(r"(\S+) to (\S+?)(?:, or the word \w+)?", ranges).groups())
                for value in [f"{lowest - 1:.0f}", f"{highest * 10 + 1:.0f}", "1x"]:
                    rows += 1
                    self.bad(2, f"error: --{name} is ", [program, f"--{name}={value}"])
        self.assertGreater(rows, 150)


if __name__ == "__main__":
    unittest.main()
