"""align writes valid records of the sentences that evaluate scores. An independent scorer computes the same figures from the
records."""

import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import programs


def glued(tokens):
    """Joins tokens to words as a person writes them, without spaces before clitics and punctuation. Returns the text and the
    word of each token."""
    words, word = [], []
    for i, token in enumerate(tokens):
        to_last = i > 0 and (token in ".,?!" or re.match(r"-\w|'\w|n't$", token) or re.match(r"\w+'$", tokens[i - 1]))
        words[-1:] = [words[-1] + token] if to_last else words[-1:] + [token]
        word.append(len(words) - 1)
    return words, word


class LinksOfAFile(unittest.TestCase):
    """evaluate --links scores the links of any aligner, without a run."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        # There are |A| = 4 links and |S| = 3 sure ones; |A n S| = 2 and |A n P| = 3.
        self.links = self.write("links.txt", "0-0 1-1 1-2", "1-0")
        self.gold = self.write("gold.txt", "0-0 1-1 1?2", "0-1")
        self.figures = {"pairs": 2, "pairs_with_gold": 2, "links": 4, "sure_links": 3, "aer": 1 - 5 / 7, "precision": 3 / 4, "recall": 2 / 3}

    def write(self, name, *lines):
        return programs.write_lines(self.folder / name, lines)

    def scores(self, *arguments):
        return json.loads(programs.succeed("evaluate", "--links", *arguments, "--json"))

    def refused(self, status, *arguments, says):
        result = programs.run("evaluate", *arguments)
        self.assertEqual(result.returncode, status, result.stderr)
        for text in says:
            self.assertIn(text, result.stderr)

    def test_figures_by_hand(self):
        found = self.scores(self.links, "--gold", self.gold)
        self.assertEqual(list(found), list(self.figures))
        for name, value in self.figures.items():
            self.assertAlmostEqual(found[name], value, msg=name)
        shown = programs.succeed("evaluate", "--links", self.links, "--gold", self.gold)
        self.assertRegex(shown, r"\A2 pairs\nAER +28\.6 .*\nprecision +75\.0 .*; links: 4\nrecall +66\.7 .*; sure links: 3\n\Z")
        none = self.write("none.txt", "", "")
        self.assertEqual([self.scores(none, "--gold", self.gold)[name] for name in ("aer", "precision", "recall")], [1, None, 0])

    def test_gold_comes_from_the_texts_too(self):
        pairs = self.write("pairs.tsv", "a b\tc d e\t0-0 1-1 1?2", "a b\tc d\t0-1")
        source, target = self.write("a.txt", "a b", "a b"), self.write("b.txt", "c d e", "c d")
        texts = ["--source", source, "--target", target]
        for arguments in (["--data", pairs], ["--data", pairs, "--gold", self.gold], [*texts, "--gold", self.gold],
                          [*texts, "--alignment", self.gold]):
            self.assertEqual(self.scores(self.links, *arguments), self.scores(self.links, "--gold", self.gold))
        tsv = self.write("links.tsv", "a b\tc d e\t0-0 1-1 1-2", "a b\tc d\t1-0")  # this format has the words of both sides
        # Marian's format has the words of the target.
        hard = self.write("links.hard", "c d e ||| 0-0 1-1 1-2 2-3", "c d ||| 1-0 2-2")
        for links, more in ((tsv, ["--gold", self.gold]), (tsv, ["--data", pairs]), (hard, ["--data", pairs])):
            self.assertEqual(self.scores(links, *more), self.scores(self.links, "--gold", self.gold))
        self.refused(2, "--links", hard, "--gold", self.gold, says=["the format hard does not contain all words", "--data FILE"])

    def test_gold_in_other_formats(self):
        texts = ["--source", self.write("gold.en", "a b", "a b"), "--target", self.write("gold.fr", "c d e", "c d")]
        naacl = self.write("gold.naacl", "1 1 1 S", "1 2 2 S", "1 2 3 P", "2 1 2 S")
        corpus = self.write("gold.tsv", "a b\tc d e\t0-0 1-1 1?2", "a b\tc d\t0-1")
        for gold, more in ((naacl, []), (naacl, texts), (corpus, []), (corpus, texts)):
            result = programs.run("evaluate", "--links", self.links, "--gold", gold, *more, "--json")
            self.assertEqual((json.loads(result.stdout), "note" in result.stderr), (self.scores(self.links, "--gold", self.gold), False), result.stderr)
        # Formats without possible links: all links are sure.
        sure = self.scores(self.links, "--gold", self.write("sure.txt", "0-0 1-1 1-2", "0-1"))
        for gold, more in ((self.write("gold.hard", "c d e ||| 0-0 1-1 1-2 2-3", "c d ||| 0-1 2-2"), texts),
                           (self.write("gold.fairseq", "A-0\t0-0 1-1 1-2", "A-1\t0-1"), texts)):
            self.assertEqual(self.scores(self.links, "--gold", gold, *more), sure)
        part = programs.run("evaluate", "--links", self.links, "--gold", self.write("part.naacl", "1 1 1 S"), "--json")
        self.assertEqual(json.loads(part.stdout)["pairs_with_gold"], 1)
        self.refused(2, "--links", self.links, "--gold", gold, says=["gold.fairseq: the format fairseq does not contain all words", "--data FILE"])
        near = self.write("near.links", "0-0", "0-0")
        self.refused(1, "--links", near, "--gold", naacl, *self.shorter(), says=["gold.naacl:3: the link has word 3 of the target, which has 2 words"])
        self.refused(1, "--links", self.write("one.links", "0-0"), "--gold", corpus, says=["gold.tsv: the file has 2 pairs, but", "1 alignment"])
        self.refused(1, "--links", near, "--gold", corpus, *self.shorter(), says=["gold.tsv: pair 1 has 2 source and 3 target words, but in", "it has 2 and 2"])

    def shorter(self):
        return ["--data", self.write("shorter.tsv", "a b\tc d", "a b\tc d")]

    def test_links_of_the_programs(self):
        data, out = programs.TOY / "test.tsv", self.folder / "out.pharaoh"
        few = self.write("few.tsv", *data.read_text(encoding="utf-8").splitlines()[:60])
        table = programs.succeed("links", "--data", few, "--out", out)
        found = self.scores(out, "--data", few)
        row = next(line for line in table.splitlines() if line.startswith("agreement"))
        self.assertEqual(row.split()[1:], [f"{100 * found[name]:.1f}" for name in ("aer", "precision", "recall")])

    def test_base_of_counting_is_0_or_1(self):
        ones = self.write("ones.txt", "1-1 2-2 2?3", "1-2")
        self.assertEqual(self.scores(self.links, "--gold", ones, "--one-based"), self.scores(self.links, "--gold", self.gold))
        result = programs.run("evaluate", "--links", self.links, "--gold", ones)
        self.assertIn("ones.txt: none of the 4 links contains word 0 of either side. If the file counts words from 1, add --one-based", result.stderr)
        result = programs.run("evaluate", "--links", ones, "--gold", self.gold)
        self.assertIn("ones.txt: no link contains the first word of one side, so the file may count words from 1", result.stderr)
        self.refused(1, "--links", self.links, "--gold", self.gold, "--one-based",
                     says=["gold.txt:1: link 0-0: words count from 1. The file counts from 0, so remove --one-based"])

    def test_wrong_input_is_named_with_its_line(self):
        short, word = self.write("short.txt", "0-0"), self.write("word.txt", "0-0", "0-x")
        texts = ["--data", self.write("short.tsv", "a b\tc d e", "a\tc d")]
        self.refused(1, "--links", self.links, "--gold", short, says=["short.txt: the file has 1 line, but", "2 alignments"])
        self.refused(1, "--links", short, "--gold", self.gold, *texts, says=["short.txt: the file has 1 alignments for 2 sentence pairs"])
        self.refused(1, "--links", word, "--gold", self.gold, says=['word.txt:2: "0-x" is not a link'])
        self.refused(1, "--links", self.links, "--gold", word, says=['word.txt:2: "0-x" is not a link'])
        self.refused(1, "--links", self.links, "--gold", self.gold, *texts, says=["links.txt:2: link 1-0: the source has 1 word"])
        far = self.write("far.txt", "0-0", "0-2")
        self.refused(1, "--links", self.write("near.txt", "0-0", "0-0"), "--gold", far, *texts, says=["far.txt:2: link 0-2: the target has 2 words"])
        other = self.write("other.tsv", "a b\tc d e\t0-0", "a b\tc d\t0-0")
        self.refused(1, "--links", other, "--gold", self.gold, *texts, says=["alignment 2 has 2 source and 2 target words, but the pair has 1 and 2"])

    def test_pairs_without_gold_are_left_out(self):
        result = programs.run("evaluate", "--links", self.links, "--gold", self.write("part.txt", "0-0 1-1 1?2", ""), "--json")
        self.assertIn("note: 1 of 2 pairs have no gold links", result.stderr)
        self.assertEqual(json.loads(result.stdout)["pairs_with_gold"], 1)
        self.refused(1, "--links", self.links, "--gold", self.write("empty.txt", "", ""), says=["no gold links to compare with"])

    def test_options_that_contradict(self):
        links = ["--links", self.links, "--gold", self.gold]
        for option in (["--run", "runs/demo"], ["--beam", "5"], ["--details"], ["--rule", "product"], ["--reference", "a.txt"],
                       ["--replace-unknown"], ["--alignment-by", "decoder"], ["--bucket", "5"]):
            self.refused(2, *links, *option, says=[f"{option[0]} has no effect with --links"])
        self.assertEqual(self.scores(self.links, "--gold", self.gold, "--seed", "2", "--threads", "1"), self.scores(*links[1:]))
        self.refused(2, "--run", "runs/demo", "--gold", self.gold, says=["--gold has an effect only with --links"])
        self.refused(2, "--data", "a.tsv", says=["--run is required", "--links FILE --gold FILE"])
        self.refused(2, *links, "--alignment", self.gold, says=["Remove one of them"])


class AlignAndEvaluate(programs.WithRun):
    training = programs.STEEP

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pairs = programs.short_pairs("test.tsv", 40)
        cls.test = programs.write_lines(cls.folder / "test.tsv", cls.pairs)
        cls.out = cls.folder / "alignments.jsonl"
        programs.succeed("align", "--run", cls.run_folder, "--data", cls.test, "--out", cls.out)
        cls.records = programs.json_lines(cls.out)
        cls.scores = cls.evaluate()

    @classmethod
    def evaluate(cls, *arguments):
        return json.loads(programs.succeed("evaluate", "--run", cls.run_folder, "--data", cls.test, "--json", *arguments))

    def align(self, *arguments):
        return programs.succeed("align", "--run", self.run_folder, *arguments)

    def test_one_valid_record_per_pair(self):
        self.assertEqual(len(self.records), len(self.pairs))
        for number, (record, line) in enumerate(zip(self.records, self.pairs)):
            source, target, gold, *_ = line.split("\t")
            self.assertEqual((record["schema"], record["id"], record["mode"]), ("softalign/1", number, "forced"))
            self.assertEqual(record["source_tokens"], source.split() + ["</s>"])  # the record has no padding
            self.assertEqual(record["target_tokens"], target.split() + ["</s>"])
            self.assertEqual(len(record["matrix"]), len(target.split()) + 1)
            for row, entropy in zip(record["matrix"], record["entropy"]):
                self.assertEqual(len(row), len(source.split()) + 1)
                self.assertAlmostEqual(sum(row), 1, delta=1e-5)
                self.assertTrue(all(weight >= 0 for weight in row))
                self.assertAlmostEqual(entropy, -sum(w * math.log(w) for w in row if w > 0), delta=1e-3)
            links = [f"{s}-{t}" for s, t in record["gold"]["sure"]] + [f"{s}?{t}" for s, t in record["gold"]["possible"]]
            self.assertEqual(set(links), set(gold.split()))

    def test_links_are_argmax_without_end_of_sentence(self):
        for record in self.records:
            words = len(record["source_tokens"]) - 1
            best = [row.index(max(row)) for row in record["matrix"][:-1]]
            self.assertEqual({tuple(link) for link in record["links"]}, {(s, t) for t, s in enumerate(best) if s < words})

    def test_a_sentence_has_the_same_matrix_alone(self):
        for number in (0, 7, 23):
            alone = programs.write_lines(self.folder / "alone.tsv", [self.pairs[number]])
            record = json.loads(self.align("--data", alone))
            for ours, theirs in zip(record["matrix"], self.records[number]["matrix"]):
                for a, b in zip(ours, theirs):
                    self.assertAlmostEqual(a, b, delta=1e-5)

    def test_standard_output_has_the_same_bytes_as_the_file(self):
        self.assertEqual(self.align("--data", self.test), self.out.read_text(encoding="utf-8"))

    def test_formats(self):
        def links(record):
            return " ".join(f"{s}-{t}" for s, t in sorted(record["links"]))

        pharaoh = self.align("--data", self.test, "--format", "pharaoh").splitlines()
        self.assertEqual(pharaoh, [links(record) for record in self.records])
        hard = self.align("--data", self.test, "--format", "hard").splitlines()
        self.assertEqual(hard, [f"{record['target_sent']} ||| {links(record)}" for record in self.records])
        soft = self.align("--data", self.test, "--format", "soft").splitlines()
        for line, record in zip(soft, self.records, strict=True):
            steps = line.split(" ||| ")[1].split(" ")
            self.assertEqual([len(step.split(",")) for step in steps], [len(row) for row in record["matrix"]])
        plot = self.align("--data", self.test, "--format", "plot")
        self.assertEqual(plot.count("gold sure"), len(self.pairs))
        self.assertNotIn("\x1b", plot)

    def test_parallel_files_give_what_the_tsv_gives(self):
        names = []
        for column, name in enumerate(["source", "target", "alignment"]):
            names += [f"--{name}", programs.write_lines(self.folder / name, [l.split("\t")[column] for l in self.pairs])]
        without_tags = [{key: value for key, value in record.items() if key != "tags"} for record in self.records]
        self.assertEqual([json.loads(line) for line in self.align(*names).splitlines()], without_tags)

    def test_gold_that_counts_from_one(self):
        def moved(line):
            source, target, gold, tags = line.split("\t")
            links = [re.sub(r"\d+", lambda number: str(int(number[0]) + 1), link) for link in gold.split()]
            return "\t".join([source, target, " ".join(links), tags])

        one_based = programs.write_lines(self.folder / "one-based.tsv", [moved(line) for line in self.pairs])
        self.assertEqual(self.align("--data", one_based, "--one-based"), self.out.read_text(encoding="utf-8"))
        self.refused(1, "align", "--run", self.run_folder, "--data", one_based, says=["one-based.tsv:", "--one-based"])
        self.refused(1, "align", "--run", self.run_folder, "--data", self.test, "--one-based", says=["counted from 1"])

    def test_gold_counts_the_words_of_raw_text(self):
        """Training and scoring also accept pairs as a person writes them, with gold links between their words."""
        lines, links = [], []
        for record in self.records:
            (source, s_word), (target, t_word) = (glued(record[f"{side}_tokens"][:-1]) for side in ("source", "target"))
            sure, possible = ({(s_word[s], t_word[t]) for s, t in record["gold"][kind]} for kind in ("sure", "possible"))
            gold = [f"{s}-{t}" for s, t in sorted(sure)] + [f"{s}?{t}" for s, t in sorted(possible - sure)]
            lines.append("\t".join([" ".join(source), " ".join(target), " ".join(gold)]))
            links.append({(s_word[s], t_word[t]) for s, t in record["links"]})
        self.assertTrue(any(len(line.split("\t")[1].split()) < len(record["target_tokens"]) - 1
                            for line, record in zip(lines, self.records)), "nothing was glued")
        raw = programs.write_lines(self.folder / "raw.tsv", lines)
        for line, record, before in zip(lines, map(json.loads, self.align("--data", raw).splitlines()), self.records):
            self.assertEqual((record["source_tokens"], record["target_tokens"]),
                             (before["source_tokens"], before["target_tokens"]))
            (_, s_word), (_, t_word) = (glued(record[f"{side}_tokens"][:-1]) for side in ("source", "target"))
            sure = {tuple(map(int, link.split("-"))) for link in line.split("\t")[2].split() if "-" in link}
            self.assertEqual({tuple(link) for link in record["gold"]["sure"]},
                             {(s, t) for s in range(len(s_word)) for t in range(len(t_word)) if (s_word[s], t_word[t]) in sure})
        scores = json.loads(programs.succeed("evaluate", "--run", self.run_folder, "--data", raw, "--json"))
        self.check_links("alignment", links, scores, lines)

    def check_links(self, name, links, scores=None, pairs=None):
        """Requires that the scores under `name` are the scores of links[i], a set of (source, target), over all pairs i."""
        scores, pairs = scores or self.scores, pairs or self.pairs
        lines = [" ".join(f"{s}-{t}" for s, t in found) + "\t" + line.split("\t")[2]
                 for found, line in zip(links, pairs, strict=True)]
        scorer = programs.PROJECT / "tests" / "data" / "metrics" / "score_aer.py"
        found = programs.write_lines(self.folder / "found", lines)
        scored = subprocess.run([sys.executable, scorer, found], capture_output=True, text=True, check=True).stdout
        for figure, value in zip(["aer", "precision", "recall"], scored.split(), strict=True):
            self.assertAlmostEqual(scores["all"][name][figure], float(value), delta=1e-9)

    def test_alignment_figures_by_an_independent_scorer(self):
        def shifted(record):
            words, rows = len(record["source_tokens"]) - 1, record["matrix"][1:]
            best = [row.index(max(row)) for row in rows]
            return {(s, t) for t, s in enumerate(best) if s < words}

        def without_fixed(record):
            sure, possible = ({t for _, t in record["gold"][kind]} for kind in ("sure", "possible"))
            return {(s, t) for s, t in record["links"] if t not in possible - sure}

        self.check_links("alignment", [record["links"] for record in self.records])
        self.check_links("alignment_shift_1", [shifted(record) for record in self.records])
        self.check_links("alignment_without_fixed", [without_fixed(record) for record in self.records])
        figures = [self.scores["all"][name]["aer"] for name in ("alignment", "alignment_shift_1", "alignment_without_fixed")]
        self.assertEqual(len(set(figures)), 3)  # the pairs tell the three figures apart

    def test_figures_by_another_rule_are_of_the_links_that_align_writes_by_it(self):
        plain = self.scores
        for rule in (["best-word"], ["product"], ["threshold", "--threshold", "0.3"]):
            self.scores = self.evaluate("--rule", *rule)
            links = self.align("--data", self.test, "--format", "pharaoh", "--rule", *rule).splitlines()
            self.check_links("alignment", [{tuple(map(int, link.split("-"))) for link in line.split()} for line in links])
            self.assertNotEqual(self.scores["all"]["alignment"], plain["all"]["alignment"], rule)
            self.assertEqual(self.scores["all"]["alignment_shift_1"], plain["all"]["alignment_shift_1"])

    def test_what_attention_replaced_is_what_links_finds(self):
        found = programs.succeed("links", "--data", self.corpus / "train.tsv", "--align", self.test).splitlines()
        self.check_links("alignment_of_em", [{tuple(link.split("-")) for link in line.split()} for line in found])
        self.assertNotEqual(self.scores["all"]["alignment_of_em"], self.scores["all"]["alignment"])
        self.assertEqual(self.figure("AER of EM"), f"{100 * self.scores['all']['alignment_of_em']['aer']:.1f}")

    def test_the_baseline_is_of_what_the_run_was_trained_on(self):
        """The baseline is found wherever evaluate is started. There is a note if the file has changed. Runs of earlier
        builds have only their state."""
        here, there = self.folder / "here", self.folder / "there"
        for folder in here, there:
            shutil.copytree(self.corpus, folder / "c")
        lines = (there / "c" / "train.tsv").read_text(encoding="utf-8").splitlines()
        programs.write_lines(there / "c" / "train.tsv", lines[:50])
        run = here / "run"
        programs.succeed("train", "--data", "c", "--out", run, "--epochs", "1", *programs.TINY, cwd=here)

        def baseline(folder):
            result = programs.run("evaluate", "--run", run, "--data", self.test, "--json", cwd=folder)
            self.assertEqual(result.returncode, 0, result.stderr)
            notes = [line for line in result.stderr.splitlines() if line.startswith("note: ") and "train" in line]
            return json.loads(result.stdout)["all"]["alignment_of_em"], "".join(notes)
        right = baseline(here)
        self.assertIsNotNone(right[0])
        self.assertEqual(right[1], "")
        self.assertEqual(baseline(there), right)
        (here / "c").rename(here / "moved")
        self.assertRegex(baseline(there)[1], r"note: c/train.tsv has changed since this run was trained on it \(its hash was [0-9a-f]{16} and is now .*there are no EM")
        self.assertIsNone(baseline(there)[0])
        (here / "moved").rename(here / "c")
        (run / "provenance.json").unlink()
        self.assertEqual(baseline(here), right)
        self.assertRegex(baseline(there)[1], "c/train.tsv has changed since this run was trained on it, as .*last.safetensors")
        (run / "last.safetensors").unlink()
        links, note = baseline(there)
        self.assertIsNotNone(links)
        self.assertIn("earlier build trained this run and did not record its training pairs, so nothing shows whether c/train.tsv has changed", note)

    def test_training_pairs_that_are_gone_are_no_baseline_and_a_note(self):
        gone = self.folder / "gone"
        shutil.copytree(self.run_folder, gone)
        config = (gone / "config.json").read_text(encoding="utf-8").replace(str(self.corpus), "nowhere")
        (gone / "config.json").write_text(config, encoding="utf-8")
        result = programs.run("evaluate", "--run", gone, "--data", self.test, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr, r"note: EM links for comparison are missing, .*nowhere/train\.tsv")
        scores = json.loads(result.stdout)["all"]
        self.assertIsNone(scores.pop("alignment_of_em"))
        self.assertLessEqual(scores.items(), self.scores["all"].items())

    def test_probability_figures_by_the_records(self):
        nats = -sum(sum(record["logprob"]) for record in self.records)
        tokens = sum(len(record["target_tokens"]) for record in self.records)
        self.assertEqual(self.scores["all"]["target_tokens"], tokens)
        self.assertAlmostEqual(self.scores["all"]["loss"], nats / tokens, delta=1e-4)
        self.assertAlmostEqual(self.scores["all"]["perplexity"], math.exp(nats / tokens), delta=1e-3)
        entropy = sum(sum(record["entropy"]) for record in self.records) / tokens
        self.assertAlmostEqual(self.scores["all"]["entropy"], entropy, delta=1e-4)
        # The last row writes </s>, so it is left out.
        on_end = [row[-1] for record in self.records for row in record["matrix"][:-1]]
        self.assertAlmostEqual(self.scores["all"]["end_attention"], sum(on_end) / len(on_end), delta=1e-4)

    def test_translation_figures_by_an_independent_scorer(self):
        sources = "".join(line.split("\t")[0] + "\n" for line in self.pairs)
        written = programs.succeed("translate", "--run", self.run_folder, "--tokenized", stdin=sources).splitlines()
        wanted = [line.split("\t")[1] for line in self.pairs]
        exact = sum(w == r for w, r in zip(written, wanted))
        self.assertAlmostEqual(self.scores["all"]["exact_match"], 100 * exact / len(wanted), delta=1e-9)
        # The system's own output as an additional reference matches completely.
        reference = programs.write_lines(self.folder / "reference", written)
        perfect = self.evaluate("--reference", reference)["all"]
        for name in ("bleu", "chrf", "exact_match"):
            self.assertAlmostEqual(perfect[name], 100, delta=1e-9)
            self.assertLess(self.scores["all"][name], 100)
        self.assertEqual(perfect["alignment"], self.scores["all"]["alignment"])

    def test_a_blank_further_reference_is_none_and_a_blank_gold_column_no_annotation(self):
        second = [line.split("\t")[1] if i % 2 else "" for i, line in enumerate(self.pairs)]
        blank = programs.write_lines(self.folder / "blank.ref", [" "] + [""] * (len(self.pairs) - 1))
        self.assertEqual(self.evaluate("--reference", blank), self.scores)
        some = self.evaluate("--reference", programs.write_lines(self.folder / "some.ref", second))
        self.assertIn("nrefs:var|", some.pop("bleu_signature"))
        self.assertEqual(some["all"], self.scores["all"])  # repeating the reference changes nothing
        rows = [line.split("\t") for line in self.pairs]
        bare = [[*row[:2], "" if i < 3 else row[2], *row[3:]] for i, row in enumerate(rows)]
        file = programs.write_lines(self.folder / "part.tsv", ["\t".join(row) for row in bare])
        rest = programs.write_lines(self.folder / "rest.tsv", self.pairs[3:])
        result = programs.run("evaluate", "--run", self.run_folder, "--data", file, "--json")
        self.assertIn(f"note: 3 of {len(rows)} pairs have no gold links, so AER is computed over the other pairs\n", result.stderr)
        annotated = json.loads(programs.succeed("evaluate", "--run", self.run_folder, "--data", rest, "--json"))
        self.assertEqual(json.loads(result.stdout)["all"]["alignment"], annotated["all"]["alignment"])
        noref = programs.write_lines(self.folder / "noref.tsv", [self.pairs[0], self.pairs[1].split("\t")[0] + "\t"])
        result = programs.run("evaluate", "--run", self.run_folder, "--data", noref)
        self.assertEqual(result.returncode, 1)
        self.assertIn("noref.tsv:2: the target side is empty", result.stderr)

    def test_bleu_does_not_depend_on_the_run_s_tokeniser(self):
        """Runs with three tokenisers have learned the training sentences by heart. The tokenisers split the text
        differently."""
        pairs = ["I see him.\tJe l'ai vu.", "You know, don't you?\tTu sais, n'est-ce pas ?", "It's 5 o'clock\tIl est 5 heures"]
        corpus = self.folder / "spoken"
        corpus.mkdir()
        for name in ("train.tsv", "valid.tsv"):
            programs.write_lines(corpus / name, pairs * 20)
        test = programs.write_lines(self.folder / "spoken.tsv", ["I see him.\tJe l'ai vu !", *pairs[1:]])
        figures, signatures = [], []
        for tokenizer in (["words"], ["none"], ["characters"], ["sentencepiece", "--subwords", "60"]):
            run = self.folder / f"spoken-{tokenizer[0]}"
            programs.succeed("train", "--data", corpus, "--out", run, "--tokenizer", *tokenizer, "--epochs", "30", "--lr", "0.02", "--batch", "8",
                             "--word-dropout", "0", "--dropout", "0", "--label-smoothing", "0", "--embedding", "24", "--hidden", "32",
                             "--attention-size", "16", "--readout", "16", "--threads", "1")
            written = programs.succeed("translate", "--run", run, stdin="".join(p.split("\t")[0] + "\n" for p in pairs)).lower()
            self.assertEqual(written.replace(" ?", "?"), "je l'ai vu.\ntu sais, n'est-ce pas?\nil est 5 heures\n", tokenizer)
            scores = json.loads(programs.succeed("evaluate", "--run", run, "--data", test, "--json"))
            figures.append([scores["all"][name] for name in ("bleu", "chrf", "exact_match")])
            signatures.append(scores["bleu_signature"])
            table = programs.succeed("evaluate", "--run", run, "--data", test, "--tokenize", "13a", "--details")
            self.assertIn("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp", table)
        self.assertEqual(figures, figures[:1] * 4)
        self.assertEqual(set(signatures), {"nrefs:1|case:lc|eff:no|tok:words|smooth:exp"})
        self.assertAlmostEqual(figures[0][2], 200 / 3, delta=1e-9)

    def test_parts_add_up(self):
        parts = self.scores["by_length"]
        self.assertEqual(list(parts), ["1-10"])
        self.assertEqual(parts["1-10"], self.scores["all"])
        for tag, part in self.scores["by_tag"].items():
            self.assertEqual(part["pairs"], sum(tag in line.split("\t")[3].split(",") for line in self.pairs))

    def test_without_gold_there_is_no_aer(self):
        bare = programs.write_lines(self.folder / "bare.tsv", ["\t".join(l.split("\t")[:2]) for l in self.pairs])
        score = json.loads(programs.succeed("evaluate", "--run", self.run_folder, "--data", bare, "--json"))["all"]
        self.assertIsNone(score["alignment"])
        self.assertIsNone(score["alignment_of_em"])
        self.assertEqual(score["bleu"], self.scores["all"]["bleu"])
        record = json.loads(self.align("--data", bare).splitlines()[0])
        self.assertIsNone(record.get("gold"))
        for more in ([], ["--details"]):
            self.assertNotIn("AER", programs.succeed("evaluate", "--run", self.run_folder, "--data", bare, *more))

    def figure(self, name):
        """Returns a figure of the short table."""
        table = programs.succeed("evaluate", "--run", self.run_folder, "--data", self.test)
        return re.search(rf"^{name} +(\S+) ", table, re.MULTILINE)[1]

    def test_the_figures_that_say_most_come_first(self):
        table = programs.succeed("evaluate", "--run", self.run_folder, "--data", self.test)
        lines = table.splitlines()
        self.assertEqual(lines[0], f"{len(self.pairs)} pairs")
        self.assertEqual([line[:20].strip() for line in lines[1:-1]], ["BLEU", "exact match", "AER", "AER of EM"])
        score = self.scores["all"]
        self.assertEqual([float(line[20:27]) for line in lines[1:-1]],
                         [round(100 * part, 1) for part in (score["bleu"] / 100, score["exact_match"] / 100,
                                                            score["alignment"]["aer"], score["alignment_of_em"]["aer"])])
        self.assertLessEqual(max(map(len, lines)), 80)

    def test_details_have_every_figure(self):
        details = programs.succeed("evaluate", "--run", self.run_folder, "--data", self.test, "--details")
        self.assertLessEqual(max(map(len, details.splitlines())), 80)
        texts, attention = (line.split() for line in details.splitlines() if line.startswith("all"))
        score = self.scores["all"]
        self.assertEqual(texts[1:], [str(len(self.pairs)), f"{score['loss']:.3f}", f"{score['perplexity']:.2f}",
                                     f"{score['bleu']:.1f}", f"{score['chrf']:.1f}", f"{score['exact_match']:.1f}"])
        rates = [score["alignment"]["aer"], score["alignment_of_em"]["aer"], score["alignment"]["precision"],
                 score["alignment"]["recall"], score["alignment_without_fixed"]["aer"], score["alignment_shift_1"]["aer"]]
        self.assertEqual(attention[1:], [*(f"{100 * rate:.1f}" for rate in rates), f"{score['entropy']:.2f}",
                                         f"{100 * score['end_attention']:.1f}"])
        tags = programs.succeed("evaluate", "--run", self.run_folder, "--data", self.test, "--bucket", "5")
        self.assertIn("by words of the source\n  1-5 ", tags)


if __name__ == "__main__":
    unittest.main()
