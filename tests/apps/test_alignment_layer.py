"""train --align adds an alignment layer to the run folder. align, evaluate, translate and view show the attention of this
layer, combined with that of the decoder. The model itself equals that of a training without --align."""

import json
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import programs  # noqa: E402
import schema  # noqa: E402

LAYER = "alignment.safetensors"


def tensors(path):
    """Returns the numbers of a safetensors file, without the metadata of its header."""
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8:8 + length])
    header.pop("__metadata__")
    return header, content[8 + length:]


def share_of(path):
    """Returns the share of the layer in the combined weights."""
    content = path.read_bytes()
    header = json.loads(content[8:8 + int.from_bytes(content[:8], "little")])
    return next(json.loads(value)["share"] for value in header["__metadata__"].values() if '"share"' in value)


def decoder_heads(record):
    return [head for head in record.get("heads", []) if head["kind"] == "decoder"]


class Records:
    def assert_valid(self, record):
        self.assertEqual(schema.problems(record, schema.load("alignment.json"), "alignment.json"), [])

    def assert_combined(self, run, records, of_layer):
        """The matrix is the product of the layer's weights and the decoder's, except in the row of </s>."""
        w = share_of(run / LAYER)
        self.assertTrue(0 < w < 1, w)
        for record, layer in zip(records, of_layer, strict=True):
            self.assert_valid(record)
            self.assertEqual(record["layer_share"], w)
            self.assertEqual(record["matrix"][-1], layer["matrix"][-1])
            rows = zip(record["matrix"], layer["matrix"], decoder_heads(record)[0]["matrix"], strict=True)
            for c, g, d in list(rows)[:-1]:
                product = [max(x, 1e-4) ** w * max(y, 1e-4) ** (1 - w) for x, y in zip(g, d, strict=True)]
                for found, each in zip(c, product, strict=True):
                    self.assertAlmostEqual(found, each / sum(product), delta=1e-4)


class AlignmentLayer(Records, programs.WithRun):
    training = programs.STEEP

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.aligned = programs.train(cls.corpus, cls.folder / "aligned", *cls.training, "--align")
        cls.test = programs.write_lines(cls.folder / "test.tsv", programs.short_pairs("test.tsv", 20))

    def records(self, run, *arguments):
        lines = programs.succeed("align", "--run", run, "--data", self.test, *arguments).splitlines()
        return [json.loads(line) for line in lines]

    def evaluate(self, run, *arguments):
        return json.loads(programs.succeed("evaluate", "--run", run, "--data", self.test, "--json", *arguments))["all"]

    def test_the_model_is_that_of_a_training_without(self):
        self.assertTrue((self.aligned / LAYER).exists())
        self.assertFalse((self.run_folder / LAYER).exists())
        for name in ("model.safetensors", "last.safetensors"):
            self.assertEqual(tensors(self.aligned / name), tensors(self.run_folder / name), name)
        for name in ("metrics.jsonl", "history.jsonl", "source.vocab", "target.vocab"):
            self.assertEqual((self.aligned / name).read_bytes(), (self.run_folder / name).read_bytes(), name)
        self.assertEqual(self.evaluate(self.aligned)["bleu"], self.evaluate(self.run_folder)["bleu"])

    @unittest.skipIf(programs.SLOW, "trains another layer")
    def test_with_a_weight_the_links_guide_the_decoder_too(self):
        guided = programs.train(self.corpus, self.folder / "guided", *self.training, "--align", "--guided-alignment", "0.1")
        self.assertEqual(tensors(guided / LAYER), tensors(self.aligned / LAYER))
        self.assertNotEqual(tensors(guided / "model.safetensors"), tensors(self.aligned / "model.safetensors"))
        self.assertIn("train_guided_alignment", programs.json_lines(guided / "metrics.jsonl")[0])

    def test_a_record_has_both_attentions(self):
        both, without = self.records(self.aligned, "--alignment-by", "layer"), self.records(self.run_folder)
        decoder = self.records(self.aligned, "--alignment-by", "decoder")
        self.assertEqual(decoder, without)
        for record, plain in zip(both, without):
            self.assert_valid(record)
            self.assertEqual([head["matrix"] for head in decoder_heads(record)], [plain["matrix"]])
            self.assertNotEqual(record["matrix"], plain["matrix"])
            self.assertEqual(record["logprob"], plain["logprob"])
            self.assertEqual(record["matrix"][-1], [0] * (len(record["source_tokens"]) - 1) + [1])
            self.assertEqual(record["layer_share"], 1)
            self.assertNotIn("layer_share", plain)
        for choice in ("layer", "combined"):
            self.refused(2, "align", "--run", self.run_folder, "--data", self.test, "--alignment-by", choice,
                         says=["has no alignment layer", "train --align"])

    def test_combined_weights_are_a_product(self):
        combined = self.records(self.aligned)
        self.assertEqual(self.records(self.aligned, "--alignment-by", "combined"), combined)
        self.assert_combined(self.aligned, combined, self.records(self.aligned, "--alignment-by", "layer"))

    def test_train_says_which_share_it_has_chosen(self):
        w = share_of(self.aligned / LAYER)
        again = programs.succeed("train", "--data", self.corpus, "--out", self.folder / "said", "--epochs", "2", *programs.TINY,
                                 *self.training, "--align")
        self.assertEqual(again.splitlines()[-1], f"alignments combine the alignment layer (share {w:.1f}) and the attention of the "
                                                 f"decoder (share {1 - w:.1f})")
        self.assertEqual((self.folder / "said" / LAYER).read_bytes(), (self.aligned / LAYER).read_bytes())

    def test_scores_give_the_weights(self):
        for record in [*self.records(self.aligned, "--scores"), *self.records(self.aligned, "--scores", "--alignment-by", "layer")]:
            self.assert_valid(record)
            for matrix, scores in [(record["matrix"], record["scores"]),
                                   *((head["matrix"], head["scores"]) for head in decoder_heads(record))]:
                for row, expected in zip(matrix, programs.softmax(scores)):
                    for weight, right in zip(row, expected):
                        self.assertAlmostEqual(weight, right, delta=2e-5)

    def test_evaluate_scores_both(self):
        layer, decoder = self.evaluate(self.aligned), self.evaluate(self.aligned, "--alignment-by", "decoder")
        self.assertEqual(decoder, self.evaluate(self.run_folder))
        self.assertEqual(layer["alignment_of_decoder"], decoder["alignment"])
        self.assertLess(layer["alignment"]["aer"], decoder["alignment"]["aer"])
        shown = programs.succeed("evaluate", "--run", self.aligned, "--data", self.test)
        self.assertIn(f"{100 * decoder['alignment']['aer']:.1f}", shown.split("AER of decoder")[1].splitlines()[0])
        self.assertIn("alignment layer", shown)

    def test_translations_and_interventions(self):
        sentence = self.test.read_text(encoding="utf-8").split("\t")[0]
        both = json.loads(programs.succeed("translate", "--run", self.aligned, "--alignment", "jsonl", stdin=sentence + "\n"))
        plain = json.loads(programs.succeed("translate", "--run", self.run_folder, "--alignment", "jsonl", stdin=sentence + "\n"))
        self.assert_valid(both)
        self.assertEqual(both["target_tokens"], plain["target_tokens"])
        self.assertEqual(decoder_heads(both)[0]["matrix"], plain["matrix"])
        for word, row, decoders in zip(both["target_tokens"], both["matrix"], plain["matrix"]):
            if word == "<unk>":  # <unk> has no characters that the layer could read
                self.assertEqual(row, decoders)
        # Interventions change the attention of the decoder, and show this attention.
        changed = self.records(self.aligned, "--intervene", "ablate", "--step", "1")
        self.assertEqual(changed, self.records(self.run_folder, "--intervene", "ablate", "--step", "1"))

    def test_resume_keeps_the_layer(self):
        part = programs.train(self.corpus, self.folder / "part", *self.training, "--align", "--epochs", "1")
        before = tensors(part / LAYER)
        result = programs.run("train", "--resume", "--out", part, "--epochs", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("alignment layer: ", result.stdout)
        self.assertIn("alignments combine the alignment layer", result.stdout)
        self.assertEqual(tensors(part / LAYER), before)

    def test_ctrl_c_while_the_layer_trains(self):
        arguments = ["--data", self.corpus, "--epochs", "2", *programs.TINY, *self.training, "--align"]
        out = self.folder / "stopped"
        with subprocess.Popen([programs.BUILD / "train", *arguments, "--out", out], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            for line in process.stdout:
                if line.startswith("alignment layer: epoch"):
                    break
            process.send_signal(signal.SIGINT)
            shown, said = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130, shown + said)
        self.assertRegex(shown, rf"(?m)^stopped while the alignment layer was trained; \S*train --resume --out {out} ")
        self.assertFalse((out / LAYER).exists())
        resumed = programs.succeed("train", "--resume", "--out", out)
        self.assertIn("alignment layer: epoch", resumed)
        for name in ("model.safetensors", LAYER):
            self.assertEqual((out / name).read_bytes(), (self.aligned / name).read_bytes(), name)

    def test_the_training_of_the_layer_is_shown_in_a_pipe(self):
        start = ["train", "--data", self.corpus, "--epochs", "1", *programs.TINY, "--align", "--out", self.folder / "shown"]
        dry = programs.succeed(*start, "--dry-run")
        self.assertIn("alignment layer: 32 epochs over the linked ones of 96 pairs", dry)
        lines = [line for line in programs.succeed(*start).splitlines() if line.startswith("alignment layer: ")]
        self.assertRegex(lines[0], r"^alignment layer: 32 epochs over \d+ pairs; the model is trained next$")
        self.assertEqual([line.split(",")[0] for line in lines[1:]],
                         [f"alignment layer: epoch {epoch:>2} of 32" for epoch in range(4, 33, 4)])
        self.assertNotIn("alignment layer", programs.succeed(*[part for part in start if part != "--align"], "--dry-run"))

    @unittest.skipIf(programs.SLOW, "trains another layer")
    def test_uniform_attention_of_the_decoder_is_not_noted(self):
        blurred = ["--initialiser", "luong", "--lr", "1e-6", "--epochs", "1"]
        for name, more in {"with": ["--align"], "without": []}.items():
            shown = programs.succeed("train", "--data", self.corpus, "--out", self.folder / f"blurred-{name}", *programs.TINY,
                                     *blurred, *more)
            self.assertEqual("nearly uniform" in shown, name == "without", shown)
            said = programs.run("align", "--run", self.folder / f"blurred-{name}", "--data", self.test).stderr
            self.assertEqual("nearly uniform" in said, name == "without", said)

    @unittest.skipIf(programs.SLOW, "trains another layer")
    def test_an_average_has_the_layer(self):
        kept = programs.train(self.corpus, self.folder / "kept", *self.training, "--align", "--keep-epochs", "2")
        programs.succeed("average", "--run", kept, "--out", self.folder / "mean")
        self.assertEqual((self.folder / "mean" / LAYER).read_bytes(), (kept / LAYER).read_bytes())

    def test_another_training_in_the_folder_leaves_no_layer(self):
        again = self.folder / "again"
        shutil.copytree(self.aligned, again)
        programs.train(self.corpus, again, *self.training, "--force")
        self.assertFalse((again / LAYER).exists())

    def test_a_damaged_layer_is_refused(self):
        damaged = self.folder / "damaged"
        shutil.copytree(self.aligned, damaged)
        whole = (damaged / LAYER).read_bytes()
        (damaged / LAYER).write_bytes(whole[:len(whole) // 2])
        self.refused(1, "align", "--run", damaged, "--data", self.test, says=[LAYER])
        shutil.copy(damaged / "model.safetensors", damaged / LAYER)
        self.refused(1, "align", "--run", damaged, "--data", self.test, says=[LAYER, "alignment layer"])

    def test_the_page_names_both(self):
        page = self.folder / "page.html"
        programs.succeed("view", "--run", self.aligned, "--data", self.test, "--out", page)
        html = page.read_text(encoding="utf-8")
        self.assertIn('"kind":"decoder"', html.replace(" ", ""))
        self.assertIn("Decoder attention", html)
        self.assertIn("Alignment layer", html)


@unittest.skipIf(programs.SLOW, "trains four layers")
class OtherRuns(Records, unittest.TestCase):
    """Other models and tokenisers: the layer does not depend on the model."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = Path(cls.temporary.name)
        cls.corpus = programs.tiny_corpus(cls.folder / "corpus")
        cls.test = programs.write_lines(cls.folder / "test.tsv", programs.short_pairs("test.tsv", 10))

    def first_record(self, name, *options):
        run = programs.train(self.corpus, self.folder / name, "--align", "--epochs", "1", *options)
        lines = programs.succeed("align", "--run", run, "--data", self.test, "--alignment-by", "layer").splitlines()
        return json.loads(lines[0])

    def test_every_family_has_the_same_layer(self):
        luong = self.first_record("luong", "--model", "luong")
        transformer = self.first_record("transformer", "--model", "transformer", "--heads", "2")
        without = self.first_record("encdec", "--model", "encdec")
        self.assertEqual(luong["matrix"], transformer["matrix"])
        self.assertEqual(luong["matrix"], without["matrix"])
        self.assertEqual([len(decoder_heads(record)) for record in (luong, transformer, without)], [1, 1, 0])
        self.assertGreater(len([head for head in transformer["heads"] if head["kind"] == "cross"]), 1)

    def test_subwords_are_aligned_as_their_words(self):
        record = self.first_record("subwords", "--tokenizer", "sentencepiece", "--subwords", "60")
        combined = json.loads(programs.succeed("align", "--run", self.folder / "subwords", "--data", self.test).splitlines()[0])
        self.assert_combined(self.folder / "subwords", [combined], [record])
        pieces = json.loads(programs.succeed("align", "--run", self.folder / "subwords", "--data", self.test,
                                             "--subwords", "--alignment-by", "layer").splitlines()[0])
        self.assert_valid(pieces)
        self.assertGreater(len(pieces["matrix"]), len(record["matrix"]))
        begins = [token.startswith("\u2581") for token in pieces["source_tokens"]] + [True]
        starts = [s for s, is_begin in enumerate(begins) if is_begin or pieces["source_tokens"][s:s + 1] == ["</s>"]]
        row = pieces["matrix"][0]
        sums = [sum(row[a:b]) for a, b in zip(starts, starts[1:])]
        for found, expected in zip(sums, record["matrix"][0]):
            self.assertAlmostEqual(found, expected, delta=1e-5)


if __name__ == "__main__":
    unittest.main()
