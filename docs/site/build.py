"""Builds the documents and the course as a static site that opens from disk without a network.

    python3 docs/site/build.py --out site      then open site/index.html

Formulas become MathML and code stays text, so the pages need no script. If the engine for browsers has been built (.ci/wasm.sh
module), chapters of the course contain live pages, and lesson.html links to their states (live.json). They need trained models.
The first call trains them into runs/site, which takes about six minutes on one core; later calls use them again.

Needs python3-markdown-it, libjs-katex and nodejs (Debian's packages).
"""

import argparse
import html
import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote, urlencode

sys.path.append("/usr/lib/python3/dist-packages")  # where Debian has markdown-it, if python3 is another Python

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
KATEX = "/usr/share/javascript/katex/katex.js"
RENDER = """
const katex = require(process.argv[1]);
const formulas = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(formulas.map(([tex, displayMode]) => katex.renderToString(tex, { displayMode, output: "mathml" }))));
"""
OUTSIDE = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
PLAN = json.loads((HERE / "live.json").read_text(encoding="utf-8"))


def fail(message):
    sys.exit(f"error: {message}")


# --- formulas ---

CODE = re.compile(r"(^ *```.*?^ *```$|`+[^`\n]+`+)", re.S | re.M)
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+(?:\n[^$\n]+)?)\$", re.S)


class Formulas:
    """Replaces formulas by marks that Markdown does not change, and marks by MathML."""

    def __init__(self):
        self.found = []

    def take(self, text):
        parts = CODE.split(text)
        for k in range(0, len(parts), 2):
            parts[k] = FORMULA.sub(self._mark, parts[k])
        return "".join(parts)

    def _mark(self, match):
        tex = match[1] if match[1] is not None else match[2]
        self.found.append([tex.strip(), match[1] is not None])
        return f"\ue000{len(self.found) - 1}\ue001"

    def render(self):
        done = subprocess.run(["node", "-e", RENDER, KATEX], input=json.dumps(self.found), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            fail(f"a formula cannot be rendered: {done.stderr.strip().splitlines()[-1] if done.stderr else ''}")
        self.rendered = json.loads(done.stdout)

    def put(self, page):
        return re.sub("\ue000(\\d+)\ue001", lambda match: self.rendered[int(match[1])], page)


# --- pages ---


def slug_of(heading, seen):
    """Returns the anchor that GitHub gives to a heading."""
    plain = html.unescape(re.sub(r"<[^>]+>", "", heading)).lower()
    slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
    seen.append(slug)
    return slug if seen.count(slug) == 1 else f"{slug}-{seen.count(slug) - 1}"


def with_anchors(page):
    seen = []
    return re.sub(r"<h([1-6])>(.*?)</h\1>", lambda m: f'<h{m[1]} id="{slug_of(m[2], seen)}">{m[2]}</h{m[1]}>', page, flags=re.S)


class Site:
    def __init__(self, out, live):
        from markdown_it import MarkdownIt
        self.out, self.live, self.formulas = out, live, Formulas()
        self.markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
        self.sources, self.copied = set(), set()
        documents = [PROJECT / name for name in OUTSIDE] + sorted(PROJECT.glob("docs/*.md")) + sorted(PROJECT.glob("docs/course/*.md"))
        self.pages = {document: document.relative_to(PROJECT).with_suffix(".html").as_posix() for document in documents}
        self.texts = {document: document.read_text(encoding="utf-8") for document in documents}
        self.chapters = [document for document in documents if re.match(r"\d\d-", document.name)]

    def title(self, document):
        return re.sub(r"[`*]", "", re.search(r"^# (.+)$", self.texts[document], re.M)[1])

    def address(self, target, document, page):
        """Returns the address in the site for a link of a document. Links to other files of the project lead to copies."""
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return target
        name, mark, anchor = target.partition("#")
        file = Path(os.path.normpath(document.parent / name))
        if file in self.pages:
            to = self.pages[file]
        elif not file.exists():
            fail(f"{document.relative_to(PROJECT)}: there is no {target}")
        elif file.is_dir():
            to, anchor = self.folder(file), ""
        elif file.suffix in (".svg", ".png", ".pdf", ".html"):
            self.copied.add(file)
            to = file.relative_to(PROJECT).as_posix()
        else:
            self.sources.add(file)
            to = f"source/{file.relative_to(PROJECT).as_posix()}.html"
        return posixpath.relpath(to, posixpath.dirname(page) or ".") + (mark + anchor if anchor else "")

    def folder(self, folder):
        self.sources.add(folder)
        return f"source/{folder.relative_to(PROJECT).as_posix()}/index.html"

    def body(self, document, page):
        text = re.sub(r"<!--.*?-->\n?", "", self.texts[document], flags=re.S)
        rendered = self.markdown.render(self.formulas.take(text))
        link = lambda match: f'{match[1]}="{html.escape(self.address(html.unescape(match[2]), document, page))}"'
        rendered = re.sub(r"<(pre|table)>", r'<\1 tabindex="0">', rendered)  # they scroll, with the keyboard too
        return with_anchors(re.sub(r'\b(href|src)="([^"]*)"', link, rendered))

    def navigation(self, page):
        def item(document, name=None):
            to = posixpath.relpath(self.pages[document], posixpath.dirname(page) or ".")
            here = ' aria-current="page"' if self.pages[document] == page else ""
            return f'<li><a href="{to}"{here}>{html.escape(name or self.title(document))}</a></li>'
        index, lesson = (posixpath.relpath(name, posixpath.dirname(page) or ".") for name in ("index.html", "lesson.html"))
        listed = [document for document in self.pages if document.parent == PROJECT / "docs"]
        extra = f'<li><a href="{lesson}">A lesson of 90 minutes</a></li>' if self.live else ""
        return (f'<nav aria-label="Site"><a class="brand" href="{index}">softalign</a><h2>Course</h2><ul>'
                + "".join(item(chapter) for chapter in self.chapters)
                + extra + item(PROJECT / "docs/course/lecture-plan.md", "Lecture plans") + "</ul><h2>Documents</h2><ul>"
                + "".join(item(document) for document in listed) + "</ul></nav>")

    def write(self, page, title, body, navigation=True):
        style = posixpath.relpath("style.css", posixpath.dirname(page) or ".")
        path = self.out / page
        path.parent.mkdir(parents=True, exist_ok=True)
        text = (f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
                f'<title>{html.escape(title)} · softalign</title>\n<link rel="stylesheet" href="{style}">\n</head>\n<body>\n'
                f'{self.navigation(page) if navigation else ""}<main>\n{body}</main>\n</body>\n</html>\n')
        path.write_text(text, encoding="utf-8")

    def experiment(self, document, page):
        """Returns the live page of a chapter with its state, or "" if the chapter has none."""
        part = PLAN["chapters"].get(document.name)
        if not part or not self.live:
            return ""
        address = posixpath.relpath(state_address(part), posixpath.dirname(page))
        return (f'<section class="try"><h2 id="try-it">Try it</h2><p>{html.escape(part["text"])} '
                f'<a href="{html.escape(address)}" target="_blank">Open it in its own tab.</a></p>\n'
                f'<iframe src="{html.escape(address)}" title="Live model: {html.escape(part["page"])}" loading="lazy"></iframe></section>\n')

    def chapter_links(self, document):
        at = self.chapters.index(document)
        links = [f'<a href="{self.chapters[k].with_suffix(".html").name}">{arrow}</a>' for k, arrow in
                 ((at - 1, "← " + self.title(self.chapters[at - 1])), (at + 1, self.title(self.chapters[(at + 1) % len(self.chapters)]) + " →"))
                 if 0 <= k < len(self.chapters)]
        return f'<p class="chapters">{"".join(links)}</p>\n'

    def build(self):
        bodies = {}
        for document, page in self.pages.items():
            body = self.body(document, page)
            if document in self.chapters:
                mark = '<h2 id="summary">'
                body = body.replace(mark, self.experiment(document, page) + mark, 1) + self.chapter_links(document)
            bodies[page] = (self.title(document), body)
        start = PROJECT / "docs/course/README.md"
        bodies["index.html"] = (self.title(start), self.body(start, "index.html"))
        if self.live:
            bodies["lesson.html"] = ("A lesson of 90 minutes", lesson())
        self.formulas.render()
        for page, (title, body) in bodies.items():
            self.write(page, title, self.formulas.put(body))
        for file in self.copied:
            to = self.out / file.relative_to(PROJECT)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, to)
        for file in sorted(self.sources):
            self.write_source(file)
        shutil.copyfile(HERE / "style.css", self.out / "style.css")
        return len(bodies)

    def write_source(self, file):
        name = file.relative_to(PROJECT).as_posix()
        if file.is_dir():
            tracked = subprocess.run(["git", "ls-files", name], cwd=PROJECT, capture_output=True, text=True, check=False).stdout.splitlines()
            items = "".join(f"<li><code>{html.escape(one)}</code></li>" for one in tracked)
            return self.write(f"source/{name}/index.html", name, f"<h1><code>{html.escape(name)}</code></h1><ul>{items}</ul>", navigation=False)
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        rows = "".join(f'<span id="L{k}">{html.escape(line)}</span>\n' for k, line in enumerate(lines, 1))
        return self.write(f"source/{name}.html", name, f'<h1><code>{html.escape(name)}</code></h1><pre class="source" tabindex="0">{rows}</pre>', navigation=False)


# --- live pages ---


def state_address(part):
    """Returns the address of a live page in a state: what is typed, and the keys of the URL that docs/view.md describes."""
    return f"live/{part['page']}.html#{urlencode({'s': 'own', 'y': part['typed'], **part.get('state', {})}, quote_via=quote)}"


def lesson():
    rows, minute = [], 0
    for part in PLAN["lesson"]:
        link = f'<a href="{html.escape(state_address(part))}" target="_blank">{html.escape(part["topic"])}</a>' if "page" in part else html.escape(part["topic"])
        rows.append(f'<tr><td>{minute}</td><td>{part["minutes"]}</td><td>{link}</td><td>{html.escape(part["point"])}</td></tr>')
        minute += part["minutes"]
    return (f'<h1 id="a-lesson-of-90-minutes">A lesson of {minute} minutes</h1>\n<p>Each link opens a live page in a prepared state. In every page, the key p switches '
            "between the presentation and all panels, and Esc goes back to the model's own attention. The pages need no network.</p>\n"
            '<table tabindex="0"><thead><tr><th>minute</th><th>duration</th><th>show</th><th>what to point at</th></tr></thead><tbody>'
            f'{"".join(rows)}</tbody></table>\n<p>The <a href="docs/course/lecture-plan.html">lecture plans</a> have a lecture with recorded pages, and a semester.</p>\n')


def call(*arguments):
    """Runs a program of the project, and ends with its message if it fails."""
    done = subprocess.run([str(argument) for argument in arguments], cwd=PROJECT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        fail(f"{' '.join(map(str, arguments))} failed:\n{done.stderr}")


def trained(name, corpus, options, build):
    """Returns the folder of a model of live.json. Trains it if it does not exist."""
    model = PLAN["models"][name]
    run = options.models / name
    given = PROJECT / model["same"] if "same" in model else None
    if given and (given / "model.safetensors").exists() and not options.one_epoch:
        return given
    if "corpus" in model and not corpus.exists():
        call(build / "make_corpus", *model["corpus"], "--out", corpus)
    if not (run / "model.safetensors").exists():
        print(f"site: training the model {name}", flush=True)
        epochs = ["--epochs", "1" if options.one_epoch else model["epochs"]] if options.one_epoch or "epochs" in model else []
        call(build / "train", "--data", corpus, *model["train"], *epochs, "--force", "--out", run)
    return run


def write_live_pages(out, options, build):
    (out / "live").mkdir(parents=True, exist_ok=True)
    for name, model in PLAN["models"].items():
        corpus = PROJECT / model["data"] if "data" in model else options.models / f"{name}-corpus"
        run = trained(name, corpus, options, build)
        data = PROJECT / model["show"] if "show" in model else corpus / "test.tsv"
        call(build / "view", "--run", run, "--data", data, "--sentences", "24", "--live", "--out", out / "live" / f"{name}.html")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--out", default="site", type=Path, help="folder to write; it must not exist, or be an older site")
    parser.add_argument("--build", default=PROJECT / "build", type=Path, help="folder with the programs")
    parser.add_argument("--models", default=PROJECT / "runs/site", type=Path, help="folder of the trained models")
    parser.add_argument("--one-epoch", action="store_true", help="train each model for one epoch, for tests")
    parser.add_argument("--without-live", action="store_true", help="write no live pages, even if the engine has been built")
    options = parser.parse_args()
    try:
        import markdown_it  # noqa: F401
    except ImportError:
        fail("the Python package markdown-it is missing. On Debian: sudo apt-get install python3-markdown-it")
    if not Path(KATEX).exists() or not shutil.which("node"):
        fail("KaTeX or node is missing. On Debian: sudo apt-get install libjs-katex nodejs")
    build, options.models = options.build.resolve(), options.models.resolve()
    module = build.parent / "build-wasm" / "softalign.wasm"
    live = not options.without_live and module.exists() and (build / "view").exists()
    if not live and not options.without_live:
        print("note: the site has no live pages, because they need build/ and the engine for browsers. Build it: .ci/wasm.sh module", file=sys.stderr)
    if options.out.exists() and any(options.out.iterdir()) and not (options.out / ".softalign-site").exists():
        fail(f"{options.out} exists and is no site of this program. Choose another --out")
    fresh = options.out.with_name(options.out.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    (fresh / ".softalign-site").touch()
    if live:
        write_live_pages(fresh, options, build)
    count = Site(fresh, live).build()
    shutil.rmtree(options.out, ignore_errors=True)
    fresh.rename(options.out)
    print(f"{options.out} has {count} pages. Open {options.out}/index.html in a browser")


if __name__ == "__main__":
    main()
