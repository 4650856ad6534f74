"""A model of several layers and heads: records have every head of every kind, and evaluate prints the AER of each head."""

import json
import unittest

import programs

KINDS = ["cross", "encoder-self", "decoder-self"]


class Heads(programs.WithRun):
    training = ["--model", "transformer", "--layers", "2", "--heads", "2", "--feed-forward", "16", "--lr", "0.01"]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pairs = programs.short_pairs("test.tsv", 6)
        cls.test = programs.write_lines(cls.folder / "test.tsv", cls.pairs)

    def align(self, *arguments):
        return programs.succeed("align", "--run", self.run_folder, "--data", self.test, *arguments)

    def records(self):
        return [json.loads(line) for line in self.align().splitlines()]

    def translate(self, *arguments, stdin="i love you\n"):
        found = programs.succeed("translate", "--run", self.run_folder, "--alignment", "jsonl", *arguments, stdin=stdin)
        return [json.loads(line) for line in found.splitlines()]

    def sampled(self):
        return self.translate("--sample", "20", "--temperature", "5", stdin="i love you\n" * 3)

    def check_heads(self, record):
        S, T = len(record["source_tokens"]), len(record["target_tokens"])
        places = [(head["kind"], head["layer"], head["head"]) for head in record["heads"]]
        self.assertEqual(places, [(kind, layer, head) for kind in KINDS for layer in (0, 1) for head in (0, 1)])
        for head in record["heads"]:
            rows, columns = {"cross": (T, S), "encoder-self": (S, S), "decoder-self": (T, T)}[head["kind"]]
            self.assertEqual([len(row) for row in head["matrix"]], [columns] * rows)
            for i, row in enumerate(head["matrix"]):
                self.assertAlmostEqual(sum(row), 1, delta=1e-4)
                if head["kind"] == "decoder-self":
                    self.assertEqual(row[i + 1:], [0] * (T - i - 1))

    def check_softmax(self, head):
        for weights, expected in zip(head["matrix"], programs.softmax(head["scores"]), strict=True):
            for a, b in zip(weights, expected, strict=True):
                self.assertAlmostEqual(a, b, delta=1e-4)

    @staticmethod
    def distance_to_mean(record):
        """Returns the largest difference between the matrix and the mean of the cross-attention heads."""
        of_source = [head["matrix"] for head in record["heads"] if head["kind"] == "cross"]
        return max(abs(weight - sum(matrix[t][s] for matrix in of_source) / len(of_source))
                   for t, row in enumerate(record["matrix"]) for s, weight in enumerate(row))

    def test_records_hold_every_head(self):
        for record in self.records():
            self.check_heads(record)

    def test_alignments_are_by_norms_or_by_the_mean_of_the_weights(self):
        for record in self.records():
            self.assertGreater(self.distance_to_mean(record), 0.01)
        by_weights = programs.train(self.corpus, self.folder / "weights", *self.training, "--alignment-by", "weights")
        out = programs.succeed("align", "--run", by_weights, "--data", self.test)
        for record, by_norms in zip(map(json.loads, out.splitlines()), self.records(), strict=True):
            self.assertLess(self.distance_to_mean(record), 1e-5)
            self.assertEqual(record["heads"], by_norms["heads"])

    def test_stored_history_of_a_training_holds_every_head(self):
        history = programs.json_lines(self.run_folder / "history.jsonl")
        self.assertTrue(history)
        for record in history:
            self.check_heads(record)

    def test_searched_and_sampled_translations_hold_every_head(self):
        for record in self.translate("--beam", "3", "--n-best", "2"):
            self.check_heads(record)
        sampled = self.sampled()
        self.assertTrue(any(record["target_tokens"][-1] != "</s>" for record in sampled))
        for record in sampled:
            self.check_heads(record)

    def test_a_translation_has_the_self_attention_of_its_own_pair(self):
        found = next(record for record in self.sampled()
                     if record["target_tokens"][-1] == "</s>" and len(record["target_tokens"]) > 2)
        pair = f"{' '.join(found['source_tokens'][:-1])}\t{' '.join(found['target_tokens'][:-1])}"
        again = programs.succeed("align", "--run", self.run_folder, "--data", programs.write_lines(self.folder / "own.tsv", [pair]))
        for ours, theirs in zip(found["heads"], json.loads(again)["heads"], strict=True):
            for a, b in zip(ours["matrix"], theirs["matrix"]):
                for x, y in zip(a, b):
                    self.assertAlmostEqual(x, y, delta=1e-5)

    def test_scores_are_of_the_heads_of_cross_attention(self):
        for record in map(json.loads, self.align("--scores").splitlines()):
            self.check_heads(record)
            for head in record["heads"]:
                self.assertEqual("scores" in head, head["kind"] == "cross")
                if "scores" in head:
                    self.check_softmax(head)

    def test_scores_are_of_the_only_head_where_the_matrix_is_by_norms(self):
        run = programs.train(self.corpus, self.folder / "single", "--model", "transformer", "--layers", "1", "--heads", "1")
        for record in map(json.loads, programs.succeed("align", "--run", run, "--data", self.test, "--scores").splitlines()):
            self.assertNotIn("scores", record)
            self.assertNotIn("norms", record)
            self.check_softmax(record["heads"][0])

    def test_the_aer_of_each_head_is_that_of_its_own_links(self):
        score = json.loads(programs.succeed("evaluate", "--run", self.run_folder, "--data", self.test, "--json"))
        self.assertEqual([(head["layer"], head["head"]) for head in score["by_head"]], [(0, 0), (0, 1), (1, 0), (1, 1)])
        records = self.records()
        for place, of_head in enumerate(score["by_head"]):
            found = sure = hits = 0
            for record in records:
                gold = {kind: set(map(tuple, record["gold"][kind])) for kind in ("sure", "possible")}
                matrix, words = record["heads"][place]["matrix"][:-1], len(record["source_tokens"]) - 1
                links = {(row.index(max(row)), t) for t, row in enumerate(matrix)}
                links = {(s, t) for s, t in links if s < words}
                found, sure = found + len(links), sure + len(gold["sure"])
                hits += len(links & gold["sure"]) + len(links & (gold["sure"] | gold["possible"]))
            self.assertAlmostEqual(of_head["aer"], 1 - hits / (found + sure), delta=1e-9)
        table = programs.succeed("evaluate", "--run", self.run_folder, "--data", self.test, "--details")
        shown = [line.split()[2:] for line in table.splitlines() if line.startswith("  layer ")]
        aer = [f"{100 * head['aer']:.1f}" for head in score["by_head"]]
        self.assertEqual(shown, [aer[:2], aer[2:]])


if __name__ == "__main__":
    unittest.main()
