"""softalign.links and softalign.records give the results of the programs `links` and `convert`."""

import json
import sys
import types
import unittest

import fixtures
import numpy as np
import programs
import softalign


def without_sum(record):
    """Returns a record without the sum of its log-probabilities, which are rounded in the file."""
    return {key: value for key, value in record.items() if key != "total_logprob"}


class Links(unittest.TestCase):
    def setUp(self):
        self.file = fixtures.corpus() / "train.tsv"
        lines = self.file.read_text(encoding="utf-8").splitlines()
        self.pairs = [tuple(line.split("\t")[:2]) for line in lines]

    def test_links_are_those_of_the_program(self):
        texts = fixtures.folder("texts")
        for i, name in enumerate(("a", "b")):
            programs.write_lines(texts / name, [pair[i] for pair in self.pairs])
        for options, words in [({}, []), ({"rule": "union", "jump_rounds": 0}, ["--rule", "union", "--jump-rounds", "0"])]:
            its = programs.succeed("links", "--source", texts / "a", "--target", texts / "b", "--threads", "1", "--tokenizer", "none", *words)
            found = softalign.links(self.pairs, threads=1, tokenizer="none", **options)
            ours = [" ".join(f"{s}-{t}" for s, t in pair.links) for pair in found]
            self.assertEqual(ours, its.splitlines())

    def test_matrix_has_the_posteriors(self):
        pair = softalign.links(self.pairs)[0]
        self.assertEqual(pair.matrix.shape, (len(pair.tokens), len(pair.source) + 1))
        np.testing.assert_allclose(pair.matrix.sum(axis=1), 1, atol=1e-4)

    def test_lists_of_words(self):
        pairs = [(s.split(), t.split()) for s, t in self.pairs]
        found = softalign.links(pairs, tokenizer="none")
        self.assertEqual([pair.source for pair in found], [pair[0] for pair in pairs])


class Records(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = fixtures.folder("records")
        cls.file = fixtures.corpus() / "valid.tsv"
        cls.jsonl = cls.folder / "own.jsonl"
        programs.succeed("align", "--run", fixtures.run(), "--data", cls.file, "--out", cls.jsonl)

    def test_every_format(self):
        for name in ("jsonl", "pharaoh", "tsv", "soft", "hard", "nematus", "sockeye", "fairseq", "bertviz", "t2t"):
            with self.subTest(name):
                path = self.folder / f"converted-{name}"
                programs.succeed("convert", self.jsonl, "--format", name, "--out", path)
                needs = "Add the sentences" in programs.run("convert", path, "--from", name, "--format", "hard").stderr
                words = ["--data", self.file] if needs else []
                found = softalign.records(path, from_=name, **({"data": self.file} if needs else {}))
                self.assertEqual(len(found), 20)
                if name in ("pharaoh", "tsv", "hard", "fairseq"):
                    self.assertEqual([sorted(one.links) for one in found], self.links_of(path, name, words))
                    continue
                own = self.folder / f"{name}.jsonl"
                programs.succeed("convert", path, "--from", name, "--format", "jsonl", "--out", own, *words)
                self.assertEqual([without_sum(json.loads(one.json())) for one in found],
                                 [without_sum(line) for line in programs.json_lines(own)])

    def links_of(self, path, name, words):
        text = programs.succeed("convert", path, "--from", name, "--format", "pharaoh", *words)
        return [sorted(tuple(map(int, link.split("-"))) for link in line.split()) for line in text.splitlines()]

    def test_rows(self):
        found = softalign.records(self.jsonl)
        rows = found.rows()
        self.assertEqual(len(rows), sum(len(one.links) for one in found))
        first = rows[0]
        self.assertEqual(first["source_word"], found[first["id"]].source[first["source_position"]])
        self.assertAlmostEqual(first["weight"], float(found[first["id"]].matrix[first["target_position"], first["source_position"]]))

    def test_to_dataframe_gives_pandas_the_rows(self):
        seen = {}
        fake = types.ModuleType("pandas")
        fake.DataFrame = lambda rows, columns: seen.update(rows=rows, columns=columns) or "frame"
        before = sys.modules.get("pandas")
        self.assertNotIn("pandas", sys.modules)
        sys.modules["pandas"] = fake
        try:
            found = softalign.records(self.jsonl)
            self.assertEqual(found.to_dataframe(), "frame")
        finally:
            del sys.modules["pandas"]
            if before:
                sys.modules["pandas"] = before
        self.assertEqual(seen["rows"], found.rows())
        self.assertEqual(set(seen["columns"]), set(found.rows()[0]))

    def test_json_is_the_line_of_the_file(self):
        lines = self.jsonl.read_text(encoding="utf-8").splitlines()
        self.assertEqual([without_sum(json.loads(one.json())) for one in softalign.records(self.jsonl)],
                         [without_sum(json.loads(line)) for line in lines])


if __name__ == "__main__":
    unittest.main()
