#!/usr/bin/env python3
"""Draws how the cost of a training step grows: one small plot per axis with logarithmic scales. The slopes are printed next
to the curves.

    tests/benchmarks/growth.py --out growth.json
    docs/draw_growth.py growth.json > docs/growth.svg
"""
import json
import math
import sys
from html import escape

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM, GAP = 250, 150, 52, 40, 24, 52, 22
INKS = ["#08306b", "#e6820a", "#4a8c3a", "#8c3a7a"]
COLUMNS = 3


def short(value):
    if value >= 10000:
        return f"{value / 1000:g}k"
    return f"{value:,.0f}" if value >= 10 else f"{value:g}"


def ticks(low, high):
    """Returns 1, 2 and 5 times the powers of ten between the two limits. If they are more than six, it returns the powers of
    ten only."""
    every = [m * 10.0 ** e for e in range(-3, 9) for m in (1, 2, 5)]
    inside = [t for t in every if low <= t <= high]
    return inside if len(inside) <= 6 else [t for t in inside if f"{t:e}".startswith("1.")]


class Scale:
    """A logarithmic scale, from values to pixels."""

    def __init__(self, values, first, last):
        low, high = min(values), max(values)
        margin = (high / low) ** 0.06 if high > low else 1.1
        self.low, self.high, self.first, self.last = low / margin, high * margin, first, last

    def __call__(self, value):
        part = math.log(value / self.low) / math.log(self.high / self.low)
        return round(self.first + part * (self.last - self.first), 1)


def panel_svg(panel, x0, y0):
    points = [p for curve in panel["curves"].values() for p in curve]
    x = Scale([p[0] for p in points], x0, x0 + WIDTH)
    y = Scale([p[1] for p in points], y0 + HEIGHT, y0)
    out = [f'<text x="{x0}" y="{y0 - 14}" font-weight="bold">{escape(panel["y"])}</text>',
           f'<text x="{x0 + WIDTH}" y="{y0 + HEIGHT + 34}" text-anchor="end">{escape(panel["x"])}</text>']
    for tick in ticks(y.low, y.high):
        out.append(f'<path d="M{x0} {y(tick)}h{WIDTH}" stroke="#e4e4e4"/>')
        out.append(f'<text x="{x0 - 6}" y="{y(tick) + 4}" text-anchor="end" fill="#555555">{short(tick)}</text>')
    for value in sorted({p[0] for p in points}):
        out.append(f'<text x="{x(value)}" y="{y0 + HEIGHT + 16}" text-anchor="middle" fill="#555555">{short(value)}</text>')
    out.append(f'<path d="M{x0} {y0}v{HEIGHT}h{WIDTH}" fill="none" stroke="#888888"/>')
    for i, (name, curve) in enumerate(panel["curves"].items()):
        ink = INKS[i % len(INKS)]
        line = " ".join(f"{x(a)},{y(b)}" for a, b in curve)
        out.append(f'<polyline points="{line}" fill="none" stroke="{ink}" stroke-width="2"/>')
        out += [f'<circle cx="{x(a)}" cy="{y(b)}" r="3" fill="{ink}"/>' for a, b in curve]
        label = f"{name}, slope {panel['slopes'][name]:.2f}" if "slopes" in panel else name
        out.append(f'<text x="{x0 + 10}" y="{y0 + 14 + 15 * i}" fill="{ink}">{escape(label)}</text>')
    return out


def draw(growth):
    rows = -(-len(growth["panels"]) // COLUMNS)
    cell_width, cell_height = LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM
    width, height = COLUMNS * cell_width, rows * cell_height + GAP
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12">', f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
    for i, panel in enumerate(growth["panels"]):
        out += panel_svg(panel, i % COLUMNS * cell_width + LEFT, i // COLUMNS * cell_height + TOP)
    caption = growth.get("caption") or f"rnnsearch around {growth['base']}; {growth['machine']}"
    out.append(f'<text x="{LEFT}" y="{height - 10}" fill="#555555">{escape(caption)}</text>')
    return "\n".join(out + ["</svg>"])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        print(draw(json.load(file)))


if __name__ == "__main__":
    main()
