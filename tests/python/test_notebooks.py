"""The notebooks of docs/notebooks run from the first cell to the last, and print what they show."""

import copy
import importlib.util
import json
import re
import sys
import unittest

import fixtures

sys.path[:0] = [str(fixtures.PROJECT / "tests"), str(fixtures.PROJECT / "docs" / "notebooks")]
import pages  # noqa: E402
import write_outputs  # noqa: E402

NOTEBOOKS = sorted(write_outputs.FOLDER.glob("*.ipynb"))
MOST_CELLS = 15


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def text_of(cell):
    """Returns the lines that a cell shows. A figure counts as one line, because its text is drawn elsewhere, too."""
    lines = []
    for output in cell["outputs"]:
        lines += "".join(output.get("text", output.get("data", {}).get("text/plain", []))).splitlines()
        lines += ["a figure"] if "text/html" in output.get("data", {}) else []
    return lines


def differences(written, found):
    """Returns the cells that show another text. In a cell with the tag "about", numbers may differ a little."""
    different = []
    for number, (old, new) in enumerate(zip(written["cells"], found["cells"]), 1):
        if old["cell_type"] != "code":
            continue
        numbers = "about" if "about" in old["metadata"].get("tags", []) else "exact"
        if not pages.fits(text_of(old), text_of(new), numbers):
            different.append(f"cell {number} shows {text_of(new)}, but the file shows {text_of(old)}")
    return different


def missing_library(notebook):
    """Returns the name of a library that the notebook needs and this machine lacks, or None."""
    code = "\n".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code")
    return next((name for name in re.findall(r"(?m)^import (\w+)", code) if importlib.util.find_spec(name) is None), None)


class Notebooks(unittest.TestCase):
    def test_every_notebook_shows_what_it_prints(self):
        for path in NOTEBOOKS:
            with self.subTest(path.name):
                written = read(path)
                if (missing := missing_library(written)) is not None:
                    self.assertEqual(missing, "torch")  # the others are part of the build
                    self.skipTest("PyTorch is missing. On Debian: sudo apt-get install python3-torch")
                found = write_outputs.run(written, path.stem)
                self.assertEqual(differences(written, found), [])
                self.assertEqual([cell["execution_count"] for cell in written["cells"] if cell["cell_type"] == "code"],
                                 [cell["execution_count"] for cell in found["cells"] if cell["cell_type"] == "code"])

    def test_the_comparison_notices_another_text_and_a_missing_figure(self):
        written = read(NOTEBOOKS[0])
        self.assertEqual(differences(written, written), [])
        shown = [cell for cell in written["cells"] if cell["cell_type"] == "code" and cell["outputs"]]
        for i in range(len(shown)):
            other = copy.deepcopy(written)
            cell = [cell for cell in other["cells"] if cell["cell_type"] == "code" and cell["outputs"]][i]
            cell["outputs"].pop()
            self.assertEqual(len(differences(written, other)), 1)

    def test_notebooks_are_short_and_their_links_lead_to_files(self):
        self.assertEqual(len(NOTEBOOKS), 4)
        course = (fixtures.PROJECT / "docs" / "course" / "README.md").read_text(encoding="utf-8")
        for path in NOTEBOOKS:
            with self.subTest(path.name):
                cells = read(path)["cells"]
                self.assertLessEqual(len(cells), MOST_CELLS)
                texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
                self.assertTrue(texts[0].startswith("# "))
                for link in re.findall(r"\]\(([^)]+)\)", "\n".join(texts)):
                    self.assertTrue((path.parent / link).is_file(), link)
                self.assertIn(f"(../notebooks/{path.name})", course)


if __name__ == "__main__":
    unittest.main()
