"""links: compares its likelihoods and posteriors with a second implementation, and checks its files, rules and refusals."""

import json
import re
import sys
import tempfile
import unittest
from pathlib import Path

import programs

sys.path.insert(0, str(programs.PROJECT / "tests"))
import em_reference  # noqa: E402

PAIRS = [("the house", "la maison"), ("the house", "la maison"), ("the green house", "la maison verte"),
         ("green", "vert"), ("a green book", "un livre vert"), ("the book", "le livre"), ("books", "des livres"),
         ("a house", "une maison"), ("tom reads a book", "tom lit un livre"), ("tom sleeps", "tom dort"),
         ("the houses", "les maisons"), ("he reads", "il lit"), ("tom has books", "tom a des livres")]
CASES = {"maximum likelihood": ["--alpha", "0", "--prefix", "0", "--identity", "0"],
         "variational Bayes": ["--prefix", "0", "--identity", "0"],
         "each direction alone": ["--no-agreement"],
         "the defaults": [],
         "a prior that would underflow": ["--alpha", "0.0001"],
         "much from the empty word": ["--diagonal-p0", "0.4", "--jump-p0", "0.5"]}


class Links(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = Path(cls.temporary.name)
        cls.data = programs.write_lines(cls.folder / "pairs.tsv", ["\t".join(pair) for pair in PAIRS])

    def links(self, *arguments):
        result = programs.run("links", "--data", self.data, *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def test_pairs_may_come_from_a_pipe(self):
        text = self.data.read_text(encoding="utf-8")
        for more in ([], ["--lowercase"], ["--tokenizer", "none"]):
            piped = programs.run("links", "--data", "/dev/stdin", *more, stdin=text)
            self.assertEqual((piped.returncode, piped.stdout), (0, self.links(*more).stdout), piped.stderr)

    def test_a_large_corpus_shows_that_links_reads_and_writes(self):
        big, out = self.folder / "big.tsv", self.folder / "big.links"
        programs.write_lines(big, [f"{source} number {i % 90}\t{target} nombre {i % 90}" for i in range(2400) for source, target in PAIRS])
        result = programs.run("links", "--data", big, "--diagonal-rounds", "1", "--jump-rounds", "0", "--out", out)
        self.assertEqual(result.returncode, 0, result.stderr)
        # On a slow machine, links also shows how many pairs it has aligned.
        lines = [line for line in result.stderr.splitlines() if not re.match(r"softalign |[\d,]+ of 31,200 pairs aligned$", line)]
        self.assertEqual(lines[:2], [f"reading {big}", "31,200 pairs read"])
        self.assertIn("31,200 pairs. t|s: p(target | source); s|t: p(source | target)", lines)
        self.assertEqual(lines[-1], f"aligning 31,200 pairs into {out}")
        piped = programs.run("links", "--data", "/dev/stdin", stdin=self.data.read_text(encoding="utf-8")).stderr
        self.assertIn("\nreading /dev/stdin\n", f"\n{piped}")
        for silent in (self.links().stderr, self.links("--out", out).stderr):
            self.assertNotRegex(silent, "reading|aligning| read$")
        one = programs.run("links", "--data", self.data, "--align", programs.write_lines(self.folder / "one.tsv", ["the house\tla maison"]))
        self.assertEqual(one.returncode, 0, one.stderr)
        alone = programs.run("links", "--data", self.folder / "one.tsv").stderr
        self.assertIn("\n1 pair. t|s", alone)

    def rounds(self, stderr):
        """Returns the perplexities of both directions in each round."""
        rows = re.findall(r"^ +\d+ (?:diagonal|jumps) +([\d.]+) +([\d.]+) ", stderr, re.M)
        return [list(map(float, column)) for column in zip(*rows)]

    def reference(self, case, diagonal, jumps):
        """Returns both directions of the reference."""
        options = {name.strip("-").replace("-", "_"): float(value) for name, value in zip(case[::2], case[1::2])
                   if name != "--no-agreement"}
        pairs = [(source.split(), target.split()) for source, target in PAIRS]
        return em_reference.train(pairs, diagonal, jumps, agreement="--no-agreement" not in case, **options)

    # Chinese has time and place before the verb, English at the end. If EM trusts the diagonal from the start, the AER is
    # 15.2.
    def test_words_far_from_the_diagonal_are_found(self):
        corpus = programs.PROJECT / "data" / "zh-en"
        result = programs.run("links", "--data", corpus / "train.tsv", "--align", corpus / "test.tsv")
        aer = float(re.search(r"^agreement +([\d.]+)", result.stderr, re.M)[1])
        self.assertLess(aer, 12)

    # Dyer et al. 2013; Vogel et al. 1996; Liang et al. 2006
    def test_perplexities_are_those_of_enumerated_alignments(self):
        for name, case in CASES.items():
            shown = self.rounds(self.links("--diagonal-rounds", "9", "--jump-rounds", "3", *case).stderr)
            for direction, column in zip(self.reference(case, 9, 3), shown, strict=True):
                for one, other in zip(column, direction.perplexities, strict=True):
                    self.assertAlmostEqual(one, other, delta=2e-3, msg=f"{name}, {shown}")

    def check_rows(self, records, model, table_of):
        for k, (record, (source, target)) in enumerate(zip(programs.json_lines(records), PAIRS, strict=True)):
            _, rows, _ = em_reference.expect(model, table_of(k), source.split(), target.split())
            for found, row in zip(record["matrix"], rows, strict=True):
                for one, other in zip(found, row[1:] + row[:1], strict=True):  # the column of </s> has the empty word
                    self.assertAlmostEqual(one, other, delta=1e-5, msg=f"{source} {target}")

    def test_posteriors_and_table_are_those_of_enumerated_alignments(self):
        for diagonal, jumps, case in [(4, 0, []), (2, 2, []), (1, 2, CASES["much from the empty word"]),
                                      (2, 2, CASES["each direction alone"])]:
            table = self.folder / "table.tsv"
            records = self.folder / "records.jsonl"
            rounds = ["--diagonal-rounds", diagonal, "--jump-rounds", jumps, *case, "--format", "jsonl", "--out", records]
            self.links(*rounds, "--table", table)
            forward = self.reference(case, diagonal, jumps)[0]
            t = forward.t
            shown = {(f or None, e): float(p) for f, e, p in (line.split("\t") for line in table.read_text().splitlines())}
            self.assertGreater(len(shown), 15)
            for key, p in shown.items():
                self.assertAlmostEqual(p, t[key], delta=2e-6, msg=str(key))
            self.assertEqual(set(shown), {key for key, p in t.items() if p >= 0.001})
            # Pairs of the training file are aligned with the table of the other pairs. The same pairs in another file are
            # aligned with the complete table.
            self.check_rows(records, forward.last, lambda k: forward.table.without(forward.own[k]))
            self.links(*rounds, "--align", self.data)
            self.check_rows(records, forward.last, lambda k: {key: max(p, 1e-7) for key, p in t.items()})

    def test_rare_words_do_not_explain_their_neighbours(self):
        # In a hundred pairs, most words are rare.
        few = programs.write_lines(self.folder / "few.tsv", programs.short_pairs("test.tsv", 100, 99))
        shown = programs.succeed("links", "--data", few, "--out", self.folder / "few.links")
        aer = float(re.search(r"agreement +([\d.]+)", shown)[1])
        self.assertLess(aer, 17)

    def test_likelihood_rises_with_every_round(self):
        alone = ["--no-agreement"]  # with agreement, the likelihood of each direction need not rise
        some = (programs.TOY / "train.tsv").read_text(encoding="utf-8").splitlines()[:1500]
        toy = ["--data", programs.write_lines(self.folder / "some.tsv", some), "--out", self.folder / "out"]
        for data, case in [(["--data", self.data], CASES["maximum likelihood"]), (toy, []), (toy, ["--alpha", "0.001"]),
                           (toy, CASES["maximum likelihood"])]:
            result = programs.run("links", *data, "--diagonal-rounds", "6", "--jump-rounds", "6", *alone, *case)
            self.assertEqual(result.returncode, 0, result.stderr)
            for column in self.rounds(result.stderr):
                for prior in (column[:6], column[6:]):
                    self.assertEqual(prior, sorted(prior, reverse=True), case)
                    self.assertLess(prior[-1], prior[0])

    def test_any_number_of_threads_writes_the_same_bytes(self):
        outputs = set()
        for threads in ["1", "2", "3"]:
            out, table, lexicon = (self.folder / name for name in ["out", "table", "lexicon"])
            programs.succeed("links", "--data", programs.TOY / "valid.tsv", "--threads", threads, "--format", "jsonl", "--out", out,
                             "--table", table, "--lexicon", lexicon)
            outputs.add((out.read_bytes(), table.read_bytes(), lexicon.read_bytes()))
        self.assertEqual(len(outputs), 1)

    def test_a_corpus_with_gold_is_scored_by_every_rule(self):
        out = self.folder / "toy.links"
        shown = programs.succeed("links", "--data", programs.TOY / "train.tsv", "--align", programs.TOY / "test.tsv", "--out", out)
        self.assertEqual(shown.splitlines()[-1], "written: agreement")
        scores = {row[0]: list(map(float, row[1:])) for row in map(str.split, shown.splitlines()[1:-1])}
        self.assertEqual(list(scores), ["agreement", "forward", "backward", "intersection", "union", "grow-diag-final-and"])
        for name, (aer, precision, recall) in scores.items():
            self.assertTrue(aer < 12 and precision > 90 and recall > 80, f"{name} {scores[name]}")
        self.assertEqual(len(out.read_text().splitlines()), 500)
        self.assertGreaterEqual(scores["intersection"][1], scores["union"][1])

    def test_the_last_line_names_what_was_written(self):
        lines = programs.write_lines(self.folder / "gold.tsv", ["a b\tc d\t0-0 1-1"] * 3)
        for arguments, written in ((["--rule", "union"], "union"), (["--format", "soft"], "posteriors of the forward direction")):
            shown = programs.run("links", "--data", lines, *arguments).stderr
            self.assertEqual(shown.splitlines()[-1], f"written: {written}")
        self.assertNotIn("written", self.links().stderr)  # without gold links there is no table

    def test_records_have_the_links_of_the_forward_direction_and_a_note_says_so(self):
        note = "`links` has the links of --rule forward"
        for name, third in {"plain": "", "with gold": "\t0-0 1-1"}.items():
            data = programs.write_lines(self.folder / f"{name}.tsv", ["\t".join(pair) + third for pair in PAIRS if
                                                                     min(len(side.split()) for side in pair) > 1])
            records = self.folder / f"{name}.jsonl"

            def links(*arguments):
                return programs.run("links", "--data", data, *arguments)  # noqa: B023

            said = links("--out", records).stderr
            self.assertEqual(said.count(note), 1, said)
            self.assertEqual({record["mode"] for record in programs.json_lines(records)}, {"posterior"})
            by_rule = {"agreement": links("--threshold", "1"), "forward": links("--rule", "forward")}
            for rule, result in by_rule.items():
                self.assertNotIn(note, result.stderr, rule)
            converted = programs.succeed("convert", records, "--format", "pharaoh")
            self.assertEqual(converted, by_rule["forward"].stdout)
            self.assertNotEqual(converted, by_rule["agreement"].stdout)

    def test_words_that_nobody_has_seen(self):
        new = programs.write_lines(self.folder / "new.tsv", ["zork the house\tla maison zork", "zyx\tabc"])
        self.assertEqual(self.links("--align", new).stdout.splitlines()[0], "0-2 1-0 2-1")

    def test_links_over_the_words_of_the_lines_as_they_were_written(self):
        lines = programs.write_lines(self.folder / "written.tsv", ["The House.\tLa Maison."] * 3 + ["Yes.\tOui."] * 3)

        def links(*arguments):
            return programs.succeed("links", "--data", lines, *arguments).splitlines()[::3]

        tokens = self.folder / "tokens"
        self.assertEqual(links("--over", "tokens", "--tokens", tokens), ["0-0 1-1 2-2", "0-0 1-1"])
        self.assertEqual(tokens.read_text().splitlines()[::3], ["the house .\tla maison .", "yes .\toui ."])
        self.assertEqual(links("--over", "tokens", "--format", "tsv")[0], "the house .\tla maison .\t0-0 1-1 2-2")
        self.assertEqual(links(), ["0-0 1-1", "0-0"])
        self.assertEqual(links("--over", "original"), ["0-0 1-1", "0-0"])
        self.assertEqual(links("--over", "original", "--format", "tsv")[0], "The House.\tLa Maison.\t0-0 1-1")
        record = json.loads(links("--format", "jsonl")[0])
        self.assertEqual([record["source_line"][begin:end] for begin, end in record["source_spans"]], ["The", "House", "."])

    def test_a_no_break_space_joins_words_as_the_page_of_formats_says(self):
        page = (programs.PROJECT / "docs" / "formats.md").read_text(encoding="utf-8")
        split = re.search(r"so use\s+`(re\.split\(.*?\))`\.", page)[1]
        lines = ["attendez\u00a0! qui  est\u202flà ?", " wait\u00a0! who is there ?"]
        data = programs.write_lines(self.folder / "joined.tsv", ["\t".join(lines)])
        row = programs.succeed("links", "--data", data, "--format", "tsv").removesuffix("\n").split("\t")
        words = [eval(split, {"re": re, "line": line}) for line in lines]  # pylint: disable=eval-used
        self.assertEqual([column.split(" ") for column in row[:2]], words)
        self.assertEqual([len(side) for side in words], [4, 5])
        self.assertEqual([len(line.split()) for line in lines], [6, 6])
        links = [tuple(map(int, link.split("-"))) for link in row[2].split()]
        self.assertTrue(links and all(s < 4 and t < 5 for s, t in links), links)

    def test_gold_counts_words_of_which_the_tokeniser_drops_some(self):
        def scores(name, first, moved):
            lines = [f"{first}{source}\t{target}\t" + " ".join(f"{i + moved}-{i}" for i in range(2)) for source, target in
                     PAIRS if min(len(source.split()), len(target.split())) > 1]
            data = programs.write_lines(self.folder / name, lines)
            return programs.succeed("links", "--data", data, "--out", self.folder / "links.txt")

        plain = scores("plain.tsv", "", 0)
        self.assertIn("agreement", plain)
        self.assertEqual(scores("dropped.tsv", "\u200b ", 1), plain)

    def test_links_supervise_a_training_and_its_lexicon_is_read(self):
        folder = self.folder / "taught"
        folder.mkdir()
        for name in ["train", "valid"]:
            programs.write_lines(self.folder / f"{name}.tsv", ["\t".join(line.split("\t")[:2]) for line in programs.short_pairs(f"{name}.tsv", 90)])
            programs.succeed("links", "--data", self.folder / f"{name}.tsv", "--format", "tsv", "--out", folder / f"{name}.tsv",
                             "--lexicon", self.folder / "lexicon.tsv")
        run = programs.train(folder, self.folder / "run", "--guided-alignment", "0.1")
        programs.succeed("translate", "--run", run, "--replace-unknown", "--lexicon", self.folder / "lexicon.tsv", stdin="the cat\n")

    def test_a_pair_of_thousands_of_words_gets_no_links(self):
        """Time grows with the cube of the words of a pair, so an unsplit document would not end."""
        words = " ".join(f"w{i % 50}" for i in range(3200))
        path = programs.write_lines(self.folder / "document.tsv", ["a b\tx y", f"{words}\t{words}"])
        for arguments in (["--data", path], ["--data", self.data, "--align", path]):
            result = programs.run("links", *arguments, "--tokenizer", "none", "--threads", "1")
            self.assertEqual((result.returncode, result.stdout.count("\n"), result.stdout.splitlines()[1]), (0, 2, ""), result.stderr)
            self.assertIn("note: line 2: the pair gets no links, because it has 3200 times 3200 possible links and the limit is 10000000",
                          result.stderr)

    def test_wrong_usage(self):
        for arguments, status, text in [
                (["--format", "jsonl", "--rule", "union"], 2, "--format jsonl"), (["--over", "tokens"], 2, "--tokens FILE"),
                (["--rule", "mean"], 2, "mean"),
                (["--max-length", "2"], 0, "9 pairs (4 of more than 2 words left out)"), (["--align", "none.tsv"], 1, "none.tsv")]:
            data = [] if "--data" in arguments else ["--data", self.data]
            result = programs.run("links", *data, *arguments)
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertIn(text, result.stderr)
        long = programs.write_lines(self.folder / "long.tsv", ["a b c\td e f"])
        result = programs.run("links", "--data", long, "--max-length", "2")
        self.assertEqual(result.returncode, 1)
        self.assertIn("--max-length", result.stderr)


if __name__ == "__main__":
    unittest.main()
