"""align writes every format, and convert reads all of them back. Wrong files and wrong usage are refused."""

import json
import unittest
from xml.etree import ElementTree

import programs

WITH_WORDS = ["jsonl", "nematus", "sockeye", "bertviz", "t2t"]
WEIGHTS = WITH_WORDS + ["soft"]
LINKS = ["pharaoh", "hard", "fairseq", "tsv"]


class Convert(programs.WithRun):
    training = programs.STEEP

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.test = cls.corpus / "valid.tsv"
        for form in WEIGHTS + LINKS:
            programs.succeed("align", "--run", cls.run_folder, "--data", cls.test, "--format", form, "--out", cls.folder / form)

    def convert(self, name, form, *arguments, file=None):
        data = [] if name in WITH_WORDS + ["tsv"] else ["--data", self.test]
        return programs.succeed("convert", "--in", file or self.folder / name, "--from", name, "--format", form, *data, *arguments)

    def written(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def test_weights_become_every_format(self):
        for name in WEIGHTS:
            for form in LINKS:
                self.assertEqual(self.convert(name, form), self.written(form), f"{name} to {form}")
        for name in ["nematus", "sockeye", "bertviz", "t2t", "soft"]:  # these formats have the exact weights
            for form in ["soft", "bertviz", "t2t"]:
                self.assertEqual(self.convert(name, form), self.written(form), f"{name} to {form}")

    def test_links_become_links(self):
        for name in LINKS:
            for form in LINKS:
                self.assertEqual(self.convert(name, form), self.written(form), f"{name} to {form}")

    def test_records_have_what_their_format_held(self):
        for line, whole in zip(self.convert("nematus", "jsonl").splitlines(), programs.json_lines(self.folder / "jsonl")):
            record = json.loads(line)
            for key in ["id", "source_tokens", "target_tokens", "links", "eos", "entropy"]:
                self.assertEqual(record[key], whole[key])
            self.assertNotIn("logprob", record)

    def test_shift(self):
        record = {"matrix": [[0.9, 0.1, 0], [0.2, 0.8, 0], [0.4, 0, 0.6], [0, 0, 1]], "source_sent": "a b",
                  "target_sent": "x y z", "id": 0, "prob": 0}
        file = programs.write_lines(self.folder / "scorer.jsonl", [json.dumps(record)])
        self.assertEqual(self.convert("jsonl", "pharaoh", file=file), "0-0 1-1\n")
        self.assertEqual(self.convert("jsonl", "pharaoh", "--shift", "1", file=file), "1-0\n")
        aligned = programs.succeed("align", "--run", self.run_folder, "--data", self.test, "--format", "hard", "--shift", "1")
        self.assertEqual(self.convert("jsonl", "hard", "--shift", "1"), aligned)

    def test_rules_of_links(self):
        record = {"matrix": [[0.3, 0.2, 0.5], [0.6, 0.4, 0], [0.7, 0.3, 0], [0, 0, 1]], "source_sent": "a b",
                  "target_sent": "x y z", "id": 0, "prob": 0}
        file = programs.write_lines(self.folder / "rules.jsonl", [json.dumps(record)])
        for arguments, links in [(["best"], "0-1 0-2"), (["best-word"], "0-0 0-1 0-2"), (["mutual"], "0-2"),
                                 (["threshold", "--threshold", "0.35"], "0-1 0-2 1-1"), (["best", "--shift", "1"], "0-0 0-1")]:
            self.assertEqual(self.convert("jsonl", "pharaoh", "--rule", *arguments, file=file), links + "\n", arguments)
        aligned = programs.succeed("align", "--run", self.run_folder, "--data", self.test, "--format", "hard", "--rule", "mutual")
        self.assertEqual(self.convert("jsonl", "hard", "--rule", "mutual"), aligned)
        self.assertLess(len(aligned), len(self.written("hard")))

    def test_symmetrise(self):
        """The sentence is that of tests/data/alignment/test_symmetrisation.cpp."""
        pair = "maria no dio una bofetada a la bruja verde\tmary did not slap the green witch"
        data = programs.write_lines(self.folder / "maria.tsv", [pair])
        forward = programs.write_lines(self.folder / "forward", ["0-0 1-2 2-3 4-3 6-4 8-5 7-6"])
        backward = programs.write_lines(self.folder / "backward", ["0-0 1-1 2-1 3-4 4-6 5-8 6-7"])
        same = programs.write_lines(self.folder / "same", ["0-0 1-1 1-2 4-3 6-4 8-5 7-6"])
        files = ["--in", forward, "--from", "pharaoh", "--data", data, "--format", "pharaoh"]
        for rule, links in [("intersection", "0-0 1-2 4-3 6-4 7-6 8-5"), ("union", "0-0 1-1 1-2 2-3 4-3 6-4 7-6 8-5"),
                            ("grow-diag-final-and", "0-0 1-1 1-2 2-3 4-3 6-4 7-6 8-5")]:
            for reverse in [[backward], [same, "--same-order"]]:
                self.assertEqual(programs.succeed("convert", *files, "--symmetrise", rule, "--reverse", *reverse), links + "\n")
        self.refused(1, "convert", *files, "--symmetrise", "union", "--reverse", same, says=["the source has 7 words"])
        self.refused(2, "convert", *files, "--symmetrise", "union", says=["--reverse"])
        self.refused(2, "convert", *files, "--same-order", says=["--same-order"])
        self.refused(2, "convert", "--in", self.folder / "jsonl", "--from", "jsonl", "--symmetrise", "union", "--reverse", self.folder / "jsonl",
                     says=["--format jsonl contains weights"])
        self.refused(1, "convert", "--in", self.folder / "jsonl", "--from", "jsonl", "--format", "pharaoh", "--symmetrise", "union",
                     "--reverse", self.folder / "jsonl", says=["other sentences", "--same-order"])

    def test_links_that_count_from_1(self):
        data = programs.write_lines(self.folder / "one.tsv", ["follow me now please\tsuis moi maintenant s'il"])
        links = programs.write_lines(self.folder / "one", ["1-1 2-2 4-4"])
        files = ["--in", links, "--from", "pharaoh", "--data", data, "--format", "pharaoh"]
        self.assertEqual(programs.succeed("convert", *files, "--one-based"), "0-0 1-1 3-3\n")
        self.refused(1, "convert", *files, says=["link 4-4", "--one-based"])
        back = programs.write_lines(self.folder / "back", ["1-1 2-2 3-4"])
        self.assertEqual(programs.succeed("convert", *files, "--one-based", "--reverse", back, "--symmetrise", "union"), "0-0 1-1 3-2 3-3\n")
        zero = programs.write_lines(self.folder / "zero", ["0-1 2-2"])
        self.refused(1, "convert", "--in", zero, "--from", "pharaoh", "--data", data, "--one-based", says=["link 0-1", "counted from 1", "The file counts from 0, so remove --one-based"])
        self.assertNotIn("remove --one-based", self.refused(1, "convert", "--in", programs.write_lines(self.folder / "far", ["9-1"]),
                                                            "--from", "pharaoh", "--data", data, "--one-based", says=["link 9-1"]).stderr)
        self.refused(2, "convert", "--in", links, "--from", "soft", "--data", data, "--one-based", says=["--one-based has an effect only on formats with links"])
        inside = programs.write_lines(self.folder / "inside", ["1-1 2-2 3-3"])
        result = programs.run("convert", "--in", inside, "--from", "pharaoh", "--data", data, "--format", "pharaoh")
        self.assertEqual((result.returncode, result.stdout), (0, "1-1 2-2 3-3\n"))
        self.assertIn("If the file counts words from 1, add --one-based", " ".join(result.stderr.split()))

    def test_a_step_without_weights_is_not_taken_for_certain(self):
        """Sockeye leaves out the weight of </s>. If a row sums to less than 1, </s> gets the rest, unless the row has only zeros."""
        zeros = programs.write_lines(self.folder / "zeros", ["0 ||| p q ||| 0.2 ||| a b ||| 2 ||| 2", "0.0 1.0", "0.0 0.0", ""])
        self.refused(1, "convert", "--in", zeros, "--from", "sockeye", "--format", "jsonl",
                     says=["zeros:1: column 0 (\"p\") of the matrix has only zeros", "Write the matrix with a row for the source's </s>"])
        zeros = programs.write_lines(self.folder / "zeros", ["0 ||| p q ||| 0.2 ||| a b ||| 2 2", "0.0 0.0", "0.0 1.0", ""])
        self.refused(1, "convert", "--in", zeros, "--from", "nematus", "--format", "jsonl",
                     says=["zeros:1: the weights of row 0 sum to 0.000000 instead of 1"])

    def test_links_of_hidden_tokens_are_refused(self):
        """The file has Marian's links between the tokens of a model, but the sentences are as a person wrote them."""
        source = programs.write_lines(self.folder / "raw.en", ["don't follow me"])
        target = programs.write_lines(self.folder / "raw.fr", ["est -ce que il me suit"])
        hard = programs.write_lines(self.folder / "raw.hard", ["est -ce que il me suit ||| 0-0 0-1 0-2 1-3 2-5 3-4"])
        self.refused(1, "convert", "--in", hard, "--from", "hard", "--source", source, "--target", target, "--format", "tsv",
                     says=[f"{hard}:1: link 3-4: the source has 3 words", "for example the tokens of a model"])

    def test_words_of_the_lines_go_through_every_format(self):
        """translate and convert return the words of the user's lines, and `--over words` writes these words in formats with
        weights, too."""
        text = "I don't see the car.\n\nit's the car\n"
        records = self.folder / "over.jsonl"
        records.write_text(programs.succeed("translate", "--run", self.run_folder, "--alignment", "jsonl", stdin=text), encoding="utf-8")
        hard = programs.succeed("translate", "--run", self.run_folder, "--alignment", "hard", stdin=text)
        soft = programs.succeed("translate", "--run", self.run_folder, "--alignment", "soft", stdin=text)
        source = programs.write_lines(self.folder / "over.en", text.splitlines())
        target = programs.write_lines(self.folder / "over.fr", [line.split(" ||| ")[0] for line in hard.splitlines()])
        self.assertEqual(self.convert("jsonl", "hard", file=records), hard)
        for name in LINKS:
            written = programs.write_lines(self.folder / f"over.{name}", self.convert("jsonl", name, file=records).splitlines())
            pair = [] if name == "tsv" else ["--source", source, "--target", target]
            self.assertEqual(programs.succeed("convert", "--in", written, "--from", name, *pair, "--format", "hard"), hard, name)
        self.assertEqual(self.convert("jsonl", "tsv", file=records).splitlines()[0].split("\t")[0], "I don't see the car.")
        for name in WITH_WORDS:
            written = self.folder / f"over.{name}"
            written.write_text(self.convert("jsonl", name, "--over", "words", file=records), encoding="utf-8")
            back = [line.split(" ||| ") for line in self.convert(name, "soft", file=written).splitlines()]
            for (words, weights), line in zip(back, soft.splitlines(), strict=True):
                expected_words, expected = line.split(" ||| ")
                self.assertEqual(words, expected_words, name)
                for step, other in zip(weights.split(), expected.split(), strict=True):
                    for a, b in zip(step.split(","), other.split(","), strict=True):
                        self.assertAlmostEqual(float(a), float(b), delta=1e-5)
        drawing = ElementTree.fromstring(self.convert("jsonl", "svg", "--over", "words", file=records).encode("utf-8"))
        self.assertIn("don't", [node.text for node in drawing.iter("{http://www.w3.org/2000/svg}text")])
        self.assertEqual(self.convert("jsonl", "plot", "--over", "words", file=records).count("sentence "), 3)

    def test_words_that_a_format_cannot_hold_are_refused(self):
        def record(target, eos):
            tokens = [*target, "</s>"] if eos else target
            matrix = [[1, 0] for _ in tokens]
            return json.dumps({"schema": "softalign/1", "id": 6, "source_sent": "a", "target_sent": " ".join(target), "source_tokens": ["a", "</s>"],
                               "target_tokens": tokens, "matrix": matrix, "orientation": "target_by_source", "eos": {"source": True, "target": eos},
                               "attends": "output", "mode": "forced", "rule": "argmax", "links": [], "entropy": [0] * len(matrix), "rank": 0})

        for word, eos, forms in [("new york", True, ["tsv", "hard", "soft", "nematus", "sockeye"]), ("", True, ["tsv", "hard", "soft", "nematus", "sockeye"]),
                                 ("a\nb", True, ["tsv", "hard", "soft", "nematus", "sockeye"]), ("|||", True, ["hard", "soft", "nematus", "sockeye"]),
                                 ("</s>", False, ["sockeye", "bertviz", "t2t"]), ("</s>", True, [])]:
            file = programs.write_lines(self.folder / "marker.jsonl", [record(["b", word], eos)])
            for form in WEIGHTS + LINKS:
                if form in forms:
                    self.refused(1, "convert", "--in", file, "--from", "jsonl", "--format", form, says=["sentence 7", "word", "jsonl"])
                else:
                    self.convert("jsonl", form, file=file)
        mark = self.folder / "mark.jsonl"
        programs.write_lines(mark, [record(["\ufeffb", "c"], True)])
        for form in ["hard", "soft"]:  # the first word is not taken for the file's byte order mark
            out = self.folder / f"mark.{form}"
            self.convert("jsonl", form, "--out", out, file=mark)
            pair = programs.write_lines(self.folder / "mark.tsv", ["a\tb c"])
            [back] = programs.succeed("convert", "--in", out, "--from", form, "--data", pair, "--format", "tsv").splitlines()
            self.assertEqual(back.split("\t")[1], "\ufeffb c")

    def test_pairs_with_blank_sides_keep_their_lines(self):
        data = programs.write_lines(self.folder / "pairs-of-sides.tsv", ["a b\tc d", "\t", "a\t", "\tb", "x\ty"])
        links = "0-0 1-1\n\n\n\n0-0\n"
        source = self.folder / "sides"
        source.write_text(links)
        for form in LINKS:
            there = self.folder / f"sides.{form}"
            programs.succeed("convert", "--in", source, "--from", "pharaoh", "--data", data, "--format", form, "--out", there)
            pairs = [] if form == "tsv" else ["--data", data]
            self.assertEqual(programs.succeed("convert", "--in", there, "--from", form, *pairs, "--format", "pharaoh"), links, form)
            self.assertEqual(programs.succeed("convert", "--in", there, "--from", form, *pairs, "--format", "pharaoh", "--reverse", there,
                                              "--same-order", "--symmetrise", "grow-diag-final-and"), links, form)

    def test_svg(self):
        """The drawing of all records is well-formed SVG with every label, cell and gold link. It loads nothing from
        elsewhere."""
        names = {"svg": "http://www.w3.org/2000/svg"}
        drawing = programs.succeed("align", "--run", self.run_folder, "--data", self.test, "--format", "svg")
        tree = ElementTree.fromstring(drawing.encode("utf-8"))
        records = programs.json_lines(self.folder / "jsonl")
        figures = tree.findall("svg:g", names)
        self.assertEqual([figure.get("id") for figure in figures], [f"figure-{n + 1}" for n in range(len(records))])
        bottom = 0
        for figure, record in zip(figures, records):
            labels = [node.text for node in figure.findall("svg:text", names) if node.get("class").startswith("word")]
            self.assertEqual(sorted(labels), sorted(record["source_tokens"] + record["target_tokens"]))
            boxes = [node.get("class") for node in figure.findall("svg:rect", names)]
            self.assertEqual(boxes.count("gold"), len(record["gold"]["sure"]))
            self.assertEqual(sum(box != "w0" for box in boxes if box.startswith("w")),
                             sum(round(24 * w) > 0 for row in record["matrix"] for w in row if w >= 0.005))
            top = float(figure.get("transform").split()[1].rstrip(")"))
            self.assertGreater(top, bottom)
            bottom = top
        self.assertGreater(float(tree.get("height")), bottom)
        self.assertNotRegex(drawing, r"var\(|color-mix|href|url\(|<script")
        self.assertIn("sans-serif", tree.find("svg:style", names).text)
        self.assertEqual(self.convert("jsonl", "svg"), drawing)

    def test_svg_of_hostile_words(self):
        words = ["</svg><script>x</script>", "a\u0001b", "\u202eabc", "]]>", "&amp;", '"', "\ufffe", "שלום", "我"]
        matrix = [[1 if s == t else 0 for s in range(10)] for t in range(10)]
        record = {"matrix": matrix, "source_sent": " ".join(words), "target_sent": " ".join(words), "id": 0, "prob": 0}
        file = programs.write_lines(self.folder / "hostile.jsonl", [json.dumps(record)])
        drawing = self.convert("jsonl", "svg", file=file)
        texts = [node.text for node in ElementTree.fromstring(drawing.encode("utf-8")).iter("{http://www.w3.org/2000/svg}text")]
        for word in ["a\ufffdb", "\ufffdabc", "]]>", "&amp;", '"', "\ufffd", "שלום", "我", "</s>"]:
            self.assertEqual(texts.count(word), 2, word)
        self.assertNotIn("<script", drawing)

    def test_plot(self):
        self.assertIn("gold sure", programs.succeed("align", "--run", self.run_folder, "--data", self.test, "--format", "plot"))
        plot = self.convert("t2t", "plot")
        self.assertIn("</s>", plot)
        self.assertIn(" -  ←", plot)  # the probabilities are unknown

    def test_output_file_is_whole_or_not_there(self):
        out = self.folder / "out"
        self.convert("sockeye", "pharaoh", "--out", out)
        self.assertEqual(out.read_text(encoding="utf-8"), self.written("pharaoh"))
        bad = programs.write_lines(self.folder / "bad", [self.written("bertviz").splitlines()[0], "{"])
        never = self.folder / "never"
        self.refused(1, "convert", "--in", bad, "--from", "bertviz", "--format", "pharaoh", "--out", never, says=[f"{bad}:2: "])
        self.assertFalse(never.exists())

    def test_wrong_files(self):
        data = ["--data", self.test]
        cut = programs.write_lines(self.folder / "cut", self.written("pharaoh").splitlines()[:-1])
        self.refused(1, "convert", "--in", cut, "--from", "pharaoh", *data, says=[f"{cut}: the file has 19 alignments for 20"])
        self.refused(1, "convert", "--in", self.folder / "pharaoh", "--from", "pharaoh", "--format", "soft", *data,
                     says=["no attention weights"])
        self.refused(1, "convert", "--in", self.folder / "pharaoh", "--from", "pharaoh", "--format", "plot", *data,
                     says=["no attention weights"])
        self.refused(1, "convert", "--in", self.folder / "pharaoh", "--from", "pharaoh", "--format", "hard", "--shift", "1", *data,
                     says=["--shift 1"])
        self.refused(1, "convert", "--in", self.folder / "no", "--from", "jsonl", says=["No such file"])
        self.refused(1, "convert", "--in", self.folder / "soft", "--from", "jsonl", says=[f"{self.folder / 'soft'}:1: "])

    def test_wrong_usage(self):
        gold = programs.write_lines(self.folder / "gold", ["0-0"])
        self.refused(2, "convert", "--in", self.folder / "pharaoh", "--from", "pharaoh", "--source", gold, "--target", gold,
                     "--alignment", gold, says=["no option --alignment"])  # the option would have no effect
        self.refused(2, "convert", "--from", "jsonl", says=["no file of alignments is given"])
        self.refused(1, "convert", "--in", "x", says=["cannot read x: "])  # the name does not tell the format
        self.refused(2, "convert", "--in", "x", "--from", "xml", says=["xml", "sockeye"])
        self.refused(2, "convert", "--in", "x", "--from", "plot", says=["convert cannot read a picture. Known are: jsonl"])
        self.refused(2, "convert", "--in", "x", "--from", "svg", says=["convert cannot read a picture. Known are: jsonl"])
        self.refused(2, "convert", "--in", "x", "--from", "soft", says=["--data FILE"])
        self.refused(2, "convert", "--in", "x", "--from", "t2t", "--data", "y", says=["contains the sentences"])
        self.refused(2, "convert", "--in", "x", "--from", "t2t", "--shift", "1", says=["--shift"])
        self.refused(2, "convert", "--in", "x", "--from", "t2t", "--rule", "mutual", says=["--rule"])
        self.refused(2, "convert", "--in", "x", "--from", "t2t", "--format", "hard", "--shift", "2", says=["--shift"])


if __name__ == "__main__":
    unittest.main()
