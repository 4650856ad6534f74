"""train --task entailment, entail, align, evaluate, view: labelled sentence pairs, from the first line to their records."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import programs  # noqa: E402
import schema  # noqa: E402

ALIGNMENT = (schema.load("alignment.json"), "alignment.json")
ADJECTIVES, NOUNS = ["red", "blue", "old", "new"], ["dog", "cat", "car"]


def pairs():
    """Yields pairs about a thing and its colour: with the same colour the label is yes, with another colour no."""
    for adjective in ADJECTIVES:
        for noun in NOUNS:
            for other in ADJECTIVES:
                yield f"a {adjective} {noun}\ta {other} {noun}\t{'yes' if other == adjective else 'no'}\t0-0 1-1 2-2\tcolour"
            for other in NOUNS:
                if other != noun:
                    yield f"a {adjective} {noun}\ta {adjective} {other}\tmaybe\t0-0 1-1"


class Entailment(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        cls.data = cls.folder / "pairs"
        cls.data.mkdir()
        lines = list(pairs())
        programs.write_lines(cls.data / "train.tsv", lines)
        cls.lines = lines[::5]
        programs.write_lines(cls.data / "valid.tsv", cls.lines)
        (cls.data / "task").write_text("entailment\n")
        cls.runs = {intra: cls.train(cls.folder / f"run{intra}", "--epochs", "40", *(["--intra-sentence"] if intra else []))
                    for intra in (False, True)}

    @classmethod
    def train(cls, out, *arguments):
        programs.succeed("train", "--data", cls.data, "--batch", "4", "--threads", "1", "--out", out, *arguments)
        return out

    def test_it_prints_the_label_of_a_pair(self):
        for run in self.runs.values():
            judge = ["entail", "--run", run, "A red dog"]
            self.assertEqual(programs.succeed(*judge, "a red dog"), "yes\n")
            self.assertEqual(programs.succeed(*judge, "a blue dog"), "no\n")
            best = programs.succeed(*judge, "a red cat", "--n-best", "3").splitlines()
            self.assertEqual([line.split(" ||| ")[0] for line in best][0], "maybe")
            self.assertEqual(len(best), 3)
            every = programs.succeed(*judge, "a red cat", "--n-best", "99", "--alignment", "jsonl").splitlines()
            words = [json.loads(line)["target_tokens"] for line in every]
            self.assertTrue({"yes", "no", "maybe"} <= {word for word, in words} and ["<unk>"] not in words, words)
        config = json.loads((self.runs[True] / "config.json").read_text())
        self.assertEqual([config[name] for name in ("task", "model", "intra-sentence")], ["entailment", "decomposable", True])

    def test_records_hold_the_attention_of_both_sentences(self):
        for intra, run in self.runs.items():
            text = programs.succeed("align", "--run", run, "--data", self.data / "valid.tsv")
            for line, record in zip(self.lines, map(json.loads, text.splitlines()), strict=True):
                self.assertEqual(schema.problems(record, *ALIGNMENT), [])
                premise, hypothesis, label = line.split("\t")[:3]
                self.assertEqual((record["source_sent"], record["target_tokens"]), (f"{premise} | {hypothesis}", [label]))
                self.assertEqual((record["eos"], record.get("source_kind", "words")), ({"source": False, "target": False}, "words"))
                self.assertEqual([(head["kind"], head["head"]) for head in record["heads"]], [("encoder-self", k) for k in range(1 + intra)])
                across = record["heads"][0]["matrix"]
                self.assertEqual([across[3][3], sum(across[0][:4]), sum(across[4][3:])], [1, 0, 0])
                self.assertEqual(record["matrix"][0][3], 0)

    def test_evaluate_scores_the_attention_of_the_hypothesis(self):
        scores = json.loads(programs.succeed("evaluate", "--run", self.runs[False], "--data", self.data / "valid.tsv", "--json"))["all"]
        self.assertEqual(scores["exact_match"], 100)
        text = programs.succeed("align", "--run", self.runs[False], "--data", self.data / "valid.tsv")
        rows = []
        for line, record in zip(self.lines, map(json.loads, text.splitlines()), strict=True):
            for link in line.split("\t")[3].split():
                source, word = map(int, link.split("-"))
                rows.append((record["heads"][0]["matrix"][4 + word][:3], source))
        self.assertAlmostEqual(scores["attention_accuracy"], sum(row.index(max(row)) == gold for row, gold in rows) / len(rows), delta=1e-9)
        self.assertAlmostEqual(scores["mass_in_gold"], sum(row[gold] for row, gold in rows) / len(rows), delta=1e-5)

    def test_the_table_has_no_bleu_of_single_words(self):
        table = programs.succeed("evaluate", "--run", self.runs[False], "--data", self.data / "valid.tsv", "--details")
        self.assertNotIn("BLEU ", table.splitlines()[0])
        _, pairs, _, _, chrf, exact = next(line.split() for line in table.splitlines() if line.startswith("all"))
        self.assertEqual(int(pairs), len(self.lines))
        self.assertGreater(float(chrf) * float(exact), 0)

    def test_plot_page_score_and_resume(self):
        run = self.runs[False]
        shown = programs.succeed("entail", "--run", run, "a red dog", "a blue dog", "--alignment", "plot", "--color", "never")
        answer, _, head, *rows = shown.splitlines()
        self.assertEqual((answer, head.split()[:3]), ("no", ["a", "red", "dog"]))
        self.assertEqual([row.split()[0] for row in rows[:3]], ["a", "blue", "dog"])
        several = programs.succeed("entail", "--run", run, "a red dog", "a blue dog", "--alignment", "plot", "--color", "never", "--n-best", "3")
        # The label does not change the attention, so the sentences are drawn once.
        self.assertEqual([several.count(" ||| "), several.count("sentence 1")], [3, 1])
        record = json.loads(programs.succeed("entail", "--run", run, "a red dog", "a blue dog", "--alignment", "jsonl"))
        self.assertEqual((schema.problems(record, *ALIGNMENT), record["target_tokens"]), ([], ["no"]))
        page = self.folder / "page.html"
        programs.succeed("view", "--run", run, "--data", self.data / "valid.tsv", "--out", page)
        self.assertGreater(page.stat().st_size, 10000)
        own = self.folder / "own.html"
        programs.succeed("view", "--run", run, "--out", own)  # the run's own records suffice
        self.assertGreater(own.stat().st_size, 10000)
        self.assertEqual(len(programs.succeed("score", "--run", run, "--data", self.data / "valid.tsv").splitlines()), len(self.lines))
        whole = self.train(self.folder / "whole", "--epochs", "3", "--schedule", "constant")
        cut = self.train(self.folder / "cut", "--epochs", "2", "--schedule", "constant")
        programs.succeed("train", "--resume", "--out", cut, "--epochs", "3")
        self.assertEqual((cut / "last.safetensors").read_bytes(), (whole / "last.safetensors").read_bytes())

    def refused(self, status, program, *arguments, says):
        result = programs.run(program, *arguments)
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertIn(says, result.stderr)

    def test_what_does_not_go_with_pairs_is_refused(self):
        run, train = self.runs[False], ["train", "--data", self.data, "--out", self.folder / "never"]
        self.refused(2, *train, "--model", "memory-network", says=f"{self.data} contains pairs of sentences with a "
                     "label. The models for this task are decomposable. memory-network answers questions about stories")
        self.refused(2, *train, "--tie", "all", says="decomposable has no embeddings of labels")
        self.refused(1, "answer", "--run", run, self.data / "task", "who?", says="trained for the task entailment and cannot answer questions")
        self.refused(1, "entail", "--run", run, "a | b", "c", says="the character | occurs in the premise")
        self.refused(1, "entail", "--run", run, "a", " ", says="the hypothesis side is empty")
        few = programs.write_lines(self.folder / "few.tsv", self.lines[:1])
        self.refused(2, "align", "--run", run, "--data", few, "--scores", says="not a softmax of scores")
        self.refused(2, "entail", "--run", run, "--run", run, "a red dog", "a dog", "--alignment", "plot", says="Give only one --run")
        self.refused(1, "align", "--run", run, "--data", few, "--intervene", "force", says="no attention that can be changed")


if __name__ == "__main__":
    unittest.main()
