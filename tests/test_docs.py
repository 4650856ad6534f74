"""Tests of the documents as a whole. Links and anchors exist. Pages keep to their length and style, cited papers and terms
have an entry, and tables show the figures of their files."""

import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

import pages

sys.path.insert(0, str(pages.PROJECT / "tests" / "docs"))
import metrics  # pylint: disable=wrong-import-position
import tables  # pylint: disable=wrong-import-position

DOCS = pages.PROJECT / "docs"
GLOSSARY, REFERENCES = DOCS / "glossary.md", DOCS / "references.md"
GENERATED = [DOCS / name for name in ("equations.md", "experiments.md", "command-line.md")]
# The allowed number of hand-written words per page, without code, formulas and generated tables. The course, its glossary
# and references, and CHANGELOG.md have no limit.
WORDS = {
    "README.md": 699, "CONTRIBUTING.md": 480, "SECURITY.md": 256, "docs/README.md": 309,
    "docs/architecture.md": 1293, "docs/notation.md": 840, "docs/formats.md": 2325, "docs/eos-attention.md": 506,
    "docs/performance.md": 918, "docs/reliability.md": 565, "docs/limits.md": 368,
    "docs/adding.md": 568, "docs/align.md": 1024, "docs/install.md": 619, "docs/language-models.md": 191, "docs/library.md": 332,
    "docs/other-tasks.md": 398, "docs/results.md": 1183, "docs/several-machines.md": 435, "docs/train.md": 692, "docs/translate.md": 392,
    "docs/view.md": 590,
}
IN_TOTAL = 15000
# These pages together reach the targets of tests/docs/metrics.py.
PLAIN = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/README.md", "docs/architecture.md", "docs/notation.md", "docs/formats.md",
         "docs/eos-attention.md", "docs/performance.md", "docs/reliability.md", "docs/limits.md", "docs/glossary.md", "docs/references.md",
         "docs/adding.md", "docs/align.md", "docs/install.md", "docs/language-models.md", "docs/library.md", "docs/other-tasks.md",
         "docs/results.md", "docs/several-machines.md", "docs/train.md", "docs/translate.md", "docs/view.md"]
# Students search for these words.
SEARCHED = ["backpropagation", "hidden state", "context vector", "encoder-decoder", "cross-attention", "KV cache", "FlashAttention",
            "rotary", "RoPE", "quantisation", "subword", "BPE", "early stopping", "overfit", "hyperparameter", "ablation",
            "computation graph", "finite difference", "induction head", "all-reduce", "data-parallel", "synthetic"]
# A citation has the first author, further authors or "et al.", and the year.
CITATION = re.compile(r"\b([A-Z][\w'’-]+)(?:, [A-Z][\w-]+)*,?(?: et al\.?,?| (?:and|&) [A-Z][\w'’-]+)?,? \(?((?:19|20)\d\d)[a-z]?\b")
NO_AUTHORS = {"In", "Since", "Until", "Before", "After", "November", "December", "JPEG", "RNNsearch", "Transformer", "Debian"}


def read(path):
    return path.read_text(encoding="utf-8")


def markdown():
    return sorted(path for path in pages.PROJECT.rglob("*.md")
                  if not any(part.startswith((".", "build", "node_modules", "runs")) for part in path.relative_to(pages.PROJECT).parts))


def without_code(text):
    return re.sub(r"`[^`\n]+`", "", re.sub(r"```.*?\n```", "", text, flags=re.S))


def anchors(text):
    """Returns the anchors that GitHub gives to the headings of a page."""
    found, text = [], re.sub(r"```.*?\n```", "", text, flags=re.S)
    for heading in re.findall(r"^#+ (.+?)\s*$", text, re.M):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        found.append(slug if slug not in found else f"{slug}-{found.count(slug)}")
    return set(found) | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


def hand_written(text):
    """Returns the number of hand-written words of a page: without code, formulas, generated tables, and addresses of
    links."""
    text = tables.MARK.sub("", re.sub(r"```.*?\n```", "", text, flags=re.S))
    text = re.sub(r"\]\([^)]*\)", "]", re.sub(r"<!--.*?-->", "", text, flags=re.S))
    text = re.sub(r"\$[^$\n]+\$", "", re.sub(r"\$\$.*?\$\$", "", text, flags=re.S))
    return len(re.findall(r"\S*[A-Za-z0-9]\S*", text))


class Links(unittest.TestCase):
    def test_each_leads_to_a_file_and_a_heading(self):
        dead = []
        for page in markdown():
            for target in re.findall(r"\]\(([^)\s]+)\)", without_code(read(page))):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = target.partition("#")
                file = (page.parent / name) if name else page
                if not file.exists():
                    dead.append(f"{page.relative_to(pages.PROJECT)}: no {target}")
                elif anchor and file.suffix == ".md" and anchor not in anchors(read(file)):
                    dead.append(f"{page.relative_to(pages.PROJECT)}: no heading {target}")
        self.assertEqual(dead, [])

    def test_the_index_lists_every_document(self):
        listed = set(re.findall(r"\]\((\S+?\.md)\)", read(DOCS / "README.md")))
        self.assertEqual({page.name for page in DOCS.glob("*.md")} - listed, {"README.md"})

    def test_anchors_are_those_of_github(self):
        self.assertEqual(anchors("# Names of `</s>`, and [more](x)\n## A\n## A\n```\n# no\n```\n"), {"names-of-s-and-more", "a", "a-1"})


class Lengths(unittest.TestCase):
    def test_each_page_keeps_to_its_words(self):
        over = [f"{name}: {hand_written(read(pages.PROJECT / name))} words, {most} at most" for name, most in WORDS.items()
                if hand_written(read(pages.PROJECT / name)) > most]
        self.assertEqual(over, [])

    def test_each_page_has_a_budget_and_all_together_too(self):
        written = {str(page.relative_to(pages.PROJECT)) for page in DOCS.glob("*.md") if page not in (*GENERATED, GLOSSARY, REFERENCES)}
        self.assertEqual(written - set(WORDS), set())
        self.assertLessEqual(sum(WORDS.values()), IN_TOTAL)

    def test_code_and_generated_tables_do_not_count(self):
        self.assertEqual(hand_written("two words\n```sh\nnot these\n```\n<!-- table: a b -->\n| 1 | 2 |\n\n| and | [this](there/too) |\n"), 4)


class Style(unittest.TestCase):
    def test_the_plain_pages_keep_to_the_targets(self):
        self.assertEqual(metrics.missed(metrics.measure([read(pages.PROJECT / name) for name in PLAIN])), [])

    def test_all_pages_together_keep_to_the_targets(self):
        texts = [read(page) for group in metrics.pages().values() for page in group]
        self.assertEqual(metrics.missed(metrics.measure(texts)), [])

    def test_what_is_counted(self):
        counts = metrics.measure(["# Not this; nor this\n\nYou read it because it is short. We are done: yes, so are you.\n\n```\nnot; this\n```\n"])
        self.assertEqual(counts["words"], 14)
        self.assertEqual(counts["length"], 7)
        for name, number in (("; :", 1), ("you", 3), ("because", 2)):
            self.assertAlmostEqual(counts[name], 1000 * number / 14)
        self.assertEqual([problem.split(" is ")[0] for problem in metrics.missed({"length": 18, "; :": 15, "you": 11, "because": 4})],
                         ["length", "you"])

    def test_each_page_says_at_once_what_it_is_for(self):
        for name in PLAIN:
            if name.startswith("docs/"):
                first = metrics.sentences(metrics.paragraphs(read(pages.PROJECT / name)))[:2]
                self.assertRegex(first[0], r"^This page (explains|lists|describes)", name)
                self.assertRegex(first[1], r"^You need it (when|before)", name)


class Words(unittest.TestCase):
    def test_what_a_student_searches_for_is_found(self):
        text = "\n".join(read(page) for page in [pages.PROJECT / "README.md", *DOCS.glob("*.md"), *(DOCS / "course").glob("*.md")])
        self.assertEqual([word for word in SEARCHED if not re.search(re.escape(word), text, re.I)], [])
        course = "\n".join(read(page) for page in (DOCS / "course").glob("*.md"))
        self.assertGreater(len(course), 50000)

    def test_the_glossary_has_eighty_terms_of_two_sentences_with_a_chapter_and_a_file(self):
        terms = re.findall(r"^### (.+)\n\n((?:.+\n)+)", read(GLOSSARY), re.M)
        self.assertGreaterEqual(len(terms), 80)
        self.assertEqual([name for name, _ in terms], sorted((name for name, _ in terms), key=str.lower))
        for name, text in terms:
            *explained, links = text.strip().splitlines()
            with self.subTest(term=name):
                self.assertEqual(len(re.split(r"(?<=[.!?]) (?=[A-Z])", re.sub(r"et al\.", "et al", " ".join(explained)))), 2)
                self.assertRegex(links, r"\[Chapter \d+\]\(course/\d\d-[\w-]+\.md\).*\[`([\w/.-]+)`\]\(\.\./\1\)")
                number, file = re.search(r"\[Chapter (\d+)\]\(course/(\d\d)-", links).groups()
                self.assertEqual(int(number), int(file))

    def test_every_cited_paper_has_an_entry_with_a_link(self):
        entries = {}
        for authors, year, link in re.findall(r"^\| (?:von )?(.+?) (\d{4}) \| .+ \| (.+) \|$", read(REFERENCES), re.M):
            entries[re.split(r"[ ,]", authors)[0], year] = link
            # The second author counts, too, as in "Nadaraya 1964, Watson 1964".
            for author in re.findall(r"[A-Z][\w-]+", authors):
                entries.setdefault((author, year), link)
        entries.update({("RFC", "1952"): entries["RFC", "1952"]})
        cited = {}
        for page in [*markdown(), *pages.PROJECT.rglob("*.h"), *pages.PROJECT.rglob("*.cpp")]:
            parts = page.relative_to(pages.PROJECT).parts
            if parts[0] not in ("README.md", "docs", "apps", "autograd", "data", "layers", "models") or page in (*GENERATED, REFERENCES):
                continue
            text = re.sub(r"\n\s*(?://)?\s*", " ", read(page))
            for author, year in CITATION.findall(text):
                cited.setdefault((author.removesuffix("'s"), year), str(page.relative_to(pages.PROJECT)))
        cited = {key: page for key, page in cited.items() if key[0] not in NO_AUTHORS}
        self.assertGreater(len(cited), 60)
        plain = {(author.replace("ć", "c").replace("á", "a"), year) for author, year in entries}
        self.assertEqual({key: page for key, page in cited.items() if key not in entries and key not in plain}, {})
        unlinked = [key for key, link in entries.items() if "](https://" not in link and not link.startswith("no link")]
        self.assertEqual(unlinked, [])


@unittest.skipUnless((pages.PROJECT / ".git").exists() and "SOFTALIGN_BUILD" in os.environ, "draws from a clone and its programs")
class Passages(unittest.TestCase):
    @staticmethod
    def draw(*arguments):
        return subprocess.run([sys.executable, pages.PROJECT / "tests/docs/passages.py", *arguments], stdout=subprocess.PIPE, text=True,
                              check=True).stdout

    def test_the_seed_decides_which_passages_are_drawn(self):
        drawn = self.draw("--seed", "1")
        self.assertEqual(drawn, self.draw("--seed", "1"))
        self.assertNotEqual(drawn, self.draw("--seed", "2"))
        for kind, count in (("README", 8), ("docs", 12), ("course", 12), ("headers", 10), ("help", 8), ("messages", 5)):
            self.assertRegex(drawn, rf"(?m)^===== {kind}: {count} of \d+$")
        self.assertGreaterEqual(len(re.findall(r"^\[\d+\] ", drawn, re.M)), 56)


class Tables(unittest.TestCase):
    def test_each_shows_the_figures_of_its_file(self):
        marked = 0
        for page in tables.pages():
            text = read(page)
            marked += len(tables.MARK.findall(text))
            self.assertEqual(tables.updated(text, tables.is_dated(page)), text, f"{page.name}: run tests/docs/tables.py --write")
        self.assertGreater(marked, 5)

    def test_each_says_when_and_with_which_commit_it_was_measured(self):
        before = "<!-- table: measured/family.json family -->\n"
        family = json.loads(read(DOCS / "measured" / "family.json"))
        below = f"<sub>Measured on {family['date']} with commit {family['commit']}.</sub>\n"
        self.assertTrue(tables.updated(before).endswith(f"|\n\n{below}"))
        self.assertEqual(tables.updated(tables.updated(before)), tables.updated(before))
        self.assertNotIn("Measured", tables.updated(tables.updated(before), dated=False))
        text = read(DOCS / "results.md")
        self.assertEqual(text.count("<sub>Measured on "), len(tables.MARK.findall(text)))

    def test_each_file_says_how_it_was_measured_and_each_figure_is_shown(self):
        shown = {match for page in tables.pages() for match in re.findall(r"<!-- table: (\S+) (\S+) -->", read(page))}
        for path in sorted((DOCS / "measured").glob("*.json")):
            measured = json.loads(read(path))
            for key in tables.MEASURED:
                self.assertTrue(measured.get(key), f"{path.name} has no {key}")
            self.assertEqual({name for file, name in shown if file == f"measured/{path.name}"}, set(measured["tables"]), path.name)
            cells = {cell for table in measured["tables"].values() for row in table["rows"] for cell in row if isinstance(cell, str)}
            self.assertGreater(len(set(measured["figures"]) & cells), 0)


if __name__ == "__main__":
    unittest.main()
