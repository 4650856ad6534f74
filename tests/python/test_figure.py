"""Drawings of attention in notebooks and files."""

import re
import unittest
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import fixtures
import numpy as np
import softalign

HOSTILE = ["<script>alert(1)</script>", "\"onload='x", "&amp;", "</style>", "<img/src=x>"]


def attention(*shape, seed=1):
    weights = np.random.default_rng(seed).random(shape)
    return weights / weights.sum(axis=-1, keepdims=True)


class Elements(HTMLParser):
    """Collects the elements and their attributes."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


class Show(unittest.TestCase):
    def test_svg_is_xml_with_all_words_and_cells(self):
        svg = softalign.show(attention(2, 3), "a b c", "x y").svg()
        texts = [e.text for e in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
        for word in "abcxy":
            self.assertIn(word, texts)

    def test_words_cannot_become_markup(self):
        matrix = attention(5, 5)
        figure = softalign.show(matrix, HOSTILE, HOSTILE, title=HOSTILE[0])
        ElementTree.fromstring(figure.svg())
        for text in (figure._repr_html_(), figure.html()):
            parsed = Elements(text).found
            self.assertFalse({tag for tag, _ in parsed} & {"script", "img", "iframe", "link", "object"})
            self.assertFalse([a for _, attrs in parsed for a in attrs if a.startswith("on")])

    def test_nothing_is_loaded(self):
        text = softalign.show(attention(2, 2, 3), "a b c", "x y").html()
        self.assertIn("default-src 'none'", text)
        addresses = set(re.findall(r"https?://[^\"'<> ]+", text))
        self.assertLessEqual(addresses, {"http://www.w3.org/2000/svg"})
        self.assertFalse(re.search(r"url\(|\bsrc=|\bhref=|@import", text))

    def test_style_stays_in_the_figure(self):
        text = softalign.show(attention(3, 3), "a b c", "x y z")._repr_html_()
        scope = re.search(r'<div class="(softalign-[\w-]+)"', text)[1]
        rules = [rule.strip() for style in re.findall(r"<style>(.*?)</style>", text, re.S) for rule in style.split("\n") if rule]
        self.assertTrue(rules)
        for rule in rules:
            self.assertTrue(rule.startswith((f".{scope}", f"#{scope}")), rule)
        other = softalign.show(attention(3, 3), "a b c", "x y z")._repr_html_()
        self.assertNotIn(scope + '"', other)

    def test_tabs_for_heads_and_layers(self):
        self.assertEqual(softalign.show(attention(2, 3), "a b c", "x y").tabs, [""])
        self.assertEqual(softalign.show(attention(2, 2, 3), "a b c", "x y").tabs, ["mean", "head 1", "head 2"])
        figure = softalign.show(attention(2, 1, 2, 3), "a b c", "x y")
        self.assertEqual(figure.tabs, ["layer 1, head 1", "layer 2, head 1"])
        figure = softalign.show([attention(1, 2, 2, 3), attention(1, 2, 2, 3, seed=2)], "a b c", "x y")
        self.assertEqual(figure.tabs, [f"layer {i}, {name}" for i in (1, 2) for name in ("mean", "head 1", "head 2")])
        parsed = Elements(figure._repr_html_()).found
        buttons = [a for tag, a in parsed if tag == "input"]
        self.assertEqual(len(buttons), 2 + 6)
        self.assertEqual(sum("checked" in a for a in buttons), 3)
        self.assertEqual(len({a["id"] for a in buttons}), 8)

    def test_tensors_and_lists(self):
        class Tensor:  # as in PyTorch
            def __init__(self, array): self.array = array
            def detach(self): return self
            def cpu(self): return self
            def __array__(self, dtype=None): return self.array
        matrix = attention(2, 3)
        same = softalign.show(matrix, "a b c", "x y").svg()
        self.assertEqual(softalign.show(Tensor(matrix), "a b c", "x y").svg(), same)
        self.assertEqual(softalign.show(matrix.tolist(), ["a", "b", "c"], ["x", "y"]).svg(), same)

    def test_gold_links_have_outlines(self):
        matrix = attention(2, 3)
        self.assertEqual(softalign.show(matrix, "a b c", "x y", gold=[(0, 0), (2, 1)]).svg().count('class="gold"'), 2)
        self.assertEqual(softalign.show(matrix, "a b c", "x y", gold="0-0 2-1").svg(),
                         softalign.show(matrix, "a b c", "x y", gold=[(0, 0), (2, 1)]).svg())

    def test_end_of_sentence(self):
        self.assertIn("&lt;/s&gt;", softalign.show(attention(3, 4), "a b c", "x y").svg())

    def test_save(self):
        folder = fixtures.folder("saved")
        figure = softalign.show(attention(2, 2, 3), "a b c", "x y")
        figure.save(folder / "page.html")
        self.assertTrue((folder / "page.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>"))
        figure.save(str(folder / "figure.svg"))
        self.assertEqual((folder / "figure.svg").read_text(encoding="utf-8"), figure.svg())
        self.assertEqual(sorted(path.name for path in folder.iterdir()), ["figure.svg", "page.html"])


class OfTranslations(unittest.TestCase):
    def test_a_translation_draws_itself(self):
        t = softalign.Run(fixtures.run()).translate("i see the red car")
        self.assertIn("<svg", t._repr_html_())
        ElementTree.fromstring(t.svg())

    def test_hostile_words(self):
        t = softalign.Run(fixtures.run()).translate("i <script>alert(1)</script> you")
        self.assertNotIn("<script", t._repr_html_())

    def test_heads_are_tabs(self):
        t = softalign.Run(fixtures.transformer()).translate("i see the car")
        self.assertEqual(t.figure().tabs, ["attention", "layer 1, head 1", "layer 1, head 2"])


if __name__ == "__main__":
    unittest.main()
