"""docs/site/build.py writes a site without dead links, which needs no network. Chromium opens its live pages in every prepared
state (check_site.mjs), if .ci/wasm.sh has built the module."""

import html
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from urllib.parse import unquote

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "apps"))
import programs  # noqa: E402
import test_viewer  # noqa: E402

HERE = Path(__file__).resolve().parent
BUILD_SITE = programs.PROJECT / "docs" / "site" / "build.py"
MODULE = programs.BUILD.resolve().parent / "build-wasm" / "softalign.js"
PLAN = json.loads((BUILD_SITE.parent / "live.json").read_text(encoding="utf-8"))


def what_is_missing():
    """Returns what the program lacks on this machine, or ""."""
    done = subprocess.run([sys.executable, BUILD_SITE, "--without-live", "--out", "/dev/null/x"], capture_output=True, text=True, check=False)
    return done.stderr.strip() if "is missing" in done.stderr else ""


def build(out, *arguments):
    return subprocess.run([sys.executable, BUILD_SITE, "--out", out, "--build", programs.BUILD, *arguments], capture_output=True, text=True, check=False)


@unittest.skipIf(what_is_missing(), what_is_missing())
class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.site = Path(temporary.name) / "site"
        done = build(cls.site, "--without-live")
        assert done.returncode == 0, done.stderr
        cls.pages = {path: path.read_text(encoding="utf-8") for path in cls.site.rglob("*.html")}

    def test_each_link_leads_to_a_page_and_an_anchor(self):
        dead = []
        for path, text in self.pages.items():
            for target in re.findall(r'\b(?:href|src)="([^"]*)"', text):
                target = unquote(html.unescape(target))
                if re.match(r"https?:|mailto:", target):
                    continue
                name, _, anchor = target.partition("#")
                file = (path.parent / name).resolve() if name else path
                if not file.is_file():
                    dead.append(f"{path.relative_to(self.site)}: {target}")
                elif anchor and not re.search(rf'\b(?:id|name)="{re.escape(anchor)}"', file.read_text(encoding="utf-8")):
                    dead.append(f"{path.relative_to(self.site)}: no anchor {target}")
        self.assertEqual(dead, [])

    def test_no_page_loads_anything_from_a_network(self):
        for path, text in [*self.pages.items(), *((path, path.read_text(encoding="utf-8")) for path in self.site.rglob("*.css"))]:
            self.assertNotRegex(text, r'\bsrc="https?:|<link[^>]*href="https?:|@import|url\(', path.name)
            self.assertNotRegex(text, "[\ue000\ue001]", path.name)

    def test_chapters_have_formulas_code_and_tables(self):
        chapter = self.pages[self.site / "docs/course/05-training-step.html"]
        self.assertIn('<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">', chapter)
        self.assertNotIn("$$", chapter)
        self.assertIn('<code class="language-cpp">', chapter)
        self.assertIn("<table tabindex", self.pages[self.site / "docs/results.html"])
        self.assertEqual(len(list((self.site / "docs/course").glob("[0-9]*.html"))), len(list((programs.PROJECT / "docs/course").glob("[0-9]*.md"))))
        self.assertNotIn("lesson.html", self.pages[self.site / "index.html"])

    def test_it_replaces_only_a_site(self):
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            (folder / "mine.txt").write_text("mine", encoding="utf-8")
            done = build(folder, "--without-live")
            self.assertEqual(done.returncode, 1)
            self.assertIn("is no site of this program", done.stderr)
            self.assertEqual((folder / "mine.txt").read_text(encoding="utf-8"), "mine")
        self.assertEqual(build(self.site, "--without-live").returncode, 0)

    def test_the_lesson_takes_90_minutes_and_chapters_exist(self):
        self.assertEqual(sum(part["minutes"] for part in PLAN["lesson"]), 90)
        for chapter, part in PLAN["chapters"].items():
            self.assertTrue((programs.PROJECT / "docs/course" / chapter).exists(), chapter)
            self.assertIn(part["page"], PLAN["models"])


@unittest.skipIf(what_is_missing(), what_is_missing())
@unittest.skipUnless(MODULE.exists(), f"{MODULE} has not been built; .ci/wasm.sh module builds it")
@unittest.skipIf(test_viewer.what_is_missing(), test_viewer.what_is_missing())
class LiveSite(unittest.TestCase):
    def test_each_prepared_state_opens(self):
        with tempfile.TemporaryDirectory() as temporary:
            site = Path(temporary) / "site"
            done = build(site, "--one-epoch", "--models", Path(temporary) / "models")
            self.assertEqual(done.returncode, 0, done.stderr)
            lesson = (site / "lesson.html").read_text(encoding="utf-8")
            links = [html.unescape(link) for link in re.findall(r'href="(live/[^"]*)"', lesson)]
            self.assertEqual(len(links), sum("page" in part for part in PLAN["lesson"]))
            for chapter in PLAN["chapters"]:
                text = (site / "docs/course" / chapter).with_suffix(".html").read_text(encoding="utf-8")
                links.append(html.unescape(re.search(r'<iframe src="\.\./\.\./([^"]*)"', text)[1]))
            (site / "states.json").write_text(json.dumps(links), encoding="utf-8")
            done = subprocess.run(["node", HERE / "check_site.mjs", site], capture_output=True, text=True, timeout=900, check=False)
            self.assertEqual(done.returncode, 0, done.stdout[-5000:] + done.stderr[-2000:])


if __name__ == "__main__":
    unittest.main()
