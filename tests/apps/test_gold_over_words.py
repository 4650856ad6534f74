"""Gold links count the words between spaces, whatever tokens a run makes of them. The AER of evaluate counts these words,
too."""

import json
import subprocess
import sys
import unittest

import programs
from test_align_evaluate import glued

TOKENISERS = {"words": [], "none": [], "characters": [], "sentencepiece": ["--subwords", "90"],
              "bpe": ["--subwords", "90", "--subword-model", "bpe"]}


def words_of(line):
    """Returns the begin and end of each word of a line, in code points."""
    places, begin = [], None
    for i, c in enumerate(line + " "):
        if c in " \t" and begin is not None:
            places.append((begin, i))
            begin = None
        elif c not in " \t" and begin is None:
            begin = i
    return places


def word_at(line, span):
    """Returns the number of the word that contains these code points."""
    return next(k for k, (begin, end) in enumerate(words_of(line)) if begin <= span[0] and span[1] <= end)


def rows(pair):
    """Returns the pair as a person writes it: clitics and punctuation without spaces, capitals, and gold links between these
    words."""
    source, target, gold, *_ = pair.split("\t")
    (source, s_word), (target, t_word) = glued(source.split()), glued(target.split())
    kinds = {kind: {(s_word[int(s)], t_word[int(t)]) for s, t in (link.split(kind) for link in gold.split() if kind in link)}
             for kind in "-?"}
    links = [f"{s}-{t}" for s, t in sorted(kinds["-"])] + [f"{s}?{t}" for s, t in sorted(kinds["?"] - kinds["-"])]
    return " ".join(source).capitalize(), " ".join(target).capitalize(), " ".join(links)


class GoldOverWords(programs.WithRun):
    training = programs.STEEP

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.rows = [rows(pair) for pair in programs.short_pairs("test.tsv", 40)]
        cls.test = programs.write_lines(cls.folder / "raw.tsv", ["\t".join(row) for row in cls.rows])

    def score(self, links):
        """Returns AER, precision and recall of links over words from a scorer that is independent of the programs."""
        found = programs.write_lines(self.folder / "found", [
            " ".join(f"{s}-{t}" for s, t in sorted(its)) + "\t" + gold for its, (_, _, gold) in zip(links, self.rows, strict=True)])
        scorer = programs.PROJECT / "tests" / "data" / "metrics" / "score_aer.py"
        return list(map(float, subprocess.run([sys.executable, scorer, found], capture_output=True, text=True, check=True).stdout.split()))

    def over_words(self, records, what):
        """Returns the links or sure gold links of records as links between words. The spans of the tokens give the words."""
        found = []
        for record, (source, target, _) in zip(records, self.rows, strict=True):
            self.assertEqual((record["source_line"], record["target_line"]), (source, target))
            s_word, t_word = ([word_at(record[f"{side}_line"], span) for span in record[f"{side}_spans"]]
                              for side in ("source", "target"))
            links = record["links"] if what == "links" else record["gold"]["sure"]
            found.append({(s_word[s], t_word[t]) for s, t in links})
        return found

    def test_each_tokeniser(self):
        split = {}
        for name, options in TOKENISERS.items():
            with self.subTest(name):
                steep = [] if name == "none" else ["--lowercase"]
                run = programs.train(self.corpus, self.folder / name, "--tokenizer",
                                     "sentencepiece" if name == "bpe" else name, *options, *steep, *programs.STEEP)
                records = [json.loads(line) for line in
                           programs.succeed("align", "--run", run, "--data", self.test).splitlines()]
                links = self.over_words(records, "links")
                pieces = records
                if name in ("sentencepiece", "bpe"):
                    pieces = [json.loads(line) for line in
                              programs.succeed("align", "--run", run, "--data", self.test, "--subwords").splitlines()]
                gold = [{tuple(map(int, link.split("-"))) for link in its.split() if "-" in link} for _, _, its in self.rows]
                self.assertEqual(self.over_words(records, "gold"), gold)
                self.assertEqual(self.over_words(pieces, "gold"), gold)
                split[name] = sum(len(record["source_spans"]) - len(words_of(record["source_line"])) for record in pieces)
                scores = json.loads(programs.succeed("evaluate", "--run", run, "--data", self.test, "--json"))
                found = scores["all"]["alignment"]
                for figure, value in zip(["aer", "precision", "recall"], self.score(links), strict=True):
                    self.assertAlmostEqual(found[figure], value, delta=1e-9)
                written = programs.succeed("align", "--run", run, "--data", self.test, "--format", "pharaoh", "--over", "words")
                self.assertEqual([set(line.split()) for line in written.splitlines()],
                                 [{f"{s}-{t}" for s, t in its} for its in links])
        self.assertEqual(split["none"], 0)
        self.assertTrue(all(split[name] > 0 for name in split if name != "none"), split)


if __name__ == "__main__":
    unittest.main()
