"""train --task captioning, caption, align, evaluate: a user's own pictures, from the first picture to its records."""

import json
import os
import re
import shutil
import struct
import sys
import tempfile
import time
import unittest
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import programs  # noqa: E402
import schema  # noqa: E402

ALIGNMENT = (schema.load("alignment.json"), "alignment.json")


class Captions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        cls.data = cls.folder / "halves"
        cls.data.mkdir()
        programs.halves(cls.data)
        cls.run_folder = cls.folder / "run"
        cls.said = cls.train(cls.run_folder, "--epochs", "40")

    @classmethod
    def train(cls, out, *arguments):
        return programs.succeed("train", "--data", cls.data, "--batch", "4", "--threads", "1", "--out", out, *arguments)

    def test_a_picture_that_many_lines_name_is_decoded_once(self):
        """Each line once took a second, because a PNG of 100 kB may have 36 million pixels."""
        data = self.folder / "large"
        data.mkdir()
        side = 6000
        row = b"\0" + bytes(3 * side)
        packer = zlib.compressobj(1)
        packed = b"".join([*(packer.compress(row) for _ in range(side)), packer.flush()])
        def chunk(name, content):
            return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
        header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
        (data / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b""))
        seconds = []
        for lines in (1, 30):
            test = programs.write_lines(data / f"{lines}.tsv", [f"a.png\tred then blue\t0,0,4,4-0\t{i}" for i in range(lines)])
            begin = time.monotonic()
            programs.succeed("evaluate", "--run", self.run_folder, "--data", test)
            seconds.append(time.monotonic() - begin)
        self.assertLess(seconds[1], 5 * seconds[0] + 1)

    def test_the_viewer_calls_pictures_pictures_and_has_their_attention_accuracy_by_epoch(self):
        page = self.folder / "pictures.html"
        result = programs.run("view", "--run", self.run_folder, "--data", self.data / "valid.tsv", "--sentences", "2", "--out", page)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("note: this page shows the first 2 of 4 pictures", result.stderr)
        self.assertRegex(result.stderr, r"searching for other captions of \d+ pictures")
        self.assertRegex(result.stdout, r"pictures.html has \d+ pictures and ")
        accuracies = re.findall('"accuracy":([^,}]*)', page.read_text(encoding="utf-8"))
        self.assertEqual((len(accuracies), "null" in accuracies), (40, False))

    def test_the_folder_says_what_is_learnt(self):
        self.assertIn("32 pictures to train on, 4 to validate; 7 words", self.said)
        self.assertRegex(self.said, r"valid +hit entropy")
        config = json.loads((self.run_folder / "config.json").read_text())
        self.assertEqual([config[name] for name in ("task", "model", "encoder", "picture-height", "picture-width")],
                         ["captioning", "show-attend-tell", "picture", 4, 8])

    def test_captions_in_the_order_of_the_pictures(self):
        paths = [self.data / "red-blue.png", self.data / "blue-blue.png", self.data / "blue-red.png"]
        expected = "red then blue\nblue then blue\nblue then red\n"
        self.assertEqual(programs.succeed("caption", "--run", self.run_folder, *paths), expected)
        self.assertEqual(programs.succeed("caption", "--run", self.run_folder, "--batch", "2", "--beam", "2",
                                          stdin="".join(f"{path}\n" for path in paths)), expected)

    def test_as_many_lines_as_pictures_where_one_is_blank_or_cannot_be_read(self):
        names = [self.data / "red-blue.png", "", "none.png", self.data / "blue-red.png", ""]
        stdin = "".join(f"{name}\n" for name in names)
        for batch in ("1", "3", "32"):
            result = programs.run("caption", "--run", self.run_folder, "--batch", batch, stdin=stdin)
            self.assertEqual((result.returncode, result.stdout), (1, "red then blue\n\n\nblue then red\n\n"))
            self.assertIn("error: standard input:3: cannot read none.png", result.stderr)
            self.assertEqual(result.stderr.count("error:"), 1)
        self.refused(1, "caption", "--run", self.run_folder, stdin=f"{names[0]}\tred then blue\n",
                     says="the name contains a tab, so it may be a line of a TSV file. Give only the names: cut -f1 FILE")
        long = programs.run("caption", "--run", self.run_folder, stdin="x" * 300000 + "\n")
        self.assertEqual((long.returncode, long.stdout), (1, "\n"))
        self.assertLess(len(long.stderr), 400)
        jsonl = programs.run("caption", "--run", self.run_folder, "--alignment", "jsonl", stdin=stdin).stdout
        records = [json.loads(line) for line in jsonl.splitlines()]
        self.assertEqual([(record["id"], record["target_sent"]) for record in records],
                         [(0, "red then blue"), (1, ""), (2, ""), (3, "blue then red"), (4, "")])
        for record in records:
            self.assertEqual(schema.problems(record, *ALIGNMENT), [])
        self.assertEqual(programs.succeed("caption", "--run", self.run_folder, stdin=f"\n{names[0]}\n"), "\nred then blue\n")
        result = programs.run("caption", "--run", self.run_folder, "none.png", names[0])
        self.assertEqual((result.returncode, result.stdout), (1, "\nred then blue\n"))

    def test_a_picture_of_another_size_is_brought_to_the_models(self):
        large = self.folder / "large.ppm"
        large.write_bytes(b"P6 800 400 255\n" + (bytes([255, 0, 0]) * 400 + bytes([0, 0, 255]) * 400) * 400)
        self.assertEqual(programs.succeed("caption", "--run", self.run_folder, large), "red then blue\n")

    def test_records_have_cells_for_places(self):
        text = programs.succeed("align", "--run", self.run_folder, "--data", self.data / "valid.tsv")
        for record in map(json.loads, text.splitlines()):
            self.assertEqual(schema.problems(record, *ALIGNMENT), [])
            self.assertEqual(record["source_tokens"], ["1,1", "1,2"])
            self.assertFalse(record["eos"]["source"])
            self.assertEqual(record["gold"]["possible"], [[0, 0], [1, 2]])
            self.assertEqual((record["source_kind"], record["source_grid"]), ("cells", [1, 2]))
            self.assertTrue(record["source_image"].startswith("data:image/png;base64,"))
            self.assertTrue((self.data / record["source_line"]).is_file(), record["source_line"])
            self.assertEqual(len(record["gate"]), len(record["matrix"]))
            self.assertTrue(all(0 < share < 1 for share in record["gate"]), record["gate"])
        free = json.loads(programs.succeed("caption", "--run", self.run_folder, "--alignment", "jsonl", self.data / "red-blue.png"))
        self.assertEqual(schema.problems(free, *ALIGNMENT), [])
        self.assertEqual((free["mode"], free["target_sent"], free["source_kind"]), ("greedy", "red then blue", "cells"))
        self.assertEqual(free["source_line"], str(self.data / "red-blue.png"))
        self.assertEqual(len(free["gate"]), 4)

    def test_evaluate_and_score_know_pictures(self):
        scores = json.loads(programs.succeed("evaluate", "--run", self.run_folder, "--data", self.data / "valid.tsv", "--json"))
        self.assertEqual(scores["all"]["exact_match"], 100)
        self.assertEqual(scores["all"]["end_attention"], 0)
        text = programs.succeed("align", "--run", self.run_folder, "--data", self.data / "valid.tsv")
        records = [json.loads(line) for line in text.splitlines()]
        rows = [(record["matrix"][word], cell) for record in records for cell, word in record["gold"]["possible"]]
        self.assertEqual(scores["all"]["attention_accuracy"], sum(row.index(max(row)) == cell for row, cell in rows) / len(rows))
        # A picture has two cells, so every cell is within one cell.
        self.assertEqual(scores["all"]["attention_accuracy_within_one_cell"], 1)
        self.assertAlmostEqual(scores["all"]["mass_in_gold"], sum(row[cell] for row, cell in rows) / len(rows), delta=1e-5)
        self.assertIsNone(scores["all"]["alignment"])
        self.assertLess(scores["all"]["loss"], 0.3)
        self.assertEqual(len(programs.succeed("score", "--run", self.run_folder, "--data", self.data / "valid.tsv").splitlines()), 4)

    def test_hard_attention_reads_one_cell_per_word_and_trains_to_the_same_bytes(self):
        whole = self.folder / "hard"
        arguments = ["--hard-attention", "--epochs", "24", "--schedule", "constant"]
        self.train(whole, *arguments)
        self.assertEqual(json.loads((whole / "config.json").read_text())["hard-attention"], True)
        text = programs.succeed("align", "--run", whole, "--data", self.data / "valid.tsv")
        for record in map(json.loads, text.splitlines()):
            self.assertEqual(schema.problems(record, *ALIGNMENT), [])
            self.assertEqual({weight for row in record["matrix"] for weight in row}, {0, 1})
        scores = json.loads(programs.succeed("evaluate", "--run", whole, "--data", self.data / "valid.tsv", "--json"))["all"]
        self.assertEqual((scores["exact_match"], scores["entropy"], scores["mass_in_gold"]), (100, 0, scores["attention_accuracy"]))
        self.assertEqual(programs.succeed("caption", "--run", whole, self.data / "red-blue.png"), "red then blue\n")
        self.train(self.folder / "hard-again", *arguments)
        self.assertEqual((self.folder / "hard-again/model.safetensors").read_bytes(), (whole / "model.safetensors").read_bytes())
        self.refused(2, "train", "--resume", "--out", whole, "--look", "soft",
                     says='--hard-attention was true when this training began and is false now')

    def test_every_decoder_that_takes_an_encoder_reads_pictures(self):
        for model in ("rnnsearch", "luong", "lstmn", "transformer"):
            out = self.folder / model
            self.train(out, "--model", model, "--epochs", "1", "--hidden", "16", "--lr", "0.01")
            self.assertEqual(json.loads((out / "config.json").read_text())["encoder"], "picture")
            self.assertEqual(len(programs.succeed("caption", "--run", out, self.data / "red-red.png").splitlines()), 1)

    def test_a_training_goes_on_to_the_bytes_of_one_that_was_never_stopped(self):
        whole, cut = self.folder / "whole", self.folder / "cut"
        self.train(whole, "--epochs", "3", "--schedule", "constant")
        self.train(cut, "--epochs", "2", "--schedule", "constant")
        programs.succeed("train", "--resume", "--out", cut, "--epochs", "3")
        self.assertEqual((cut / "last.safetensors").read_bytes(), (whole / "last.safetensors").read_bytes())
        own = (self.data / "red-red.png").read_bytes()
        (self.data / "red-red.png").write_bytes((self.data / "red-blue.png").read_bytes())
        result = programs.run("train", "--resume", "--out", cut, "--epochs", "4")
        (self.data / "red-red.png").write_bytes(own)
        self.assertEqual(result.returncode, 1)
        self.assertIn("pairs", result.stderr)

    def refused(self, status, program, *arguments, says, **more):
        result = programs.run(program, *arguments, **more)
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertIn(says, result.stderr)

    def test_what_does_not_go_with_pictures_is_refused(self):
        train = ["train", "--data", self.data, "--out", self.folder / "never"]
        self.refused(2, *train, "--model", "encdec", says=f"{self.data} contains pictures with captions. The models for this task are "
                                                          "rnnsearch, luong, lstmn, transformer, show-attend-tell. encdec translates sentences")
        self.refused(2, *train, "--model", "rnnsearch", "--encoder", "gru", says="the encoder gru cannot read pictures")
        self.refused(2, *train, "--swap-sides", says="the model would have to write pictures")
        self.refused(2, *train, "--model", "rnnsearch", "--hard-attention", says="hard-attention needs model show-attend-tell")
        self.refused(2, *train, "--model", "rnnsearch", "--attention", "location", says="no word order")
        self.refused(2, *train, "--picture-height", "260", "--picture-width", "260", says="have 4225 cells, but attention is limited to 4096 cells")
        self.refused(1, "caption", "--run", self.run_folder, self.folder / "none.png", says="none.png")
        for name, line, says in (("gone", "gone.png\ta\n", ":1: cannot read"),):
            first = self.folder / f"{name}.tsv"
            first.write_text(line + (self.data / "valid.tsv").read_text())
            self.refused(1, "train", "--task", "captioning", "--train", first, "--valid", first, "--out", self.folder / "never",
                         says=f"{first}{says}")
        wide = self.folder / "wide"
        self.train(wide, "--epochs", "1", "--picture-width", "12")
        self.refused(1, "caption", "--run", self.run_folder, "--run", wide, self.data / "red-blue.png",
                     says="their pictures have 4 x 8 and 4 x 12 pixels")
        beside = programs.run("view", "--run", self.run_folder, "--compare", wide, "--data", self.data / "valid.tsv", "--out", self.folder / "page.html")
        self.assertEqual(beside.returncode, 0, beside.stderr)
        self.assertIn("note: wide has no record of 4 of the 4 pictures, and no model that can read these in their size\n",
                      beside.stderr)
        latin = os.fsdecode(os.fsencode(self.folder) + b"/caf\xe9.png")
        shutil.copy(self.data / "red-blue.png", latin)
        self.assertEqual(programs.succeed("caption", "--run", self.run_folder, latin), "red then blue\n")
        self.refused(1, "caption", "--run", self.run_folder, "--alignment", "jsonl", latin, says="picture 1: the file name is not UTF-8")
        (self.data / "not.png").write_text("no picture")
        jpeg = programs.PROJECT / "tests" / "pictures" / "jpeg"
        self.assertEqual(programs.succeed("caption", "--run", self.run_folder, jpeg / "colours.jpg"), "red then blue\n")
        cut = self.folder / "cut.jpg"
        cut.write_bytes((jpeg / "colours.jpg").read_bytes()[:-9])
        self.refused(1, "caption", "--run", self.run_folder, cut, says=f"{cut}: the JPEG file is cut short after 293 bytes")
        self.refused(1, "caption", "--run", self.run_folder, jpeg / "cmyk.jpg", says="cmyk.jpg: the JPEG file has CMYK colours")
        self.refused(1, "caption", "--run", self.run_folder, self.data / "not.png", says="not.png")
        bad = self.folder / "bad"
        bad.mkdir()
        (bad / "task").write_text("caption")
        self.refused(1, "train", "--data", bad, "--out", self.folder / "never", says="did you mean captioning?")
        self.assertFalse((self.folder / "never").exists())


if __name__ == "__main__":
    unittest.main()
