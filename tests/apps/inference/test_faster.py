"""translate --int8 and --shortlist give the same translations, except for rounding errors and missing words."""

import json
import unittest

import programs


class Faster(programs.WithRun):
    training = programs.STEEP

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        train = cls.corpus / "train.tsv"
        cls.table = cls.folder / "table.tsv"
        programs.succeed("links", "--data", train, "--table", cls.table, "--out", cls.folder / "links")
        cls.sources = "".join(line.split("\t")[0] + "\n" for line in train.read_text(encoding="utf-8").splitlines())

    def translate(self, *arguments, run=None, text=None):
        return programs.succeed("translate", "--run", run or self.run_folder, "--threads", "1", *arguments,
                                stdin=self.sources if text is None else text).splitlines()

    def most_alike(self, a, b):
        self.assertEqual(len(a), len(b))
        self.assertGreater(sum(x == y for x, y in zip(a, b)), .8 * len(a))

    def test_int8_changes_scores_and_few_words(self):
        plain, rounded = self.translate(), self.translate("--int8")
        self.most_alike(plain, rounded)
        scored = [self.translate("--beam", "2", "--n-best", "2", *more, text="i see the cat\n") for more in ([], ["--int8"])]
        self.assertNotEqual(scored[0], scored[1])
        for a, b in zip(*scored):
            self.assertAlmostEqual(float(a.split(" ||| ")[2]), float(b.split(" ||| ")[2]), delta=.1)

    def test_int8_is_the_same_in_any_batch(self):
        self.assertEqual(self.translate("--int8", "--batch", "1"), self.translate("--int8"))
        self.assertEqual(self.translate("--int8", "--beam", "3", "--batch", "1"), self.translate("--int8", "--beam", "3"))

    def test_a_shortlist_of_all_words_changes_nothing(self):
        # The corpus has about 100 frequent words.
        run = programs.train(self.corpus, self.folder / "few", *self.training, "--max-vocabulary", "90")
        self.assertEqual(self.translate("--beam", "3", "--shortlist", self.table, run=run), self.translate("--beam", "3", run=run))

    def test_only_words_of_the_list_are_written_with_all_of_the_probability(self):
        vocabulary = (self.run_folder / "target.vocab").read_text(encoding="utf-8").splitlines()
        self.assertGreater(len(vocabulary), 200)
        likely = [line.split("\t")[:2] for line in self.table.read_text(encoding="utf-8").splitlines()]
        records = [[json.loads(line) for line in self.translate("--alignment", "jsonl", *more)] for more in
                   ([], ["--shortlist", self.table])]
        higher = 0
        for plain, record in zip(*records, strict=True):
            allowed = {*vocabulary[:104], *(target for word, target in likely if word in ["", *record["source_tokens"]])}
            self.assertLessEqual(set(record["target_tokens"]), allowed)
            if record["target_tokens"] == plain["target_tokens"]:
                self.assertGreater(sum(record["logprob"]), sum(plain["logprob"]))
                higher += 1
        self.assertGreater(higher, 50)

    def test_both_with_an_ensemble_and_records(self):
        lines = self.translate("--run", self.run_folder, "--int8", "--shortlist", self.table, "--alignment", "jsonl")
        self.assertEqual(len(lines), self.sources.count("\n"))

    def test_pieces_have_a_shortlist_from_words(self):
        pieces = programs.train(self.corpus, self.folder / "pieces", *programs.STEEP, "--tokenizer", "sentencepiece", "--subwords", "80")
        self.most_alike(self.translate(run=pieces), self.translate("--shortlist", self.table, run=pieces))

    def test_refused(self):
        command = ["translate", "--run", self.run_folder]
        self.refused(2, *command, "--shortlist", self.table, "--sample", "1", says=["--shortlist", "--sample"])
        self.refused(1, *command, "--shortlist", "nowhere", says=["nowhere", "No such file"])
        bad = programs.write_lines(self.folder / "bad.tsv", ["a\tb\t0.5", "a b"])
        self.refused(1, *command, "--shortlist", bad, says=["bad.tsv:2: the line has 1 column"])
        other = programs.write_lines(self.folder / "other.tsv", ["xyzzy\tplugh\t0.5"])
        self.refused(1, *command, "--shortlist", other, says=["other.tsv", "links"])
        texts = self.folder / "texts"
        texts.mkdir()
        for name in ["train.txt", "valid.txt"]:
            programs.write_lines(texts / name, self.sources.splitlines()[:40])
        model = self.folder / "lm"
        programs.succeed("train", "--task", "language-model", "--data", texts, "--out", model, "--epochs", "1", *programs.TINY)
        self.refused(2, "translate", "--run", model, "--shortlist", self.table, says=["--shortlist", "language model"])


if __name__ == "__main__":
    unittest.main()
