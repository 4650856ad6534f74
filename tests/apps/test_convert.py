"""align writes every format, convert reads them all back; wrong files and wrong usage are refused."""

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
        for name in ["nematus", "sockeye", "bertviz", "t2t", "soft"]:  # these hold the weights as they are
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
        """The sentence of tests/data/alignment/test_symmetrise.cpp."""
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
                     says=["--format jsonl holds weights"])
        self.refused(1, "convert", "--in", self.folder / "jsonl", "--from", "jsonl", "--format", "pharaoh", "--symmetrise", "union",
                     "--reverse", self.folder / "jsonl", says=["other sentences", "--same-order"])

    def test_svg(self):
        """A drawing of all records: well-formed, with every label, cell and gold link, and nothing that must be fetched."""
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
        self.assertIn(" -  ←", plot)  # the probabilities are not known

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
        self.refused(1, "convert", "--in", cut, "--from", "pharaoh", *data, says=[f"{cut}: 19 alignments for 20"])
        self.refused(1, "convert", "--in", self.folder / "pharaoh", "--from", "pharaoh", "--format", "soft", *data,
                     says=["no attention weights"])
        self.refused(1, "convert", "--in", self.folder / "pharaoh", "--from", "pharaoh", "--format", "plot", *data,
                     says=["no attention weights"])
        self.refused(1, "convert", "--in", self.folder / "pharaoh", "--from", "pharaoh", "--format", "hard", "--shift", "1", *data,
                     says=["--shift 1"])
        self.refused(1, "convert", "--in", self.folder / "no", "--from", "jsonl", says=["No such file"])
        self.refused(1, "convert", "--in", self.folder / "soft", "--from", "jsonl", says=[f"{self.folder / 'soft'}:1: "])

    def test_wrong_usage(self):
        self.refused(2, "convert", "--from", "jsonl", says=["--in"])
        self.refused(2, "convert", "--in", "x", says=["--from"])
        self.refused(2, "convert", "--in", "x", "--from", "xml", says=["xml", "sockeye"])
        self.refused(2, "convert", "--in", "x", "--from", "plot", says=["cannot be read"])
        self.refused(2, "convert", "--in", "x", "--from", "svg", says=["cannot be read"])
        self.refused(2, "convert", "--in", "x", "--from", "soft", says=["--data FILE"])
        self.refused(2, "convert", "--in", "x", "--from", "t2t", "--data", "y", says=["holds its sentences"])
        self.refused(2, "convert", "--in", "x", "--from", "t2t", "--shift", "1", says=["--shift"])
        self.refused(2, "convert", "--in", "x", "--from", "t2t", "--rule", "mutual", says=["--rule"])
        self.refused(2, "convert", "--in", "x", "--from", "t2t", "--format", "hard", "--shift", "2", says=["--shift"])


if __name__ == "__main__":
    unittest.main()
