"""Writes a page with every link and command of the lecture plan, so that you do not have to type them during the class.

    python3 docs/course/lecture_links.py runs/lecture/index.html

The page has one section per minute of the plan: its links, then the numbered commands that it refers to. After these come
the links of the table of forced steps. Links are relative, so the page must be in the folder of page.html.
"""

import argparse
import html
import os
import re
from pathlib import Path

PLAN = Path(__file__).with_name("lecture-plan.md")
PROJECT = PLAN.parents[2]
STYLE = "body{font:20px/1.5 sans-serif;margin:2em auto;max-width:60em;padding:0 1em}li{margin:.3em 0}pre{font-size:16px;overflow-x:auto}"


def address(link, page):
    """The address of `#s=1` (in page.html), `captions.html#s=0` or `runs/reproduce/pooling.html#figure`, as seen from the page."""
    if link.startswith("runs/"):
        return os.path.relpath(PROJECT / link, page.resolve().parent)
    return link if not link.startswith("#") else f"page.html{link}"


def links(cell):
    return re.findall(r"`((?:[\w/-]+\.html)?#[^`]+)`", cell)


def plan(text):
    """Yields (minute, topic, links, numbers of commands) for every row of the plan."""
    for minute, topic, show in re.findall(r"^\| (\d+) \| ([^|]*) \| ([^|]*) \| [^|]* \| [^|]* \|$", text, re.MULTILINE):
        yield minute, re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", topic), links(show), re.findall(r"\*\*(\d+)\*\*", show)


def commands(text):
    """Returns {number: (title, commands)} for the numbered sections."""
    sections = re.findall(r"^#### (\d+)\. (.*?)$(.*?)(?=^#)", text, re.MULTILINE | re.DOTALL)
    return {number: (title, re.findall(r"```sh\n(.*?)```", body, re.DOTALL)) for number, title, body in sections}


def steps(text):
    """Returns (link, what was changed) for each row of the table of forced steps."""
    return re.findall(r"^\| `(#s=[^`]+)` \| ([^|]*) \|", text, re.MULTILINE)


def index(text, page):
    def item(link, name):
        return f'<li><a href="{html.escape(address(link, page))}" target="_blank">{html.escape(name)}</a></li>'
    parts, numbered = [], commands(text)
    for minute, topic, shown, numbers in plan(text):
        parts.append(f"<h2>{minute} min: {html.escape(topic)}</h2><ul>{''.join(item(link, link) for link in shown)}</ul>")
        for title, blocks in (numbered[number] for number in numbers):
            parts += [f"<h3>{html.escape(title)}</h3>", *(f"<pre>{html.escape(block)}</pre>" for block in blocks)]
    changed = "".join(item(link, f"{link}: {what}") for link, what in steps(text))
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
