"""view --live end to end. Chromium opens a live page (check_live.mjs), and native programs open the files that it saves.

The page needs the module that .ci/wasm.sh builds. Ordinary continuous integration has no emscripten, so it skips these tests;
.ci/wasm.sh runs them."""

import base64
import gzip
import json
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "apps"))
import programs  # noqa: E402
import test_viewer  # noqa: E402

HERE = Path(__file__).resolve().parent
MODULE = programs.BUILD.resolve().parent / "build-wasm" / "softalign.js"
# A model that learns in a few seconds to translate short sentences.
SMALL = ["--epochs", "4", "--embedding", "16", "--hidden", "24", "--attention-size", "16", "--readout", "16", "--threads", "1", "--lr", "0.005"]


def part_of(page, name):
    return re.search(f'<script type="application/octet-stream" id="{name}">(.*?)</script>', page.read_text(encoding="utf-8"), re.S)[1]


def files_of(packed):
    """Returns the files of a part: {name: bytes}."""
    content, files, at = gzip.decompress(base64.b64decode(packed)), {}, 0
    while at < len(content):
        parts = []
        for _ in range(2):
            size = int.from_bytes(content[at:at + 4], "little")
            parts.append(content[at + 4:at + 4 + size])
            at += 4 + size
        files[parts[0].decode()] = parts[1]
    return files


def write_files(folder, files):
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def make_pictures(folder):
    """Writes JPEG pictures (upright, turned by Exif, and cut short), a BMP picture that is too wide, and a text."""
    jpeg = (HERE.parent / "pictures" / "jpeg" / "colours.jpg").read_bytes()
    exif = b"Exif\0\0" + struct.pack("<2sHIHHHIII", b"II", 42, 8, 1, 274, 3, 1, 6, 0)  # orientation 6: turn by 90 degrees
    (folder / "colours.jpg").write_bytes(jpeg)
    (folder / "turned.jpg").write_bytes(jpeg[:2] + struct.pack(">HH", 0xffe1, 2 + len(exif)) + exif + jpeg[2:])
    (folder / "cut.jpg").write_bytes(jpeg[:-100])
    row = bytes(2052)  # 16,385 pixels of one bit
    header = struct.pack("<2sIIIIiiHHIIiiII", b"BM", 62 + len(row), 0, 62, 40, 16385, 1, 1, 1, 0, len(row), 0, 0, 2, 0)
    (folder / "wide.bmp").write_bytes(header + struct.pack("<II", 0, 0xffffff) + row)
    (folder / "notes.jpg").write_text("no picture\n", encoding="utf-8")


class WithoutModule(unittest.TestCase):
    def test_what_cannot_be_live_is_refused_in_a_line(self):
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            corpus = programs.tiny_corpus(folder / "corpus")
            run = programs.train(corpus, folder / "run", "--epochs", "1")
            alone = folder / "elsewhere" / "bin"
            alone.mkdir(parents=True)
            shutil.copy(programs.BUILD / "view", alone)
            done = subprocess.run([alone / "view", "--run", run, "--live", "--out", folder / "x.html"], cwd=folder, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn(".ci/wasm.sh module", done.stderr)
            self.assertFalse((folder / "x.html").exists())
            pieces = programs.train(corpus, folder / "pieces", "--epochs", "1", "--tokenizer", "sentencepiece", "--subwords", "60")
            for wrong, message in ((["--run", pieces], "subwords"), (["--in", folder / "run" / "history.jsonl"], "--live needs a model")):
                done = programs.run("view", *wrong, "--live", "--out", folder / "x.html")
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(message, done.stderr)


@unittest.skipUnless(MODULE.exists(), f"{MODULE} has not been built; .ci/wasm.sh module builds it")
@unittest.skipIf(test_viewer.what_is_missing(), test_viewer.what_is_missing())
class LivePage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = Path(cls.temporary.name)
        corpus = cls.folder / "corpus"
        corpus.mkdir()
        for name, most in (("train.tsv", 6000), ("valid.tsv", 50), ("test.tsv", 30)):
            programs.write_lines(corpus / name, (programs.TOY / name).read_text(encoding="utf-8").splitlines()[:most])
        cls.run_folder = cls.folder / "demo"
        programs.succeed("train", "--data", corpus, "--out", cls.run_folder, *SMALL)
        short = programs.write_lines(cls.folder / "short.tsv", programs.short_pairs("test.tsv", 30, words=7))
        records = programs.succeed("align", "--run", cls.run_folder, "--data", short)
        (cls.folder / "alignments.jsonl").write_text(records, encoding="utf-8")
        shutil.copy(cls.folder / "alignments.jsonl", cls.run_folder)
        cls.page = cls.folder / "live.html"
        programs.succeed("view", "--run", cls.run_folder, "--live", "--out", cls.page)
        # The page has 16-bit parameters, so native programs need 16-bit parameters for the same results.
        cls.half = write_files(cls.folder / "half", files_of(part_of(cls.page, "live-run")))
        lines = [line.split("\t")[0] for line in short.read_text(encoding="utf-8").splitlines()]
        translated = programs.succeed("translate", "--run", cls.half, "--alignment", "jsonl", "--threads", "1", stdin="".join(f"{line}\n" for line in lines))
        (cls.folder / "translated.jsonl").write_text(translated, encoding="utf-8")
        few = programs.write_lines(cls.folder / "few.tsv", short.read_text(encoding="utf-8").splitlines()[:20])
        forced = programs.succeed("align", "--run", cls.half, "--data", few, "--intervene", "force", "--threads", "1")
        (cls.folder / "forced.jsonl").write_text(forced, encoding="utf-8")

    def test_parameters_in_16_bits_are_half_as_large_and_evaluate_alike(self):
        sizes = [(folder / "model.safetensors").stat().st_size for folder in (self.run_folder, self.half)]
        self.assertLess(sizes[1], 0.55 * sizes[0])
        test = programs.write_lines(self.folder / "test.tsv", (programs.TOY / "test.tsv").read_text(encoding="utf-8").splitlines()[:100])
        rows = [programs.succeed("evaluate", "--run", folder, "--data", test) for folder in (self.run_folder, self.half)]
        self.assertEqual(rows[0].splitlines()[1:], rows[1].splitlines()[1:])

    def test_the_page_in_a_browser(self):
        text = self.page.read_text(encoding="utf-8")
        engine = part_of(self.page, "live-engine")
        model = bytearray(gzip.decompress(base64.b64decode(part_of(self.page, "live-run"))))
        model[-3] ^= 1
        run = part_of(self.page, "live-run")
        for name, old, new in (("damaged", run, base64.b64encode(gzip.compress(bytes(model))).decode()), ("without-run", run, ""),
                               ("without-engine", engine, ""), ("without-data", part_of(self.page, "live-data"), "")):
            (self.folder / f"{name}.html").write_text(text.replace(old, new), encoding="utf-8")
        done = subprocess.run(["node", HERE / "check_live.mjs", self.folder], capture_output=True, text=True, timeout=1200, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-6000:] + done.stderr[-2000:])
        self.check_saved_records()
        self.check_trained_run()

    def check_saved_records(self):
        """Requires that other programs can read the saved records."""
        programs.succeed("convert", "--in", self.folder / "saved.jsonl", "--from", "jsonl", "--format", "pharaoh")
        programs.succeed("view", "--in", self.folder / "saved.jsonl", "--out", self.folder / "saved.html")

    def check_trained_run(self):
        """Requires that native programs open the run, and that Node writes the same bytes in the same training."""
        with zipfile.ZipFile(self.folder / "trained.zip") as archive:
            self.assertIsNone(archive.testzip())
            archive.extractall(self.folder)
        trained = self.folder / "trained"
        self.assertEqual(len(programs.succeed("translate", "--run", trained, stdin="i love you\nthe dog\n").splitlines()), 2)
        programs.succeed("view", "--run", trained, "--data", self.folder / "few.tsv", "--out", self.folder / "trained.html")
        lesson = write_files(self.folder / "lesson", files_of(part_of(self.page, "live-lesson")))
        names = sorted(path.name for path in trained.iterdir() if path.name != "config.json")
        calls = [["copy_in", str(lesson / name), f"/{name}"] for name in ("run/config.json", "corpus/train.tsv", "corpus/valid.tsv")]
        calls += [["train", "/run", 0, 0], *[["copy_out", f"/run/{name}", str(self.folder / f"node-{name}")] for name in names]]
        done = subprocess.run(["node", HERE.parent / "live" / "call.mjs", MODULE], input="".join(json.dumps(call) + "\n" for call in calls),
                              capture_output=True, text=True, timeout=600, check=True)
        self.assertIn('"finished":true', done.stdout)
        for name in names:
            self.assertEqual((trained / name).read_bytes(), (self.folder / f"node-{name}").read_bytes(), name)


@unittest.skipUnless(MODULE.exists(), f"{MODULE} has not been built; .ci/wasm.sh module builds it")
@unittest.skipIf(test_viewer.what_is_missing(), test_viewer.what_is_missing())
class OtherTasks(unittest.TestCase):
    """Pages with captions, stories, sentence pairs and texts, and pages of models without attention (check_live_tasks.mjs)."""
    corpora = {"captions": ("shapes", "2", []), "stories": ("two", "20", []), "pairs": ("entailment", "4", []),
               "texts": ("repeats", "2", []), "plain-texts": ("repeats", "2", ["--model", "rnn-lm"])}

    def native(self, program, *arguments, **more):
        return [json.loads(line) for line in programs.succeed(program, *arguments, "--alignment", "jsonl", **more).splitlines()]

    def test_pages_in_a_browser(self):
        with tempfile.TemporaryDirectory() as temporary:
            folder, half = Path(temporary), {}
            for name, (corpus, epochs, options) in self.corpora.items():
                if not (folder / corpus).exists():
                    programs.succeed("make_corpus", corpus, "--split", "train=3000,valid=40,test=8", "--out", folder / corpus)
                programs.succeed("train", "--data", folder / corpus, "--epochs", epochs, *options, "--threads", "1", "--out", folder / f"{name}-run")
                programs.succeed("view", "--run", folder / f"{name}-run", "--data", folder / corpus / "test.tsv", "--live", "--out", folder / f"{name}.html")
                half[name] = write_files(folder / f"{name}-half", files_of(part_of(folder / f"{name}.html", "live-run")))
            examples = {name: [line.split("\t") for line in (folder / corpus / "test.tsv").read_text(encoding="utf-8").splitlines()]
                        for name, (corpus, *_) in self.corpora.items()}
            picture = folder / "shapes" / examples["captions"][0][0]
            shutil.copy(picture, folder / "picture.png")
            (folder / "broken.png").write_bytes(picture.read_bytes()[:100])
            make_pictures(folder)
            expected = {
                "captions": [{"file": name, "records": self.native("caption", "--run", half["captions"], folder / name, "--beam", "1")}
                             for name in ("picture.png", "colours.jpg", "turned.jpg")],
                "stories": [{"text": story.replace(" | ", "\n"), "second": question,
                             "records": self.native("answer", "--run", half["stories"], "-", question, "--n-best", "5", stdin=story.replace(" | ", "\n"))}
                            for story, question, *_ in examples["stories"]],
                "pairs": [{"text": two[0], "second": two[1], "records": self.native("entail", "--run", half["pairs"], *two[:2], "--n-best", "5")}
                          for two in examples["pairs"]],
            }
            expected["captions"][0]["forced"] = self.forced(half["captions"], folder / "shapes")[0]
            for example, forced in zip(expected["stories"], self.forced(half["stories"], folder / "two"), strict=True):
                example["forced"] = forced
            beginnings = [" ".join(columns[0].split()[:4]) for columns in examples["texts"]]
            expected["texts"] = self.written(half["texts"], beginnings)
            expected["plain-texts"] = self.written(half["plain-texts"], beginnings, end=["</s>"])
            self.make_plain(folder)
            plain = write_files(folder / "plain-half", files_of(part_of(folder / "plain.html", "live-run")))
            expected["plain"] = self.written(plain, [line.split("\t")[0] for line in programs.short_pairs("test.tsv", 8)], end=["</s>"])
            (folder / "expected.json").write_text(json.dumps(expected), encoding="utf-8")
            done = subprocess.run(["node", HERE / "check_live_tasks.mjs", folder], capture_output=True, text=True, timeout=900, check=False)
            self.assertEqual(done.returncode, 0, done.stdout[-6000:] + done.stderr[-2000:])
            self.check_painted_caption(folder, half["captions"])

    def make_plain(self, folder):
        """Writes the page of a translation model without attention, and a page that compares it with another model."""
        corpus = programs.tiny_corpus(folder / "tiny", train=2000)
        programs.succeed("train", "--data", corpus, "--model", "encdec", "--epochs", "4", "--lr", "0.01", "--embedding", "16",
                         "--hidden", "24", "--readout", "16", "--threads", "1", "--out", folder / "plain-run")
        page = ["view", "--run", folder / "plain-run", "--live", "--out", folder / "plain.html"]
        done = programs.run(*page)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "Add --data FILE$")  # `align` could not make records either
        programs.succeed(*page, "--data", corpus / "valid.tsv")
        other = programs.train(corpus, folder / "attends-run", "--epochs", "1")
        programs.succeed("view", "--run", other, "--compare", folder / "plain-run", "--data", corpus / "valid.tsv", "--live", "--out", folder / "mixed.html")

    def written(self, run, texts, end=()):
        """Returns what the native program writes for these texts."""
        lines = programs.succeed("translate", "--run", run, "--tokenized", "--beam", "1", stdin="".join(f"{text}\n" for text in texts)).splitlines()
        return [{"text": text, "tokens": [*line.split(), *end]} for text, line in zip(texts, lines, strict=True)]

    def forced(self, run, corpus):
        """Returns the records of align --intervene force, one list per example of the corpus."""
        told = programs.succeed("align", "--run", run, "--data", corpus / "test.tsv", "--intervene", "force", "--threads", "1")
        found = {}
        for record in map(json.loads, told.splitlines()):
            found.setdefault(record["id"], []).extend([record] if record["intervention"]["kind"] == "force" else [])
        return list(found.values())

    def check_painted_caption(self, folder, run):
        """Requires that the native program writes the page's caption for the painted picture."""
        [saved] = programs.json_lines(folder / "painted.jsonl")
        painted = folder / "painted.png"
        painted.write_bytes(base64.b64decode(saved["source_image"].split(",", 1)[1]))
        [native] = self.native("caption", "--run", run, painted, "--beam", "1")
        self.assertEqual(saved["target_tokens"], native["target_tokens"])
        for row, other in zip(saved["matrix"], native["matrix"], strict=True):
            self.assertLess(max(abs(x - y) for x, y in zip(row, other, strict=True)), 1e-5)


if __name__ == "__main__":
    unittest.main()
