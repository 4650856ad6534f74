"""Writes a page with every link and command of the lecture plan, so that you do not have to type them during the class.

    python3 docs/course/lecture_links.py runs/lecture/index.html

The page has one section per minute of the plan, in the order of the plan: its links, and the numbered sections that it refers
to, with their commands, or with their links if they have no command. Pages that a command of the section writes come after this
command. Last come the links of the table of forced steps. Each link says what it shows. If the folder of the page has the run
of the plan (rnnsearch/interventions.jsonl), a changed step is described as it is in this run.

Next to the page, the program writes formula.html. It has the formulas and the C++ lines of the README's section "From formula
to line" in large type, because a browser shows Markdown as plain text. Other pages of the course are linked as pages of the
static site (docs/site/build.py) if the folder site/ of the project has them. Links are relative, so the page must be in the
folder of page.html.
"""

import argparse
import html
import json
import os
import re
from pathlib import Path

import outcomes

PLAN = Path(__file__).with_name("lecture-plan.md")
PROJECT = PLAN.parents[2]
SITE = PROJECT / "site"
FORMULA = "README.md#from-formula-to-line"  # formula.html shows this section
STYLE = ":root{color-scheme:light dark}@media(prefers-color-scheme:dark){body{background:#14161a;color:#eee}a{color:#8ab4ff}}body{font:20px/1.5 sans-serif;margin:2em auto;max-width:60em;padding:0 1em}li{margin:.3em 0}small{opacity:.75}pre{font-size:16px;white-space:pre-wrap;overflow-wrap:anywhere}"


# The formulas of the README's section, as MathML. A browser shows MathML without a script.
SUB = "<msub><mi>{}</mi><mrow>{}</mrow></msub>".format
EXP = "<mi>exp</mi><mo>(</mo>{}<mo>)</mo>".format
MATHML = {
    r"\alpha_{ij} = \frac{\exp(e_{ij})}{\sum_k \exp(e_{ik})}":
        f"{SUB('α', '<mi>i</mi><mi>j</mi>')}<mo>=</mo><mfrac><mrow>{EXP(SUB('e', '<mi>i</mi><mi>j</mi>'))}</mrow>"
        f"<mrow><munder><mo>∑</mo><mi>k</mi></munder>{EXP(SUB('e', '<mi>i</mi><mi>k</mi>'))}</mrow></mfrac>",
    r"c_i = \sum_j \alpha_{ij} h_j":
        f"{SUB('c', '<mi>i</mi>')}<mo>=</mo><munder><mo>∑</mo><mi>j</mi></munder>{SUB('α', '<mi>i</mi><mi>j</mi>')}{SUB('h', '<mi>j</mi>')}",
}


def address(link, page):
    """Returns the address of `#s=1` (in page.html), `captions.html#s=0`, `runs/reproduce/pooling.html#figure` or a page of
    the project (an absolute path), relative to the page."""
    if link.endswith(FORMULA):
        return "formula.html"
    if link.startswith(("runs/", "/")):
        file, mark, anchor = str(PROJECT / link).partition("#")
        built = SITE / Path(file).relative_to(PROJECT).with_suffix(".html")
        return os.path.relpath(built if built.exists() else file, page.resolve().parent) + mark + anchor
    return link if not link.startswith("#") else f"page.html{link}"


def formula_page():
    """Returns a page with the formulas and the lines of code of the README's section."""
    section = (PROJECT / "README.md").read_text(encoding="utf-8").split("## From formula to line")[1].split("\n## ")[0]
    formulas = re.search(r"\$\$(.*?)\$\$", section, re.DOTALL)[1].split(r" \qquad ")
    file, code = re.search(r"```cpp (\S+)\n(.*?)```", section, re.DOTALL).groups()
    shown = "".join(f'<p><math display="block">{MATHML[formula]}</math></p>' for formula in formulas)
    return (f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>From formula to line</title><style>{STYLE}body{{max-width:none}}.sides{{display:flex;flex-wrap:wrap;gap:1em 3em;"
            "align-items:center}math{font-size:min(40px,6vw)}pre{font-size:26px}.sides>*{max-width:100%}</style>"
            f'<main><h1>From formula to line</h1><div class="sides"><section aria-label="formulas">{shown}</section><section aria-label="code">'
            f'<p><code>{file}</code></p><pre>{html.escape(code)}</pre></section></div>'
            "<p>e<sub>ij</sub>: score of source word j for target word i. h<sub>j</sub>: encoder output of source word j. "
            "c<sub>i</sub>: context vector.</p></main></html>\n")


def changes_of(page):
    """Returns {link: what was changed} for the run in the folder of the page, or {} if there is none."""
    run = page.resolve().parent / "rnnsearch" / "interventions.jsonl"
    if not run.exists():
        return {}
    with run.open(encoding="utf-8") as file:
        return {link: what for link, what, *_ in (line.split("\t") for line in outcomes.lines(map(json.loads, file)))}


def links(cell):
    return re.findall(r"`((?:[\w/-]+\.html)?#[^`]+)`", cell)


def plan(text):
    """Yields (minute, topic, links, numbers of commands) for every row of the plan."""
    for minute, topic, show in re.findall(r"^\| (\d+) \| ([^|]*) \| ([^|]*) \| [^|]* \| [^|]* \|$", text, re.MULTILINE):
        yield minute, re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", topic), links(show), re.findall(r"\*\*(\d+)\*\*", show)


def commands(text):
    """Returns {number: (title, commands, links)} for the numbered sections; a link is (address, name)."""
    sections = re.findall(r"^#### (\d+)\. (.*?)$(.*?)(?=^#)", text, re.MULTILINE | re.DOTALL)
    return {number: (title, re.findall(r"```sh\n(.*?)```", body, re.DOTALL), pages(body)) for number, title, body in sections}


def pages(body):
    found = re.findall(r"\[([^]]+)\]\(([^)]+)\)", body)
    return [(os.path.normpath(PLAN.parent / target), " ".join(name.split())) for name, target in found]


def steps(text):
    """Returns (link, what was changed) for each row of the table of forced steps."""
    return re.findall(r"^\| `(#s=[^`]+)` \| ([^|]*) \|", text, re.MULTILINE)


def described(link, changes):
    """Describes in words what a link of the plan shows: `#s=1&r=1&p=1` is "sentence 2, step 2, presentation"."""
    file, _, view = link.rpartition("#")
    if "=" not in view:
        return f"{Path(file).stem}: {view}"
    keys = dict(part.split("=") for part in view.split("&"))
    number = keys["s"]
    parts = [f"validation sentence {int(number[1:]) + 1}" if number[0] == "v" else f"{'picture' if file else 'sentence'} {int(number) + 1}"]
    changed = "#" + "&".join(part for part in view.split("&") if part != "p=1")
    if "a" in keys:
        parts.append(changes[changed])
    elif "r" in keys:
        parts.append(f"step {int(keys['r']) + 1}")
    names = {"e": lambda epoch: f"after epoch {epoch}", "c": lambda _: "both models", "m": lambda _: "the second model",
             "h": lambda head: f"head {int(head) + 1}", "p": lambda _: "presentation"}
    return ", ".join([*parts, *(names[key](value) for key, value in keys.items() if key in names)])


def index(text, page):
    changes = dict(steps(text))
    changes |= {link: what for link, what in changes_of(page).items() if link in changes}

    def item(link, name):
        shown = "" if link.startswith("/") else f" <small>{html.escape(link)}</small>"
        if address(link, page).partition("#")[0].endswith(".md"):
            shown = (" <small>A browser shows this page as plain text. This command formats it, and this index then links to the formatted page:"
                     " python3 docs/site/build.py --out site</small>")
        return f'<li><a href="{html.escape(address(link, page))}" target="_blank">{html.escape(name)}</a>{shown}</li>'
    parts, numbered = [], commands(text)
    for minute, topic, shown, numbers in plan(text):
        written = [link for link in shown if link.startswith("runs/reproduce/")]  # a command of this section writes these pages

        def several(some):
            return f"<ul>{''.join(item(link, described(link, changes)) for link in some)}</ul>" if some else ""
        parts.append(f"<h2>{minute} min: {html.escape(topic)}</h2>{several([link for link in shown if link not in written])}")
        for number in numbers:
            title, blocks, others = numbered[number]
            parts += [f"<h3>{number}. {html.escape(title)}</h3>", *(f"<pre>{html.escape(block)}</pre>" for block in blocks)]
            if not blocks:
                parts.append(f"<ul>{''.join(item(link, name) for link, name in others)}</ul>")
        parts.append(several(written))
    changed = "".join(item(link, f"{described(link.split('&')[0], changes)}: {what}") for link, what in changes.items())
    return (f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Lecture</title><style>{STYLE}</style>'
            f'<meta name="viewport" content="width=device-width, initial-scale=1"><main><h1>A lecture of 90 minutes</h1>{"".join(parts)}'
            f"<h2>Forced steps</h2><ul>{changed}</ul></main></html>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=Path, help="the page to write, for example runs/lecture/index.html")
    page = parser.parse_args().page
    page.with_name("formula.html").write_text(formula_page(), encoding="utf-8")
    page.write_text(index(PLAN.read_text(encoding="utf-8"), page), encoding="utf-8")
    print(f"{page}: open it in a browser")


if __name__ == "__main__":
    main()
