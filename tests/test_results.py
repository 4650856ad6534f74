"""tests/benchmarks/results.py writes the files of docs/measured, and docs/experiments.md shows the files of the studies."""

import json
import re
import sys
import tempfile
import unittest
from pathlib import Path

import pages

sys.path.insert(0, str(pages.PROJECT / "tests" / "benchmarks"))
sys.path.insert(0, str(pages.PROJECT / "docs"))
import draw_speed  # noqa: E402
import experiments  # noqa: E402
import results  # noqa: E402


class Experiments(unittest.TestCase):
    def test_the_page_is_that_of_the_files(self):
        self.assertEqual(experiments.PAGE.read_text(encoding="utf-8"), experiments.page(), "run python3 docs/experiments.py")

    def test_a_chart_of_percentages_says_percent(self):
        charts = 0
        for path in sorted((experiments.PAGE.parent / "experiments").glob("*.svg")):
            drawing = path.read_text(encoding="utf-8")
            heights = re.findall(r'class="tick"[^>]*text-anchor="end">([\d.]+)<', drawing)
            titles = re.findall(r'class="title" x="0" y="13">([^<]*)<', drawing)
            if titles and heights and 70 <= max(map(float, heights)) <= 100:
                charts += 1
                self.assertTrue(titles[0].endswith(", percent"), f"{path.name}: {titles[0]}")
        self.assertGreater(charts, 10)

    def test_every_study_has_a_file_its_claims_and_its_figures(self):
        text = experiments.PAGE.read_text(encoding="utf-8")
        self.assertEqual({path.stem for path in experiments.STUDIES.glob("*.json")}, set(results.STUDIES))
        for path in experiments.STUDIES.glob("*.json"):
            study = json.loads(path.read_text(encoding="utf-8"))
            section = text.split(f"\n## {path.stem}\n")[1].split("\n## ")[0]
            items = re.findall(r"(?m)^- \*\*The claim (holds|does not hold)\.\*\* (.*)$", section)
            self.assertEqual([verdict == "holds" for verdict, _ in items], [claim["held"] for claim in study["claims"]])
            for claim, (_, sentences) in zip(study["claims"], items):
                for number in re.findall(r"\d[\d.,]*\d|\d", claim["figures"]):
                    self.assertRegex(sentences, rf"(?<![\d.]){re.escape(number)}(?!\d)", claim["claim"])
            for figure in study["figures"]:
                self.assertTrue((pages.PROJECT / "docs" / "experiments" / figure["file"]).exists(), figure["file"])
            for key in ("date", "commit", "machine", "command"):
                self.assertTrue(study[key], f"{path.name}: {key}")


class Speeds(unittest.TestCase):
    def test_the_chart_is_that_of_the_file(self):
        measured = json.loads((results.MEASURED / "pytorch.json").read_text(encoding="utf-8"))
        chart = (pages.PROJECT / "docs" / "speed.svg").read_text(encoding="utf-8")
        self.assertEqual(chart, draw_speed.draw(measured) + "\n", "run docs/draw_speed.py docs/measured/pytorch.json > docs/speed.svg")
        for shown in ("softalign, 16 cores", "162,589", "PyTorch, 8 cores", "13,752", "CUDA graphs, GPU", "47,283"):
            self.assertIn(f">{shown}<", chart)


class Cells(unittest.TestCase):
    def test_a_cell_is_one_number_or_the_mean_and_half_the_range(self):
        for values, digits, cell in (([97.266], 1, "97.3"), ([1, 2, 6], 1, "3.0 ± 2.5"), ([None, 2], 1, "-"), ([], 1, "-"),
                                     ([714892, 714892], 0, "714,892"), ([10, 20], 0, "15 ± 5")):
            self.assertEqual(results.shown(values, digits), cell)

    def test_figures_are_those_of_their_seeds(self):
        files = {name: results.MEASURED / f"{name}.json" for name in results.TABLES}
        measured = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in files.items() if path.exists()}
        by_seed = [name for name, value in measured.items() if "seeds" in value]  # older files have no seeds
        self.assertGreater(len(by_seed), 3)
        for name in by_seed:
            value, spec = measured[name], results.TABLES[name]
            digits = {column["figure"]: column["digits"] for column in spec["columns"] if isinstance(column, dict)}
            self.assertGreater(len(value["seeds"]), 0)
            for key, seeds in value["seeds"].items():
                figure = next(figure for figure in digits if key.endswith(f" {figure}"))
                self.assertEqual(value["figures"][key], results.shown(seeds, digits[figure]), f"{name}: {key}")

    def test_cells_with_the_same_options_are_measured_once(self):
        cells = results.cells_of(["family", "lengths", "self-attention"])
        self.assertIn("toy.model-transformer.1", cells)
        separate = sum(len(results.cells_of([name])) for name in ("family", "lengths", "self-attention"))
        self.assertLess(len(cells), separate)

    def test_every_row_of_every_table_has_a_label_per_column_of_text(self):
        for name, spec in results.TABLES.items():
            texts = [column for column in spec["columns"] if isinstance(column, str)]
            for label, _ in spec["rows"]:
                self.assertEqual(len(label), len(texts), f"{name}: {label}")

    def test_a_table_has_a_file_when_all_of_its_rows_are_measured_or_part_is_enough(self):
        cells = {cell: self.cell(cell) for cell in results.cells_of(["links"])}
        first = next(iter(cells))
        table = results.table_file("links", cells, partial=False)
        self.assertEqual(set(table["figures"].values()), {"4.5"})
        self.assertEqual((table["commit"], table["command"]), ("abc1234", "links --seed N"))
        self.assertEqual(len(table["tables"]["links"]["rows"]), len(cells))
        del cells[first]
        self.assertIsNone(results.table_file("links", cells, partial=False))
        self.assertEqual(len(results.table_file("links", cells, partial=True)["tables"]["links"]["rows"]), len(cells))
        self.assertIsNone(results.table_file("links", {}, partial=True))

    def test_collect_writes_the_files(self):
        before = results.MEASURED, results.ROOT
        with tempfile.TemporaryDirectory() as name:
            results.MEASURED = results.ROOT = Path(name)
            try:
                for cell in results.cells_of(["links"]):
                    (Path(name) / f"{cell}.json").write_text(json.dumps(self.cell(cell)), encoding="utf-8")
                results.collect(Path(name))
                self.assertIn("links", json.loads((Path(name) / "links.json").read_text(encoding="utf-8"))["tables"])
            finally:
                results.MEASURED, results.ROOT = before

    @staticmethod
    def cell(name):
        figures = {f"agreement_{figure}": 4.5 for figure in ("aer", "precision", "recall")}
        return {"cell": name, "command": "links --seed 3", "date": "2026-11-27", "commit": "abc1234", "machine": "a machine", "figures": figures}


if __name__ == "__main__":
    unittest.main()
