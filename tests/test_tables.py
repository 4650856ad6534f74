"""The tables of the pages are those of docs/results/*.json, and docs/experiments.md is made of docs/results/studies/*.json."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

import pages

sys.path.insert(0, str(pages.PROJECT / "tests" / "benchmarks"))
sys.path.insert(0, str(pages.PROJECT / "docs"))
import results  # noqa: E402
import tables  # noqa: E402

FILES = sorted(tables.RESULTS.glob("*.json"))
STUDIES = sorted((tables.RESULTS / "studies").glob("*.json"))


def result(values, digits=1):
    """A file of one row, with these numbers of one figure."""
    return {"date": ["2026-11-27"], "commit": ["abc1234"], "machine": ["a machine"],
            "columns": [{"title": "model"}, {"title": "BLEU", "figure": "bleu", "digits": digits}],
            "rows": [{"label": ["a | b"], "command": "train", "seeds": list(range(len(values))), "figures": {"bleu": values}}]}


class Tables(unittest.TestCase):
    def test_the_pages_have_the_figures_of_the_files(self):
        self.assertGreater(len(tables.pages()), 1)
        for page, text in tables.pages().items():
            self.assertEqual(page.read_text(encoding="utf-8"), text, f"{page.name}: run python3 docs/tables.py")

    def test_a_cell_is_one_number_or_the_mean_and_half_the_range(self):
        for values, digits, cell in (([97.266], 1, "97.3"), ([1, 2, 6], 1, "3.0 ± 2.5"), ([None, 2], 1, "-"), ([], 1, "-"),
                                     ([714892, 714892], 0, "714,892"), ([10, 20], 0, "15 ± 5")):
            self.assertEqual(tables.shown(values, digits), cell)

    def test_a_table_names_date_commit_and_machine_and_keeps_bars_out_of_its_grid(self):
        text = tables.table(result([1.0, 3.0]))
        self.assertIn("| a \\| b | 2.0 ± 1.0 |", text)
        self.assertIn("*Measured on 2026-11-27 with commit `abc1234` on a machine; mean of 2 seeds ± half their range.*", text)

    def test_only_what_is_between_the_markers_is_replaced(self):
        name = FILES[0].stem
        before = f"Text.\n\n<!-- table: {name} -->\nold\n<!-- /table -->\n\nMore <!-- table: other -->.\n"
        after = tables.filled(before, "page")
        self.assertTrue(after.startswith("Text.\n\n") and after.endswith("\n\nMore <!-- table: other -->.\n"))
        self.assertNotIn("old", after)
        with self.assertRaisesRegex(SystemExit, "there is no docs/results/now"):
            tables.filled("<!-- table: nowhere -->\n<!-- /table -->", "page")

    def test_every_file_is_shown_and_says_where_its_figures_come_from(self):
        shown = "".join(page.read_text(encoding="utf-8") for page in (pages.PROJECT / "docs").rglob("*.md"))
        for path in FILES:
            value = tables.load(path)
            self.assertIn(f"<!-- table: {path.stem} -->", shown)
            for key in ("date", "commit", "machine"):
                self.assertTrue(value[key] and all(value[key]), f"{path.name}: {key}")
            for row in value["rows"]:
                self.assertTrue(row["command"], path.name)
                figures = [column["figure"] for column in value["columns"] if "figure" in column]
                self.assertEqual(list(row["figures"]), figures)
                self.assertEqual(len(row["label"]) + len(figures), len(value["columns"]))

    def test_every_study_without_a_corpus_is_on_the_page_with_its_figures(self):
        text = tables.EXPERIMENTS.read_text(encoding="utf-8")
        for path in STUDIES:
            study = tables.load(path)
            self.assertIn(f"\n## {path.stem}\n", text)
            for claim in study["claims"]:
                self.assertIn(f"{claim['claim']}: {claim['figures']}.", text)
            for figure in study["figures"]:
                self.assertTrue((pages.PROJECT / "docs" / "experiments" / figure["file"]).exists(), figure["file"])


class Cells(unittest.TestCase):
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

    def test_collect_writes_a_table_when_all_of_its_rows_are_measured(self):
        before, results.RESULTS = results.RESULTS, None
        try:
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                results.RESULTS, results.ROOT = folder / "results", folder
                cells = list(results.cells_of(["links"]))
                for cell in cells[1:]:
                    self.write(folder, cell)
                results.collect(folder)
                self.assertFalse((folder / "results" / "links.json").exists())  # its first row is missing
                self.write(folder, cells[0])
                results.collect(folder)
                table = json.loads((folder / "results" / "links.json").read_text(encoding="utf-8"))
                self.assertEqual([row["figures"]["agreement_aer"] for row in table["rows"]], [[4.5]] * len(cells))
                self.assertEqual(table["commit"], ["abc1234"])
        finally:
            results.RESULTS, results.ROOT = before, pages.PROJECT

    @staticmethod
    def write(folder, cell):
        figures = {f"agreement_{name}": 4.5 for name in ("aer", "precision", "recall")}
        (folder / f"{cell}.json").write_text(json.dumps({"cell": cell, "command": "links --seed 3", "date": "2026-11-27",
                                                         "commit": "abc1234", "machine": "a machine", "figures": figures}))


if __name__ == "__main__":
    unittest.main()
