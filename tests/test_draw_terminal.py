"""docs/draw_terminal.py, which made the picture of docs/train.md, draws what a terminal shows."""

import subprocess
import sys
import unittest
import xml.dom.minidom
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]


def drawn(script, *options):
    """Returns (x, y, text) of every text, and (x, y, width, fill) of every coloured background, in columns and lines."""
    svg = subprocess.run([sys.executable, PROJECT / "docs" / "draw_terminal.py", *options, "bash", "-c", script],
                         capture_output=True, text=True, timeout=60, check=True).stdout
    page = xml.dom.minidom.parseString(svg)

    def number(node, name):
        return float(node.getAttribute(name))

    texts = [((number(node, "x") - 16) / 8, (number(node, "y") - 59) / 18, node.firstChild.data, node)
             for node in page.getElementsByTagName("text")[1:]]  # the first text is the title
    papers = [((number(node, "x") - 16) / 8, (number(node, "y") - 46) / 18, number(node, "width") / 8,
               node.getAttribute("fill")) for node in page.getElementsByTagName("rect")[1:]]
    return texts, papers


class DrawTerminal(unittest.TestCase):
    def test_text_stands_in_its_column_and_line(self):
        texts, papers = drawn("printf 'one\\n  我 two <&>\\n'")
        self.assertEqual([text[:3] for text in texts], [(0, 0, "one"), (2, 1, "我"), (4, 1, " two <&>")])
        self.assertEqual(papers, [])

    def test_colours(self):
        texts, papers = drawn(r"printf '\x1b[1mbold\x1b[0m \x1b[48;2;1;2;255;38;5;16mrgb\x1b[0m\x1b[48;5;244mgrey\x1b[0m'")
        self.assertEqual(papers, [(5, 0, 3, "#0102ff"), (8, 0, 4, "#808080")])
        self.assertEqual([(text, node.getAttribute("class"), node.getAttribute("style")) for _, _, text, node in texts],
                         [("bold", "b", ""), ("rgb", "", "fill:#000000"), ("grey", "", "")])

    def test_a_line_that_is_rewritten_is_shown_as_it_ends(self):
        texts, _ = drawn(r"printf 'row\nepoch 1\rab\x1b[K\rE'")
        self.assertEqual([text[:3] for text in texts], [(0, 0, "row"), (0, 1, "Eb")])

    def test_until(self):
        texts, _ = drawn(r"for i in 1 2 3; do printf '\repoch %d\x1b[K' $i; done; sleep 60", "--until", "epoch 2")
        self.assertEqual([text[2] for text in texts], ["epoch 2"])


if __name__ == "__main__":
    unittest.main()
