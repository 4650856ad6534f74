#!/usr/bin/env python3
"""Runs a command on a pseudo-terminal and draws its output, for light and for dark pages.

    docs/draw_terminal.py --until "epoch 6/16 .* 6.%" \
        build/train --data data/toy --out runs/drawn --force > docs/terminal.svg

With --until, the command is ended as soon as its last line matches. The script knows the escape sequences that the programs
use: colours, bold, dim, and the line that is rewritten in place.
"""
import argparse
import fcntl
import os
import pty
import re
import shlex
import struct
import subprocess
import termios
import unicodedata
from html import escape

COLUMN, LINE, MARGIN, BAR = 8, 18, 16, 30  # pixels
PLAIN = {"bold": False, "dim": False, "ink": None, "paper": None}


def shown(command, columns, until):
    """Returns everything that the command writes to a terminal with 24-bit colours, until its last line matches or it
    ends."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 60, columns, 0, 0))
    text = ""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=its, stderr=its,
                          env={**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": ""}) as process:
        os.close(its)
        pending = b""
        try:
            while part := os.read(ours, 1 << 16):
                *whole, pending = re.split(rb"(?<=[\n\rKm])", pending + part)  # never cut within a character or a sequence
                for piece in whole:
                    text += piece.decode()
                    if until and re.search(until, text.rpartition("\n")[2]):
                        process.terminate()
                        return text
        except OSError:  # Linux: the other end is closed
            pass
    return text + pending.decode()


def palette(number):
    """Returns the colour with this number, for numbers above 15. The first sixteen colours are defined by the theme."""
    if number >= 232:
        return "#" + 3 * f"{8 + 10 * (number - 232):02x}"
    levels = (0, 95, 135, 175, 215, 255)
    cube = number - 16
    return "#" + "".join(f"{levels[i]:02x}" for i in (cube // 36, cube // 6 % 6, cube % 6))


def styled(style, codes):
    style, numbers = dict(style), [int(code or 0) for code in codes.split(";")]
    while numbers:
        code = numbers.pop(0)
        if code == 0:
            style = dict(PLAIN)
        elif code in (1, 2):
            style["bold" if code == 1 else "dim"] = True
        elif code in (38, 48):
            kind = numbers.pop(0)
            colour = palette(numbers.pop(0)) if kind == 5 else "#" + "".join(f"{numbers.pop(0):02x}" for _ in range(3))
            style["ink" if code == 38 else "paper"] = colour
    return style


def width(character):
    return 0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1


def screen(text):
    """Returns lines of cells. A line maps columns to (character, style)."""
    lines, column, style = [{}], 0, PLAIN
    for piece in re.findall(r"\x1b\[[0-9;]*[A-Za-z]|[^\x1b]", text):
        if piece == "\n":
            lines.append({})
            column = 0
        elif piece == "\r":
            column = 0
        elif piece.endswith("K") and len(piece) > 1:
            lines[-1] = {at: cell for at, cell in lines[-1].items() if at < column}
        elif piece.endswith("m") and len(piece) > 1:
            style = styled(style, piece[2:-1])
        elif width(piece) == 0 and column - 1 in lines[-1]:
            lines[-1][column - 1] = (lines[-1][column - 1][0] + piece, style)
        else:
            lines[-1][column] = (piece, style)
            column += width(piece)
    while lines and not lines[-1]:
        lines.pop()
    return lines


def runs(line):
    """Groups neighbours of one style: (column, columns, text, style). A character that is not ASCII is a group of its own,
    so that its width in another font does not move the other text."""
    found = []
    for column, (text, style) in sorted(line.items()):
        columns = width(text[0])
        if found and text.isascii() and found[-1][2].isascii() and found[-1][3] == style and sum(found[-1][:2]) == column:
            found[-1] = (found[-1][0], found[-1][1] + columns, found[-1][2] + text, style)
        else:
            found.append((column, columns, text, style))
    return found


def draw(title, lines, columns):
    across, down = 2 * MARGIN + COLUMN * columns, BAR + 2 * MARGIN + LINE * len(lines)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{down}" viewBox="0 0 {across} {down}">',
           "<style>svg{--paper:#fff;--bar:#e8eaed;--ink:#1f2328;--edge:#c9ced6}",
           "@media(prefers-color-scheme:dark){svg{--paper:#12151c;--bar:#232833;--ink:#e4e7ec;--edge:#39404d}}",
           'text{font:13px "DejaVu Sans Mono",Menlo,Consolas,monospace;fill:var(--ink);white-space:pre}',
           ".b{font-weight:bold}.d{opacity:.65}rect{shape-rendering:crispEdges}</style>",
           f'<rect x=".5" y=".5" width="{across - 1}" height="{down - 1}" rx="8" style="fill:var(--paper);stroke:var(--edge)"/>',
           f'<path d="M1 {BAR}V9a8 8 0 0 1 8-8H{across - 9}a8 8 0 0 1 8 8V{BAR}z" style="fill:var(--bar)"/>',
           f'<text x="{MARGIN}" y="20" class="d">{escape(title)}</text>']
    for number, line in enumerate(lines):
        top = BAR + MARGIN + LINE * number
        for column, length, text, style in runs(line):
            x, across_run = MARGIN + COLUMN * column, COLUMN * length
            if style["paper"]:
                out.append(f'<rect x="{x}" y="{top}" width="{across_run}" height="{LINE}" fill="{style["paper"]}"/>')
            if text.strip():
                marks = " ".join(mark[0] for mark in ("bold", "dim") if style[mark])
                more = (f' class="{marks}"' if marks else "") + (f' style="fill:{style["ink"]}"' if style["ink"] else "")
                out.append(f'<text x="{x}" y="{top + 13}" textLength="{across_run}"{more}>{escape(text)}</text>')
    return "\n".join(out) + "\n</svg>"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--columns", type=int, default=96)
    parser.add_argument("--until", metavar="REGEX")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    output = shown(options.command, options.columns, options.until)
    print(draw("$ " + shlex.join(options.command), screen(output), options.columns))
