"""--replace-unknown replaces <unk> by the word with the largest attention weight; --lexicon translates this word."""

import json
import unittest

import programs


class UnknownWords(programs.WithRun):
    training = [*programs.STEEP, "--max-vocabulary", "12"]  # so that most words are unknown

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.test = cls.corpus / "valid.tsv"
        cls.sources = "".join(line.split("\t")[0] + "\n" for line in cls.test.read_text(encoding="utf-8").splitlines())
        cls.lexicon = cls.folder / "lexicon.tsv"
        programs.succeed("align", "--run", cls.run_folder, "--data", cls.test, "--lexicon", cls.lexicon)
        cls.entries = dict(line.split("\t")[:2] for line in cls.lexicon.read_text(encoding="utf-8").splitlines())

    def records(self, *arguments):
        out = programs.succeed("translate", "--run", self.run_folder, "--alignment", "jsonl", *arguments, stdin=self.sources)
        return [json.loads(line) for line in out.splitlines()]

    def check_replaced(self, found, lexicon):
        unknown = 0
        for before, after in zip(self.records(), found, strict=True):
            words = before["source_tokens"][:-1]
            self.assertEqual(before["matrix"], after["matrix"])
            for t, word in enumerate(before["target_tokens"]):
                weights = before["matrix"][t][:-1]
                if word == "<unk>":
                    looked = words[weights.index(max(weights))]
                    word = lexicon.get(looked, looked)
                    unknown += 1
                self.assertEqual(after["target_tokens"][t], word)
        self.assertGreater(unknown, 20)

    def test_copied(self):
        self.check_replaced(self.records("--replace-unknown"), {})

    def test_translated_by_the_lexicon(self):
        self.check_replaced(self.records("--replace-unknown", "--lexicon", self.lexicon), self.entries)
        written = programs.succeed("translate", "--run", self.run_folder, "--replace-unknown", stdin=self.sources)
        self.assertNotIn("<unk>", written)
        self.assertIn("<unk>", programs.succeed("translate", "--run", self.run_folder, stdin=self.sources))

    def test_a_note_says_that_nothing_was_replaced(self):
        note = "note: --replace-unknown replaced nothing, because the model wrote no <unk>"
        run = programs.train(self.corpus, self.folder / "all-known")  # its vocabulary has all words of its corpus

        def notes(run, text, *arguments):
            return programs.run("translate", "--run", run, *arguments, stdin=text).stderr

        self.assertIn(note, notes(run, "i see zyzzyva\n", "--replace-unknown"))
        self.assertNotIn(note, notes(run, "i see zyzzyva\n"))  # the option is not set
        self.assertNotIn(note, notes(run, "i see\n", "--replace-unknown"))  # there is nothing to replace
        self.assertNotIn(note, notes(self.run_folder, self.sources, "--replace-unknown"))  # the option replaces words

    def test_the_lexicon_counts_the_links(self):
        counts = {}
        for line in programs.succeed("align", "--run", self.run_folder, "--data", self.test).splitlines():
            record = json.loads(line)
            for s, t in record["links"]:
                pair = counts.setdefault(record["source_tokens"][s], {})
                pair[record["target_tokens"][t]] = pair.get(record["target_tokens"][t], 0) + 1
        lines = self.lexicon.read_text(encoding="utf-8").splitlines()
        self.assertEqual([line.split("\t")[0] for line in lines], sorted(counts, key=str.encode))
        for line in lines:
            source, target, probability = line.split("\t")
            best = max(counts[source].values())
            self.assertEqual(target, min((t for t, n in counts[source].items() if n == best), key=str.encode))
            self.assertAlmostEqual(float(probability), best / sum(counts[source].values()), delta=1e-6)

    def test_align_writes_both_files(self):
        out, lexicon = self.folder / "links", self.folder / "again.tsv"
        shown = programs.succeed("align", "--run", self.run_folder, "--data", self.test, "--format", "pharaoh", "--out", out,
                                 "--lexicon", lexicon)
        self.assertEqual(shown, "")
        self.assertEqual(len(out.read_text().splitlines()), 20)
        self.assertEqual(lexicon.read_bytes(), self.lexicon.read_bytes())

    def test_evaluate_scores_what_translate_writes(self):
        arguments = ["--replace-unknown", "--lexicon", self.lexicon]
        written = programs.succeed("translate", "--run", self.run_folder, "--tokenized", *arguments, stdin=self.sources)
        reference = programs.write_lines(self.folder / "reference", written.splitlines())
        evaluate = ["evaluate", "--run", self.run_folder, "--data", self.test, "--reference", reference, "--json"]
        self.assertAlmostEqual(json.loads(programs.succeed(*evaluate, *arguments))["all"]["bleu"], 100, delta=1e-9)
        self.assertLess(json.loads(programs.succeed(*evaluate))["all"]["bleu"], 90)

    def test_refused(self):
        for program in ["translate", "evaluate"]:
            command = [program, "--run", self.run_folder] + (["--data", self.test] if program == "evaluate" else [])
            self.refused(2, *command, "--lexicon", self.lexicon, says=["--lexicon", "--replace-unknown"])
            self.refused(1, *command, "--replace-unknown", "--lexicon", "nowhere", says=["nowhere", "No such file"])
            bad = programs.write_lines(self.folder / "bad.tsv", ["a\tb\t0.5", "a b"])
            self.refused(1, *command, "--replace-unknown", "--lexicon", bad, says=["bad.tsv:2: the line has 1 column"])
        blind = programs.train(self.corpus, self.folder / "blind", "--model", "encdec")
        self.refused(1, "translate", "--run", blind, "--replace-unknown", stdin="i see\n", says=["no attention"])
        self.refused(1, "align", "--run", blind, "--data", self.test, says=["no attention", "encdec"])


if __name__ == "__main__":
    unittest.main()
