"""Writes a page with every link and command of the lecture plan, so that you do not have to type them during the class.

    python3 docs/course/lecture_links.py runs/lecture/index.html

The page has one section per minute of the plan: its links, then the numbered sections that it refers to, with their commands,
or with their links if they have no command. After these come the links of the table of forced steps. Each link says what it
shows. Links are relative, so the page must be in the folder of page.html.
"""

import argparse
import html
import os
import re
from pathlib import Path

PLAN = Path(__file__).with_name("lecture-plan.md")
PROJECT = PLAN.parents[2]
STYLE = "body{font:20px/1.5 sans-serif;margin:2em auto;max-width:60em;padding:0 1em}li{margin:.3em 0}small{color:#666}pre{font-size:16px;white-space:pre-wrap;overflow-wrap:anywhere}"


def address(link, page):
    """Returns the address of `#s=1` (in page.html), `captions.html#s=0`, `runs/reproduce/pooling.html#figure` or a page of
    the project (an absolute path), relative to the page."""
    if link.startswith(("runs/", "/")):
        return os.path.relpath(PROJECT / link, page.resolve().parent)
    return link if not link.startswith("#") else f"page.html{link}"


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

    def item(link, name):
        shown = "" if link.startswith("/") else f" <small>{html.escape(link)}</small>"
        return f'<li><a href="{html.escape(address(link, page))}" target="_blank">{html.escape(name)}</a>{shown}</li>'
    parts, numbered = [], commands(text)
    for minute, topic, shown, numbers in plan(text):
        parts.append(f"<h2>{minute} min: {html.escape(topic)}</h2><ul>{''.join(item(link, described(link, changes)) for link in shown)}</ul>")
        for number in numbers:
            title, blocks, others = numbered[number]
            parts += [f"<h3>{number}. {html.escape(title)}</h3>", *(f"<pre>{html.escape(block)}</pre>" for block in blocks)]
            if not blocks:
                parts.append(f"<ul>{''.join(item(link, name) for link, name in others)}</ul>")
    changed = "".join(item(link, f"{described(link.split('&')[0], changes)}: {what}") for link, what in changes.items())
    return (f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Lecture</title><style>{STYLE}</style>'
            f"<h1>A lecture of 90 minutes</h1>{''.join(parts)}<h2>Forced steps</h2><ul>{changed}</ul></html>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=Path, help="the page to write, for example runs/lecture/index.html")
    page = parser.parse_args().page
    page.write_text(index(PLAN.read_text(encoding="utf-8"), page), encoding="utf-8")
    print(f"{page}: open it in a browser")


if __name__ == "__main__":
    main()
