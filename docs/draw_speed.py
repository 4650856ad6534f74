#!/usr/bin/env python3
"""Draws the speeds in docs/measured/pytorch.json as bars: softalign next to PyTorch on the CPU and on a GPU.

    docs/draw_speed.py docs/measured/pytorch.json > docs/speed.svg
"""
import json
import sys
from html import escape
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import draw_growth  # noqa: E402

WIDTH, LABELS, NUMBERS, BAR, GAP, TOP = 440, 150, 60, 16, 24, 28
OURS, CPU, GPU = draw_growth.INKS[:3]
CORES = [1, 2, 4, 8, 16]
# A panel has a title and the names of its figures, without who was measured and without the number of cores.
PANELS = [("Training, toy size, batches of 32", "train toy"), ("Training, toy size, batches of 128", "train toy 128"),
          ("Training, the paper's size", "train paper"), ("Greedy decoding, toy size, batches of 32", "greedy toy 32"),
          ("Greedy decoding, toy size, one sentence", "greedy toy"), ("Greedy decoding, the paper's size, one sentence", "greedy paper")]


def bars(figures, name):
    """Returns (label, words per second, colour) for each bar of a panel."""
    best = max((f"torch {name} {n}" for n in CORES if f"torch {name} {n}" in figures), key=figures.get, default=f"torch {name}")
    cores = best.removeprefix(f"torch {name}").strip()
    every = [*((f"softalign, {n} core{'s' if n > 1 else ''}", f"{name} {n}", OURS) for n in CORES), ("softalign, CPU", name, OURS),
             (f"PyTorch, {cores} cores" if cores else "PyTorch, CPU", best, CPU), ("PyTorch eager, GPU", f"gpu {name}", GPU),
             ("torch.compile, GPU", f"gpu compiled {name}", GPU), ("CUDA graphs, GPU", f"gpu graphs {name}", GPU)]
    return [(label, figures[key], colour) for label, key, colour in every if key in figures]


def panel_svg(title, drawn, x, y):
    longest = max(value for _, value, _ in drawn)
    out = [f'<text x="{x}" y="{y + 16}" font-weight="bold">{escape(title)}</text>']
    for i, (label, value, colour) in enumerate(drawn):
        top, length = y + TOP + i * BAR, round((WIDTH - LABELS - NUMBERS) * value / longest, 1)
        out += [f'<text x="{x + LABELS - 8}" y="{top + 11}" text-anchor="end">{escape(label)}</text>',
                f'<rect x="{x + LABELS}" y="{top}" width="{length}" height="{BAR - 3}" fill="{colour}"/>',
                f'<text x="{x + LABELS + length + 6}" y="{top + 11}" fill="#555555">{value:,}</text>']
    return out


def draw(measured):
    panels = [(title, bars(measured["figures"], name)) for title, name in PANELS]
    out, y = [], 0
    for left, right in zip(panels[::2], panels[1::2]):  # two panels side by side
        out += panel_svg(*left, GAP, y) + panel_svg(*right, WIDTH + 2 * GAP, y)
        y += TOP + max(len(left[1]), len(right[1])) * BAR + 10
    caption = f"target words per second, each panel with its own scale; {measured['machine']}; {measured['date']}"
    out.append(f'<text x="{GAP}" y="{y + 16}" fill="#555555">{escape(caption)}</text>')
    width, height = 2 * WIDTH + 3 * GAP, y + 28
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} '
                      f'{height}" font-family="sans-serif" font-size="12">',
                      f'<rect width="{width}" height="{height}" fill="#ffffff"/>', *out, "</svg>"])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(draw(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))))
