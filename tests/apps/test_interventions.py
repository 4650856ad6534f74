"""align --intervene shows what changes if one step attends elsewhere or writes another word."""

import json
import unittest

import programs


class Interventions(programs.WithRun):
    training = ["--lr", "0.02"]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pairs = programs.short_pairs("valid.tsv", 4)
        cls.data = programs.write_lines(cls.folder / "few.tsv", cls.pairs)
        cls.out = cls.folder / "interventions.jsonl"
        programs.succeed("align", "--run", cls.run_folder, "--data", cls.data, "--intervene", "all", "--out", cls.out)
        cls.records = programs.json_lines(cls.out)

    def intervene(self, *arguments):
        text = programs.succeed("align", "--run", self.run_folder, "--data", self.data, *arguments)
        return [json.loads(line) for line in text.splitlines()]

    def of_sentence(self, number):
        """Returns the record without an intervention, and the other records."""
        alone, *changed = [record for record in self.records if record["id"] == number]
        self.assertEqual(alone["intervention"], {"kind": "none"})
        return alone, changed

    def assert_rows_equal(self, ours, theirs):
        for a, b in zip(ours, theirs, strict=True):
            for x, y in zip(a, b, strict=True):
                self.assertAlmostEqual(x, y, delta=2e-6)

    def test_every_kind_at_every_step(self):
        for number in range(len(self.pairs)):
            alone, changed = self.of_sentence(number)
            kinds = [(record["intervention"]["step"], record["intervention"]["kind"]) for record in changed]
            steps = range(len(alone["matrix"]))
            self.assertEqual(kinds, [(t, kind) for t in steps for kind in ("force", "ablate", "shuffle", "word")])
            self.assertTrue(all(record["mode"] == "greedy" and "gold" not in record for record in [alone, *changed]))

    def test_the_record_without_intervention_has_scores_if_requested(self):
        self.assertFalse(any("scores" in record for record in self.records))
        records = self.intervene("--intervene", "force", "--scores")
        for record in records:
            self.assertEqual("scores" in record, record["intervention"]["kind"] == "none")
        alone = [record for record in records if "scores" in record]
        self.assertEqual(len(alone), len(self.pairs))
        for record in alone:
            self.assert_rows_equal(programs.softmax(record["scores"]), record["matrix"])
            self.assertEqual([len(record["norms"][key]) for key in ("source", "context")],
                             [len(record["source_tokens"]), len(record["target_tokens"])])

    def test_left_unchanged_it_writes_what_translate_writes(self):
        sources = "".join(line.split("\t")[0] + "\n" for line in self.pairs)
        written = programs.succeed("translate", "--run", self.run_folder, "--tokenized", stdin=sources).splitlines()
        self.assertEqual([self.of_sentence(i)[0]["target_sent"] for i in range(len(self.pairs))], written)

    def test_each_changes_what_it_says_and_nothing_before(self):
        differ = 0
        for number in range(len(self.pairs)):
            alone, changed = self.of_sentence(number)
            for record in changed:
                change = record["intervention"]
                t, row, own = change["step"], record["matrix"][change["step"]], alone["matrix"][change["step"]]
                self.assertEqual(record["target_tokens"][:t], alone["target_tokens"][:t])
                self.assert_rows_equal(record["matrix"][:t], alone["matrix"][:t])
                if change["kind"] == "force":
                    self.assertEqual(row, [int(s == change["source"]) for s in range(len(row))])
                    # This position has the second largest weight.
                    self.assertEqual(sum(w > own[change["source"]] for w in own), 1)
                if change["kind"] == "ablate":
                    self.assertEqual(row[change["source"]], 0)
                    self.assertEqual(own[change["source"]], max(own))
                if change["kind"] == "shuffle":
                    self.assert_rows_equal([sorted(row)], [sorted(own)])
                if change["kind"] == "word":
                    self.assertEqual(change["word"], record["target_tokens"][t])
                    self.assertNotEqual(change["word"], alone["target_tokens"][t])
                    self.assert_rows_equal([row], [own])
                differ += record["target_tokens"] != alone["target_tokens"]
        self.assertGreater(differ, len(self.pairs))

    def test_a_step_a_word_and_what_is_written_can_be_chosen(self):
        records = self.intervene("--intervene", "ablate", "--step", "2", "--on", "1")
        self.assertEqual([r["intervention"] for r in records], len(self.pairs) * [{"kind": "none"}, {"step": 1, "kind": "ablate", "source": 0}])
        word = self.pairs[0].split("\t")[1].split()[0]
        records = self.intervene("--intervene", "word", "--step", "1", "--write", word)
        self.assertEqual([r["target_tokens"][0] for r in records[1::2]], len(self.pairs) * [word])

    def test_same_seed_same_bytes(self):
        text = self.out.read_text(encoding="utf-8")
        arguments = ["align", "--run", self.run_folder, "--data", self.data, "--intervene", "all"]
        self.assertEqual(programs.succeed(*arguments), text)
        self.assertNotEqual(programs.succeed(*arguments, "--seed", "2"), text)

    def test_refusals(self):
        align = ["align", "--run", self.run_folder, "--data", self.data]
        self.refused(2, *align, "--step", "2", says=["Add --intervene force"])
        self.refused(2, *align, "--intervene", "shuffle", "--on", "1", says=["--on has an effect only with"])
        self.refused(2, *align, "--intervene", "force", "--write", "x", says=["--write has an effect only with"])
        self.refused(2, *align, "--intervene", "force", "--format", "pharaoh", says=["jsonl"])
        self.refused(2, *align, "--run", self.run_folder, "--intervene", "force", says=["one --run"])
        self.refused(1, *align, "--intervene", "word", "--write", "xyzzy", says=["xyzzy", "is not in the vocabulary"])
        self.refused(1, *align, "--intervene", "force", "--step", "99", says=["--step 99", "steps"])
        self.refused(1, *align, "--intervene", "force", "--on", "99", says=["--on 99", "words"])
        encdec = programs.train(self.corpus, self.folder / "encdec", "--model", "encdec")
        self.refused(1, "align", "--run", encdec, "--data", self.data, "--intervene", "all", says=["no attention"])


if __name__ == "__main__":
    unittest.main()
