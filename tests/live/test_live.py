"""The engine as a module for JavaScript (apps/live) in Node gives the same results as the native programs.

The tests need the module, which .ci/wasm.sh builds. SOFTALIGN_WASM names its folder. The default is build-wasm."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import programs

WASM = Path(os.environ.get("SOFTALIGN_WASM", programs.PROJECT / "build-wasm"))
MODULE = WASM / "softalign.js"
TOLERANCE = 1e-5
RUN_FILES = ("config.json", "model.safetensors", "source.vocab", "target.vocab")
# Every model and the options that train it: first the models of --task translation, then the others with their corpus.
TRANSLATORS = {
    "rnnsearch": [],
    "luong": ["--model", "luong"],
    "transformer": ["--model", "transformer", "--layers", "1"],
    "encdec": ["--model", "encdec"],
    "cho": ["--model", "cho"],
    "lstmn": ["--model", "lstmn"],
    "convolution": ["--encoder", "convolution"],
}
WITHOUT_ATTENTION = ("encdec", "cho")
OTHERS = {
    "show-attend-tell": "shapes",
    "memory-network": "two",
    "attentive-reader": "two",
    "decomposable": "entailment",
    "transformer-lm": "repeats",
    "rnn-lm": "repeats",
    "lstmn-lm": "repeats",
}
# A model that learns in a few seconds to translate sentences of all lengths.
SMALL = ["--epochs", "4", "--embedding", "16", "--hidden", "24", "--attention-size", "16", "--readout", "16", "--threads", "1"]


def call(*calls):
    """Makes these calls in one new process of Node and returns the results."""
    lines = "".join(json.dumps(one) + "\n" for one in calls)
    done = subprocess.run(["node", Path(__file__).with_name("call.mjs"), MODULE], input=lines.encode(), capture_output=True,
                          timeout=900, check=False)
    if done.returncode != 0:
        raise AssertionError(f"node ended with {done.returncode}:\n{done.stderr.decode()[-4000:]}")
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def copy_run(folder, to="/run"):
    return [["copy_in", str(folder / name), f"{to}/{name}"] for name in RUN_FILES]


def opened(folder, *calls):
    """Makes these calls after the run has been opened and returns the results."""
    results = call(*copy_run(folder), ["open", "/run"], *calls)[len(RUN_FILES):]
    assert "error" not in results[0], results[0]
    return results[1:]


@unittest.skipUnless(MODULE.exists(), f"{MODULE} is not there; .ci/wasm.sh builds it")
@unittest.skipUnless(shutil.which("node"), "there is no node")
class Live(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = Path(cls.temporary.name)
        cls.corpus = cls.folder / "corpus"
        cls.corpus.mkdir()
        for name, most in (("train.tsv", 6000), ("valid.tsv", 50)):
            lines = (programs.TOY / name).read_text(encoding="utf-8").splitlines()
            programs.write_lines(cls.corpus / name, lines[:most])
        cls.runs = {}
        for model, options in TRANSLATORS.items():
            cls.runs[model] = cls.folder / model
            programs.succeed("train", "--data", cls.corpus, "--out", cls.runs[model], *SMALL, "--lr", "0.005", *options)
        for name in set(OTHERS.values()):
            programs.succeed("make_corpus", name, "--split", "train=600,valid=20,test=8", "--out", cls.folder / name)
        for model, name in OTHERS.items():
            cls.runs[model] = cls.folder / model
            programs.succeed("train", "--data", cls.folder / name, "--model", model, "--epochs", "3", "--threads", "1",
                             "--out", cls.runs[model])
        cls.sentences = [line.split("\t")[0] for line in (programs.TOY / "test.tsv").read_text(encoding="utf-8").splitlines()]

    def assert_close(self, ours, native, where):
        """Requires that both are equal, except that numbers may differ by rounding."""
        self.assertEqual(type(ours) is list, type(native) is list, where)
        if isinstance(native, dict):
            self.assertEqual(set(ours), set(native), where)
            for key, value in native.items():
                if key == "links" and "matrix" in native:
                    self.assert_same_links(ours, native, where)
                else:
                    self.assert_close(ours[key], value, f"{where}.{key}")
        elif isinstance(native, list):
            self.assertEqual(len(ours), len(native), where)
            for i, (x, y) in enumerate(zip(ours, native, strict=True)):
                self.assert_close(x, y, f"{where}[{i}]")
        elif float in (type(ours), type(native)):  # one of them may be an integer, because 0.0 is written as 0
            scale = max(1, abs(native))  # the log-probability of a sentence is a sum over its words
            self.assertLessEqual(abs(ours - native), TOLERANCE * scale, where)
        else:
            self.assertEqual(ours, native, where)

    def assert_same_links(self, ours, native, where):
        """Requires the same links, except between words whose weights are equal up to rounding. For example, a model that
        has trained briefly may attend to all words after the second equally, and then rounding decides which one is linked."""
        different = {tuple(link) for link in ours["links"]} ^ {tuple(link) for link in native["links"]}
        for s, t in different:
            row = native["matrix"][t]
            self.assertGreaterEqual(row[s], max(row) - TOLERANCE, f"{where}: link {s}-{t}")

    def assert_records(self, model, found, *native):
        """Requires that the records of calls equal the records that commands have printed."""
        self.assertEqual(len(found), len(native))
        for i, (records, text) in enumerate(zip(found, native, strict=True)):
            lines = text.splitlines()
            self.assertEqual(len(records), len(lines), records)
            for record, line in zip(records, lines, strict=True):
                self.assert_close(record, {**json.loads(line), "id": 0}, f"{model} {i}")

    def examples(self, model):
        """Returns the columns of the test corpus."""
        text = (self.folder / OTHERS[model] / "test.tsv").read_text(encoding="utf-8")
        return [line.split("\t") for line in text.splitlines()]

    def compare_refusals(self, model, texts):
        """A model without attention to a source has no records, so both refuse the first text with the same message."""
        native = programs.run("translate", "--run", self.runs[model], "--alignment", "jsonl", stdin=f"{texts[0]}\n")
        self.assertEqual(native.returncode, 1)
        [refused] = opened(self.runs[model], ["translate", texts[0], 1])
        self.assertIn(refused["error"].split(": ", 1)[-1].split(",")[0], native.stderr)

    def compare(self, model, sentences):
        text = programs.succeed("translate", "--run", self.runs[model], "--alignment", "jsonl", "--threads", "1",
                                stdin="".join(f"{line}\n" for line in sentences))
        made = opened(self.runs[model], *[["translate", line, 1] for line in sentences])
        words = 0
        for i, (records, line) in enumerate(zip(made, text.splitlines(), strict=True)):
            [record] = records
            words += len(record["target_tokens"])
            record["id"] = i
            self.assert_close(record, json.loads(line), f"{model} {i}")
        self.assertGreater(words, 3 * len(sentences))  # the model has learned to translate

    def test_500_records_are_those_of_translate(self):
        self.assertEqual(len(self.sentences), 500)
        self.compare("rnnsearch", self.sentences)

    def test_records_of_other_models_are_too(self):
        for model in TRANSLATORS:
            with self.subTest(model):
                compare = self.compare_refusals if model in WITHOUT_ATTENTION else self.compare
                compare(model, self.sentences[:60])

    def test_no_model_is_left_out(self):
        message = programs.run("train", "--model", "unknown", "--data", self.corpus, "--out", self.folder / "none").stderr
        known = re.search("known are: (.*)", message)[1].split(", ")
        self.assertEqual(set(known) - set(TRANSLATORS) - set(OTHERS), set())

    def test_pictures_get_the_captions_of_caption(self):
        model = "show-attend-tell"
        pictures = [str(self.folder / OTHERS[model] / columns[0]) for columns in self.examples(model)]
        native = [programs.succeed("caption", "--run", self.runs[model], picture, "--beam", "3", "--n-best", "3",
                                   "--alignment", "jsonl") for picture in pictures]
        results = opened(self.runs[model], *[["copy_in", picture, picture] for picture in pictures],
                         *[["caption", picture, 3] for picture in pictures])
        self.assert_records(model, results[len(pictures):], *native)

    def test_questions_get_the_answers_of_answer(self):
        for model in ("memory-network", "attentive-reader"):
            asked = [(columns[0].replace(" | ", "\n"), columns[1]) for columns in self.examples(model)]
            native = [programs.succeed("answer", "--run", self.runs[model], "-", question, "--n-best", "3", "--alignment",
                                       "jsonl", stdin=story) for story, question in asked]
            self.assert_records(model, opened(self.runs[model], *[["answer", *two, 3] for two in asked]), *native)

    def test_sentence_pairs_get_the_labels_of_entail(self):
        model = "decomposable"
        asked = [columns[:2] for columns in self.examples(model)]
        native = [programs.succeed("entail", "--run", self.runs[model], *two, "--n-best", "3", "--alignment", "jsonl")
                  for two in asked]
        self.assert_records(model, opened(self.runs[model], *[["entail", *two, 3] for two in asked]), *native)

    def test_texts_have_no_records_as_in_translate(self):
        for model in ("transformer-lm", "rnn-lm", "lstmn-lm"):
            with self.subTest(model):
                self.compare_refusals(model, [" ".join(columns[0].split()[:5]) for columns in self.examples(model)])

    def test_a_run_of_another_task_is_refused(self):
        two = ["the dog", "the cat", 1]
        for model, calls in {"rnnsearch": [["answer", *two], ["entail", *two], ["caption", "a.png", 1]],
                             "show-attend-tell": [["translate", "the dog", 1], ["align", "the dog", "le chien"]]}.items():
            for result in opened(self.runs[model], *calls):
                self.assertIn("the model was trained for the task", result.get("error", result))
        for model, text in (("transformer-lm", "the dog"), ("decomposable", "a dog sleeps\na dog sleeps"), ("encdec", "the dog")):
            [result] = opened(self.runs[model], ["reweight", text, 0, []])
            self.assertIn("attention of this run cannot be changed", result.get("error", result))
        missing, blank = opened(self.runs["show-attend-tell"], ["caption", "none.png", 1])[0], opened(
            self.runs["memory-network"], ["answer", " \n", "where is mary ?", 1])[0]
        self.assertIn("none.png", missing["error"])
        self.assertIn("a story without a sentence", blank["error"])

    def test_a_beam_gives_its_translations_best_first(self):
        [records] = opened(self.runs["rnnsearch"], ["translate", self.sentences[1], 4])
        self.assertEqual([record["rank"] for record in records], [0, 1, 2, 3])
        self.assertEqual({record["mode"] for record in records}, {"beam"})

    def test_weights_that_are_given_do_what_force_does(self):
        few = programs.write_lines(self.folder / "few.tsv", (programs.TOY / "test.tsv").read_text(encoding="utf-8").splitlines()[:12])
        text = programs.succeed("align", "--run", self.runs["rnnsearch"], "--data", few, "--intervene", "force", "--threads", "1")
        records = [json.loads(line) for line in text.splitlines()]
        alone = [record for record in records if record["intervention"]["kind"] == "none"]
        forced = [record for record in records if record["intervention"]["kind"] == "force"]
        self.assertGreaterEqual(len(forced), 50)
        self.compare_forced("rnnsearch", alone, forced, {record["id"]: record["source_line"] for record in alone})

    def test_weights_over_pictures_and_stories_do_what_force_does(self):
        for model in ("show-attend-tell", "memory-network", "attentive-reader"):
            corpus = self.folder / OTHERS[model] / "test.tsv"
            text = programs.succeed("align", "--run", self.runs[model], "--data", corpus, "--intervene", "force", "--threads", "1")
            records = [json.loads(line) for line in text.splitlines()]
            alone = [record for record in records if record["intervention"]["kind"] == "none"]
            forced = [record for record in records if record["intervention"]["kind"] == "force"]
            asked = ([str(corpus.parent / columns[0]) for columns in self.examples(model)] if model == "show-attend-tell" else
                     ["\n".join([*columns[0].split(" | "), columns[1]]) for columns in self.examples(model)])
            self.assertEqual(len(alone), len(asked))
            self.compare_forced(model, alone, forced, dict(enumerate(asked)))
            [incomplete] = opened(self.runs[model], ["reweight", "none.png", 0, [1]])
            self.assertIn("none.png" if model == "show-attend-tell" else "must be complete", incomplete["error"])

    def compare_forced(self, model, alone, forced, texts):
        """Requires that weights which are all on one source position give the records of --intervene force."""
        def weights(record):
            row = [0] * len(record["source_tokens"])
            row[record["intervention"]["source"]] = 2  # the engine divides weights by their sum
            return row
        pictures = [["copy_in", text, text] for text in texts.values()] if model == "show-attend-tell" else []
        made = opened(self.runs[model], *pictures,
                      *[["reweight", texts[record["id"]], 0, []] for record in alone],
                      *[["reweight", texts[record["id"]], record["intervention"]["step"], weights(record)] for record in forced])
        for ours, native in zip(made[len(pictures):], alone + forced, strict=True):
            self.assertEqual(ours["intervention"]["kind"], "weights" if native["intervention"]["kind"] == "force" else "none")
            for key in {"target_tokens", "matrix", "logprob", "links", "heads"} & set(native):
                self.assert_close(ours[key], native[key], f"{model} {key}")
        different = [record for record in forced if record["target_tokens"] != alone[record["id"]]["target_tokens"]
                     or record["logprob"] != alone[record["id"]]["logprob"]]
        self.assertGreater(len(different), 0, model)

    def test_a_page_gets_scores_a_beam_and_words_close_to_unknown_ones(self):
        text = "i lvoe you lvoe"
        shown, [greedy], beam, blank, narrow = opened(self.runs["rnnsearch"], ["show", text, 3], ["translate", text, 1],
                                                      ["translate", text, 3], ["show", " ", 3], ["show", "i love you", 1])
        scored = shown["record"]
        for row, weights in zip(programs.softmax(scored["scores"]), scored["matrix"], strict=True):
            self.assertLess(max(abs(x - y) for x, y in zip(row, weights, strict=True)), 1e-4)
        self.assertEqual({key: scored[key] for key in greedy}, greedy)
        self.assertEqual(shown["beam"], beam)
        [unknown] = shown["unknown"]
        self.assertEqual(unknown["word"], "lvoe")
        self.assertIn("love", unknown["similar"])
        self.assertEqual(blank, {"record": None, "beam": [], "unknown": []})
        self.assertEqual((narrow["beam"], narrow["unknown"]), ([], []))

    def test_a_page_gets_captions_answers_and_labels(self):
        def shown(model, asked, calls):
            """Requires that a page gets the results of these calls, the best one as the record."""
            results = opened(self.runs[model], *[["show", text, 3] for text in asked], *[["show", asked[0], 1]], *calls)
            many, [narrow], lists = results[:len(asked)], results[len(asked):len(asked) + 1], results[len(asked) + 1:]
            for one, records in zip(many, lists, strict=True):
                self.assertEqual(one["beam"], records)
            self.assertEqual((narrow["beam"], narrow["unknown"]), ([], []))
            return many
        for model in ("memory-network", "attentive-reader"):
            asked = [(columns[0].replace(" | ", "\n"), columns[1]) for columns in self.examples(model)]
            for one in shown(model, ["\n".join(two) for two in asked], [["answer", *two, 3] for two in asked]):
                self.assertEqual(one["record"], one["beam"][0])
        asked = [columns[:2] for columns in self.examples("decomposable")]
        for one in shown("decomposable", ["\n".join(two) for two in asked], [["entail", *two, 3] for two in asked]):
            self.assertEqual(one["record"], one["beam"][0])
        model = "show-attend-tell"
        picture = str(self.folder / OTHERS[model] / self.examples(model)[0][0])
        _, one, greedy, beam = opened(self.runs[model], ["copy_in", picture, picture], ["show", picture, 3],
                                      ["caption", picture, 1], ["caption", picture, 3])
        self.assertEqual(([one["record"]], one["beam"], one["unknown"]), (greedy, beam, []))
        self.assertTrue(one["record"]["source_image"].startswith("data:image/png;base64,"))
        for model, text in (("memory-network", "where is mary ?"), ("decomposable", "a dog sleeps")):
            [nothing] = opened(self.runs[model], ["show", text, 3])
            self.assertEqual(nothing, {"record": None, "beam": [], "unknown": []})
        [unknown] = opened(self.runs["decomposable"], ["show", "a zyzzyva sleeps\na dog sleeps", 1])[0]["unknown"]
        self.assertEqual(unknown["word"], "zyzzyva")

    def test_a_page_gets_the_self_attention_of_a_continued_text(self):
        for model in ("transformer-lm", "lstmn-lm"):
            for columns in self.examples(model)[:4]:
                text = " ".join(columns[0].split()[:5])
                [shown] = opened(self.runs[model], ["show", text, 5])
                continued = programs.succeed("translate", "--run", self.runs[model], "--tokenized", "--beam", "1", stdin=f"{text}\n").strip()
                self.assertTrue(continued.startswith(text))
                file = programs.write_lines(self.folder / "text.tsv", [continued])
                native = json.loads(programs.succeed("align", "--run", self.runs[model], "--data", file, "--format", "jsonl"))
                self.assertEqual(shown["beam"], [])
                for key in ("target_tokens", "heads", "logprob"):
                    self.assert_close(shown["record"][key], native[key], f"{model} {key}")

    def test_a_page_gets_the_words_of_a_model_without_attention(self):
        for model in WITHOUT_ATTENTION:
            native = programs.succeed("translate", "--run", self.runs[model], "--beam", "1", stdin="".join(f"{line}\n" for line in self.sentences[:20]))
            for text, line, shown in zip(self.sentences, native.splitlines(), opened(self.runs[model], *[["show", text, 3] for text in self.sentences[:20]]), strict=False):
                record = shown["record"]
                self.assertEqual((record["target_line"], record["matrix"], len(shown["beam"])), (line, [], 3), model)
                self.assertEqual(len(record["logprob"]), len(record["target_tokens"]))
        for columns in self.examples("rnn-lm")[:4]:
            text = " ".join(columns[0].split()[:5])
            [shown] = opened(self.runs["rnn-lm"], ["show", text, 5])
            native = programs.succeed("translate", "--run", self.runs["rnn-lm"], "--tokenized", "--beam", "1", stdin=f"{text}\n").split()
            self.assertEqual((shown["record"]["target_tokens"], shown["record"]["matrix"], shown["beam"]), ([*native, "</s>"], [], []))

    def test_a_given_translation_is_aligned(self):
        source, target = (programs.TOY / "test.tsv").read_text(encoding="utf-8").splitlines()[1].split("\t")[:2]
        pair = programs.write_lines(self.folder / "pair.tsv", [f"{source}\t{target}"])
        native = json.loads(programs.succeed("align", "--run", self.runs["rnnsearch"], "--data", pair, "--threads", "1"))
        [ours] = opened(self.runs["rnnsearch"], ["align", source, target])
        for key in ("source_tokens", "target_tokens", "matrix", "logprob", "links"):
            self.assert_close(ours[key], native[key], key)

    def test_what_cannot_be_done_is_said(self):
        broken = self.folder / "broken"
        shutil.copytree(self.runs["rnnsearch"], broken)
        model = bytearray((broken / "model.safetensors").read_bytes())
        model[-5] ^= 1
        (broken / "model.safetensors").write_bytes(model)
        missing, nowhere, *_, damaged = call(["translate", "i love you", 1], ["open", "/nowhere"], *copy_run(broken), ["open", "/run"])
        self.assertIn("no run is open", missing["error"])
        self.assertIn("/nowhere", nowhere["error"])
        self.assertIn("model.safetensors", damaged["error"])
        long, blank, emoji, short_row, end = opened(
            self.runs["rnnsearch"], ["translate", "the " * 400, 1], ["translate", "  ", 1], ["translate", "ü 😀 你好 <b>&amp;", 5],
            ["reweight", "i love you", 0, [1, 0]], ["translate", "i love you", 1])
        self.assertIn("400 words", long["error"])
        self.assertEqual(blank, [])
        self.assertEqual(len(emoji), 5)
        self.assertIn("2 weights for a sentence of 4", short_row["error"])
        self.assertEqual(len(end), 1)

    def test_a_training_learns_as_natively_and_the_programs_open_the_run(self):
        native, ours = self.folder / "native", self.folder / "ours"
        programs.succeed("train", "--data", self.corpus, "--out", native, *SMALL, "--lr", "0.005")
        ours.mkdir()
        config = json.loads((native / "config.json").read_text(encoding="utf-8"))
        config["data"] = "/corpus"
        (ours / "config.json").write_text(json.dumps(config), encoding="utf-8")
        files = (*RUN_FILES, "metrics.jsonl", "history.jsonl")
        results = call(*[["copy_in", str(self.corpus / name), f"/corpus/{name}"] for name in ("train.tsv", "valid.tsv")],
                       ["copy_in", str(ours / "config.json"), "/new/config.json"], ["train", "/new", 0, 0, "i love you"],
                       *[["copy_out", f"/new/{name}", str(ours / name)] for name in files],
                       ["open", "/new"], ["show", "i love you", 1])
        training = results[3]
        self.assertTrue(training.get("finished"), training.get("error"))
        theirs = programs.json_lines(native / "metrics.jsonl")
        epochs = [line["metrics"] for line in training["lines"] if "metrics" in line]
        self.assertEqual(len([line for line in training["lines"] if "step" in line]), training["steps"])
        self.assertEqual(len(epochs), len(theirs))
        for epoch, other in zip(epochs, theirs, strict=True):
            self.assertAlmostEqual(epoch["train_loss"], other["train_loss"], delta=0.02)
        kept = [line["record"] for line in training["lines"] if line.get("metrics", {}).get("best")][-1]
        self.assertEqual(kept, results[-1]["record"])
        self.assertEqual(len(programs.succeed("translate", "--run", ours, stdin="i love you\nthe dog\n").splitlines()), 2)

    def test_a_training_ends_when_the_page_wants_it_to(self):
        config = json.loads((self.runs["rnnsearch"] / "config.json").read_text(encoding="utf-8")) | {"data": "/corpus"}
        (self.folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
        *_, training = call(*[["copy_in", str(self.corpus / name), f"/corpus/{name}"] for name in ("train.tsv", "valid.tsv")],
                            ["copy_in", str(self.folder / "config.json"), "/new/config.json"], ["train", "/new", 0, 3])
        self.assertEqual((training["steps"], training["finished"]), (3, False))


if __name__ == "__main__":
    unittest.main()
