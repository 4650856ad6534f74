"""The figures of the course equal the output of their script. Every chapter has a figure with a number, a caption and a
reference."""

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

    def test_each_has_a_number_and_a_caption_and_the_text_refers_to_it(self):
        for chapter in sorted(COURSE.glob("[0-9][0-9]-*.md")):
            with self.subTest(chapter=chapter.name):
                text = chapter.read_text(encoding="utf-8")
                captions = re.findall(r"^!\[[^\]]+\]\([^)]+\)\n\n\*Figure (\d+\.\d+)\. [A-Z][^*]+\.\*$", text, flags=re.MULTILINE)
                self.assertEqual(captions, [f"{int(chapter.name[:2])}.{i + 1}" for i in range(text.count("\n!["))])
                prose = re.sub(r"^\*Figure.*?\*$", "", text, flags=re.MULTILINE | re.DOTALL)
                self.assertEqual([number for number in captions if not re.search(rf"Figure\s+{re.escape(number)}(?!\d)", prose)], [])


if __name__ == "__main__":
    unittest.main()
