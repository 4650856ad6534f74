"""Drawings of the user's sentences: SVG on standard output or in files, and PNG if rsvg-convert is installed. convert also
guesses formats from file names."""

import gzip
import re
import shutil
import unittest
from xml.etree import ElementTree

import programs

LINES = "the man sleeps\n\nwe see the house\n"


def figures(svg):
    """Returns the titles of a drawing's figures: "source → target"."""
    names = {"svg": "http://www.w3.org/2000/svg"}
    return [group.find("svg:title", names).text for group in ElementTree.fromstring(svg.encode("utf-8")).findall("svg:g", names)]


class Drawings(programs.WithRun):
    training = [*programs.STEEP]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.test = programs.write_lines(cls.folder / "few.tsv", programs.short_pairs("test.tsv", 3))

    def translate(self, *arguments, stdin=LINES):
        return programs.succeed("translate", "--run", self.run_folder, *arguments, stdin=stdin)

    def without_converter(self):
        """Returns an environment in which rsvg-convert cannot be found. The programs need no other program."""
        return {"PATH": str(self.folder / "nothing")}

    def test_the_drawing_alone_is_printed(self):
        svg = self.translate("--alignment", "svg")
        names = figures(svg)
        # The blank line has no figure.
        self.assertEqual([name.split(" → ")[0] for name in names], ["the man sleeps", "we see the house"])
        self.assertEqual(svg, self.translate("--alignment", "svg"))
        self.assertNotIn("var(", svg)

    def test_with_a_file_the_lines_are_printed_too(self):
        file = self.folder / "own.svg"
        plain = self.translate()
        self.assertEqual(self.translate("--alignment", "svg", "--out", file), plain)
        self.assertEqual(file.read_text(encoding="utf-8"), self.translate("--alignment", "svg"))
        file.unlink()
        self.assertEqual(self.translate("--out", file), plain)  # the file name tells the format
        self.assertEqual(len(figures(file.read_text(encoding="utf-8"))), 2)

    def test_a_folder_gets_one_file_per_line(self):
        folder = self.folder / "own"
        self.translate("--out", f"{folder}/")
        self.assertEqual(sorted(path.name for path in folder.iterdir()), ["1.svg", "3.svg"])
        self.assertEqual(len(figures((folder / "3.svg").read_text(encoding="utf-8"))), 1)
        self.translate("--out", folder, "--beam", "2", "--n-best", "2")  # the folder exists already
        self.assertEqual(sorted(path.name for path in folder.iterdir()), ["1-2.svg", "1.svg", "3-2.svg", "3.svg"])

    def test_what_does_not_go_together_is_said(self):
        run = ["translate", "--run", self.run_folder]
        self.refused(2, *run, "--out", self.folder / "own.txt", says=["own.txt", ".svg or .png", "folder"])
        self.refused(2, *run, "--alignment", "hard", "--out", self.folder / "x.svg", says=["--out needs --alignment svg", "hard", ">"])
        self.refused(2, "align", "--run", self.run_folder, "--data", self.test, "--format", "pharaoh", "--out", self.folder / "x.png",
                     says=["x.png", "--format pharaoh is text"])

    def test_png_is_made_by_a_converter_or_its_lack_is_said_at_once(self):
        file = self.folder / "own.png"
        for arguments in (["translate", "--run", self.run_folder, "--out", file],
                          ["align", "--run", self.run_folder, "--data", self.test, "--out", file]):
            result = programs.run(*arguments, stdin=LINES, environment=self.without_converter())
            self.assertEqual(result.returncode, 1, result.stderr)
            for text in ("own.png", "rsvg-convert", "librsvg2-bin", "own.svg"):
                self.assertIn(text, result.stderr)
            self.assertEqual((result.stdout, file.exists()), ("", False))
        if not shutil.which("rsvg-convert"):
            self.skipTest("no rsvg-convert (Debian: apt-get install librsvg2-bin)")
        self.translate("--out", file)
        self.assertEqual(file.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
        programs.succeed("align", "--run", self.run_folder, "--data", self.test, "--out", self.folder / "few.png")
        self.assertEqual((self.folder / "few.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_align_and_convert_draw_what_a_name_asks_for(self):
        few = self.folder / "few.svg"
        programs.succeed("align", "--run", self.run_folder, "--data", self.test, "--out", few)
        self.assertEqual(few.read_text(encoding="utf-8"), programs.succeed("align", "--run", self.run_folder, "--data", self.test, "--format", "svg"))
        own = self.folder / "own.jsonl"
        own.write_text(programs.succeed("align", "--run", self.run_folder, "--data", self.test), encoding="utf-8")
        programs.succeed("convert", own, "--out", self.folder / "own2.svg")
        self.assertEqual((self.folder / "own2.svg").read_bytes(), few.read_bytes())

    def test_a_drawing_of_too_many_sentences_says_how_to_cut(self):
        record = programs.succeed("align", "--run", self.run_folder, "--data", self.test).splitlines(keepends=True)[0]
        many = self.folder / "many.jsonl"
        many.write_text(record * 20000, encoding="utf-8")
        refused = self.refused(1, "convert", many, "--out", self.folder / "many.svg", says=["Draw fewer pairs, as many as fit: head -n "])
        cut = int(re.search(r"head -n (\d+) FILE", refused.stderr)[1])
        (self.folder / "cut.jsonl").write_text(record * cut, encoding="utf-8")
        programs.succeed("convert", self.folder / "cut.jsonl", "--out", self.folder / "cut.svg")
        self.assertFalse((self.folder / "many.svg").exists())

    def test_convert_takes_the_format_from_the_name(self):
        own = self.folder / "guess.jsonl"
        own.write_text(programs.succeed("align", "--run", self.run_folder, "--data", self.test), encoding="utf-8")
        asked = programs.succeed("convert", "--in", own, "--from", "jsonl", "--format", "pharaoh")
        self.assertEqual(programs.succeed("convert", own, "--to", "pharaoh"), asked)
        self.assertEqual(programs.succeed("convert", "--in", own, "--format", "pharaoh"), asked)
        plain = self.folder / "plain.txt"
        plain.write_text("i see\tje vois\n", encoding="utf-8")
        self.refused(2, "convert", plain, says=["plain.txt: neither the name nor the content", "--from", "pharaoh"])
        self.refused(2, "convert", says=["no file of alignments"])
        self.refused(2, "convert", own, "--in", own, says=["two files"])
        result = self.refused(2, "convert", own, "--from", "svg", says=["convert cannot read a picture", "jsonl"])
        self.assertNotIn("plot", result.stderr.split("Known are")[1])

    def test_convert_takes_the_format_from_the_content_where_the_name_has_none(self):
        records = self.folder / "content.jsonl"
        pairs = self.corpus / "valid.tsv"
        programs.succeed("links", "--data", pairs, "--format", "jsonl", "--out", records)
        for name in ("jsonl", "pharaoh", "tsv", "soft", "hard", "nematus", "sockeye", "fairseq", "bertviz", "t2t"):
            with self.subTest(name):
                text = programs.succeed("convert", records, "--format", name).encode()
                sentences = ["--data", pairs] if name in ("pharaoh", "soft", "hard", "fairseq") else []
                read = [*sentences, "--format", "hard"]
                (self.folder / f"named.{name}").write_bytes(text)
                asked = programs.succeed("convert", self.folder / f"named.{name}", "--from", name, *read)
                (self.folder / "content.txt").write_bytes(text)
                (self.folder / "content.gz").write_bytes(gzip.compress(text))
                (self.folder / f"content.{name}.gz").write_bytes(gzip.compress(text))
                guessed = programs.run("convert", self.folder / "content.txt", *read)
                self.assertEqual(guessed.stdout, asked)
                self.assertIn(f"content.txt looks like the format {name}, so convert reads it in this format", guessed.stderr)
                self.assertEqual(programs.succeed("convert", self.folder / "content.gz", *read), asked)
                self.assertEqual(programs.succeed("convert", "/dev/stdin", *read, stdin=text), asked)
                named = programs.run("convert", self.folder / f"content.{name}.gz", *read)
                self.assertEqual(named.stdout, asked)
                self.assertNotIn("looks like", named.stderr)


if __name__ == "__main__":
    unittest.main()
