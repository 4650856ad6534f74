"""The pictures of the course are what their script draws, and every chapter has one."""

import re
import subprocess
import sys
import unittest
from pathlib import Path

COURSE = Path(__file__).resolve().parents[1] / "docs" / "course"


class Figures(unittest.TestCase):
    def test_they_are_as_drawn(self):
        done = subprocess.run([sys.executable, COURSE / "figures" / "draw.py", "--check"], capture_output=True, text=True, check=False)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("", "", 0))

    def test_every_chapter_has_one_and_none_is_left_out(self):
        shown = {chapter.name: re.findall(r"!\[.+\]\(figures/(\w+\.svg)\)", chapter.read_text(encoding="utf-8"))
                 for chapter in COURSE.glob("[0-9][0-9]-*.md")}
        self.assertEqual([name for name, figures in shown.items() if not figures], [])
        self.assertEqual(sorted(sum(shown.values(), [])), sorted(path.name for path in (COURSE / "figures").glob("*.svg")))


if __name__ == "__main__":
    unittest.main()
