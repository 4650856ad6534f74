"""Records keep all of the user's text: lines, positions of words, tags, unknown words, capitals."""

import gzip
import json
import re
import unicodedata
import unittest

import programs

LINES = [("I don’t See  the Zyzzyva, in PARIS .", "Je n’ai pas vu l'e\u0301te\u0301 à Paris!", "", "negation,names"),
         ("this  law", "cette LOI", "0-0 1-1", "short")]


def written(line):
    """Returns a pair of the toy corpus as a person might write it who capitalises the first word and every long word."""
    source, target = (re.sub(r"^\w|\b\w(?=\w{3})", lambda found: found[0].upper(), side) for side in line.split("\t")[:2])
    return f"{source}\t{target.replace(chr(39) + ' ', chr(39))}"


def normal(text):
    return unicodedata.normalize("NFC", text.replace("’", "'")).lower()


class Records(programs.WithRun):
    training = programs.STEEP

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.test = programs.write_lines(cls.folder / "test.tsv", ["\t".join(columns) for columns in LINES])
        cls.plain = programs.write_lines(cls.folder / "plain.tsv", ["\t".join(columns[:2]) for columns in LINES])

    def records(self, *arguments, run=None, program="align", **more):
        text = programs.succeed(program, "--run", run or self.run_folder, *arguments, **more)
        return [json.loads(line) for line in text.splitlines()]

    def check_side(self, record, side):
        line = record[f"{side}_line"]
        tokens = [token for token in record[f"{side}_tokens"] if token != "</s>"]
        self.assertEqual([normal(line[begin:end]) for begin, end in record[f"{side}_spans"]], tokens)
        return line

    def test_words_know_their_place_in_the_line(self):
        for record, (source, target, *_) in zip(self.records("--data", self.test), LINES, strict=True):
            self.assertEqual(self.check_side(record, "source"), source)
            self.assertEqual(self.check_side(record, "target"), target)

    def test_pieces_know_their_place_in_the_line(self):
        run = programs.train(self.corpus, self.folder / "pieces", "--tokenizer", "sentencepiece", "--subwords", "80")
        for record in self.records("--data", self.plain, "--subwords", run=run):
            pieces = [piece.removeprefix("\u2581") for piece in record["source_tokens"][:-1]]
            line = record["source_line"]
            self.assertEqual([normal(line[begin:end]) for begin, end in record["source_spans"]], pieces)
            self.assertIn("".join(pieces), normal(line).replace(" ", ""))
            self.assertGreater(len(pieces), len(line.split()))
        for record in self.records("--data", self.plain, run=run):
            self.check_side(record, "target")

    def test_a_tokeniser_that_changes_nothing(self):
        run = programs.train(self.corpus, self.folder / "none", "--tokenizer", "none")
        for record in self.records("--data", self.test, run=run):
            line = record["source_line"]
            self.assertEqual([line[begin:end] for begin, end in record["source_spans"]], line.split())

    def test_tags_are_in_the_record_and_on_the_page(self):
        records = self.folder / "run" / "alignments.jsonl"
        programs.succeed("align", "--run", self.run_folder, "--data", self.test, "--out", records)
        self.assertEqual([record["tags"] for record in programs.json_lines(records)], [["negation", "names"], ["short"]])
        page = self.folder / "page.html"
        programs.succeed("view", "--run", self.run_folder, "--out", page)
        records.unlink()
        data = json.loads(re.search(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"), re.S)[1])
        tags = [sentence["tags"] for sentence in data["sentences"] if not sentence["tracked"]]
        self.assertEqual(tags, [["negation", "names"], ["short"]])

    def test_unknown_words_are_those_that_the_vocabulary_lacks(self):
        known = [set((self.run_folder / f"{side}.vocab").read_text(encoding="utf-8").splitlines()) for side in ("source", "target")]
        for record in self.records("--data", self.test):
            for words, key, tokens in zip(known, ("unknown", "target_unknown"), ("source_tokens", "target_tokens")):
                expected = [i for i, token in enumerate(record[tokens][:-1]) if token not in words]
                self.assertEqual(record[key], expected)
        self.assertIn(record_index(self.records("--data", self.test)[0], "zyzzyva"), self.records("--data", self.test)[0]["unknown"])

    def test_translations_know_the_line_and_interventions_the_tags(self):
        line = "Look at the  Zyzzyva!"
        record, = self.records("--alignment", "jsonl", program="translate", stdin=line + "\n")
        self.assertEqual(self.check_side(record, "source"), line)
        self.assertEqual(record["target_line"], programs.succeed("translate", "--run", self.run_folder, stdin=line + "\n").strip())
        self.check_side(record, "target")
        changed = self.records("--data", self.test, "--intervene", "force", "--step", "1")
        self.assertEqual(changed[0]["tags"], ["negation", "names"])
        self.assertEqual(changed[0]["source_line"], LINES[0][0])

    def test_the_history_of_a_training_has_them_too(self):
        for record in programs.json_lines(self.run_folder / "history.jsonl"):
            self.check_side(record, "source")
            self.assertIn("unknown", record)

    def test_links_over_the_original_words(self):
        records = self.folder / "records.jsonl"
        programs.succeed("align", "--run", self.run_folder, "--data", self.test, "--out", records)
        now = programs.succeed("align", "--run", self.run_folder, "--data", self.test, "--format", "pharaoh", "--over", "original")
        hard = programs.succeed("convert", "--in", records, "--from", "jsonl", "--format", "hard", "--over", "original").splitlines()
        for record, pharaoh, line, (source, target, *_) in zip(programs.json_lines(records), now.splitlines(), hard, LINES, strict=True):
            self.assertEqual(line, f"{' '.join(target.split())} ||| {pharaoh}")

            def word(side, i, text):
                begin = record[f"{side}_spans"][i][0]
                return next(n for n, found in enumerate(re.finditer(r"\S+", text)) if found.start() <= begin < found.end())

            links = {(word("source", s, source), word("target", t, target)) for s, t in record["links"]}
            self.assertEqual(pharaoh, " ".join(f"{s}-{t}" for s, t in sorted(links)))
            self.assertEqual(programs.succeed("align", "--run", self.run_folder, "--data", self.test, "--format", "pharaoh").splitlines(), now.splitlines())
        # Weights over words: the weights of a source word's tokens are added, those of a target word's tokens are averaged.
        words = self.records("--data", self.test, "--over", "words")
        for record, over, (source, target, *_) in zip(programs.json_lines(records), words, LINES, strict=True):
            self.assertEqual((over["source_tokens"], over["target_tokens"]), ([*source.split(), "</s>"], [*target.split(), "</s>"]))
            columns = [word("source", s, source) for s in range(len(record["source_spans"]))] + [len(source.split())]
            rows = [word("target", t, target) for t in range(len(record["target_spans"]))] + [len(target.split())]
            for t, row in enumerate(over["matrix"]):
                mine = [step for step, at in zip(record["matrix"], rows) if at == t]
                for s, weight in enumerate(row):
                    self.assertAlmostEqual(weight, sum(w for step in mine for w, at in zip(step, columns) if at == s) / len(mine), delta=1e-5)
        self.refused(2, "align", "--run", self.run_folder, "--data", self.test, "--format", "pharaoh", "--over", "tokens",
                     says=["--tokens FILE"])
        self.refused(2, "align", "--run", self.run_folder, "--data", self.test, "--format", "pharaoh", "--tokens", "x", says=["--over tokens"])
        tokens = self.folder / "tokens"
        links = programs.succeed("align", "--run", self.run_folder, "--data", self.test, "--format", "pharaoh", "--over", "tokens",
                                 "--tokens", tokens).splitlines()
        converted = programs.succeed("convert", "--in", records, "--from", "jsonl", "--format", "pharaoh", "--over", "tokens",
                                     "--tokens", self.folder / "again").splitlines()
        self.assertEqual(links, converted)
        self.assertEqual(tokens.read_text(encoding="utf-8"), (self.folder / "again").read_text(encoding="utf-8"))
        for record, line, pharaoh in zip(programs.json_lines(records), tokens.read_text(encoding="utf-8").splitlines(), links, strict=True):
            self.assertEqual(line, f"{record['source_sent']}\t{record['target_sent']}")
            self.assertEqual(pharaoh, " ".join(f"{s}-{t}" for s, t in sorted(record["links"])))
        self.refused(2, "convert", "--in", records, "--from", "jsonl", "--format", "pharaoh", "--over", "tokens", says=["--tokens FILE"])
        nameless = programs.write_lines(self.folder / "nameless.jsonl", [json.dumps(
            {"matrix": [[1, 0], [0, 1]], "source_sent": "a", "target_sent": "b", "id": 0, "prob": 0})])
        self.refused(1, "convert", "--in", nameless, "--from", "jsonl", "--format", "pharaoh", "--over", "original",
                     says=["sentence 1: the record does not contain the positions of its words"])
        # Without --over words, the words are the record's tokens.
        self.assertEqual(programs.succeed("convert", "--in", nameless, "--from", "jsonl", "--format", "hard"), "b ||| 0-0\n")

    def test_a_page_leaves_blank_lines_out_and_keeps_the_numbers_of_the_others(self):
        text = "this law\n\nthe law\n"
        data = programs.write_lines(self.folder / "blank.tsv", ["this law\tcette loi", "\t", "", "the law\tla loi"])
        run = self.folder / "shown"
        run.mkdir()
        for path in self.run_folder.iterdir():
            (run / path.name).write_bytes(path.read_bytes())
        (run / "beam.jsonl").write_text(programs.succeed("translate", "--run", run, "--alignment", "jsonl", stdin=text), encoding="utf-8")
        programs.succeed("align", "--run", run, "--data", data, "--out", run / "alignments.jsonl")
        self.assertEqual(len(programs.json_lines(run / "alignments.jsonl")), 4)
        page = self.folder / "blank.html"
        for arguments in ([], ["--data", data]):
            programs.succeed("view", "--run", run, *arguments, "--out", page)
            shown = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(encoding="utf-8"), re.S)[1])
            self.assertEqual([sentence["id"] for sentence in shown["sentences"] if not sentence["tracked"]], [0, 3])
        (run / "beam.jsonl").write_text("\n")  # earlier releases wrote this for a blank line
        programs.succeed("view", "--run", run, "--out", page)

    def test_compressed_files_are_read_as_their_text(self):
        def zipped(path):
            made = self.folder / (path.name + ".gz")
            made.write_bytes(gzip.compress(path.read_bytes()))
            return made

        test = zipped(self.test)
        self.assertEqual(self.records("--data", test), self.records("--data", self.test))
        corpus = self.folder / "zipped"
        corpus.mkdir()
        for name in ("train.tsv", "valid.tsv"):
            zipped(self.corpus / name).rename(corpus / f"{name}.gz")
        run = programs.train(corpus, self.folder / "zipped-run", *self.training)
        self.assertEqual((run / "model.safetensors").stat().st_size, (self.run_folder / "model.safetensors").stat().st_size)
        self.assertEqual((run / "history.jsonl").read_bytes(), (self.run_folder / "history.jsonl").read_bytes())
        test.write_bytes(test.read_bytes()[:-9])
        self.refused(1, "align", "--run", self.run_folder, "--data", test, says=[f"{test}: the gzip data are cut short"])


class Capitals(programs.WithRun):
    training = programs.STEEP

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name in ("train.tsv", "valid.tsv"):
            lines = (cls.corpus / name).read_text(encoding="utf-8").splitlines()
            programs.write_lines(cls.corpus / name, [written(line) for line in lines])
        cls.run_folder = programs.train(cls.corpus, cls.folder / "written", *cls.training)
        cls.source = "".join(written(line).split("\t")[0] + "\n" for line in programs.short_pairs("valid.tsv", 20))

    def translate(self, *arguments, run=None, stdin=None):
        return programs.succeed("translate", "--run", run or self.run_folder, *arguments, stdin=stdin or self.source).splitlines()

    def test_the_table_of_the_training_text(self):
        table = dict(line.split("\t") for line in (self.run_folder / "target.case").read_text(encoding="utf-8").splitlines())
        self.assertEqual(table, {form.lower(): form for form in table.values()})
        self.assertEqual((table["zone"], "de" in table), ("Zone", False))
        self.assertFalse((self.folder / "run" / "target.case").exists())  # the corpus has no capitals
        self.assertEqual(self.translate("--case", "none"), self.translate())
        plain, cased = ([line.split() for line in self.translate("--tokenized", *how)] for how in ([], ["--case", "table"]))
        for before, after in zip(plain, cased, strict=True):
            self.assertEqual(after[0], before[0][0].upper() + before[0][1:])
            self.assertEqual(after[1:], [table.get(word, word) for word in before[1:]])
        self.assertTrue(any(word in table for line in plain for word in line[1:]))

    def test_capitals_of_the_source(self):
        plain, cased = self.translate(), self.translate("--case", "source")
        self.assertEqual([line.lower() for line in cased], plain)
        self.assertTrue(all(line[0].isupper() for line in cased))
        small = self.translate("--case", "source", stdin=self.source.lower())
        self.assertEqual(small, plain)
        shouted = self.translate("--case", "source", stdin="STOP THE CAR\n")
        self.assertTrue(any(word.isupper() for word in shouted[0].split()), shouted)
        record, = map(json.loads, self.translate("--case", "source", "--alignment", "jsonl", stdin=self.source.splitlines()[0] + "\n"))
        self.assertEqual(record["target_line"], cased[0])
        self.assertEqual(record["target_sent"], record["target_sent"].lower())
        line = record["target_line"]
        self.assertEqual([line[begin:end].lower() for begin, end in record["target_spans"]], record["target_tokens"][:len(record["target_spans"])])

    def test_a_run_without_a_table_and_one_that_keeps_capitals_are_refused(self):
        self.refused(1, "translate", "--run", self.folder / "run", "--case", "table", stdin="x\n", says=["has no file target.case"])
        keeps = programs.train(self.corpus, self.folder / "keeps", "--no-lowercase")
        self.refused(1, "translate", "--run", keeps, "--case", "source", stdin="x\n", says=["writes capitals itself"])
        blind = programs.train(self.corpus, self.folder / "blind", "--model", "encdec")
        self.refused(1, "translate", "--run", blind, "--case", "source", stdin="x\n", says=["no attention"])


def record_index(record, word):
    return record["source_tokens"].index(word)


if __name__ == "__main__":
    unittest.main()
