"""A note names the words that are not in a run's vocabularies. Text without spaces gets a hint to another tokeniser."""

import re
import unittest

import programs


class Notes(programs.WithRun):
    def test_words_that_the_vocabulary_does_not_have_are_named(self):
        def notes(text, *arguments):
            result = programs.run("translate", "--run", self.run_folder, *arguments, stdin=text)
            self.assertEqual(result.returncode, 0, result.stderr)
            return [line for line in result.stderr.splitlines()
                    if not line.startswith(("softalign ", "warning: ")) and "cut at the length limit" not in line]
        self.assertEqual(notes("i see\n"), [])
        unknown = "note: \"{}\" is not in the vocabulary, so it cannot be translated correctly"
        self.assertEqual(notes("i see zyzzyva\nflurb zyzzyva\n"), [unknown.format("zyzzyva"), unknown.format("flurb")])
        self.assertEqual(notes("i see zyzzy've\n")[-1], unknown.format("'ve"))
        many = " ".join(f"x{n}" for n in range(11))
        self.assertEqual(notes(many), [unknown.format(f"x{n}") for n in range(8)] + ["note: 3 more words are not in the vocabulary"])
        self.assertEqual(notes(many.rsplit(" ", 2)[0])[8:], ["note: 1 more word is not in the vocabulary"])
        for typed, meant in (("see", ""), ("sse", "she or see"), ("I SEEE you", "see")):
            found = notes(typed + "\n")
            self.assertEqual([note.split("did you mean ")[1] for note in found], [meant + "?"] if meant else [], found)
        self.assertEqual(len(notes("学习\n")), 1)
        whole = notes("我爱深度学习\n")
        self.assertIn("reads 我爱深度学习 as one word of 6 characters", whole[1])
        self.assertIn("--tokenizer characters", whole[1])
        for program in ("align", "score", "evaluate"):  # these programs name the unknown words of both sides
            pairs = programs.write_lines(self.folder / "unknown.tsv", ["i see zyzzyva\tje flurb"])
            result = programs.run(program, "--run", self.run_folder, "--data", pairs)
            self.assertIn("note: these words are not in the vocabulary: zyzzyva\nnote: these words are not in the target vocabulary: flurb\n", result.stderr)

    def test_words_in_messages_and_drawings_are_short(self):
        word = "x" * 100_000
        result = programs.run("translate", "--run", self.run_folder, "--alignment", "plot", stdin=f"i see {word}\n")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("note: \"" + 40 * "x" + "…\" is not in the vocabulary", result.stderr)
        self.assertLess(len(result.stderr), 1000)
        self.assertLess(len(result.stdout), 20_000)
        links = programs.write_lines(self.folder / "long.links", [word])
        pair = programs.write_lines(self.folder / "long.txt", ["a"])
        result = programs.run("align", "--run", self.run_folder, "--source", pair, "--target", pair, "--alignment", links)
        self.assertEqual(result.returncode, 1)
        self.assertIn('this line is text, "' + 40 * "x" + '…", but gold links such as 0-0 1-2 are expected. A file of links', result.stderr)
        self.assertLess(len(result.stderr), 1000)
        config = programs.write_lines(self.folder / "long.json", [f'{{"{word}": 1}}'])
        result = programs.run("train", "--config", config)
        self.assertEqual(result.returncode, 1)
        self.assertIn('no option "' + 40 * "x" + '…"', result.stderr)

    def test_a_training_that_cannot_learn_says_so(self):
        train = programs.write_lines(self.folder / "known.tsv", ["a b\tc d"] * 20)
        valid = programs.write_lines(self.folder / "other.tsv", ["x y\tz w"])
        def notes(*arguments):
            result = programs.run("train", "--train", train, "--epochs", "1", *programs.TINY, "--force", "--out", self.folder / "un", *arguments)
            self.assertEqual(result.returncode, 0, result.stderr)
            return [line for line in result.stderr.splitlines() if line.startswith("note: ") and not re.search("training loss|validation pairs", line)]
        self.assertEqual(notes("--valid", train), [])
        self.assertEqual([note.split(" are not")[0] for note in notes("--valid", valid)],
                         ["note: all of the 2 source words to validate", "note: all of the 2 target words to validate"])
        self.assertEqual([note.split(" are not")[0] for note in notes("--valid", train, "--min-count", "100")],
                         [f"note: all of the 40 {side} words to {what}" for what in ("train on", "validate") for side in ("source", "target")])

    def test_text_that_is_cut_into_subwords_is_noticed(self):
        for marked, says in (("lo@@ w", "note: 40 of some 180 words end in @@"), ("\u2581low", "note: 40 of some 140 words begin with \u2581")):
            data = programs.write_lines(self.folder / "cut.tsv", [f"a {marked} b\tc d e"] * 20 + [f"a {marked} b\tc"] * 20)
            train = ["train", "--train", data, "--valid", data, "--epochs", "1", *programs.TINY, "--force", "--out", self.folder / "cut"]
            for command in (train, ["links", "--data", data]):
                self.assertIn(says.split(" of some")[0] + " of some", programs.run(*command).stderr)
        self.assertNotIn("note: ", programs.run("links", "--data", self.corpus / "train.tsv").stderr)

    def test_tokenizer_characters(self):
        corpus = self.folder / "chinese"
        corpus.mkdir()
        for name in ("train.tsv", "valid.tsv"):
            programs.write_lines(corpus / name, ["我爱你。\ti love you .", "他爱我。\the loves me .", "你好\thello"] * 8)
        run = programs.train(corpus, self.folder / "characters", "--tokenizer", "characters")
        words = (run / "source.vocab").read_text(encoding="utf-8").split()
        self.assertLessEqual({"我", "爱", "你", "。"}, set(words))
        self.assertNotIn("note:", programs.run("translate", "--run", run, stdin="你爱我。他好\n").stderr)


if __name__ == "__main__":
    unittest.main()
