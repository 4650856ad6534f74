"""The elements of the course's figures: boxes, arrows, grids and curves, as SVG."""
from html import escape

INK, PALE, BLUE, ORANGE, GREEN = "#222222", "#d8dde3", "#08519c", "#d9720a", "#3a7d34"


def shade(weight):
    """Returns the colour of a weight: white for 0, dark blue for 1, as in the viewer's matrix."""
    return "#" + "".join(f"{round(255 + weight * (end - 255)):02x}" for end in (8, 48, 107))


class Picture:
    def __init__(self, width, height):
        self.width, self.height, self.parts = width, height, []

    def add(self, part):
        self.parts.append(part)

    def text(self, x, y, words, size=14, ink=INK, anchor="middle", weight="normal"):
        self.add(f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{ink}" text-anchor="{anchor}" font-weight="{weight}">'
                 f'{escape(str(words))}</text>')

    def box(self, x, y, width, height, words="", fill="#ffffff", ink=INK, edge=INK, size=14):
        """Draws a box with its centre at (x, y)."""
        self.add(f'<rect x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width:g}" height="{height:g}" rx="4" fill="{fill}" '
                 f'stroke="{edge}"/>')
        if words:
            self.text(x, y + size * .35, words, size, ink)

    def circle(self, x, y, words, r=13):
        self.add(f'<circle cx="{x:g}" cy="{y:g}" r="{r}" fill="#ffffff" stroke="{INK}"/>')
        self.text(x, y + 5, words)

    def line(self, points, ink=INK, width=1.5, dash=""):
        self.add(f'<polyline points="{" ".join(f"{x:.4g},{y:.4g}" for x, y in points)}" fill="none" stroke="{ink}" '
                 f'stroke-width="{width:.3g}"' + (f' stroke-dasharray="{dash}"' if dash else "") + "/>")

    def arrow(self, *points, ink=INK, width=1.5, dash=""):
        """Draws an arrow through these points, with its head at the last one."""
        (x0, y0), (x, y) = points[-2:]
        length = ((x - x0) ** 2 + (y - y0) ** 2) ** .5
        u, v = (x - x0) / length, (y - y0) / length
        self.line([*points[:-1], (x - 6 * u, y - 6 * v)], ink, width, dash)
        corners = [(x, y), (x - 8 * u - 4 * v, y - 8 * v + 4 * u), (x - 8 * u + 4 * v, y - 8 * v - 4 * u)]
        self.add(f'<polygon points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in corners)}" fill="{ink}"/>')

    def matrix(self, x, y, rows, cell=26, numbers=False, edge=PALE):
        """Draws weights from 0 to 1 as shaded cells, with the upper left corner at (x, y). A weight of None leaves its cell
        out."""
        for i, row in enumerate(rows):
            for j, weight in enumerate(row):
                if weight is None:
                    continue
                self.add(f'<rect x="{x + j * cell:g}" y="{y + i * cell:g}" width="{cell}" height="{cell}" fill="{shade(weight)}" '
                         f'stroke="{edge}"/>')
                if numbers:
                    self.text(x + (j + .5) * cell, y + (i + .5) * cell + 4, f"{weight:.2f}".lstrip("0"), 11,
                              "#ffffff" if weight > .5 else INK)

    def axes(self, x, y, width, height, across, up):
        self.line([(x, y - height), (x, y), (x + width, y)], "#888888")
        self.text(x + width, y + 18, across, 12, "#555555", "end")
        self.text(x - 4, y - height - 8, up, 12, "#555555", "start")

    def svg(self, title):
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" font-family="sans-serif" role="img">',
            f"<title>{escape(title)}</title>", f'<rect width="{self.width}" height="{self.height}" fill="#ffffff"/>',
            *self.parts, "</svg>", ""])
