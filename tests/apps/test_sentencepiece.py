"""--tokenizer sentencepiece: models work on subwords, but everything that a user sees is in words. Records merge subwords as
documented."""

import json
import shutil
import subprocess
import sys
import unittest

import programs

START = "\u2581"  # marks the first subword of a word


class SentencePiece(programs.WithRun):
    training = ["--tokenizer", "sentencepiece", "--subwords", "90", *programs.STEEP]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.test = cls.corpus / "valid.tsv"
        cls.pairs = [line.split("\t") for line in cls.test.read_text(encoding="utf-8").splitlines()]
        cls.words = cls.align()
        cls.pieces = cls.align("--subwords")

    @classmethod
    def align(cls, *arguments):
        out = programs.succeed("align", "--run", cls.run_folder, "--data", cls.test, *arguments)
        return [json.loads(line) for line in out.splitlines()]

    def evaluate(self, *arguments):
        return json.loads(programs.succeed("evaluate", "--run", self.run_folder, "--data", self.test, "--json", *arguments))

    def test_run_folder(self):
        for side in ["source", "target"]:
            self.assertTrue((self.run_folder / f"{side}.spm").exists())
            vocabulary = (self.run_folder / f"{side}.vocab").read_text(encoding="utf-8").splitlines()
            self.assertEqual(vocabulary[:4], ["<pad>", "<unk>", "<s>", "</s>"])
            self.assertLessEqual(len(vocabulary), 91)  # 90 subwords and our <pad>
            self.assertTrue(any(piece.startswith(START) for piece in vocabulary))
        config = json.loads((self.run_folder / "config.json").read_text())
        self.assertEqual((config["tokenizer"], config["subwords"], config["subword-model"]), ("sentencepiece", 90, "unigram"))

    def test_the_same_seed_gives_the_same_bytes(self):
        again = programs.train(self.corpus, self.folder / "again", *self.training)
        for name in ["source.spm", "target.spm", "source.vocab", "target.vocab", "model.safetensors", "history.jsonl"]:
            self.assertEqual((again / name).read_bytes(), (self.run_folder / name).read_bytes(), name)

    def test_records_are_in_words(self):
        for record, (source, target, gold, *_) in zip(self.words, self.pairs, strict=True):
            self.assertEqual(record["source_tokens"], source.split() + ["</s>"])
            self.assertEqual(record["target_tokens"], target.split() + ["</s>"])
            self.assertEqual(len(record["gold"]["sure"]) + len(record["gold"]["possible"]), len(gold.split()))

    def test_words_are_merged_from_pieces_by_the_rules(self):
        split = 0
        for words, pieces in zip(self.words, self.pieces, strict=True):
            word_of = {}
            for side in ["source", "target"]:
                tokens = pieces[f"{side}_tokens"]
                begins = [token.startswith(START) or token == "</s>" for token in tokens]
                word_of[side] = [sum(begins[:i + 1]) - 1 for i in range(len(tokens))]
                self.assertEqual("".join(tokens[:-1]).replace(START, " ").split(), words[f"{side}_tokens"][:-1])
                split += len(tokens) - len(words[f"{side}_tokens"])
            rows, columns = len(words["matrix"]), len(words["matrix"][0])
            for t in range(rows):
                mine = [i for i, word in enumerate(word_of["target"]) if word == t]
                self.assertAlmostEqual(words["logprob"][t], sum(pieces["logprob"][i] for i in mine), delta=1e-5)
                for s in range(columns):
                    sums = [sum(w for w, word in zip(pieces["matrix"][i], word_of["source"]) if word == s) for i in mine]
                    self.assertAlmostEqual(words["matrix"][t][s], sum(sums) / len(sums), delta=1e-5)
            for kind in ["sure", "possible"]:
                expanded = [[i, j] for i, s in enumerate(word_of["source"]) for j, t in enumerate(word_of["target"])
                            if [s, t] in words["gold"][kind]]
                self.assertEqual(pieces["gold"][kind], expanded)
        self.assertGreater(split, 50)

    def aer(self, records):
        scorer = programs.PROJECT / "tests" / "data" / "metrics" / "score_aer.py"
        lines = []
        for record in records:
            gold = [f"{s}-{t}" for s, t in record["gold"]["sure"]] + [f"{s}?{t}" for s, t in record["gold"]["possible"]]
            lines.append(" ".join(f"{s}-{t}" for s, t in record["links"]) + "\t" + " ".join(gold))
        found = programs.write_lines(self.folder / "found", lines)
        scored = subprocess.run([sys.executable, scorer, found], capture_output=True, text=True, check=True).stdout
        return float(scored.split()[0])

    def test_aer_at_both_levels_by_an_independent_scorer(self):
        scores = self.evaluate()["all"]
        self.assertAlmostEqual(scores["alignment"]["aer"], self.aer(self.words), delta=1e-9)
        self.assertAlmostEqual(scores["alignment_of_pieces"]["aer"], self.aer(self.pieces), delta=1e-9)
        self.assertNotEqual(scores["alignment"], scores["alignment_of_pieces"])
        self.assertEqual(scores["target_tokens"], sum(len(record["target_tokens"]) for record in self.pieces))
        table = programs.succeed("evaluate", "--run", self.run_folder, "--data", self.test, "--details")
        self.assertIn(f"links between subwords have AER {100 * scores['alignment_of_pieces']['aer']:.1f}", table)

    def test_translations_are_words(self):
        lines = programs.succeed("translate", "--run", self.run_folder, stdin="I SEE the cat\n\nxyzzy 日本\n").split("\n")
        self.assertEqual((len(lines), lines[1]), (4, ""))
        self.assertNotIn(START, "".join(lines))
        out = programs.succeed("translate", "--run", self.run_folder, "--alignment", "jsonl", stdin="I SEE the cat\n")
        record = json.loads(out)
        self.assertEqual(record["source_tokens"], ["i", "see", "the", "cat", "</s>"])
        self.assertEqual(record["target_sent"], lines[0])
        written = programs.write_lines(self.folder / "reference", [
            programs.succeed("translate", "--run", self.run_folder, stdin=source + "\n").rstrip("\n") for source, *_ in self.pairs])
        self.assertEqual(self.evaluate("--reference", written)["all"]["exact_match"], 100)
        self.assertLess(self.evaluate()["all"]["exact_match"], 100)

    def test_scores_are_those_of_the_pieces(self):
        scored = programs.succeed("score", "--run", self.run_folder, "--data", self.test).splitlines()
        for line, record in zip(scored, self.pieces, strict=True):
            self.assertAlmostEqual(float(line.split("\t")[0]), sum(record["logprob"]), delta=1e-4)

    def test_guided_by_links_between_pieces_with_one_model_for_both_sides(self):
        out = programs.train(self.corpus, self.folder / "guided", *self.training, "--guided-alignment", "1", "--tie", "all",
                             "--subword-model", "bpe")
        self.assertEqual((out / "source.spm").read_bytes(), (out / "target.spm").read_bytes())
        self.assertEqual((out / "source.vocab").read_bytes(), (out / "target.vocab").read_bytes())

    def test_resuming_reads_the_pieces(self):
        short = self.folder / "short"
        programs.succeed("train", "--data", self.corpus, "--out", short, *programs.TINY, *self.training, "--epochs", "1")
        whole = programs.train(self.corpus, self.folder / "whole", *self.training)  # two epochs
        before = (short / "source.spm").read_bytes()
        programs.succeed("train", "--resume", "--out", short, "--epochs", "2")
        self.assertEqual((short / "source.spm").read_bytes(), before)
        self.assertEqual((short / "source.vocab").read_bytes(), (whole / "source.vocab").read_bytes())

    def test_damaged_missing_and_foreign_models(self):
        other = programs.train(self.corpus, self.folder / "other", "--tokenizer", "sentencepiece", "--subwords", "80")
        for side in ["source", "target"]:
            for change, says in [(lambda file: file.write_bytes(b"damaged"), ["not a SentencePiece model"]),
                                 (lambda file: file.unlink(), ["No such file"]),
                                 (lambda file: shutil.copy(other / file.name, file), [f"{side}.vocab", "belong to different runs"])]:
                copy = self.folder / "copy"
                shutil.copytree(self.run_folder, copy)
                change(copy / f"{side}.spm")
                self.refused(1, "translate", "--run", copy, says=[f"copy/{side}.spm", *says])
                shutil.rmtree(copy)

    def test_a_word_of_very_many_subwords_is_refused(self):
        """--max-length counts words, so a word of any length would be allowed. The cost of attention grows with the square
        of the number of its subwords."""
        self.refused(1, "translate", "--run", self.run_folder, stdin="i love you\n" + "ae" * 20000 + "\n",
                     says=["standard input:2: 1 word with ", "at most 800 are translated"])
        pairs = programs.write_lines(self.folder / "long.tsv", ["i love you\tje t' aime", "a\t" + "ae" * 20000])
        for program in ["align", "score", "evaluate"]:
            self.refused(1, program, "--run", self.run_folder, "--data", pairs,
                         says=["line 2 of the pairs: the target has 1 word with ", "at most 800"])

    def test_bad_options(self):
        never = self.folder / "never"
        train = ["train", "--data", self.corpus, "--out", never, *programs.TINY, "--tokenizer", "sentencepiece"]
        self.refused(1, *train, "--subwords", "12", says=["12: so many subwords cannot be learned from 96 sentences:"])
        self.assertFalse(never.exists())
        self.refused(2, *train, "--subwords", "0", says=["--subwords"])
        self.refused(2, *train, "--subwords", "many", says=["--subwords"])
        self.refused(2, *train, "--subword-model", "word", says=["--subword-model", "unigram", "bpe"])
        words = programs.train(self.corpus, self.folder / "words")
        self.refused(2, "align", "--run", words, "--data", self.test, "--subwords", says=["--subwords", "has no subwords"])


if __name__ == "__main__":
    unittest.main()
