"""translate writes one line per input line, whatever the line. It also writes n-best lists and alignments."""

import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import beam_scores
import programs

LINES = ["i see the cat", "", "the red car .", "   ", "xyzzy plugh", "i love you", "a", "\u3000", "do you see it ?"]


def words_of_tokens(line, spans):
    """Returns the number of the word, between spaces and tabs, that contains each token."""
    places = [found.span() for found in re.finditer(r"[^ \t]+", line)]
    return [next(n for n, (begin, end) in enumerate(places) if begin <= first and last <= end) for first, last in spans]


class Translate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        folder = Path(cls.temporary.name)
        cls.corpus = programs.tiny_corpus(folder / "corpus")
        cls.run_folder = programs.train(cls.corpus, folder / "run", *programs.STEEP)
        cls.second = programs.train(cls.corpus, folder / "second", "--lr", "0.02", "--seed", "2", "--model", "luong")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def translate(self, text, *arguments, **more):
        return programs.succeed("translate", "--run", self.run_folder, *arguments, stdin=text, **more)

    def test_a_line_that_cannot_be_translated_does_not_lose_those_behind_it(self):
        bad = [b"i " * 600, b"\xff", b"a\0b", b"i\rsee", b"\xe9t\xe9 " * 3]
        says = ["2: the line has 600 words", "4: the line is not valid UTF-8", "6: the line has a NUL byte",
                "8: the line contains a carriage return", "10: the line is not valid UTF-8", "5 of 12 lines could not"]
        good = [b"i see", b"", b"we see the car", b"i love you", b"it rains", b"i see"]
        lines = [line for pair in zip(good, bad + [b"we see"]) for line in pair]
        expected = self.translate(b"\n".join(b"" if line in bad else line for line in lines) + b"\n")
        for options in ([], ["--batch", "1"], ["--batch", "5"]):
            result = programs.run("translate", "--run", self.run_folder, *options, stdin=b"\n".join(lines) + b"\n")
            self.assertEqual((result.returncode, result.stdout), (1, expected))
            for words in says:
                self.assertIn(words if words.startswith("5 of") else f"standard input:{words}", result.stderr)
            self.assertEqual(result.stderr.count("error: "), 1)
        printed = programs.run("translate", "--run", self.run_folder, "--alignment", "jsonl", stdin=b"\n".join(lines) + b"\n")
        records = [json.loads(line) for line in printed.stdout.splitlines()]
        self.assertEqual([record["id"] for record in records], list(range(12)))
        self.assertEqual([record["id"] for record in records if record["matrix"] == []], [1, 2, 3, 5, 7, 9])

    def test_messages_about_many_lines_are_bounded(self):
        result = programs.run("translate", "--run", self.run_folder, stdin=b"\xff\n" * 1000 + b"i see\n")
        self.assertEqual((result.returncode, result.stdout), (1, "\n" * 1000 + self.translate("i see\n")))
        self.assertEqual(result.stderr.count("standard input:"), 8)
        self.assertIn("standard input:8: the line is not valid", result.stderr)
        self.assertIn("1000 of 1001 lines could not be translated (the first are named above)", result.stderr)

    def test_translations_that_were_cut_are_counted(self):
        records = [json.loads(line) for line in self.translate("\n".join(LINES) + "\n", "--alignment", "jsonl").splitlines()]
        for options, lines in ([], LINES), (["--sample", "20", "--temperature", "5"], LINES):
            printed = programs.run("translate", "--run", self.run_folder, "--alignment", "jsonl", *options, stdin="\n".join(lines) + "\n")
            records = [json.loads(line) for line in printed.stdout.splitlines()]
            cut = sum(bool(record["target_tokens"]) and not record["eos"]["target"] for record in records)
            if cut > 0:
                self.assertRegex(printed.stderr, f"note: {cut} translations? (was|were) cut at the length limit")
            else:
                self.assertNotIn("cut", printed.stderr)
        self.assertGreater(cut, 0)

    def test_a_tab_in_a_line_is_noticed(self):
        result = programs.run("translate", "--run", self.run_folder, stdin="i see\ni see\tje vois\n")
        self.assertEqual((result.returncode, result.stdout.count("\n")), (0, 2))
        self.assertIn("note: 1 line contains a tab and was read as one sentence. If this is a TSV file", result.stderr)
        self.assertNotIn("tab", programs.run("translate", "--run", self.run_folder, stdin="i see\n").stderr)

    def test_words_without_quotes_are_noticed(self):
        hint = 'note: these are 3 sentences of one word each. Put one sentence in quotes: "i see it"'
        for sentences, noticed in [(["i", "see", "it"], True), (["i see it"], False), (["i", "see it"], False), (["i"], False)]:
            with self.subTest(sentences=sentences):
                result = programs.run("translate", "--run", self.run_folder, *sentences)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(len(result.stdout.splitlines()), len(sentences))
                self.assertEqual(hint in result.stderr, noticed, result.stderr)

    def test_drawings_are_counted(self):
        for out, says in [("own.svg", "own.svg has 2 drawings. Open it in a browser\n"),
                          ("own/", "own/ has 2 drawings. Open the files in a browser\n")]:
            result = programs.run("translate", "--run", self.run_folder, "--out", f"{self.temporary.name}/{out}", stdin="i see it\nthe cat\n")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(says, result.stderr)

    def test_one_line_out_for_each_line_in(self):
        out = self.translate("\n".join(LINES) + "\n")
        self.assertEqual(out.count("\n"), len(LINES))
        for source, target in zip(LINES, out.split("\n")):
            if not source.strip():
                self.assertEqual(target, "")

    def test_order_does_not_depend_on_the_batch(self):
        text = "\n".join(LINES * 5) + "\n"
        together, alone = self.translate(text), self.translate(text, "--batch", "1")
        self.assertEqual(together, alone)
        self.assertEqual(together, "".join(self.translate(line + "\n") for line in LINES) * 5)

    def test_ends_of_lines_and_of_the_input(self):
        expected = self.translate("i see\n\ni love you\n")
        self.assertEqual(self.translate("i see\n\ni love you"), expected)
        self.assertEqual(self.translate("\ufeffi see\r\n\r\ni love you\r\n"), expected)
        self.assertEqual(self.translate(""), "")
        self.assertEqual(self.translate("\n"), "\n")

    def test_each_line_is_answered_before_the_next_is_read(self):
        with subprocess.Popen([programs.BUILD / "translate", "--run", self.run_folder], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            for _ in range(3):
                process.stdin.write(b"i love you\n")
                process.stdin.flush()
                # If the program waited for more lines, this would hang and time out.
                self.assertTrue(process.stdout.readline().endswith(b"\n"))
            process.stdin.close()
            self.assertEqual(process.stdout.read(), b"")

    def test_tokenised_by_the_run(self):
        self.assertEqual(self.translate("I LOVE you.\n"), self.translate("i love you .\n"))
        tokens = self.translate("i love you\n", "--tokenized").split()
        vocabulary = (self.run_folder / "target.vocab").read_text(encoding="utf-8").splitlines()
        self.assertTrue(tokens)
        self.assertLessEqual(set(tokens), set(vocabulary))

    def test_n_best(self):
        lines = self.translate("i see the cat\n\nthe car\n", "--beam", "4", "--n-best", "3").splitlines()
        self.assertEqual(lines[3], "1 |||  ||| 0")
        del lines[3]
        fields = [line.split(" ||| ") for line in lines]
        self.assertEqual([int(f[0]) for f in fields], [0, 0, 0, 2, 2, 2])
        for group in (fields[:3], fields[3:]):
            scores = [float(f[2]) for f in group]
            self.assertEqual(scores, sorted(scores, reverse=True))
            self.assertEqual(len({f[1] for f in group}), 3)
        best = self.translate("i see the cat\n", "--beam", "4").strip()
        self.assertEqual(fields[0][1], best)

    def test_a_beam_finds_what_the_model_likes_better(self):
        test = programs.write_lines(Path(self.temporary.name) / "test.tsv", programs.short_pairs("test.tsv", 60))
        found = beam_scores.compare(self.run_folder, test, 5)
        self.assertEqual(found["sentences"], 60)
        self.assertGreaterEqual(found["beam"], found["greedy"])
        self.assertGreater(found["higher"], found["lower"])

    def test_samples_depend_on_the_seed_and_the_line_alone(self):
        text = "\n".join(LINES) + "\n"
        three = self.translate(text, "--sample", "3")
        spoken = [number for number, line in enumerate(LINES) if line.strip()]
        fields = [line.split(" ||| ") for line in three.splitlines()]
        self.assertEqual([f for f in fields if int(f[0]) not in spoken], [[f"{n}", "", "0"] for n in range(len(LINES)) for _ in range(3) if n not in spoken])
        fields = [f for f in fields if int(f[0]) in spoken]
        self.assertEqual([int(f[0]) for f in fields], [n for n in spoken for _ in range(3)])
        self.assertGreater(len({f[1] for f in fields}), len(spoken))
        for more in (["--batch", "1"], ["--batch", "2"], ["--threads", "2"]):
            self.assertEqual(self.translate(text, "--sample", "3", *more), three)
        self.assertNotEqual(self.translate(text, "--sample", "3", "--seed", "2"), three)
        one = self.translate(text, "--sample", "1").splitlines()  # plain output has the first of the three samples
        self.assertEqual([line for line in one if line.strip()], [f[1].strip() for f in fields[::3]])
        self.assertEqual(self.translate(text, "--sample", "2", "--top-k", "1", "--tokenized"),
                         "".join(self.twice(n, self.translate(LINES[n] + "\n", "--alignment", "jsonl"))
                                 if n in spoken else f"{n} |||  ||| 0\n" * 2 for n in range(len(LINES))))

    @staticmethod
    def twice(number, record):
        record = json.loads(record)
        return f"{number} ||| {record['target_sent']} ||| {record['total_logprob']:.6g}\n" * 2

    def test_every_way_of_decoding_has_its_record(self):
        both = ["--run", self.second]
        for mode, ranks, arguments in (
                ("greedy", 1, []), ("beam", 1, ["--beam", "3"]), ("beam", 3, ["--beam", "4", "--n-best", "3"]),
                ("beam", 2, ["--beam", "4", "--n-best", "2", "--normalisation", "wu", "--coverage-penalty", "0.2"]),
                ("sampled", 1, ["--sample", "1"]), ("sampled", 4, ["--sample", "4", "--temperature", "0.8"]),
                ("ensemble", 1, both), ("ensemble", 2, [*both, "--beam", "3", "--n-best", "2"]),
                ("ensemble", 3, [*both, "--sample", "3"])):
            with self.subTest(mode=mode, arguments=arguments):
                lines = self.translate("i see the cat\nthe car\n", "--alignment", "jsonl", *arguments).splitlines()
                records = [json.loads(line) for line in lines]
                self.assertEqual([r["id"] for r in records], [0] * ranks + [1] * ranks)
                self.assertEqual([r["rank"] for r in records], [*range(ranks)] * 2)
                for record in records:
                    self.assertEqual(record["mode"], mode)
                    self.assertAlmostEqual(record["total_logprob"], sum(record["logprob"]), delta=1e-4)
                    self.assertEqual(len(record["matrix"]), len(record["target_tokens"]))
                    for row in record["matrix"]:
                        self.assertEqual(len(row), len(record["source_tokens"]))
                        self.assertAlmostEqual(sum(row), 1, delta=1e-5)

    def test_records_have_the_attention_of_each_head(self):
        run = programs.train(self.corpus, Path(self.temporary.name) / "heads", "--attention", "qkv", "--heads", "2")
        for arguments in ([], ["--beam", "3", "--n-best", "2"], ["--sample", "2"]):
            lines = programs.succeed("translate", "--run", run, "--alignment", "jsonl", *arguments, stdin="i see it\n")
            for record in map(json.loads, lines.splitlines()):
                self.assertEqual([(h["layer"], h["head"], h["kind"]) for h in record["heads"]],
                                 [(0, 0, "cross"), (0, 1, "cross")])
                one, two = (h["matrix"] for h in record["heads"])
                self.assertNotEqual(one, two)
                for row, a, b in zip(record["matrix"], one, two):
                    for weight, x, y in zip(row, a, b):
                        self.assertAlmostEqual(weight, (x + y) / 2, delta=3e-6)

    def test_ensemble_of_a_run_and_itself(self):
        arguments = ["--beam", "3", "--alignment", "jsonl"]
        text = "i see the cat\nthe red car\n"
        alone = [json.loads(line) for line in self.translate(text, *arguments).splitlines()]
        twice = [json.loads(line) for line in self.translate(text, "--run", self.run_folder, *arguments).splitlines()]
        for one, two in zip(alone, twice):
            self.assertEqual(one["target_sent"], two["target_sent"])
            self.assertAlmostEqual(one["total_logprob"], two["total_logprob"], delta=1e-4)

    def test_runs_of_other_words_are_no_ensemble(self):
        folder = Path(self.temporary.name)
        other = programs.train(self.corpus, folder / "other", "--min-count", "3")
        cased = programs.train(self.corpus, folder / "cased", "--no-lowercase")
        pieces = [programs.train(self.corpus, folder / f"pieces{seed}", "--tokenizer", "sentencepiece",
                                 "--subwords", "120", "--seed", seed) for seed in ("1", "2")]
        together = ["translate", "--run", pieces[0], "--run", pieces[1]]
        self.assertEqual(programs.succeed(*together, stdin="i see\n").count("\n"), 1)
        model = pieces[1] / "target.spm"
        model.write_bytes(model.read_bytes() + b"\xc0\x3e\x01")  # a field that SentencePiece does not know
        result = programs.run(*together, stdin="i see\n")
        self.assertEqual(result.returncode, 1)
        self.assertIn("target subwords differ", result.stderr)
        for run, says in ((other, "source vocabularies differ"), (cased, "converts text to lower case"), (pieces[0], "tokenisers")):
            result = programs.run("translate", "--run", self.run_folder, "--run", run, stdin="i see\n")
            self.assertEqual(result.returncode, 1)
            for text in (str(self.run_folder), str(run), says):
                self.assertIn(text, result.stderr)

    def test_a_model_without_attention_translates_and_shows_none(self):
        run = programs.train(self.corpus, Path(self.temporary.name) / "encdec", "--model", "encdec")
        self.assertEqual(programs.succeed("translate", "--run", run, stdin="i see\n").count("\n"), 1)
        for option, value in (("--alignment", "plot"), ("--alignment", "hard"), ("--alignment", "soft"),
                              ("--alignment", "jsonl"), ("--coverage-penalty", "0.1")):
            result = programs.run("translate", "--run", run, option, value, stdin="i see\n")
            self.assertEqual(result.returncode, 1)
            self.assertIn("no attention", result.stderr)
        # An ensemble shows the attention of those members that have attention.
        ensemble = json.loads(self.translate("i see\n", "--run", run, "--alignment", "jsonl"))
        self.assertEqual(len(ensemble["matrix"]), len(ensemble["target_tokens"]))

    def test_a_person_is_prompted_and_answered(self):
        ours, theirs = programs.open_terminal()
        with subprocess.Popen([programs.BUILD / "translate", "--run", self.run_folder, "--alignment", "plot",
                               "--max-length", "9"], stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**os.environ, "COLUMNS": "100"}) as process:
            os.close(theirs)
            self.assertEqual(self.read_until(process.stderr, b"> ")[-2:], b"> ")
            os.write(ours, b"i love you\n")
            answer = self.read_until(process.stderr, b"> ")  # the prompt follows the translation
            self.assertEqual(answer, b"> ")
            os.write(ours, b"cat " * 10 + b"\n")
            self.assertIn(b"10 words", self.read_until(process.stderr, b"> "))
            os.write(ours, b"caf\xe9\n")
            self.assertIn(b"not valid UTF-8", self.read_until(process.stderr, b"> "))
            os.write(ours, b"\x04")  # Ctrl-D
            out, rest = process.communicate(timeout=60)
            self.assertEqual(rest, b"\n")
            self.assertEqual(process.returncode, 0)
        os.close(ours)
        self.assertEqual(out.decode(), self.translate("i love you\n", "--alignment", "plot"))

    @staticmethod
    def read_until(stream, end):
        text = b""
        while not text.endswith(end):
            byte = stream.read1(1)
            assert byte, text
            text += byte
        return text

    def test_alignment_records(self):
        lines = self.translate("i see the cat\n\nxyzzy\n", "--alignment", "jsonl").split("\n")
        self.assertEqual((len(lines), lines[3]), (4, ""))
        blank = json.loads(lines[1])
        self.assertEqual((blank["id"], blank["source_tokens"], blank["target_tokens"], blank["matrix"], blank["links"]), (1, [], [], [], []))
        for number, line in ((0, lines[0]), (2, lines[2])):
            record = json.loads(line)
            self.assertEqual((record["id"], record["mode"], record["rank"]), (number, "greedy", 0))
            self.assertNotIn("gold", {k for k, v in record.items() if v is not None})
            self.assertEqual(len(record["matrix"]), len(record["target_tokens"]))
            for row in record["matrix"]:
                self.assertEqual(len(row), len(record["source_tokens"]))
                self.assertAlmostEqual(sum(row), 1, delta=1e-5)

    def test_marian_alignments_count_words_of_the_lines(self):
        """Links of the record are converted to links between the words of the lines. Weights of a source word's tokens are
        added, and weights of a target word's tokens are averaged. The sentence is the one that is printed without
        --alignment."""
        text = "I don't see the car, really.\nit's the\t red  car\nthe man isn't here\n"
        plain = self.translate(text).splitlines()
        hard = self.translate(text, "--alignment", "hard").splitlines()
        soft = self.translate(text, "--alignment", "soft").splitlines()
        records = [json.loads(line) for line in self.translate(text, "--alignment", "jsonl").splitlines()]
        self.assertTrue(any(len(line.split()) < len(r["source_tokens"]) - 1 for line, r in zip(text.splitlines(), records)))
        for number, (source, record) in enumerate(zip(text.splitlines(), records, strict=True)):
            word = {"source": words_of_tokens(source, record["source_spans"]),
                    "target": words_of_tokens(plain[number], record["target_spans"])}
            sentence, links = hard[number].split(" ||| ")
            self.assertEqual(sentence, plain[number])
            expected = sorted({(word["source"][s], word["target"][t]) for s, t in record["links"]})
            self.assertEqual(links, " ".join(f"{s}-{t}" for s, t in expected))
            sentence, steps = soft[number].split(" ||| ")
            self.assertEqual(sentence, plain[number])
            matrix = [[float(weight) for weight in step.split(",")] for step in steps.split(" ")]
            columns = word["source"] + [len(source.split())]
            rows = word["target"] + [len(sentence.split())] * record["eos"]["target"]
            self.assertEqual((len(matrix), len(matrix[0])), (rows[-1] + 1, columns[-1] + 1))
            for t, row in enumerate(matrix):
                mine = [whole for whole, at in zip(record["matrix"], rows) if at == t]
                for s, weight in enumerate(row):
                    whole = sum(w for step in mine for w, at in zip(step, columns) if at == s) / len(mine)
                    self.assertAlmostEqual(weight, whole, delta=1e-5)

    def test_marian_alignments_over_tokens_come_with_the_tokens(self):
        text = "I don't see the car.\n\nit's the car\n"
        records = [json.loads(line) for line in self.translate(text, "--alignment", "jsonl").splitlines()]
        with tempfile.TemporaryDirectory() as folder:
            tokens = Path(folder) / "tokens"
            hard = self.translate(text, "--alignment", "hard", "--over", "tokens", "--tokens", tokens).splitlines()
            self.assertEqual(tokens.read_text(encoding="utf-8").splitlines(), [f"{r['source_sent']}\t{r['target_sent']}" for r in records])
            self.assertEqual(hard, [f"{r['target_sent']} ||| " + " ".join(f"{s}-{t}" for s, t in sorted(r["links"])) for r in records])
        for arguments, says in [(["--alignment", "hard", "--over", "tokens"], "Add --tokens FILE"), (["--over", "tokens"], "Add --alignment"),
                                (["--alignment", "soft", "--tokens", "x"], "--tokens FILE needs --over tokens")]:
            result = programs.run("translate", "--run", self.run_folder, *arguments, stdin=text)
            self.assertEqual((result.returncode, result.stdout), (2, ""), arguments)
            self.assertIn(says, " ".join(result.stderr.split()))

    def test_records_over_words(self):
        text = "I don't see the car.\n"
        [record] = [json.loads(line) for line in self.translate(text, "--alignment", "jsonl", "--over", "words").splitlines()]
        self.assertEqual(record["source_tokens"], [*text.split(), "</s>"])
        self.assertEqual(record["target_sent"], self.translate(text).strip())
        soft = self.translate(text, "--alignment", "soft").strip().split(" ||| ")[1]
        for step, row in zip(soft.split(), record["matrix"], strict=True):
            for a, b in zip(step.split(","), row, strict=True):
                self.assertAlmostEqual(float(a), b, delta=2e-6)

    def test_a_blank_line_is_answered_in_every_form(self):
        text = "i love you\n \nthe car\n"
        for arguments, blank in [([], ""), (["--alignment", "hard"], " ||| "), (["--alignment", "soft"], " ||| "), (["--tokenized"], ""),
                                 (["--beam", "2", "--n-best", "2"], "1 |||  ||| 0"), (["--sample", "3"], "1 |||  ||| 0"),
                                 (["--beam", "2", "--n-best", "2", "--alignment", "hard"], "1 |||  |||  ||| 0")]:
            lines = self.translate(text, *arguments).splitlines()
            self.assertEqual(lines[len(lines) // 2], blank, arguments)
            self.assertEqual(len(lines) % 2, 1)

    def test_plot_has_colours_only_where_they_are_wanted(self):
        plain = self.translate("i love you\n", "--alignment", "plot")
        self.assertNotIn("\x1b", plain)  # standard output is a pipe
        self.assertIn("love", plain)
        for depth, code in (("truecolor", "48;2;"), ("", "48;5;")):
            coloured = self.translate("i love you\n", "--alignment", "plot", "--color", "always",
                                      environment={"COLORTERM": depth})
            self.assertIn(code, coloured)
            self.assertEqual(re.sub(r"\x1b\[[0-9;]*m", "", coloured), plain)


if __name__ == "__main__":
    unittest.main()
