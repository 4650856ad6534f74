"""Words that a run's vocabularies do not have are named, and text without spaces gets the hint that it needs."""

import unittest

import programs


class Notes(programs.WithRun):
    def test_words_that_the_vocabulary_does_not_have_are_named(self):
        def notes(text, *arguments):
            result = programs.run("translate", "--run", self.run_folder, *arguments, stdin=text)
            self.assertEqual(result.returncode, 0, result.stderr)
            return [line for line in result.stderr.splitlines() if not line.startswith(("softalign ", "warning: "))]
        self.assertEqual(notes("i see\n"), [])
        self.assertEqual(notes("i see zyzzyva\nflurb zyzzyva\n"), ["note: not in the vocabulary: zyzzyva, flurb"])
        many = " ".join(f"x{n}" for n in range(11))
        self.assertEqual(notes(many), ["note: not in the vocabulary: x0, x1, x2, x3, x4, x5, x6, x7 and 3 more"])
        self.assertEqual(len(notes("学习\n")), 1)
        whole = notes("我爱深度学习\n")
        self.assertIn("我爱深度学习 is one word of 6 characters", whole[1])
        self.assertIn("--tokenizer characters", whole[2])
        for program in ("align", "score", "evaluate"):
            pairs = programs.write_lines(self.folder / "unknown.tsv", ["i see zyzzyva\tje flurb"])
            result = programs.run(program, "--run", self.run_folder, "--data", pairs)
            self.assertIn("note: not in the vocabulary: zyzzyva\nnote: not in the target vocabulary: flurb\n", result.stderr)

    def test_words_in_messages_and_drawings_are_short(self):
        word = "x" * 100_000
        result = programs.run("translate", "--run", self.run_folder, "--alignment", "plot", stdin=f"i see {word}\n")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("note: not in the vocabulary: " + 40 * "x" + "…\n", result.stderr)
        self.assertLess(len(result.stderr), 1000)
        self.assertLess(len(result.stdout), 20_000)
        links = programs.write_lines(self.folder / "long.links", [word])
        pair = programs.write_lines(self.folder / "long.txt", ["a"])
        result = programs.run("align", "--run", self.run_folder, "--source", pair, "--target", pair, "--alignment", links)
        self.assertEqual(result.returncode, 1)
        self.assertIn('long.links:1: "' + 40 * "x" + '…" is not a link', result.stderr)
        self.assertLess(len(result.stderr), 1000)
        config = programs.write_lines(self.folder / "long.json", [f'{{"{word}": 1}}'])
        result = programs.run("train", "--config", config)
        self.assertEqual(result.returncode, 1)
        self.assertIn('no option "' + 40 * "x" + '…"', result.stderr)

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
